#import "render/liquid_surface"
#import "render/clouds"
#import "render/light"
// What a liquid mirrors: things that the picture shows, found by walking along the ray, else the sky.

// Steps of the walk, each longer than the one before, and how far it goes [m].
const STEPS = 16;
const FARTHEST = 5.0;
// Halvings of the step that met something.
const HALVINGS = 4;
// Things are taken to be so thick, as a part of their distance: rays that pass farther behind go on.
const THICK = 0.12;
// Before everything [m].
const BEFORE_ALL = -1e9;
// From here to the border of the picture what is mirrored fades into the sky [half widths].
const FADING_FROM = 0.85;

// How far a place in clip coordinates is behind what the picture shows there [m]; far before it outside the picture and
// where a liquid hides it.
fn depth_behind(clip: vec4f) -> f32 {
    if clip.w < frame.eye.w || any(abs(clip.xy) >= vec2f(clip.w)) {
        return BEFORE_ALL;
    }
    let pixel = inside(pixel_of(clip));
    let solid = textureLoad(depth, pixel, 0).x;
    return select(clip.w - distance_at(solid), BEFORE_ALL, textureLoad(surface, pixel, 0).r > solid);
}

fn pixel_of(clip: vec4f) -> vec2i {
    return vec2i((clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5) * frame.viewport.xy);
}

// Radiance that comes to `place` (from the eye) out of `direction` (unit).
fn mirrored(place: vec3f, direction: vec3f) -> vec3f {
    let start = frame.clip_from_world * vec4f(frame.eye.xyz + place, 1.0);
    let onward = frame.clip_from_world * vec4f(direction, 0.0);
    var near = 0.0;
    var far = 0.0;
    var halvings = 0;
    for (var i = 1; i <= STEPS && halvings == 0; i++) {
        let share = f32(i) / f32(STEPS);
        near = far;
        far = FARTHEST * share * share;
        let there = start + far * onward;
        let behind = depth_behind(there);
        // Nothing is thinner than the step that crosses it.
        let thick = max(THICK * there.w, (far - near) * abs(onward.w));
        halvings = select(0, HALVINGS, behind > 0.0 && behind < thick);
    }
    // Once or never, for all pixels together: software runs both ways of a branch.
    var seen = vec3f();
    var border = 1.0;
    for (var once = halvings; once > 0; once -= HALVINGS) {
        for (var k = 0; k < HALVINGS; k++) {
            let middle = 0.5 * (near + far);
            let hidden = depth_behind(start + middle * onward) > 0.0;
            near = select(middle, near, hidden);
            far = select(far, middle, hidden);
        }
        let met = start + far * onward;
        let pixel = inside(pixel_of(met));
        seen = radiance_of(textureLoad(picture, pixel, 0).rgb * openness(pixel));
        border = max(abs(met.x), abs(met.y)) / met.w;
    }
    return mix(seen, seen_sky(direction), smoothstep(FADING_FROM, 1.0, border));
}
