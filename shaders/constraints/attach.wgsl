#import "common/params"
#import "common/body"
#import "common/contact"
#import "constraints/phantoms"
#import "common/thread"
// One thread per body that particles are attached to: one attachment after the other, so that none is solved with an old
// pose. C = x - (c + R r), a point constraint between a particle and a body; both move by their inverse masses. A pinned
// particle goes where the body takes it, and the body does not feel it.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> attached_bodies: array<AttachedBody>;
@group(1) @binding(3) var<storage, read> attachments: array<Attachment>;
@group(1) @binding(4) var<storage, read_write> attachment_multipliers: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> particle_moves: array<vec4f>;
@group(1) @binding(6) var<storage, read> particle_starts: array<Start>;
@group(1) @binding(7) var<storage, read_write> loads: GrowingLoads;

struct AttachedBody {
    body: u32,
    first: u32,                // its attachments
    count: u32,
}

struct Attachment {
    local: vec4f,              // point of the body, in its frame [m]; w: compliance [m/N]
    particle: u32,
}

// How far a particle may be drawn from a sleeping body before it wakes it, in radii of the largest.
const WAKING: f32 = 0.1;
// It wakes once less than this part is left of what an attachment bore, if that was more than this part of the body's weight.
const SLACK: f32 = 0.5;
const LEAST_BORNE: f32 = 0.05;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index >= batch.count {
        return;
    }
    let own = attached_bodies[index];
    // An empty row is kept for what is fastened later.
    if own.count == 0u {
        return;
    }
    let p = body_properties[own.body];
    if (p.flags & BODY_REMOVED) != 0u {
        return;
    }
    var b = bodies[own.body];
    let h = params.substep_dt;
    for (var k = own.first; k < own.first + own.count; k++) {
        let attachment = attachments[k];
        let moved = particle_moves[attachment.particle];
        let w = moved.w;
        let arm = rotate(b.rotation, attachment.local.xyz);
        let gap = (particle_starts[attachment.particle].place - b.center) - arm + moved.xyz;
        if w == 0.0 {
            particle_moves[attachment.particle] = vec4f(moved.xyz - gap, w);
            continue;
        }
        if b.inv_mass == 0.0 && (p.flags & BODY_KINEMATIC) == 0u && length(gap) > WAKING * params.particle_radius {
            atomicOr(&loads.words[own.body], LOAD_WAKE);
        }
        var multiplier = vec3f(0.0);
        if batch.iteration > 0u {
            multiplier = attachment_multipliers[k].xyz;
        }
        // The gap is one direction; what was pulled before in others is kept in the multiplier alone.
        let softness = attachment.local.w / (h * h);
        let wanted = gap + softness * multiplier;
        let way = length(wanted);
        if way == 0.0 {
            continue;
        }
        let n = wanted / way;
        let weight = w + body_weight(b, p, arm, n) + softness;
        if weight == 0.0 {
            continue;
        }
        let impulse = -way / weight * n;
        particle_moves[attachment.particle] = vec4f(moved.xyz + w * impulse, w);
        if b.inv_mass > 0.0 {
            b = body_pushed(b, p, Push(-impulse, -cross(arm, impulse), -impulse, -cross(arm, impulse)), h);
        }
        let borne = length(attachment_multipliers[k].xyz);
        let weight_borne = LEAST_BORNE * h * h * length(params.gravity) / max(p.inv_mass, 1e-30);
        let slack = (borne > weight_borne) & (length(impulse) < SLACK * borne);
        if slack & (b.inv_mass == 0.0) & (batch.iteration == 0u) {
            atomicOr(&loads.words[own.body], LOAD_WAKE);
        }
        attachment_multipliers[k] = vec4f(multiplier + impulse, 0.0);
    }
    if b.inv_mass > 0.0 {
        bodies[own.body] = b;
    }
}
