#import "common/contact"
#import "surfaces/delta"
#import "surfaces/friction"
#import "surfaces/collider_touch"
// How hard a triangle presses on a collider, which gives way to nothing. The including kernel declares `params`, `particles`,
// `particle_velocities` and `surface_deltas`.

struct ColliderPress {
    approach: Approach,
    at: vec3f,                 // where they touch, on the triangle [m]
    relative: vec3f,           // velocity of the triangle to the collider there [m/s]
    weight: f32,               // [1/kg]; 0 where nothing gives way
}

fn collider_press(corners: vec3u, touch: ColliderTouch, c: Collider) -> ColliderPress {
    var press: ColliderPress;
    var most = 0.0;
    var pinned = false;
    for (var k = 0u; k < 3u; k++) {
        let v = particle_velocities[corners[k]];
        let b = touch.weights[k];
        press.at += b * particles[corners[k]].xyz;
        press.relative += b * v.xyz;
        let moves = f32(contacts_of(corners[k])) * v.w * b;
        press.weight += moves * b;
        most = max(most, moves);
        pinned |= v.w == 0.0 && b != 0.0;
    }
    // As in `surfaces/body_press`: the others would have to move far.
    if pinned {
        press.weight = max(press.weight, most);
    }
    press.relative -= collider_velocity_at(c, press.at) + running(c, touch.normal);
    press.approach = approach_of(touch.normal, touch.depth, vec3f(0.0), press.relative, params.depenetration_speed, params.substep_dt);
    return press;
}
