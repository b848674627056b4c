// What the GPU decides by itself: when contacts are searched again, and what to report. Zeroed at the start.
// The including kernel declares `control: Control` as read_write storage.

struct Control {
    motion: atomic<u32>,             // fastest speed noted since the last decision [m/s], bits of a positive float
    drift: f32,                      // relative motion possible since the last search [m]
    margin: f32,                     // gap up to which the last search found contacts [m]
    searched: u32,                   // 1 after the first search; 0 forces one
    searches: u32,                   // searches since the start
    non_finite: atomic<u32>,         // bodies and particles restored after a value that was no number
    contacts_dropped: atomic<u32>,   // contacts beyond a particle's slots in the last search
    neighbors_dropped: atomic<u32>,  // contacts beyond a body's slots for others' contacts in the last search
    out_of_bounds: atomic<u32>,      // bodies and particles stopped at the world's end
    joints_broken: atomic<u32>,
    awake: atomic<u32>,              // assemblies awake in the last frame
    pairs_dropped: atomic<u32>,      // pairs beyond a body's slots in the last search
}

// Positive floats order like their bits, so an integer maximum needs no float atomics and no order.
fn note_motion(speed: f32) {
    atomicMax(&control.motion, bitcast<u32>(min(speed, 1e6)));
}

// Not a number, or infinite: by exponent bits, because compilers may assume that NaN does not exist.
fn is_broken(v: vec4f) -> bool {
    let exponent = bitcast<vec4u>(v) & vec4u(0x7f800000u);
    return any(exponent == vec4u(0x7f800000u));
}
