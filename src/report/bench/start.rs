//! A start that all partitions share: constraints alone, violated, with nothing else that acts. "Without considering
//! numerical integration", as paper 3 has it for its figures 9 and 10.

use glam::{DVec3, Vec3};

use super::bodies::owned;
use crate::constraints::{NO_PARTICLE, Partition, largest_clique};
use crate::demos::stage_for;
use crate::report::ReportError;
use crate::scene::{Phase, Scene};

/// A demo, deformed: where all partitions start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) demo: &'static str,
    pub(super) sets: &'static [(&'static str, &'static str)],
    /// What its axes are scaled by.
    pub(super) scale: Vec3,
    /// Whether only lengths are kept.
    pub(super) lengths: bool,
}

impl Start {
    /// # Errors
    /// [`ReportError`] when the scene cannot be built.
    pub(super) fn scene(&self) -> Result<Scene, ReportError> {
        let mut scene = freed(stage_for(self.demo, &owned(self.sets))?.scene, self.scale);
        if self.lengths {
            keep_lengths(&mut scene);
        }
        Ok(scene)
    }
}

/// The cloth of figures 9 and 10 of paper 3: 400 particles and 1121 lengths, at 16 times its area.
pub(super) const CLOTH: Start = Start { demo: "s0", sets: &[("side", "20")], scale: Vec3::splat(4.0), lengths: true };
/// A squishy ball at 0.3 of its height.
pub(super) const SQUISHY: Start = Start { demo: "squishy", sets: &[], scale: Vec3::new(1.0, 0.3, 1.0), lengths: false };

/// `scene` scaled about its middle, each axis by its own factor, without gravity, colliders, contacts and substeps.
pub(super) fn freed(mut scene: Scene, scale: Vec3) -> Scene {
    let middle = scene.particles.iter().map(|p| p.position).sum::<Vec3>() / scene.particles.len().max(1) as f32;
    for particle in &mut scene.particles {
        particle.position = middle + scale * (particle.position - middle);
        particle.phase = Phase(particle.phase.0 | Phase::GHOST.0);
    }
    scene.colliders.clear();
    (scene.params.gravity, scene.params.substeps) = (Vec3::ZERO, 1);
    scene
}

/// Leaves only the lengths of what keeps its shape.
pub(super) fn keep_lengths(scene: &mut Scene) {
    scene.constraints.retain(|row| row.stretch().is_some());
    scene.deformables.clear();
}

/// Takes the compliance of lengths, bends and volumes away: k = 1 of the papers.
pub(super) fn stiffen(scene: &mut Scene) {
    scene.params.stiffness = 1.0;
    for row in &mut scene.constraints {
        if let "distance" | "dihedral" | "volume" = row.kind.name {
            row.values[1] = 0.0;
        }
    }
}

/// The mean length at rest of what keeps its length [m].
pub(super) fn mean_length(scene: &Scene) -> f32 {
    let lengths = || scene.constraints.iter().filter_map(|row| row.stretch()).map(|kept| kept.rest_length);
    lengths().sum::<f32>() / lengths().count().max(1) as f32
}

/// Puts every particle off by up to a `part` of the mean length at rest along each axis, at random.
pub(super) fn shake(scene: &mut Scene, part: f32) {
    let reach = part * mean_length(scene);
    let mut state = 1_u64;
    // As `spawn` has its random numbers, which no report may use.
    let mut next = || -> u64 {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut between = || -> f32 {
        // 24 bits: every value is exact in f32 and 1 is never reached.
        2.0 * reach * ((next() >> 40) as f32 / 16_777_216.0) - reach
    };
    for particle in &mut scene.particles {
        particle.position += Vec3::new(between(), between(), between());
    }
}

/// C of every length and volume, relative to what it is at rest, and whether it is a length.
pub(super) fn relative<'a>(
    scene: &'a Scene,
    at: &'a impl Fn(usize) -> DVec3,
) -> impl Iterator<Item = (bool, f64)> + 'a {
    scene.constraints.iter().filter_map(|row| {
        // What can flow has no C of its volume alone.
        let volume = row.rest_volume().filter(|_| !row.yields());
        let length = row.stretch().map(|kept| f64::from(kept.rest_length));
        let rest = length.or(volume).filter(|r| *r != 0.0)?;
        let x = row.particles.map(|p| if p == NO_PARTICLE { DVec3::ZERO } else { at(p as usize) });
        let equation = row.equation(0, &x);
        let violated = if equation.most == 0.0 { equation.value.max(0.0) } else { equation.value };
        Some((length.is_some(), violated / rest))
    })
}

