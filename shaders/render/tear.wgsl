#import "render/point"
// Points of a surface that tears hang on the particles that the corners of its triangles are now. One thread stands for a point: each
// corner of a triangle that is drawn has its own.

// The particle at each corner of what tears.
@group(0) @binding(0) var<storage, read> tear_corners: array<u32>;
// Corners that a point hangs on, 0xffffffff for a particle that stays the same.
@group(0) @binding(1) var<storage, read> point_corners: array<vec4u>;
@group(0) @binding(2) var<storage, read> first_particles: array<u32>;
@group(0) @binding(3) var<storage, read_write> anchors: array<Anchor>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&point_corners) {
        return;
    }
    let corners = point_corners[id.x];
    for (var k = 0u; k < 4u; k++) {
        if corners[k] < arrayLength(&tear_corners) {
            anchors[id.x].particles[k] = tear_corners[corners[k]] - first_particles[0];
        }
    }
}
