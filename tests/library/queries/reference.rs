//! The same answers by brute force, in double precision and by other means: distances between convex solids (Gilbert, Johnson
//! and Keerthi 1988), of which a ring is a chain.

use glam::{DMat3, DQuat, DVec3};
use sinew::scene::Thing;

/// How far a surface may lie from where it is, so that what is barely met may be missed [m].
const BARELY: f64 = 1e-4;
/// The same of a distance grid, whose triangles are not quite where its distance is zero, in spacings.
const GRID: f64 = 0.3;
/// Radii of a ring, and the spacing of its distance grid [m].
pub(crate) const RING: (f64, f64, f64) = (0.2, 0.08, 0.02);
/// Capsules that make up a ring, and how far they lie within it [m].
const LINKS: u32 = 48;
const LINKS_WITHIN: f64 = 5e-4;
/// By how much triangles shrink so that what meets their edge may be missed, and solids that are no boxes.
const SHRUNK: f64 = 0.98;
const SMALLER: f64 = 0.998;

/// A convex solid, a ring, or what is below some triangles.
pub(crate) struct Solid {
    pub(crate) thing: Thing,
    /// Of a compound, which by itself is begun in.
    pub(crate) piece: usize,
    pub(crate) form: Form,
}

/// Distance of a point from a solid, exact outside of it.
type Distance = Box<dyn Fn(DVec3) -> f64 + Sync>;

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
    /// A hull or cylinder about a middle.
    Convex {
        middle: DVec3,
        part: Part,
        distance: Distance,
    },
    /// What is below triangles, where they are met from; what is below all of them may be missed.
    Below(Distance, Box<dyn Fn(DVec3) -> bool + Sync>),
}

/// All within a radius of a hull of points, or of discs around the points.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) corners: Vec<DVec3>,
    pub(crate) radius: f64,
    /// Unit normal of the discs, and their radius.
    pub(crate) disc: Option<(DVec3, f64)>,
}

/// What is asked with: convex parts about the origin, each with its middle first.
#[derive(Clone)]
pub(crate) struct Probe {
    pub(crate) origin: DVec3,
    pub(crate) parts: Vec<(DVec3, Part)>,
}

/// When a moving probe meets a solid: surely not before the first, surely not after the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bracket {
    pub(crate) earliest: f64,
    pub(crate) latest: f64,
}

const NEVER: Bracket = Bracket { earliest: f64::INFINITY, latest: f64::INFINITY };

impl Part {
    pub(crate) fn capsule(axis: DVec3, radius: f64) -> Self {
        let corners = if axis == DVec3::ZERO { vec![DVec3::ZERO] } else { vec![axis, -axis] };
        Self { corners, radius, disc: None }
    }

    pub(crate) fn cuboid(half: DVec3, rotation: DQuat) -> Self {
        let side = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
        let corner = |i: u32| rotation * (half * DVec3::new(side(i & 1), side(i & 2), side(i & 4)));
        Self { corners: (0..8).map(corner).collect(), radius: 0.0, disc: None }
    }

    /// Along this axis, which is half of its own.
    pub(crate) fn cylinder(axis: DVec3, radius: f64) -> Self {
        Self { corners: vec![axis, -axis], radius: 0.0, disc: Some((axis.normalize(), radius)) }
    }

    pub(crate) fn hull(corners: Vec<DVec3>) -> Self {
        Self { corners, radius: 0.0, disc: None }
    }

    pub(crate) fn moved(mut self, by: DVec3) -> Self {
        self.corners.iter_mut().for_each(|corner| *corner += by);
        self
    }

    /// Drawn together towards a point.
    fn smaller(&self, middle: DVec3, factor: f64) -> Self {
        let corners = self.corners.iter().map(|corner| middle.lerp(*corner, factor)).collect();
        Self { corners, radius: self.radius, disc: self.disc.map(|(normal, radius)| (normal, factor * radius)) }
    }

    /// The point farthest along d, but for its radius.
    fn farthest(&self, d: DVec3) -> DVec3 {
        let corner = self.corners.iter().copied().max_by(|a, b| a.dot(d).total_cmp(&b.dot(d))).unwrap();
        let Some((normal, radius)) = self.disc else { return corner };
        // Twice: what is left of a direction along the axis is rounding, and would point out of the disc.
        let across = d - normal * d.dot(normal);
        corner + radius * (across - normal * across.dot(normal)).normalize_or_zero()
    }

    /// Radius of the ball around `middle` that it is in.
    fn reach(&self, middle: DVec3) -> f64 {
        let wide = self.radius + self.disc.map_or(0.0, |(_, radius)| radius);
        self.corners.iter().fold(0.0, |r: f64, c| r.max(c.distance(middle))) + wide
    }
}

impl Probe {
    pub(crate) fn new(origin: DVec3, part: Part) -> Self {
        Self { origin, parts: vec![(DVec3::ZERO, part)] }
    }

    pub(crate) fn point(origin: DVec3) -> Self {
        Self::new(origin, Part::capsule(DVec3::ZERO, 0.0))
    }

