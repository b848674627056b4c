#import "common/params"
#import "constraints/phantoms"
#import "common/thread"
// One thread per particle, before the constraints of an iteration. Gives each that constraints join its place among those it is
// joined with, relative to the first of them: far from the world's origin nothing is lost to rounding. Its phantoms start there
// too; they share its mass (Tonge et al. 2012), so that their mean keeps momentum.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_groups: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_places: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> group_origins: array<vec4f>;
@group(1) @binding(5) var<storage, read> particle_phantoms: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_groups[i] == NONE {
        return;
    }
    let first = particle_groups[i];
    if first == i {
        group_origins[i] = particles[i];
    }
    let v = particle_velocities[i];
    let phantoms = particle_phantoms[i];
    let place = vec4f(particles[i].xyz - particles[first].xyz, v.w * f32(sharing(phantoms)));
    // Before the last color of a hybrid partition it is alone.
    particle_places[i] = select(place, vec4f(place.xyz, v.w), (phantoms.y & PHANTOMS_HYBRID) != 0u);
    for (var k = phantoms.x; k < end_of(phantoms); k++) {
        particle_velocities[k] = v;
        particle_places[k] = place;
    }
}
