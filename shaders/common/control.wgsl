// What the GPU decides by itself: when contacts are searched again, and what to report. Zeroed at the start.

struct Control {
    due: atomic<u32>,                // 1 when something moved further than its margin
    searched: u32,                   // 1 after the first search; 0 forces one
    surfaces_searched: u32,          // the same of surfaces
    searches: u32,                   // searches since the start
    non_finite: atomic<u32>,         // bodies and particles restored after a value that was no number
    contacts_dropped: atomic<u32>,   // contacts beyond a particle's slots for bodies and particles in the last search
    candidates_dropped: atomic<u32>, // bodies and particles beyond what a proxy lists as near in the last search
    colliders_dropped: atomic<u32>,  // colliders beyond what a proxy lists, and what a particle met beside the nearest that it lists, in the last search
    neighbors_dropped: atomic<u32>,  // contacts beyond a body's slots for others' contacts in the last search
    manifolds_dropped: atomic<u32>,  // contacts of pairs beyond a body's slots in the last search
    manifolds_most: atomic<u32>,     // slots for pairs that a body wanted in the last search; 0 while none comes near its end
    out_of_bounds: atomic<u32>,      // bodies and particles stopped at the world's end
    joints_broken: atomic<u32>,
    awake: atomic<u32>,              // assemblies awake in the last frame
    surfaces_dropped: atomic<u32>,   // pairs of surfaces beyond their list in the last search
    surfaces_most: atomic<u32>,      // pairs that it should hold; 0 while none comes near its end
    surfaces_due: atomic<u32>,       // 1 when a particle of a surface strayed from the way it was expected to go
    surfaces_moved: atomic<u32>,     // 1 when one moved past its margin since surfaces were searched
    surfaces_age: u32,               // substeps since then
    surfaces_parts: u32,             // parts of a frame in each of which they are searched, 0 before the first search
    surfaces_wanted: atomic<u32>,    // pairs that the last search wanted room for, 0 while the lists are bare
    surface_searches: u32,           // searches of surfaces since the start
    contacts_most: atomic<u32>,      // most contacts that a particle wanted in the last search; 0 while none comes near its slots
    liquid_dropped: atomic<u32>,     // neighbors in liquid beyond their slots in the last search for them
    liquid_speed: atomic<u32>,       // fastest member of the fluid in this substep [m/s], as bits
    liquid_moved: f32,               // way of the fastest since neighbors in liquid were searched [m]
    substeps: u32,                     // substeps since the start
    liquid_most: atomic<u32>,        // most neighbors in liquid that one had in the last search for them
    liquid_searches: u32,            // searches for neighbors in liquid since the start
    hurry: atomic<u32>,              // most times a second that something uses up its largest margin, as bits [1/s]
    hurried: u32,                    // that of the last frame, as bits [1/s]
    tears_due: atomic<u32>,          // 1 when something is stretched so far that it tears
    tears_dropped: atomic<u32>,      // vertices that should have split and found no spare particle, since the start
    sums_cut: atomic<u32>,           // particles that surfaces pushed farther than their sums hold, since the start
    shortage: atomic<u32>,           // most margin that a body has left when it meets what its particles do not list [m], as bits
    let_go: atomic<u32>,             // groups of held bodies that were struck out of their holds since the start
}

// Substeps that a search should last at the present speed.
const LASTING: f32 = 5.0;

// Most that something may move before contacts are searched again, free particles and bodies [radii]: the grid's cells leave
// room for it.
const MARGIN_MOST: f32 = 0.5;
const BODY_MARGIN_MOST: f32 = 2.0;

// What strikes a sleeper wakes it from so many times the speed at which bodies may sleep: by less than two of them at rest tremble
// against each other, more would be seen to pass without an answer.
const WAKE_SPEEDS: f32 = 3.0;

// Not a number, or infinite: by exponent bits, because compilers may assume that NaN does not exist.
fn is_broken(v: vec4f) -> bool {
    let exponent = bitcast<vec4u>(v) & vec4u(0x7f800000u);
    return any(exponent == vec4u(0x7f800000u));
}

// Bits of a speed or a distance for atomicMax: those of positive numbers are in order. What is no number counts as the
// largest that is one, so that it is not kept for ever.
fn ordered_bits(value: f32) -> u32 {
    return min(bitcast<u32>(value), 0x7f7fffffu);
}
