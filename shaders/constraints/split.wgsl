#import "common/params"
#import "constraints/phantoms"
#import "common/thread"
// One thread per particle, before the last color of a hybrid partition: its phantoms go where the colors before it moved it.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> particle_places: array<vec4f>;
@group(1) @binding(1) var<storage, read> particle_phantoms: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let phantoms = particle_phantoms[i];
    for (var k = phantoms.x; k < end_of(phantoms); k++) {
        particle_places[k] = vec4f(particle_places[i].xyz, particle_places[k].w);
    }
}
