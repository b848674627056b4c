#import "common/thread"
#import "render/liquid"
// A hash grid of the particles of all liquids (Teschner et al. 2003), for the passes that shape them. Cells are as wide
// as the neighborhood of a particle, so that each liquid has its own. The kernels of `broad_phase/` put its members into
// buckets, after `render/liquid_count` and before `render/liquid_sort`.

struct LiquidGrid {
    particle_count: u32, // of all liquids together
    cell_mask: u32, // cells - 1, a power of two minus one
    elapsed: f32, // since the last picture [s]
    eye: vec3f, // [m]
}

struct Placed {
    position: vec3f, // centre [m]
    liquid: u32,
    velocity: vec3f, // [m/s]
    pad: f32,
}

@group(0) @binding(0) var<uniform> liquid_grid: LiquidGrid;
@group(0) @binding(1) var<storage, read> particles: array<vec4f>; // xyz: centre [m]; w: radius [m]
@group(0) @binding(2) var<storage, read> members: array<vec2u>; // x: particle; y: its liquid
@group(0) @binding(3) var<storage, read> liquids: array<Liquid>;

// Neighbors are nearer than this many radii.
const REACH = 4.6;
// Most members of a cell that are looked at: far more than fit in when nothing is crushed.
const MOST_IN_CELL = 256u;

// Particles farther out than this are not drawn: cells have whole numbers [m].
const FARTHEST_DRAWN = 1e6;

// Whether a particle is where it can be drawn.
fn is_drawn(particle: vec4f) -> bool {
    return particle.w > 0.0 && all(abs(particle.xyz) < vec3f(FARTHEST_DRAWN));
}

fn cell_of(position: vec3f, liquid: u32) -> vec3i {
    return vec3i(floor(position / (REACH * liquids[liquid].radius)));
}

fn bucket_of(cell: vec3i, liquid: u32) -> u32 {
    let c = bitcast<vec3u>(cell);
    return ((c.x * 73856093u) ^ (c.y * 19349663u) ^ (c.z * 83492791u) ^ (liquid * 2654435761u)) & liquid_grid.cell_mask;
}
