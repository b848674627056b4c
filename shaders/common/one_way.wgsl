// Colliders that hold only what comes from the side that they face: what rises through one passes, what falls back rests on it. The
// including kernel declares `shapes`.

// Whether the scene has any.
override ONE_WAY: bool = false;

// Added to the first number of a direction in the header of a shape: zero there means that it holds on all sides.
const FACES: f32 = 2.0;
// Sides that lean more than this from where it faces hold nothing: the cosine of 75°.
const LEAST_FACING: f32 = 0.26;
// What rises faster than this is not stopped although it overlaps [m/s]; what rests on it shakes less.
const RISING: f32 = 0.05;

// Whether a collider with this shape lets pass what is at this normal and distance, both in its frame; `behind` is how far the
// middle of that thing was behind the surface, `rise` how fast it goes away from it [m/s].
fn lets_pass(shape: u32, normal: vec3f, behind: f32, rise: f32) -> bool {
    let first = bitcast<f32>(shapes[4u * shape].w);
    if !ONE_WAY || first == 0.0 {
        return false;
    }
    let net = vec2f(first - FACES, bitcast<f32>(shapes[4u * shape + 1u].w));
    var facing = vec3f(net, 1.0 - abs(net.x) - abs(net.y));
    let side = select(vec2f(-1.0), vec2f(1.0), net >= vec2f(0.0));
    if facing.z < 0.0 {
        facing = vec3f((1.0 - abs(net.yx)) * side, facing.z);
    }
    return behind > 0.0 || rise > RISING || dot(normal, normalize(facing)) < LEAST_FACING;
}
