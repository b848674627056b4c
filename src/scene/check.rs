//! Every mistake a caller can make in a scene, as one named error that says what to change; the checks that all parts share.

use glam::{Quat, Vec3};
use thiserror::Error;

use crate::constraints::{ConstraintError, DefinitionError, GlobalRow, MOST_GLOBAL_COLORS, Row, global_colors};

/// A scene that cannot be simulated.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SceneError {
    /// A number that is not finite or not in its range.
    #[error("{item}: {field} is {value}; it must be {allowed}")]
    Number {
        /// What was being added.
        item: String,
        /// The field.
        field: &'static str,
        /// The value found.
        value: f32,
        /// The range.
        allowed: &'static str,
    },
    /// Something that must not be empty.
    #[error("{item} has no {field}; add at least one")]
    Empty {
        /// What was being added.
        item: String,
        /// The empty list.
        field: &'static str,
    },
    /// A particle that nothing gives a mass, though nobody pinned it.
    #[error("{item}: {what} {index} has no mass and would hang in the world for ever; {remedy}")]
    Massless {
        /// What was being made.
        item: String,
        /// What the particle is of it.
        what: &'static str,
        /// Its index.
        index: usize,
        /// What to change.
        remedy: &'static str,
    },
    /// An index past the end.
    #[error("{item}: {field} {index} does not exist; there are {count}")]
    Missing {
        /// What was being added.
        item: String,
        /// What the index counts.
        field: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// What cannot be kept out of the world and put back.
    #[error("{0}: copies cannot have {1}; add it to the scene itself")]
    NotPooled(String, &'static str),
    /// A joint between a body and itself.
    #[error("joint: both ends are body {0}; a joint needs two bodies")]
    SelfJoint(u32),
    /// A limiter for a joint that does not turn about one axis.
    #[error("joint {0} is not a hinge; only a hinge takes limiter particles")]
    NotHinge(u32),
    /// A shape that only colliders can have.
    #[error("{item}: a {shape} cannot be a body's shape; use it as a collider, or build a distance grid from it")]
    ColliderOnly {
        /// The body.
        item: String,
        /// The shape.
        shape: &'static str,
    },
    /// A shape that cannot be part of a compound.
    #[error("{item}: a {shape} cannot be a piece; use boxes, balls, capsules, cylinders, hulls and grids")]
    NotSolid {
        /// The compound.
        item: String,
        /// The shape.
        shape: &'static str,
    },
    /// Points without a hull.
    #[error("convex hull: its points lie in one plane or are fewer than four; add points outside that plane")]
    FlatHull,
    /// A constraint with a number out of range.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// A type of constraint that cannot be.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// A constraint that names a particle twice, or two global ones of a type that share it.
    #[error("{kind}: particle {particle} is named twice; join different particles")]
    Twice {
        /// Its type.
        kind: &'static str,
        /// The particle.
        particle: u32,
    },
    /// A constraint on a particle that a body holds.
    #[error("{kind}: particle {particle} belongs to body {body}; constraints and attachments hold free particles")]
    NotFree {
        /// Its type.
        kind: &'static str,
        /// The particle.
        particle: u32,
        /// The body.
        body: usize,
    },
    /// Tethers on what tears.
    #[error("{0}: tethers would hold what tears off; remove the tethers, or the tearing strain")]
    Tethered(String),
    /// Tetrahedra in what tears.
    #[error("{0}: only sheets tear, and it has tetrahedra; remove the tearing strain")]
    TearsInside(String),
    /// Something that cannot have a pressure inside, and why.
    #[error("{0} can have no pressure inside: {1}")]
    Encloses(String, &'static str),
    /// A partition that is not for cloth that tears.
    #[error("partition is {0}; with cloth that tears it must be auto or colors")]
    TearsInParts(String),
    /// A liquid, the radius of its particles [m] and that of the first liquid [m].
    #[error("{0}: particle radius is {1} m; all liquids of a scene share one: use {2} m, as in the first liquid")]
    LiquidRadius(String, f32, f32),
    /// A joint with something that its kind does not have.
    #[error("joint: a {kind} joint has no {part}; use {instead}")]
    JointPart {
        /// Its kind.
        kind: &'static str,
        /// What it cannot have.
        part: &'static str,
        /// What to take for it.
        instead: &'static str,
    },
    /// Locked axes that come between those of the world where a scene is turned.
    #[error(
        "{0}: `{1}` names axes of the world; what has them turns by multiples of 90 degrees alone, or about its one free or locked axis"
    )]
    TurnedAxes(String, &'static str),
    /// A drain of another shape.
    #[error("{0}: a drain is a box or a sphere; use Shape::Cuboid or Shape::Sphere")]
    DrainShape(String),
    /// A sensor that has no inside.
    #[error("sensor: triangles have no inside; use Shape::Grid of the closed mesh")]
    OpenSensor,
    /// More kinds of layers than are told apart.
    #[error(
        "{0} different layer sets; a scene supports at most 15 besides the default: reuse the same set for things that collide with the same things"
    )]
    Layers(usize),
    /// World parameters.
    #[error("{0}")]
    Params(String),
}

