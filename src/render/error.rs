//! What can go wrong when drawing.

use thiserror::Error;

use crate::gpu::GpuError;

/// An error of the renderer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RenderError {
    /// The device or a shader.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A picture of no or too many pixels.
    #[error("a picture of {width}x{height} pixels cannot be drawn; each side must be 1 to {most}")]
    Size {
        /// Width asked for [pixels].
        width: u32,
        /// Height asked for [pixels].
        height: u32,
        /// Longest side of a texture [pixels].
        most: u32,
    },
    /// A texture whose pixels do not match its size.
    #[error("model `{model}`, image {image}: {width}x{height} pixels need {} bytes, there are {bytes}", 4 * u64::from(*width) * u64::from(*height))]
    Image {
        /// The model.
        model: String,
        /// Index of the image.
        image: usize,
        /// Width [pixels].
        width: u32,
        /// Height [pixels].
        height: u32,
        /// Bytes there are.
        bytes: usize,
    },
    /// Turns for an instance that is not there.
    #[error("instance {instance} does not exist; there are {count}")]
    NoInstance {
        /// The instance asked for.
        instance: usize,
        /// How many there are.
        count: usize,
    },
    /// A part that is not there.
    #[error("instance {instance} has no part {part}; its model has {count}")]
    NoPart {
        /// The instance.
        instance: usize,
        /// The part asked for: a primitive of its model.
        part: usize,
        /// How many there are.
        count: usize,
    },
    /// A wrong number of turns.
    #[error("instance {instance} has {bones} bones, {given} turns were given; give one for each bone")]
    TurnCount {
        /// The instance.
        instance: usize,
        /// Turns given.
        given: usize,
        /// Bones it has.
        bones: usize,
    },
    /// A turn that is no rotation.
    #[error("instance {instance}, turn {bone}: its length is {length}; it must be 1 (a unit quaternion)")]
    Turn {
        /// The instance.
        instance: usize,
        /// The bone.
        bone: usize,
        /// Length of the quaternion.
        length: f32,
    },
    /// A light that cannot be.
    #[error("light: `{field}` must be {allowed}")]
    Light {
        /// The field.
        field: &'static str,
        /// The range.
        allowed: &'static str,
    },
    /// A lens that cannot be.
    #[error("lens: `{field}` must be {allowed}")]
    Lens {
        /// What of it.
        field: &'static str,
        /// The range.
        allowed: &'static str,
    },
    /// A view or a target of a host that cannot be drawn into.
    #[error("host: {0}")]
    Host(String),
    /// A target format that pictures cannot be read back from.
    #[error("pictures cannot be read from a {0:?} target; make the renderer with an 8-bit RGBA or BGRA format")]
    Format(wgpu::TextureFormat),
}
