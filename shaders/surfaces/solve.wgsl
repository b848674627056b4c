#import "common/control"
#import "common/params"
#import "common/body"
#import "surfaces/primitive"
#import "surfaces/lists"
#import "surfaces/delta"
#import "surfaces/friction"
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
    let four = pair_particles(surface_pairs[i].particles);
    let n = surface_pairs[i].normal;
    var offset = vec3f(0.0);
    var relative = vec3f(0.0);
    var weight = 0.0;
    var inverse: vec4f;
    for (var k = 0u; k < 4u; k++) {
        let v = particle_velocities[four[k]];
        offset += b[k] * particles[four[k]].xyz;
        relative += b[k] * v.xyz;
        inverse[k] = b[k] * v.w;
        weight += f32(contacts_of(four[k])) * v.w * b[k] * b[k];
    }
    if weight == 0.0 {
        return;
    }
    let approach = approach_of(n, surface_pairs[i].gap, offset, relative, params.depenetration_speed, params.substep_dt);
    var mu = FRICTION;
    if FRICTIONS {
        // The first of the four are of one object, the last of the other.
        mu = 0.5 * (particle_rows[four[0]].friction + particle_rows[four[3]].friction);
    }
    let gripped = min(mu * params.friction_scale * approach.velocity_part, approach.way);
    let drag = approach.slide * (-gripped / max(approach.way, 1e-12));
    let total = (n * approach.depth + drag) / weight;
    let velocity_part = (n * approach.velocity_part + drag) / weight;
    for (var k = 0u; k < 4u; k++) {
        if inverse[k] != 0.0 {
            add_delta(four[k], inverse[k] * total, inverse[k] * velocity_part);
        }
    }
}
