// Walkers: what the host tells of them, and what they know.

struct Walker {
    wish: vec3f,               // velocity over what it stands on that it is told [m/s]
    body: u32,                 // NONE in an empty row
    jump_speed: f32,           // [m/s]
    jumps: u32,                // times that it was told to jump
    half_height: f32,          // from its center to the ends of its axis, which is Y of its body [m]
    radius: f32,               // [m]
    step: f32,                 // highest that it climbs [m]
    least_up: f32,             // cosine of the steepest slope
    acceleration: f32,         // on the ground [m/s²]
    air_acceleration: f32,     // [m/s²]
    push: f32,                 // [N]
    kinds: u32,                // of things that it feels, and their layers: as of a query
    first_ignored: u32,        // things that it does not feel, in `walker_ignored`
    ignored_count: u32,
}

struct Footing {
    center: vec3f,             // of the body, when it felt what is around [m]
    ground: u32,               // thing that it stands on, NOTHING in the air
    velocity: vec3f,           // of the body then [m/s]
    clearance: f32,            // from its soles to what is under it then, along the normal [m]
    point: vec3f,              // of what is under it [m]
    ledge: f32,                // what is ahead is so much higher than its soles, and its slope [m]
    normal: vec3f,             // of what is under it
    jumps: u32,                // times that it has jumped or did not
    expected: vec3f,           // velocity at the end of the substep if nothing is in its way [m/s]
    jump_left: f32,            // time in which it still wants to jump [s]
    impulse: vec3f,            // on what it stands on, in this substep [N s]
    stood: f32,                // time in which it still can jump [s]
    rising: u32,               // 1 from a jump until it falls
    reach: f32,                // from its center to its soles [m]
    carried: vec3f,            // velocity of what it stood on last [m/s]
    pushed: u32,               // thing that gets the impulse
}

// Nothing that could be climbed is ahead [m].
const NO_LEDGE: f32 = -1e9;
// Radius of the ball that feels for the ground, in that of the walker: walls beside it are not ground.
const FEELER: f32 = 0.9;
// How far in front of it it feels for steps [m], and above the highest.
const AHEAD: f32 = 0.1;
const ABOVE: f32 = 0.02;
// Slower than this it is not told to go anywhere [m/s].
const STANDS: f32 = 0.01;

fn upwards(gravity: vec3f) -> vec3f {
    let length = length(gravity);
    return select(vec3f(0.0, 1.0, 0.0), -gravity / length, length > 1e-6);
}

// How far it reaches down from its center: its axis need not lie along gravity [m].
fn reach_down(walker: Walker, rotation: vec4f, up: vec3f) -> f32 {
    let aslant = 1.0 - abs(dot(rotate(rotation, vec3f(0.0, 1.0, 0.0)), up));
    return walker.half_height - (walker.half_height - walker.radius) * aslant;
}

// What of the wish is level.
fn level_wish(wish: vec3f, up: vec3f) -> vec3f {
    let level = wish - up * dot(wish, up);
    return select(vec3f(0.0), level, length(level) > STANDS);
}

// How far ahead of its center it feels for steps [m].
fn feels_ahead(radius: f32, level: vec3f, dt: f32) -> f32 {
    return radius + AHEAD + length(level) * dt;
}
