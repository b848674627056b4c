#import "common/body"
#import "common/control"
#import "common/store"
// One workgroup per emitter, at the start of a frame. The first particles of its reserve, by number, leave the nozzle layer by
// layer. Each thread counts a part of the reserve, and all sums of those before it tell it which ones are its own.

// What an emitter does in a frame.
struct Emission {
    direction: vec3f,          // unit
    speed: f32,                // [m/s]
    first_particle: u32,       // its reserve
    budget: u32,
    first_spot: u32,           // places in its nozzle, in `emitter_spots`
    spot_count: u32,
    layers: u32,               // that leave it now
    first_way: f32,            // how far the last of them has gone already [m]
    pitch: f32,                // from one to the next [m]
    stagger: f32,              // 1 of grains, which leave out of line: in columns they would come to stand on one another; else 0
    inv_mass: f32,             // [1/kg]
    sleeper: f32,              // the same of grains that may sleep, 0 of others
}

@group(1) @binding(0) var<storage, read> emissions: array<Emission>;
@group(1) @binding(1) var<storage, read> emitter_spots: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> particle_rows: array<ParticleRow>;
@group(1) @binding(5) var<storage, read_write> control: Control;

const THREADS: u32 = 64u;
// Speed that makes the next substep look for neighbors [m/s].
const SUDDEN: f32 = 1e9;
// Golden ratio, whose multiples leave no two neighbors alike.
const GOLDEN: f32 = 0.618034;
// The same in three dimensions.
const GOLDEN_3: vec3f = vec3f(0.8191725, 0.6710436, 0.5497005);
// How far grains are out of line, in radii.
const BESIDE: f32 = 0.4;

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
            leave(i, e, rank);
            rank += 1u;
        }
    }
}

// Puts a particle in front of the nozzle, the `rank`-th of this frame.
fn leave(i: u32, e: Emission, rank: u32) {
    let place = rank % e.spot_count;
    let ahead = e.stagger * fract(GOLDEN * f32(place));
    let way = e.first_way + (f32(rank / e.spot_count) + ahead) * e.pitch;
    let beside = e.stagger * BESIDE * particles[i].w * out_of_line(i);
    particles[i] = vec4f(emitter_spots[e.first_spot + place].xyz + way * e.direction + beside, particles[i].w);
    particle_velocities[i] = vec4f(e.speed * e.direction, e.inv_mass);
    particle_rows[i].sleeper = e.sleeper;
}

// A place of its own for each particle, in a cube of unit size about 0.
fn out_of_line(i: u32) -> vec3f {
    return fract(f32(i % 4096u) * GOLDEN_3) - vec3f(0.5);
}
