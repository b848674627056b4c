#import "common/params"
#import "constraints/object"
#import "constraints/phantoms"
#import "constraints/history"
// One workgroup per slice of particles that constraints join, before the constraints of an iteration. They and their phantoms have
// not moved; phantoms share the mass (Tonge et al. 2012), so that their mean keeps momentum. Sums up the motion of objects.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read_write> slices: array<Slice>;
@group(1) @binding(1) var<storage, read> joined_particles: array<Joined>;
@group(1) @binding(2) var<storage, read> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> particle_starts: array<Start>;
@group(1) @binding(5) var<storage, read_write> particle_moves: array<vec4f>;
@group(1) @binding(6) var<storage, read> particle_histories: array<History>;

// Whether particles have a history.
override SECOND_ORDER: u32 = 0u;

@compute @workgroup_size(SLICE_THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= arrayLength(&slices) {
        return;
    }
    let first = slices[index].first;
    let end = first + slices[index].count;
    let origin = slices[index].origin;
    let place = particles[origin].xyz;
    let velocity = particle_velocities[origin].xyz;
    var own: Sums;
    for (var m = first + local; m < end; m += SLICE_THREADS) {
        let i = joined_particles[m].particle;
        let x = particles[i].xyz;
        let v = particle_velocities[i];
        start(joined_particles[m], x, v.w);
        own.before = together(own.before, before(i, x, v, place, velocity));
    }
    let all = summed(local, own);
    if local == 0u && slices[index].object != NONE {
        slices[index].place = place;
        slices[index].velocity = velocity;
        slices[index].sums.before = all.before;
    }
}

// What is to be kept: with the second order not of what was predicted, which is bent ahead, but of the substep's start, with what acts
// in it.
fn before(i: u32, x: vec3f, v: vec4f, place: vec3f, velocity: vec3f) -> Motion {
    var at = x;
    var first = v.xyz;
    if SECOND_ORDER > 0u && batch.iteration == 0u && particle_histories[i].place.w == 2.0 {
        let own = particle_histories[i];
        let bend = (own.velocity.xyz - own.velocity_before.xyz) / 3.0;
        at = own.place.xyz;
        first = own.velocity.xyz + (v.xyz - own.velocity.xyz - bend) / SECOND_ORDER_STEP;
    }
    return motion_of(at - place, first - velocity, mass_of(v.w));
}

fn start(joined: Joined, place: vec3f, inverse_mass: f32) {
    let i = joined.particle;
    var weight = inverse_mass;
    if SECOND_ORDER > 0u {
        let step = step_of(particle_histories[i].place.w);
        weight *= step * step;
    }
    let shared_weight = weight * f32(sharing(joined.phantoms));
    particle_starts[i] = Start(place, i);
    // Before the last color of a hybrid partition it is alone.
    particle_moves[i] = vec4f(vec3f(0.0), select(shared_weight, weight, (joined.phantoms & PHANTOMS_HYBRID) != 0u));
    for (var k = joined.first_phantom; k < joined.first_phantom + phantom_count(joined.phantoms); k++) {
        particle_starts[k] = Start(place, i);
        particle_moves[k] = vec4f(vec3f(0.0), shared_weight);
    }
}
