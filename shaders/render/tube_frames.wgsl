#import "render/tube"
// Which way a tube is turned at each particle of its line: towards the particles beside it, or as at the particle before,
// carried along without turning. One thread stands for a tube.

@group(0) @binding(0) var<storage, read> particles: array<vec4f>;
@group(0) @binding(1) var<storage, read> tubes: array<Tube>;
@group(0) @binding(2) var<storage, read_write> tube_normals: array<vec4f>;

// Square of the part of a normal across the line from which it has a direction.
const LEAST_ACROSS2 = 1e-4;
// An axis is too near to the line when the line goes this much along it.
const ALONG = 0.7;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&tubes) {
        return;
    }
    let tube = tubes[id.x];
    if tube.count == 0u {
        return;
    }
    let first = tube.first_particle;
    let last = tube.count - 1u;
    var normal = vec3f(0.0, 1.0, 0.0);
    for (var i = 0u; i <= last; i++) {
        let span = particles[first + min(i + 1u, last)].xyz - particles[first + max(i, 1u) - 1u].xyz;
        let tangent = span / max(length(span), LEAST_LENGTH);
        if tube.first_ghost != NO_GHOST {
            let beside = particles[tube.first_ghost + i].xyz - particles[first + i].xyz;
            normal = beside / max(length(beside), LEAST_LENGTH);
        }
        normal -= dot(normal, tangent) * tangent;
        if dot(normal, normal) < LEAST_ACROSS2 {
            let least = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), abs(tangent.x) > ALONG);
            normal = cross(tangent, least);
        }
        normal = normalize(normal);
        tube_normals[tube.first_normal + i] = vec4f(normal, 0.0);
    }
}
