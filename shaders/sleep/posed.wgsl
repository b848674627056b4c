#import "common/params"
#import "common/body"
#import "common/contact"
// What the host has put elsewhere since the last frame, and who was near it. The including kernel declares `params`,
// `bodies`, `saved_bodies`, `body_properties` and `posed_bodies`: how many, and which.

// Whether a ball was near where a posed body was; one that was put down where it was disturbs nobody.
fn was_left(center: vec3f, radius: f32) -> bool {
    let slack = 2.0 * CONTACT_SLOP * params.particle_radius;
    for (var k = 1u; k <= posed_bodies[0]; k++) {
        let body = posed_bodies[k];
        let before = saved_bodies[body].center;
        let reach = body_properties[body].reach;
        if distance(center, before) < radius + reach + slack {
            let turned = quat_mul(bodies[body].rotation, quat_conjugate(saved_bodies[body].rotation));
            if distance(bodies[body].center, before) + 2.0 * length(turned.xyz) * reach > slack {
                return true;
            }
        }
    }
    return false;
}
