#import "render/rigid"
#import "render/shade"
// Lit triangles of models that do not bend. One vertex thread stands for a vertex of an instance, one fragment thread for a
// pixel.

@vertex
fn vertex(in: VertexIn) -> Fragment {
    let at = placed(in);
    let clip = select(frame.clip_from_world * vec4f(at.position, 1.0), NOWHERE, at.gone);
    return Fragment(clip, at.position, at.normal, in.uv, in.color * in.tint);
}

@fragment
fn fragment(in: Fragment, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    return shaded(in, front);
}
