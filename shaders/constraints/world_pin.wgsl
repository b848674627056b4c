#import "constraints/constraint"
// C = |x - p|; places are relative to `origin`. Values: constraints::world_pin.

fn world_pin_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let v = row.a;
    let n = direction(x.a + (origin - v.xyz));
    return Equation(n.w, v.w, UNBOUNDED, n.xyz, vec3f(0.0), vec3f(0.0), vec3f(0.0));
}
