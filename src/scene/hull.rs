//! Convex hulls of points.

use std::collections::{HashMap, HashSet};

use glam::{DMat3, DVec3, IVec3, Vec3};
use serde::{Deserialize, Serialize};

use super::check::{Check, SceneError, number, vector};
use super::triangle_mesh::{TriangleMesh, closest_on_triangle};

/// Most corners of a hull: every face is looked at for every particle near it.
const MOST_CORNERS: usize = 128;
/// How far off a plane a point counts as on it, in sizes of the hull.
const FLAT: f64 = 1e-6;
/// How far over a face a corner may be, in sizes of the hull: the planes of long and narrow ones lean.
const BENT: f32 = 1e-4;
/// Most particles of a body.
const MOST_PARTICLES: f32 = 65_536.0;

/// The solid between points as a cloth pulled tight around them would have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConvexHull {
    /// Its corners and triangles.
    mesh: TriangleMesh,
}

/// Mass properties of a solid of density 1 kg/m³.
pub(super) struct Solid {
    pub(super) volume: f64,
    pub(super) center: DVec3,
    /// About the center [m⁵].
    pub(super) inertia: DMat3,
}

impl ConvexHull {
    /// The hull of `points` [m], in any order; those inside do not matter.
    ///
    /// # Errors
    /// [`SceneError`] for a point that is not finite, points that lie in one plane, and for a hull of more than 128 corners, of which
    /// [`ConvexHull::simplified`] keeps the farthest.
    pub fn new(points: &[Vec3]) -> Result<Self, SceneError> {
        let hull = Self::simplified(points, MOST_CORNERS)?;
        let size = hull.size();
        let outside = points.iter().map(|p| hull.height(*p)).fold(0.0, f32::max);
        let allowed = "0: all of them need more than 128 corners; ConvexHull::simplified keeps the most prominent ones";
        number("convex hull", "height of a point above it", outside, outside <= BENT * size, allowed)?;
        Ok(hull)
    }

    /// The hull of at most `corners` of the points, from 4 to 128, those that stand out most; it lies within the hull of all.
    ///
    /// # Errors
    /// As [`ConvexHull::new`], but for the number of corners that it would need.
    pub fn simplified(points: &[Vec3], corners: usize) -> Result<Self, SceneError> {
        let fits = (4..=MOST_CORNERS).contains(&corners);
        number("convex hull", "number of corners", corners as f32, fits, "from 4 to 128")?;
        points.iter().try_for_each(|p| vector("convex hull", "point", *p))?;
        let places: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
        let faces = hull_of(&places, corners).ok_or(SceneError::FlatHull)?;
        let mut used: Vec<usize> = faces.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let place = |i: usize| used.binary_search(&i).unwrap_or_default() as u32;
        let positions = used.iter().map(|i| points[*i]).collect();
        let triangles = faces.iter().map(|face| face.map(place)).collect();
        Ok(Self { mesh: TriangleMesh { positions, triangles } })
    }

    /// Its corners and its triangles, counter-clockwise seen from outside.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// The same hull moved [m].
    #[must_use]
    pub fn moved(mut self, by: Vec3) -> Self {
        self.mesh.positions.iter_mut().for_each(|p| *p += by);
        self
    }

    /// Corners of each triangle [m].
    pub(crate) fn faces(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.mesh.triangles.iter().map(|t| t.map(|i| self.mesh.positions[i as usize]))
    }

    fn size(&self) -> f32 {
        self.mesh.positions.iter().fold(0.0, |size: f32, p| size.max(p.distance(self.mesh.positions[0])))
    }

    /// Over the plane that it is highest above [m]: negative inside. In double precision, for faces that are long and narrow.
    fn height(&self, p: Vec3) -> f32 {
        let over = |face: [Vec3; 3]| {
            let [a, b, c] = face.map(|corner| corner.as_dvec3());
            (b - a).cross(c - a).normalize_or_zero().dot(p.as_dvec3() - a)
        };
        self.faces().map(over).fold(f64::MIN, f64::max) as f32
    }

