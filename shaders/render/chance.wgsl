// Numbers that look random and are always the same.

// A number of its own for each cube of this size, of the one around a place.
fn cell_at(place: vec3f, size: f32) -> u32 {
    let cell = bitcast<vec3u>(vec3i(floor(place / size)));
    return (cell.x * 73856093u) ^ (cell.y * 19349663u) ^ (cell.z * 83492791u);
}

// Two numbers in -1..1 of its own for each index (PCG hash, Jarzynski and Olano 2020).
fn chance(index: u32) -> vec2f {
    let state = index * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    let mixed = (word >> 22u) ^ word;
    return vec2f(f32(mixed & 0xffffu), f32(mixed >> 16u)) / 32767.5 - 1.0;
}
