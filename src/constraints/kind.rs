//! What a constraint type is, and a row of one: the particles it joins and its numbers.

use glam::{DVec3, Quat, Vec3};
use thiserror::Error;

use super::give::Give;
use super::user::User;

/// Most numbers of a row.
pub const MOST_VALUES: usize = 12;
/// Fills the places of [`Row::particles`] that a type does not use.
pub const NO_PARTICLE: u32 = u32::MAX;
/// What is shorter has no direction [m]; `LEAST_LENGTH` of `constraints/constraint`.
pub(super) const LEAST_LENGTH: f64 = 1e-12;
/// What is shrunk to less of its length has none either; `LEAST_STRETCH` of `constraints/constraint`.
pub(super) const LEAST_STRETCH: f64 = 1e-9;
/// Bound of a multiplier that has none.
pub const UNBOUNDED: f64 = 1e30;

/// A type of constraint: what solver, checks and tests know of it.
#[derive(Debug)]
pub struct Type {
    /// Name of its file, its shader, and in reports.
    pub name: &'static str,
    /// What a user wrote; none for those that are built in.
    pub user: Option<&'static User>,
    /// Particles that a row joins, 1 to 4.
    pub particles: usize,
    /// Equations of a row. They are solved in pairs, both of a pair together.
    pub equations: usize,
    /// Numbers of a row, at most [`MOST_VALUES`].
    pub values: usize,
    /// What a row keeps.
    pub role: Role,
    /// Which of its numbers are compliances, and of what.
    pub gives: &'static [(usize, Give)],
    /// Equation number `index` of a row with these numbers, at the positions `x` [m] of its particles. Those of users are on the GPU
    /// alone: here they say C = 0 without a gradient, and are left out of what the CPU solves.
    pub equation: fn(values: &[f64; MOST_VALUES], index: usize, x: &[DVec3; 4]) -> Equation,
    /// A row and the positions at which it rests.
    #[cfg(test)]
    pub(crate) example: fn() -> Example,
}

impl Type {
    /// Path of its shader.
    pub(crate) fn shader(&self) -> &'static str {
        static SHADERS: std::sync::LazyLock<Vec<String>> =
            std::sync::LazyLock::new(|| super::TYPES.iter().map(|kind| format!("constraints/{}", kind.name)).collect());
        self.user.map_or_else(|| SHADERS[self.index()].as_str(), |user| user.shader)
    }

    /// Whether its rows begin with what coarse levels bear for them: they keep a distance, and say how far they give way.
    pub(crate) fn inherits(&self) -> bool {
        matches!(self.role, Role::Stretch { .. }) && self.equations == 1 && !self.gives.is_empty()
    }

    /// Place in [`TYPES`](super::TYPES) of one that is built in.
    pub fn index(&self) -> usize {
        super::TYPES.iter().position(|t| std::ptr::eq(*t, self)).expect("every type is registered")
    }
}

/// What a row of a type keeps, for all who look for constraints by their meaning.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// The distance of its first two particles.
    Stretch {
        /// Which of its numbers is the distance at rest [m].
        rest_length: usize,
        /// Which is the bound of the multiplier: 0 where it acts only when longer.
        bound: usize,
    },
    /// Strain within the triangle or tetrahedron of its particles.
    Strain,
    /// How the triangles abc and abd of its particles a, b, c, d stand to each other.
    Bend,
    /// How the line of its first three particles bends.
    LineBend {
        /// So many of its numbers, the first ones, are 0 for a line that is straight at rest.
        bends: usize,
    },
    /// The tetrahedron of its particles.
    Volume {
        /// Volume at rest [m³], below 0 where the particles are numbered the other way round.
        rest_volume: fn(&Row) -> f64,
        /// Whether its rest shape can flow: then its first nine numbers are the inverse of the edges from its first particle at
        /// rest, by columns [1/m].
        yields: bool,
    },
    /// What no other role names: a user's.
    Other,
    /// Where a particle is held.
    Pin {
        /// The first of the three numbers that are a point of the world [m], if it is held there.
        point: Option<usize>,
    },
}

