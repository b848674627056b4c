#import "common/params"
#import "common/thread"
#import "common/control"
#import "constraints/seams"
// One thread per edge of each triangle that can tear, at the end of a substep: where it is stretched beyond its limit, its ends should
// split (Müller et al. 2007, section 4.4).

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read> tear_sides: array<TearSide>;
@group(1) @binding(2) var<storage, read> tear_corners: array<u32>;
@group(1) @binding(3) var<storage, read_write> tear_needs: array<atomic<u32>>;
@group(1) @binding(4) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let c = global_index(id, groups);
    if c >= arrayLength(&tear_sides) {
        return;
    }
    let side = tear_sides[c];
    let a = tear_corners[c];
    let b = tear_corners[next_corner(c)];
    let long = distance(particles[a].xyz, particles[b].xyz);
    if is_broken(vec4f(long)) || long <= side.most {
        return;
    }
    atomicStore(&tear_needs[a - side.offset], 1u);
    atomicStore(&tear_needs[b - side.offset], 1u);
    atomicStore(&control.tears_due, 1u);
}
