#import "common/thread"
#import "queries/tree"
#import "queries/along"
// One thread per ray: the first thing on its way.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read> queries: array<Query>;
@group(1) @binding(1) var<storage, read> ignored: array<u32>;
@group(1) @binding(2) var nodes: texture_2d<u32>;
@group(1) @binding(3) var targets: texture_2d<u32>;
@group(1) @binding(4) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(5) var<storage, read_write> hits: array<Hit>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= batch.count {
        return;
    }
    begin(batch.first + i);
    nearest = no_hit();
    walk();
    hits[query.first_hit] = nearest;
}

fn extent_along_axes(ray: Query) -> vec3f {
    return vec3f(0.0);
}

fn is_in(ray: Query, shape_index: u32) -> bool {
    return shape_at(shape_index, ray.origin).w < 0.0;
}

fn meet(t: Target) {
    if is_a(t, TARGET_BALL) {
        meet_capsule(t);
    } else if is_a(t, TARGET_BOX) {
        meet_box(t);
    } else if is_a(t, TARGET_FACE) {
        meet_face(t);
    } else if is_a(t, TARGET_SHAPE) {
        meet_shape(t);
    }
}

// Möller and Trumbore 1997, from both sides.
fn meet_face(t: Target) {
    let ab = t.b - t.a;
    let ac = bitcast<vec3f>(t.c.xyz) - t.a;
    let p = cross(own.direction, ac);
    let slope = dot(ab, p);
    let across = cross(ab, ac);
    let from_a = own.origin - t.a;
    let u = dot(from_a, p) / slope;
    let q = cross(from_a, ab);
    let v = dot(own.direction, q) / slope;
    let distance = dot(ac, q) / slope;
    let along = slope * slope <= 1e-14 * dot(across, across);
    if along || u < 0.0 || v < 0.0 || u + v > 1.0 || distance < 0.0 {
        return;
    }
    let behind = slope < 0.0;
    let normal = normalize(across) * select(-1.0, 1.0, !behind);
    let point = own.origin + distance * own.direction;
    if in_shape {
        take_face(Hit(point, distance, normal, NOTHING, t.c.w, u32(behind && closed)));
    } else {
        take(Hit(point, distance, normal, t.thing, t.c.w, 0u));
    }
}

fn meet_plane(t: Target) {
    let height = dot(query.origin - t.a, t.b);
    let fall = -dot(query.direction, t.b);
    if height < 0.0 {
        if from_inside() {
            take(at_start(t.thing, NOTHING));
        }
    } else if fall > 0.0 {
        let distance = height / fall;
        take(Hit(query.origin + distance * query.direction, distance, t.b, t.thing, NOTHING, 0u));
    }
}

fn meet_box(t: Target) {
    let rotation = bitcast<vec4f>(t.c);
    let ray = seen_from(query, t.a, rotation);
    if all(abs(ray.origin) <= t.b) {
        if from_inside() {
            take(at_start(t.thing, NOTHING));
        }
        return;
    }
    let slope = select(ray.direction, vec3f(1e-20), abs(ray.direction) < vec3f(1e-20));
    let side = select(vec3f(1.0), vec3f(-1.0), slope > vec3f(0.0));
    let enter = (side * t.b - ray.origin) / slope;
    let leave = (-side * t.b - ray.origin) / slope;
    let distance = max(enter.x, max(enter.y, enter.z));
    if distance < 0.0 || distance > min(leave.x, min(leave.y, leave.z)) {
        return;
    }
    var normal = vec3f(0.0, 0.0, side.z);
    if enter.x == distance {
        normal = vec3f(side.x, 0.0, 0.0);
    } else if enter.y == distance {
        normal = vec3f(0.0, side.y, 0.0);
    }
    let point = query.origin + distance * query.direction;
    take(Hit(point, distance, rotate(rotation, normal), t.thing, NOTHING, 0u));
}

// A ball, or one swept along an axis: its side, then its nearer end.
fn meet_capsule(t: Target) {
    let radius = bitcast<f32>(t.c.x);
    let from_middle = query.origin - t.a;
    let square = dot(t.b, t.b);
    let along = clamp(dot(from_middle, t.b) / max(square, 1e-30), -1.0, 1.0);
    let off = from_middle - along * t.b;
    if dot(off, off) <= radius * radius {
        if from_inside() {
            take(at_start(t.thing, t.c.w));
        }
        return;
    }
    var end = 0.0;
    if square > 0.0 {
        let axis = t.b / sqrt(square);
        let across = query.direction - axis * dot(query.direction, axis);
        let side = on_ball(from_middle - axis * dot(from_middle, axis), across, radius);
        if side == FAR {
            return;
        }
        let entry = from_middle + max(side, 0.0) * query.direction;
        let height = dot(entry, axis);
        if abs(height) <= sqrt(square) {
            if side >= 0.0 {
                take(Hit(t.a + entry, side, normalize(entry - height * axis), t.thing, t.c.w, 0u));
            }
            return;
        }
        end = sign(height);
    }
    let distance = on_ball(from_middle - end * t.b, query.direction, radius);
    if distance >= 0.0 && distance < FAR {
        let normal = normalize(from_middle + distance * query.direction - end * t.b);
        take(Hit(query.origin + distance * query.direction, distance, normal, t.thing, t.c.w, 0u));
    }
}

// Where the way along `direction` from `offset`, seen from the middle of a ball, enters it, also behind its
// start; FAR if nowhere.
fn on_ball(offset: vec3f, direction: vec3f, radius: f32) -> f32 {
    let a = dot(direction, direction);
    if a < 1e-14 {
        return select(FAR, 0.0, dot(offset, offset) <= radius * radius);
    }
    // From the point of the way that is nearest to the middle: far away the squares would lose the radius.
    let middle = -dot(offset, direction) / a;
    let least = offset + middle * direction;
    let rest = radius * radius - dot(least, least);
    if rest < 0.0 {
        return FAR;
    }
    return middle - sqrt(rest / a);
}
