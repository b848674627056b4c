#import "surfaces/body_pair"
#import "surfaces/delta"
#import "surfaces/friction"
// How hard a particle of a body and a triangle press on one another: λ = -C / Σ n w b², with the inverse mass of the body at the particle. The
// including kernel declares `particle_velocities`, `body_properties`, `surface_deltas` and what `surfaces/body_pair` asks for.

struct BodyPress {
    pair: BodyPair,
    approach: Approach,
    arm: vec3f,                // from the center of the body to the particle [m]
    relative: vec3f,           // velocity of the particle to the triangle [m/s]
    inverse: vec3f,            // inverse masses of the corners, by their weights [1/kg]
    weight: f32,               // of the triangle [1/kg]
    touching: f32,             // contacts that the body has
    normal_weight: f32,        // of both, along the normal [1/kg]; 0 where nothing gives way
}

fn body_press(index: u32, weights: vec4f) -> BodyPress {
    var press: BodyPress;
    press.pair = body_pair(index);
    let n = press.pair.normal;
    let b = press.pair.state;
    let p = body_properties[press.pair.body];
    press.arm = rotate(b.rotation, press.pair.local);
    var offset = press.pair.now[0];
    press.relative = body_velocity_at(b, press.arm);
    var most = 0.0;
    for (var k = 0u; k < 3u; k++) {
        let v = particle_velocities[press.pair.corners[k]];
        let share = weights[k + 1u];
        offset += share * press.pair.now[k + 1u];
        press.relative += share * v.xyz;
        press.inverse[k] = share * v.w;
        let moves = f32(contacts_of(press.pair.corners[k])) * abs(press.inverse[k]);
        press.weight += moves * abs(share);
        most = max(most, moves);
    }
    // Where a corner is pinned the others would have to move far for the point between them to move.
    if any((press.inverse == vec3f(0.0)) & (weights.yzw != vec3f(0.0))) {
        press.weight = max(press.weight, most);
    }
    press.touching = f32(atomicLoad(&surface_deltas[linear_row(press.pair.body)].contacts));
    press.normal_weight = press.weight + press.touching * body_weight(b, p, press.arm, n);
    let push_speed = min(params.depenetration_speed, p.push_speed);
    press.approach = approach_of(n, press.pair.gap, offset, press.relative, push_speed, params.substep_dt);
    return press;
}
