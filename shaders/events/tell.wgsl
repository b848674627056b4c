#import "events/listener"
#import "common/thread"
// One thread per body that the host listens to, at the end of a frame. Tells what it touches where a listener hears of it, and what it
// still touches where it may have told so before: only that comes back.

@group(0) @binding(0) var<uniform> listened_count: ListenedCount;
@group(1) @binding(0) var<storage, read> listeners: array<ListenerRow>;
@group(1) @binding(1) var<storage, read_write> listened: array<Listened>;
@group(1) @binding(2) var<storage, read_write> listened_states: array<u32>;
@group(1) @binding(3) var<storage, read_write> told_count: array<atomic<u32>>;
@group(1) @binding(4) var<storage, read_write> told: array<ToldRow>;

// Bits of a word of `listened_states` for the state; what was dropped is above.
const STATE_BITS: u32 = 8u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let row = global_index(id, groups);
    if row >= listened_count.rows {
        return;
    }
    let body = listened[row].body;
    let state = listened[row].state;
    listened_states[row] = state | (listened[row].dropped << STATE_BITS);
    // What sleeps touches what it touched, and is not solved.
    var telling = (state & LISTENED_ASLEEP) != 0u;
    let told_before = listened[row].telling != 0u;
    for (var k = 0u; k < TOUCH_SLOTS && listened[row].touches[k].thing != NOTHING; k++) {
        let touch = listened[row].touches[k];
        let heard = is_heard((THING_BODY << THING_BITS) | body, touch);
        telling = telling || told_before || heard;
        if heard || told_before {
            told[atomicAdd(&told_count[0], 1u)] = ToldRow((THING_BODY << THING_BITS) | body, u32(!heard), touch);
        }
    }
    listened[row].telling = u32(telling);
}
