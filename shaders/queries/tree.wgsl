#import "queries/query"
#import "queries/bounds"
#import "queries/step"
#import "queries/read"
#import "surfaces/features"
// A query's walk through the tree, nearest first, and through those of shapes that it comes by. The including kernel declares `batch`,
// `queries`, `ignored`, `nodes` and `targets`, and says how large queries are and how they meet targets and boxes:
// `extent_along_axes(query)`, `meet(target)`, which may begin a shape, `meet_plane(target)`, `end_shape()`, `turned()`, `ways_to(node)`.

var<private> query: Query;
var<private> best: f32;        // nothing farther than this is of interest [m]
// The query as it is seen from the tree that it is in, and that tree.
var<private> own: Query;
var<private> reach: vec3f;     // of the query's shape from its middle, along the axes [m]
var<private> node_row: u32;
var<private> target_row: u32;
var<private> first_target: u32; // number of the child that is its first target
// What is left of the levels above: a byte for each, four to a word. No list in memory: threads would wait for one another at
// every write.
var<private> left: vec4u;      // up to three children, two bits each, the nearest first, and above them how many
var<private> left_ways: vec4u; // how far the first of them is, rounded down: see `way_byte`
var<private> level: u32;       // of the node that it is at
// The shape that it is in.
var<private> in_shape: bool;
var<private> shape: Target;
var<private> closed: bool;     // its triangles are, and look out
// What was left outside of it.
var<private> outer_reach: vec3f;
var<private> outer_best: f32;
var<private> outer_left: vec4u;
var<private> outer_ways: vec4u;
var<private> outer_level: u32;
var<private> outer_node: u32;
var<private> shape_begun: bool;

fn begin(row: u32) {
    query = queries[row];
    best = query.most;
}

// Half extents of a query's shape along the axes [m].
fn reach_of(q: Query) -> vec3f {
    let extent = extent_along_axes(q);
    return extent + SLACK * (abs(q.origin) + extent + vec3f(1.0));
}

// Whether the query meets things like this.
fn is_asked(thing: u32, layers: u32) -> bool {
    let asked = (1u << (thing >> THING_BITS)) | (1u << (QUERY_LAYERS + layers));
    if thing == NOTHING || (query.kinds & asked) != asked {
        return false;
    }
    for (var k = 0u; k < query.ignored_count; k++) {
        if ignored[query.first_ignored + k] == thing {
            return false;
        }
    }
    return true;
}

// Half spaces first, then to the next target, meets it, and so on.
fn walk() {
    reach = reach_of(query);
    enter_world();
    if may_be(TARGET_PLANE) {
        for (var i = 0u; i < batch.plane_count; i++) {
            let t = read_target(target_row + TARGET_ROWS * i);
            if t.kind == TARGET_PLANE && is_asked(t.thing, t.layers) {
                meet_plane(t);
            }
        }
    }
    left = vec4u(0u);
    left_ways = vec4u(0u);
    level = 0u;
    var node = 0u;
    while true {
        while node < first_target {
            node = nearest_child(node);
        }
        shape_begun = false;
        if node != NOTHING {
            outer_node = select(node, outer_node, in_shape);
            let t = read_target(target_row + TARGET_ROWS * (node - first_target));
            if in_shape || is_asked(t.thing, t.layers) {
                meet(t);
            }
        } else if in_shape {
            leave_shape();
            node = outer_node;
        } else {
            break;
        }
        node = select(next_node(node), 0u, shape_begun);
    }
}

fn enter_world() {
    own = query;
    node_row = batch.node_row;
    target_row = batch.target_row;
    first_target = FANOUT * batch.first_leaf + 1u;
    in_shape = false;
    shape_begun = false;
    turned();
}

// Goes on with the triangles of a shape, and the query in its frame; the kernel says how much farther than `best` is of interest.
fn begin_shape(t: Target) {
    shape = t;
    outer_reach = reach;
    outer_best = best;
    outer_left = left;
    outer_ways = left_ways;
    outer_level = level;
    left = vec4u(0u);
    left_ways = vec4u(0u);
    level = 0u;
    own = seen_from(query, t.a, bitcast<vec4f>(t.c));
    reach = reach_of(own);
    // A row for each shape: see solver::queries.
    let tree = textureLoad(nodes, row_at(u32(t.b.x)), 0);
    node_row = tree.x;
    target_row = tree.y;
    first_target = tree.z;
    closed = tree.w != 0u;
    in_shape = true;
    shape_begun = true;
    turned();
}

