#import "constraints/constraint"
#import "common/rotation"
// C = θ - φ, the angle between two triangles (Müller et al. 2007; gradient of Bridson et al. 2003). Values:
// constraints::dihedral.

const TAU: f32 = 6.28318530718;
// Square of twice the area below which a triangle has no normal: of one with sides of a micrometer [m⁴].
const LEAST_NORMAL: f32 = 1e-24;

fn dihedral_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let v = row.a;
    let axis = direction(x.b - x.a);
    var n = cross(x.b - x.a, x.c - x.a);
    var m = cross(x.d - x.a, x.b - x.a);
    if min(dot(n, n), dot(m, m)) < LEAST_NORMAL {
        // A triangle without area has no angle.
        return Equation(0.0, v.y, UNBOUNDED, vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    }
    let angle = angle_of(dot(cross(n, m), axis.xyz), dot(n, m)) - v.x;
    // Height of each wing over the edge, as a vector divided by its length squared.
    n /= dot(n, n);
    m /= dot(m, m);
    let at_a = dot(x.b - x.c, axis.xyz) * n + dot(x.b - x.d, axis.xyz) * m;
    let at_b = dot(x.c - x.a, axis.xyz) * n + dot(x.d - x.a, axis.xyz) * m;
    return Equation(angle - TAU * round(angle / TAU), v.y, UNBOUNDED, at_a, at_b, -axis.w * n, -axis.w * m);
}
