#import "common/params"
#import "aerodynamics/air"
#import "aerodynamics/sail"
#import "common/thread"
// One thread per particle with triangles in the air, at the start of a frame. Gathers drag and lift of its triangles, a third of
// each (scene::Air has the force): F = -Σ k d - Σ k (v - v₀), k = ½ ρ Cd A c s / 3, which holds through the frame.
// `particles/predict` takes it implicitly in the speed, so that air never does more than take a particle along.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> air: array<Air>;
@group(1) @binding(1) var<storage, read> sail_members: array<SailMember>;
@group(1) @binding(2) var<storage, read> sail_corners: array<vec2u>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> particle_winds: array<vec4f>;
@group(1) @binding(6) var<storage, read> tear_corners: array<u32>;

// Whether anything in the air tears.
override TEARS: u32 = 1u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index >= arrayLength(&sail_members) {
        return;
    }
    let member = sail_members[index];
    let v = particle_velocities[member.particle];
    if v.w == 0.0 {
        return;
    }
    let x = particles[member.particle].xyz;
    let stream = air_at(air[0], x, batch.time);
    var pull = vec3f(0.0);
    var weight = 0.0;
    for (var k = member.first; k < member.first + member.count; k++) {
        var others = sail_corners[k];
        if TEARS > 0u && (others.x & TEARING) != 0u {
            others.x &= ~TEARING;
            // Corners of a triangle are counted on: the third one is this particle's, if it has not split.
            let third = 3u * (others.x / 3u) + 3u - others.x % 3u - others.y % 3u;
            if tear_corners[third] != member.particle {
                continue;
            }
            others = vec2u(tear_corners[others.x], tear_corners[others.y]);
        }
        let moves = v.xyz + particle_velocities[others.x].xyz + particle_velocities[others.y].xyz;
        let against = moves / 3.0 - stream;
        let speed = length(against);
        // Twice the area times the normal.
        let across = cross(particles[others.x].xyz - x, particles[others.y].xyz - x);
        let area = length(across);
        if speed == 0.0 || area == 0.0 {
            continue;
        }
        let normal = across / area * select(-1.0, 1.0, dot(across, against) > 0.0);
        let facing = dot(normal, against) / speed;
        let k_third = member.drag * facing * speed * area / 6.0;
        pull += k_third * (against + member.lift * (speed * normal - facing * against));
        weight += k_third;
    }
    particle_winds[member.particle] = vec4f(pull - weight * v.xyz, weight);
}
