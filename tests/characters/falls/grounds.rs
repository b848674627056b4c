//! Falls onto a plane, stairs and a slope, each simulated once for all tests that look at it.

use std::sync::OnceLock;

use glam::{Quat, Vec3};
use sinew::scene::{Collider, Scene, Shape};

use super::dolls::{Doll, Member, Start, orientations};
use super::run::{Run, SECOND};

/// What characters fall onto: the same along Z, so that they fall side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Plane,
    Stairs,
    Slope,
}

/// Where tests that look at every fall look: at all three in the long run, else at the stairs, which are the hardest.
pub(crate) fn grounds() -> &'static [Ground] {
    if crate::effort::is_long() { &[Ground::Plane, Ground::Stairs, Ground::Slope] } else { &[Ground::Stairs] }
}
/// Dancers, figures and animals that fall together.
pub(crate) const ALL: [usize; 3] = [8, 2, 3];
/// Between two characters [m].
const APART: f32 = 4.0;
/// Free fall of the lowest particle [m].
const DROP: f32 = 1.0;
/// Rise and tread of a stair [m], and how many there are.
const STAIR: (f32, f32) = (0.17, 0.29);
const STAIRS: u32 = 9;
/// Steepness of the slope [rad].
const STEEP: f32 = 30.0 * std::f32::consts::PI / 180.0;
/// Friction on the slope, in units of the usual 0.6: 0.9 holds what lies there and 0.72 slows what slides.
const GRIP: f32 = 1.5;

impl Ground {
    /// Length of a fall [frames]; sleep is due by then.
    const FRAMES: usize = 8 * SECOND;

    fn colliders(self) -> Vec<Collider> {
        let step = |i: u32| {
            let half = Vec3::new(0.5 * STAIR.1, 0.5 * STAIR.0 * (STAIRS - i) as f32, 100.0);
            Collider::new(Shape::Cuboid(half), Vec3::new((i as f32 - 2.0) * STAIR.1, half.y, 0.0))
        };
        match self {
            Self::Plane => vec![Collider::ground(0.0)],
            Self::Stairs => std::iter::once(Collider::ground(0.0)).chain((0..STAIRS).map(step)).collect(),
            Self::Slope => vec![Collider::ground(0.0).rotated(Quat::from_rotation_z(-STEEP))],
        }
    }

    /// Height of the ground at `x` [m].
    fn height(self, x: f32) -> f32 {
        match self {
            Self::Plane => 0.0,
            Self::Stairs => {
                let step = (x / STAIR.1 + 2.5).floor();
                if (0.0..STAIRS as f32).contains(&step) { STAIR.0 * (STAIRS as f32 - step) } else { 0.0 }
            }
            Self::Slope => -x * STEEP.tan(),
        }
    }

    /// Lets so many dancers, figures and animals fall in a scene changed by `tune`.
    pub(crate) fn fall(self, [dancers, figures, animals]: [usize; 3], tune: impl Fn(&mut Scene)) -> Run {
        let mut scene = Scene::default();
        for collider in self.colliders() {
            scene.add_collider(collider).unwrap();
        }
        let (dancer, figure, animal) = (Doll::dancer(), Doll::figure(), Doll::animal());
        let mut members: Vec<Member> = Vec::new();
        for (doll, count) in [(&dancer, dancers), (&figure, figures), (&animal, animals)] {
            for (rotation, moment) in orientations(count) {
                let center = Vec3::Z * APART * (members.len() as f32 - 6.0);
                let start = Start { moment, ..Start::at(center, rotation) };
                let member = doll.add(&mut scene, start);
                let clearance = |(p, r): (Vec3, f32)| p.y - r - self.height(p.x);
                let lowest = member.particles(&scene).map(clearance).fold(f32::MAX, f32::min);
                member.shift(&mut scene, Vec3::Y * (DROP - lowest));
                members.push(member);
            }
        }
        if self == Self::Slope {
            scene.params.friction_scale = GRIP;
        }
        tune(&mut scene);
        Run::record(scene, members, Self::FRAMES)
    }

    /// What became of the fall.
    pub(crate) fn run(self) -> &'static Run {
        static RUNS: [OnceLock<Run>; 3] = [const { OnceLock::new() }; 3];
        RUNS[self as usize].get_or_init(|| self.fall(ALL, |_| ()))
    }
}
