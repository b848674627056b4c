#import "common/rotation"
#import "render/bone"
#import "render/frame"
// Where a vertex is: each follows up to eight bones, placed this frame from the solver's buffer.
//     world = sum weight * (offset + rotation * rest)

@group(1) @binding(0) var<storage, read> placements: array<Placement>;

struct VertexIn {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) color: vec4f,
    @location(4) followed_0: vec4u,
    @location(5) followed_1: vec4u,
    @location(6) weights_0: vec4f,
    @location(7) weights_1: vec4f,
    @location(8) tint: vec4f, // linear colour of the instance
    @location(9) base: u32, // first bone of the instance
}

// Least sum of weights that is divided by.
const LEAST_SUM = 1e-6;

struct Skinned {
    position: vec3f,
    normal: vec3f,
    weight: f32, // 0 when all followed bones are gone
}

fn skinned(in: VertexIn) -> Skinned {
    var out = Skinned(vec3f(), vec3f(), 0.0);
    for (var i = 0u; i < 8u; i++) {
        let followed = select(in.followed_1, in.followed_0, i < 4u)[i & 3u];
        let weight = select(in.weights_1, in.weights_0, i < 4u)[i & 3u];
        if weight <= 0.0 {
            continue;
        }
        let at = placements[in.base + followed];
        if all(at.rotation == vec4f()) {
            continue;
        }
        out.position += weight * (at.offset + rotate(at.rotation, in.position));
        out.normal += weight * rotate(at.rotation, in.normal);
        out.weight += weight;
    }
    // Weights are stored in 16 bits each: their sum is 1 only nearly.
    out.position /= max(out.weight, LEAST_SUM);
    return out;
}
