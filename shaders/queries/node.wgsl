#import "common/row"
#import "queries/target"
// Nodes of the trees: the boxes of four children, in a frame of their own and a byte for each side (Ylitie, Karras and Laine 2017).
// Boxes only grow by that. solver::queries packs those of shapes.

struct Node {
    origin: vec3f,             // corner of the frame [m]
    scale: vec3f,              // what a byte counts along each axis [m]
    low: vec3u,                // of x, y and z: a byte for each child, the first one lowest
    high: vec3u,
}

// Rows of a node and of a target in their textures.
const NODE_ROWS: u32 = 3u;
const TARGET_ROWS: u32 = 3u;

// Bytes that a frame is divided into, with room for rounding on both sides.
const FRAME_BYTES: f32 = 253.0;
// Part of a byte that rounding may take away from a side.
const ROUNDING: f32 = 0.01;

fn node_of(boxes: array<Box, 4>) -> Node {
    let all = both_boxes(both_boxes(boxes[0], boxes[1]), both_boxes(boxes[2], boxes[3]));
    if all.low.x > all.high.x {
        return Node(vec3f(0.0), vec3f(1.0), vec3u(NOTHING), vec3u(0u));
    }
    let scale = max((all.high - all.low) / FRAME_BYTES, vec3f(1e-30));
    var own = boxes;
    var node = Node(all.low - scale, scale, vec3u(0u), vec3u(0u));
    for (var k = 0u; k < FANOUT; k++) {
        let box = own[k];
        // One that is not there has its sides the wrong way round.
        var low = vec3u(255u);
        var high = vec3u(0u);
        if box.low.x <= box.high.x {
            let least = floor((box.low - node.origin) / scale - ROUNDING);
            let most = ceil((box.high - node.origin) / scale + ROUNDING);
            low = vec3u(clamp(least, vec3f(0.0), vec3f(255.0)));
            high = vec3u(clamp(most, vec3f(0.0), vec3f(255.0)));
        }
        node.low |= low << vec3u(8u * k);
        node.high |= high << vec3u(8u * k);
    }
    return node;
}

// A side of the four children, in bytes of the frame.
fn bytes_of(side: u32) -> vec4f {
    return vec4f((vec4u(side) >> vec4u(0u, 8u, 16u, 24u)) & vec4u(255u));
}
