//! A ball of nested spheres, fine outside and coarse inside, as mesh generators that only care for the surface make them.
//! A sphere is an octahedron of integer points |x| + |y| + |z| = F; the next one inside keeps every second or third point.

use std::collections::HashMap;
use std::f32::consts::FRAC_PI_2;

use glam::{IVec3, Vec3};

use super::turned;
use crate::import::tets::TetMesh;

/// Frequencies of the nested spheres of the body of scene s1, each a multiple of the next, the last 1.
const S1: [i32; 5] = [60, 20, 10, 5, 1];

/// A ball of radius 1 m with spheres of these frequencies, each a multiple of the next, the last 1.
pub fn onion(frequencies: &[i32]) -> TetMesh {
    let mut ball = Ball::default();
    let radii = radii(frequencies);
    for (pair, radius) in frequencies.windows(2).zip(radii.windows(2)) {
        let outer = Sphere { frequency: pair[0], radius: radius[0] };
        let inner = Sphere { frequency: pair[1], radius: radius[1] };
        ball.add_layer(&outer, &inner);
    }
    let core = Sphere { frequency: 1, radius: radii.last().copied().unwrap_or(1.0) };
    let center = ball.add_point(Vec3::ZERO);
    for [a, b, c] in core.triangles() {
        let [a, b, c] = [a, b, c].map(|p| ball.point(&core, p));
        ball.tets.push([a, b, c, center]);
    }
    turned("onion", ball.positions, ball.tets)
}

/// A crouching animal with two ears, `size` [m] high at most: the body of scene s1, in place of a scanned rabbit.
pub fn rabbit(size: f32) -> TetMesh {
    let mut mesh = onion(&S1);
    // Direction, height over the radius, and narrowness of each swelling.
    let swellings = [
        (Vec3::new(0.75, 0.62, 0.0), 0.42, 7.0),
        (Vec3::new(0.45, 0.95, 0.33), 0.62, 34.0),
        (Vec3::new(0.45, 0.95, -0.33), 0.62, 34.0),
        (Vec3::new(-1.0, -0.25, 0.0), 0.25, 22.0),
        (Vec3::new(0.65, -0.6, 0.5), 0.25, 16.0),
        (Vec3::new(0.65, -0.6, -0.5), 0.25, 16.0),
        (Vec3::new(-0.5, -0.6, 0.65), 0.3, 10.0),
        (Vec3::new(-0.5, -0.6, -0.65), 0.3, 10.0),
    ];
    for p in &mut mesh.positions {
        let direction = p.normalize_or_zero();
        let swell = |(toward, height, narrow): &(Vec3, f32, f32)| {
            height * (-narrow * (1.0 - direction.dot(toward.normalize()))).exp()
        };
        let depth = p.length();
        // The inside follows less, and its cells stay round.
        *p *= 1.0 + depth * swellings.iter().map(swell).sum::<f32>();
        *p = 0.36 * size * *p * Vec3::new(1.1, 0.95, 0.9);
    }
    mesh
}

/// Radius of each sphere of a ball of radius 1: layers as thick as the cells they join.
fn radii(frequencies: &[i32]) -> Vec<f32> {
    let mut radii = vec![1.0_f32];
    for pair in frequencies.windows(2) {
        let last = radii[radii.len() - 1];
        let side = |f: i32| FRAC_PI_2 * last / f as f32;
        let thick = 0.42 * (side(pair[0]) + side(pair[1]));
        radii.push(last - thick.min(0.62 * last));
    }
    radii
}

/// Integer points of an octahedron, on a sphere.
pub(super) struct Sphere {
    pub(super) frequency: i32,
    pub(super) radius: f32,
}

impl Sphere {
    /// Place of an integer point [m]: even along the edges of the octahedron.
    pub(super) fn place(&self, p: IVec3) -> Vec3 {
        let bent = (FRAC_PI_2 * p.as_vec3() / self.frequency as f32).map(f32::sin);
        self.radius * bent.normalize()
    }

    /// Triangles that fill the octahedron, as integer points.
    pub(super) fn triangles(&self) -> Vec<[IVec3; 3]> {
        let mut found = Vec::new();
        let f = self.frequency;
        for octant in 0..8 {
            let signs = IVec3::new(octant & 1, octant >> 1 & 1, octant >> 2 & 1) * 2 - 1;
            for (x, y) in (0..f).flat_map(|x| (0..f - x).map(move |y| (x, y))) {
                let at = |i: i32, j: i32| IVec3::new(x + i, y + j, f - x - y - i - j) * signs;
                found.push([at(0, 0), at(1, 0), at(0, 1)]);
                if x + y < f - 1 {
                    found.push([at(1, 1), at(0, 1), at(1, 0)]);
                }
            }
        }
        found
    }
}

/// A ball in the making.
#[derive(Default)]
struct Ball {
    positions: Vec<Vec3>,
    tets: Vec<[u32; 4]>,
    /// Index by frequency and integer point.
    known: HashMap<(i32, IVec3), u32>,
}

