#import "common/params"
#import "common/control"
#import "contacts/near_colliders"
#import "surfaces/primitive"
#import "surfaces/delta"
#import "surfaces/collider_touch"
#import "common/thread"
// One thread per triangle. Finds the point of it that is deepest in a collider, by turns the nearest of the collider and of the
// triangle (von Neumann's alternating projections), so that no tip or edge pokes through between particles. Counts the contact for the
// corners.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> primitives: array<Primitive>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> colliders: array<Collider>;
@group(1) @binding(4) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(5) var<storage, read_write> collider_gaps: array<ColliderGap>;
@group(1) @binding(6) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(7) var<storage, read_write> collider_touches: array<ColliderTouch>;

// Most projections, and how little of the triangle's size the last one moves.
const PROJECTIONS: u32 = 8u;
const SETTLED_PART: f32 = 1e-3;
// A point this near to a corner, by its weight, is the corner's.
const OF_CORNER: f32 = 0.95;
// What a triangle of a mesh says that is seen from behind its side [m].
const NOWHERE: f32 = 1e9;
// Round shapes larger than so many sides of a triangle are as flat as it.
const FLAT: f32 = 4.0;

var<private> places: mat3x3f;  // of the corners [m]
var<private> size: f32;        // from the middle to the farthest corner [m]
var<private> radius: f32;
var<private> deepest: ColliderTouch;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= LEAF * params.triangle_leaves || primitives[i].corners.x == NONE {
        return;
    }
    let corners = primitives[i].corners;
    radius = particles[corners.x].w;
    places = mat3x3f(particles[corners.x].xyz, particles[corners.y].xyz, particles[corners.z].xyz);
    let middle = (places[0] + places[1] + places[2]) / 3.0;
    size = max(distance(middle, places[0]), max(distance(middle, places[1]), distance(middle, places[2])));
    deepest = ColliderTouch(vec3f(0.0), 0.0, vec3f(0.0), 0u);
    if (primitives[i].bits & (TORN | FASTENED)) == 0u {
        for (var bits = near_bits_of(corners); bits != 0u; bits &= bits - 1u) {
            for (var c = firstTrailingBit(bits); c < params.collider_count; c += near_bits()) {
                touch(corners, c, middle);
            }
        }
    }
    if deepest.depth == 0.0 && collider_touches[i].depth == 0.0 {
        return;
    }
    collider_touches[i] = deepest;
    if deepest.depth > 0.0 {
        for (var k = 0u; k < 3u; k++) {
            atomicAdd(&surface_deltas[corners[k]].contacts, 1);
        }
    }
}

// Bits of the colliders that may be near any point of the triangle: those near a corner, and all where another may be as near.
fn near_bits_of(corners: vec3u) -> u32 {
    var near = 0u;
    var left = 1e9;
    for (var k = 0u; k < 3u; k++) {
        let seen = collider_gaps[corners[k]];
        near_class = seen.near & NEAR_CLASS;
        near |= colliders_of(seen.near);
        left = min(left, seen.gap - distance(places[k], vec3f(seen.place_x, seen.place_y, seen.place_z)));
    }
    return select(near, (1u << (near_bits() - 1u)) * 2u - 1u, left < 2.0 * size + radius);
}

fn touch(corners: vec3u, index: u32, middle: vec3f) {
    let c = collider_now(colliders[index], batch.time);
    if !has_edges(c.shape) || passes_collider(c) {
        return;
    }
    let local = mat3x3f(rotate_back(c.rotation, places[0] - c.position), rotate_back(c.rotation, places[1] - c.position),
        rotate_back(c.rotation, places[2] - c.position));
    let start = rotate_back(c.rotation, middle - c.position);
    var x = start;
    var at = vec4f(0.0, 1.0, 0.0, NOWHERE);
    if is_of(c.shape, SHAPE_MESH) {
        let met = nearest_of_mesh(c.shape, start, local);
        x = met.x;
        at = met.at;
    } else {
        var moved = size;
        for (var k = 0u; k <= PROJECTIONS; k++) {
            at = shape_at(c.shape, x);
            if k == PROJECTIONS || !(at.w > 0.0 && at.w < size + radius) || moved < SETTLED_PART * size {
                break;
            }
            let nearest = closest_on_triangle(x - at.xyz * at.w, local[0], local[1], local[2]);
            moved = distance(nearest, x);
            x = nearest;
        }
    }
    let b = weights_at(x, local[0], local[1], local[2]);
    if radius - at.w <= deepest.depth || max(b.x, max(b.y, b.z)) > OF_CORNER {
        return;
    }
    let n = rotate(c.rotation, at.xyz);
    if ONE_WAY {
        let rise = dot(n, b.x * particle_velocities[corners.x].xyz + b.y * particle_velocities[corners.y].xyz
            + b.z * particle_velocities[corners.z].xyz - c.velocity);
        if lets_pass(c.shape, at.xyz, params.substep_dt * rise - at.w, rise) {
            return;
        }
    }
    deepest = ColliderTouch(n, radius - at.w, b, index);
}

// A point of the triangle, and the collider from there: see `shape_at`.
struct Met {
    x: vec3f,
    at: vec4f,
}

// Where the triangle is nearest to one of a mesh that it is not far behind: of a tip that reaches through it the least deep side counts.
fn nearest_of_mesh(shape: u32, middle: vec3f, corners: mat3x3f) -> Met {
    var met = Met(middle, vec4f(0.0, 1.0, 0.0, NOWHERE));
    let cells = mesh_cells(shape, middle, size + radius);
    for (var n = 0u; n < mesh_cell_count(cells); n++) {
        let cell = mesh_cell(cells, n);
        for (var k = cell.x; k < cell.x + cell.y; k++) {
            let found = nearest_of_face(shapes[k].x, middle, corners);
            if abs(found.at.w) < abs(met.at.w) {
                met = found;
            }
        }
    }
    return met;
}

fn nearest_of_face(row: u32, middle: vec3f, corners: mat3x3f) -> Met {
    var met = Met(middle, vec4f(0.0));
    var moved = size;
    for (var k = 0u; k <= PROJECTIONS; k++) {
        met.at = triangle_at(row, met.x);
        if k == 0u && met.at.w > size + radius {
            return met;
        }
        if k == PROJECTIONS || !(met.at.w > 0.0 && met.at.w < NOWHERE) || moved < SETTLED_PART * size {
            break;
        }
        let nearest = closest_on_triangle(met.x - met.at.xyz * met.at.w, corners[0], corners[1], corners[2]);
        moved = distance(nearest, met.x);
        met.x = nearest;
    }
    // Deeper than a diameter is another part of the mesh seen from behind.
    met.at.w = select(met.at.w, NOWHERE, met.at.w < -2.0 * radius);
    return met;
}

// Whether a collider can be between corners that it does not touch.
fn has_edges(shape: u32) -> bool {
    let round = is_of(shape, SHAPE_SPHERE) || is_of(shape, SHAPE_CAPSULE);
    return !is_of(shape, SHAPE_PLANE) && (!round || bitcast<f32>(shapes[4u * shape + 1u].x) < FLAT * 2.0 * size);
}

// Of the corners at a point of the triangle.
fn weights_at(x: vec3f, a: vec3f, b: vec3f, c: vec3f) -> vec3f {
    let area = cross(b - a, c - a);
    let square = max(dot(area, area), 1e-30);
    let v = clamp(dot(cross(x - a, c - a), area) / square, 0.0, 1.0);
    let w = clamp(dot(cross(b - a, x - a), area) / square, 0.0, 1.0 - v);
    return vec3f(1.0 - v - w, v, w);
}
