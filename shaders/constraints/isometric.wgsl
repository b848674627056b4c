#import "constraints/constraint"
// C = ±|Σ K_i x_i| - its value at rest, isometric bending (Bergou et al. 2006), - on the other side of the sheet than at rest.
// Values: constraints::isometric.

fn isometric_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let k = row.a;
    let v = row.b;
    // The K sum to 0: relative to one corner no digits are lost.
    let n = direction(k.y * (x.b - x.a) + k.z * (x.c - x.a) + k.w * (x.d - x.a));
    let turned = v.x * dot(n.xyz, cross(x.b - x.a, x.c - x.d)) < 0.0;
    let m = select(n.xyz, -n.xyz, turned);
    return Equation(select(n.w, -n.w, turned) - abs(v.x), v.y, UNBOUNDED, k.x * m, k.y * m, k.z * m, k.w * m);
}
