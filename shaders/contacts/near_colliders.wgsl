#import "common/body"
#import "common/contact"
#import "common/layers"
#import "common/one_way"
#import "common/shape"
#import "contacts/gap"
// Which colliders are near a free particle. Each particle looks by itself, once it has gone as far as it was from the nearest of
// those that were not near. The including kernel declares `params`, `batch`, `colliders`, `shapes` and `collider_gaps`.

// How much farther than it feels them a particle looks for colliders [radii].
const LOOK_AHEAD: f32 = 1.0;
// Gap where there is no other collider [m].
const FARTHEST_GAP: f32 = 1e9;
// Class of the layers of a particle in `near`.
const NEAR_CLASS: u32 = 0xf0000000u;

// Of the particle that looked last.
var<private> near_class: u32;

// Colliders that share a bit of `near` are this many apart.
fn near_bits() -> u32 {
    return select(32u, 28u, LAYERS);
}

// How near a free particle feels colliders, from its center [m]; liquid does from farther away.
fn felt_from(phase: u32, radius: f32) -> f32 {
    return select(1.0 + CONTACT_SLOP, LIQUID_SUPPORT, (phase & PHASE_LIQUID) != 0u) * radius;
}

// Bits of the colliders that a particle at `place` may feel from `felt` on [m].
fn colliders_near(particle: u32, place: vec3f, felt: f32, radius: f32) -> u32 {
    let seen = collider_gaps[particle];
    near_class = seen.near & NEAR_CLASS;
    let way = distance(place, vec3f(seen.place_x, seen.place_y, seen.place_z)) + params.collider_speed * params.substep_dt;
    if params.colliders_placed == 0u && seen.gap - way > felt {
        return colliders_of(seen.near);
    }
    var gap = FARTHEST_GAP;
    var near = 0u;
    for (var c = 0u; c < params.collider_count; c++) {
        let collider = collider_now(colliders[c], batch.time);
        let bound = shape_bound(collider.shape, rotate_back(collider.rotation, place - collider.position));
        if bound < felt + LOOK_AHEAD * radius {
            near |= 1u << (c % near_bits());
        } else {
            gap = min(gap, bound);
        }
    }
    collider_gaps[particle] = ColliderGap(place.x, place.y, place.z, gap, near | select(0u, near_class, LAYERS));
    return near;
}

fn colliders_of(near: u32) -> u32 {
    return select(near, near & ~NEAR_CLASS, LAYERS);
}

// Whether the particle that looked last passes through a collider.
fn passes_collider(c: Collider) -> bool {
    return LAYERS && !layers_meet(near_class, shapes[4u * c.shape].z);
}

// As `collider_at`; most colliders stand still.
fn collider_now(c: Collider, time: f32) -> Collider {
    if travels(c) {
        return collider_at(c, time);
    }
    return c;
}

// The cells of a mesh's own grid that a ball touches, the last one included.
struct MeshCells {
    low: vec3i,
    high: vec3i,
    size: vec3i,
    first: u32,
}

fn mesh_cells(shape: u32, p: vec3f, reach: f32) -> MeshCells {
    let frame = bitcast<vec4f>(shapes[4u * shape + 2u]);
    let size = vec3i(shapes[4u * shape + 3u].xyz);
    return MeshCells(max(vec3i(floor((p - reach - frame.xyz) / frame.w)), vec3i(0)),
        min(vec3i(floor((p + reach - frame.xyz) / frame.w)), size - 1), size, shapes[4u * shape].y);
}

// How many cells those are, and the first word and number of the triangles in the n-th.
fn mesh_cell_count(cells: MeshCells) -> u32 {
    let sides = vec3u(max(cells.high - cells.low + 1, vec3i(0)));
    return sides.x * sides.y * sides.z;
}

fn mesh_cell(cells: MeshCells, n: u32) -> vec2u {
    let sides = vec3u(cells.high - cells.low + 1);
    let at = cells.low + vec3i(vec3u(n % sides.x, (n / sides.x) % sides.y, n / (sides.x * sides.y)));
    return shapes[cells.first + u32((at.z * cells.size.y + at.y) * cells.size.x + at.x)].xy;
}
