//! What a blade sweeps, and what it intersects.

use glam::{DVec3, Vec3};

use crate::scene::check::{Check, vector};

/// What a blade sweeps while it cuts: triangles in the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blade {
    /// Corners of each triangle [m].
    pub triangles: Vec<[Vec3; 3]>,
}

impl Blade {
    /// A straight edge that goes from one place to another: its ends before and after [m].
    pub fn swept([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> Self {
        Self { triangles: vec![[a, b, d], [a, d, c]] }
    }

    pub(crate) fn check(&self) -> Check {
        self.triangles.iter().flatten().try_for_each(|corner| vector("blade", "corner", *corner))
    }

    /// Whether the way from point to point goes from one of its sides to the other.
    pub(super) fn parts(&self, way: &[Vec3]) -> bool {
        let legs = || way.windows(2).map(|ends| [ends[0].as_dvec3(), ends[1].as_dvec3()]);
        let through = |leg: &[DVec3; 2]| self.triangles.iter().filter(|t| meets(*leg, t.map(Vec3::as_dvec3))).count();
        legs().map(|leg| through(&leg)).sum::<usize>() % 2 == 1
    }
}

/// Whether a segment goes through a triangle. Of triangles that share an edge it goes through one, even where it goes through the edge.
fn meets([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let above = |x: DVec3| (b - a).cross(c - a).dot(x - a) >= 0.0;
    let turns = [[a, b], [b, c], [c, a]].map(|edge| is_left([p, q], edge));
    above(p) != above(q) && turns[0] == turns[1] && turns[1] == turns[2]
}

/// Whether an edge goes round a line to the left; the other way round it goes to the right, always.
fn is_left([p, q]: [DVec3; 2], [a, b]: [DVec3; 2]) -> bool {
    let turned = a.to_array() > b.to_array();
    let [a, b] = if turned { [b, a] } else { [a, b] };
    ((a - p).cross(b - p).dot(q - p) >= 0.0) != turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_goes_through_a_swept_blade_once() {
        let blade = Blade::swept([Vec3::ZERO, Vec3::Y], [Vec3::X, Vec3::X + Vec3::Y]);
        for (x, y, expected) in [
            (0.3, 0.6, true),
            (0.6, 0.3, true),
            // Through the edge that its two triangles share.
            (0.5, 0.5, true),
            (0.25, 0.25, true),
            (1.2, 0.5, false),
            (0.5, -0.1, false),
        ] {
            let ends = [Vec3::new(x, y, -1.0), Vec3::new(x, y, 1.0)];
            assert_eq!(blade.parts(&ends), expected, "at {x}, {y}");
            assert_eq!(blade.parts(&[ends[1], ends[0]]), expected, "back at {x}, {y}");
            // There and back is no other side.
            assert!(!blade.parts(&[ends[0], ends[1], ends[0]]));
        }
        assert!(!Blade::swept([Vec3::ZERO; 2], [Vec3::X; 2]).parts(&[Vec3::NEG_Z, Vec3::Z]), "a blade of no width");
        assert!(Blade { triangles: vec![[Vec3::NAN; 3]] }.check().is_err());
    }
}