    /// Of the ball around it.
    pub(crate) fn reach(&self) -> f64 {
        self.parts.iter().fold(0.0, |r: f64, (_, part)| r.max(part.reach(DVec3::ZERO)))
    }
}

/// The point of a convex solid that is nearest to the origin; `farthest` is that of its points farthest along a direction.
fn nearest_of(farthest: impl Fn(DVec3) -> DVec3) -> DVec3 {
    let mut nearest = farthest(DVec3::X);
    let mut simplex = vec![nearest];
    for _ in 0..200 {
        let ahead = farthest(-nearest);
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
    let mut nearest: Option<(DVec3, usize)> = None;
    for bits in 1..1_usize << simplex.len() {
        let (mut face, mut count) = ([DVec3::ZERO; 4], 0);
        for i in (0..simplex.len()).filter(|i| bits >> i & 1 == 1) {
            face[count] = simplex[i];
            count += 1;
        }
        let Some(point) = nearest_inside(&face[..count]) else { continue };
        if nearest.is_none_or(|(best, _)| point.length_squared() < best.length_squared()) {
            nearest = Some((point, bits));
        }
    }
    let (point, bits) = nearest?;
    let kept = simplex.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, p)| *p).collect();
    Some((point, kept))
}

/// The point of the plane through the points that is nearest to the origin, if it lies between them.
fn nearest_inside(points: &[DVec3]) -> Option<DVec3> {
    let a = points[0];
    let inside = |weights: &[f64]| weights.iter().all(|w| *w >= -1e-12) && weights.iter().sum::<f64>() <= 1.0 + 1e-12;
    match points[1..].iter().map(|p| *p - a).collect::<Vec<_>>()[..] {
        [] => Some(a),
        [ab] => {
            let at = -a.dot(ab) / ab.length_squared();
            inside(&[at]).then(|| a + ab * at)
        }
        [ab, ac] => {
            let (bb, bc, cc) = (ab.length_squared(), ab.dot(ac), ac.length_squared());
            let square = bb * cc - bc * bc;
            if square <= 1e-14 * bb * cc {
                return None;
            }
            let (b, c) = (-a.dot(ab), -a.dot(ac));
            let (v, w) = ((b * cc - c * bc) / square, (c * bb - b * bc) / square);
            inside(&[v, w]).then(|| a + ab * v + ac * w)
        }
        [ab, ac, ad] => {
            let edges = DMat3::from_cols(ab, ac, ad);
            let size = ab.length() * ac.length() * ad.length();
            if edges.determinant().abs() <= 1e-10 * size {
                return None;
            }
            inside(&(edges.inverse() * -a).to_array()).then_some(DVec3::ZERO)
        }
        _ => None,
    }
}

/// From a part at `offset` to another, but for their radii.
fn between(a: &Part, offset: DVec3, b: &Part) -> DVec3 {
    nearest_of(|d| a.farthest(d) + offset - b.farthest(-d))
}

/// The distance of a solid given by planes that look out of it, and its corners.
pub(crate) fn distance_to_hull(part: Part, planes: Vec<(DVec3, f64)>) -> Distance {
    Box::new(move |p| {
        let deepest = planes.iter().map(|(normal, height)| normal.dot(p) - height).fold(f64::MIN, f64::max);
        if deepest <= 0.0 { deepest } else { between(&Part::hull(vec![p]), DVec3::ZERO, &part).length() }
    })
}

/// The nearest of triangles.
pub(crate) fn distance_to_triangles(triangles: &[[DVec3; 3]], p: DVec3) -> f64 {
    let point = Part::hull(vec![p]);
    let away = |t: &[DVec3; 3]| between(&point, DVec3::ZERO, &Part::hull(t.to_vec())).length();
    triangles.iter().map(away).fold(f64::INFINITY, f64::min)
}

/// The capsules of a ring.
fn links(middle: DVec3, rotation: DQuat) -> impl Iterator<Item = (DVec3, Part)> {
    let at = move |i: u32| {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(LINKS);
        middle + rotation * (RING.0 * DVec3::new(angle.cos(), 0.0, angle.sin()))
    };
    (0..LINKS).map(move |i| {
        let (from, to) = (at(i), at(i + 1));
        (0.5 * (from + to), Part { corners: vec![from, to], radius: RING.1, disc: None })
    })
}

