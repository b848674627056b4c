#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/control"
#import "surfaces/primitive"
#import "surfaces/lists"
#import "surfaces/wanted"
#import "surfaces/primitive_rows"
#import "common/thread"
// One thread per two features that may be near. Lists them as a pair if they may meet until the next search, particles of
// bodies in a list of their own.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> primitives: array<Primitive>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var primitive_bounds: texture_2d<u32>;
@group(1) @binding(4) var<storage, read> surface_candidates: Candidates;
@group(1) @binding(5) var<storage, read_write> surface_list: GrowingSurfaceList;
@group(1) @binding(6) var<storage, read_write> surface_pairs: array<SurfacePair>;
@group(1) @binding(7) var<storage, read_write> control: Control;
@group(1) @binding(8) var<storage, read> marked_velocities: array<vec4f>;

// Rims of a tear meet once they are so far apart, and keep so much of it, over the gap of what was not one: before that they have no
// direction in which they are apart.
const RIM_APART: f32 = 0.5;
const RIM_GAP: f32 = 0.25;

// Whether some cloth tears.
override TEARS: u32 = 1u;

// A triangle behind a particle of a body, by the cosine to the way out, is inside the body: its corners are pushed out by the
// signed distance, and the particle must not hold them back.
const INSIDE: f32 = 0.25;
// Least gap to keep [m]: features that touch at rest have one too, for what is at no distance has no direction either.
const LEAST_GAP: f32 = 1e-6;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let row = global_index(id, groups);
    if row >= min(surface_candidates.head.count, CANDIDATES_EACH * surface_list.room) {
        return;
    }
    let listed = surface_candidates.rows[row];
    let i = listed.x;
    let k = listed.y & ((1u << PRIMITIVE_BITS) - 1u);
    let feature = listed.y >> PRIMITIVE_BITS;
    let edges = feature >= EDGE_WITH_EDGE;
    let a = primitives[i].corners;
    let b = primitives[k].corners;
    let four = features_of(a, b, feature);
    if any(four.yzw == four.xxx) || (edges && any(four.zw == four.yy)) {
        return;
    }
    let start = mat4x3f(particle_origins[four.x].xyz, particle_origins[four.y].xyz, particle_origins[four.z].xyz,
        particle_origins[four.w].xyz);
    let frame = frame_of(start, edges);
    let first = primitive_box(primitive_bounds, i);
    let second = primitive_box(primitive_bounds, k);
    let of_body = (primitives[k].bits & OF_BODY) != 0u;
    let time = surface_list.time;
    let margins = primitive_row(primitive_bounds, i, PRIMITIVE_MIDDLE).w + primitive_row(primitive_bounds, k, PRIMITIVE_MIDDLE).w;
    var gap = THICKNESS * (first.radius + second.radius);
    let nearing = time * distance(first.velocity, second.velocity) + first.spread + second.spread;
    if frame.distance > gap + (margins + nearing) {
        return;
    }
    // Heights of what goes straight change evenly: as far as this direction parts both ends of the ways it parts all of them.
    let way = mat4x3f(marked_velocities[four.x].xyz, marked_velocities[four.y].xyz, marked_velocities[four.z].xyz,
        marked_velocities[four.w].xyz);
    let closing = min(nearing,
        max(frame.distance - separation(frame.normal * (start + time * way), edges), 0.0));
    let reach = margins + closing;
    if frame.distance > gap + reach {
        return;
    }
    if of_body && dot(frame.normal, primitive_row(primitive_bounds, k, PRIMITIVE_AREA).xyz) > INSIDE {
        return;
    }
    let group = group_of(particle_rows[a.x].phase);
    if group != 0u && group == group_of(particle_rows[b.x].phase) {
        let at_rest = mat4x3f(particle_rows[four.x].local.xyz, particle_rows[four.y].local.xyz,
            particle_rows[four.z].local.xyz, particle_rows[four.w].local.xyz);
        let rest = frame_of(at_rest, edges);
        let torn = TEARS > 0u && were_one(at_rest, edges);
        if torn && frame.distance < RIM_APART * gap {
            return;
        }
        gap = select(clamp(REST_PART * rest.distance, LEAST_GAP, gap), RIM_GAP * gap, torn);
    }
    if frame.distance > gap + reach {
        return;
    }
    let head = four.x | select(0u, EDGES, edges);
    list(SurfacePair(vec4u(head, four.yzw), frame.normal, gap, vec4f(0.0)), of_body);
}

// Whether a vertex of the first feature has parted from one of the second: at rest they are in one place.
fn were_one(rest: mat4x3f, edges: bool) -> bool {
    let first = all(rest[0] == rest[2]) || all(rest[0] == rest[3]);
    let second = select(rest[0], rest[1], edges);
    return first || all(second == rest[select(1u, 2u, edges)]) || (edges && all(second == rest[3]));
}

fn list(pair: SurfacePair, of_body: bool) {
    let room = surface_list.room;
    var place: u32;
    if of_body {
        place = atomicAdd(&surface_list.body_pairs.count, 1u);
    } else {
        place = atomicAdd(&surface_list.pairs.count, 1u);
    }
    tell_wanted(place, place + 1u, room, 1u);
    if place >= room - room / 4u {
        atomicMax(&control.surfaces_most, place + 1u);
    }
    if place >= room {
        atomicAdd(&control.surfaces_dropped, 1u);
        return;
    }
    let needed = listed_groups(place, WORKGROUP);
    if of_body {
        surface_pairs[room + place] = pair;
        atomicMax(&surface_list.body_pairs.groups[0], needed.x);
        atomicMax(&surface_list.body_pairs.groups[1], needed.y);
    } else {
        surface_pairs[place] = pair;
        atomicMax(&surface_list.pairs.groups[0], needed.x);
        atomicMax(&surface_list.pairs.groups[1], needed.y);
    }
}

// A particle and a triangle, or two edges.
fn features_of(a: vec3u, b: vec3u, feature: u32) -> vec4u {
    if feature < CORNER_OF_FIRST {
        return vec4u(b[feature], a);
    }
    if feature < EDGE_WITH_EDGE {
        return vec4u(a[feature - CORNER_OF_FIRST], b);
    }
    let n = (feature - EDGE_WITH_EDGE) / 3u;
    let m = (feature - EDGE_WITH_EDGE) % 3u;
    return vec4u(a[n], a[(n + 1u) % 3u], b[m], b[(m + 1u) % 3u]);
}
