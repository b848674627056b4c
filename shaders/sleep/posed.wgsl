#import "common/params"
#import "common/body"
#import "common/contact"
// What the host has put elsewhere since the last frame, and who was near it. The including kernel declares `params`,
// `bodies`, `saved_bodies`, `body_properties` and `posed_bodies`: how many, and which.

// Set in the number of a body that disturbs who is near it although it stays.
const DISTURBS: u32 = 0x80000000u;

fn posed_body(k: u32) -> u32 {
    return posed_bodies[k] & ~DISTURBS;
}

// Whether a ball was near where a posed body was; one that was put down where it was disturbs nobody. After the bodies come balls, how
// many and as words, in which everything is disturbed.
fn was_left(center: vec3f, radius: f32) -> bool {
    let slack = UNNOTICED * params.particle_radius;
    let first = posed_bodies[0] + 1u;
    for (var k = 0u; k < posed_bodies[first]; k++) {
        let at = first + 1u + 4u * k;
        let ball = bitcast<vec4f>(vec4u(posed_bodies[at], posed_bodies[at + 1u], posed_bodies[at + 2u], posed_bodies[at + 3u]));
        if distance(center, ball.xyz) < radius + ball.w + slack {
            return true;
        }
    }
    for (var k = 1u; k <= posed_bodies[0]; k++) {
        let body = posed_body(k);
        let before = saved_bodies[body].center;
        let reach = body_properties[body].reach;
        if distance(center, before) < radius + reach + slack {
            if (posed_bodies[k] & DISTURBS) != 0u {
                return true;
            }
            if way_from(saved_bodies[body], bodies[body], reach) > slack {
                return true;
            }
        }
    }
    return false;
}
