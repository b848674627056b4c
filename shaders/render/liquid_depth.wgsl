#import "render/liquid_splat"
// The nearest ellipsoid of a liquid at each pixel (van der Laan et al. 2009, "Screen space fluid rendering with curvature
// flow"). One fragment thread stands for a pixel of an ellipsoid.

struct Drawn {
    @location(0) surface: vec2f, // depth as the picture's, and the liquid counted from 1, half more for drops
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(in: Fragment) -> Drawn {
    let t = met(in.own_eye, in.own_ray);
    let away = t.x * dot(in.ray, frame.forward.xyz);
    if t.x > t.y || away <= frame.eye.w {
        discard;
    }
    let depth = frame.eye.w / away;
    let splat = splats[in.index];
    // What is not stretched over its neighbors is smaller than its own volume.
    let drop = select(0.0, 0.5, splat.fill > 1.0);
    return Drawn(vec2f(depth, f32(splat.liquid + 1u) + drop), depth);
}
