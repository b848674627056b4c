#import "common/params"
#import "common/body"
#import "common/contact"
#import "search/margin"
#import "common/thread"
// One thread per body, first in a search. Empties its list of contacts that other particles own, and gives it a margin for
// its present speed.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> reverse_counts: array<u32>;
@group(1) @binding(1) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(2) var<storage, read> body_properties: array<BodyProperties>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < params.body_count {
        reverse_counts[i] = 0u;
        let b = bodies[i];
        let reach = body_properties[i].reach;
        let speed = length(b.velocity) + length(b.angular_velocity) * reach + params.collider_speed;
        // What moves serves a frame, where its margin may be as large.
        let way = way_ahead(speed, LASTING);
        bodies[i].margin = search_margin(way, params.particle_radius, BODY_MARGIN_MOST);
    }
}
