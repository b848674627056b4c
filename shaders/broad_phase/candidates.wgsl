#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/contact"
#import "common/control"
#import "common/layers"
#import "common/shape"
#import "common/thread"
// One thread per proxy, in sorted order: the broad phase. Lists the bodies and free particles that the proxy's
// particles may touch until the next search, and for bodies the colliders.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> cell_starts: array<u32>;
@group(1) @binding(1) var sorted_proxies: texture_2d<u32>;
@group(1) @binding(2) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(3) var<storage, read> ignored_bodies: array<u32>;
@group(1) @binding(4) var<storage, read> colliders: array<Collider>;
@group(1) @binding(5) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(6) var<storage, read_write> candidates: array<u32>;
@group(1) @binding(7) var<storage, read_write> control: Control;

// Candidates gathered before they are looked at.
const MOST_HITS: u32 = 64u;

var<private> hits: array<u32, MOST_HITS>;
var<private> own: SortedProxy;
var<private> row: u32;
var<private> found: u32;
var<private> first_ignored: u32;
var<private> end_ignored: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= params.proxy_count {
        return;
    }
    own = sorted_proxy(sorted_proxies, s);
    row = own.proxy * candidate_row(params.candidate_capacity);
    var candidate_colliders = 0u;
    var kept = false;
    if (own.phase & PHASE_GHOST) == 0u {
        if own.body != NONE {
            first_ignored = body_properties[own.body].first_ignored;
            end_ignored = first_ignored + body_properties[own.body].ignored_count;
        }
        if params.body_count > 0u && is_marked(LARGE_CELLS, params.cell_size) {
            search_cells(LARGE_CELLS, params.cell_size);
        }
        // A free particle's contact serves the body too; all else meets what is still by itself. Triangles meet elsewhere.
        kept = (own.phase & PHASE_STILL) != 0u && found == 0u;
        if own.body != NONE {
            candidate_colliders = search_colliders();
        }
        if own.body == NONE && !kept && params.meeting_balls > 0u && is_marked(SMALL_CELLS, params.small_cell_size) {
            search_cells(SMALL_CELLS, params.small_cell_size);
        }
    }
    candidates[row] = candidate_colliders | (found << 16u) | select(0u, CANDIDATES_KEPT, kept);
    let position = bitcast<vec4u>(own.position);
    candidates[row + 1u] = position.x;
    candidates[row + 2u] = position.y;
    candidates[row + 3u] = position.z;
    candidates[row + 4u] = position.w;
}

// A collider that is listed, and how far the proxy's center is from it at least [m].
struct Listed {
    word: u32,
    bound: f32,
}

// Those that are nearest, where there are too many: a floor may be of tiles much smaller than what lies on it.
fn search_colliders() -> u32 {
    let room = CANDIDATE_COLLIDERS + params.candidate_capacity - found;
    var count = 0u;
    var farthest = Listed(NONE, 0.0);
    let reach = own.position.w;
    for (var c = 0u; c < params.collider_count; c++) {
        let bound = collider_bound(c);
        if bound >= reach || (LAYERS && !layers_meet(own.phase, shapes[4u * colliders[c].shape].z)) {
            continue;
        }
        if count < room {
            candidates[row + candidate_collider(count, params.candidate_capacity)] = TARGET_COLLIDER | c;
            count += 1u;
            continue;
        }
        atomicAdd(&control.colliders_dropped, 1u);
        if farthest.word == NONE {
            farthest = farthest_collider(room);
        }
        if bound < farthest.bound {
            candidates[row + farthest.word] = TARGET_COLLIDER | c;
            farthest.word = NONE;
        }
    }
    return count;
}

// How far the proxy's center is from a collider at least [m].
fn collider_bound(c: u32) -> f32 {
    let collider = collider_at(colliders[c], batch.time);
    return shape_bound(collider.shape, rotate_back(collider.rotation, own.position.xyz - collider.position));
}

