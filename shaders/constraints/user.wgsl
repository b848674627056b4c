#import "constraints/constraint"
// What equations that users write have besides. Their text follows in the kernels that `solver::constraints` makes.

// A point of the world [m], as the particles of a row are given.
fn relative(point: vec3f) -> vec3f {
    return point - origin;
}
