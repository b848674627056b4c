#import "common/friction"
// How a contact of surfaces is resolved: it keeps no grip, only what slides is slowed. All is displacement within a substep [m].

// Whether objects differ in friction.
override FRICTIONS: bool = false;

struct Approach {
    depth: f32,                // by which the two are nearer than their gap
    velocity_part: f32,        // of it that becomes velocity: what they approach, and what they may be pushed apart
    slide: vec3f,              // across the normal
    way: f32,                  // its length
}

// Of two points at an `offset` [m] with a relative velocity [m/s], whose overlap is resolved no faster than `push_speed` [m/s].
fn approach_of(normal: vec3f, gap: f32, offset: vec3f, relative: vec3f, push_speed: f32, h: f32) -> Approach {
    let depth = gap - dot(normal, offset);
    let velocity_part = min(depth, (max(-dot(relative, normal), 0.0) + push_speed) * h);
    let slide = tangential(relative, normal) * h;
    return Approach(depth, velocity_part, slide, length(slide));
}