impl Ball {
    fn add_point(&mut self, place: Vec3) -> u32 {
        self.positions.push(place);
        self.positions.len() as u32 - 1
    }

    fn point(&mut self, sphere: &Sphere, p: IVec3) -> u32 {
        if let Some(index) = self.known.get(&(sphere.frequency, p)) {
            return *index;
        }
        let index = self.add_point(sphere.place(p));
        self.known.insert((sphere.frequency, p), index);
        index
    }

    /// Fills the space between two spheres, one triangle of the inner at a time.
    fn add_layer(&mut self, outer: &Sphere, inner: &Sphere) {
        let ratio = outer.frequency / inner.frequency;
        for triangle in inner.triangles() {
            let patch = self.patch(outer, triangle, ratio);
            let base = triangle.map(|p| self.point(inner, p));
            match ratio {
                2 => self.halved(&patch, base),
                3 => self.thirded(&patch, base),
                _ => self.coned(&patch, base, 0.5 * (outer.radius + inner.radius)),
            }
        }
    }

    /// Points of the outer sphere above a triangle of the inner: `patch[i][j]`, i steps to its second corner and j to
    /// its third.
    fn patch(&mut self, outer: &Sphere, [a, b, c]: [IVec3; 3], ratio: i32) -> Vec<Vec<u32>> {
        let mut row =
            |i: i32| (0..=ratio - i).map(|j| self.point(outer, a * ratio + (b - a) * i + (c - a) * j)).collect();
        (0..=ratio).map(&mut row).collect()
    }

    /// Seven tetrahedra under four triangles: three at the corners, and an octahedron cut in four.
    fn halved(&mut self, p: &[Vec<u32>], [a, b, c]: [u32; 3]) {
        let (ab, bc, ca) = (p[1][0], p[1][1], p[0][1]);
        self.tets.extend([[p[0][0], ab, ca, a], [p[2][0], bc, ab, b], [p[0][2], ca, bc, c]]);
        self.tets.extend([[ab, c, bc, ca], [ab, c, ca, a], [ab, c, a, b], [ab, c, b, bc]]);
    }

    /// Thirteen tetrahedra under nine triangles: three at the corners, and a cone from the middle to the rest.
    fn thirded(&mut self, p: &[Vec<u32>], base: [u32; 3]) {
        let corners = [[p[0][0], p[1][0], p[0][1]], [p[3][0], p[2][1], p[2][0]], [p[0][3], p[0][2], p[1][2]]];
        let top = p[1][1];
        for (corner, below) in corners.into_iter().zip(base) {
            self.tets.push([corner[0], corner[1], corner[2], below]);
            self.tets.push([corner[1], corner[2], below, top]);
        }
        let sides = [[p[1][0], p[2][0]], [p[2][1], p[1][2]], [p[0][2], p[0][1]]];
        for (i, [near, far]) in sides.into_iter().enumerate() {
            let quad = halves([near, far], [base[i], base[(i + 1) % 3]]);
            self.tets.extend(quad.map(|[u, v, w]| [u, v, w, top]));
        }
        self.tets.push([base[0], base[1], base[2], top]);
    }

    /// A cone from a point in the middle to everything around.
    fn coned(&mut self, p: &[Vec<u32>], base: [u32; 3], radius: f32) {
        let ratio = p.len() - 1;
        let middle: Vec3 = base.iter().map(|i| self.positions[*i as usize].normalize()).sum();
        let top = self.add_point(radius * middle.normalize());
        let mut faces = vec![base];
        for i in 0..ratio {
            for j in 0..ratio - i {
                faces.push([p[i][j], p[i + 1][j], p[i][j + 1]]);
                if i + j + 1 < ratio {
                    faces.push([p[i + 1][j + 1], p[i][j + 1], p[i + 1][j]]);
                }
            }
        }
        let side = |k: usize, s: usize| match s {
            0 => p[k][0],
            1 => p[ratio - k][k],
            _ => p[0][ratio - k],
        };
        for s in 0..3 {
            let (from, to) = (base[s], base[(s + 1) % 3]);
            for k in 0..ratio {
                let (near, far) = (side(k, s), side(k + 1, s));
                match (2 * k + 1).cmp(&ratio) {
                    std::cmp::Ordering::Less => faces.push([near, far, from]),
                    std::cmp::Ordering::Greater => faces.push([near, far, to]),
                    std::cmp::Ordering::Equal => faces.extend(halves([near, far], [from, to])),
                }
            }
            if ratio.is_multiple_of(2) {
                faces.push([side(ratio / 2, s), from, to]);
            }
        }
        self.tets.extend(faces.into_iter().map(|[u, v, w]| [u, v, w, top]));
    }
}

/// Both halves of the quadrilateral above edge `low`, cut from the smaller corner of `high`, as both its sides do.
fn halves(high: [u32; 2], low: [u32; 2]) -> [[u32; 3]; 2] {
    if high[0] < high[1] {
        [[high[0], high[1], low[1]], [high[0], low[1], low[0]]]
    } else {
        [[high[0], high[1], low[0]], [high[1], low[1], low[0]]]
    }
}
