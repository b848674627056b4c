//! What the demos share: ground and pits, colours, a small seeded random source, and framing.

use glam::{Mat3, Quat, Vec3, Vec4};

use crate::scene::{Collider, Scene, SceneError, Shape, View};

/// Linear colours that sit well together on grey ground.
const PALETTE: [[f32; 3]; 8] = [
    [0.78, 0.20, 0.12],
    [0.85, 0.45, 0.08],
    [0.86, 0.68, 0.22],
    [0.22, 0.46, 0.18],
    [0.08, 0.42, 0.45],
    [0.10, 0.25, 0.58],
    [0.34, 0.18, 0.48],
    [0.70, 0.66, 0.58],
];

/// Colour number `i` of the palette, which repeats [linear RGB, alpha 1].
pub fn palette(i: usize) -> Vec4 {
    Vec3::from(PALETTE[i % PALETTE.len()]).extend(1.0)
}

/// Seeded random numbers (SplitMix64, Steele et al. 2014): the same seed gives the same scene everywhere.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u32) -> Self {
        Self(u64::from(seed))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `low..high`.
    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        // 24 bits: every value is exact in f32 and 1 is never reached.
        low + (high - low) * ((self.next() >> 40) as f32 / 16_777_216.0)
    }

    /// Uniform in the cube of half side `half`.
    pub(super) fn offset(&mut self, half: f32) -> Vec3 {
        Vec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }

    /// Uniform over all rotations (Shoemake 1992).
    pub(super) fn rotation(&mut self) -> Quat {
        let (u, a, b) = (self.between(0.0, 1.0), self.between(0.0, 1.0), self.between(0.0, 1.0));
        let (sa, ca) = (std::f32::consts::TAU * a).sin_cos();
        let (sb, cb) = (std::f32::consts::TAU * b).sin_cos();
        let (p, q) = ((1.0 - u).sqrt(), u.sqrt());
        Quat::from_xyzw(p * sa, p * ca, q * sb, q * cb).normalize()
    }
}

/// Ground at height 0 inside four walls whose inner faces are `half` [m] from the Y axis. The walls towards the viewer
/// (+X, +Z) are hidden.
pub(super) fn add_pit(scene: &mut Scene, half: f32, height: f32) -> Result<(), SceneError> {
    const THICKNESS: f32 = 1.0;
    scene.add_collider(Collider::ground(0.0))?;
    for (out, hidden) in [(Vec3::X, true), (Vec3::Z, true), (Vec3::NEG_X, false), (Vec3::NEG_Z, false)] {
        let along = Vec3::new(out.z.abs(), 0.0, out.x.abs());
        let extent = out.abs() * (0.5 * THICKNESS) + along * (half + THICKNESS) + Vec3::Y * (0.5 * height);
        let center = out * (half + 0.5 * THICKNESS) + Vec3::Y * (0.5 * height);
        let mut wall = Collider::new(Shape::Cuboid(extent), center);
        if hidden {
            wall.color.w = 0.0;
        }
        scene.add_collider(wall)?;
    }
    Ok(())
}

/// A tank: walls from a floor at the height of `low` up to that of `high`, whose inner faces meet these corners [m]. The walls
/// towards the viewer (+X, +Z) are hidden.
pub(super) fn add_tank(scene: &mut Scene, low: Vec3, high: Vec3) -> Result<(), SceneError> {
    const THICKNESS: f32 = 0.5;
    scene.add_collider(Collider::ground(low.y))?;
    let (half, middle) = (0.5 * (high - low), 0.5 * (high + low));
    for (out, hidden) in [(Vec3::X, true), (Vec3::Z, true), (Vec3::NEG_X, false), (Vec3::NEG_Z, false)] {
        let along = Vec3::new(out.z.abs(), 0.0, out.x.abs());
        let extent = out.abs() * (0.5 * THICKNESS) + along * (half + THICKNESS) + Vec3::Y * half.y;
        let mut wall = Collider::new(Shape::Cuboid(extent), middle + out * (half + 0.5 * THICKNESS));
        if hidden {
            wall.color.w = 0.0;
        }
        scene.add_collider(wall)?;
    }
    Ok(())
}

