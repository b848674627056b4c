#import "common/rotation"
#import "common/shape"
#import "queries/target"
// The box around a target. The including kernel declares `shapes`.

// Part of its coordinates by which a box is wider than what it holds: more than rounding takes away.
const SLACK: f32 = 2e-6;

fn box_of(t: Target) -> Box {
    switch t.kind {
        case TARGET_BALL: {
            return around(t.a, abs(t.b) + bitcast<f32>(t.c.x));
        }
        case TARGET_BOX: {
            return around(t.a, turned_extent(bitcast<vec4f>(t.c), t.b));
        }
        case TARGET_FACE: {
            let c = bitcast<vec3f>(t.c.xyz);
            let low = min(t.a, min(t.b, c));
            let high = max(t.a, max(t.b, c));
            return around(0.5 * (low + high), 0.5 * (high - low));
        }
        case TARGET_PLANE: {
            return Box(vec3f(-FAR), vec3f(FAR));
        }
        case TARGET_SHAPE: {
            let half = 0.5 * shape_sides(u32(t.b.x));
            let rotation = bitcast<vec4f>(t.c);
            return around(t.a + rotate(rotation, shape_low(u32(t.b.x)) + half), turned_extent(rotation, half));
        }
        default: {
            return no_box();
        }
    }
}

fn around(middle: vec3f, half: vec3f) -> Box {
    let wide = half + SLACK * (abs(middle) + half + vec3f(1.0));
    return Box(middle - wide, middle + wide);
}

// Half extents along the axes of a turned box.
fn turned_extent(rotation: vec4f, half: vec3f) -> vec3f {
    return abs(rotate(rotation, vec3f(half.x, 0.0, 0.0))) + abs(rotate(rotation, vec3f(0.0, half.y, 0.0)))
        + abs(rotate(rotation, vec3f(0.0, 0.0, half.z)));
}
