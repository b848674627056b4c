#import "common/control"
#import "fluid/store"
// One workgroup per emitter, at the start of a frame. The first particles of its reserve, by number, leave the nozzle layer by
// layer. Each thread counts a part of the reserve, and all sums of those before it tell it which ones are its own.

@group(1) @binding(0) var<storage, read> emissions: array<Emission>;
@group(1) @binding(1) var<storage, read> emitter_spots: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> control: Control;

const THREADS: u32 = 64u;
// Speed that makes the next substep look for neighbors [m/s].
const SUDDEN: f32 = 1e9;

var<workgroup> stored: array<u32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let e = emissions[group.x];
    let wanted = e.layers * e.spot_count;
    // Nothing leaves it now: none of the reserve is looked at.
    let budget = select(0u, e.budget, wanted > 0u);
    let part = (budget + THREADS - 1u) / THREADS;
    let first = e.first_particle + min(thread * part, budget);
    let end = e.first_particle + min((thread + 1u) * part, budget);
    var count = 0u;
    for (var i = first; i < end; i++) {
        count += u32(is_stored(particles[i].xyz));
    }
    stored[thread] = count;
    workgroupBarrier();
    var rank = 0u;
    for (var k = 0u; k < thread; k++) {
        rank += stored[k];
    }
    if wanted > 0u && thread == 0u {
        atomicStore(&control.due, 1u);
        atomicStore(&control.surfaces_due, 1u);
        atomicMax(&control.liquid_speed, bitcast<u32>(SUDDEN));
    }
    for (var i = first; i < end && rank < wanted; i++) {
        if is_stored(particles[i].xyz) {
            let way = e.first_way + f32(rank / e.spot_count) * e.pitch;
            let spot = emitter_spots[e.first_spot + rank % e.spot_count].xyz;
            particles[i] = vec4f(spot + way * e.direction, particles[i].w);
            particle_velocities[i] = vec4f(e.speed * e.direction, e.inv_mass);
            rank += 1u;
        }
    }
}
