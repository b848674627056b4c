// Where a triangle touches a collider between its corners, a row of `collider_touches` each. Corners themselves are kept out by
// `contacts/collide`.

struct ColliderTouch {
    normal: vec3f,             // out of the collider, in the world
    depth: f32,                // by which the point is nearer than its radius [m]; 0 where nothing touches
    weights: vec3f,            // of the corners at the point that is nearest to the collider
    collider: u32,
}
