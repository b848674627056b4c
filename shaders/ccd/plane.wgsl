#import "surfaces/features"
#import "surfaces/delta"
// The plane halfway between two features that were apart when a substep began: none of their points may come too near to it. The
// including kernel declares `surface_deltas`.

// Features are parted when there is more between them [m]: less is rounding, for places some meters from the origin are kept in
// steps of 2e-7 to 5e-7 m.
const PARTED: f32 = 1e-6;
// Part of the distance to the plane between two features that stays, and of their gap from which on all of it does: what is
// pressed for long would come so near that rounding carries it across.
const STAYS: f32 = 0.3;
const STAYS_OF_GAP: f32 = 0.02;

struct Plane {
    normal: vec3f,             // from the second feature to the first
    distance: f32,             // between the features when the substep began [m]; 0: no plane
    middle: f32,               // its height along the normal [m]
    least: f32,                // distance to it that is kept [m]
    begin: vec4f,              // heights of the places when the substep began [m]
    end: vec4f,                // and now, in its frame
    frame: vec3f,              // way of the frame that it stands in [m]
}

// How much stays [m] of a distance to that plane, at most `most`.
fn staying(distance: f32, most: f32, gap: f32) -> f32 {
    return max(STAYS * distance, min(most, STAYS_OF_GAP * gap));
}

// Whether a direction parts two features all the way: heights change evenly, so what is parted at both ends is parted between
// them.
fn is_parted(begin: vec4f, end: vec4f, edges: bool) -> bool {
    return min(separation(begin, edges), separation(end, edges)) > PARTED;
}

// Places as they look from what has gone that `way` [m].
fn seen_from(way: vec3f, places: mat4x3f) -> mat4x3f {
    return mat4x3f(places[0] - way, places[1] - way, places[2] - way, places[3] - way);
}

// Of places `now` in a frame that went this `way`.
fn plane_between(start: mat4x3f, now: mat4x3f, way: vec3f, gap: f32, edges: bool) -> Plane {
    let frame = frame_of(start, edges);
    let begin = frame.normal * start;
    let end = frame.normal * now;
    let half = 0.5 * frame.distance;
    let middle = dot(begin, max(frame.weights, vec4f(0.0))) - half;
    return Plane(frame.normal, frame.distance, middle, staying(half, half, gap), begin, end, way);
}

// Cuts off the way of a row in a frame, of which it may go only `free` [m]. All that cut it have the same frame.
fn truncate_way(row: u32, frame: vec3f, free: f32, way: f32) {
    let part = clamp(free / way, 0.0, 1.0);
    let cut = i32((1.0 - part) * TRUNCATION_SCALE);
    if cut == 0 {
        return;
    }
    atomicMax(&surface_deltas[row].truncation, cut);
    for (var k = 0u; k < 3u; k++) {
        atomicStore(&surface_deltas[row].displacement[k], bitcast<i32>(frame[k]));
    }
}

// The same for a free particle, place `k` of the features, on its side of the plane: 1 or -1. In the first round it slides along the
// plane: what is cut would stick to what it touches, however smooth that is.
fn bound_particle(particle: u32, plane: Plane, k: u32, side: f32) {
    let before = side * (plane.begin[k] - plane.middle);
    let after = side * (plane.end[k] - plane.middle);
    if after >= plane.least || after >= before {
        return;
    }
    if surface_list.round > 0u {
        truncate_way(particle, plane.frame, before - plane.least, before - after);
        return;
    }
    let slide = side * (min(before, plane.least) - after) * plane.normal;
    if !is_broken(vec4f(slide, 0.0)) {
        atomicStore(&surface_deltas[particle].truncation, i32(TRUNCATION_SCALE));
        push_row(particle, slide);
    }
}
