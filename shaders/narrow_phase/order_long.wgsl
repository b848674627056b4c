#import "common/params"
#import "common/body"
#import "narrow_phase/precedes"
// A workgroup for some bodies. Sorts lists of contacts that others own, as `narrow_phase/order` does those that are shorter or longer, in the
// workgroup's memory (bitonic sort, Batcher 1968).

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(1) var<storage, read> reverse_counts: array<u32>;
@group(1) @binding(2) var<storage, read> reverse_unsorted: array<vec2u>;
@group(1) @binding(3) var<storage, read_write> reverse_contacts: array<vec2u>;

// Threads of a group; on software as many as it runs at once.
override LANES: u32 = 32u;

var<workgroup> list: array<vec2u, LONG_LIST>;

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
        let count = select(0u, listed, listed > SHORT_LIST && listed <= LONG_LIST);
        sort(params.reverse_factor * p.first_reverse, count, lane);
    }
}

// Sorts `count` contacts from `first` on.
fn sort(first: u32, count: u32, lane: u32) {
    var size = 1u;
    for (; size < count; size *= 2u) {}
    for (var k = lane; k < size; k += LANES) {
        list[k] = vec2u(NONE);
        if k < count {
            list[k] = reverse_unsorted[first + k];
        }
    }
    for (var run = 2u; run <= size; run *= 2u) {
        for (var apart = run / 2u; apart > 0u; apart /= 2u) {
            workgroupBarrier();
            for (var k = lane; k < size / 2u; k += LANES) {
                let a = 2u * apart * (k / apart) + k % apart;
                let b = a + apart;
                let one = list[a];
                let other = list[b];
                if precedes(other, one) == ((a & run) == 0u) {
                    list[a] = other;
                    list[b] = one;
                }
            }
        }
    }
    workgroupBarrier();
    for (var k = lane; k < count; k += LANES) {
        reverse_contacts[first + k] = list[k];
    }
    workgroupBarrier();
}
