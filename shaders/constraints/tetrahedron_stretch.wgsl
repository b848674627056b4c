#import "constraints/tetrahedron_strain"
// C_i = |F_i| - 1 (Müller et al. 2014). Values: constraints::tetrahedron_stretch.

fn tetrahedron_stretch_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let parts = parts_of(row, index);
    let n = direction(column_of(parts, x));
    let b = n.xyz * parts.x;
    let c = n.xyz * parts.y;
    let d = n.xyz * parts.z;
    return Equation(n.w - 1.0, row.c[index + 1u], UNBOUNDED, -(b + c + d), b, c, d);
}
