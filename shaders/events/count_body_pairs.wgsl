#import "surfaces/lists"
#import "events/free"
// One thread. Says where the pairs of particles of bodies and triangles are, for `events/free_bodies`, which has no room for their list.

@group(1) @binding(0) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read_write> free_touches: FreeTouches;
@group(0) @binding(0) var<uniform> thing_counts: ThingCounts;

@compute @workgroup_size(1)
fn main() {
    free_touches.body_pairs = min(surface_list.body_pairs.count, surface_list.room);
    free_touches.first_body_pair = surface_list.room;
}
