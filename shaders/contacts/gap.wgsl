// What a free particle knows of colliders.
struct ColliderGap {
    place_x: f32,              // where it looked last [m]; three numbers take less room than a vector
    place_y: f32,
    place_z: f32,
    gap: f32,                  // from there to the nearest collider that is not near [m]
    near: u32,                 // a bit for each collider that is, or shares it with one; where there are layers, their class above
}
