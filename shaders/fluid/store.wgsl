// Particles of liquid that are not in the world, in the reserve of an emitter or drained, are kept high above it, far from one
// another and without mass. Host twin: scene::emitter.

const STORE_HEIGHT: f32 = 2e6;
const STORE_ROW: u32 = 1024u;

fn stored_at(particle: u32, pitch: f32) -> vec3f {
    return vec3f(f32(particle % STORE_ROW) * pitch, STORE_HEIGHT, f32(particle / STORE_ROW) * pitch);
}

fn is_stored(place: vec3f) -> bool {
    return place.y > 0.5 * STORE_HEIGHT;
}

// What an emitter does in a frame.
struct Emission {
    direction: vec3f,          // unit
    speed: f32,                // [m/s]
    first_particle: u32,       // its reserve
    budget: u32,
    first_spot: u32,           // places in its nozzle, in `emitter_spots`
    spot_count: u32,
    layers: u32,               // that leave it now
    first_way: f32,            // how far the last of them has gone already [m]
    pitch: f32,                // from one to the next [m]
    inv_mass: f32,             // [1/kg]
}

struct Drain {
    center: vec4f,             // [m]; w: radius of a ball, 0 of a box [m]
    half: vec4f,               // of a box [m]
}