/// Ground at height 0 inside eight slabs that lean outward: a bowl with a flat floor of `radius` [m].
pub(super) fn add_bowl(scene: &mut Scene, radius: f32, length: f32) -> Result<(), SceneError> {
    const LEAN: f32 = 0.6;
    const THICKNESS: f32 = 0.3;
    scene.add_collider(Collider::ground(0.0))?;
    for i in 0..8 {
        let turn = std::f32::consts::TAU * i as f32 / 8.0;
        let out = Vec3::new(turn.cos(), 0.0, turn.sin());
        let (sin, cos) = LEAN.sin_cos();
        let (rise, inward) = (out * sin + Vec3::Y * cos, -out * cos + Vec3::Y * sin);
        // Wide enough to meet its neighbours at the rim, and sunk a little so that the floor has no gap.
        let half_width = (radius + length * sin) * (std::f32::consts::PI / 8.0).tan() + 0.05;
        let extent = Vec3::new(half_width, 0.5 * length + 0.1, 0.5 * THICKNESS);
        let center = out * radius + rise * (0.5 * length - 0.1) - inward * (0.5 * THICKNESS);
        let rotation = Quat::from_mat3(&Mat3::from_cols(rise.cross(inward), rise, inward));
        scene.add_collider(Collider::new(Shape::Cuboid(extent), center).rotated(rotation))?;
    }
    Ok(())
}

/// A view of a ball of `radius` [m] about `target`, from the right, the front and a little above.
pub(super) fn view_of(target: Vec3, radius: f32) -> View {
    // A little nearer than a ball would need: scenes are wider than high, and pictures too.
    View { eye: target + Vec3::new(0.45, 0.42, 0.79).normalize() * (2.1 * radius), target }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_repeat_and_stay_in_range() {
        let (mut a, mut b) = (Random::new(7), Random::new(7));
        for _ in 0..1000 {
            let value = a.between(-2.0, 3.0);
            assert_eq!(value, b.between(-2.0, 3.0));
            assert!((-2.0..3.0).contains(&value));
        }
        let mean = (0..1000).map(|_| a.between(0.0, 1.0)).sum::<f32>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.05, "{mean}");
        assert!((0..100).all(|_| a.rotation().is_normalized()));
        assert_ne!(Random::new(1).between(0.0, 1.0), Random::new(2).between(0.0, 1.0));
    }

    #[test]
    fn a_pit_is_free_inside_and_solid_outside() {
        let mut scene = Scene::default();
        add_pit(&mut scene, 2.0, 3.0).unwrap();
        assert!((nearest(&scene, Vec3::new(0.0, 1.5, 0.0)) - 1.5).abs() < 1e-5);
        for out in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z, Vec3::new(1.0, 0.0, 1.0), Vec3::new(-1.0, 0.0, 1.0)] {
            assert!((nearest(&scene, out * 1.9 + Vec3::Y) - 0.1).abs() < 1e-5);
            assert!(nearest(&scene, out * 2.3 + Vec3::Y) < -0.2);
        }
    }

    #[test]
    fn a_bowl_has_no_gap_on_the_way_up() {
        let mut scene = Scene::default();
        add_bowl(&mut scene, 1.0, 1.0).unwrap();
        assert!((nearest(&scene, Vec3::Y * 0.2) - 0.2).abs() < 1e-5);
        for i in 0..64 {
            let turn = std::f32::consts::TAU * i as f32 / 64.0;
            let out = Vec3::new(turn.cos(), 0.0, turn.sin());
            for step in 0..8 {
                let height = 0.1 * step as f32;
                let solid = (0..40).any(|k| nearest(&scene, out * (0.9 + 0.05 * k as f32) + Vec3::Y * height) < -0.02);
                assert!(solid, "gap at {turn} rad, {height} m");
            }
        }
    }

    fn nearest(scene: &Scene, p: Vec3) -> f32 {
        let distance = |c: &Collider| c.shape.distance(c.rotation.inverse() * (p - c.position));
        scene.colliders.iter().map(distance).fold(f32::MAX, f32::min)
    }
}
