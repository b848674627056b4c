#import "common/control"
#import "surfaces/body_pair"
#import "surfaces/friction"
// One thread per pair of a particle of a body and a triangle. As `surfaces/solve`, with the inverse mass of the body at the
// particle; both get the same impulse.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read> bodies: array<Body>;
@group(1) @binding(5) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(6) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(7) var<storage, read_write> surface_deltas: array<atomic<i32>>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = listed_pair(global_index(id, groups));
    if index == NONE {
        return;
    }
    let weights = surface_pairs[index].weights;
    if weights.x == 0.0 {
        return;
    }
    let pair = body_pair(index);
    let four = vec4u(NONE, pair.corners);
    let n = pair.frame.xyz;
    let h = params.substep_dt;
    let b = pair.state;
    let p = body_properties[pair.body];
    let arm = rotate(b.rotation, pair.local);
    var offset = pair.now[0];
    var relative = body_velocity_at(b, arm);
    var weight = 0.0;
    var most = 0.0;
    var inverse: vec4f;
    for (var k = 1u; k < 4u; k++) {
        let v = particle_velocities[four[k]];
        offset += weights[k] * pair.now[k];
        relative += weights[k] * v.xyz;
        inverse[k] = weights[k] * v.w;
        let moves = f32(atomicLoad(&surface_deltas[DELTA_WORDS * four[k]])) * abs(inverse[k]);
        weight += moves * abs(weights[k]);
        most = max(most, moves);
    }
    // Where a corner is pinned the others would have to move far for the point between them to move.
    if any((inverse == vec4f(0.0)) & (weights != vec4f(0.0)) & vec4<bool>(false, true, true, true)) {
        weight = max(weight, most);
    }
    let touching = f32(atomicLoad(&surface_deltas[pair.words]));
    let normal_weight = weight + touching * body_weight(b, p, arm, n);
    if normal_weight == 0.0 {
        return;
    }
    let depth = pair.frame.w - dot(n, offset);
    let velocity_part = min(depth, (max(-dot(relative, n), 0.0) + min(params.depenetration_speed, p.push_speed)) * h);
    let slide = tangential(relative, n) * h;
    let way = length(slide);
    let t = slide / max(way, 1e-12);
    let mu = 0.5 * (FRICTION + p.friction) * params.friction_scale;
    let drag = -t * min(mu * velocity_part / normal_weight, way / (weight + touching * body_weight(b, p, arm, t)));
    let all = n * depth / normal_weight + drag;
    let kept = n * velocity_part / normal_weight + drag;
    if b.inv_mass != 0.0 {
        add(pair.words + BODY_LINEAR, b.inv_mass * all);
        add(pair.words + BODY_ANGULAR, b.inv_mass * cross(arm, all));
        add(pair.words + BODY_VELOCITY_LINEAR, b.inv_mass * kept);
        add(pair.words + BODY_VELOCITY_ANGULAR, b.inv_mass * cross(arm, kept));
    } else if p.inv_mass != 0.0 && length(relative) > WAKE_SPEEDS * params.sleep_speed {
        atomicStore(&surface_deltas[pair.words + BODY_WAKES], 1);
    }
    for (var k = 1u; k < 4u; k++) {
        if inverse[k] != 0.0 {
            add(DELTA_WORDS * four[k] + DELTA_TOTAL, inverse[k] * all);
            add(DELTA_WORDS * four[k] + DELTA_VELOCITY, inverse[k] * kept);
        }
    }
}

fn add(first: u32, amount: vec3f) {
    // Sums of whole numbers would pass on what is none as any number.
    if is_broken(vec4f(amount, 0.0)) {
        return;
    }
    let whole = vec3i(round(amount * DELTA_SCALE));
    for (var k = 0u; k < 3u; k++) {
        atomicAdd(&surface_deltas[first + k], whole[k]);
    }
}
