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

// Gap between surfaces, in radii of their particles: balls keep surfaces apart at their corners, triangles between them.
const THICKNESS: f32 = 0.7;
// Most cells that the box may have along an axis.
const MOST_CELLS: i32 = 8;
// Candidates looked at together.
const MOST_HITS: u32 = 32u;

var<private> triangle: u32;
var<private> corners: vec3u;
var<private> phase: u32;
var<private> place: array<vec3f, 3>;
var<private> before: array<vec3f, 3>;
var<private> swept: array<vec3f, 2>;
var<private> margin: f32;
var<private> thickness: f32;
var<private> old: array<vec2u, TRIANGLE_SLOTS>;
var<private> old_count: u32;
var<private> hits: array<u32, MOST_HITS>;
var<private> found: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    triangle = global_index(id, groups);
    if triangle >= params.triangle_count {
        return;
    }
    corners = triangles[triangle].xyz;
    if triangles[triangle].w != 0u {
        // Torn.
        triangle_lists[triangle] = vec2u(0u);
        return;
    }
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
        let own = search_margin(length(v) + params.collider_speed, params.gravity.w, x.w);
        margin = max(margin, own);
        thickness = max(thickness, x.w);
        low = min(low, min(place[k], before[k]));
        high = max(high, max(place[k], before[k]));
    }
    swept = array<vec3f, 2>(low, high);
    // Others reach half a cell at most.
    let reach = vec3f(margin + THICKNESS * thickness + 0.5 * params.cell_size);
    let first = grid_cell(low - reach, params.cell_size);
    let wide = grid_cell(high + reach, params.cell_size) - first + vec3i(1);
    let count = min(wide, vec3i(MOST_CELLS));
    if any(count != wide) {
        atomicAdd(&control.contacts_dropped, 1u);
    }
    search_cells(first, count);
    triangle_lists[triangle] = vec2u(min(found, TRIANGLE_SLOTS), 0u);
}

// Gathers what is in the box, then looks at it: few candidates are, and threads side by side wait for one another.
fn search_cells(corner: vec3i, count: vec3i) {
    let cells = count.x * count.y * count.z;
    var n = 0;
    var cell = corner;
    var k = 0u;
    var end = 0u;
    while n < cells || k < end {
        var hit_count = 0u;
        while hit_count < MOST_HITS && (n < cells || k < end) {
            if k >= end {
                cell = corner + vec3i(n % count.x, (n / count.x) % count.y, n / (count.x * count.y));
                let bucket = grid_bucket(cell, params.cell_mask);
                k = cell_starts[bucket];
                end = cell_starts[bucket + 1u];
                n += 1;
                if k < end && is_silent(sorted_proxies[k].phase) && is_silent(sorted_proxies[end - 1u].phase) {
                    end = k;
                }
            }
            for (; k < end && hit_count < MOST_HITS; k++) {
                let at = sorted_proxies[k].position;
                let reach = vec3f(margin + THICKNESS * thickness + at.w);
                // Buckets hold other cells too.
                if all(at.xyz > swept[0] - reach) && all(at.xyz < swept[1] + reach)
                    && all(grid_cell(at.xyz, params.cell_size) == cell) {
                    hits[hit_count] = k;
                    hit_count += 1u;
                }
            }
        }
        for (var hit = 0u; hit < hit_count; hit++) {
            let other = sorted_proxies[hits[hit]];
            if other.body == NONE && !is_silent(other.phase) && (other.phase & PHASE_GHOST) == 0u {
                consider(other);
            }
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
    var gap = THICKNESS * (radius + thickness);
    let reach = margin + other.position.w - radius;
    let now = touch_of(other.position.xyz, place[0], place[1], place[2], 1.0);
    let last = other.position.xyz - params.gravity.w * particle_velocities[p].xyz;
    let was = touch_of(last, before[0], before[1], before[2], 1.0);
    // Through it in this substep, or near.
    let crosses = now.height * was.height < 0.0 && !(now.beside && was.beside);
    let nearest = select(min(distance_of(now), distance_of(was)), 0.0, crosses);
    if nearest > gap + reach {
        return;
    }
    if (other.phase >> 8u) != 0u && (other.phase >> 8u) == (phase >> 8u) {
        let rest = touch_of(particle_rows[p].local.xyz, particle_rows[corners.x].local.xyz,
            particle_rows[corners.y].local.xyz, particle_rows[corners.z].local.xyz, 1.0);
        gap = min(gap, 0.8 * distance_of(rest));
    }
    if nearest > gap + reach {
        return;
    }
    var side = select(1.0, -1.0, was.height < 0.0);
    // Close over it, it may have passed through: what it was listed with holds.
    if !now.beside && abs(now.height) < DEEPEST * gap {
        for (var k = 0u; k < old_count; k++) {
            if old[k].x == p {
                side = sign(bitcast<f32>(old[k].y));
            }
        }
    }
    list(vec2u(p, bitcast<u32>(side * max(gap, 1e-6))));
}

fn list(entry: vec2u) {
    if found >= TRIANGLE_SLOTS {
        atomicAdd(&control.contacts_dropped, 1u);
        return;
    }
    found += 1u;
    triangle_lists[triangle_slot(triangle, found, params.triangle_count)] = entry;
}
