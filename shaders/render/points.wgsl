#import "render/point"
// Where the points of all copies of a surface are: weighted means of particles.
// One thread stands for a point of a copy; copies are rows of the dispatch.

@group(0) @binding(0) var<storage, read> particles: array<vec4f>;
@group(0) @binding(1) var<storage, read> anchors: array<Anchor>;
// First particle of each copy.
@group(0) @binding(2) var<storage, read> first_particles: array<u32>;
@group(0) @binding(3) var<storage, read_write> placed_points: array<PlacedPoint>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let count = arrayLength(&anchors);
    if id.x >= count {
        return;
    }
    let anchor = anchors[id.x];
    var position = vec3f();
    for (var i = 0u; i < 4u; i++) {
        // A weight of 0 keeps a particle that is no number from spreading.
        if anchor.weights[i] != 0.0 {
            position += anchor.weights[i] * particles[first_particles[id.y] + anchor.particles[i]].xyz;
        }
    }
    placed_points[id.y * count + id.x].position = position;
}
