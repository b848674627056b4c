//! The same answers by brute force, in double precision and by other means: distances between convex hulls (Gilbert, Johnson
//! and Keerthi 1988), and of distance grids by small steps.

use glam::{DQuat, DVec3};
use sinew::scene::Thing;

/// How far a surface may lie from where it is, so that what is barely met may be missed [m].
const BARELY: f64 = 1e-4;
/// The same of a distance grid, whose triangles are not quite where its distance is zero, in spacings.
const GRID: f64 = 0.3;
/// Radii of a ring, and the spacing of its distance grid [m].
pub(crate) const RING: (f64, f64, f64) = (0.2, 0.08, 0.02);
/// By how much triangles shrink so that what meets their edge may be missed.
const SHRUNK: f64 = 0.98;

/// A convex solid, or a ring.
pub(crate) struct Solid {
    pub(crate) thing: Thing,
    pub(crate) form: Form,
}

pub(crate) enum Form {
    /// All within a radius of a segment.
    Capsule {
        middle: DVec3,
        axis: DVec3,
        radius: f64,
    },
    Cuboid {
        middle: DVec3,
        rotation: DQuat,
        half: DVec3,
    },
    Triangle([DVec3; 3]),
    /// A half space.
    Plane {
        point: DVec3,
        normal: DVec3,
    },
    /// [`RING`], of which the solver has a distance grid.
    Ring {
        middle: DVec3,
        rotation: DQuat,
    },
}

/// What is asked with: all within a radius of a hull.
#[derive(Clone)]
pub(crate) struct Probe {
    pub(crate) origin: DVec3,
    /// From the origin.
    pub(crate) corners: Vec<DVec3>,
    pub(crate) radius: f64,
}

/// When a moving probe meets a solid: surely not before the first, surely not after the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bracket {
    pub(crate) earliest: f64,
    pub(crate) latest: f64,
}

const NEVER: Bracket = Bracket { earliest: f64::INFINITY, latest: f64::INFINITY };

fn cuboid_corners(half: DVec3, rotation: DQuat) -> Vec<DVec3> {
    let side = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
    (0..8_u32).map(|i| rotation * (half * DVec3::new(side(i & 1), side(i & 2), side(i & 4)))).collect()
}

impl Probe {
    pub(crate) fn cuboid(origin: DVec3, rotation: DQuat, half: DVec3) -> Self {
        Self { origin, corners: cuboid_corners(half, rotation), radius: 0.0 }
    }

    pub(crate) fn capsule(origin: DVec3, axis: DVec3, radius: f64) -> Self {
        let corners = if axis == DVec3::ZERO { vec![DVec3::ZERO] } else { vec![axis, -axis] };
        Self { origin, corners, radius }
    }

    /// Of the ball around it.
    fn reach(&self) -> f64 {
        self.corners.iter().fold(0.0, |r: f64, c| r.max(c.length())) + self.radius
    }

    /// Points of it that lie no farther apart than twice the last number [m].
    fn samples(&self) -> (Vec<DVec3>, f64) {
        match self.corners[..] {
            [_] => (self.corners.clone(), 0.0),
            [a, b] => ((0..=32).map(|i| a.lerp(b, f64::from(i) / 32.0)).collect(), a.distance(b) / 64.0),
            _ => {
                let [low, x, y, z] = [0, 1, 2, 4].map(|i| self.corners[i]);
                let n = 10;
                let at = |i: i32, k: DVec3| (k - low) * f64::from(i) / f64::from(n);
                let all = (0..=n).flat_map(|i| (0..=n).flat_map(move |j| (0..=n).map(move |k| [i, j, k])));
                let points = all.map(|[i, j, k]| low + at(i, x) + at(j, y) + at(k, z)).collect();
                (points, (x - low + (y - low) + (z - low)).length() / f64::from(2 * n))
            }
        }
    }
}

/// The point of the hull that is nearest to the origin.
fn nearest_of(points: &[DVec3]) -> DVec3 {
    let mut simplex = vec![points[0]];
    let mut nearest = points[0];
    for _ in 0..64 {
        let ahead = points.iter().copied().min_by(|a, b| a.dot(nearest).total_cmp(&b.dot(nearest))).unwrap();
        if nearest.length_squared() - nearest.dot(ahead) <= 1e-13 * (1.0 + nearest.length_squared()) {
            break;
        }
        simplex.push(ahead);
        let Some((point, kept)) = nearest_of_simplex(&simplex) else { break };
        if point.length_squared() >= nearest.length_squared() {
            break;
        }
        (nearest, simplex) = (point, kept);
        if simplex.len() == 4 {
            return DVec3::ZERO;
        }
    }
    nearest
}

