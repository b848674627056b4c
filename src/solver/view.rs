//! What others may read of the solver's state on the GPU.

/// Row of the buffer `bodies`; WGSL struct `Body` of `shaders/common/body.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct BodyState {
    /// xyz: centre of mass [m]; w: inverse mass in force now [1/kg], 0 asleep or kinematic.
    pub center: [f32; 4],
    /// Orientation xyzw; all zero once the body is removed.
    pub rotation: [f32; 4],
    /// xyz: velocity of the centre [m/s]; w: time below the sleep speed [s].
    pub velocity: [f32; 4],
    /// xyz: angular velocity [rad/s].
    pub angular_velocity: [f32; 4],
}

/// Buffers to draw from.
#[derive(Clone, Copy, Debug)]
pub struct SolverView<'a> {
    /// Rows of [`BodyState`].
    pub bodies: &'a wgpu::Buffer,
    /// xyz: position [m]; w: radius [m].
    pub particles: &'a wgpu::Buffer,
    /// Body of each particle; `u32::MAX` for a free one.
    pub particle_bodies: &'a wgpu::Buffer,
    /// Rows of `bodies` in use.
    pub body_count: u32,
    /// Rows of `particles` in use.
    pub particle_count: u32,
}
