#import "common/control"
#import "common/params"
#import "common/body"
#import "surfaces/lists"
#import "surfaces/free_press"
#import "common/thread"
// One thread per pair of features. Jacobi: λ = -C / Σ n_k w_k b_k², where n counts the contacts of a particle (Tonge et al.
// 2012) and b are the weights of the points that touch; friction in the cone.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(5) var<storage, read> particle_rows: array<ParticleRow>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= min(surface_list.pairs.count, surface_list.room) {
        return;
    }
    let b = surface_pairs[i].weights;
    if all(b == vec4f(0.0)) {
        return;
    }
    let press = free_press(i, b);
    if press.weight == 0.0 {
        return;
    }
    let four = press.four;
    let approach = press.approach;
    var mu = FRICTION;
    if FRICTIONS {
        // The first of the four are of one object, the last of the other.
        mu = pair_friction(particle_rows[four[0]].friction, particle_rows[four[3]].friction);
    }
    let gripped = min(mu * params.friction_scale * approach.velocity_part, approach.way);
    let drag = approach.slide * (-gripped / max(approach.way, 1e-12));
    let total = (press.normal * approach.depth + drag) / press.weight;
    let velocity_part = (press.normal * approach.velocity_part + drag) / press.weight;
    for (var k = 0u; k < 4u; k++) {
        if press.inverse[k] != 0.0 {
            add_delta(four[k], press.inverse[k] * total, press.inverse[k] * velocity_part);
        }
    }
}
