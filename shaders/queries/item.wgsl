#import "common/rotation"
#import "common/body"
#import "common/contact"
#import "common/shape"
#import "common/store"
#import "queries/step"
#import "queries/target"
// What queries can meet, where it is now. The including kernel declares `batch`, `items`, `bodies`, `colliders`, `particles`,
// `tear_corners` and `shapes`.

// A part of a thing as the scene has it: bodies, colliders, triangles of free particles, then free particles in no triangle.
struct Item {
    who: vec3u,                // the body, its shape and its piece; the collider, 0, its piece; the particle; or those of the triangle
    thing: u32,                // see `queries/target`
    corner: u32,               // of a triangle that can tear: the first of its corners in `tear_corners`, else NOTHING
    part: u32,                 // see `Target`
    layers: u32,               // number of the thing's layers, below 16
}

// Colliders beyond are kept out of the world [m].
const FARTHEST: f32 = 5e8;

// Where the item is now.
fn target_of(item: Item, index: u32) -> Target {
    if index < batch.body_end {
        let body = bodies[item.who.x];
        // A removed body has no rotation.
        if dot(body.rotation, body.rotation) < 0.5 {
            return absent();
        }
        return piece_target(body.center, body.rotation, item.who.y, item.who.z, item);
    }
    if index < batch.collider_end {
        let collider = colliders[item.who.x];
        if abs(collider.position.y) > FARTHEST {
            return absent();
        }
        return piece_target(collider.position, collider.rotation, collider.shape, item.who.z, item);
    }
    let a = particles[item.who.x];
    if is_stored(a.xyz) {
        return absent();
    }
    if index < batch.triangle_end {
        let who = corners_of(item);
        let c = bitcast<vec3u>(particles[who.z].xyz);
        return Target(particles[who.x].xyz, TARGET_FACE, particles[who.y].xyz, item.thing,
            vec4u(c, item.part), item.layers);
    }
    let ball = vec4u(bitcast<u32>(a.w), 0u, 0u, item.part);
    return Target(a.xyz, TARGET_BALL, vec3f(0.0), item.thing, ball, item.layers);
}

// The particles of a triangle.
fn corners_of(item: Item) -> vec3u {
    if item.corner == NOTHING {
        return item.who;
    }
    return vec3u(tear_corners[item.corner], tear_corners[item.corner + 1u], tear_corners[item.corner + 2u]);
}

// A shape, or a piece of a compound, from 1 on, in its place.
fn piece_target(position: vec3f, rotation: vec4f, shape: u32, piece: u32, item: Item) -> Target {
    if piece == 0u {
        return shape_target(position, rotation, shape, item);
    }
    let row = shapes[4u * shape].y + 2u * (piece - 1u);
    let place = shapes[row];
    let turn = quat_mul(rotation, bitcast<vec4f>(shapes[row + 1u]));
    return shape_target(position + rotate(rotation, bitcast<vec3f>(place.xyz)), turn, place.w, item);
}

// A shape in its place.
fn shape_target(position: vec3f, rotation: vec4f, shape: u32, item: Item) -> Target {
    let extent = bitcast<vec3f>(shapes[4u * shape + 1u].xyz);
    let turn = bitcast<vec4u>(rotation);
    switch shapes[4u * shape].x {
        case SHAPE_PLANE: {
            return Target(position, TARGET_PLANE, rotate(rotation, vec3f(0.0, 1.0, 0.0)), item.thing, turn, item.layers);
        }
        case SHAPE_CUBOID: {
            return Target(position, TARGET_BOX, extent, item.thing, turn, item.layers);
        }
        case SHAPE_SPHERE: {
            let ball = vec4u(bitcast<u32>(extent.x), 0u, 0u, NOTHING);
            return Target(position, TARGET_BALL, vec3f(0.0), item.thing, ball, item.layers);
        }
        case SHAPE_CAPSULE: {
            let axis = rotate(rotation, vec3f(0.0, extent.y, 0.0));
            let capsule = vec4u(bitcast<u32>(extent.x), 0u, 0u, NOTHING);
            return Target(position, TARGET_BALL, axis, item.thing, capsule, item.layers);
        }
        default: {
            return Target(position, TARGET_SHAPE, vec3f(f32(shape), 0.0, 0.0), item.thing, turn, item.layers);
        }
    }
}
