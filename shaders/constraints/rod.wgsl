#import "constraints/constraint"
// Bends of a rod along the directions n and m = t × n of the frame that x.d marks, then the place of x.d (after Umetani et
// al. 2014). Values and symbols: constraints::rod.

fn rod_equation(index: u32, row: Values, x: Stencil) -> Equation {
    let at_rest = row.a;
    let compliance = row.b.xy;
    let q = x.d - x.b;
    let t = direction(x.c - x.a);
    let span = max(t.w, LEAST_LENGTH);
    let along = dot(q, t.xyz);
    let p = q - along * t.xyz;
    let n = direction(p);
    let s = (x.a - x.b) + (x.c - x.b);
    var value = along;
    var by_s = vec3f(0.0);
    var by_q = t.xyz;
    var by_span = p / span;
    if index == 3u {
        let toward = direction(q);
        value = toward.w;
        by_q = toward.xyz;
        by_span = vec3f(0.0);
    } else if index < 2u {
        // C = s·n or s·m, and what turns n.
        var turning = s;
        by_s = n.xyz;
        var tilt = vec3f(0.0);
        if index == 1u {
            turning = cross(s, t.xyz);
            by_s = cross(t.xyz, n.xyz);
            tilt = cross(n.xyz, s);
            tilt = (tilt - t.xyz * dot(t.xyz, tilt)) / span;
        }
        value = dot(s, by_s);
        let y = (turning - n.xyz * dot(n.xyz, turning)) / max(n.w, LEAST_LENGTH);
        let lengthwise = dot(y, t.xyz);
        by_q = y - lengthwise * t.xyz;
        by_span = tilt - (along * by_q + lengthwise * p) / span;
    }
    return Equation(value - at_rest[index], compliance[index / 2u], UNBOUNDED, by_s - by_span, -2.0 * by_s - by_q,
        by_s + by_span, by_q);
}
