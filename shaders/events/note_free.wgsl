#import "events/free"
// Notes contacts of free particles. A thread sums what it notes of one pair of things before that reaches the sums of all. The including
// kernel declares what `events/free` asks for, calls `note_free` for each contact, and `tell` at its end. Sums of groups of threads would
// spare atomics, but their barriers took longer on software.

// What is too large to be summed.
const TOO_LARGE: f32 = 1073741824.0;
// What merely touches counts so much, for its point and its normal [N s].
const LEAST_WEIGHT: f32 = 1.5e-8;

// What this thread notes: of which two things, low and high word of each sum, and how fast they come, by `ordered`.
var<private> noted_key: u32;
var<private> noted: array<vec2u, SUMS>;
var<private> noted_speed: u32;

// Notes a contact of two things as `free_touches.things` has them: its normal towards the one, its impulse [N s], how fast they come at one another
// [m/s].
fn note_free(one: u32, other: u32, normal: vec3f, impulse: f32, point: vec3f, speed: f32) {
    let a = one & ~HEARD;
    let b = other & ~HEARD;
    let is_heard = a != b && max(a, b) < thing_counts.end && ((one | other) & HEARD) != 0u;
    let weight = max(impulse, LEAST_WEIGHT);
    // What is no number is none in sums of whole numbers either.
    let whole = abs(weight) < TOO_LARGE && all(abs(normal) < vec3f(TOO_LARGE)) && all(abs(weight * point) < vec3f(TOO_LARGE));
    if !is_heard || !whole {
        return;
    }
    let key = key_of(min(a, b), max(a, b));
    if noted_key != key {
        // Few threads touch more than one thing.
        tell();
        noted_key = key;
    }
    noted_speed = max(noted_speed, ordered(speed));
    let n = weight * select(-normal, normal, a < b);
    note(SUM_WEIGHT, weight);
    for (var k = 0u; k < 3u; k++) {
        note(SUM_IMPULSE + k, n[k]);
        note(SUM_POINT + k, weight * point[k]);
    }
}

fn note(sum: u32, value: f32) {
    noted[sum] = sum_of_words(noted[sum], words_of(value));
}

// Adds what was noted to the sums of all, and notes anew.
fn tell() {
    if noted_key != 0u {
        let slot = slot_of(noted_key);
        if slot == TOUCH_SUMS {
            atomicAdd(&free_touches.dropped, 1u);
        } else {
            atomicMax(&free_touches.sums[slot].speed, noted_speed);
            for (var sum = 0u; sum < SUMS; sum++) {
                add(slot, sum, noted[sum]);
            }
        }
    }
    noted_speed = 0u;
    for (var sum = 0u; sum < SUMS; sum++) {
        noted[sum] = vec2u(0u);
    }
}

fn add(slot: u32, sum: u32, added: vec2u) {
    let low = atomicAdd(&free_touches.sums[slot].words[2u * sum], added.x);
    let high = added.y + u32(low + added.x < low);
    if high != 0u {
        atomicAdd(&free_touches.sums[slot].words[2u * sum + 1u], high);
    }
}

fn sum_of_words(a: vec2u, b: vec2u) -> vec2u {
    let low = a.x + b.x;
    return vec2u(low, a.y + b.y + u32(low < a.x));
}

// Low and high word of a number in units.
fn words_of(value: f32) -> vec2u {
    let size = abs(value);
    let words = vec2u(u32(fract(size) * UNIT), u32(size));
    return select(words, negated(words), value < 0.0);
}

// Whole numbers in the order of what they stand for; 0 stands for nothing.
fn ordered(value: f32) -> u32 {
    let bits = bitcast<u32>(value);
    return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}
