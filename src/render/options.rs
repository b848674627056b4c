//! What a picture shows.

use glam::Vec3;

use super::light::Light;
use crate::gpu::wgsl::render::soft_surface::FULL_STRAIN;
use crate::scene::BodyId;

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOptions {
    /// The models that follow bodies and particles; liquids and grains, unless all particles are shown.
    pub surfaces: bool,
    /// Particles as balls.
    pub particles: bool,
    /// What the colors of these balls tell.
    pub particle_colors: ParticleColors,
    /// Contacts that touch, as lines along their normals; not those of free particles with colliders, which have no rows.
    pub contacts: bool,
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
    /// Tiles on planes near the eye, a meter wide; a tenth of that where the eye is nearer, ten times where it is higher.
    pub grid: bool,
    /// The pull of a hand.
    pub drag: Option<DragLine>,
    /// Sun, sky and haze.
    pub light: Light,
}

/// What the colors of particles tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParticleColors {
    /// Whose they are: a color for each body, free ones blue.
    #[default]
    Owner,
    /// How fast: from blue at rest to red at 10 m/s, by the square root.
    Speed,
    /// What moves, bright, and what is asleep, held or pinned, dark.
    Rest,
    /// What they touch: gray nothing, then from blue for one contact to red for eight.
    Contacts,
    /// The cell of the hash grid in which they are found: large ones of bodies, small ones of free particles.
    Cells,
}

impl ParticleColors {
    /// All, each with its name and a line for the player.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Owner, "owner", "by owner: one color for each body, free particles blue"),
        (Self::Speed, "speed", "from blue at rest to red at 10 m/s"),
        (Self::Rest, "rest", "moving particles bright; sleeping, held or pinned ones dark"),
        (Self::Contacts, "contacts", "gray without contacts, from blue for one to red for eight"),
        (Self::Cells, "cells", "by the grid cell in which contacts are searched"),
    ];

    /// The next of all, after the last the first.
    pub(crate) fn next(self) -> Self {
        let place = Self::ALL.iter().position(|(colors, ..)| *colors == self).unwrap_or(0);
        Self::ALL[(place + 1) % Self::ALL.len()].0
    }
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
            particle_colors: ParticleColors::default(),
            contacts: false,
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
    /// What the colors mean that are shown now, a line for each view.
    pub(crate) fn legends(&self) -> Vec<String> {
        let percent = 100.0 * FULL_STRAIN;
        let strain = || format!("strain: blue −{percent} %, gray 0, red +{percent} %");
        let own = ParticleColors::ALL.iter().find(|(colors, ..)| *colors == self.particle_colors);
        let particles = own.filter(|_| self.particles).map(|(_, _, what)| format!("particles: {what}"));
        self.strain.then(strain).into_iter().chain(particles).collect()
    }

    /// Shows particles in colors that tell the next of what they can, without the surfaces that hide them; after the last, surfaces again.
    pub(crate) fn next_colors(&mut self) {
        self.show_colors(self.particle_colors.next());
    }

    /// Shows particles in these colors, without the surfaces that hide them; surfaces for those that tell nothing new.
    pub(crate) fn show_colors(&mut self, colors: ParticleColors) {
        self.particle_colors = colors;
        self.particles = colors != ParticleColors::Owner;
        self.surfaces = !self.particles;
    }

    /// Shows particles or not. The surfaces that their colors had hidden come back with the last of them.
    pub(crate) fn show_particles(&mut self, shown: bool) {
        self.particles = shown;
        self.surfaces |= !shown && self.particle_colors != ParticleColors::Owner;
    }

    /// Whether liquids and grains are drawn as such.
    pub(super) fn flowing(&self) -> bool {
        self.surfaces && !self.particles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_that_colors_have_hidden_come_back_with_the_last_particles() {
        let mut draw = DrawOptions::default();
        draw.next_colors();
        draw.next_colors();
        assert!(draw.particles && !draw.surfaces);
        draw.show_particles(false);
        assert!(draw.surfaces && !draw.particles);
        // Who has hidden them himself has them hidden.
        let mut draw = DrawOptions { surfaces: false, particles: true, ..DrawOptions::default() };
        draw.show_particles(false);
        assert!(!draw.surfaces && !draw.particles);
    }
}
