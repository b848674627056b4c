//! What a picture shows.

use glam::Vec3;

use super::light::Light;
use crate::scene::BodyId;

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOptions {
    /// The models that follow bodies and particles; liquids and grains, unless all particles are shown.
    pub surfaces: bool,
    /// Particles as balls, a colour for each body, free ones blue.
    pub particles: bool,
    /// Joints, over everything: arms, axes, and the gap in red.
    pub joints: bool,
    /// Surfaces that follow particles colored by how far their edges are stretched.
    pub strain: bool,
    /// Constraints between particles as lines, a color for each class of those solved at once, in place of the surfaces that
    /// follow particles.
    pub colors: bool,
    /// Shadows of the sun, and ambient occlusion.
    pub shadows: bool,
    /// Colliders that are planes; without, the host draws its own ground.
    pub planes: bool,
    /// Tiles on planes near the eye, a metre wide; a tenth of that where the eye is nearer, ten times where it is higher.
    pub grid: bool,
    /// The pull of a hand.
    pub drag: Option<DragLine>,
    /// Sun, sky and haze.
    pub light: Light,
}

/// The pull of a hand on a body, drawn as a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragLine {
    /// The body.
    pub body: BodyId,
    /// The point held, in the body's frame [m].
    pub local: Vec3,
    /// Where it is pulled to [m].
    pub target: Vec3,
}

impl Default for DrawOptions {
    fn default() -> Self {
        Self {
            surfaces: true,
            particles: false,
            joints: false,
            strain: false,
            colors: false,
            shadows: true,
            planes: true,
            grid: true,
            drag: None,
            light: Light::default(),
        }
    }
}

impl DrawOptions {
    /// Whether liquids and grains are drawn as such.
    pub(super) fn flowing(&self) -> bool {
        self.surfaces && !self.particles
    }
}
