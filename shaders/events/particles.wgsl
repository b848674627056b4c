#import "common/params"
#import "common/body"
#import "common/contact"
#import "events/note"
#import "common/thread"
// One thread per body that the host listens to, once contacts are solved and before they move anything. Notes what it touches of free
// particles, by the things that they are of.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> listened_count: ListenedCount;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> reverse_counts: array<u32>;
@group(1) @binding(3) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(4) var<storage, read> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read> particle_things: array<u32>;
@group(1) @binding(6) var<storage, read> loads: Loads;
@group(1) @binding(7) var<storage, read_write> listened: array<Listened>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let row = global_index(id, groups);
    if row >= listened_count.rows || (listened[row].state & LISTENED_REMOVED) != 0u {
        return;
    }
    let body = listened[row].body;
    if loads.words[body] == 0u {
        return;
    }
    let b = bodies[body];
    var sum = UNTOUCHED;
    // Free particles own their contacts and come last in the list.
    let first = listened[row].first_reverse;
    for (var k = first + min(reverse_counts[body], listened[row].reverse_capacity); k > first && reverse_contacts[k - 1u].x == NONE; k--) {
        let slot = reverse_contacts[k - 1u].y;
        let particle = slot % params.particle_count;
        let thing = particle_things[particle];
        if contacts[slot].touching == APART || thing == NOTHING {
            continue;
        }
        if thing != sum.thing {
            note_touch(row, sum);
            sum = UNTOUCHED;
            sum.thing = thing;
        }
        let n = contacts[slot].normal;
        let point = contacts[slot].point;
        var impulse = dot(contacts[slot].impulse, n);
        if contacts[slot].hold == WET {
            impulse += contacts[slot].grip.y;
        }
        let closing = dot(body_velocity_at(b, point - b.center) - particle_velocities[particle].xyz, n);
        impulse /= params.substep_dt;
        merge_touch(&sum, Touch(-impulse * n, thing, point, closing, -n, impulse), 1.0);
    }
    note_touch(row, sum);
}