    /// Inside the nearest plane, outside the nearest point of the faces that look at it.
    pub(super) fn distance(&self, p: Vec3) -> f32 {
        let (mut highest, mut nearest) = (f32::MIN, f32::INFINITY);
        for face in self.faces() {
            let height = normal(face).dot(p - face[0]);
            highest = highest.max(height);
            if height > 0.0 && height < nearest {
                nearest = nearest.min(p.distance(closest_on_triangle(p, face[0], face[1], face[2])));
            }
        }
        if highest > 0.0 { nearest } else { highest }
    }

    /// By tetrahedra from a corner (Blow and Binstock 2004).
    pub(super) fn solid(&self) -> Solid {
        let base = self.mesh.positions[0].as_dvec3();
        let (mut volume, mut moment, mut square) = (0.0, DVec3::ZERO, DMat3::ZERO);
        let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
        for face in self.faces() {
            let [a, b, c] = face.map(|p| p.as_dvec3() - base);
            let (six, sum) = (a.dot(b.cross(c)), a + b + c);
            volume += six / 6.0;
            moment += sum * (six / 24.0);
            square += (outer(a) + outer(b) + outer(c) + outer(sum)) * (six / 120.0);
        }
        let center = moment / volume;
        square -= outer(center) * volume;
        let trace = square.x_axis.x + square.y_axis.y + square.z_axis.z;
        Solid { volume, center: base + center, inertia: DMat3::IDENTITY * trace - square }
    }

    /// Points that balls of about `radius` touch the surface from within, and that radius, less where the hull is thin. The origin is
    /// inside, at its center of mass.
    pub(super) fn shell(&self, radius: f32) -> Result<(Vec<Vec3>, f32), SceneError> {
        let planes = self.planes();
        let least = planes.iter().map(|(_, d)| *d).fold(f64::MAX, f64::min);
        let radius = radius.min(0.8 * least as f32);
        let area: f32 = self.faces().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum();
        let count = area / (4.0 * radius * radius);
        let allowed = "at most 65536: enlarge its particles, or make it thicker";
        number("convex hull", "number of particles", count, count <= MOST_PARTICLES, allowed)?;
        // The balls' centers lie on the hull of the planes moved inward. Seen from inside, planes and corners change places.
        let duals: Vec<DVec3> = planes.iter().map(|(n, d)| *n / (d - f64::from(radius))).collect();
        let faces = hull_of(&duals, duals.len()).ok_or(SceneError::FlatHull)?;
        let corner = |[a, b, c]: [usize; 3]| {
            let across = (duals[b] - duals[a]).cross(duals[c] - duals[a]);
            across / across.dot(duals[a])
        };
        let corners: Vec<DVec3> = faces.into_iter().map(corner).collect();
        let faces = hull_of(&corners, corners.len()).unwrap_or_default();
        let mut points = Apart::new(2.0 * radius);
        corners.iter().for_each(|p| points.take(p.as_vec3(), radius));
        for (from, to) in faces.iter().flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)]) {
            let (from, to) = (corners[*from].as_vec3(), corners[*to].as_vec3());
            let steps = (from.distance(to) / (2.0 * radius)).ceil().max(1.0) as u32;
            (1..steps).for_each(|k| points.take(from.lerp(to, k as f32 / steps as f32), 1.5 * radius));
        }
        for face in &faces {
            let [a, b, c] = face.map(|i| corners[i].as_vec3());
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let steps = (longest / radius).ceil().max(1.0) as u32;
            for (i, j) in (1..steps).flat_map(|i| (1..steps - i).map(move |j| (i, j))) {
                let (u, v) = (i as f32 / steps as f32, j as f32 / steps as f32);
                points.take(a + (b - a) * u + (c - a) * v, 1.7 * radius);
            }
        }
        Ok((points.points, radius))
    }

    /// Unit normal and distance from the origin of each plane, once [m].
    fn planes(&self) -> Vec<(DVec3, f64)> {
        let mut planes: Vec<(DVec3, f64)> = Vec::new();
        for face in self.faces() {
            let [a, b, c] = face.map(|p| p.as_dvec3());
            let n = (b - a).cross(c - a).normalize_or_zero();
            if n != DVec3::ZERO && planes.iter().all(|(other, _)| other.dot(n) < 1.0 - 1e-6) {
                planes.push((n, n.dot(a)));
            }
        }
        planes
    }

    pub(super) fn check(&self, item: &str) -> Check {
        self.mesh.check(item)?;
        let corners = self.mesh.positions.len();
        number(item, "number of corners", corners as f32, (4..=MOST_CORNERS).contains(&corners), "from 4 to 128")?;
        let faces = self.mesh.triangles.len();
        number(item, "number of faces", faces as f32, faces == 2 * corners - 4, "twice its corners less 4")?;
        let above = self.mesh.positions.iter().map(|p| self.height(*p)).fold(0.0, f32::max);
        number(item, "height of a corner above a face", above, above <= BENT * self.size(), "0: it is not convex")
    }
}

