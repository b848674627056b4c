#import "common/params"
#import "common/body"
#import "surfaces/primitive"
#import "surfaces/lists"
#import "common/thread"
// One thread per particle, and per bucket of leaves, when surfaces are searched. Remembers where the particle begins this substep,
// how it moves, and how far it may stray from that; empties the bucket, and the words after the buckets. What is pinned may not
// have moved yet: it goes on as before.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read_write> marked_places: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> marked_velocities: array<vec4f>;
@group(1) @binding(6) var<storage, read_write> leaf_chains: array<u32>;
@group(1) @binding(7) var<storage, read> surface_list: SurfaceList;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    let buckets = surface_list.leaf_mask + 1u;
    if i < buckets + LARGEST_WORDS {
        leaf_chains[i] = select(0u, NONE, i < buckets);
    }
    if i >= params.particle_count {
        return;
    }
    let origin = particle_origins[i];
    let before = particle_velocities[i];
    let now = (particles[i].xyz - origin.xyz) / params.substep_dt;
    let goes_on = before.w == 0.0 && length(before.xyz) > length(now);
    let velocity = select(now, before.xyz, goes_on);
    let strayed = select(marked_places[i].w, 0.0, marked_places[i].w > FARTHEST_STRAY * origin.w);
    let way = surface_list.time * length(velocity);
    marked_places[i] = vec4f(origin.xyz, STRAY_KEPT * strayed);
    marked_velocities[i] = vec4f(velocity, margin_of(origin.w, particle_rows[i].finest, strayed, way));
}

// Of a free particle, by the shortest height of its triangles, what it strayed and how far it goes [m]; less than 0 of what strays.
fn margin_of(radius: f32, finest: f32, strayed: f32, way: f32) -> f32 {
    if finest > HIGHEST {
        return clamp(way, POINT_MARGIN * radius, FAST_POINT_MARGIN * radius);
    }
    let margin = min(SURFACE_MARGIN * radius, SURFACE_MARGIN_PART * finest);
    let wide = min(STRAY_ROOM * strayed, WIDEST_MARGIN * margin);
    return select(margin, -wide, wide > margin);
}

// There are no triangles so high [m].
const HIGHEST: f32 = 1e30;
