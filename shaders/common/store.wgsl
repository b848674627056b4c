// Particles of liquid and grains that are not in the world, in the reserve of an emitter or drained, are kept high above it, far from one
// another and without mass. Host twin: scene::emitter.

const STORE_HEIGHT: f32 = 2e6;
const STORE_PITCH: f32 = 0.25;        // least distance between two of them [m]
const STORE_PITCH_RADII: f32 = 16.0;  // and in radii
const STORE_ROW: u32 = 1024u;

fn stored_at(particle: u32, radius: f32) -> vec3f {
    let pitch = max(STORE_PITCH_RADII * radius, STORE_PITCH);
    return vec3f(f32(particle % STORE_ROW) * pitch, STORE_HEIGHT, f32(particle / STORE_ROW) * pitch);
}

fn is_stored(place: vec3f) -> bool {
    return place.y > 0.5 * STORE_HEIGHT;
}
