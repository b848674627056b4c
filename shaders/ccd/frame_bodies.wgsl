#import "common/params"
#import "surfaces/islands"
#import "common/thread"
// One thread per body, in substeps in which ways cross. As `ccd/frame`.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_origins: array<Pose>;
@group(1) @binding(2) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(3) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || (body_properties[i].flags & BODY_REMOVED) != 0u {
        return;
    }
    check_frame(island_of_body(i), bodies[i].center - body_origins[i].center, params.particle_radius, false);
}
