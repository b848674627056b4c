#import "queries/target"
// What two things feel of one another of which one at least is of free particles: objects, liquids, grains. Noted contact by contact,
// in any order: sums are of whole numbers of 64 bits. The including kernel declares `thing_counts` and `free_touches`.

// Things are counted through: bodies, then objects, liquids and grains, then colliders. The first of each kind:
struct ThingCounts {
    objects: u32,
    liquids: u32,
    grains: u32,
    colliders: u32,
    end: u32,
}

// Sums of two things in a frame, in units of UNIT.
struct TouchSum {
    key: atomic<u32>,                  // see `key_of`, 0 in an empty slot
    watched: u32,                      // 1 where a listener was told of the two before
    speed: atomic<u32>,                // fastest that they came at one another, by `ordered`
    words: array<atomic<u32>, 14>,     // low and high word of each sum: those below
}

struct FreeTouches {
    sums: array<TouchSum, 4096>,       // TOUCH_SUMS, by a hash of their keys
    dropped: atomic<u32>,              // contacts that found no slot in this frame
    body_pairs: u32,                   // `surface_list` when surfaces are noted: pairs of particles of bodies and triangles, and the
    first_body_pair: u32,              // first of them in `surface_pairs`
    things: array<u32>,                // [particle_count + things] of particles, then themselves; UNNAMED for no thing, with HEARD
}

// Sums of contacts: normals towards the lower thing and points, times weight, and the weight: the impulse, or LEAST_WEIGHT [N s]. The first
// of each:
const SUM_IMPULSE: u32 = 0u;
const SUM_POINT: u32 = 3u;
const SUM_WEIGHT: u32 = 6u;
const SUMS: u32 = 7u;

const TOUCH_SUMS: u32 = 4096u;
// Slots that a key may be in.
const PROBES: u32 = 64u;
// Set in a thing that a listener names.
const HEARD: u32 = 0x80000000u;
const UNNAMED: u32 = 0x7fffffffu;
// Units of a sum in 1.
const UNIT: f32 = 4294967296.0;

// Of the lower and the higher one of two things.
fn key_of(low: u32, high: u32) -> u32 {
    let is_free = low >= thing_counts.objects;
    let free = select(high, low, is_free) - thing_counts.objects;
    return free * thing_counts.end + select(low, high, is_free) + 1u;
}

// The lower and the higher one.
fn things_of(key: u32) -> vec2u {
    let free = (key - 1u) / thing_counts.end + thing_counts.objects;
    let other = (key - 1u) % thing_counts.end;
    return vec2u(min(free, other), max(free, other));
}

// The slot of a key, a new one if it has none; TOUCH_SUMS where there is no room. Which one depends on the order of threads, and
// nothing depends on which.
fn slot_of(key: u32) -> u32 {
    let first = (key * 2654435769u) >> 20u;
    for (var k = 0u; k < PROBES; k++) {
        let slot = (first + k) % TOUCH_SUMS;
        // It may fail where it need not.
        var seen = atomicLoad(&free_touches.sums[slot].key);
        while seen == 0u {
            let exchange = atomicCompareExchangeWeak(&free_touches.sums[slot].key, 0u, key);
            seen = select(exchange.old_value, key, exchange.exchanged);
        }
        if seen == key {
            return slot;
        }
    }
    return TOUCH_SUMS;
}

fn sum_of(slot: u32, sum: u32) -> f32 {
    let low = atomicLoad(&free_touches.sums[slot].words[2u * sum]);
    return value_of(vec2u(low, atomicLoad(&free_touches.sums[slot].words[2u * sum + 1u])));
}

fn vector_sum_of(slot: u32, sum: u32) -> vec3f {
    return vec3f(sum_of(slot, sum), sum_of(slot, sum + 1u), sum_of(slot, sum + 2u));
}

fn value_of(words: vec2u) -> f32 {
    let is_negative = words.y >= 0x80000000u;
    let size = select(words, negated(words), is_negative);
    let value = f32(size.y) + f32(size.x) / UNIT;
    return select(value, -value, is_negative);
}

fn negated(words: vec2u) -> vec2u {
    return vec2u(~words.x + 1u, ~words.y + u32(words.x == 0u));
}

// The number of what `ordered` of `events/note_free` gives.
fn unordered(word: u32) -> f32 {
    return bitcast<f32>(select(~word, word & 0x7fffffffu, word >= 0x80000000u));
}

// A thing as queries and the host have it, and back.
fn number_of(thing: u32) -> u32 {
    if thing < thing_counts.objects {
        return (THING_BODY << THING_BITS) | thing;
    }
    if thing < thing_counts.liquids {
        return (THING_DEFORMABLE << THING_BITS) | (thing - thing_counts.objects);
    }
    if thing < thing_counts.grains {
        return (THING_LIQUID << THING_BITS) | (thing - thing_counts.liquids);
    }
    if thing < thing_counts.colliders {
        return (THING_GRAINS << THING_BITS) | (thing - thing_counts.grains);
    }
    return (THING_COLLIDER << THING_BITS) | (thing - thing_counts.colliders);
}

fn counted(number: u32) -> u32 {
    let index = number & ((1u << THING_BITS) - 1u);
    switch number >> THING_BITS {
        case THING_DEFORMABLE { return thing_counts.objects + index; }
        case THING_LIQUID { return thing_counts.liquids + index; }
        case THING_GRAINS { return thing_counts.grains + index; }
        case THING_COLLIDER { return thing_counts.colliders + index; }
        default { return index; }
    }
}
