#import "constraints/constraint"
// Columns of the deformation gradient of a tetrahedron in the directions of its material, for stretch and shear.

// The three numbers of column i of a matrix that is laid out by columns.
fn parts_of(row: Values, i: u32) -> vec3f {
    if i == 0u {
        return row.a.xyz;
    } else if i == 1u {
        return vec3f(row.a.w, row.b.xy);
    }
    return vec3f(row.b.zw, row.c.x);
}

// Column of F with these parts of the edges.
fn column_of(parts: vec3f, x: Stencil) -> vec3f {
    return (x.b - x.a) * parts.x + (x.c - x.a) * parts.y + (x.d - x.a) * parts.z;
}
