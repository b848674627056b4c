#import "common/thread"
#import "queries/item"
#import "queries/bounds"
#import "queries/order"
// One thread per item: its key in the order of the tree.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read> items: array<Item>;
@group(1) @binding(1) var<storage, read> bodies: array<Body>;
@group(1) @binding(2) var<storage, read> colliders: array<Collider>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> tear_corners: array<u32>;
@group(1) @binding(5) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(6) var<storage, read> window: array<Window>;
@group(1) @binding(7) var<storage, read_write> keys: array<Key>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < batch.item_count {
        keys[i] = Key(key_of(box_of(target_of(items[i], i)), window[0]), i);
    }
}
