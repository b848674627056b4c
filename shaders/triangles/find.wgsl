#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/control"
#import "common/triangle"
#import "common/thread"
// One thread per triangle. Lists the free particles that may touch it until the next search: those in the cells of the box
// that it sweeps. Listed before, they keep their side; new ones are on the side where they were before this substep.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> cell_starts: array<u32>;
@group(1) @binding(1) var<storage, read> sorted_proxies: array<SortedProxy>;
@group(1) @binding(2) var<storage, read> triangles: array<vec4u>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(5) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(6) var<storage, read_write> triangle_lists: array<vec2u>;
@group(1) @binding(7) var<storage, read_write> control: Control;

// Most cells that the box may have along an axis.
const MOST_CELLS: i32 = 8;

var<private> triangle: u32;
var<private> corners: vec3u;
var<private> phase: u32;
var<private> place: array<vec3f, 3>;
var<private> before: array<vec3f, 3>;
var<private> margin: f32;
var<private> thickness: f32;
var<private> old: array<vec2u, TRIANGLE_SLOTS>;
var<private> old_count: u32;
var<private> found: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    triangle = global_index(id, groups);
    if triangle >= params.triangle_count {
        return;
    }
    corners = triangles[triangle].xyz;
    phase = particle_rows[corners.x].phase;
    if (phase & PHASE_GHOST) != 0u {
        return;
    }
    old_count = triangle_lists[triangle].x;
    for (var k = 0u; k < old_count; k++) {
        old[k] = triangle_lists[triangle_slot(triangle, k + 1u, params.triangle_count)];
    }
    var low = vec3f(1e30);
    var high = vec3f(-1e30);
    for (var k = 0u; k < 3u; k++) {
        let x = particles[corners[k]];
        let v = particle_velocities[corners[k]].xyz;
        place[k] = x.xyz;
        before[k] = x.xyz - params.gravity.w * v;
        let own = search_margin(length(v) + params.collider_speed, params.gravity.w, params.particle_radius);
        margin = max(margin, own);
        thickness = max(thickness, x.w);
        low = min(low, min(place[k], before[k]));
        high = max(high, max(place[k], before[k]));
    }
    // Others reach half a cell at most.
    let reach = vec3f(margin + thickness + 0.5 * params.cell_size);
    let first = grid_cell(low - reach, params.cell_size);
    let wide = grid_cell(high + reach, params.cell_size) - first + vec3i(1);
    let count = min(wide, vec3i(MOST_CELLS));
    if any(count != wide) {
        atomicAdd(&control.contacts_dropped, 1u);
    }
    for (var n = 0; n < count.x * count.y * count.z; n++) {
        search_cell(first + vec3i(n % count.x, (n / count.x) % count.y, n / (count.x * count.y)));
    }
    triangle_lists[triangle] = vec2u(min(found, TRIANGLE_SLOTS), 0u);
}

fn search_cell(cell: vec3i) {
    let bucket = grid_bucket(cell, params.cell_mask);
    let first = cell_starts[bucket];
    let end = cell_starts[bucket + 1u];
    if first == end || (is_silent(sorted_proxies[first].phase) && is_silent(sorted_proxies[end - 1u].phase)) {
        return;
    }
    for (var k = first; k < end; k++) {
        let other = sorted_proxies[k];
        // Buckets hold other cells too.
        let here = all(grid_cell(other.position.xyz, params.cell_size) == cell);
        if here && other.body == NONE && !is_silent(other.phase) && (other.phase & PHASE_GHOST) == 0u {
            consider(other);
        }
    }
}

fn is_silent(other: u32) -> bool {
    return (other >> 8u) != 0u && (other >> 8u) == (phase >> 8u) && (other & PHASE_MEETS_ITSELF) == 0u;
}

fn consider(other: SortedProxy) {
    let p = other.particle;
    if any(corners == vec3u(p)) {
        return;
    }
    let radius = particles[p].w;
    var gap = radius + thickness;
    if (other.phase >> 8u) != 0u && (other.phase >> 8u) == (phase >> 8u) {
        let rest = touch_of(particle_rows[p].local.xyz, particle_rows[corners.x].local.xyz,
            particle_rows[corners.y].local.xyz, particle_rows[corners.z].local.xyz, 1e-9);
        gap = min(gap, 0.8 * select(abs(rest.height), rest.separation, rest.beside));
    }
    let reach = margin + other.position.w - radius;
    let now = touch_of(other.position.xyz, place[0], place[1], place[2], gap);
    let last = other.position.xyz - params.gravity.w * particle_velocities[p].xyz;
    let was = touch_of(last, before[0], before[1], before[2], gap);
    // Through it in this substep, or near.
    let crosses = now.height * was.height < 0.0 && !(now.beside && was.beside);
    if !crosses && min(select(abs(now.height) - gap, now.separation, now.beside),
        select(abs(was.height) - gap, was.separation, was.beside)) > reach {
        return;
    }
    var side = select(1.0, -1.0, was.height < 0.0);
    for (var k = 0u; k < old_count; k++) {
        if old[k].x == p {
            side = sign(bitcast<f32>(old[k].y));
        }
    }
    if found >= TRIANGLE_SLOTS {
        atomicAdd(&control.contacts_dropped, 1u);
        return;
    }
    found += 1u;
    triangle_lists[triangle_slot(triangle, found, params.triangle_count)] = vec2u(p, bitcast<u32>(side * max(gap, 1e-6)));
}
