#import "common/params"
#import "constraints/object"
// One workgroup per object, before its constraints. Remembers its angular momentum.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> objects: array<Object>;
@group(1) @binding(1) var<storage, read> object_members: array<u32>;
@group(1) @binding(2) var<storage, read> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> object_spins: array<vec4f>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= params.object_count {
        return;
    }
    let spin = motion_of(objects[index], local).spin;
    if local == 0u {
        object_spins[index] = vec4f(spin, 0.0);
    }
}