/// Unit normal of a face; none of one without area.
fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

/// Points that keep apart, also by the cell that each is in: a new one is compared with those of the cells around its own.
struct Apart {
    points: Vec<Vec3>,
    /// Side of a cell, more than the farthest that any two must be apart [m].
    side: f32,
    cells: HashMap<IVec3, Vec<Vec3>>,
}

impl Apart {
    fn new(side: f32) -> Self {
        Self { points: Vec::new(), side, cells: HashMap::new() }
    }

    /// Takes a point that is not nearer than this to one that is there [m].
    fn take(&mut self, p: Vec3, apart: f32) {
        let cell = (p / self.side).floor().as_ivec3();
        let around = (0..27).map(|i| cell + IVec3::new(i % 3, i / 3 % 3, i / 9) - 1);
        let mut near = around.filter_map(|cell| self.cells.get(&cell)).flatten();
        if near.all(|other| other.distance_squared(p) >= apart * apart) {
            self.points.push(p);
            self.cells.entry(cell).or_default().push(p);
        }
    }
}

/// Triangles of the hull of at most `most` of these points, counter-clockwise seen from outside: the point that stands out most
/// comes in next, and what it sees gives way to a cone (Barber, Dobkin and Huhdanpaa 1996). None of what is flat.
fn hull_of(points: &[DVec3], most: usize) -> Option<Vec<[usize; 3]>> {
    let [a, b, c, d] = tetrahedron(points)?;
    let size = points.iter().fold(0.0, |size: f64, p| size.max(p.distance(points[a])));
    let largest = points.iter().fold(size, |size, p| size.max(p.abs().max_element()));
    let flat = (FLAT * size).max(1e-7 * largest);
    let mut faces = vec![[a, b, c], [a, c, d], [a, d, b], [b, d, c]];
    let height = |face: &[usize; 3], p: DVec3| {
        let [a, b, c] = face.map(|i| points[i]);
        (b - a).cross(c - a).normalize_or_zero().dot(p - a)
    };
    if height(&faces[0], points[d]) > 0.0 {
        faces.iter_mut().for_each(|face| face.swap(1, 2));
    }
    let mut outside: Vec<usize> = (0..points.len()).collect();
    for _ in 4..most {
        let out = |p: &usize| faces.iter().map(|face| height(face, points[*p])).fold(f64::MIN, f64::max);
        let heights: Vec<f64> = outside.iter().map(out).collect();
        let Some((farthest, _)) = heights.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)) else { break };
        if heights[farthest] <= flat {
            break;
        }
        let next = outside[farthest];
        let mut kept = heights.iter().map(|height| *height > flat);
        outside.retain(|p| kept.next().unwrap_or_default() && *p != next);
        let above: Vec<f64> = faces.iter().map(|face| height(face, points[next])).collect();
        let mut sees = seen(&faces, &above, flat).into_iter();
        let (seen, hidden): (Vec<_>, Vec<_>) = faces.iter().partition(|_| sees.next().unwrap_or_default());
        let inner: HashSet<_> = seen.iter().flat_map(edges).collect();
        let rim = seen.iter().flat_map(edges).filter(|(from, to)| !inner.contains(&(*to, *from)));
        faces = hidden.into_iter().chain(rim.map(|(from, to)| [from, to, next])).collect();
    }
    Some(faces)
}

