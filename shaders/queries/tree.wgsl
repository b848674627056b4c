#import "queries/query"
#import "queries/bounds"
#import "queries/step"
#import "surfaces/features"
// A query's walk through the tree, nearest first. The including kernel declares `batch`, `queries`, `ignored`, `nodes`, `targets`,
// `shape_trees` and `shapes`, and says how it meets targets and boxes:
// `meet(target)`, which may begin a shape, `meet_face(face)`, `end_shape()` and `way_to(query, reach, box)`.

// Room for what is put aside in the tree, and in that of a shape above it.
const STACK: u32 = 76u;

var<private> query: Query;
var<private> reach: vec3f;     // of the query's shape from its middle, along the axes [m]
var<private> best: f32;        // nothing farther than this is of interest [m]
var<private> top: u32;         // entries of the stack
var<private> stack: array<u32, STACK>;
var<private> ways: array<f32, STACK>;
// The shape that it is in, and the query in its frame.
var<private> in_shape: Target;
var<private> own: Query;
var<private> own_reach: vec3f;
var<private> tree: vec4u;
var<private> shape_best: f32;  // nothing of the shape farther than this is of interest [m]
var<private> shape_bottom: u32; // entries of the stack below those of the shape
var<private> shape_begun: bool;

fn begin(row: u32) {
    query = queries[row];
    reach = reach_of(query);
    best = query.most;
    for (var k = 0u; k < query.hit_count; k++) {
        hits[query.first_hit + k] = no_hit();
    }
}

// Half extents of a query's shape along the axes [m].
fn reach_of(q: Query) -> vec3f {
    let extent = turned_extent(q.rotation, q.half) + abs(rotate(q.rotation, q.axis)) + q.radius;
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

// To the next leaf, through all that it holds, and so on: loops of one kind each, so that threads that are done with one wait for
// others no longer than these take for the same.
fn walk() {
    top = 0u;
    var node = 0u;
    while node != NOTHING {
        while node < batch.first_leaf {
            node = nearest_child(node);
        }
        if node == NOTHING {
            break;
        }
        let first = FANOUT * (node - batch.first_leaf);
        for (var i = first; i < min(first + FANOUT, batch.item_count); i++) {
            if is_asked(targets[i].thing) {
                meet(targets[i]);
            }
            if may_be(TARGET_SHAPE) {
                walk_shape();
            }
        }
        node = next_node(0u, best);
    }
}

// The last node that was put aside above `bottom` and is still near enough; NOTHING when there is none.
fn next_node(bottom: u32, most: f32) -> u32 {
    while top > bottom {
        top -= 1u;
        if ways[top] <= most {
            return stack[top];
        }
    }
    return NOTHING;
}

// Children in the order of their ways: those and two bits of which it is in one number each, for those of a number of 0 or more are
// ordered as it is. A way is told too short by less than a part in a million.
const MISSED: u32 = 0xffffffffu;

fn order_key(way: f32, most: f32, child: u32) -> u32 {
    return select(MISSED, (bitcast<u32>(max(way, 0.0)) & ~3u) | child, way <= most);
}

// What the query begins in is never passed by: something in it may be nearer than 0.
fn key_way(key: u32) -> f32 {
    return select(bitcast<f32>(key & ~3u), -FAR, key <= 3u);
}

fn ordered(keys: vec4u) -> vec4u {
    let low = min(keys.xy, keys.zw);
    let high = max(keys.xy, keys.zw);
    let middle = vec2u(max(low.x, low.y), min(high.x, high.y));
    return vec4u(min(low.x, low.y), min(middle.x, middle.y), max(middle.x, middle.y), max(high.x, high.y));
}

fn key_of(child: u32, k: u32) -> u32 {
    let last = batch.first_leaf + batch.leaf_count - 1u;
    let way = way_to(query, reach, nodes[min(child, last)]);
    return order_key(select(FAR, way, child <= last), best, k);
}

fn nearest_child(node: u32) -> u32 {
    let first = FANOUT * node + 1u;
    let keys = vec4u(key_of(first, 0u), key_of(first + 1u, 1u), key_of(first + 2u, 2u), key_of(first + 3u, 3u));
    return nearest_of(first, ordered(keys), 0u, best);
}

// The nearest of four children; the others are put aside, the farthest first. Without one, the next node.
fn nearest_of(first: u32, keys: vec4u, bottom: u32, most: f32) -> u32 {
    if keys.x == MISSED {
        return next_node(bottom, most);
    }
    put_aside(first, keys.w);
    put_aside(first, keys.z);
    put_aside(first, keys.y);
    return first + (keys.x & 3u);
}

fn put_aside(first: u32, key: u32) {
    if key != MISSED {
        stack[top] = first + (key & 3u);
        ways[top] = key_way(key);
        top += 1u;
    }
}

// Triangles of a shape, in its frame.
struct Face {
    a: vec3f,                  // corners [m]
    b: vec3f,
    c: vec3f,
    part: u32,
}

// `shape_trees`: a row for each shape: its first node, its first leaf among them, its first triangle, how many triangles;
// then two rows a node, as `Box`, and three a triangle: corners, the first with the triangle's index.
fn tree_box(node: u32) -> Box {
    let row = tree.x + 2u * node;
    return Box(bitcast<vec3f>(shape_trees[row].xyz), bitcast<vec3f>(shape_trees[row + 1u].xyz));
}

fn tree_face(i: u32) -> Face {
    let row = tree.z + 3u * i;
    let a = shape_trees[row];
    return Face(
        bitcast<vec3f>(a.xyz),
        bitcast<vec3f>(shape_trees[row + 1u].xyz),
        bitcast<vec3f>(shape_trees[row + 2u].xyz),
        a.w,
    );
}

// Begins to meet the triangles of a shape with the query in its frame.
fn begin_shape(t: Target) {
    in_shape = t;
    own = seen_from(query, t.a, bitcast<vec4f>(t.c));
    own_reach = reach_of(own);
    tree = shape_trees[u32(t.b.x)];
    shape_begun = true;
}

// Meets the triangles of the shape that was begun, if one was.
fn walk_shape() {
    if !shape_begun {
        return;
    }
    shape_begun = false;
    shape_bottom = top;
    // An empty one is a leaf without triangles: it ends as it begins.
    var node = 0u;
    while node != NOTHING {
        while node < tree.y {
            node = nearest_of_shape(node);
        }
        if node == NOTHING {
            break;
        }
        let first = FANOUT * (node - tree.y);
        for (var i = first; i < min(first + FANOUT, tree.w); i++) {
            meet_face(tree_face(i));
        }
        node = next_node(shape_bottom, shape_best);
    }
    end_shape();
}

fn key_of_shape(child: u32, k: u32) -> u32 {
    let last = tree.y + (tree.w + FANOUT - 1u) / FANOUT - 1u;
    let way = way_to(own, own_reach, tree_box(min(child, last)));
    return order_key(select(FAR, way, child <= last), shape_best, k);
}

fn nearest_of_shape(node: u32) -> u32 {
    let first = FANOUT * node + 1u;
    let keys = vec4u(key_of_shape(first, 0u), key_of_shape(first + 1u, 1u), key_of_shape(first + 2u, 2u), key_of_shape(first + 3u, 3u));
    return nearest_of(first, ordered(keys), shape_bottom, shape_best);
}
