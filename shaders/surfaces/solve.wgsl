#import "common/control"
#import "common/params"
#import "surfaces/primitive"
#import "surfaces/friction"
#import "common/thread"
// One thread per pair of features. Jacobi: λ = -C / Σ n_k w_k b_k², where n counts the contacts of a particle (Tonge et al.
// 2012) and b are the weights of the points that touch; friction in the cone.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<atomic<i32>>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= min(surface_list[3u], surface_list[ROOM]) {
        return;
    }
    let b = surface_pairs[i].weights;
    if all(b == vec4f(0.0)) {
        return;
    }
    let four = vec4u(surface_pairs[i].particles.x & ~EDGES, surface_pairs[i].particles.yzw);
    let frame = surface_pairs[i].frame;
    let n = frame.xyz;
    let h = params.substep_dt;
    var offset = vec3f(0.0);
    var relative = vec3f(0.0);
    var weight = 0.0;
    var inverse: vec4f;
    for (var k = 0u; k < 4u; k++) {
        let v = particle_velocities[four[k]];
        offset += b[k] * particles[four[k]].xyz;
        relative += b[k] * v.xyz;
        inverse[k] = b[k] * v.w;
        weight += f32(atomicLoad(&surface_deltas[DELTA_WORDS * four[k]])) * v.w * b[k] * b[k];
    }
    if weight == 0.0 {
        return;
    }
    let depth = frame.w - dot(n, offset);
    let velocity_part = min(depth, (max(-dot(relative, n), 0.0) + params.depenetration_speed) * h);
    let slide = tangential(relative, n) * h;
    let length = length(slide);
    let held = min(FRICTION * params.friction_scale * velocity_part, length);
    let drag = slide * (-held / max(length, 1e-12));
    let all = (n * depth + drag) / weight;
    let kept = (n * velocity_part + drag) / weight;
    for (var k = 0u; k < 4u; k++) {
        if inverse[k] != 0.0 {
            add(four[k], inverse[k] * all, inverse[k] * kept);
        }
    }
}

fn add(particle: u32, all: vec3f, kept: vec3f) {
    // Sums of whole numbers would pass on what is none as any number.
    if is_broken(vec4f(all, 0.0)) || is_broken(vec4f(kept, 0.0)) {
        return;
    }
    let first = DELTA_WORDS * particle;
    let whole = vec3i(round(all * DELTA_SCALE));
    let velocity_part = vec3i(round(kept * DELTA_SCALE));
    for (var k = 0u; k < 3u; k++) {
        atomicAdd(&surface_deltas[first + DELTA_TOTAL + k], whole[k]);
        atomicAdd(&surface_deltas[first + DELTA_VELOCITY + k], velocity_part[k]);
    }
}
