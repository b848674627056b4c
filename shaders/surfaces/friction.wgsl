// What passes over surfaces agree on.

// Friction of free particles.
const FRICTION: f32 = 0.6;
// Part of the distance to the plane between two features that stays, and of their gap from which on all of it does: what is
// pressed for long would come so near that rounding carries it across.
const STAYS: f32 = 0.3;
const KEPT: f32 = 0.02;

// How much stays [m] of a distance to that plane, at most `most`.
fn staying(distance: f32, most: f32, gap: f32) -> f32 {
    return max(STAYS * distance, min(most, KEPT * gap));
}