/// Root mean square of C over lengths and volumes, each relative to what it is at rest; 0 without any.
pub(super) fn residual(scene: &Scene, at: impl Fn(usize) -> DVec3) -> f64 {
    let (mut squares, mut count) = (0.0, 0_u32);
    for (_, c) in relative(scene, &at) {
        squares += c * c;
        count += 1;
    }
    if count == 0 { 0.0 } else { (squares / f64::from(count)).sqrt() }
}

/// The residual where the particles of `scene` are.
pub(super) fn residual_at_start(scene: &Scene) -> f64 {
    residual(scene, |i| scene.particles[i].position.as_dvec3())
}

/// The residual of positions [m] and radii as the GPU holds them.
pub(super) fn residual_of(scene: &Scene, particles: &[[f32; 4]]) -> f64 {
    residual(scene, |i| Vec3::from_slice(&particles[i]).as_dvec3())
}

/// The most constraints of any particle: a partition with so few colors at least, unless it splits particles.
pub(super) fn clique(scene: &Scene) -> u32 {
    largest_clique(scene.constraints.len(), scene.particles.len(), |i| scene.constraints[i].joined())
}

/// The partitions that papers 1 and 3 compare, with the Q that paper 3 recommends: half the largest clique.
pub(super) fn partitions(scene: &Scene) -> [Partition; 4] {
    let half = clique(scene).div_ceil(2).max(1);
    [Partition::Colors, Partition::Phantom(half), Partition::Hybrid(half), Partition::Jacobi]
}

/// Whether no constraint moves particle `i`.
pub(super) fn is_fixed(scene: &Scene) -> impl Fn(u32) -> bool + '_ {
    |i| scene.particles[i as usize].mass == 0.0
}

/// How many times the rows of a scene are projected in a frame.
pub(super) fn projections(scene: &Scene) -> f64 {
    scene.constraints.len() as f64 * f64::from(scene.params.substeps * scene.params.iterations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::Partitioned;
    use crate::report::Reference;
    use crate::report::bench::partitions::{LEFT_BAR, SAVED_BAR};

    #[test]
    fn a_cloth_four_times_as_long_is_off_by_three() {
        let scene = CLOTH.scene().unwrap();
        assert_eq!((scene.particles.len(), scene.constraints.len()), (400, 1121));
        let off = residual(&scene, |i| scene.particles[i].position.as_dvec3());
        assert!((off - 3.0).abs() < 1e-3, "{off}");
    }

    /// Paper 3, section 5: half the colors, hardly more error; averaging everything is worse than all others.
    #[test]
    fn half_the_colors_leave_hardly_more_error_and_jacobi_the_most() {
        let mut scene = CLOTH.scene().unwrap();
        scene.params.iterations = 16;
        let left = partitions(&scene).map(|partition| {
            scene.params.partition = partition;
            let rows = &scene.constraints;
            let divided = Partitioned::new(rows, scene.particles.len(), is_fixed(&scene), partition);
            let colors = divided.colors();
            let mut reference = Reference::divided(&scene, divided);
            reference.frame(&scene, false);
            (colors, residual(&scene, |i| reference.particles().position[i]))
        });
        let [gauss_seidel, phantom, _, jacobi] = left;
        // Beside the colors an iteration has a first and a last dispatch.
        assert!(f64::from(phantom.0 + 2) <= (1.0 - SAVED_BAR) * f64::from(gauss_seidel.0 + 2), "{left:?}");
        assert!(phantom.1 <= LEFT_BAR * gauss_seidel.1, "{left:?}");
        assert!(jacobi.1 > phantom.1 && jacobi.1 > gauss_seidel.1, "{left:?}");
    }
}
