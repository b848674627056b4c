#import "common/params"
#import "common/body"
#import "common/shape"
#import "common/store"
#import "sensors/sensor"
#import "common/thread"
// One thread per particle, at the end of a frame. Counts it for its thing in every sensor that it is in: those of bodies and objects as
// balls, drops and grains by their centers, so that their number tells how much is inside.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> sensor_counts: SensorCounts;
@group(1) @binding(0) var<storage, read> sensors: array<Sensor>;
@group(1) @binding(1) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(2) var<storage, read> sensed_things: array<u32>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> bodies: array<Body>;
@group(1) @binding(5) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(6) var<storage, read_write> inside_counts: array<atomic<u32>>;

// Bits of liquids and grains.
const BY_CENTER: u32 = 24u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || sensed_things[i] == UNSENSED {
        return;
    }
    let thing = sensed_things[i] & ((1u << SENSED_BITS) - 1u);
    let kind = sensed_things[i] >> SENSED_BITS;
    let particle = particles[i];
    let reach = select(particle.w, 0.0, (kind & BY_CENTER) != 0u);
    var at = particle.xyz;
    let row = particle_rows[i];
    if row.body != NONE {
        // Where its own body has it: bodies that a broken joint has parted have it between them.
        at = bodies[row.body].center + rotate(bodies[row.body].rotation, row.local.xyz);
    }
    if is_stored(at) {
        return;
    }
    for (var s = 0u; s < sensor_counts.sensors; s++) {
        if (sensors[s].kinds & kind) == 0u {
            continue;
        }
        var place = at;
        if sensors[s].body != NONE {
            let b = bodies[sensors[s].body];
            place = rotate_back(b.rotation, place - b.center);
        }
        let local = rotate_back(sensors[s].rotation, place - sensors[s].position);
        if shape_at(s, local).w < reach {
            atomicAdd(&inside_counts[s * sensor_counts.things + thing], 1u);
        }
    }
}
