#import "common/params"
#import "common/thread"
#import "common/control"
#import "constraints/seams"
// One thread per vertex of what tears. How it would split: across its longest edge, so that the triangles on that side of it which hang
// together leave. What hangs together by the vertex alone parts first.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> tear_vertices: array<TearVertex>;
@group(1) @binding(3) var<storage, read> tear_fans: array<u32>;
@group(1) @binding(4) var<storage, read> tear_sides: array<TearSide>;
@group(1) @binding(5) var<storage, read> tear_corners: array<u32>;
@group(1) @binding(6) var<storage, read> tear_needs: array<u32>;
@group(1) @binding(7) var<storage, read_write> tear_plans: array<TearPlan>;

// By place: the places whose triangles share an edge at the vertex.
var<private> joined: array<u32, MOST_FAN>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let v = global_index(id, groups);
    if v >= arrayLength(&tear_vertices) {
        return;
    }
    tear_plans[v] = plan(v);
}

fn plan(v: u32) -> TearPlan {
    let none = TearPlan(0u, 0u, 0u, NONE);
    let vertex = tear_vertices[v];
    let particle = v + vertex.offset;
    if tear_needs[v] == 0u || vertex.held != 0u || particle_velocities[particle].w == 0.0 {
        return none;
    }
    var own = 0u;
    for (var k = 0u; k < vertex.count; k++) {
        let c = tear_fans[vertex.first + k];
        if tear_corners[c] == particle {
            own |= 1u << k;
            joined[k] = joined_over(c, c) | joined_over(c, last_corner(c));
        }
    }
    if own == 0u {
        return none;
    }
    let first = reached(own & (~own + 1u), own);
    let apart = own & ~first;
    if apart != 0u {
        let leaving = reached(apart & (~apart + 1u), apart);
        return TearPlan(LOOSE, leaving, own & ~leaving, NONE);
    }
    return plan_across(vertex, particle, own);
}

// The longest edge for its limit, and what is on its side of the plane across it.
fn plan_across(vertex: TearVertex, particle: u32, own: u32) -> TearPlan {
    let none = TearPlan(0u, 0u, 0u, NONE);
    let x = particles[particle].xyz;
    var worst = 1.0;
    var way = vec3f(0.0);
    var place = 0u;
    for (var rest = own; rest != 0u; rest &= rest - 1u) {
        let k = firstTrailingBit(rest);
        let c = tear_fans[vertex.first + k];
        let edges = array(vec2u(next_corner(c), c), vec2u(last_corner(c), last_corner(c)));
        for (var e = 0u; e < 2u; e++) {
            let d = particles[tear_corners[edges[e].x]].xyz - x;
            let ratio = length(d) / tear_sides[edges[e].y].most;
            if ratio > worst {
                worst = ratio;
                way = d;
                place = k;
            }
        }
    }
    var beyond = 0u;
    for (var rest = own; rest != 0u; rest &= rest - 1u) {
        let k = firstTrailingBit(rest);
        let c = tear_fans[vertex.first + k];
        let middle = particles[tear_corners[next_corner(c)]].xyz - x + (particles[tear_corners[last_corner(c)]].xyz - x);
        beyond |= select(0u, 1u << k, dot(middle, way) > 0.0);
    }
    let leaving = reached((1u << place) & beyond, beyond);
    if leaving == 0u || leaving == own {
        return none;
    }
    return TearPlan(ordered_bits(worst), leaving, own & ~leaving, NONE);
}

// The place of what a corner at an end of an edge is on its other side, as a bit, while the edge is whole.
fn joined_over(corner: u32, edge: u32) -> u32 {
    let side = tear_sides[edge];
    if side.across >= HELD {
        return 0u;
    }
    // The edge runs the other way there, unless its triangles face different ways.
    let along = tear_sides[side.across].vertex == side.vertex;
    let beyond = next_corner(side.across);
    let begin = select(beyond, side.across, along);
    let end = select(side.across, beyond, along);
    if tear_corners[begin] != tear_corners[edge] || tear_corners[end] != tear_corners[next_corner(edge)] {
        return 0u;
    }
    return 1u << tear_sides[select(end, begin, corner == edge)].place;
}

// What hangs together with `start`, of the places `within`.
fn reached(start: u32, within: u32) -> u32 {
    var all = start;
    for (var round = 0u; round < MOST_FAN; round++) {
        var more = all;
        for (var rest = all; rest != 0u; rest &= rest - 1u) {
            more |= joined[firstTrailingBit(rest)] & within;
        }
        if more == all {
            break;
        }
        all = more;
    }
    return all;
}
