#import "common/control"
#import "search/searching"
// One thread, after `constraints/tear`: the passes that split vertices run, or none of them.

@group(1) @binding(0) var<storage, read_write> control: Control;
@group(1) @binding(1) var<storage, read> search_sizes: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> search_args: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let due = atomicExchange(&control.tears_due, 0u) != 0u;
    for (var i = 0u; i < arrayLength(&search_sizes); i++) {
        let row = search_sizes[i];
        if row.w == OF_TEARS {
            search_args[3u * i] = select(0u, row.x, due);
            search_args[3u * i + 1u] = select(0u, row.y, due);
            search_args[3u * i + 2u] = select(0u, row.z, due);
        }
    }
}
