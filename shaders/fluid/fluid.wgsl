// Liquids as position based fluids (Macklin and Müller 2013). Everything is counted in particles of liquid at rest, so
// that liquids of different density share one scene: W(r) = norm (1 - r²/h²)³, scaled so that its sum over a cubic lattice
// is 1 (the kernel of Müller et al. 2003).

// Numbers of all liquids, the same for every pass of a frame.
struct Fluid {
    particle_count: u32,         // particles of liquids, and other free particles, which displace them
    slots: u32,                // neighbors that a member can list, a multiple of 4
    cell_mask: u32,            // hash buckets - 1
    support: f32,              // h: neighbors farther away do not count [m]
    reach: f32,                // h and what members may move between searches [m]
    cell_size: f32,            // half of `reach` [m]
    norm: f32,
    body_part: f32,            // what a body beside liquid displaces over what a half space does
    margin: f32,               // way of the fastest member after which neighbors are searched again [m]
    drag_rate: f32,            // how fast the most viscous liquid evens out what moves [1/s]
    contact_margin: f32,       // most that a particle of liquid may move between searches for contacts [m]
}

// Whether members differ in size or mass. Of the kernel, not of a uniform: Mesa's software driver compiles one anew in each dispatch where a
// uniform decides which half of it runs.
override MIXED: bool = true;

// 1 - r²/h² where the kernel counts, else 0.
fn kernel_base(fluid: Fluid, offset: vec3f) -> f32 {
    return max(1.0 - dot(offset, offset) / (fluid.support * fluid.support), 0.0);
}

fn kernel_value(fluid: Fluid, base: f32) -> f32 {
    return fluid.norm * base * base * base;
}

// -∇W over the offset [1/m²].
fn kernel_slope(fluid: Fluid, base: f32) -> f32 {
    return 6.0 * fluid.norm / (fluid.support * fluid.support) * base * base;
}

// What solids count that fill the half space from a distance on: ∫ 315/256 (1 - z²)⁴ dz from q = distance / h to 1.
fn half_space(fluid: Fluid, distance: f32) -> f32 {
    let q = clamp(distance / fluid.support, -1.0, 1.0);
    let s = q * q;
    let integral = q * (1.0 + s * (-4.0 / 3.0 + s * (6.0 / 5.0 + s * (-4.0 / 7.0 + s / 9.0))));
    return 0.5 - 315.0 / 256.0 * integral;
}

// How fast that falls with the distance [1/m].
fn half_space_slope(fluid: Fluid, distance: f32) -> f32 {
    let q = clamp(distance / fluid.support, -1.0, 1.0);
    let base = 1.0 - q * q;
    return 315.0 / 256.0 * base * base * base * base / fluid.support;
}

// The lean of a member is the sum of (1 - r²/h²) times the offset from its neighbors, over that of a half space at no
// distance, π h⁴ / 12 over the volume of a particle; a half space at q h has (1 - q²)³ of it. It tells a surface from disorder
// better than the gradient does.
fn full_lean(fluid: Fluid) -> f32 {
    // h is two spacings.
    return 2.0944 * fluid.support;
}

// The lean for a wall whose slope this is.
fn wall_lean(fluid: Fluid, push: vec3f) -> vec3f {
    let slope = length(push);
    // To the power of 3/4 by roots: pow promises nothing at zero.
    let root = sqrt(slope / half_space_slope(fluid, 0.0));
    return push / max(slope, 1e-12) * root * sqrt(root);
}

// What is missing beside a surface: without it the last layer, half a spacing below, would sink into the next for want of
// neighbors.
fn beside_air(fluid: Fluid, lean: f32) -> f32 {
    return half_space(fluid, 0.25 * fluid.support) * clamp((lean / 0.824 - 0.6) / 0.3, 0.0, 1.0);
}

// Cells of half a reach. Cells that follow one another along x have buckets that do, too, so a row of cells is one range; and
// rows in a tile of TILE by TILE are near one another in memory, so that what one member reads the next finds again.
const TILE_BITS: u32 = 2u;
const TILE: u32 = 1u << TILE_BITS;
// Buckets from a row of a tile to the next at most: longer rows overlap.
const ROW_PITCH: u32 = 256u;

fn fluid_cell(fluid: Fluid, position: vec3f) -> vec3i {
    return vec3i(floor(position / fluid.cell_size));
}

