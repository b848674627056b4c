#import "queries/query"
#import "queries/bounds"
#import "queries/step"
#import "queries/read"
#import "surfaces/features"
// A query's walk through the tree, nearest first, and through those of shapes that it comes by. The including kernel declares `batch`,
// `queries`, `ignored`, `nodes` and `targets`, whether queries have a shape (`HAS_SHAPE`), and says how it meets targets and boxes:
// `meet(target)`, which may begin a shape, `meet_plane(target)`, `end_shape()`, `turned()` and `ways_to(node)`.

// Room for what is put aside in the tree, and in that of a shape above it.
const STACK: u32 = 76u;

var<private> query: Query;
var<private> best: f32;        // nothing farther than this is of interest [m]
// The query as it is seen from the tree that it is in, and that tree.
var<private> own: Query;
var<private> reach: vec3f;     // of the query's shape from its middle, along the axes [m]
var<private> node_row: u32;
var<private> target_row: u32;
var<private> first_target: u32; // number of the child that is its first target
// A child each: its way and, in the lowest bits, its number.
var<private> stack: array<u32, STACK>;
var<private> top: u32;         // entries of the stack
var<private> bottom: u32;      // those below the tree that it is in
// The shape that it is in.
var<private> in_shape: bool;
var<private> shape: Target;
var<private> closed: bool;     // its triangles are, and look out
var<private> outer_best: f32;
var<private> shape_begun: bool;

fn begin(row: u32) {
    query = queries[row];
    best = query.most;
}

// Half extents of a query's shape along the axes [m].
fn reach_of(q: Query) -> vec3f {
    var extent = vec3f(0.0);
    if HAS_SHAPE {
        extent = turned_extent(q.rotation, q.half) + abs(rotate(q.rotation, q.axis)) + q.radius;
    }
    return extent + SLACK * (abs(q.origin) + extent + vec3f(1.0));
}

// Whether the query meets things like this.
fn is_asked(thing: u32) -> bool {
    if thing == NOTHING || (query.kinds & (1u << (thing >> THING_BITS))) == 0u {
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
    enter_world();
    if may_be(TARGET_PLANE) {
        for (var i = 0u; i < batch.plane_count; i++) {
            let t = read_target(target_row + TARGET_ROWS * i);
            if t.kind == TARGET_PLANE && is_asked(t.thing) {
                meet_plane(t);
            }
        }
    }
    top = 0u;
    bottom = 0u;
    var node = 0u;
    while true {
        while node < first_target {
            node = nearest_child(node);
        }
        if node != NOTHING {
            shape_begun = false;
            let t = read_target(target_row + TARGET_ROWS * (node - first_target));
            if in_shape || is_asked(t.thing) {
                meet(t);
            }
        } else if in_shape {
            leave_shape();
        } else {
            break;
        }
        node = 0u;
        if !shape_begun {
            node = next_node();
        }
    }
}

fn enter_world() {
    own = query;
    reach = reach_of(own);
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
    outer_best = best;
    bottom = top;
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
    enter_world();
    bottom = 0u;
}

// The last child that was put aside in this tree and is still near enough; NOTHING when there is none.
fn next_node() -> u32 {
    while top > bottom {
        top -= 1u;
        let way = stack[top] & ~batch.index_mask;
        // What the query begins in is never passed by: something in it may be nearer than 0.
        if way == 0u || bitcast<f32>(way >> 1u) <= best {
            return stack[top] & batch.index_mask;
        }
    }
    return NOTHING;
}

// Entry of what is not met, and the last of all in order.
const MISSED: u32 = 0xffffffffu;

// The nearest of four children; the others are put aside, the farthest first. Without one, the next node.
fn nearest_child(node: u32) -> u32 {
    let row = node_row + NODE_ROWS * node;
    let a = textureLoad(nodes, row_at(row), 0);
    let b = textureLoad(nodes, row_at(row + 1u), 0);
    let c = textureLoad(nodes, row_at(row + 2u), 0);
    let scale = bitcast<vec3f>(vec3u(a.w, b.w, c.w));
    let ways = ways_to(Node(bitcast<vec3f>(a.xyz), scale, b.xyz, c.xyz));
    // A way is a float of 0 or more, which are in the order of their bits; told too short by those that the number takes.
    let entries = ((bitcast<vec4u>(max(ways, vec4f(0.0))) << vec4u(1u)) & vec4u(~batch.index_mask))
        | (vec4u(1u, 2u, 3u, 4u) + vec4u(FANOUT * node));
    let sorted = ordered(select(vec4u(MISSED), entries, ways <= vec4f(best)));
    if sorted.x == MISSED {
        return next_node();
    }
    put_aside(sorted.w);
    put_aside(sorted.z);
    put_aside(sorted.y);
    return sorted.x & batch.index_mask;
}

fn put_aside(entry: u32) {
    if entry != MISSED {
        stack[top] = entry;
        top += 1u;
    }
}

fn ordered(keys: vec4u) -> vec4u {
    let low = min(keys.xy, keys.zw);
    let high = max(keys.xy, keys.zw);
    let middle = vec2u(max(low.x, low.y), min(high.x, high.y));
    return vec4u(min(low.x, low.y), min(middle.x, middle.y), max(middle.x, middle.y), max(high.x, high.y));
}
