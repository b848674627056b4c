#import "common/params"
#import "common/body"
#import "common/control"
#import "common/facet"
#import "common/thread"
// One thread per particle; free ones only, at the end of a substep. Ends its way where surfaces bound it, and asks for a search
// of surfaces once it has strayed, or has moved for as long as the last one was for.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_bodies: array<u32>;
@group(1) @binding(1) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> triangle_pushes: array<i32>;
@group(1) @binding(5) var<storage, read_write> marked_places: array<vec4f>;
@group(1) @binding(6) var<storage, read> marked_velocities: array<vec4f>;
@group(1) @binding(7) var<storage, read_write> control: Control;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_bodies[i] != NONE {
        return;
    }
    let cut = triangle_pushes[PUSH_WORDS * i + 7u];
    var x = particles[i];
    var v = particle_velocities[i];
    if cut != 0 {
        triangle_pushes[PUSH_WORDS * i + 7u] = 0;
        let part = 1.0 - f32(cut) / CUT_SCALE;
        let start = particle_origins[i].xyz;
        x = vec4f(start + part * (x.xyz - start), x.w);
        v = vec4f(part * v.xyz, v.w);
        particles[i] = x;
        particle_velocities[i] = v;
    }
    let place = marked_places[i];
    let age = place.w + 1.0;
    marked_places[i].w = age;
    let stray = STRAY * params.particle_radius;
    let moved = x.xyz - place.xyz;
    let expected = marked_velocities[i].xyz * (age * params.gravity.w);
    if distance(moved, expected) > stray || (age >= control.horizon && length(moved) > stray) {
        atomicStore(&control.surfaces_due, 1u);
    }
    let speed = bitcast<u32>(length(v.xyz));
    if speed > atomicLoad(&control.fastest) {
        atomicMax(&control.fastest, speed);
    }
}
