#import "render/soft"
#import "render/shade"
// Lit triangles of surfaces that follow particles. One vertex thread stands for a vertex of a copy, one fragment thread
// for a pixel.

// Strain at which a color of the strain view is full.
const FULL_STRAIN: f32 = 0.25;
const SHORTENED = vec3f(0.02, 0.12, 0.75);
const AT_REST = vec3f(0.55);
const STRETCHED = vec3f(0.80, 0.05, 0.02);
// Of the strain view: dull, so that only shape and color show.
const PLAIN_ROUGHNESS = 0.6;

// Blue where edges are short, grey at rest, red where they are long.
fn strain_color(strain: f32) -> vec4f {
    let share = clamp(strain / FULL_STRAIN, -1.0, 1.0);
    let full = select(SHORTENED, STRETCHED, share > 0.0);
    return vec4f(mix(AT_REST, full, sqrt(abs(share))), 1.0);
}

// Fibers that stand out of cloth catch light where it is seen edge-on, so that it has a thickness.
const FUZZ = 0.9;
// The inside of cloth is in the shade of its outside.
const INSIDE = 0.8;

// What the base color of cloth is multiplied by.
fn fuzz(in: Fragment, front: bool) -> f32 {
    let view = normalize(frame.eye.xyz - in.position);
    let grazing = 1.0 - abs(dot(normalize(in.normal), view));
    let edge = grazing * grazing * grazing;
    return select(1.0, select(INSIDE, 1.0, front) + FUZZ * edge, material.sheet > 0.5);
}

@vertex
fn vertex(in: VertexIn) -> Fragment {
    let at = placed(in);
    let clip = frame.clip_from_world * vec4f(at.position, 1.0);
    let own = in.color * in.tint;
    return Fragment(clip, at.position, at.normal, in.uv, select(own, strain_color(at.strain), frame.settings.w > 0.5));
}

@fragment
fn fragment(in: Fragment, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    var cloth = in;
    cloth.color = vec4f(in.color.rgb * fuzz(in, front), in.color.a);
    let shown = shaded(cloth, front);
    if frame.settings.w < 0.5 {
        return shown;
    }
    let normal = normalize(in.normal) * select(-1.0, 1.0, front);
    let plain = Surface(in.position, normal, normal, in.color.rgb, 0.0, PLAIN_ROUGHNESS, 1.0, vec3f());
    return vec4f(displayed(hazed(lit(plain), in.position), in.clip.xy), 1.0);
}
