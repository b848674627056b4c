#import "common/rotation"
// What every drawing shader knows about the frame: camera, sun, shadow map.

struct Frame {
    clip_from_world: mat4x4f,
    shadow_from_world: mat4x4f, // sun's orthographic view: xy in -1..1, z in 0..1
    eye: vec4f, // camera position [m]
    right: vec4f, // camera axes; right and up scaled so that forward + x right + y up meets clip position (x, y)
    up: vec4f,
    forward: vec4f, // w: how far behind the front of a liquid things are still before it [m]: what is drawn of drops at a pane
        // goes through it
    sun: vec4f, // xyz: unit vector to the sun; w: width of a shadow texel [m]
    viewport: vec4f, // width and height of the picture [pixels], and their inverses
    settings: vec4f, // x: width of a shadow texel in texture units; y: 1 with shadows, 0 without; z: 1 with grid lines on
        // the ground; w: 1 with surfaces colored by strain
    liquid_maps: u32, // 1 where liquids take from the sun, 0 without any
    particle_colors: u32, // what colors of particles tell: a number of render::ParticleColors
    target_pixel: vec2f, // inverses of width and height of the caller's target [1/pixel]
    depth_law: vec2f, // depth of what is d [m] in front of the eye: x / d + y
    haze: f32, // 1 with haze, 0 without
    glow: f32, // strength of the glow of the sky about the sun
    sun_color: vec4f, // radiance times pi of what is white and faces the sun, as the others linear
    zenith: vec4f, // radiance of the sky: straight up
    horizon: vec4f, // level
    nadir: vec4f, // and of the ground below
}

// Whether the picture is drawn at the high level.
override HIGH: bool = true;
// Whether its pixels have four samples, or one.
override SAMPLED: bool = true;

// Whether colors leave as radiance: the host shows them on a display by itself.
override RADIANCE: bool = false;
// Whether colors leave in the coding of the display, because the format of the picture does not do that.
override CODED: bool = false;

// Whether nothing of a pixel is drawn that is covered by this share: samples take a part, a single one all or nothing.
fn is_bare(coverage: f32) -> bool {
    return coverage <= select(0.5, 0.0, SAMPLED);
}

@group(0) @binding(0) var<uniform> frame: Frame;

// Clip position that no triangle reaches the screen from.
const NOWHERE = vec4f(0.0, 0.0, -1.0, 1.0);

// A point nearer than this to the plane of the eye has no direction on the screen [m].
const LEAST_AHEAD = 1e-3;

// What is higher is out of the world [m].
const HIGHEST = 1e6;

// Clip position in the sun's view; what is outside its depth range casts its shadow from the border.
fn shadow_clip(position: vec3f) -> vec4f {
    if position.y > HIGHEST {
        return NOWHERE;
    }
    let clip = frame.shadow_from_world * vec4f(position, 1.0);
    return vec4f(clip.xy, clamp(clip.z, 0.0, 1.0), 1.0);
}
