//! Distance fields of the simple shapes a body is modelled from, and the smooth union that melts them together.
//!
//! Only + − × ÷ and square roots are used, which IEEE 754 rounds alike everywhere: the mesh has the same bits on every
//! machine. Quadric bounds and the polynomial smooth minimum follow Inigo Quilez's published articles.

use glam::Vec3;

/// Cross-section of a [`Loft`] at one place along its axis.
#[derive(Clone, Copy, Debug)]
pub struct Station {
    /// Place along the axis: 0 at the start, 1 at the end.
    pub at: f32,
    /// Half-widths toward the side (front × axis), against it, to the front and to the back [m].
    pub reach: [f32; 4],
}

/// Shorthand for tables of stations.
pub const fn station(at: f32, outer: f32, inner: f32, front: f32, back: f32) -> Station {
    Station { at, reach: [outer, inner, front, back] }
}

/// A solid swept along a straight axis; its cross-section is four quarters of ellipses that change along the way.
#[derive(Clone, Copy, Debug)]
pub struct Loft {
    /// Where the axis starts [m].
    pub start: Vec3,
    /// Where the axis ends [m].
    pub end: Vec3,
    /// Direction that `front` half-widths point to; made perpendicular to the axis.
    pub front: Vec3,
    /// Cross-sections in order of `at`; at least two.
    pub stations: &'static [Station],
    /// Height of the rounded ends as a share of the mean half-width there.
    pub cap: f32,
}

impl Loft {
    /// Half-widths at place `at`: a cubic through the stations with slopes from their neighbors.
    fn reach(&self, at: f32) -> [f32; 4] {
        let s = self.stations;
        let last = s.len() - 1;
        let i = s.iter().rposition(|station| station.at <= at).unwrap_or(0).min(last - 1);
        let span = s[i + 1].at - s[i].at;
        let x = ((at - s[i].at) / span).clamp(0.0, 1.0);
        let slope = |j: usize, c: usize| {
            let (lo, hi) = (j.saturating_sub(1), (j + 1).min(last));
            (s[hi].reach[c] - s[lo].reach[c]) / (s[hi].at - s[lo].at) * span
        };
        std::array::from_fn(|c| {
            let (a, b, da, db) = (s[i].reach[c], s[i + 1].reach[c], slope(i, c), slope(i + 1, c));
            a + x * (da + x * (3.0 * (b - a) - 2.0 * da - db + x * (2.0 * (a - b) + da + db)))
        })
    }

    fn distance(&self, p: Vec3) -> f32 {
        let along = self.end - self.start;
        let length = along.length();
        let axis = along / length;
        let front = (self.front - axis * axis.dot(self.front)).normalize();
        let side = front.cross(axis);
        let q = p - self.start;
        let at = (q.dot(axis) / length).clamp(0.0, 1.0);
        let over = q.dot(axis) - at * length;
        let (u, v) = (q.dot(side), q.dot(front));
        let reach = self.reach(at);
        let ru = if u > 0.0 { reach[0] } else { reach[1] };
        let rv = if v > 0.0 { reach[2] } else { reach[3] };
        quadric(Vec3::new(u, v, over), Vec3::new(ru, rv, self.cap * 0.25 * reach.iter().sum::<f32>()))
    }
}

/// A part of the body.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// See [`Loft`].
    Loft(Loft),
    /// Ball stretched along its own axes: center [m], half-axes [m], direction of the second axis (the first stays as
    /// near X as it can).
    Ellipsoid(Vec3, Vec3, Vec3),
    /// Capsule between two points with a radius at each [m].
    Cone(Vec3, Vec3, f32, f32),
}

/// An upright ellipsoid.
pub const fn ellipsoid(center: Vec3, radii: Vec3) -> Shape {
    Shape::Ellipsoid(center, radii, Vec3::Y)
}

impl Shape {
    /// Signed distance from `p` [m], negative inside; exact for cones, near the surface for the others.
    pub fn distance(&self, p: Vec3) -> f32 {
        match *self {
            Self::Loft(loft) => loft.distance(p),
            Self::Ellipsoid(center, radii, up) => {
                let up = up.normalize();
                let third = Vec3::X.cross(up).normalize();
                let q = p - center;
                quadric(Vec3::new(q.dot(up.cross(third)), q.dot(up), q.dot(third)), radii)
            }
            Self::Cone(a, b, ra, rb) => cone(p, a, b, ra, rb),
        }
    }
}

/// Distance from an ellipsoid around the origin, to first order.
fn quadric(p: Vec3, radii: Vec3) -> f32 {
    let (k0, k1) = ((p / radii).length(), (p / (radii * radii)).length());
    if k1 < 1e-3 { -radii.min_element() } else { k0 * (k0 - 1.0) / k1 }
}

/// Distance from the hull of two spheres: that of the sphere on the axis which is nearest to `p`.
fn cone(p: Vec3, a: Vec3, b: Vec3, ra: f32, rb: f32) -> f32 {
    let length = (b - a).length();
    let axis = (b - a) / length;
    let along = (p - a).dot(axis);
    let aside = (p - a - axis * along).length();
    let sine = (ra - rb) / length;
    let at = (along + aside * sine / (1.0 - sine * sine).sqrt()).clamp(0.0, length);
    ((along - at) * (along - at) + aside * aside).sqrt() - (ra - sine * at)
}

/// Smaller of two distances, rounded where they differ by less than `width` [m].
pub fn smooth_min(a: f32, b: f32, width: f32) -> f32 {
    if width <= 0.0 {
        return a.min(b);
    }
    let h = (width - (a - b).abs()).max(0.0);
    a.min(b) - h * h / (4.0 * width)
}

/// Larger of two distances, rounded where they differ by less than `width` [m].
pub fn smooth_max(a: f32, b: f32, width: f32) -> f32 {
    -smooth_min(-a, -b, width)
}

/// 0 below `from`, 1 above `to`, smooth between.
pub fn smooth_step(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
