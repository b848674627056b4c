#import "surfaces/primitive"
// The plane between two features that were apart when a substep began: what of their ways does not reach it.

// A direction parts two features if their heights along it are at least this far apart [m]: less is rounding.
const PARTED: f32 = 1e-6;
// Part of the distance to the plane between two features that stays, and of their gap from which on all of it does: what is
// pressed for long would come so near that rounding carries it across.
const KEPT_PART: f32 = 0.3;
const KEPT_GAP: f32 = 0.02;

// How much stays [m] of a distance to that plane, at most `most`.
fn staying(distance: f32, most: f32, gap: f32) -> f32 {
    return max(KEPT_PART * distance, min(most, KEPT_GAP * gap));
}

// Whether the direction parts the features all the way: heights change evenly, so what it parts at both ends it parts between.
fn are_parted(n: vec3f, start: mat4x3f, now: mat4x3f, edges: bool) -> bool {
    return min(separation(n * start, edges), separation(n * now, edges)) > PARTED;
}

// The part of a way [m] to cut off so that only so much of it is gone, as `surface_deltas` keeps it.
fn truncation(gone: f32, way: f32) -> i32 {
    return i32((1.0 - clamp(gone / way, 0.0, 1.0)) * TRUNCATION_SCALE);
}
