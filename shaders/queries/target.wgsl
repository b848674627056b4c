// What queries meet, as it is now, and boxes around it.

// A ball, capsule, box, triangle, half space or shape of triangles.
struct Target {
    a: vec3f,                  // its middle, or a corner of a triangle [m]
    kind: u32,
    b: vec3f,                  // of a capsule half its axis, of a box its half extents, another corner [m]; the normal of a half
                               // space; x: the shape
    thing: u32,                // kind and index: see `THING_BITS`
    c: vec4u,                  // bits of the rotation, of the third corner [m], or x: of the radius [m]; w but of rotations: the
                               // triangle, or the particle with PART_PARTICLE, or NOTHING
    layers: u32,               // number of the layers of the thing, below 16
}

// Bits of the kind of a target where it is stored; the number of its layers is above them.
const TARGET_BITS: u32 = 8u;
const TARGET_ABSENT: u32 = 0u;
const TARGET_BALL: u32 = 1u;   // and capsules
const TARGET_BOX: u32 = 2u;
const TARGET_FACE: u32 = 3u;   // a triangle
const TARGET_PLANE: u32 = 4u;
const TARGET_SHAPE: u32 = 5u;  // met by its triangles, in `shape_trees`

// The kinds that the world has, a bit for each: a walk leaves out the others.
override TARGETS: u32 = 63u;

fn may_be(kind: u32) -> bool {
    return (TARGETS & (1u << kind)) != 0u;
}

// Bits of the index in the number of a thing; its kind is above them.
const THING_BITS: u32 = 29u;
const THING_BODY: u32 = 0u;
const THING_COLLIDER: u32 = 1u;
const THING_DEFORMABLE: u32 = 2u;
const THING_LIQUID: u32 = 3u;
const THING_GRAINS: u32 = 4u;

// Set in the number of a part that is a particle.
const PART_PARTICLE: u32 = 0x80000000u;
// No thing, no part, no tear.
const NOTHING: u32 = 0xffffffffu;

fn is_a(t: Target, kind: u32) -> bool {
    return may_be(kind) && t.kind == kind;
}

fn absent() -> Target {
    return Target(vec3f(0.0), TARGET_ABSENT, vec3f(0.0), NOTHING, vec4u(NOTHING), 0u);
}

// A box along the axes; empty where low is above high.
struct Box {
    low: vec3f,                // [m]
    high: vec3f,
}

// Children of a node of the tree, and targets of a leaf.
const FANOUT: u32 = 4u;
const FAR: f32 = 1e30;

fn no_box() -> Box {
    return Box(vec3f(FAR), vec3f(-FAR));
}

fn both_boxes(a: Box, b: Box) -> Box {
    return Box(min(a.low, b.low), max(a.high, b.high));
}
