#import "common/params"
#import "common/body"
#import "common/control"
#import "sleep/rest"
#import "common/thread"
// One thread per proxy, at the end of the frame. What moves marks the cells around it and around where it will be a frame
// later, so that grains there do not sleep. Counts the time that grains stay in one place.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> proxies: array<Proxy>;
@group(1) @binding(2) var<storage, read> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(5) var<storage, read_write> particle_rests: array<vec4f>;
@group(1) @binding(6) var<storage, read_write> stirred: array<atomic<u32>>;
@group(1) @binding(7) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.proxy_count {
        return;
    }
    let proxy = proxies[i];
    if proxy.body == NONE {
        stir_particle(proxy.particle);
        return;
    }
    let b = bodies[proxy.body];
    // The host moves bodies of no inverse mass; those that sleep have no velocity.
    let driven = any(b.velocity != vec3f(0.0)) || any(b.angular_velocity != vec3f(0.0));
    if select(b.rest_time < params.sleep_time, driven, b.inv_mass == 0.0) && any(b.rotation != vec4f(0.0)) {
        let arm = rotate(b.rotation, proxy.local.xyz);
        stir(b.center + arm, body_velocity_at(b, arm), LARGE_CELLS, params.cell_size);
    }
}

fn stir_particle(particle: u32) {
    let v = particle_velocities[particle];
    if v.w == 0.0 {
        return;
    }
    let x = particles[particle];
    var rest = particle_rests[particle];
    rest.w += select(0.0, params.dt, particle_rows[particle].sleeper != 0.0);
    let left = distance(x.xyz, rest.xyz) > STAYS * x.w;
    particle_rests[particle] = select(rest, vec4f(x.xyz, 0.0), left);
    // Where it goes, not its velocity: what presses on it from all sides may leave one that leads nowhere.
    if left {
        stir(x.xyz, v.xyz, SMALL_CELLS, params.small_cell_size);
    }
}

fn stir(position: vec3f, velocity: vec3f, level: u32, cell_size: f32) {
    let here = grid_cell(position, cell_size);
    let ahead = grid_cell(position + params.dt * velocity, cell_size);
    for (var n = 0; n < 27; n++) {
        mark(here + around_cell(n), level);
        if any(here != ahead) {
            mark(ahead + around_cell(n), level);
        }
    }
}

fn mark(cell: vec3i, level: u32) {
    let words = arrayLength(&stirred);
    atomicStore(&stirred[first_word(cell, level, words)], control.substeps);
    atomicStore(&stirred[second_word(cell, level, words)], control.substeps);
}
