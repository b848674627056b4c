#import "render/point"
#import "render/tube"
// Points around tubes and their strands, along a smooth line through the particles (Catmull and Rom 1974). One thread stands for a ring.

@group(0) @binding(0) var<storage, read> particles: array<vec4f>;
@group(0) @binding(1) var<storage, read> rings: array<Ring>;
@group(0) @binding(2) var<storage, read> tube_normals: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> placed_points: array<PlacedPoint>;

// Most points around a ring; what divides it may be less.
const SIDES: u32 = 12u;
// Their directions: cosines and sines are promised only within half a turn, and to 2^-11.
const CIRCLE = array<vec2f, SIDES>(
    vec2f(1.0, 0.0), vec2f(0.8660254, 0.5), vec2f(0.5, 0.8660254),
    vec2f(0.0, 1.0), vec2f(-0.5, 0.8660254), vec2f(-0.8660254, 0.5),
    vec2f(-1.0, 0.0), vec2f(-0.8660254, -0.5), vec2f(-0.5, -0.8660254),
    vec2f(0.0, -1.0), vec2f(0.5, -0.8660254), vec2f(0.8660254, -0.5),
);

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&rings) {
        return;
    }
    let ring = rings[id.x];
    let a = particles[ring.particles.x].xyz;
    let b = particles[ring.particles.y].xyz;
    let c = particles[ring.particles.z].xyz;
    let d = particles[ring.particles.w].xyz;
    let u = ring.share;
    // Slopes at b and c, and the cubic with them.
    let leave = 0.5 * (c - a);
    let arrive = 0.5 * (d - b);
    let bend = 3.0 * (c - b) - 2.0 * leave - arrive;
    let rest = leave + arrive - 2.0 * (c - b);
    let middle = b + u * (leave + u * (bend + u * rest));
    let slope = leave + u * (2.0 * bend + 3.0 * u * rest);
    let tangent = slope / max(length(slope), LEAST_LENGTH);
    var normal = mix(tube_normals[ring.normals.x].xyz, tube_normals[ring.normals.y].xyz, u);
    normal -= dot(normal, tangent) * tangent;
    normal /= max(length(normal), LEAST_LENGTH);
    let side = cross(tangent, normal);
    let outward = sqrt(max(1.0 - ring.facing * ring.facing, 0.0));
    let strain = select(0.0, distance(b, c) / ring.rest_length - 1.0, ring.rest_length > LEAST_LENGTH);
    let strand = middle + ring.beside.x * normal + ring.beside.y * side;
    for (var k = 0u; k < ring.sides; k++) {
        let way = CIRCLE[k * SIDES / ring.sides];
        let around = way.x * normal + way.y * side;
        let at = ring.first_point + k;
        placed_points[at].position = strand + ring.ahead * tangent + ring.radius * around;
        placed_points[at].normal = outward * around + ring.facing * tangent;
        placed_points[at].strain = strain;
    }
}
