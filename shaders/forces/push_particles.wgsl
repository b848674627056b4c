#import "common/params"
#import "common/body"
#import "common/control"
#import "forces/push"
#import "forces/kinds"
#import "common/thread"
// One thread per particle; free ones only, in frames in which the host pushes some. Applies all pushes on it, and those on the ranges
// and in the balls that it is in. A grain wakes.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> push_counts: PushCounts;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read_write> particle_rests: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> control: Control;
@group(1) @binding(5) var<storage, read> pushes: array<PushRow>;
@group(1) @binding(6) var<storage, read> push_masses: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].body != NONE {
        return;
    }
    let old = particle_velocities[i];
    let sleeper = particle_rows[i].sleeper;
    let inverse = select(old.w, sleeper, sleeper != 0.0);
    if inverse == 0.0 {
        return;
    }
    let x = particles[i].xyz;
    let kind = kind_of(particle_rows[i].phase);
    var v = old.xyz;
    var touched = false;
    let singles = push_counts.bodies + push_counts.particles;
    for (var k = first_push(push_counts.bodies, singles, i); k < singles && pushes[k].first == i; k++) {
        v = pushed(v, inverse, pushes[k]);
        touched = true;
    }
    for (var k = singles; k < singles + push_counts.regions; k++) {
        let row = pushes[k];
        if i >= row.first && i < row.end && (row.flags & kind) != 0u && in_ball(row, x) {
            v = pushed_with_others(v, x, row);
            touched = true;
        }
    }
    if !touched {
        return;
    }
    particle_velocities[i] = vec4f(shortened(v, params.max_speed), inverse);
    if old.w == 0.0 {
        particle_rests[i].w = 0.0;
        // Lists of contacts leave out what sleeps.
        atomicStore(&control.due, 1u);
    }
}

// A push on one particle alone.
fn pushed(v: vec3f, inverse: f32, row: PushRow) -> vec3f {
    switch row.action {
        case PUSH_IMPULSE: {
            return v + inverse * row.vector;
        }
        case PUSH_VELOCITY_CHANGE: {
            return v + row.vector;
        }
        case PUSH_VELOCITY: {
            return row.vector;
        }
        default: {
            return v;
        }
    }
}

// A push on many: they share an impulse by their masses, so that all change their velocity alike.
fn pushed_with_others(v: vec3f, x: vec3f, row: PushRow) -> vec3f {
    switch row.action {
        case PUSH_IMPULSE: {
            return v + shared_inverse(row) * row.vector;
        }
        case PUSH_VELOCITY_CHANGE: {
            return v + row.vector;
        }
        case PUSH_VELOCITY: {
            return row.vector;
        }
        case PUSH_BLAST_SPEED: {
            return v + row.vector.x * blast_at(row, x);
        }
        case PUSH_BLAST_IMPULSE: {
            return v + shared_inverse(row) * row.vector.x * blast_at(row, x);
        }
        default: {
            return v;
        }
    }
}

// One over the mass of all that share it [1/kg].
fn shared_inverse(row: PushRow) -> f32 {
    var mass = 0.0;
    for (var k = row.first_chunk; k < row.first_chunk + row.chunk_count; k++) {
        mass += push_masses[k];
    }
    return select(0.0, 1.0 / mass, mass > 0.0);
}
