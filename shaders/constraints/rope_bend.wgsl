#import "constraints/constraint"
// C = |x_a - 2 x_b + x_c| - its value at rest. Values: constraints::rope_bend.

fn rope_bend_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let v = row.a;
    let n = direction((x.a - x.b) + (x.c - x.b));
    return Equation(n.w - v.x, v.y, UNBOUNDED, n.xyz, -2.0 * n.xyz, n.xyz, vec3f(0.0));
}
