//! User constraint types: a description with the equation in WGSL, known by name from then on.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::TYPES;
use super::give::Give;
use super::kind::{ConstraintError, Equation, MOST_VALUES, Role, Row, Type, UNBOUNDED, refused};

/// Longest name.
const LONGEST_NAME: usize = 32;

/// What a user's type keeps: it is treated as the built-in types that keep the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Keeps {
    /// Something else.
    #[default]
    Other,
    /// The distance of its first two particles: edges of cloth that tear break with it, tethers go along it, reports measure it.
    Distance {
        /// Which number is the distance at rest [m].
        rest_length: usize,
        /// Which is the largest multiplier, 0 where it acts only when longer; `equation` answers it as `most`.
        most: usize,
    },
    /// How the triangles abc and abd of its four particles a, b, c, d stand to each other: where the edge ab tears, it acts no more.
    Bend,
    /// A point of the world, which moves with what is placed elsewhere.
    WorldPoint {
        /// Which number is the first of the three that it is [m].
        first: usize,
    },
}

impl Keeps {
    /// What its number called `compliance` is of.
    fn gives(self) -> Give {
        match self {
            Self::Other => Give::Other,
            Self::Distance { .. } => Give::Stretch,
            Self::Bend => Give::Bend,
            Self::WorldPoint { .. } => Give::Pin,
        }
    }
}

/// What a type of constraint is that a user writes.
///
/// `text` is WGSL with a function `fn equation(index: u32, row: Values, x: Stencil) -> Equation`, as the files of
/// `shaders/constraints/` have. `x.a` to `x.d` are the particles [m], relative to a point near them: only differences mean
/// something, and `relative(p)` is a point p of the world as they are. `row.a.x` to `row.c.w` are the numbers. It answers
/// `Equation(C, compliance, most, ∇C of a, of b, of c, of d)`. The compliance is 0 or more; `most` is the largest multiplier:
/// `UNBOUNDED` for C = 0, and 0 for C ≤ 0. `direction(v)` is the direction of v and its length. Functions, constants and structs
/// may stand beside it; no variables and no loops.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Its name: small letters, digits and `_`, at most 32; of no other type.
    pub name: String,
    /// Particles that one joins, 1 to 4.
    pub particles: usize,
    /// Equations of one, 1 to 4; they are solved in pairs, both of a pair together.
    pub equations: usize,
    /// Names of its numbers, at most 12.
    pub values: Vec<String>,
    /// What it keeps, for all that looks for constraints by their meaning.
    #[serde(default)]
    pub keeps: Keeps,
    /// The equation.
    pub text: String,
}

impl Definition {
    /// A type with one equation, about `particles` particles, with numbers of these names.
    pub fn new(name: &str, particles: usize, values: &[&str], text: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            particles,
            equations: 1,
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            keeps: Keeps::Other,
            text: text.into(),
        }
    }

    /// Has so many equations, which the function tells apart by `index`.
    #[must_use]
    pub fn equations(mut self, count: usize) -> Self {
        self.equations = count;
        self
    }

    /// Keeps something that is known here.
    #[must_use]
    pub fn keeping(mut self, keeps: Keeps) -> Self {
        self.keeps = keeps;
        self
    }

    fn check(&self) -> Result<(), DefinitionError> {
        let refuse =
            |field: &'static str, allowed: String| Err(DefinitionError { name: self.name.clone(), field, allowed });
        let letters = |name: &str| {
            let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(small) && !name.contains("__")
        };
        if !letters(&self.name) || self.name.len() > LONGEST_NAME || self.name.ends_with('_') {
            return refuse("name", "small letters, digits and single `_` between them, at most 32".into());
        }
        if TYPES.iter().any(|kind| kind.name == self.name) {
            return refuse("name", "another one: a type of this name is built in".into());
        }
        if !(1..=4).contains(&self.particles) {
            return refuse("number of particles", "1 to 4".into());
        }
        if !(1..=4).contains(&self.equations) {
            return refuse("number of equations", "1 to 4".into());
        }
        if self.values.len() > MOST_VALUES {
            return refuse("number of values", format!("at most {MOST_VALUES}"));
        }
        let (count, numbers) = (self.particles, self.values.len());
        match self.keeps {
            Keeps::WorldPoint { first } if first.saturating_add(3) > numbers => {
                refuse("world point", "the place of three of its numbers".into())
            }
            Keeps::Distance { rest_length, most } if count < 2 || rest_length.max(most) >= numbers => {
                refuse("distance", "of two particles at least, its places those of its numbers".into())
            }
            Keeps::Bend if count != 4 => refuse("number of particles", "4 to keep how triangles stand".into()),
            _ => Ok(()),
        }
    }
}

/// A type that cannot be defined.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("constraint type `{name}`: its {field} must be {allowed}")]
pub struct DefinitionError {
    /// The name given.
    pub name: String,
    /// What is wrong.
    pub field: &'static str,
    /// What would be right.
    pub allowed: String,
}

