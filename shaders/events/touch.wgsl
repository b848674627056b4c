#import "queries/target"
// What listened bodies touch in a frame, summed up by thing. The including kernel declares `listened` and `touches`.

// A body that the host listens to.
struct Listened {
    body: u32,
    state: u32,                // as the frame begins: bits below
    dropped: u32,              // contacts of this frame with things that found no slot
    first_reverse: u32,        // as in `body_properties`
    reverse_capacity: u32,
}

const LISTENED_ASLEEP: u32 = 1u;
const LISTENED_REMOVED: u32 = 2u;
const LISTENED_OUTSIDE: u32 = 4u; // stopped at the end of the world

struct ListenedCount {
    rows: u32,
}

// A thing that the body touches in the frame.
struct Touch {
    impulse: vec3f,            // of all contacts along their normals, on the body [N s]
    thing: u32,                // see `THING_BITS`, NOTHING in an empty slot
    point: vec3f,              // of the strongest contact [m]
    speed: f32,                // fastest that they came at one another [m/s]
    normal: vec3f,             // of the strongest contact, towards the body
    strongest: f32,            // its impulse [N s]
}

// Slots of a body: things that it can touch in a frame.
const TOUCH_SLOTS: u32 = 16u;

// Adds a contact. One thread does all of a row, in a fixed order.
fn note_touch(row: u32, thing: u32, point: vec3f, normal: vec3f, impulse: f32, speed: f32) {
    for (var k = row * TOUCH_SLOTS; k < (row + 1u) * TOUCH_SLOTS; k++) {
        if touches[k].thing == NOTHING {
            touches[k] = Touch(vec3f(0.0), thing, point, speed, normal, impulse);
        }
        if touches[k].thing == thing {
            touches[k].impulse += impulse * normal;
            touches[k].speed = max(touches[k].speed, speed);
            if impulse > touches[k].strongest {
                touches[k].strongest = impulse;
                touches[k].point = point;
                touches[k].normal = normal;
            }
            return;
        }
    }
    listened[row].dropped += 1u;
}
