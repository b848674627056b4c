#import "common/params"
#import "common/thread"
#import "common/body"
#import "common/contact"
#import "surfaces/primitive"
#import "constraints/seams"
// One thread per triangle that can tear: it takes the particles of its corners, and answers for each corner and edge that none before it
// has.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> tear_faces: array<u32>;
@group(1) @binding(1) var<storage, read> tear_sides: array<TearSide>;
@group(1) @binding(2) var<storage, read> tear_vertices: array<TearVertex>;
@group(1) @binding(3) var<storage, read> tear_fans: array<u32>;
@group(1) @binding(4) var<storage, read> tear_corners: array<u32>;
@group(1) @binding(5) var<storage, read> triangle_primitives: array<u32>;
@group(1) @binding(6) var<storage, read_write> primitives: array<Primitive>;
@group(1) @binding(7) var<storage, read_write> particle_rows: array<ParticleRow>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let face = global_index(id, groups);
    if face >= arrayLength(&tear_faces) {
        return;
    }
    let own = primitive_of(3u * face);
    if own == NONE {
        return;
    }
    var bits = primitives[own].bits;
    for (var k = 0u; k < 3u; k++) {
        let c = 3u * face + k;
        primitives[own].corners[k] = tear_corners[c];
        let first_here = is_first(c, own);
        bits = select(bits & ~(1u << k), bits | (1u << k), first_here);
        let root = tear_sides[c].vertex + tear_sides[c].offset;
        if first_here && tear_corners[c] != root {
            // Both rest where the whole one did.
            particle_rows[tear_corners[c]].local = particle_rows[root].local;
        }
        let across = tear_sides[c].across;
        if across != HELD {
            let first = across == NONE || is_parted(c) || own < primitive_of(across);
            bits = select(bits & ~(OWNS_EDGE << k), bits | (OWNS_EDGE << k), first);
        }
    }
    primitives[own].bits = bits;
}

fn primitive_of(corner: u32) -> u32 {
    return triangle_primitives[tear_faces[corner / 3u]];
}

// Whether no primitive before this one has the particle of its corner.
fn is_first(corner: u32, own: u32) -> bool {
    let vertex = tear_vertices[tear_sides[corner].vertex];
    for (var k = 0u; k < vertex.count; k++) {
        let other = tear_fans[vertex.first + k];
        if tear_corners[other] == tear_corners[corner] && primitive_of(other) < own {
            return false;
        }
    }
    return true;
}

// Whether the two sides of an edge do not share both ends.
fn is_parted(corner: u32) -> bool {
    let here = vec2u(tear_corners[corner], tear_corners[next_corner(corner)]);
    let across = tear_sides[corner].across;
    let there = vec2u(tear_corners[across], tear_corners[next_corner(across)]);
    return !(all(here == there) || all(here == there.yx));
}
