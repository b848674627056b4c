// Coulomb friction, as all contacts that keep a grip have it.

// Friction of free particles which have none of their own.
const FRICTION: f32 = 0.6;
// Tangential speed from which friction is dynamic [m/s]. Below it contacts trade load by creeping, and what only creeps must not
// lose its hold.
const SLIDING: f32 = 0.1;
// Stretches shorter than this have no direction [m]: far below what f32 resolves of places in a room.
const LEAST_STRETCH: f32 = 1e-9;
// A gap up to so many radii keeps the grip, so that a contact that shakes does not creep.
const GRIP_KEPT: f32 = 0.1;

// What of `v` is square to the normal.
fn tangential(v: vec3f, n: vec3f) -> vec3f {
    return v - n * dot(v, n);
}

// Most friction that a normal impulse bears, on the cone, for the slide of a substep [m].
fn most_friction(mu: f32, normal_impulse: f32, slide: vec3f, substep_dt: f32, dynamic_ratio: f32) -> f32 {
    let sliding = dot(slide, slide) > SLIDING * SLIDING * substep_dt * substep_dt;
    return mu * normal_impulse * select(1.0, dynamic_ratio, sliding);
}
