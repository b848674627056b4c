#import "common/thread"
#import "queries/tree"
#import "queries/along"
#import "queries/moving"
// One thread per cast: the first thing that a shape meets on its way.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read> queries: array<Query>;
@group(1) @binding(1) var<storage, read> ignored: array<u32>;
@group(1) @binding(2) var nodes: texture_2d<u32>;
@group(1) @binding(3) var targets: texture_2d<u32>;
@group(1) @binding(4) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(5) var<storage, read> query_pieces: array<Piece>;
@group(1) @binding(6) var<storage, read> query_corners: array<vec4f>;
@group(1) @binding(7) var<storage, read_write> hits: array<Hit>;

const UNTURNED: vec4f = vec4f(0.0, 0.0, 0.0, 1.0);

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = query_of(global_index(id, groups));
    if i >= batch.count {
        return;
    }
    begin(batch.first + i);
    nearest = no_hit();
    walk();
    hits[query.first_hit] = nearest;
}

// One call for all kinds: each more makes the kernel longer by all that it asks.
fn meet(t: Target) {
    if is_a(t, TARGET_SHAPE) {
        meet_shape(t);
        return;
    }
    var core = Core(t.kind, t.b, vec3f(0.0), vec3f(0.0));
    var rotation = UNTURNED;
    var radius = 0.0;
    var part = t.c.w;
    if is_a(t, TARGET_BALL) {
        radius = bitcast<f32>(t.c.x);
    } else if is_a(t, TARGET_BOX) {
        rotation = bitcast<vec4f>(t.c);
        part = NOTHING;
    } else if is_a(t, TARGET_FACE) {
        // From a corner, where numbers are small.
        core = Core(TARGET_FACE, vec3f(0.0), t.b - t.a, bitcast<vec3f>(t.c.xyz) - t.a);
    } else {
        return;
    }
    let arrival = arrival_at(seen_from(own, t.a, rotation), core, radius, best);
    let point = t.a + rotate(rotation, arrival.point + radius * arrival.normal);
    let normal = rotate(rotation, arrival.normal);
    if !in_shape {
        meet_at(t, arrival, point, normal, part);
    } else if arrival.distance == BEGAN {
        began_in_shape();
    } else if arrival.distance < FAR {
        take_face(Hit(point, arrival.distance, normal, NOTHING, part, 0u));
    }
}

fn meet_at(t: Target, arrival: Arrival, point: vec3f, normal: vec3f, part: u32) {
    if arrival.distance == BEGAN {
        if from_inside() {
            take(at_start(t.thing, part));
        }
    } else if arrival.distance < FAR {
        take(Hit(point, arrival.distance, normal, t.thing, part, 0u));
    }
}

fn meet_plane(t: Target) {
    let lowest = farthest_along(query, -t.b);
    let height = dot(lowest - t.a, t.b);
    let fall = -dot(query.direction, t.b);
    if height < 0.0 {
        meet_at(t, Arrival(BEGAN, t.b, lowest), lowest, t.b, NOTHING);
    } else if fall > 0.0 {
        let distance = height / fall;
        meet_at(t, Arrival(distance, t.b, lowest), lowest + distance * query.direction, t.b, NOTHING);
    }
}
