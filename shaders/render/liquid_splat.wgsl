#import "render/frame"
#import "render/ball"
#import "render/liquid"
// Ellipsoids of liquids as squares that hide them: what their fragments need for a ray from the eye. Six vertex threads
// stand for a particle.

// Whether those inside the liquid are left out.
override OUTER: bool = false;

@group(1) @binding(0) var<storage, read> splats: array<Splat>;
@group(1) @binding(1) var<storage, read> liquids: array<Liquid>;

// Nothing is drawn from nearer than this to the middle [radii, squared]: the eye is in it.
const IN_IT2 = 1.1;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f, // from the eye to the square [m]
    @location(1) own_ray: vec3f, // the same, and the eye, where the ellipsoid is a ball of radius 1 about 0
    @location(2) @interpolate(flat) own_eye: vec3f,
    @location(3) @interpolate(flat) index: u32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let splat = splats[index / 6u];
    let nothing = Fragment(NOWHERE, vec3f(), vec3f(), vec3f(), 0u);
    if splat.liquid == NO_LIQUID || (OUTER && splat.fill < 0.0) {
        return nothing;
    }
    let matrix = splat_matrix(splat);
    let own_eye = inverse_of(matrix) * (frame.eye.xyz - splat.center);
    if dot(own_eye, own_eye) <= IN_IT2 {
        return nothing;
    }
    let own_up = normalize(inverse_of(matrix) * frame.up.xyz);
    let own = ball_square(vec4f(0.0, 0.0, 0.0, 1.0), own_eye, own_up, index % 6u);
    let position = splat.center + matrix * own;
    let clip = frame.clip_from_world * vec4f(position, 1.0);
    return Fragment(clip, position - frame.eye.xyz, own - own_eye, own_eye, index / 6u);
}
