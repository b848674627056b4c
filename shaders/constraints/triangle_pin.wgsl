#import "constraints/constraint"
// C = |x_a - Σ β x| over the corners of a triangle. Values: constraints::triangle_pin.

fn triangle_pin_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let v = row.a;
    let n = direction(v.x * (x.a - x.b) + v.y * (x.a - x.c) + v.z * (x.a - x.d));
    return Equation(n.w, v.w, UNBOUNDED, n.xyz, -v.x * n.xyz, -v.y * n.xyz, -v.z * n.xyz);
}
