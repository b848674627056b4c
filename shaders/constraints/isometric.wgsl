#import "constraints/constraint"
// C = |Σ K_i x_i| - its value at rest, isometric bending (Bergou et al. 2006). Values: constraints::isometric.

fn isometric_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let k = row.a;
    let v = row.b;
    // The K sum to 0: relative to one corner no digits are lost.
    let n = direction(k.y * (x.b - x.a) + k.z * (x.c - x.a) + k.w * (x.d - x.a));
    return Equation(n.w - v.x, v.y, UNBOUNDED, k.x * n.xyz, k.y * n.xyz, k.z * n.xyz, k.w * n.xyz);
}
