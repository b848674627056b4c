#import "common/params"
#import "common/body"
#import "surfaces/stray"
#import "surfaces/islands"
#import "common/store"
#import "common/thread"
// One thread per particle; free ones only, at the end of a substep. Asks for a search of surfaces once it has strayed, or has
// moved for as long as the last one was for. Remembers how far it strays. Ways are straight, so that who is near where it should be
// at both ends is so all the way; what surfaces bounded in the last substep began this one farther back. Counts in how many substeps in
// a row its way was cut, before this one is. Of islands it forgets how they moved.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_bodies: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> marked_places: array<vec4f>;
@group(1) @binding(3) var<storage, read> marked_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> control: Control;
@group(1) @binding(6) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i <= ISLANDS {
        still_island(i);
    }
    if i >= params.particle_count || particle_bodies[i] != NONE || is_stored(particles[i].xyz) {
        return;
    }
    age_hold(i);
    let place = marked_places[i];
    let mark = marked_velocities[i];
    let moved = particles[i].xyz - place.xyz;
    let began = distance(particle_origins[i].xyz - place.xyz, mark.xyz * (search_age() - params.substep_dt));
    let off = max(began, distance(moved, mark.xyz * search_age()));
    if off > place.w {
        marked_places[i].w = off;
    }
    // What has the least margin may stray farther: the gap has room for it.
    let slack = select(1.0, SURFACE_STRAY, mark.w > 0.0 && mark.w <= SURFACE_MARGIN * particles[i].w);
    check_stray(off, slack * abs(mark.w), length(moved), abs(mark.w));
}