fn edges(face: &[usize; 3]) -> [(usize, usize); 3] {
    [(face[0], face[1]), (face[1], face[2]), (face[2], face[0])]
}

/// Which faces a point sees that is so high above each. They are in one piece, and so are the others: of what has hardly any area it is
/// chance on which side a point is, and with an island among either what comes in would leave holes.
fn seen(faces: &[[usize; 3]], above: &[f64], flat: f64) -> Vec<bool> {
    let owners: HashMap<(usize, usize), usize> =
        faces.iter().enumerate().flat_map(|(index, face)| edges(face).map(|edge| (edge, index))).collect();
    // Those of `among` that are reached from one of them over edges.
    let piece = |start: usize, among: &[bool]| {
        let (mut found, mut left) = (vec![false; faces.len()], vec![start]);
        while let Some(face) = left.pop() {
            if !std::mem::replace(&mut found[face], true) {
                let beside = edges(&faces[face]).into_iter().filter_map(|(from, to)| owners.get(&(to, from)).copied());
                left.extend(beside.filter(|other| among[*other]));
            }
        }
        found
    };
    let seen: Vec<bool> = above.iter().map(|height| *height > flat).collect();
    let highest = (0..faces.len()).max_by(|i, j| above[*i].total_cmp(&above[*j])).unwrap_or_default();
    let mut left: Vec<bool> = piece(highest, &seen).into_iter().map(|seen| !seen).collect();
    let mut hidden = (0, vec![false; faces.len()]);
    while let Some(start) = left.iter().position(|left| *left) {
        let found = piece(start, &left);
        left.iter_mut().zip(&found).for_each(|(left, found)| *left &= !found);
        let count = found.iter().filter(|found| **found).count();
        if count > hidden.0 {
            hidden = (count, found);
        }
    }
    hidden.1.into_iter().map(|hidden| !hidden).collect()
}