fn fluid_bucket(fluid: Fluid, cell: vec3i) -> u32 {
    let c = bitcast<vec3u>(cell);
    let tile = bitcast<vec3u>(cell >> vec3u(TILE_BITS));
    let row = (c.y & (TILE - 1u)) | ((c.z & (TILE - 1u)) << TILE_BITS);
    // Where buckets are few, the rows of a tile have no more than a quarter of them.
    let pitch = min(ROW_PITCH, fluid.cell_mask / (4u * TILE * TILE));
    return (c.x + pitch * row + ((tile.y * 19349663u) ^ (tile.z * 83492791u))) & fluid.cell_mask;
}

// Rows of `fluid_neighbors` hold four neighbors: the first four of every member, then the next four, and so on. The last row
// of a member is filled up with `nobody`, whose place is too far away to count.
fn neighbor_row(fluid: Fluid, member: u32, n: u32) -> u32 {
    return n * fluid.particle_count + member;
}

// The row after the last one of a member that has so many.
fn neighbor_end(fluid: Fluid, member: u32, count: u32) -> u32 {
    return neighbor_row(fluid, member, (count + 3u) / 4u);
}

fn nobody(fluid: Fluid) -> u32 {
    return fluid.particle_count;
}

// Two numbers in one word, the upper halves of their floats: of a place, volume and inverse mass where members differ; of a
// motion, drag and cohesion; of a step, what its multiplier changes by now, and what the next substep begins with. Together they
// are no float: drivers may take one whose upper half is 0 for 0.
fn packed(high: f32, low: f32) -> u32 {
    return (bitcast<u32>(high) & 0xffff0000u) | (bitcast<u32>(low) >> 16u);
}

// Where a row of `fluid_places` or `fluid_steps` is, or the velocity of one of `fluid_motions`.
fn vector_of(row: vec4u) -> vec3f {
    return bitcast<vec3f>(row.xyz);
}

fn high_part(word: u32) -> f32 {
    return bitcast<f32>(word & 0xffff0000u);
}

fn low_part(word: u32) -> f32 {
    return bitcast<f32>(word << 16u);
}

// What the multiplier of a member pushes with, from its row of `fluid_steps`.
fn step_of(row: vec4u) -> vec2f {
    return vec2f(high_part(row.w), low_part(row.w));
}

// Whether a member is no liquid, but stands in it.
fn is_solid(fluid: Fluid, place: vec4u) -> bool {
    return MIXED && volume_of(place) < 0.0;
}

// What a member displaces, in particles of liquid at rest; negative for solids.
fn volume_of(place: vec4u) -> f32 {
    return high_part(place.w);
}

fn inverse_mass_of(place: vec4u) -> f32 {
    return low_part(place.w);
}

// Most of a difference in velocity that one sweep of viscosity takes away.
const MOST_DRAG: f32 = 0.8;
// More sweeps than this are not made: what is more viscous flows as if it were less. Twin: solver::fluid::MOST_SWEEPS.
const MOST_SWEEPS: f32 = 8.0;

// Sweeps that share the viscosity of a substep; solver::fluid::sweeps.
fn viscosity_sweeps(fluid: Fluid, substep_dt: f32) -> f32 {
    return clamp(ceil(fluid.drag_rate * substep_dt / MOST_DRAG), 1.0, MOST_SWEEPS);
}

// What bodies and colliders near a member do.
struct Boundary {
    push: vec3f,               // -∇ of `fill` [1/m]
    fill: f32,                 // what they displace, in particles
    give: f32,                 // Σ |∇|² w over bodies, w with their shares of mass [1/(kg m²)]
    count: f32,                // 0 when there are none; the rest is not valid then
    wall: u32,                 // 1 + the collider among them, 0 without one, MANY_WALLS with several
}

const MANY_WALLS: u32 = 0xffffffffu;

// What presses a particle of liquid.
struct Pressure {
    multiplier: f32,           // λ of its density [kg m²]
    most: f32,                 // how full it may be, 1 at rest; 0 where it has not been in the world yet
    air: f32,                  // what counts as liquid of the air beside it
}

// Part of the pressure that the next substep begins with. It stands for weight that was carried, and halves how far liquid
// gives way; with more than a half long waves of pressure would grow.
const RECALL: f32 = 0.4;

// Boundary with normals nearer than this cosine are one.
const SAME_WALL: f32 = 0.7;
