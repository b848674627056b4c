//! Rings made of tetrahedra: a section of triangles swept around, each prism cut into three.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};

use crate::scene::{Material, Shell};

/// A flat section: points with their triangles, those of the outline first and in order.
#[derive(Clone, Debug)]
pub struct Section {
    /// Points [m], shape [point_count].
    pub points: Vec<Vec2>,
    /// Triangles between them.
    pub faces: Vec<[u32; 3]>,
    /// Number of points of the outline.
    pub outline: u32,
}

/// A ring at rest about the Y axis; the particles of its outer surface come first.
#[derive(Clone, Debug)]
pub struct Ring {
    /// Where its particles rest [m], shape [particle_count].
    pub rest: Vec<Vec3>,
    /// Its tetrahedra, right-handed.
    pub tetrahedra: Vec<[u32; 4]>,
    /// The outer surface, seen counterclockwise from outside.
    pub surface: Vec<[u32; 3]>,
}

/// Points on a circle of `radius` [m].
pub fn circle(count: u32, radius: f32) -> impl Iterator<Item = Vec2> {
    (0..count).map(move |i| radius * Vec2::from_angle(TAU * i as f32 / count as f32))
}

impl Ring {
    /// The section swept `slices` times around a circle of `radius` [m].
    pub fn new(section: &Section, slices: u32, radius: f32) -> Self {
        let (outline, all) = (section.outline, section.points.len() as u32);
        // Surface particles of all slices first, then inner ones.
        let at = |slice: u32, point: u32| match point.checked_sub(outline) {
            None => (slice % slices) * outline + point,
            Some(inner) => slices * outline + (slice % slices) * (all - outline) + inner,
        };
        let mut rest = vec![Vec3::ZERO; (slices * all) as usize];
        let (mut tetrahedra, mut surface) = (Vec::new(), Vec::new());
        for slice in 0..slices {
            let turn = Quat::from_rotation_y(TAU * slice as f32 / slices as f32);
            for (point, p) in (0..all).zip(&section.points) {
                rest[at(slice, point) as usize] = turn * Vec3::new(radius + p.x, p.y, 0.0);
            }
            for face in &section.faces {
                // Diagonals of a prism's sides rise from the lower point, so neighbors agree on them.
                let mut low = *face;
                low.sort_unstable();
                let [a, b, c] = low;
                let (h, t) = (|point| at(slice, point), |point| at(slice + 1, point));
                tetrahedra.extend([[h(a), h(b), h(c), t(c)], [h(a), h(b), t(b), t(c)], [h(a), t(a), t(b), t(c)]]);
            }
            for i in 0..outline {
                let (a, b) = (i.min((i + 1) % outline), i.max((i + 1) % outline));
                let (h, t) = (|point| at(slice, point), |point| at(slice + 1, point));
                let (one, two) = ([h(a), h(b), t(b)], [h(a), t(b), t(a)]);
                // Seen from behind but for the closing edge of the outline, whose ends are the other way round.
                let flip = |[p, q, r]: [u32; 3]| [p, r, q];
                surface.extend(if b == a + 1 { [flip(one), flip(two)] } else { [one, two] });
            }
        }
        for t in &mut tetrahedra {
            let [a, b, c, d] = t.map(|i| rest[i as usize]);
            if (b - a).cross(c - a).dot(d - a) < 0.0 {
                t.swap(2, 3);
            }
        }
        Self { rest, tetrahedra, surface }
    }

    /// Its outer surface as a shell to draw.
    pub fn shell(&self) -> Arc<Shell> {
        let count = self.surface.iter().flatten().max().map_or(0, |i| *i as usize + 1);
        let material = Material { roughness: 0.45, ..Material::default() };
        Arc::new(Shell::on_particles(&self.rest[..count], &self.surface, &[], material))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_whole() {
        let points: Vec<Vec2> = circle(6, 0.1).chain([Vec2::ZERO]).collect();
        let faces: Vec<[u32; 3]> = (0..6).map(|i| [i, (i + 1) % 6, 6]).collect();
        let ring = Ring::new(&Section { points, faces, outline: 6 }, 24, 0.4);
        let at = |i: u32| ring.rest[i as usize];
        let volumes: Vec<f32> = ring
            .tetrahedra
            .iter()
            .map(|t| (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).dot(at(t[3]) - at(t[0])) / 6.0)
            .collect();
        assert!(volumes.iter().all(|v| *v > 0.0));
        // Pappus: the hexagon's area times the way of its center, a little less for 24 slices.
        let expected = 1.5 * 3.0_f32.sqrt() * 0.01 * TAU * 0.4;
        let sum: f32 = volumes.iter().sum();
        assert!((sum / expected - 1.0).abs() < 0.02, "{sum} of {expected}");
        // The closed surface encloses the same, counted outward.
        let enclosed: f32 = ring.surface.iter().map(|t| at(t[0]).cross(at(t[1])).dot(at(t[2])) / 6.0).sum();
        assert!((enclosed / sum - 1.0).abs() < 1e-3, "{enclosed} of {sum}");
    }
}
