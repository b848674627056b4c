#import "common/params"
#import "common/thread"
#import "common/control"
#import "constraints/seams"
// One thread per vertex of what tears: of neighbors, the one that should most splits. So what splits at once shares no triangle, and
// what remains is judged again once the strain has gone elsewhere.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> tear_vertices: array<TearVertex>;
@group(1) @binding(1) var<storage, read> tear_fans: array<u32>;
@group(1) @binding(2) var<storage, read> tear_corners: array<u32>;
@group(1) @binding(3) var<storage, read_write> tear_plans: array<TearPlan>;
@group(1) @binding(4) var<storage, read_write> tear_needs: array<atomic<u32>>;
@group(1) @binding(5) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let v = global_index(id, groups);
    if v >= arrayLength(&tear_vertices) {
        return;
    }
    let vertex = tear_vertices[v];
    let key = tear_plans[v].key;
    if key != 0u && !is_most(v, key, vertex, tear_plans[v].leaving | tear_plans[v].staying) {
        // Strain tells again by itself.
        atomicStore(&tear_needs[v], select(0u, 1u, key == LOOSE));
        if key == LOOSE {
            atomicStore(&control.tears_due, 1u);
        }
        return;
    }
    atomicStore(&tear_needs[v], 0u);
    if key != 0u {
        tear_plans[v].given = CHOSEN;
    }
}

fn is_most(v: u32, key: u32, vertex: TearVertex, own: u32) -> bool {
    for (var rest = own; rest != 0u; rest &= rest - 1u) {
        let c = tear_fans[vertex.first + firstTrailingBit(rest)];
        let others = vec2u(tear_corners[next_corner(c)], tear_corners[last_corner(c)]) - vertex.offset;
        for (var k = 0u; k < 2u; k++) {
            let other = tear_plans[others[k]].key;
            if other > key || (other == key && others[k] < v) {
                return false;
            }
        }
    }
    return true;
}
