#import "constraints/tetrahedron_strain"
// C_ij = F_i · F_j / |F_i| |F_j| (Müller et al. 2014). Values: constraints::tetrahedron_shear.

fn tetrahedron_shear_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let of_f = parts_of(row, (index + 1u) % 3u);
    let of_g = parts_of(row, (index + 2u) % 3u);
    let f = direction(column_of(of_f, x));
    let g = direction(column_of(of_g, x));
    let cosine = dot(f.xyz, g.xyz);
    let by_f = (g.xyz - cosine * f.xyz) / max(f.w, LEAST_STRETCH);
    let by_g = (f.xyz - cosine * g.xyz) / max(g.w, LEAST_STRETCH);
    let b = by_f * of_f.x + by_g * of_g.x;
    let c = by_f * of_f.y + by_g * of_g.y;
    let d = by_f * of_f.z + by_g * of_g.z;
    return Equation(cosine, row.c[index + 1u], UNBOUNDED, -(b + c + d), b, c, d);
}
