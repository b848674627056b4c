#import "common/params"
#import "common/body"
#import "events/touch"
#import "common/thread"
// One thread per body that the host listens to, at the start of a frame. Empties its slots and says how it is.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> listened_count: ListenedCount;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> listened: array<Listened>;
@group(1) @binding(3) var<storage, read_write> told_count: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let row = global_index(id, groups);
    if row >= listened_count.rows {
        return;
    }
    if row == 0u {
        told_count[0] = 0u;
    }
    let body = listened[row].body;
    let p = body_properties[body];
    let b = bodies[body];
    var state = 0u;
    if (p.flags & BODY_REMOVED) != 0u {
        state = LISTENED_REMOVED;
    } else {
        let asleep = b.inv_mass == 0.0 && (p.flags & BODY_KINEMATIC) == 0u;
        let outside = any(abs(b.center) >= vec3f(params.world_extent));
        state = select(0u, LISTENED_ASLEEP, asleep) | select(0u, LISTENED_OUTSIDE, outside);
    }
    listened[row].state = state;
    listened[row].dropped = 0u;
    for (var k = 0u; k < TOUCH_SLOTS; k++) {
        listened[row].touches[k].thing = NOTHING;
    }
}
