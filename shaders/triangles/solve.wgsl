#import "common/params"
#import "common/triangle"
#import "common/thread"
// One thread per triangle. Jacobi: λ = -C / Σ n_k w_k b_k², where n counts the contacts of a particle (Tonge et al. 2012), b are
// the weights of the corners and -1 of the particle; friction in the cone.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> triangles: array<vec4u>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> triangle_lists: array<vec2u>;
@group(1) @binding(4) var<storage, read_write> triangle_pushes: array<atomic<i32>>;

// That of free particles.
const FRICTION: f32 = 0.6;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = global_index(id, groups);
    if t >= params.triangle_count {
        return;
    }
    let count = triangle_lists[t].x;
    if count == 0u {
        return;
    }
    let corners = triangles[t].xyz;
    let a = particles[corners.x].xyz;
    let b = particles[corners.y].xyz;
    let c = particles[corners.z].xyz;
    for (var k = 1u; k <= count; k++) {
        let entry = triangle_lists[triangle_slot(t, k, params.triangle_count)];
        let gap = bitcast<f32>(entry.y);
        let touch = touch_of(particles[entry.x].xyz, a, b, c, gap);
        if is_touching(touch, gap) {
            push(entry.x, corners, touch);
        }
    }
}

fn push(p: u32, corners: vec3u, touch: Touch) {
    let h = params.gravity.w;
    let v = particle_velocities[p];
    var relative = v.xyz;
    var weight = load_of(p) * v.w;
    var weights: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let other = particle_velocities[corners[k]];
        let share = touch.weights[k];
        weights[k] = other.w;
        relative -= share * other.xyz;
        weight += load_of(corners[k]) * other.w * share * share;
    }
    if weight == 0.0 {
        return;
    }
    let n = touch.normal;
    let depth = -touch.separation;
    let made = min(depth, (max(-dot(relative, n), 0.0) + params.depenetration_speed) * h);
    let slide = (relative - n * dot(relative, n)) * h;
    let length = length(slide);
    let held = min(FRICTION * params.friction_scale * made, length);
    let drag = slide * (-held / max(length, 1e-12));
    let all = (n * depth + drag) / weight;
    let kept = (n * made + drag) / weight;
    add(p, v.w * all, v.w * kept);
    for (var k = 0u; k < 3u; k++) {
        let share = -touch.weights[k] * weights[k];
        if share != 0.0 {
            add(corners[k], share * all, share * kept);
        }
    }
}

fn load_of(particle: u32) -> f32 {
    return f32(atomicLoad(&triangle_pushes[PUSH_WORDS * particle]));
}

fn add(particle: u32, all: vec3f, kept: vec3f) {
    let first = PUSH_WORDS * particle;
    let whole = vec3i(round(all * PUSH_SCALE));
    let made = vec3i(round(kept * PUSH_SCALE));
    for (var k = 0u; k < 3u; k++) {
        atomicAdd(&triangle_pushes[first + 1u + k], whole[k]);
        atomicAdd(&triangle_pushes[first + 4u + k], made[k]);
    }
}
