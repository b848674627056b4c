#import "common/rotation"
#import "render/point"
// Normals of surfaces that follow particles, gathered: each triangle around a point counts by its angle there (Thürmer
// and Wüthrich 1998), always in one order, so the result does not depend on timing. Also how far the edges are stretched.
// One thread stands for a point of a copy; copies are rows of the dispatch.

@group(0) @binding(0) var<storage, read> anchors: array<Anchor>;
// Range of `fans` of each point: its entry and the next.
@group(0) @binding(1) var<storage, read> fan_starts: array<u32>;
// The other two corners of each triangle around a point.
@group(0) @binding(2) var<storage, read> fans: array<vec2u>;
// Neighbors are only read and a thread writes no position, so no thread waits for another.
@group(0) @binding(3) var<storage, read_write> placed_points: array<PlacedPoint>;

// Whether the surface tears: its points are corners of triangles then, and those that hang on the same particles are one place.
override TEARS: u32 = 0u;

// Edges shorter than this at rest have no strain [m].
const LEAST_REST = 1e-9;
// Triangles smaller than this face nowhere [m²], and sums of normals shorter than this.
const LEAST_AREA = 1e-20;
const LEAST_NORMAL = 1e-12;

// Change of the length of an edge over its rest length.
fn edge_strain(now: vec3f, rest: vec3f) -> f32 {
    let rest_length = length(rest);
    return select(0.0, length(now) / rest_length - 1.0, rest_length > LEAST_REST);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let count = arrayLength(&anchors);
    if id.x >= count {
        return;
    }
    let base = id.y * count;
    let position = placed_points[base + id.x].position;
    let rest = anchors[id.x].rest.xyz;
    var normal = vec3f();
    var strain = 0.0;
    for (var i = fan_starts[id.x]; i < fan_starts[id.x + 1u]; i++) {
        let fan = fans[i];
        if TEARS > 0u {
            let third = 3u * (fan.x / 3u) + 3u - fan.x % 3u - fan.y % 3u;
            if any(anchors[third].particles != anchors[id.x].particles) {
                continue;
            }
        }
        let a = placed_points[base + fan.x].position - position;
        let b = placed_points[base + fan.y].position - position;
        let across = cross(a, b);
        let area = length(across);
        if area > LEAST_AREA {
            normal += across / area * angle_of(area, dot(a, b));
        }
        let along_a = edge_strain(a, anchors[fan.x].rest.xyz - rest);
        let along_b = edge_strain(b, anchors[fan.y].rest.xyz - rest);
        let most = select(along_b, along_a, abs(along_a) > abs(along_b));
        strain = select(strain, most, abs(most) > abs(strain));
    }
    let length = length(normal);
    placed_points[base + id.x].normal = select(vec3f(0.0, 1.0, 0.0), normal / length, length > LEAST_NORMAL);
    placed_points[base + id.x].strain = strain;
}
