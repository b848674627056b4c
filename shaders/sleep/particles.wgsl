#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/shape"
#import "common/control"
#import "sleep/rest"
#import "common/thread"
// One thread per particle, at the end of the frame; grains only. One sleeps, as if it had no end of mass, once it has stayed in
// one place for long enough and nothing near it moves, and wakes once something does.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read_write> particle_rests: array<vec4f>;
@group(1) @binding(4) var<storage, read> stirred: array<u32>;
@group(1) @binding(5) var<storage, read> colliders: array<Collider>;
@group(1) @binding(6) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(7) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].sleeper == 0.0 {
        return;
    }
    let x = particles[i];
    let asleep = particle_velocities[i].w == 0.0;
    let rested = asleep || particle_rests[i].w >= params.sleep_time;
    let sleeps = params.sleep_time > 0.0 && rested && !is_stirred(x);
    if sleeps == asleep {
        return;
    }
    if sleeps {
        particle_velocities[i] = vec4f(0.0);
    } else {
        particle_velocities[i].w = particle_rows[i].sleeper;
        particle_rests[i].w = 0.0;
    }
    // Lists of contacts leave out what sleeps.
    atomicStore(&control.due, 1u);
}

fn is_stirred(x: vec4f) -> bool {
    return is_marked(x.xyz, LARGE_CELLS, params.cell_size) || is_marked(x.xyz, SMALL_CELLS, params.small_cell_size)
        || (params.collider_speed + params.belt_speed > 0.0 && meets_moving(x));
}

fn is_marked(position: vec3f, level: u32, cell_size: f32) -> bool {
    let words = arrayLength(&stirred);
    let cell = grid_cell(position, cell_size);
    return stirred[first_word(cell, level, words)] == control.substeps
        && stirred[second_word(cell, level, words)] == control.substeps;
}

// Whether a collider that moves is near, or will be within a frame.
fn meets_moving(x: vec4f) -> bool {
    let reach = (1.0 + MARGIN_MOST) * x.w + params.dt * params.collider_speed;
    for (var c = 0u; c < params.collider_count; c++) {
        if carries(colliders[c]) {
            let collider = collider_at(colliders[c], params.dt);
            if shape_bound(collider.shape, rotate_back(collider.rotation, x.xyz - collider.position)) < reach {
                return true;
            }
        }
    }
    return false;
}
