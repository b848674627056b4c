#import "common/params"
#import "common/thread"
#import "common/control"
#import "aerodynamics/sail"
#import "constraints/seams"
// One thread per vertex of what tears. Where it splits, the corners that leave become the spare particle, and its neighbors are looked at
// again: they may hang together by a point now.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> tear_vertices: array<TearVertex>;
@group(1) @binding(1) var<storage, read> tear_fans: array<u32>;
@group(1) @binding(2) var<storage, read> tear_plans: array<TearPlan>;
@group(1) @binding(3) var<storage, read_write> tear_corners: array<u32>;
@group(1) @binding(4) var<storage, read_write> tear_needs: array<atomic<u32>>;
@group(1) @binding(5) var<storage, read_write> control: Control;
@group(1) @binding(6) var<storage, read_write> sail_members: array<SailMember>;
@group(1) @binding(7) var<storage, read> tear_sails: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let v = global_index(id, groups);
    if v >= arrayLength(&tear_vertices) {
        return;
    }
    let plan = tear_plans[v];
    if !is_split(plan) {
        return;
    }
    let vertex = tear_vertices[v];
    let particle = plan.given + vertex.offset;
    for (var rest = plan.leaving | plan.staying; rest != 0u; rest &= rest - 1u) {
        let k = firstTrailingBit(rest);
        let c = tear_fans[vertex.first + k];
        if ((plan.leaving >> k) & 1u) != 0u {
            tear_corners[c] = particle;
        }
        atomicStore(&tear_needs[tear_corners[next_corner(c)] - vertex.offset], 1u);
        atomicStore(&tear_needs[tear_corners[last_corner(c)] - vertex.offset], 1u);
    }
    atomicStore(&tear_needs[v], 1u);
    atomicStore(&tear_needs[plan.given], 1u);
    atomicStore(&control.tears_due, 1u);
    // What its triangles have listed must be forgotten.
    atomicStore(&control.surfaces_due, 1u);
    if v < arrayLength(&tear_sails) && tear_sails[v] != NONE && tear_sails[plan.given] != NONE {
        let sail = sail_members[tear_sails[v]];
        sail_members[tear_sails[plan.given]].first = sail.first;
        sail_members[tear_sails[plan.given]].count = sail.count;
    }
}
