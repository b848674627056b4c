#import "common/params"
#import "constraints/constraint"
#import "common/control"
#import "surfaces/primitive"
#import "common/thread"
// One thread per edge that can break: after the constraints of a substep, what is stretched beyond its limit stops acting
// for good, with the bending about it and the triangles beside it.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read> tears: array<Tear>;
@group(1) @binding(2) var<storage, read_write> torn_edges: array<u32>;
@group(1) @binding(3) var<storage, read_write> constraint_words: array<atomic<u32>>;
@group(1) @binding(4) var<storage, read_write> primitives: array<TornPrimitive>;
@group(1) @binding(5) var<storage, read_write> control: Control;
@group(1) @binding(6) var<storage, read> triangle_primitives: array<u32>;

// A `Primitive`: edges of one triangle may break at once.
struct TornPrimitive {
    corners: vec3u,
    bits: atomic<u32>,
}

struct Tear {
    a: u32,                    // its particles
    b: u32,
    most: f32,                 // length at which it breaks [m]
    first: u32,                // first word of its constraint
    bends: vec4u,              // first words of constraints about it, or NONE
    faces: vec4u,              // triangles beside it, or NONE
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= arrayLength(&tears) || torn_edges[i] != 0u {
        return;
    }
    let tear = tears[i];
    let long = distance(particles[tear.a].xyz, particles[tear.b].xyz);
    if is_broken(vec4f(long)) || long <= tear.most {
        return;
    }
    torn_edges[i] = 1u;
    atomicStore(&constraint_words[tear.first], NONE);
    for (var k = 0u; k < 4u; k++) {
        if tear.bends[k] != NONE {
            atomicStore(&constraint_words[tear.bends[k]], NONE);
        }
        if tear.faces[k] != NONE && triangle_primitives[tear.faces[k]] != NONE {
            atomicOr(&primitives[triangle_primitives[tear.faces[k]]].bits, TORN);
        }
    }
    // What its triangles have listed must be forgotten.
    atomicStore(&control.surfaces_due, 1u);
}
