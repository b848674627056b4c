#import "common/thread"
#import "queries/item"
#import "queries/order"
#import "queries/node"
// One thread per place in the tree: the item that comes there, as it is now.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read> items: array<Item>;
@group(1) @binding(1) var<storage, read> bodies: array<Body>;
@group(1) @binding(2) var<storage, read> colliders: array<Collider>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> tear_corners: array<u32>;
@group(1) @binding(5) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(6) var<storage, read> keys: array<Key>;
@group(1) @binding(7) var targets: texture_storage_2d<rgba32uint, write>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < batch.item_count {
        let item = keys[i].item;
        let t = target_of(items[item], item);
        let row = batch.target_row + TARGET_ROWS * i;
        textureStore(targets, row_at(row), vec4u(bitcast<vec3u>(t.a), t.kind | (t.layers << TARGET_BITS)));
        textureStore(targets, row_at(row + 1u), vec4u(bitcast<vec3u>(t.b), t.thing));
        textureStore(targets, row_at(row + 2u), t.c);
    }
}
