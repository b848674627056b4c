//! A body-centered cubic lattice over a box.

use glam::{IVec3, UVec3, Vec3};

/// Most places that are looked at.
const MOST_SAMPLES: f64 = 8.0e6;
/// Cubes along each axis beyond those of the box.
const MARGIN: f32 = 4.0;

/// A body-centered cubic lattice: corners of cubes, then their centers.
pub(super) struct Grid {
    origin: Vec3,
    /// Side of a cube [m].
    side: f32,
    /// Cubes along each axis.
    cubes: UVec3,
}

impl Grid {
    /// A lattice over a box and a margin of two cubes on each side; the reason when it would be too large.
    pub(super) fn around((low, high): (Vec3, Vec3), spacing: f32) -> Result<Self, String> {
        // Corner and center of a cube are nearest to each other.
        let side = spacing * 2.0 / 3.0_f32.sqrt();
        let cubes = ((high - low) / side).ceil() + MARGIN;
        let samples = 2.0 * cubes.as_dvec3().element_product();
        if samples.is_nan() || samples >= MOST_SAMPLES {
            // So long that a cube around the box has fewer, whatever is rounded up.
            let most = (0.5 * MOST_SAMPLES as f32).cbrt() - MARGIN - 1.0;
            let least = spacing_for((high - low).max_element() / most);
            return Err(format!("a particle spacing of {spacing} m needs too many cells; use at least {least} m"));
        }
        Ok(Self { origin: 0.5 * (low + high) - 0.5 * side * cubes, side, cubes: cubes.as_uvec3() })
    }

    /// The spacing at which a solid box has so many places.
    pub(super) fn spacing_of((low, high): (Vec3, Vec3), count: f32) -> f32 {
        spacing_for((2.0 * (high - low).element_product() / count).cbrt())
    }

    fn corners(&self) -> u32 {
        (self.cubes + 1).element_product()
    }

    pub(super) fn len(&self) -> u32 {
        self.corners() + self.cubes.element_product()
    }

    fn corner(&self, at: UVec3) -> u32 {
        (at.z * (self.cubes.y + 1) + at.y) * (self.cubes.x + 1) + at.x
    }

    fn center(&self, at: UVec3) -> u32 {
        self.corners() + (at.z * self.cubes.y + at.y) * self.cubes.x + at.x
    }

    /// Cube of a center, or place of a corner, counted in cubes.
    fn cell(&self, index: u32) -> UVec3 {
        let (index, size) = match index.checked_sub(self.corners()) {
            Some(rest) => (rest, self.cubes),
            None => (index, self.cubes + 1),
        };
        let (x, rest) = (index % size.x, index / size.x);
        UVec3::new(x, rest % size.y, rest / size.y)
    }

    /// Where a corner or center is [m].
    pub(super) fn place(&self, index: u32) -> Vec3 {
        let shift = if index < self.corners() { 0.0 } else { 0.5 };
        self.origin + self.side * (self.cell(index).as_vec3() + shift)
    }

    /// The corner or center nearest to a point within the box.
    pub(super) fn nearest(&self, p: Vec3) -> u32 {
        let at = (p - self.origin) / self.side;
        let (corner, center) = (at.round(), at.floor() + 0.5);
        let cube = |v: Vec3, most: UVec3| v.max(Vec3::ZERO).as_uvec3().min(most);
        if at.distance_squared(corner) < at.distance_squared(center) {
            self.corner(cube(corner, self.cubes))
        } else {
            self.center(cube(center, self.cubes - 1))
        }
    }

    /// The up to 8 nearest and 6 next places around one.
    pub(super) fn around_place(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let is_corner = index < self.corners();
        let at = self.cell(index).as_ivec3();
        let size = |corners: bool| if corners { self.cubes + 1 } else { self.cubes }.as_ivec3();
        let within = move |p: &IVec3, corners: bool| p.cmpge(IVec3::ZERO).all() && p.cmplt(size(corners)).all();
        let first = at - IVec3::splat(i32::from(is_corner));
        let near = (0..8).map(move |i| first + IVec3::new(i & 1, i >> 1 & 1, i >> 2 & 1));
        let next = IVec3::AXES.into_iter().flat_map(move |axis| [at - axis, at + axis]);
        let near = near.filter(move |p| within(p, !is_corner)).map(move |p| self.index(p, !is_corner));
        near.chain(next.filter(move |p| within(p, is_corner)).map(move |p| self.index(p, is_corner)))
    }

    fn index(&self, at: IVec3, corner: bool) -> u32 {
        if corner { self.corner(at.as_uvec3()) } else { self.center(at.as_uvec3()) }
    }

    /// Whether both are corners, or both centers: joined by a long edge.
    pub(super) fn alike(&self, a: u32, b: u32) -> bool {
        (a < self.corners()) == (b < self.corners())
    }

    /// Tetrahedra between the centers of two cubes side by side and an edge of the square between them.
    pub(super) fn each_tet(&self, mut visit: impl FnMut([u32; 4])) {
        for axis in 0..3 {
            let step = |a: usize| IVec3::AXES[a % 3].as_uvec3();
            let (out, u, v) = (step(axis), step(axis + 1), step(axis + 2));
            let last = self.cubes - out;
            let rows = (0..last.z).flat_map(|z| (0..last.y).map(move |y| (y, z)));
            for at in rows.flat_map(|(y, z)| (0..last.x).map(move |x| UVec3::new(x, y, z))) {
                let (a, b) = (self.center(at), self.center(at + out));
                let ring = [at + out, at + out + u, at + out + u + v, at + out + v].map(|c| self.corner(c));
                (0..4).for_each(|k| visit([a, b, ring[k], ring[(k + 1) % 4]]));
            }
        }
    }
}

/// Spacing of a lattice of cubes with this side [m].
fn spacing_for(side: f32) -> f32 {
    side * 0.5 * 3.0_f32.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_spacing_that_is_told_is_one_that_works() {
        for size in [Vec3::ONE, Vec3::new(1.0, 1.0, 0.01), Vec3::new(0.3, 7.0, 5.0)] {
            let around = |spacing: f32| Grid::around((Vec3::ZERO, size), spacing).map(|grid| grid.len());
            let refusal = around(1e-4 * size.max_element()).unwrap_err();
            let told = refusal.split_whitespace().rev().nth(1).unwrap().parse().unwrap();
            assert!(around(told).is_ok(), "{refusal}");
        }
    }

    #[test]
    fn tetrahedra_fill_the_lattice_with_two_long_and_four_short_edges() {
        let grid = Grid::around((Vec3::ZERO, Vec3::new(0.3, 0.2, 0.1)), 0.1).unwrap();
        assert!((0..grid.len()).all(|i| grid.nearest(grid.place(i) + Vec3::new(0.02, -0.01, 0.015)) == i));
        let (mut total, mut count) = (0.0, 0);
        grid.each_tet(|tet| {
            let corners = tet.map(|i| grid.place(i));
            for [a, b] in super::super::EDGES {
                let length = if grid.alike(tet[a], tet[b]) { grid.side } else { 0.1 };
                assert!((corners[a].distance(corners[b]) - length).abs() < 1e-5);
            }
            total += super::super::volume(corners).abs();
            count += 1;
        });
        // A third of a cube between each two centers side by side.
        let expected = f64::from(count) / 12.0 * f64::from(grid.side).powi(3);
        assert!(count > 500 && (total / expected - 1.0).abs() < 1e-4, "{total} {expected}");
    }
}
