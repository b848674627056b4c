#import "queries/query"
#import "queries/bounds"
#import "queries/step"
#import "surfaces/features"
// A query's walk through the tree, nearest first. The including kernel declares `batch`, `queries`, `ignored`, `nodes`, `targets`,
// `shape_trees` and `shapes`, and says how it meets targets and boxes:
// `meet(target)`, which may begin a shape, `meet_face(face)`, `end_shape()` and `way_to(query, reach, box)`.

const STACK: u32 = 40u;
const SHAPE_STACK: u32 = 36u;

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
var<private> shape_top: u32;
var<private> shape_stack: array<u32, SHAPE_STACK>;
var<private> shape_ways: array<f32, SHAPE_STACK>;

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

// One loop for the tree and for those of shapes: threads that are in different ones wait less for one another.
fn walk() {
    stack[0] = 0u;
    ways[0] = -FAR;
    top = 1u;
    shape_top = 0u;
    var target_place = 0u;
    var target_end = 0u;
    while top + shape_top > 0u || target_place < target_end {
        if shape_top > 0u {
            walk_shape();
            if shape_top == 0u {
                end_shape();
            }
        } else if target_place < target_end {
            if is_asked(targets[target_place].thing) {
                meet(targets[target_place]);
            }
            target_place += 1u;
        } else {
            top -= 1u;
            let node = stack[top];
            if ways[top] <= best && node >= batch.first_leaf {
                target_place = FANOUT * (node - batch.first_leaf);
                target_end = min(target_place + FANOUT, batch.item_count);
            } else if ways[top] <= best {
                push_children(node);
            }
        }
    }
}

// The nearest last, to be taken first.
fn push_children(node: u32) {
    let bottom = top;
    let first = FANOUT * node + 1u;
    for (var child = first; child < min(first + FANOUT, batch.first_leaf + batch.leaf_count); child++) {
        let way = way_to(query, reach, nodes[child]);
        if way <= best {
            var place = top;
            while place > bottom && ways[max(place, 1u) - 1u] < way {
                stack[place] = stack[place - 1u];
                ways[place] = ways[place - 1u];
                place -= 1u;
            }
            stack[place] = child;
            ways[place] = way;
            top += 1u;
        }
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
    shape_stack[0] = 0u;
    shape_ways[0] = -FAR;
    // An empty one has no nodes: it ends as it begins.
    shape_top = 1u;
}

// Takes one node.
fn walk_shape() {
    shape_top -= 1u;
    let node = shape_stack[shape_top];
    if shape_ways[shape_top] > shape_best {
        return;
    }
    if node >= tree.y {
        let first = FANOUT * (node - tree.y);
        for (var i = first; i < min(first + FANOUT, tree.w); i++) {
            meet_face(tree_face(i));
        }
        return;
    }
    let bottom = shape_top;
    let first = FANOUT * node + 1u;
    for (var child = first; child < min(first + FANOUT, tree.y + (tree.w + FANOUT - 1u) / FANOUT); child++) {
        let way = way_to(own, own_reach, tree_box(child));
        if way <= shape_best {
            var place = shape_top;
            while place > bottom && shape_ways[max(place, 1u) - 1u] < way {
                shape_stack[place] = shape_stack[place - 1u];
                shape_ways[place] = shape_ways[place - 1u];
                place -= 1u;
            }
            shape_stack[place] = child;
            shape_ways[place] = way;
            shape_top += 1u;
        }
    }
}
