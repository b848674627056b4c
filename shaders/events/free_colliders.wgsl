#import "common/params"
#import "contacts/meet_colliders"
#import "contacts/opening"
#import "events/note_free"
#import "common/thread"
// One thread per particle; free ones only, before `contacts/collide` moves them. Notes the colliders that it touches, and what stops it there.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> thing_counts: ThingCounts;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read> colliders: array<Collider>;
@group(1) @binding(4) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(5) var<storage, read_write> collider_gaps: array<ColliderGap>;
@group(1) @binding(6) var<storage, read_write> free_touches: FreeTouches;

var<private> own: u32;
var<private> velocity: vec4f;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    note_row(global_index(id, groups));
    tell();
}

fn note_row(particle: u32) {
    if particle >= params.particle_count || particle_rows[particle].body != NONE {
        return;
    }
    own = free_touches.things[particle];
    let phase = particle_rows[particle].phase;
    if own == UNNAMED || (phase & PHASE_GHOST) != 0u {
        return;
    }
    place = particles[particle].xyz;
    radius = particles[particle].w;
    velocity = particle_velocities[particle];
    meet_all(colliders_near(particle, place, felt_from(phase, radius), radius));
}

// What `contacts/collide` pushes it by, without friction.
fn touch(other: u32, index: u32, c: Collider, at: vec4f) {
    let separation = at.w - radius;
    if separation >= CONTACT_SLOP * radius {
        return;
    }
    let h = params.substep_dt;
    let n = rotate(c.rotation, at.xyz);
    let point = place - n * at.w;
    let closing = dot(collider_velocity_at(c, point) - velocity.xyz, n);
    if ONE_WAY && lets_pass(c.shape, at.xyz, -h * closing - at.w, -closing) {
        return;
    }
    var impulse = 0.0;
    if velocity.w > 0.0 {
        impulse = opened(max(-separation, 0.0), max(closing, 0.0) * h, c.restitution) / (velocity.w * h);
    }
    note_free(own, free_touches.things[params.particle_count + thing_counts.colliders + index], n, impulse, point, closing);
}
