#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/control"
#import "common/layers"
#import "surfaces/primitive"
#import "surfaces/lists"
#import "surfaces/wanted"
#import "surfaces/primitive_rows"
#import "surfaces/islands"
#import "common/thread"
// One thread per primitive of the first of two leaves near each other. Lists the features of it and of the second leaf's primitives
// that may meet until the next search: each once, by who owns what. `surfaces/narrow_phase` measures them. What may meet
// is one island.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> primitives: array<Primitive>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(2) var primitive_bounds: texture_2d<u32>;
@group(1) @binding(3) var<storage, read> leaf_pairs: LeafPairs;
@group(1) @binding(4) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(5) var<storage, read_write> surface_candidates: GrowingCandidates;
@group(1) @binding(6) var<storage, read_write> control: Control;
@group(1) @binding(7) var<storage, read> leaf_bounds: array<Bounds>;
@group(1) @binding(8) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

// Of a triangle that is shaped as at rest, about: by how much its squared sides grow or shrink. And how far two of them may be
// nearer than at rest, and move until the next search, over the finest height of either: slivers cross within little.
const SHAPED: f32 = 1.3;
const NEARER: f32 = 0.3;
const SETTLED: f32 = 1.0;
// How far apart neighbors in a sheet are at rest, in radii: what is farther comes near only as a fold. And how far their
// normals may turn, by the cosine: across a sharper fold a sheet meets itself.
const NEIGHBORS: f32 = 5.0;
const FACING: f32 = 0.6;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = global_index(id, groups);
    let row = thread / LEAF;
    if row >= min(leaf_pairs.head.count, surface_list.room) {
        return;
    }
    let leaves = leaf_pairs.leaves[row];
    let i = LEAF * leaves.x + thread % LEAF;
    if primitives[i].corners.x == NONE || (primitives[i].bits & TORN) != 0u {
        return;
    }
    let first = first_primitive(leaves.y, params.full_leaves);
    let last = first + select(1u, LEAF, leaves.y < params.full_leaves);
    let phase = particle_rows[primitives[i].corners.x].phase;
    let joined = group_of(phase) != 0u
        && group_of(phase) == group_of(particle_rows[primitives[first].corners.x].phase);
    let own = primitive_box(primitive_bounds, i);
    // Of two primitives of one leaf the later one looks.
    var end = select(last, i, leaves.x == leaves.y);
    if !near(own, leaf_bounds[leaves.y]) {
        end = first;
    }
    var met = 0u;
    for (var k = first; k < end && primitives[k].corners.x != NONE; k++) {
        if near(own, primitive_box(primitive_bounds, k)) {
            met |= 1u << (k - first);
        }
    }
    if met == 0u {
        return;
    }
    let shape = shape_of(i);
    var listed = false;
    for (; met != 0u; met &= met - 1u) {
        let k = first + firstTrailingBit(met);
        let bits = primitives[k].bits;
        let apart = LAYERS && passes(phase, particle_rows[primitives[k].corners.x].phase);
        let filtered = apart || (bits & TORN) != 0u || ((bits & OF_BODY) != 0u && (primitives[i].bits & FASTENED) != 0u);
        if !(filtered || (joined && is_flat(own, shape, k))) {
            list(i, k);
            listed = true;
        }
    }
    if listed && !joined {
        join(island_of(particle_rows[primitives[i].corners.x]), island_of(particle_rows[primitives[first].corners.x]));
    }
}

// What tells a triangle from what it is at rest: rows of `primitive_bounds`.
struct Facing {
    area: vec4f,
    area_then: vec4f,
    middle: vec4f,
    rest: vec4f,
}

fn shape_of(i: u32) -> Facing {
    return Facing(primitive_row(primitive_bounds, i, PRIMITIVE_AREA),
        primitive_row(primitive_bounds, i, PRIMITIVE_AREA_THEN), primitive_row(primitive_bounds, i, PRIMITIVE_MIDDLE),
        primitive_row(primitive_bounds, i, PRIMITIVE_REST));
}

fn near(a: Bounds, b: Bounds) -> bool {
    let time = surface_list.time;
    let closing = time * abs(a.velocity - b.velocity) + a.spread + b.spread;
    return all(abs(a.center - b.center) < a.half + b.half + closing);
}

// Whether two triangles of one object are about as far apart and shaped as at rest, face the same way, and stay so: most of a
// sheet.
fn is_flat(a: Bounds, own: Facing, k: u32) -> bool {
    let b = primitive_box(primitive_bounds, k);
    let other = shape_of(k);
    let rest = distance(own.rest.xyz, other.rest.xyz);
    // The least distance of their centers on the way.
    let apart = own.middle.xyz - other.middle.xyz;
    let way = surface_list.time * (a.velocity - b.velocity);
    let part = clamp(-dot(apart, way) / max(dot(way, way), 1e-30), 0.0, 1.0);
    let nearer = rest - length(apart + part * way);
    let finest = min(own.middle.w, other.middle.w) / SURFACE_MARGIN_PART;
    let motion = length(way) + a.spread + b.spread;
    let radius = 0.5 * (a.radius + b.radius);
    // What strays may do so by more than a part of its heights.
    return max(a.farthest, b.farthest) == 0.0
        && rest < NEIGHBORS * radius && motion < SETTLED * finest && nearer < NEARER * finest
        && is_shaped(own.area.w / own.rest.w) && is_shaped(other.area.w / other.rest.w)
        && is_shaped(own.area_then.w / own.rest.w) && is_shaped(other.area_then.w / other.rest.w)
        && do_face(own.area.xyz, other.area.xyz) && do_face(own.area_then.xyz, other.area_then.xyz);
}

fn do_face(a: vec3f, b: vec3f) -> bool {
    return dot(a, b) > FACING * length(a) * length(b);
}

fn is_shaped(grown: f32) -> bool {
    return max(grown, 1.0 / grown) < SHAPED;
}

fn list(i: u32, k: u32) {
    let a = primitives[i];
    let b = primitives[k];
    // A point has no surface.
    var features = (b.bits & 7u) | select((a.bits & 7u) << CORNER_OF_FIRST, 0u, b.corners.x == b.corners.y);
    for (var n = 0u; n < 3u; n++) {
        if (a.bits & (OWNS_EDGE << n)) != 0u {
            features |= ((b.bits / OWNS_EDGE) & 7u) << (EDGE_WITH_EDGE + 3u * n);
        }
    }
    let most = CANDIDATES_EACH * surface_list.room;
    var place = atomicAdd(&surface_candidates.head.count, countOneBits(features));
    tell_wanted(place, place + countOneBits(features), surface_list.room, CANDIDATES_EACH);
    for (; features != 0u && place < most; features &= features - 1u) {
        surface_candidates.rows[place] = vec2u(i, k | (firstTrailingBit(features) << PRIMITIVE_BITS));
        place += 1u;
    }
    if place + 15u >= most - most / 4u {
        atomicMax(&control.surfaces_most, (place + countOneBits(features)) / CANDIDATES_EACH + 1u);
    }
    if features != 0u {
        atomicAdd(&control.surfaces_dropped, countOneBits(features));
    }
    if place > 0u {
        let listed = listed_groups(place - 1u, WORKGROUP);
        atomicMax(&surface_candidates.head.groups[0], listed.x);
        atomicMax(&surface_candidates.head.groups[1], listed.y);
    }
}