pub(super) type Check = Result<(), SceneError>;

pub(super) fn number(item: &str, field: &'static str, value: f32, ok: bool, allowed: &'static str) -> Check {
    if value.is_finite() && ok {
        Ok(())
    } else {
        Err(SceneError::Number { item: item.to_owned(), field, value, allowed })
    }
}

pub(super) fn vector(item: &str, field: &'static str, v: Vec3) -> Check {
    let worst = [v.x, v.y, v.z].into_iter().find(|c| !c.is_finite()).unwrap_or(0.0);
    number(item, field, worst, true, "finite")
}

pub(super) fn rotation(item: &str, q: Quat) -> Check {
    let length = q.length();
    number(item, "rotation length", length, (length - 1.0).abs() < 0.01, "1 (a unit quaternion)")
}

pub(super) fn positive(item: &str, field: &'static str, value: f32) -> Check {
    number(item, field, value, value > 0.0, "above 0")
}

pub(super) fn not_negative(item: &str, field: &'static str, value: f32) -> Check {
    number(item, field, value, value >= 0.0, "finite and 0 or more")
}

/// A compliance that is infinite for what resists nothing.
pub(super) fn compliance_or_none(item: &str, field: &'static str, value: f32) -> Check {
    if value == f32::INFINITY {
        Ok(())
    } else {
        number(item, field, value, value >= 0.0, "0 or more, or infinite for none")
    }
}

/// A pose and velocities.
pub(super) fn pose(item: &str, position: Vec3, q: Quat, velocity: Vec3, angular_velocity: Vec3) -> Check {
    vector(item, "position", position)?;
    rotation(item, q)?;
    motion(item, velocity, angular_velocity)
}

/// Fastest that anything is made [m/s], [rad/s]: the length of no faster vector is a number of the GPU.
const FASTEST: f32 = 1e9;

/// A velocity [m/s] and a spin [rad/s].
pub(super) fn motion(item: &str, velocity: Vec3, angular_velocity: Vec3) -> Check {
    for (field, v) in [("velocity", velocity), ("angular velocity", angular_velocity)] {
        vector(item, field, v)?;
        let fastest = v.abs().max_element();
        number(item, field, fastest, fastest <= FASTEST, "at most 1e9 along each axis")?;
    }
    Ok(())
}

/// An index into a list of so many.
pub(super) fn present(item: &str, field: &'static str, index: usize, count: usize) -> Check {
    if index < count { Ok(()) } else { Err(SceneError::Missing { item: item.to_owned(), field, index, count }) }
}

/// A constraint between particles of a scene that has so many.
pub(super) fn constraint(count: usize, row: &Row) -> Check {
    let joined = row.joined();
    if let Some(index) = joined.iter().find(|p| **p as usize >= count) {
        let item = format!("{} constraint", row.kind.name);
        return Err(SceneError::Missing { item, field: "particle", index: *index as usize, count });
    }
    match joined.iter().enumerate().find(|(i, p)| joined[..*i].contains(p)) {
        Some((_, particle)) => Err(SceneError::Twice { kind: row.kind.name, particle: *particle }),
        None => Ok(()),
    }
}

/// A global constraint on particles of a scene that has so many.
pub(super) fn global_constraint(count: usize, row: &GlobalRow) -> Check {
    let corners = row.members.iter().flat_map(|member| member.corners.iter().flatten().copied());
    match row.joined().chain(corners).find(|p| *p as usize >= count) {
        Some(particle) => {
            let item = format!("{} constraint", row.kind.name());
            Err(SceneError::Missing { item, field: "particle", index: particle as usize, count })
        }
        None => global_constraints_apart(std::slice::from_ref(row)),
    }
}

/// Global constraints of a type are solved at once, so each of their particles is in one of them only, and once. Those of a type
/// that overlaps are solved color by color.
pub(super) fn global_constraints_apart(rows: &[GlobalRow]) -> Check {
    let mut joined = std::collections::HashSet::new();
    for (row, place) in rows.iter().zip(0..) {
        let own = if row.kind.overlaps { Some(place) } else { None };
        if let Some(particle) = row.joined().find(|p| !joined.insert((row.kind.index(), own, *p))) {
            return Err(SceneError::Twice { kind: row.kind.name(), particle });
        }
    }
    Ok(())
}

/// Those that share particles are solved one after the other, in so many sweeps that there are rows of `batch` for.
pub(super) fn global_constraints_fit(rows: &[GlobalRow]) -> Check {
    let most = global_colors(rows).into_iter().zip(rows).max_by_key(|(color, _)| *color);
    most.map_or(Ok(()), |(color, row)| {
        let (item, fits) = (row.kind.name(), (color as usize) < MOST_GLOBAL_COLORS);
        number(item, "number of sweeps for those that share particles", color as f32 + 1.0, fits, "at most 24")
    })
}
