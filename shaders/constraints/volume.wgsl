#import "constraints/constraint"
// C = (x_ba × x_ca) · x_da / 6 - V (paper 1, eq. 7 to 11). Values: constraints::volume.

fn volume_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let v = row.a;
    let b = x.b - x.a;
    let c = x.c - x.a;
    let d = x.d - x.a;
    let gb = cross(c, d) / 6.0;
    let gc = cross(d, b) / 6.0;
    let gd = cross(b, c) / 6.0;
    return Equation(dot(gd, d) - v.x, v.y, UNBOUNDED, -(gb + gc + gd), gb, gc, gd);
}
