// Features of primitives: a particle and a triangle, or two edges, as four places in the columns.

// Where two features are nearest to each other.
struct Frame {
    normal: vec3f,             // from the second to the first
    distance: f32,             // [m]
    weights: vec4f,            // of the nearest points
}

// Features at the places in the columns.
fn frame_of(at: mat4x3f, edges: bool) -> Frame {
    if edges {
        return edges_frame(at);
    }
    return corner_frame(at);
}

fn corner_frame(at: mat4x3f) -> Frame {
    let ab = at[2] - at[1];
    let ac = at[3] - at[1];
    let ap = at[0] - at[1];
    let bp = at[0] - at[2];
    let area = cross(ab, ac);
    let square = max(dot(area, area), 1e-30);
    let v = dot(cross(ap, ac), area) / square;
    let w = dot(cross(ab, ap), area) / square;
    if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
        let height = dot(ap, area) * inverseSqrt(square);
        let n = area * inverseSqrt(square) * select(1.0, -1.0, height < 0.0);
        return Frame(n, abs(height), vec4f(1.0, v + w - 1.0, -v, -w));
    }
    // The nearest of the three edges.
    let bc = at[3] - at[2];
    let s = clamp(dot(ap, ab) / max(dot(ab, ab), 1e-30), 0.0, 1.0);
    let t = clamp(dot(ap, ac) / max(dot(ac, ac), 1e-30), 0.0, 1.0);
    let u = clamp(dot(bp, bc) / max(dot(bc, bc), 1e-30), 0.0, 1.0);
    var offset = ap - s * ab;
    var weights = vec4f(1.0, s - 1.0, -s, 0.0);
    let from_ac = ap - t * ac;
    if dot(from_ac, from_ac) < dot(offset, offset) {
        offset = from_ac;
        weights = vec4f(1.0, t - 1.0, 0.0, -t);
    }
    let from_bc = bp - u * bc;
    if dot(from_bc, from_bc) < dot(offset, offset) {
        offset = from_bc;
        weights = vec4f(1.0, 0.0, u - 1.0, -u);
    }
    let distance = length(offset);
    return Frame(offset / max(distance, 1e-12), distance, weights);
}

fn edges_frame(at: mat4x3f) -> Frame {
    let d = at[1] - at[0];
    let e = at[3] - at[2];
    let r = at[0] - at[2];
    let dd = max(dot(d, d), 1e-30);
    let ee = max(dot(e, e), 1e-30);
    let de = dot(d, e);
    let dr = dot(d, r);
    let er = dot(e, r);
    let across = dd * ee - de * de;
    var s = 0.0;
    if across > 1e-6 * dd * ee {
        s = clamp((de * er - dr * ee) / across, 0.0, 1.0);
    }
    var t = (de * s + er) / ee;
    let inside = t > 0.0 && t < 1.0;
    if !inside {
        t = clamp(t, 0.0, 1.0);
        s = clamp((de * t - dr) / dd, 0.0, 1.0);
    }
    let offset = r + s * d - t * e;
    let weights = vec4f(1.0 - s, s, t - 1.0, -t);
    if inside && s > 0.0 && s < 1.0 && across > 1e-4 * dd * ee {
        let n = normalize(cross(d, e));
        let height = dot(r, n);
        return Frame(n * select(1.0, -1.0, height < 0.0), abs(height), weights);
    }
    let distance = length(offset);
    return Frame(offset / max(distance, 1e-12), distance, weights);
}

// Heights along a direction: the least of the first feature less the most of the second.
fn separation(heights: vec4f, edges: bool) -> f32 {
    let second = max(heights.z, heights.w);
    if edges {
        return min(heights.x, heights.y) - second;
    }
    return heights.x - max(heights.y, second);
}
