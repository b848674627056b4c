#import "common/control"
#import "surfaces/body_press"
#import "surfaces/listed_pair"
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
    let press = body_press(index, weights);
    if press.normal_weight == 0.0 {
        return;
    }
    let pair = press.pair;
    let b = pair.state;
    let p = body_properties[pair.body];
    let approach = press.approach;
    let t = approach.slide / max(approach.way, 1e-12);
    var own = FRICTION;
    if FRICTIONS {
        own = particle_rows[pair.corners.x].friction;
    }
    let mu = pair_friction(own, p.friction) * params.friction_scale;
    let slide_weight = press.weight + press.touching * body_weight(b, p, press.arm, t);
    let drag = -t * min(mu * approach.velocity_part / press.normal_weight, approach.way / slide_weight);
    let total = pair.normal * approach.depth / press.normal_weight + drag;
    let velocity_part = pair.normal * approach.velocity_part / press.normal_weight + drag;
    if b.inv_mass != 0.0 {
        add_delta(linear_row(pair.body), b.inv_mass * total, b.inv_mass * velocity_part);
        add_delta(angular_row(pair.body), b.inv_mass * cross(press.arm, total), b.inv_mass * cross(press.arm, velocity_part));
    } else if p.inv_mass != 0.0 && length(press.relative) > WAKE_SPEEDS * params.sleep_speed {
        wake_body(pair.body);
    }
    for (var k = 0u; k < 3u; k++) {
        if press.inverse[k] != 0.0 {
            add_delta(pair.corners[k], press.inverse[k] * total, press.inverse[k] * velocity_part);
        }
    }
}