/// When a part that moves meets all within `radius` of another.
fn arrival_between(moving: &Part, origin: DVec3, other: &Part, radius: f64, way: DVec3, length: f64) -> Option<f64> {
    let mut time = 0.0;
    for _ in 0..400 {
        let offset = between(moving, origin + way * time, other);
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

/// The first of two times, if any.
fn first(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        _ => a.or(b),
    }
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
            Self::Plane { .. } | Self::Below(..) => (DVec3::ZERO, f64::INFINITY),
            Self::Ring { middle, .. } => (*middle, RING.0 + RING.1),
            Self::Convex { middle, part, .. } => (*middle, part.reach(*middle)),
        }
    }

    /// A little larger or smaller than it is.
    fn part(&self, larger: bool) -> Part {
        let more = if larger { BARELY } else { -BARELY };
        match self {
            Self::Capsule { middle, axis, radius } => Part::capsule(*axis, radius + more).moved(*middle),
            Self::Cuboid { middle, rotation, half } => {
                let half = if larger { *half } else { *half - BARELY };
                Part { radius: more.max(0.0), ..Part::cuboid(half, *rotation).moved(*middle) }
            }
            Self::Triangle(corners) => {
                let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
                let part = Part { radius: more, ..Part::hull(corners.to_vec()) };
                part.smaller(middle, if larger { 1.0 } else { SHRUNK })
            }
            Self::Convex { middle, part, .. } => {
                let part = part.smaller(*middle, if larger { 1.0 } else { SMALLER });
                Part { radius: more.max(0.0), ..part }
            }
            Self::Plane { .. } | Self::Ring { .. } | Self::Below(..) => unreachable!("is no part"),
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
            Self::Triangle(corners) => distance_to_triangles(&[*corners], p),
            Self::Plane { point, normal } => (p - *point).dot(*normal),
            Self::Ring { middle, rotation } => {
                let q = rotation.inverse() * (p - *middle);
                (q.x.hypot(q.z) - RING.0).hypot(q.y) - RING.1
            }
            Self::Convex { distance, .. } | Self::Below(distance, _) => distance(p),
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

    /// Whether it is met by its triangles, of which those count that touch.
    pub(crate) fn has_parts(&self) -> bool {
        matches!(self, Self::Ring { .. } | Self::Convex { .. })
    }

    /// How far the probe is from it at least and at most [m]; 0 or less when they overlap.
    pub(crate) fn apart(&self, probe: &Probe) -> (f64, f64) {
        let (ball, size) = self.ball();
        let far = ball.distance(probe.origin) - size - probe.reach();
        if far > 0.01 {
            return (far, far);
        }
        let parts = probe.parts.iter().map(|(middle, part)| self.apart_from(probe.origin, *middle, part));
        parts.fold((f64::INFINITY, f64::INFINITY), |all, own| (all.0.min(own.0), all.1.min(own.1)))
    }

    fn apart_from(&self, origin: DVec3, middle: DVec3, part: &Part) -> (f64, f64) {
        // What overlaps has no depth.
        let apart = |other: &Part, radius: f64| {
            let parts = between(part, origin, other).length();
            if parts == 0.0 { -1.0 } else { parts - radius - part.radius }
        };
        match self {
            Self::Plane { normal, .. } => {
                let least = self.distance(origin + part.farthest(-*normal)) - part.radius;
                (least - BARELY, least + BARELY)
            }
            Self::Ring { middle, rotation } => {
                let all = links(*middle, *rotation).map(|(_, link)| apart(&link, RING.1));
                let least = all.fold(f64::INFINITY, f64::min);
                (least - LINKS_WITHIN - self.blur(), least + self.blur())
            }
            Self::Below(distance, surely) => {
                let own = distance(origin + middle);
                (own, if surely(origin + middle) { own } else { f64::INFINITY })
            }
            _ => {
                let apart = |larger| {
                    let own = self.part(larger);
                    apart(&own, own.radius)
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
        let times = [true, false].map(|larger| {
            let parts = probe.parts.iter();
            let times = parts.map(|(middle, part)| self.arrival_of(probe.origin, *middle, part, way, length, larger));
            times.fold(None, first)
        });
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

    /// When a little larger or smaller one is met by a part.
    fn arrival_of(
        &self,
        origin: DVec3,
        middle: DVec3,
        part: &Part,
        way: DVec3,
        length: f64,
        larger: bool,
    ) -> Option<f64> {
        let gap = |apart: (f64, f64)| if larger { apart.0 } else { apart.1 };
        match self {
            Self::Plane { normal, .. } => {
                let height = gap(self.apart_from(origin, middle, part));
                let time = (height / -normal.dot(way)).max(0.0);
                (height <= 0.0 || (normal.dot(way) < 0.0 && time <= length)).then_some(if height <= 0.0 {
                    0.0
                } else {
                    time
                })
            }
            Self::Ring { middle, rotation } => {
                let radius = RING.1 + part.radius + if larger { self.blur() + LINKS_WITHIN } else { -self.blur() };
                let reach = part.reach(DVec3::ZERO) + 0.05;
                let near = links(*middle, *rotation).filter(|(link, _)| {
                    let along = (*link - origin).dot(way).clamp(0.0, length);
                    link.distance(origin + way * along) < radius + reach
                });
                near.map(|(_, link)| arrival_between(part, origin, &link, radius, way, length)).fold(None, first)
            }
            Self::Below(..) => (gap(self.apart_from(origin, middle, part)) <= 0.0).then_some(0.0),
            _ => {
                let own = self.part(larger);
                arrival_between(part, origin, &own, (own.radius + part.radius).max(0.0), way, length)
            }
        }
    }
}
