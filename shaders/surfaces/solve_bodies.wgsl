#import "common/control"
#import "surfaces/body_pair"
#import "surfaces/delta"
#import "surfaces/friction"
// One thread per pair of a particle of a body and a triangle. As `surfaces/solve`, with the inverse mass of the body at the
// particle; both get the same impulse.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read> bodies: array<Body>;
@group(1) @binding(5) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(6) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(7) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

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
    let n = pair.normal;
    let b = pair.state;
    let p = body_properties[pair.body];
    let arm = rotate(b.rotation, pair.local);
    var offset = pair.now[0];
    var relative = body_velocity_at(b, arm);
    var weight = 0.0;
    var most = 0.0;
    var inverse: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let v = particle_velocities[pair.corners[k]];
        let share = weights[k + 1u];
        offset += share * pair.now[k + 1u];
        relative += share * v.xyz;
        inverse[k] = share * v.w;
        let moves = f32(contacts_of(pair.corners[k])) * abs(inverse[k]);
        weight += moves * abs(share);
        most = max(most, moves);
    }
    // Where a corner is pinned the others would have to move far for the point between them to move.
    if any((inverse == vec3f(0.0)) & (weights.yzw != vec3f(0.0))) {
        weight = max(weight, most);
    }
    let touching = f32(atomicLoad(&surface_deltas[linear_row(pair.body)].contacts));
    let normal_weight = weight + touching * body_weight(b, p, arm, n);
    if normal_weight == 0.0 {
        return;
    }
    let push_speed = min(params.depenetration_speed, p.push_speed);
    let approach = approach_of(n, pair.gap, offset, relative, push_speed, params.substep_dt);
    let t = approach.slide / max(approach.way, 1e-12);
    var own = FRICTION;
    if FRICTIONS {
        own = particle_rows[pair.corners.x].friction;
    }
    let mu = 0.5 * (own + p.friction) * params.friction_scale;
    let slide_weight = weight + touching * body_weight(b, p, arm, t);
    let drag = -t * min(mu * approach.velocity_part / normal_weight, approach.way / slide_weight);
    let total = n * approach.depth / normal_weight + drag;
    let velocity_part = n * approach.velocity_part / normal_weight + drag;
    if b.inv_mass != 0.0 {
        add_delta(linear_row(pair.body), b.inv_mass * total, b.inv_mass * velocity_part);
        add_delta(angular_row(pair.body), b.inv_mass * cross(arm, total), b.inv_mass * cross(arm, velocity_part));
    } else if p.inv_mass != 0.0 && length(relative) > WAKE_SPEEDS * params.sleep_speed {
        wake_body(pair.body);
    }
    for (var k = 0u; k < 3u; k++) {
        if inverse[k] != 0.0 {
            add_delta(pair.corners[k], inverse[k] * total, inverse[k] * velocity_part);
        }
    }
}
