#import "common/params"
#import "common/move"
#import "constraints/object"
#import "constraints/phantoms"
#import "constraints/history"
// One workgroup per slice of particles that constraints join, after the constraints of an iteration. Each goes to the mean of its
// phantoms (paper 3, eq. 7); how far the constraints moved it becomes velocity. Pinned ones move only with a body that they are
// attached to. Sums up the motion of objects.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read_write> slices: array<Slice>;
@group(1) @binding(1) var<storage, read> joined_particles: array<Joined>;
@group(1) @binding(2) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_moves: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> particle_margins: array<f32>;
@group(1) @binding(6) var<storage, read_write> control: Control;
@group(1) @binding(7) var<storage, read_write> particle_histories: array<History>;

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
    let place = slices[index].place;
    let velocity = slices[index].velocity;
    var own: Sums;
    for (var m = first + local; m < end; m += SLICE_THREADS) {
        let i = joined_particles[m].particle;
        follow(joined_particles[m]);
        let x = particles[i].xyz - place;
        let v = particle_velocities[i];
        let mass = mass_of(v.w);
        own.after = together(own.after, motion_of(x, v.xyz - velocity, mass));
        own.squares += mass * x * x;
        own.products += mass * vec3f(x.x * x.y, x.x * x.z, x.y * x.z);
    }
    let all = summed(local, own);
    if local == 0u && slices[index].object != NONE {
        slices[index].sums.after = all.after;
        slices[index].sums.squares = all.squares;
        slices[index].sums.products = all.products;
    }
}

fn follow(joined: Joined) {
    let i = joined.particle;
    // Those of a hybrid partition took over from the particle, where it has some.
    var delta = select(particle_moves[i].xyz, vec3f(0.0), joined.phantoms > PHANTOMS_HYBRID);
    for (var k = joined.first_phantom; k < joined.first_phantom + phantom_count(joined.phantoms); k++) {
        delta += particle_moves[k].xyz;
    }
    delta /= f32(sharing(joined.phantoms));
    if particle_velocities[i].w == 0.0 && batch.iteration == 0u {
        // Nothing was predicted for it.
        particle_velocities[i] = vec4f(0.0);
    }
    var h = params.substep_dt;
    var moved = 0.0;
    if SECOND_ORDER > 0u {
        let own = particle_histories[i];
        h *= step_of(own.place.w);
        moved = select(own.left.w, 1.0, any(own.left.xyz != particles[i].xyz));
    }
    if any(delta != vec3f(0.0)) {
        displace(i, delta, delta / h);
    }
    if SECOND_ORDER > 0u {
        particle_histories[i].left = vec4f(particles[i].xyz, moved);
        particle_histories[i].left_velocity = vec4f(particle_velocities[i].xyz, 0.0);
    }
}
