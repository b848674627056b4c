// Hash grid (Teschner et al. 2003): cell of a position, bucket of a cell, and the sorted copy that searches read.

struct SortedParticle {
    position: vec4f,           // [m]; w: radius [m]
    particle: u32,
    body: u32,
    phase: u32,
    padding: u32,
}

fn grid_cell(position: vec3f, cell_size: f32) -> vec3i {
    return vec3i(floor(position / cell_size));
}

fn grid_bucket(cell: vec3i, cell_mask: u32) -> u32 {
    let c = bitcast<vec3u>(cell);
    return ((c.x * 73856093u) ^ (c.y * 19349663u) ^ (c.z * 83492791u)) & cell_mask;
}
