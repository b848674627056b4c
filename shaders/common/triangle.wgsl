// A particle and a surface triangle of free particles (paper 4; Lewin 2018). The side that the particle is on is kept while
// they are listed, so that what has passed through is led back.

// `triangle_lists` has rows of all triangles one slot after another: first how many a triangle has, then its particles, each
// with the gap to keep [m], negative on the back of the triangle.
const TRIANGLE_SLOTS: u32 = 40u;

fn triangle_slot(triangle: u32, k: u32, triangle_count: u32) -> u32 {
    return k * triangle_count + triangle;
}

// What is deeper behind, in gaps, is held to be on the other side for good.
const DEEPEST: f32 = 3.0;

// How they are to each other now.
struct Touch {
    normal: vec3f,             // from the triangle to the particle
    separation: f32,           // less than the gap to keep; negative is overlap [m]
    weights: vec3f,            // barycentric coordinates of the nearest point
    beside: bool,              // the particle is not over the triangle
    height: f32,               // over its plane, positive on the side kept [m]
}

// Words of `triangle_pushes` of a particle: how often it touches, then sums of displacement, and of the part of it that
// becomes velocity. Whole numbers, so that the order of the sum does not matter.
const PUSH_WORDS: u32 = 8u;
// A displacement of 1 m.
const PUSH_SCALE: f32 = 67108864.0;

fn touch_of(p: vec3f, a: vec3f, b: vec3f, c: vec3f, gap: f32) -> Touch {
    let ab = b - a;
    let ac = c - a;
    let ap = p - a;
    let area = cross(ab, ac);
    let square = max(dot(area, area), 1e-30);
    let n = area * (inverseSqrt(square) * sign(gap));
    let v = dot(cross(ap, ac), area) / square;
    let w = dot(cross(ab, ap), area) / square;
    let height = dot(ap, n);
    if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
        return Touch(n, height - abs(gap), vec3f(1.0 - v - w, v, w), false, height);
    }
    // The nearest of the three edges.
    var weights = vec3f(1.0, 0.0, 0.0);
    var nearest = 1e30;
    let on_ab = clamp(dot(ap, ab) / max(dot(ab, ab), 1e-30), 0.0, 1.0);
    let on_ac = clamp(dot(ap, ac) / max(dot(ac, ac), 1e-30), 0.0, 1.0);
    let bc = c - b;
    let on_bc = clamp(dot(p - b, bc) / max(dot(bc, bc), 1e-30), 0.0, 1.0);
    var candidates = array<vec3f, 3>(
        vec3f(1.0 - on_ab, on_ab, 0.0), vec3f(1.0 - on_ac, 0.0, on_ac), vec3f(0.0, 1.0 - on_bc, on_bc));
    var offset = vec3f(0.0);
    for (var k = 0u; k < 3u; k++) {
        let at = candidates[k];
        let away = ap - at.y * ab - at.z * ac;
        let far = dot(away, away);
        if far < nearest {
            nearest = far;
            weights = at;
            offset = away;
        }
    }
    let distance = sqrt(nearest);
    return Touch(offset / max(distance, 1e-9), distance - abs(gap), weights, true, height);
}

// Distance of a particle from a triangle, for a gap of 1 m.
fn distance_of(touch: Touch) -> f32 {
    return select(abs(touch.height), touch.separation + 1.0, touch.beside);
}

// Whether it touches. Beside the triangle and behind its plane the particle has gone around it.
fn is_touching(touch: Touch, gap: f32) -> bool {
    return touch.separation < 0.0 && !(touch.beside && touch.height < 0.0) && touch.height > -DEEPEST * abs(gap);
}