/// Over all faces of the simplex.
fn nearest_of_simplex(simplex: &[DVec3]) -> Option<(DVec3, Vec<DVec3>)> {
    let faces = (1..1_usize << simplex.len()).map(|bits| {
        simplex.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, p)| *p).collect::<Vec<_>>()
    });
    let points = faces.filter(|face| face.len() <= 4).filter_map(|face| {
        let weights = affine_weights(&face)?;
        let inside = weights.iter().all(|w| *w >= -1e-12);
        inside.then(|| (face.iter().zip(&weights).map(|(p, w)| *p * *w).sum::<DVec3>(), face))
    });
    points.min_by(|a, b| a.0.length_squared().total_cmp(&b.0.length_squared()))
}

/// Weights that sum up to 1 and make the sum of the points shortest.
fn affine_weights(points: &[DVec3]) -> Option<Vec<f64>> {
    let n = points.len();
    let system = nalgebra::DMatrix::from_fn(n + 1, n + 1, |i, j| match (i < n, j < n) {
        (true, true) => points[i].dot(points[j]),
        (false, false) => 0.0,
        _ => 1.0,
    });
    let right = nalgebra::DVector::from_fn(n + 1, |i, _| if i == n { 1.0 } else { 0.0 });
    let found = system.full_piv_lu().solve(&right)?;
    Some(found.iter().take(n).copied().collect())
}

/// From a hull at `offset` to another.
fn between(a: &[DVec3], offset: DVec3, b: &[DVec3]) -> DVec3 {
    let all: Vec<DVec3> = a.iter().flat_map(|p| b.iter().map(move |q| *p + offset - *q)).collect();
    nearest_of(&all)
}

impl Form {
    /// The ball around it.
    fn ball(&self) -> (DVec3, f64) {
        match self {
            Self::Capsule { middle, axis, radius } => (*middle, axis.length() + radius),
            Self::Cuboid { middle, half, .. } => (*middle, half.length()),
            Self::Triangle(corners) => {
                let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
                (middle, corners.iter().fold(0.0, |r: f64, c| r.max(c.distance(middle))))
            }
            Self::Plane { .. } => (DVec3::ZERO, f64::INFINITY),
            Self::Ring { middle, .. } => (*middle, RING.0 + RING.1),
        }
    }

    /// Corners and radius, a little larger or smaller than it is.
    fn hull(&self, larger: bool) -> (Vec<DVec3>, f64) {
        let more = if larger { BARELY } else { -BARELY };
        match self {
            Self::Capsule { middle, axis, radius } => (vec![*middle - *axis, *middle + *axis], radius + more),
            Self::Cuboid { middle, rotation, half } => {
                let half = if larger { *half } else { *half - BARELY };
                let corners = cuboid_corners(half, *rotation).into_iter().map(|c| *middle + c);
                (corners.collect(), more.max(0.0))
            }
            Self::Triangle(corners) => {
                let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
                let part = if larger { 1.0 } else { SHRUNK };
                (corners.iter().map(|c| middle.lerp(*c, part)).collect(), more)
            }
            Self::Plane { .. } | Self::Ring { .. } => unreachable!("has no hull"),
        }
    }

    /// Signed distance of a point; of a triangle without a sign.
    pub(crate) fn distance(&self, p: DVec3) -> f64 {
        match self {
            Self::Capsule { middle, axis, radius } => {
                let along = (p - *middle).dot(*axis) / axis.length_squared().max(1e-30);
                (p - *middle - *axis * along.clamp(-1.0, 1.0)).length() - radius
            }
            Self::Cuboid { middle, rotation, half } => {
                let d = (rotation.inverse() * (p - *middle)).abs() - *half;
                d.max(DVec3::ZERO).length() + d.max_element().min(0.0)
            }
            Self::Triangle(corners) => between(&[p], DVec3::ZERO, corners).length(),
            Self::Plane { point, normal } => (p - *point).dot(*normal),
            Self::Ring { middle, rotation } => {
                let q = rotation.inverse() * (p - *middle);
                (q.x.hypot(q.z) - RING.0).hypot(q.y) - RING.1
            }
        }
    }