fn leave_shape() {
    best = outer_best;
    end_shape();
    reach = outer_reach;
    enter_world();
    left = outer_left;
    left_ways = outer_ways;
    level = outer_level;
}

// The bits of a level in `left`.
fn bits_of(at: u32) -> vec4u {
    return select(vec4u(0u), vec4u(255u << (8u * (at & 3u))), vec4u(0u, 1u, 2u, 3u) == vec4u(at >> 2u));
}

// The byte of a level; `bits`: its bits.
fn byte_of(words: vec4u, bits: vec4u, at: u32) -> u32 {
    let own_bits = words & bits;
    return (own_bits.x | own_bits.y | own_bits.z | own_bits.w) >> (8u * (at & 3u));
}

// A way in eighths of its power of two, from 2⁻¹⁶ to 2¹⁶ m: floats of 0 or more are in the order of their bits.
fn way_byte(way: f32) -> u32 {
    return clamp(bitcast<u32>(max(way, 0.0)) >> 20u, 888u, 1143u) - 888u;
}

// The nearest child of those left deepest above a node that is still near enough; NOTHING when there is none.
fn next_node(node: u32) -> u32 {
    let most = way_byte(best);
    var next = NOTHING;
    while any(left != vec4u(0u)) && next == NOTHING {
        let high = select(select(vec2u(left.x, 0u), vec2u(left.y, 4u), left.y != 0u),
            select(vec2u(left.z, 8u), vec2u(left.w, 12u), left.w != 0u), (left.z | left.w) != 0u);
        let at = high.y + firstLeadingBit(high.x) / 8u;
        let bits = bits_of(at);
        let children = byte_of(left, bits, at);
        let is_near = byte_of(left_ways, bits, at) <= most;
        // Of what is too far all that was left is farther.
        let rest = select(0u, ((children >> 2u) & 15u) | (((children >> 6u) - 1u) << 6u), is_near && children >= 128u);
        left = (left & ~bits) | (bits & vec4u(rest * 0x01010101u));
        // Node n has the children from 4 n + 1 on: so many levels up are all parents of parents.
        let up = 2u * (level - at);
        let above = (node - (0x55555555u & ((1u << up) - 1u))) >> up;
        next = select(NOTHING, FANOUT * above + 1u + (children & 3u), is_near);
        level = select(level, at + 1u, is_near);
    }
    return next;
}

// A child that is not met, and the last of all in order.
const MISSED: u32 = 0xffffffffu;

// The nearest of four children; the others are left for later. Without one, the next node.
fn nearest_child(node: u32) -> u32 {
    let row = node_row + NODE_ROWS * node;
    let a = textureLoad(nodes, row_at(row), 0);
    let b = textureLoad(nodes, row_at(row + 1u), 0);
    let c = textureLoad(nodes, row_at(row + 2u), 0);
    let scale = bitcast<vec3f>(vec3u(a.w, b.w, c.w));
    let ways = ways_to(Node(bitcast<vec3f>(a.xyz), scale, b.xyz, c.xyz));
    let keys = (bitcast<vec4u>(max(ways, vec4f(0.0))) & vec4u(~3u)) | vec4u(0u, 1u, 2u, 3u);
    let sorted = ordered(select(vec4u(MISSED), keys, ways <= vec4f(best)));
    if sorted.x == MISSED {
        return next_node(node);
    }
    let count = dot(select(vec3u(0u), vec3u(1u), sorted.yzw != vec3u(MISSED)), vec3u(1u));
    let children = (sorted.y & 3u) | ((sorted.z & 3u) << 2u) | ((sorted.w & 3u) << 4u) | (count << 6u);
    let bits = bits_of(level);
    left = (left & ~bits) | (bits & vec4u(select(children, 0u, count == 0u) * 0x01010101u));
    left_ways = (left_ways & ~bits) | (bits & vec4u(way_byte(bitcast<f32>(sorted.y)) * 0x01010101u));
    level += 1u;
    return FANOUT * node + 1u + (sorted.x & 3u);
}

fn ordered(keys: vec4u) -> vec4u {
    let low = min(keys.xy, keys.zw);
    let high = max(keys.xy, keys.zw);
    let middle = vec2u(max(low.x, low.y), min(high.x, high.y));
    return vec4u(min(low.x, low.y), min(middle.x, middle.y), max(middle.x, middle.y), max(high.x, high.y));
}
