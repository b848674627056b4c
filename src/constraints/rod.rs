//! Bending of a rod with a material frame at each particle. A fourth particle g beside the middle one marks the frame, so
//! that the state is particles alone, as Umetani et al. 2014 mark one at each edge: t along c - a, n towards g, m = t × n.
//! C₁ = s·n, C₂ = s·m with s = a - 2b + c, the discrete curvature times the squared spacing; C₃ and C₄ keep g where it is.
//! How far a frame is turned about t against the next is a [`Dihedral`](super::Dihedral) about the edge between them.

use glam::{DVec3, Vec3};

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};

/// Resists bending of a line of three particles, in whatever direction it is bent at rest.
///
/// ```text
///         g
///         |
///   a --- b --- c
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// a, b, c, g.
    pub particles: [u32; 4],
    /// Their positions at rest [m]; g is not on the line through b along c - a.
    pub rest: [Vec3; 4],
    /// α of a bend [m/N]: spacing³ / bending stiffness.
    pub bend: f32,
    /// α of what keeps g in its place [m/N].
    pub frame: f32,
}

/// Least distance of g from the line, of its length: nearer to it the frame would turn by rounding.
const LEAST_BESIDE: f32 = 1e-3;

impl Constraint for Rod {
    fn row(&self) -> Result<Row, ConstraintError> {
        let x = self.rest.map(Vec3::as_dvec3);
        let at_rest: [f64; 4] = std::array::from_fn(|index| measured(index, &x).0);
        let values = at_rest.map(|v| v as f32);
        let beside = Frame::new(&x).beside as f32;
        let far = beside > LEAST_BESIDE * self.rest[0].distance(self.rest[2]) && values[3] > 0.0;
        let row = Row::new(&TYPE, self.particles, &[&values[..], &[self.bend, self.frame]].concat());
        let frame = ("frame compliance", self.frame, self.frame >= 0.0, "0 or more");
        let checks = [kind::compliance(self.bend), frame, ("distance of g from the line", beside, far, "above 0")];
        kind::checked(row, &checks)
    }
}

/// Directions at the middle particle.
struct Frame {
    /// g - b [m].
    q: DVec3,
    /// Of c - a, and its length [m].
    t: DVec3,
    span: f64,
    /// q along t [m], what is left of q, and its length [m].
    along: f64,
    p: DVec3,
    beside: f64,
    n: DVec3,
}

impl Frame {
    fn new(x: &[DVec3; 4]) -> Self {
        let q = x[3] - x[1];
        let (t, span) = kind::direction(x[2] - x[0]);
        let along = q.dot(t);
        let p = q - along * t;
        let (n, beside) = kind::direction(p);
        Self { q, t, span, along, p, beside, n }
    }

    /// Gradients by q and c - a of a C that depends on n with ∂C/∂n = u.
    fn turned(&self, u: DVec3) -> (DVec3, DVec3) {
        let y = (u - self.n * self.n.dot(u)) / self.beside.max(kind::LEAST_LENGTH);
        let lengthwise = y.dot(self.t);
        let across = y - lengthwise * self.t;
        (across, -(self.along * across + lengthwise * self.p) / self.span.max(kind::LEAST_LENGTH))
    }
}

/// Value of C before its value at rest is taken away, and its gradients by s, q and c - a.
fn measured(index: usize, x: &[DVec3; 4]) -> (f64, [DVec3; 3]) {
    let f = Frame::new(x);
    let s = (x[0] - x[1]) + (x[2] - x[1]);
    let m = f.t.cross(f.n);
    let none = DVec3::ZERO;
    match index {
        0 => {
            let (by_q, by_span) = f.turned(s);
            (s.dot(f.n), [f.n, by_q, by_span])
        }
        1 => {
            let (by_q, by_span) = f.turned(s.cross(f.t));
            let tilt = f.n.cross(s);
            let tilt = (tilt - f.t * f.t.dot(tilt)) / f.span.max(kind::LEAST_LENGTH);
            (s.dot(m), [m, by_q, by_span + tilt])
        }
        2 => (f.along, [none, f.t, f.p / f.span.max(kind::LEAST_LENGTH)]),
        _ => {
            let (toward, length) = kind::direction(f.q);
            (length, [none, toward, none])
        }
    }
}

/// Values: C₁, C₂, C₃ and C₄ at rest [m], α of C₁ and C₂, α of C₃ and C₄ [m/N].
pub(super) static TYPE: Type = Type {
    name: "rod",
    user: None,
    particles: 4,
    equations: 4,
    values: 6,
    role: Role::LineBend { bends: 2 },
    gives: &[(4, Give::Bend)],
    equation: |v, index, x| {
        let (value, [by_s, by_q, by_span]) = measured(index, x);
        let gradient = [by_s - by_span, -2.0 * by_s - by_q, by_s + by_span, by_q];
        Equation { value: value - v[index], compliance: v[4 + index / 2], most: UNBOUNDED, gradient }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.0, 0.0, 0.0], [0.2, 0.03, 0.0], [0.4, 0.0, 0.05], [0.22, 0.2, 0.01]]);
        kind::Example { row: Rod { particles: [0, 1, 2, 3], rest, bend: 1e-3, frame: 1e-3 }.row().unwrap(), rest }
    },
};
