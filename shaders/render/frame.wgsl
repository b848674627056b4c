// What every drawing shader knows about the frame: camera, sun, shadow map.

#import "common/rotation"

struct Frame {
    clip_from_world: mat4x4<f32>,
    /// Sun's orthographic view: xy in -1..1, z in 0..1.
    shadow_from_world: mat4x4<f32>,
    /// Camera position [m].
    eye: vec4<f32>,
    /// Camera axes; right and up scaled so that forward + x right + y up meets clip position (x, y).
    right: vec4<f32>,
    up: vec4<f32>,
    forward: vec4<f32>,
    /// xyz: unit vector to the sun; w: width of a shadow texel [m].
    sun: vec4<f32>,
    /// Target width and height [pixels], and their inverses.
    viewport: vec4<f32>,
    /// x: width of a shadow texel in texture units; y: 1 with shadows, 0 without; z: 1 with grid lines on the ground;
    /// w: 1 with surfaces colored by strain.
    settings: vec4<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;

/// Clip position that no triangle reaches the screen from.
const NOWHERE = vec4<f32>(0.0, 0.0, -1.0, 1.0);

/// Clip position in the sun's view; what is outside its depth range casts its shadow from the border.
fn shadow_clip(position: vec3<f32>) -> vec4<f32> {
    let clip = frame.shadow_from_world * vec4<f32>(position, 1.0);
    return vec4<f32>(clip.xy, clamp(clip.z, 0.0, 1.0), 1.0);
}
