#import "common/rotation"
#import "render/bone"
#import "render/skinned"
// Where the vertices of all copies of a model are: each follows up to eight bones, placed this frame.
//     world = sum weight * (offset + rotation * rest)
// One thread stands for a vertex of a copy; copies are rows of the dispatch.

// A vertex in the rest pose.
struct RestVertex {
    position: vec3f,
    normal: u32, // packed
    followed: vec4u, // up to eight bones of the model, two in a word
    weights: vec4u, // what each counts, 0..1 in 16 bits; those that count are first
}

@group(0) @binding(0) var<storage, read> placements: array<Placement>;
@group(0) @binding(1) var<storage, read> rest_vertices: array<RestVertex>;
// First bone of each copy.
@group(0) @binding(2) var<storage, read> first_bones: array<u32>;
@group(0) @binding(3) var<storage, read_write> skinned_vertices: array<SkinnedVertex>;

// Least sum of weights that is divided by.
const LEAST_WEIGHT = 1e-6;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let count = arrayLength(&rest_vertices);
    if id.x >= count {
        return;
    }
    let first = first_bones[id.y];
    let rest = rest_vertices[id.x].position;
    let rest_normal = unpacked_direction(rest_vertices[id.x].normal);
    var position = vec3f();
    var normal = vec3f();
    var sum = 0.0;
    for (var i = 0u; i < 8u; i++) {
        let shift = 16u * (i & 1u);
        let weight = f32((rest_vertices[id.x].weights[i / 2u] >> shift) & 0xffffu) / 65535.0;
        if weight <= 0.0 {
            break;
        }
        let at = placements[first + ((rest_vertices[id.x].followed[i / 2u] >> shift) & 0xffffu)];
        if all(at.rotation == vec4f()) {
            continue;
        }
        position += weight * (at.offset + rotate(at.rotation, rest));
        normal += weight * rotate(at.rotation, rest_normal);
        sum += weight;
    }
    // Weights are stored in 16 bits each: their sum is 1 only nearly.
    let packed = select(GONE, packed_direction(normal), sum > 0.0);
    skinned_vertices[id.y * count + id.x] = SkinnedVertex(position / max(sum, LEAST_WEIGHT), packed);
}