/// A distance to be kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// The two particles.
    pub particles: [u32; 2],
    /// Their distance at rest [m].
    pub rest_length: f32,
    /// Whether it acts only when longer: a tether.
    pub tension_only: bool,
}

/// One scalar equation, linearized: C, ∇C and how soft it is. Its energy is C² / 2α.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equation {
    /// C [unit of the type].
    pub value: f64,
    /// α, the inverse stiffness [unit of C squared per joule].
    pub compliance: f64,
    /// Largest multiplier: 0 for C ≤ 0, [`UNBOUNDED`] for C = 0.
    pub most: f64,
    /// ∇C by particle; zero in unused places.
    pub gradient: [DVec3; 4],
}

/// A row and where its particles rest.
#[cfg(test)]
pub(crate) struct Example {
    pub(crate) row: Row,
    pub(crate) rest: [Vec3; 4],
}

/// One constraint.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its type.
    pub kind: &'static Type,
    /// Indices of the particles in their scene; [`NO_PARTICLE`] in unused places.
    pub particles: [u32; 4],
    /// Numbers whose meaning the type's file gives; 0 in unused places.
    pub values: [f32; MOST_VALUES],
    /// Part of the constraint's own motion that dies away per second [1/s], at most a tenth in a substep; 0 keeps all of it.
    /// Damps along ∇C only, so the momentum of the whole stays; without compliance there is nothing to damp.
    pub damping: f32,
}

impl Row {
    /// A row without particles, numbers and damping.
    pub(super) fn blank(kind: &'static Type) -> Self {
        Self { kind, particles: [NO_PARTICLE; 4], values: [0.0; MOST_VALUES], damping: 0.0 }
    }

    /// A row without damping.
    pub(super) fn new<const P: usize>(kind: &'static Type, particles: [u32; P], values: &[f32]) -> Self {
        let mut row = Self::blank(kind);
        row.particles[..P].copy_from_slice(&particles);
        row.values[..values.len()].copy_from_slice(values);
        row
    }

    /// The row after all it joins was turned, then moved [m].
    #[must_use]
    pub fn placed(&self, position: Vec3, rotation: Quat) -> Self {
        let mut row = *self;
        if let Role::Pin { point: Some(first) } = self.kind.role {
            let point = Vec3::from_slice(&self.values[first..first + 3]);
            (position + rotation * point).write_to_slice(&mut row.values[first..first + 3]);
        }
        row
    }

    /// The particles it joins.
    pub fn joined(&self) -> &[u32] {
        &self.particles[..self.kind.particles]
    }

    /// The distance that it keeps, if it keeps one.
    pub fn stretch(&self) -> Option<Stretch> {
        let Role::Stretch { rest_length, bound } = self.kind.role else { return None };
        let [a, b, ..] = self.particles;
        let [rest_length, bound] = [rest_length, bound].map(|place| self.values[place]);
        Some(Stretch { particles: [a, b], rest_length, tension_only: bound == 0.0 })
    }

    /// Sets the distance that it keeps [m], if it keeps one.
    pub fn set_rest_length(&mut self, length: f32) {
        if let Role::Stretch { rest_length, .. } = self.kind.role {
            self.values[rest_length] = length;
        }
    }

    /// Lets it never act, if it keeps a distance: a rope without end never pulls.
    pub fn slacken(&mut self) {
        if let Role::Stretch { rest_length, bound } = self.kind.role {
            (self.values[rest_length], self.values[bound]) = (UNBOUNDED as f32, 0.0);
        }
    }

    /// Lets the line that it bends, if it bends one, be straight at rest.
    pub fn straighten(&mut self) {
        if let Role::LineBend { bends } = self.kind.role {
            self.values[..bends].fill(0.0);
        }
    }

    /// Which of its numbers are compliances, and of what.
    pub fn gives(&self) -> impl Iterator<Item = (usize, Give)> {
        let tether = self.stretch().is_some_and(|kept| kept.tension_only);
        self.kind.gives.iter().map(move |(k, give)| match give {
            Give::Stretch if tether => (*k, Give::Tether),
            give => (*k, *give),
        })
    }