// Of the first so many that are listed the farthest, of several the last.
fn farthest_collider(count: u32) -> Listed {
    var farthest = Listed(candidate_collider(0u, params.candidate_capacity), -1e30);
    for (var k = 0u; k < count; k++) {
        let word = candidate_collider(k, params.candidate_capacity);
        let bound = collider_bound(candidates[row + word] & TARGET_INDEX);
        if bound >= farthest.bound {
            farthest = Listed(word, bound);
        }
    }
    return farthest;
}

// Whether something solid may be in reach: liquid has much liquid around it, which it does not meet here.
fn is_marked(level: u32, cell_size: f32) -> bool {
    if (own.phase & PHASE_LIQUID) == 0u {
        return true;
    }
    let bucket = grid_bucket(grid_cell(own.position.xyz, cell_size), level, params.cell_mask);
    return cell_starts[mark_of(bucket, params.cell_mask)] == control.searches;
}

// Gathers what is in reach, then sees who it is: few candidates are, and threads side by side wait for one another.
fn search_cells(level: u32, cell_size: f32) {
    let center = grid_cell(own.position.xyz, cell_size);
    let own_reach = own.position.w + surplus();
    var n = 0;
    var cell = center;
    var k = 0u;
    var end = 0u;
    while n < 27 || k < end {
        var hit_count = 0u;
        while hit_count < MOST_HITS && (n < 27 || k < end) {
            if k >= end {
                cell = center + around_cell(n);
                let bucket = grid_bucket(cell, level, params.cell_mask);
                k = cell_starts[bucket];
                end = cell_starts[bucket + 1u];
                n += 1;
                if k < end && all_filtered(own.phase, sorted_phase(sorted_proxies, k), sorted_phase(sorted_proxies, end - 1u)) {
                    end = k;
                }
            }
            for (; k < end && hit_count < MOST_HITS; k++) {
                let other = sorted_position(sorted_proxies, k);
                let offset = own.position.xyz - other.xyz;
                let reach = own_reach + other.w;
                // Buckets hold other cells too.
                if dot(offset, offset) < reach * reach && all(grid_cell(other.xyz, cell_size) == cell) {
                    hits[hit_count] = k;
                    hit_count += 1u;
                }
            }
        }
        for (var hit = 0u; hit < hit_count; hit++) {
            let other = sorted_proxy(sorted_proxies, hits[hit]);
            if (other.body == NONE) == (level == SMALL_CELLS) {
                consider(other);
            }
        }
    }
}

fn consider(other: SortedProxy) {
    if (other.phase & PHASE_GHOST) != 0u || filtered(own.phase, other.phase) || other.proxy == own.proxy {
        return;
    }
    if passes(own.phase, other.phase) {
        return;
    }
    if other.body == NONE {
        if distance(own.position.xyz, other.position.xyz) < own.position.w + other.position.w {
            list(TARGET_PARTICLE | other.particle);
        }
    } else if other.body != own.body && !ignores(other.body) && !is_listed(TARGET_BODY | other.body) {
        list(TARGET_BODY | other.body);
    }
}

// Liquid feels surfaces of bodies and colliders from farther away.
fn surplus() -> f32 {
    return select(0.0, (LIQUID_SUPPORT - 1.0) * params.particle_radius, (own.phase & PHASE_LIQUID) != 0u);
}

fn ignores(body: u32) -> bool {
    for (var k = first_ignored; k < end_ignored; k++) {
        if ignored_bodies[k] == body {
            return true;
        }
    }
    return false;
}

// A body has many proxies.
fn is_listed(near: u32) -> bool {
    for (var k = 0u; k < found; k++) {
        if candidates[row + CANDIDATE_HEAD + CANDIDATE_COLLIDERS + k] == near {
            return true;
        }
    }
    return false;
}

fn list(near: u32) {
    if found >= params.candidate_capacity {
        atomicAdd(&control.candidates_dropped, 1u);
        return;
    }
    candidates[row + CANDIDATE_HEAD + CANDIDATE_COLLIDERS + found] = near;
    found += 1u;
}
