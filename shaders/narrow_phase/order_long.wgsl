#import "common/params"
#import "common/body"
#import "narrow_phase/precedes"
// A workgroup for some bodies. Sorts long lists of contacts that others own, as `narrow_phase/order` does short ones. Tiles of a list are
// sorted in the workgroup's memory (bitonic sort, Batcher 1968); the place of a contact is the sum of its places in all tiles.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(1) var<storage, read> reverse_counts: array<u32>;
@group(1) @binding(2) var<storage, read_write> reverse_unsorted: array<vec2u>;
@group(1) @binding(3) var<storage, read_write> reverse_contacts: array<vec2u>;

// Threads of a group; on software as many as it runs at once.
override LANES: u32 = 32u;
const TILE: u32 = 1024u;

var<workgroup> tile: array<vec2u, TILE>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    // A share of them: most lists are short, and on software a group that has nothing to do costs as much as many bodies.
    let all = groups.x * groups.y;
    for (var body = group.x + group.y * groups.x; body < params.body_count; body += all) {
        let p = body_properties[body];
        let listed = min(reverse_counts[body], params.reverse_factor * p.reverse_capacity);
        sort_list(params.reverse_factor * p.first_reverse, select(0u, listed, listed > SHORT_LIST), lane);
    }
}

fn sort_list(first: u32, count: u32, lane: u32) {
    for (var start = 0u; start < count; start += TILE) {
        sort_tile(first + start, min(TILE, count - start), lane);
    }
    storageBarrier();
    for (var k = lane; k < count; k += LANES) {
        let own = reverse_unsorted[first + k];
        var rank = 0u;
        for (var start = 0u; start < count; start += TILE) {
            rank += place_in(first + start, min(TILE, count - start), own);
        }
        reverse_contacts[first + rank] = own;
    }
}

// Sorts `count` contacts from `first` on.
fn sort_tile(first: u32, count: u32, lane: u32) {
    let size = 1u << (32u - countLeadingZeros(count - 1u));
    for (var k = lane; k < size; k += LANES) {
        tile[k] = vec2u(NONE);
        if k < count {
            tile[k] = reverse_unsorted[first + k];
        }
    }
    for (var run = 2u; run <= size; run *= 2u) {
        for (var apart = run / 2u; apart > 0u; apart /= 2u) {
            workgroupBarrier();
            for (var k = lane; k < size / 2u; k += LANES) {
                let a = 2u * apart * (k / apart) + k % apart;
                let b = a + apart;
                let one = tile[a];
                let other = tile[b];
                if precedes(other, one) == ((a & run) == 0u) {
                    tile[a] = other;
                    tile[b] = one;
                }
            }
        }
    }
    workgroupBarrier();
    for (var k = lane; k < count; k += LANES) {
        reverse_unsorted[first + k] = tile[k];
    }
    workgroupBarrier();
}

// How many of `count` sorted contacts from `first` on come before this one.
fn place_in(first: u32, count: u32, own: vec2u) -> u32 {
    var low = 0u;
    var high = count;
    while low < high {
        let middle = (low + high) / 2u;
        if precedes(reverse_unsorted[first + middle], own) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}
