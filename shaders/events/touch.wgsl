#import "queries/target"
// What things touch in a frame, summed up by thing.

// A body that the host listens to.
struct Listened {
    body: u32,
    state: u32,                // as the frame begins: bits below
    dropped: u32,              // notes of this frame about things that found no slot
    telling: u32,              // 1 where it may have told of something that it still touches
    touches: array<Touch, 16>, // TOUCH_SLOTS
}

const LISTENED_ASLEEP: u32 = 1u;
const LISTENED_REMOVED: u32 = 2u;
const LISTENED_OUTSIDE: u32 = 4u; // stopped at the end of the world

struct ListenedCount {
    rows: u32,
    listeners: u32,
}

// What a listener hears of: see solver::Listener.
struct ListenerRow {
    thing: u32,                // NOTHING for all
    other: u32,                // NOTHING for all
    kinds: u32,                // of the other, a bit for each
    least_impulse: f32,        // [N s]
    least_speed: f32,          // [m/s]; the speed of what rests or parts is not above 0
    thresholds: u32,           // 0 where it has none
}

// What is told of two things that touch.
struct ToldRow {
    own: u32,                  // one of them: see `THING_BITS`
    quiet: u32,                // 1 where no listener hears of it now, and it was perhaps told before
    touch: Touch,
}

// A thing that another touches in the frame.
struct Touch {
    impulse: vec3f,            // of all contacts along their normals, on the other [N s]
    thing: u32,                // see `THING_BITS`, NOTHING in an empty slot; 1 more in `pair_touches`, where EMPTY is none
    point: vec3f,              // of the strongest contact; of free particles the middle of all, by their impulses [m]
    speed: f32,                // fastest that they came at one another [m/s]
    normal: vec3f,             // the same of the normal, towards the other
    strongest: f32,            // its impulse; of free particles that of all [N s]
}

// Slots of a body: things that it can touch in a frame.
const TOUCH_SLOTS: u32 = 16u;

const EMPTY: u32 = 0u;

// No contact yet.
const UNTOUCHED: Touch = Touch(vec3f(0.0), NOTHING, vec3f(0.0), 0.0, vec3f(0.0), -1.0);

// Adds what else is known of the same thing; `sign` is -1 where it tells of the other one's side.
fn merge_touch(sum: ptr<function, Touch>, more: Touch, sign: f32) {
    (*sum).impulse += sign * more.impulse;
    (*sum).speed = max((*sum).speed, more.speed);
    if more.strongest > (*sum).strongest {
        (*sum).strongest = more.strongest;
        (*sum).point = more.point;
        (*sum).normal = sign * more.normal;
    }
}
