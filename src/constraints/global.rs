//! What a global constraint is: one that joins any number of particles, those of a mesh or of a shape. Its row has members
//! where a [`Row`](super::Row) has at most four particles.

use glam::{DQuat, DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::coloring::color_greedy;
use super::give::Give;
use super::kind::{Check, ConstraintError, refused};

/// Numbers of a row.
pub const GLOBAL_VALUES: usize = 4;
/// Most colors of a type that overlaps. Cubes of a lattice that overlap by half have eight.
pub const MOST_GLOBAL_COLORS: usize = 24;

/// A type of global constraint: what solver, checks and tests know of it.
#[derive(Debug)]
pub struct GlobalType {
    /// Its shader, `constraints/NAME`: the function `NAME_solve` there projects a row by one workgroup.
    pub shader: &'static str,
    /// Whether rows of it may share particles: those that do are solved one after the other.
    pub overlaps: bool,
    /// Functions that the shader reads at each of a row's members, with these weights [kg] and at these places from the center of
    /// mass [m]: as many for every member, one member after the other.
    pub functions: fn(row: &GlobalRow, weights: &[f64], places: &[DVec3]) -> Vec<f32>,
    /// Numbers that the shader reads for a row whose members have these weights [kg].
    pub numbers: fn(row: &GlobalRow, weights: &[f64]) -> [f32; GLOBAL_VALUES],
    /// Which of the row's numbers is its compliance, and of what.
    pub gives: (usize, Give),
    /// Which of the row's numbers grows with the pressure inside.
    pub inflates: Option<usize>,
    /// One projection in `f64`: positions `x` [m] and masses [kg, 0 for pinned ones] by particle, a substep of `h` [s].
    pub project: fn(row: &GlobalRow, state: &mut GlobalState, x: &mut [DVec3], masses: &[f64], h: f64),
    /// Rows and where their particles rest.
    #[cfg(test)]
    pub(crate) examples: fn() -> Vec<GlobalExample>,
}

impl GlobalType {
    /// Name of its file, its shader, and in reports.
    pub fn name(&self) -> &'static str {
        self.shader.rsplit('/').next().unwrap_or(self.shader)
    }

    /// Place in [`GLOBAL_TYPES`](super::GLOBAL_TYPES): types are solved in this order.
    pub fn index(&self) -> usize {
        super::GLOBAL_TYPES.iter().position(|t| std::ptr::eq(*t, self)).expect("every type is registered")
    }
}

/// One global constraint. All of a type are solved at once, so no particle may be in two of them unless the type overlaps.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GlobalRow {
    /// Its type.
    #[serde(with = "super::text::global_type")]
    pub kind: &'static GlobalType,
    /// What it joins.
    #[serde(with = "crate::pack")]
    pub members: Vec<Member>,
    /// Numbers whose meaning the type's file gives; 0 in unused places.
    pub values: [f32; GLOBAL_VALUES],
}

/// A particle of a global constraint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Index in its scene.
    pub particle: u32,
    /// Place in the rest shape [m], in any frame; zero where the type has none.
    pub rest: Vec3,
    /// Of each triangle at it the two other particles, in the order of the triangle; none where the type has no mesh.
    pub corners: Vec<[u32; 2]>,
}

/// A color for each row: those of one type and color share no particle. Types that do not overlap have one.
pub fn global_colors(rows: &[GlobalRow]) -> Vec<u32> {
    let mut colors = vec![0; rows.len()];
    for kind in super::GLOBAL_TYPES.iter().filter(|kind| kind.overlaps) {
        let own: Vec<usize> = (0..rows.len()).filter(|i| std::ptr::eq(rows[*i].kind, *kind)).collect();
        let joined: Vec<Vec<u32>> = own.iter().map(|i| rows[*i].joined().collect()).collect();
        let count = joined.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        let found = color_greedy(own.len(), count, |i| &joined[i]);
        own.into_iter().zip(found).for_each(|(i, color)| colors[i] = color);
    }
    colors
}

/// What a row keeps on the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GlobalState {
    /// λ of this substep.
    pub multiplier: f64,
    /// How the rest shape was turned last.
    pub rotation: DQuat,
}

/// A row and where its particles rest.
#[cfg(test)]
pub(crate) struct GlobalExample {
    pub(crate) row: GlobalRow,
    pub(crate) rest: Vec<Vec3>,
}

/// Corners of an octahedron [m] for examples, and its faces, counterclockwise from outside.
#[cfg(test)]
pub(crate) fn octahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corners = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    (corners.map(|p| 0.3 * p).to_vec(), faces.to_vec())
}

impl GlobalRow {
    /// A row of particles that come after `first` others, its rest shape turned.
    #[must_use]
    pub fn moved(&self, first: u32, rotation: Quat) -> Self {
        let member = |member: &Member| Member {
            particle: member.particle + first,
            rest: rotation * member.rest,
            corners: member.corners.iter().map(|pair| pair.map(|i| i + first)).collect(),
        };
        Self { members: self.members.iter().map(member).collect(), ..*self }
    }

    /// The particles it joins.
    pub fn joined(&self) -> impl Iterator<Item = u32> {
        self.members.iter().map(|member| member.particle)
    }

    /// Weights of the members [kg] from the masses of their particles, and their rest places from the center of mass [m].
    /// What is pinned counts with the mean mass of the others.
    pub fn weighted(&self, mass: impl Fn(u32) -> f64) -> (Vec<f64>, Vec<DVec3>) {
        let masses: Vec<f64> = self.joined().map(mass).collect();
        let moving = masses.iter().filter(|m| **m > 0.0).count().max(1) as f64;
        let mean = masses.iter().sum::<f64>() / moving;
        let pinned = if mean > 0.0 { mean } else { 1.0 };
        let weights: Vec<f64> = masses.into_iter().map(|m| if m > 0.0 { m } else { pinned }).collect();
        let all: f64 = weights.iter().sum();
        let rest = || self.members.iter().map(|member| member.rest.as_dvec3());
        let center = weights.iter().zip(rest()).map(|(m, x)| *m * x).sum::<DVec3>() / all;
        (weights, rest().map(|x| x - center).collect())
    }

    /// The row, if all its numbers are in their range.
    pub(super) fn checked(self, checks: &[Check]) -> Result<Self, ConstraintError> {
        refused(self.kind.name(), &[], checks).map_or(Ok(self), Err)
    }
}

/// A description that becomes a [`GlobalRow`].
pub trait GlobalConstraint {
    /// Its row.
    ///
    /// # Errors
    /// [`ConstraintError`] naming what is out of range.
    fn row(&self) -> Result<GlobalRow, ConstraintError>;
}

/// A row as it is; whoever made it has checked it.
impl GlobalConstraint for GlobalRow {
    fn row(&self) -> Result<GlobalRow, ConstraintError> {
        Ok(self.clone())
    }
}