    /// Whether a probe overlaps with it at the start: surely, or perhaps.
    pub(crate) fn begins_in(&self, probe: &Probe) -> [bool; 2] {
        let (least, most) = self.apart(probe);
        [most <= 0.0, least <= 0.0]
    }

    /// How well its distance is known [m].
    pub(crate) fn blur(&self) -> f64 {
        if let Self::Ring { .. } = self { GRID * RING.2 } else { BARELY }
    }

    /// How much farther than the nearest part one may be that touches the same probe, of what has parts [m].
    pub(crate) fn most_of_part(&self) -> f64 {
        if let Self::Ring { .. } = self { 2.0 * RING.2 } else { 0.0 }
    }

    /// How far the probe is from it at least and at most [m]; 0 or less when they overlap.
    pub(crate) fn apart(&self, probe: &Probe) -> (f64, f64) {
        let (ball, size) = self.ball();
        let far = ball.distance(probe.origin) - size - probe.reach();
        match self {
            _ if far > 0.01 => (far, far),
            Self::Plane { .. } => {
                let least = probe.corners.iter().map(|c| self.distance(probe.origin + *c)).fold(f64::MAX, f64::min);
                (least - probe.radius - BARELY, least - probe.radius + BARELY)
            }
            Self::Ring { .. } => {
                let (samples, gap) = probe.samples();
                let least = samples.iter().map(|c| self.distance(probe.origin + *c)).fold(f64::MAX, f64::min);
                (least - gap - probe.radius - self.blur(), least - probe.radius + self.blur())
            }
            _ => {
                let apart = |larger| {
                    let (corners, radius) = self.hull(larger);
                    let hulls = between(&probe.corners, probe.origin, &corners).length();
                    // A box and a triangle have no depth.
                    if hulls == 0.0 { -1.0 } else { hulls - radius - probe.radius }
                };
                (apart(true), apart(false))
            }
        }
    }

    /// When the probe meets it on its way along a unit vector; `inside` when it also meets what it begins in.
    pub(crate) fn arrival(&self, probe: &Probe, way: DVec3, length: f64, inside: bool) -> Bracket {
        let (ball, size) = self.ball();
        let to_ball = ball - probe.origin;
        let along = to_ball.dot(way).clamp(0.0, length);
        if (to_ball - way * along).length() > size + probe.reach() + 0.01 {
            return NEVER;
        }
        let times = [true, false].map(|larger| self.arrival_of(probe, way, length, larger));
        let never = f64::INFINITY;
        match times {
            [Some(0.0), Some(0.0)] if inside => Bracket { earliest: 0.0, latest: 0.0 },
            [Some(0.0), Some(0.0)] => NEVER,
            // It begins just inside, or just outside.
            [Some(0.0), latest] => Bracket { earliest: 0.0, latest: latest.filter(|_| inside).unwrap_or(never) },
            [Some(earliest), latest] => Bracket { earliest, latest: latest.unwrap_or(never) },
            _ => NEVER,
        }
    }

    /// When a little larger or smaller one is met.
    fn arrival_of(&self, probe: &Probe, way: DVec3, length: f64, larger: bool) -> Option<f64> {
        match self {
            Self::Plane { .. } | Self::Ring { .. } => self.step_towards(probe, way, length, larger),
            _ => {
                let (corners, radius) = self.hull(larger);
                let radius = (radius + probe.radius).max(0.0);
                let mut time = 0.0;
                for _ in 0..400 {
                    let offset = between(&probe.corners, probe.origin + way * time, &corners);
                    let gap = offset.length() - radius;
                    if gap <= 1e-8 {
                        return Some(time);
                    }
                    let closing = -offset.normalize().dot(way);
                    if closing <= 1e-9 {
                        return None;
                    }
                    time += gap / closing;
                    if time > length {
                        return None;
                    }
                }
                Some(time)
            }
        }
    }

    /// By steps that are too short to miss it.
    fn step_towards(&self, probe: &Probe, way: DVec3, length: f64, larger: bool) -> Option<f64> {
        let (ball, size) = self.ball();
        let mut moved = probe.clone();
        // Nothing is met before the ball around it.
        let mut time =
            if size.is_finite() { ((ball - probe.origin).length() - size - probe.reach()).max(0.0) } else { 0.0 };
        while time <= length {
            moved.origin = probe.origin + way * time;
            let (least, most) = self.apart(&moved);
            let gap = if larger { least } else { most };
            if gap <= 0.0 {
                return Some(time);
            }
            time += gap.max(2e-4);
        }
        None
    }
}