    /// Whether it keeps how two triangles stand to each other.
    pub fn bends(&self) -> bool {
        matches!(self.kind.role, Role::Bend)
    }

    /// Whether it keeps the strain within a triangle or tetrahedron.
    pub fn strains(&self) -> bool {
        matches!(self.kind.role, Role::Strain)
    }

    /// Volume at rest of its tetrahedron, below 0 where its particles are numbered the other way round [m³], if it keeps one.
    pub fn rest_volume(&self) -> Option<f64> {
        match self.kind.role {
            Role::Volume { rest_volume, .. } => Some(rest_volume(self)),
            _ => None,
        }
    }

    /// Whether its rest shape can flow.
    pub fn yields(&self) -> bool {
        matches!(self.kind.role, Role::Volume { yields: true, .. })
    }

    /// Equation number `index` at the positions `x` [m].
    pub fn equation(&self, index: usize, x: &[DVec3; 4]) -> Equation {
        (self.kind.equation)(&self.values.map(f64::from), index, x)
    }
}

/// A description that becomes a [`Row`].
pub trait Constraint {
    /// Its row.
    ///
    /// # Errors
    /// [`ConstraintError`] naming the field that is out of range.
    fn row(&self) -> Result<Row, ConstraintError>;
}

/// A row as it is; whoever made it has checked it.
impl Constraint for Row {
    fn row(&self) -> Result<Row, ConstraintError> {
        Ok(*self)
    }
}

/// A constraint that cannot be.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{kind}{}: {field} is {value}; it must be {allowed}", of_particles(.particles))]
pub struct ConstraintError {
    /// The type.
    pub kind: &'static str,
    /// The particles; none named where it joins many.
    pub particles: Vec<u32>,
    /// The field.
    pub field: &'static str,
    /// The value found.
    pub value: f32,
    /// The range.
    pub allowed: &'static str,
}

fn of_particles(particles: &[u32]) -> String {
    if particles.is_empty() { String::new() } else { format!(" of particles {particles:?}") }
}

/// A number of a constraint: field, value, whether it is in range, the range.
pub(super) type Check = (&'static str, f32, bool, &'static str);

/// The first number that is not finite or not in its range.
pub(super) fn refused(kind: &'static str, particles: &[u32], checks: &[Check]) -> Option<ConstraintError> {
    let (field, value, _, allowed) = *checks.iter().find(|(_, value, ok, _)| !ok || !value.is_finite())?;
    Some(ConstraintError { kind, particles: particles.to_vec(), field, value, allowed })
}

/// The row, if all its numbers are in their range.
pub(super) fn checked(row: Row, checks: &[Check]) -> Result<Row, ConstraintError> {
    let derived = |value: &f32| {
        ("a number that follows from the rest positions", *value, true, "finite: the shape has no extent")
    };
    let refused = |checks: &[Check]| refused(row.kind.name, row.joined(), checks);
    match refused(checks).or_else(|| refused(&row.values.each_ref().map(derived))) {
        Some(error) => Err(error),
        None => Ok(row),
    }
}

/// The check that a compliance is one.
pub(super) fn compliance(value: f32) -> Check {
    ("compliance", value, value >= 0.0, "0 or more")
}

/// Direction and length of `v`; no direction for none.
pub(super) fn direction(v: DVec3) -> (DVec3, f64) {
    let length = v.length();
    (v / length.max(LEAST_LENGTH), length)
}

/// The numbers of a row as `f64` vectors: `values[first..first + 3]`.
pub(super) fn vector(values: &[f64; MOST_VALUES], first: usize) -> DVec3 {
    DVec3::new(values[first], values[first + 1], values[first + 2])
}

/// Positions for an example.
#[cfg(test)]
pub(super) fn points(points: &[[f32; 3]]) -> [Vec3; 4] {
    std::array::from_fn(|i| points.get(i).map_or(Vec3::ZERO, |p| Vec3::from(*p)))
}