/// A type of constraint that a user has defined; the same for the same definition, as long as the program runs.
#[derive(Clone, Copy, Debug)]
pub struct UserConstraint(&'static Type);

impl PartialEq for UserConstraint {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for UserConstraint {}

/// All that were defined.
static DEFINED: Mutex<Vec<&'static Type>> = Mutex::new(Vec::new());

impl UserConstraint {
    /// Defines a type. Its text is compiled when a solver takes in a scene that has it.
    ///
    /// # Errors
    /// [`DefinitionError`] for a field out of range, or a name that another type has: while the program runs, a name is of one
    /// definition.
    pub fn define(definition: &Definition) -> Result<Self, DefinitionError> {
        definition.check()?;
        let mut defined = DEFINED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = defined.iter().find(|kind| kind.name == definition.name) {
            if known.user.is_some_and(|user| user.definition == *definition) {
                return Ok(Self(known));
            }
            let (name, field) = (definition.name.clone(), "name");
            let allowed = "another one: this is the name of another definition already".into();
            return Err(DefinitionError { name, field, allowed });
        }
        // Types are for good, as those built in: rows of any scene name them.
        let name: &'static str = Box::leak(definition.name.clone().into_boxed_str());
        let values: Vec<&'static str> =
            definition.values.iter().map(|value| &*Box::leak(value.clone().into_boxed_str())).collect();
        let shader = Box::leak(format!("constraints/user_{name}").into_boxed_str());
        let gives: Vec<(usize, Give)> = (0..)
            .zip(&values)
            .filter(|(_, name)| **name == "compliance")
            .map(|(k, _)| (k, definition.keeps.gives()))
            .collect();
        let user = Box::leak(Box::new(User { definition: definition.clone(), values, shader }));
        let kind: &'static Type = Box::leak(Box::new(Type {
            name,
            user: Some(user),
            particles: definition.particles,
            equations: definition.equations,
            values: definition.values.len(),
            role: match definition.keeps {
                Keeps::Other => Role::Other,
                Keeps::Distance { rest_length, most } => Role::Stretch { rest_length, bound: most },
                Keeps::Bend => Role::Bend,
                Keeps::WorldPoint { first } => Role::Pin { point: Some(first) },
            },
            gives: Box::leak(gives.into_boxed_slice()),
            equation: |_, _, _| Equation {
                value: 0.0,
                compliance: 0.0,
                most: UNBOUNDED,
                gradient: [glam::DVec3::ZERO; 4],
            },
            #[cfg(test)]
            example: super::distance::TYPE.example,
        }));
        defined.push(kind);
        Ok(Self(kind))
    }

    /// A row: the particles it joins, by their index in the scene or the object, and its numbers in the order of their names.
    ///
    /// # Errors
    /// [`ConstraintError`] for another number of particles or of numbers, or a number that is not finite.
    pub fn row(self, particles: &[u32], values: &[f32]) -> Result<Row, ConstraintError> {
        let Type { name, particles: joined, values: numbers, user, .. } = self.0;
        let counts = [
            ("number of particles", particles.len() as f32, particles.len() == *joined, "that of its definition"),
            ("number of values", values.len() as f32, values.len() == *numbers, "that of its definition"),
        ];
        let named = user.iter().flat_map(|user| &user.values).zip(values);
        let finite = named.map(|(field, value)| (*field, *value, true, "finite"));
        let checks: Vec<_> = counts.into_iter().chain(finite).collect();
        if let Some(error) = refused(name, particles, &checks) {
            return Err(error);
        }
        let mut row = Row::blank(self.0);
        row.particles[..*joined].copy_from_slice(particles);
        row.values[..*numbers].copy_from_slice(values);
        Ok(row)
    }

    /// Its definition.
    pub fn definition(self) -> &'static Definition {
        // Only `define` makes one, of a type with a user.
        self.0.user.map_or_else(|| unreachable!("made by define"), |user| &user.definition)
    }

    /// What solver and checks know of it.
    pub fn kind(self) -> &'static Type {
        self.0
    }
}

/// A description is what stands in files; reading one defines it.
impl Serialize for UserConstraint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.definition().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for UserConstraint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::define(&Definition::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// What a type has that a user wrote.
#[derive(Debug)]
pub struct User {
    /// What it is made of.
    pub definition: Definition,
    /// Names of its numbers.
    values: Vec<&'static str>,
    /// What its kernel is called.
    pub(crate) shader: &'static str,
}

/// The user's type of this kind, if it is one.
pub(crate) fn user_of(kind: &'static Type) -> Option<UserConstraint> {
    kind.user.map(|_| UserConstraint(kind))
}

/// The first of the users' types for which this holds.
pub(super) fn defined(is: impl Fn(&Type) -> bool) -> Option<&'static Type> {
    DEFINED.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().find(|kind| is(kind))
}

/// The types of some rows: all that are built in, in their order, then those of users by name. Their place here is their number in
/// whatever is made of the rows.
pub(crate) fn types_of(rows: &[Row]) -> Vec<&'static Type> {
    let mut own: Vec<&'static Type> = Vec::new();
    for row in rows.iter().filter(|row| row.kind.user.is_some()) {
        if own.last().is_none_or(|last| !std::ptr::eq(*last, row.kind)) {
            own.push(row.kind);
        }
    }
    own.sort_by_key(|kind| kind.name);
    own.dedup_by_key(|kind| kind.name);
    TYPES.iter().copied().chain(own).collect()
}

/// Place of a type in these.
pub(crate) fn place_of(types: &[&'static Type], kind: &Type) -> usize {
    if kind.user.is_none() {
        return kind.index();
    }
    types.iter().position(|known| std::ptr::eq(*known, kind)).unwrap_or(0)
}
