#import "common/params"
#import "common/contact"
#import "events/note"
#import "common/thread"
// One thread per body that the host listens to, at the end of a frame and before a search lists the pairs anew. Notes the bodies
// that it touched since.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> listened_count: ListenedCount;
@group(1) @binding(0) var<storage, read> manifolds: array<Manifold>;
@group(1) @binding(1) var<storage, read_write> pair_touches: array<Touch>;
@group(1) @binding(2) var<storage, read_write> listened: array<Listened>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let row = global_index(id, groups);
    if row >= listened_count.rows {
        return;
    }
    let world = listened[row].body * params.manifold_slots;
    for (var k = world + 1u; k < world + params.manifold_slots && manifolds[k].other != NONE; k++) {
        if pair_touches[k].thing != EMPTY {
            var touch = pair_touches[k];
            touch.thing -= 1u;
            note_touch(row, touch);
            pair_touches[k].thing = EMPTY;
        }
    }
}
