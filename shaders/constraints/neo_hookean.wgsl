#import "constraints/constraint"
// C_D = √tr(FᵀF), C_H = det F - (1 + μ/λ) (Macklin and Müller 2021). Values: constraints::neo_hookean.

fn neo_hookean_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let u = row.a;
    let v = row.b;
    let w = row.c;
    let inverse = mat3x3f(u.xyz, vec3f(u.w, v.xy), vec3f(v.zw, w.x));
    let f = mat3x3f(x.b - x.a, x.c - x.a, x.d - x.a) * inverse;
    var value: f32;
    var by_f: mat3x3f;
    if index == 0u {
        value = sqrt(dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]));
        by_f = f * (1.0 / max(value, LEAST_STRETCH));
    } else {
        by_f = mat3x3f(cross(f[1], f[2]), cross(f[2], f[0]), cross(f[0], f[1]));
        value = dot(f[0], by_f[0]) - w.w;
    }
    let g = by_f * transpose(inverse);
    return Equation(value, select(w.z, w.y, index == 0u), UNBOUNDED, -(g[0] + g[1] + g[2]), g[0], g[1], g[2]);
}
