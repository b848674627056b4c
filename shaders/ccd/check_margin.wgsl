#import "common/params"
#import "common/body"
#import "ccd/margin"
#import "fluid/store"
#import "common/thread"
// One thread per particle; free ones only, at the end of a substep. Asks for a search of surfaces once it has strayed, or has
// moved for as long as the last one was for; at once when it may have met what that one left out.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_bodies: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> marked_places: array<vec4f>;
@group(1) @binding(4) var<storage, read> marked_velocities: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_bodies[i] != NONE {
        return;
    }
    let x = particles[i];
    let place = marked_places[i];
    let age = place.w + 1.0;
    marked_places[i].w = age;
    if is_stored(x.xyz) {
        return;
    }
    let margin = marked_velocities[i].w;
    let moved = x.xyz - place.xyz;
    let expected = marked_velocities[i].xyz * (age * params.substep_dt);
    check(distance(moved, expected), length(moved), margin, age, length(particle_velocities[i].xyz));
}
