#import "constraints/constraint"
// C = |x_b - x_a| - d (paper 1, eq. 5); one-sided when the multiplier is bounded. Values: constraints::distance.

fn distance_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let v = row.a;
    let n = direction(x.b - x.a);
    return Equation(n.w - v.x, v.y, v.z, -n.xyz, n.xyz, vec3f(0.0), vec3f(0.0));
}
