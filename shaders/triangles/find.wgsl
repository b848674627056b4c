#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/control"
#import "common/facet"
#import "common/thread"
// One thread per two facets near each other. Lists their corners and triangles, and their edges, that may meet until the next
// search: each pair once, by who owns what.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> triangles: array<vec4u>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> facet_boxes: array<FacetBox>;
@group(1) @binding(4) var<storage, read> near_facets: array<u32>;
@group(1) @binding(5) var<storage, read_write> surface_list: array<atomic<u32>>;
@group(1) @binding(6) var<storage, read_write> surface_pairs: array<SurfacePair>;
@group(1) @binding(7) var<storage, read_write> control: Control;

var<private> gap: f32;
var<private> reach: f32;
var<private> joined: bool;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = global_index(id, groups);
    if place >= min(near_facets[3u], 2u * atomicLoad(&surface_list[ROOM])) {
        return;
    }
    let i = near_facets[NEAR_AT + 2u * place];
    let k = near_facets[NEAR_AT + 2u * place + 1u];
    let a = triangles[i];
    let b = triangles[k];
    let group = particle_rows[a.x].phase >> 8u;
    joined = group != 0u && group == particle_rows[b.x].phase >> 8u;
    let slow = 0.6 * params.particle_radius;
    let velocity = facet_boxes[i].velocity;
    let moving = facet_boxes[k].velocity;
    let closing = LASTING * params.gravity.w * length(velocity.xyz - moving.xyz) + velocity.w + moving.w;
    reach = slow + min(closing, facet_boxes[i].center.w + facet_boxes[k].center.w - slow);
    gap = THICKNESS * (facet_boxes[i].half.w + facet_boxes[k].half.w);
    for (var n = 0u; n < 3u; n++) {
        if (b.w & (1u << n)) != 0u && all(a.xyz != vec3u(b[n])) {
            consider(vec4u(b[n], a.xyz), 0u);
        }
        // A point has no surface.
        if (a.w & (1u << n)) != 0u && all(b.xyz != vec3u(a[n])) && b.x != b.y {
            consider(vec4u(a[n], b.xyz), 0u);
        }
        if (a.w & (OWNS_EDGE << n)) == 0u {
            continue;
        }
        let ends = vec2u(a[n], a[(n + 1u) % 3u]);
        for (var m = 0u; m < 3u; m++) {
            let others = vec2u(b[m], b[(m + 1u) % 3u]);
            if (b.w & (OWNS_EDGE << m)) != 0u && all(ends != others) && all(ends != others.yx) {
                consider(vec4u(ends, others), EDGES);
            }
        }
    }
}

fn consider(four: vec4u, kind: u32) {
    let frame = frame_of(mat4x3f(particle_origins[four.x].xyz, particle_origins[four.y].xyz, particle_origins[four.z].xyz,
        particle_origins[four.w].xyz), kind == EDGES);
    if frame.distance > gap + reach {
        return;
    }
    var kept = gap;
    if joined {
        let rest = frame_of(mat4x3f(particle_rows[four.x].local.xyz, particle_rows[four.y].local.xyz,
            particle_rows[four.z].local.xyz, particle_rows[four.w].local.xyz), kind == EDGES);
        kept = clamp(REST_PART * rest.distance, 1e-6, gap);
        if frame.distance > kept + reach {
            return;
        }
    }
    let place = atomicAdd(&surface_list[3u], 1u);
    let room = atomicLoad(&surface_list[ROOM]);
    if place >= room - room / 4u {
        atomicMax(&control.surfaces_most, place + 1u);
    }
    if place >= room {
        atomicAdd(&control.surfaces_dropped, 1u);
        return;
    }
    let listed = vec4u(four.x | kind, four.yzw);
    surface_pairs[place] = SurfacePair(listed, vec4f(frame.normal, kept), vec4f(0.0));
    let filled = listed_groups(place, WORKGROUP);
    atomicMax(&surface_list[0], filled.x);
    atomicMax(&surface_list[1u], filled.y);
}
