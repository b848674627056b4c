#import "constraints/constraint"
// C_u = |F_u| - 1, C_v = |F_v| - 1, C_uv = F_u · F_v / |F_u| |F_v| (Müller et al. 2014). Values:
// constraints::triangle_strain.

fn triangle_strain_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let v = row.a;
    let softness = row.b;
    let u = direction((x.b - x.a) * v.x + (x.c - x.a) * v.y);
    let w = direction((x.b - x.a) * v.z + (x.c - x.a) * v.w);
    var value = u.w - 1.0;
    var by_u = u.xyz;
    var by_w = vec3f(0.0);
    if index == 1u {
        value = w.w - 1.0;
        by_u = vec3f(0.0);
        by_w = w.xyz;
    } else if index == 2u {
        value = dot(u.xyz, w.xyz);
        by_u = (w.xyz - value * u.xyz) / max(u.w, LEAST_STRETCH);
        by_w = (u.xyz - value * w.xyz) / max(w.w, LEAST_STRETCH);
    }
    let b = by_u * v.x + by_w * v.z;
    let c = by_u * v.y + by_w * v.w;
    return Equation(value, softness[index], UNBOUNDED, -(b + c), b, c, vec3f(0.0));
}