/// Four of the points that are far apart; none where all lie in a plane.
fn tetrahedron(points: &[DVec3]) -> Option<[usize; 4]> {
    let farthest = |away: &dyn Fn(DVec3) -> f64| {
        (0..points.len()).max_by(|i, j| away(points[*i]).total_cmp(&away(points[*j]))).map(|i| (i, away(points[i])))
    };
    let (a, _) = farthest(&|p| -p.x)?;
    let (b, size) = farthest(&|p| p.distance(points[a]))?;
    let line = (points[b] - points[a]).normalize_or_zero();
    let (c, wide) = farthest(&|p| line.cross(p - points[a]).length())?;
    let across = line.cross(points[c] - points[a]).normalize_or_zero();
    let (d, thick) = farthest(&|p| across.dot(p - points[a]).abs())?;
    let least = 1e-5 * size;
    (size > 0.0 && wide > least && thick > least).then_some([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten points of which four times two lie in one plane but for their last bit.
    #[test]
    fn points_that_lie_nearly_in_a_plane_have_a_hull() {
        let (sin, cos) = 0.6_f32.sin_cos();
        let share = (std::f32::consts::PI / 8.0).tan();
        for (radius, length) in (1..40).flat_map(|i| (1..12).map(move |k| (0.25 * i as f32, 0.27 * k as f32))) {
            let inner = |along: f32| (radius + sin * along, cos * along);
            let outer = |along: f32| (inner(along).0 + 0.3 * cos, inner(along).1 - 0.3 * sin);
            let low = 0.09 * length;
            let profile = [(inner(-0.2), low), (inner(0.85 * length), 0.09), (inner(length), 0.0), (outer(-0.2), 0.0)];
            let profile = profile.into_iter().chain([(outer(length), 0.0)]);
            let points: Vec<Vec3> = profile
                .flat_map(|((x, y), more)| [1.0, -1.0].map(|side| Vec3::new(x, y, side * (x * share + more))))
                .collect();
            let hull = ConvexHull::new(&points).unwrap_or_else(|told| panic!("{radius} m, {length} m: {told}"));
            hull.check("slab").unwrap();
        }
    }

    /// Numbers that look random, from -1 to 1.
    fn scattered(count: u32) -> Vec<Vec3> {
        let at = |i: u32, k: u32| {
            let word = (i * 3 + k).wrapping_mul(2_654_435_761) ^ (i * 3 + k).wrapping_mul(40_503) << 7;
            (word >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        (0..count).map(|i| Vec3::new(at(i, 0), at(i, 1), at(i, 2))).collect()
    }

    fn cube(half: Vec3) -> Vec<Vec3> {
        (0..8).map(|i| Vec3::select(glam::BVec3::new(i & 1 > 0, i & 2 > 0, i & 4 > 0), half, -half)).collect()
    }

    #[test]
    fn a_hull_is_closed_and_holds_all_points() {
        // With points inside, on faces, on edges, and twice.
        let mut grid: Vec<Vec3> =
            (0..125).map(|i| Vec3::new((i % 5) as f32, (i / 5 % 5) as f32, (i / 25) as f32) * 0.3).collect();
        grid.extend(grid.clone());
        let ball: Vec<Vec3> = scattered(60).iter().map(|p| p.normalize() + Vec3::splat(3.0)).collect();
        for (points, corners) in [(grid, 8), (scattered(400), 0), (ball, 60), (cube(Vec3::new(1.0, 1e-2, 20.0)), 8)] {
            let hull = ConvexHull::new(&points).unwrap();
            assert!(corners == 0 || hull.mesh.positions.len() == corners, "{} corners", hull.mesh.positions.len());
            hull.check("hull").unwrap();
            let edges: std::collections::HashSet<_> =
                hull.mesh.triangles.iter().flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]).collect();
            assert_eq!(edges.len(), 3 * hull.mesh.triangles.len());
            assert!(edges.iter().all(|(a, b)| edges.contains(&(*b, *a))), "not closed");
            assert!(points.iter().all(|p| hull.height(*p) < 1e-5 * hull.size()));
        }
    }

    #[test]
    fn what_has_no_inside_is_refused() {
        let flat: Vec<Vec3> = scattered(50).iter().map(|p| Vec3::new(p.x, 0.3 * p.x + p.z, p.z)).collect();
        let line: Vec<Vec3> = (0..9).map(|i| Vec3::ONE * i as f32).collect();
        for points in [vec![], vec![Vec3::ONE; 7], line, flat] {
            let error = ConvexHull::new(&points).unwrap_err().to_string();
            assert!(error.contains("plane"), "{error}");
        }
        let bad = ConvexHull::new(&[Vec3::X, Vec3::NAN, Vec3::Y, Vec3::Z, Vec3::ZERO]).unwrap_err().to_string();
        assert!(bad.contains("finite"), "{bad}");
        let ball: Vec<Vec3> = scattered(900).iter().map(|p| p.normalize()).collect();
        let error = ConvexHull::new(&ball).unwrap_err().to_string();
        assert!(error.contains("simplified"), "{error}");
        assert_eq!(ConvexHull::simplified(&ball, 64).unwrap().mesh.positions.len(), 64);
    }

    #[test]
    fn a_box_and_a_tetrahedron_weigh_and_turn_as_known() {
        let half = Vec3::new(0.2, 0.1, 0.4);
        let shifted: Vec<Vec3> = cube(half).iter().map(|p| *p + Vec3::new(3.0, -2.0, 1.0)).collect();
        let solid = ConvexHull::new(&shifted).unwrap().solid();
        assert!((solid.volume - 0.064).abs() < 1e-7, "{}", solid.volume);
        assert!(solid.center.distance(DVec3::new(3.0, -2.0, 1.0)) < 1e-6);
        let sq = (half * half).as_dvec3();
        let known = DVec3::new(sq.y + sq.z, sq.x + sq.z, sq.x + sq.y) * (solid.volume / 3.0);
        assert!(solid.inertia.abs_diff_eq(DMat3::from_diagonal(known), 1e-7), "{:?}", solid.inertia);
        // A regular tetrahedron of side s: s³ / (6 √2), and m s² / 20 about every axis through its center.
        let s = 8.0_f64.sqrt();
        let corners = [Vec3::ONE, Vec3::new(1.0, -1.0, -1.0), Vec3::new(-1.0, 1.0, -1.0), Vec3::new(-1.0, -1.0, 1.0)];
        let solid = ConvexHull::new(&corners).unwrap().solid();
        assert!((solid.volume - s.powi(3) / (6.0 * 2.0_f64.sqrt())).abs() < 1e-6);
        let known = DMat3::IDENTITY * (solid.volume * s * s / 20.0);
        assert!(solid.inertia.abs_diff_eq(known, 1e-6), "{:?}", solid.inertia);
    }

    #[test]
    fn the_distance_to_the_hull_of_a_box_is_that_of_the_box() {
        let half = Vec3::new(0.5, 0.2, 0.3);
        let (hull, solid) = (ConvexHull::new(&cube(half)).unwrap(), super::super::Shape::Cuboid(half));
        for p in scattered(500) {
            assert!((hull.distance(p) - solid.distance(p)).abs() < 1e-6, "{p}");
        }
    }

    #[test]
    fn particles_touch_the_faces_from_within_and_sit_in_every_corner() {
        let half = Vec3::new(0.3, 0.1, 0.2);
        for (points, radius) in [(cube(half), 0.04), (cube(half), 0.3), (scattered(40), 0.1), (scattered(4), 0.02)] {
            let hull = ConvexHull::new(&points).unwrap();
            let hull = hull.clone().moved(-hull.solid().center.as_vec3());
            let (points, radius) = hull.shell(radius).unwrap();
            let worst = points.iter().map(|p| (hull.distance(*p) + radius).abs()).fold(0.0, f32::max);
            assert!(worst < 1e-4 * hull.size(), "{worst} m off the surface");
            let gap = |p: Vec3| points.iter().map(|q| q.distance(p)).fold(f32::MAX, f32::min);
            let middles = hull.faces().map(|[a, b, c]| (a + b + c) / 3.0);
            let widest = middles.map(|p| gap(p) / radius).fold(0.0, f32::max);
            assert!(widest < 3.0, "no particle within {widest} radii of the middle of a face");
        }
        let (points, radius) = ConvexHull::new(&cube(half)).unwrap().shell(0.04).unwrap();
        for corner in cube(half - radius) {
            assert!(points.iter().any(|p| p.distance(corner) < 1e-5), "none at {corner}");
        }
    }
    #[test]
    fn points_keep_apart_as_if_each_were_compared_with_all() {
        let places = scattered(4000);
        for shift in [Vec3::ZERO, Vec3::new(-31.7, 12.1, 50.3)] {
            let (mut taken, mut all) = (Apart::new(0.2), Vec::<Vec3>::new());
            for (i, p) in places.iter().map(|p| *p + shift).enumerate() {
                let apart = [0.1, 0.15, 0.17][i % 3];
                taken.take(p, apart);
                if all.iter().all(|other| other.distance_squared(p) >= apart * apart) {
                    all.push(p);
                }
            }
            assert!(taken.points == all && all.len() > 200, "{} and {}", taken.points.len(), all.len());
        }
    }

    #[test]
    fn a_large_hull_of_small_particles_is_filled() {
        let (points, radius) = ConvexHull::new(&cube(Vec3::ONE)).unwrap().shell(0.01).unwrap();
        assert!(points.len() > 50_000 && radius == 0.01, "{} particles", points.len());
        let mut apart = Apart::new(2.0 * radius);
        points.iter().for_each(|p| apart.take(*p, radius));
        let most = apart.cells.values().map(Vec::len).max();
        assert!(apart.points == points && most < Some(32), "{most:?} in a cell");
    }
}
