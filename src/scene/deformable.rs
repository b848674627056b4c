//! Objects of free particles joined by constraints: cloth, flesh, rope.

use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::check::{self, Check, not_negative, number, positive, present, vector};
use super::{AirSurface, ParticleId, SceneError};
use crate::constraints::{Compliance, Constraint, Give, GlobalConstraint, GlobalRow, Plastic, Row};

/// Index of a deformable object in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DeformableId(pub u32);

/// An object to add: particles at rest, counted from 0, and the constraints that join them.
#[derive(Clone, Debug, Default)]
pub struct Deformable {
    /// Name for messages and reports.
    pub name: String,
    /// Where the particles rest [m], shape [particle_count].
    pub rest: Vec<Vec3>,
    /// Their masses [kg], shape [particle_count]; 0 pins a particle where it starts.
    pub masses: Vec<f32>,
    /// Their radii [m], shape [particle_count], above 0.
    pub radii: Vec<f32>,
    /// Constraints; their particles count from 0 here.
    pub constraints: Vec<Row>,
    /// Constraints on the whole of it, as pressure inside or its shape; their particles count from 0 here, and none is in two
    /// of a type but of regions.
    pub global_constraints: Vec<GlobalRow>,
    /// Triangles that feel the air; their particles count from 0 here.
    pub air_surfaces: Vec<AirSurface>,
    /// Triangles of its surface that particles touch on both sides; their particles count from 0 here.
    pub faces: Vec<[u32; 3]>,
    /// Part of the motion that is not that of a rigid body that dies away per second [1/s]; it keeps the momentum of the whole
    /// (Müller et al. 2007, section 3.5).
    pub damping: f32,
    /// Friction of its particles and triangles with everything else [dimensionless], 0 or more; 0.6 if nothing is said. A pair uses
    /// the mean, or 0 where one of them has 0.
    pub friction: Option<f32>,
    /// Particles inside, which never meet the object itself; counted from 0 here.
    pub inside: Vec<u32>,
    /// Whether its particles touch only other objects (false), or each other too where they do not rest closer than they
    /// are large.
    pub meets_itself: bool,
    /// So many particles at the end touch nothing: they mark the frames of a rod.
    pub ghosts: u32,
    /// Strain at which its faces part along an edge for good [dimensionless], above 0; none for never: vertices split, and all
    /// triangles stay. What tears has no tethers and no tetrahedra, and damping as a whole ends where it has begun to tear.
    pub tearing: Option<f32>,
    /// How often its vertices can split, if it tears; none for half as often as it has particles. Each takes a particle that waits
    /// outside the world ([`is_stored`](super::is_stored)); what finds none holds, and is counted in
    /// [`Health::tears_dropped`](crate::solver::Health::tears_dropped).
    pub spares: Option<u32>,
    /// How its elastic tetrahedra take another shape for good; none for never.
    pub plastic: Option<Plastic>,
}

/// What a deformable object has in its scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extent {
    /// Name for messages and reports.
    pub name: String,
    /// Its first particle; the others follow.
    pub first_particle: ParticleId,
    /// Number of particles.
    pub particle_count: u32,
    /// So many particles touch nothing: the last ones before its spares.
    pub ghost_count: u32,
    /// So many particles at the end wait outside the world for vertices that split.
    #[serde(default)]
    pub spare_count: u32,
    /// Its first constraint; the others follow.
    pub first_constraint: u32,
    /// Number of constraints.
    pub constraint_count: u32,
    /// Part of the motion that is not that of a rigid body that dies away per second [1/s].
    pub damping: f32,
    /// Friction with everything else; 0.6 if none.
    #[serde(default)]
    pub friction: Option<f32>,
    /// How far it gives way where that is not as it was made: see [`Solver::set_compliance`](crate::solver::Solver::set_compliance).
    #[serde(default)]
    pub gives: BTreeMap<Give, Compliance>,
    /// Particles that came when it was cut: see [`Solver::cut`](crate::solver::Solver::cut).
    #[serde(default)]
    pub copies: Vec<Range<u32>>,
}

/// How far an object gives way, where that is not as it was made.
pub(crate) type Gives = BTreeMap<Give, Compliance>;

impl Extent {
    /// Whether a global constraint is of its particles.
    pub(crate) fn has(&self, row: &GlobalRow) -> bool {
        row.joined().next().is_some_and(|particle| self.has_particle(particle))
    }

    /// Its particles, those that it was made of first.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<u32>> {
        let first = self.first_particle.0;
        iter::once(first..first + self.particle_count).chain(self.copies.iter().cloned())
    }

    /// Whether a particle is of it.
    pub(crate) fn has_particle(&self, particle: u32) -> bool {
        self.ranges().any(|range| range.contains(&particle))
    }

    /// Number of particles that it was made of.
    pub(crate) fn whole_count(&self) -> u32 {
        self.particle_count - self.spare_count
    }

    /// Particles that wait for vertices that split.
    pub(crate) fn spares(&self) -> Range<u32> {
        let first = self.first_particle.0;
        first + self.whole_count()..first + self.particle_count
    }

    /// Indices of its constraints.
    pub(crate) fn constraints(&self) -> Range<usize> {
        let first = self.first_constraint as usize;
        first..first + self.constraint_count as usize
    }

    /// What it makes of a compliance with which one of its constraints was made.
    pub(crate) fn softened(&self, give: Give, made: f32) -> f32 {
        self.gives.get(&give).map_or(made, |compliance| compliance.of(made))
    }

    /// Checks how far it gives way.
    pub(super) fn check(&self) -> Check {
        let item = &format!("deformable `{}`", self.name);
        not_negative(item, "friction", self.friction.unwrap_or(0.0))?;
        let mut given = self.gives.iter();
        given.try_for_each(|(give, compliance)| compliance.check(item, *give))
    }
}

impl Compliance {
    /// Checks it as that of an object.
    pub(crate) fn check(self, item: &str, give: Give) -> Check {
        let (value, made) = (self.number(), matches!(self, Self::Times(_)));
        if give == Give::Pressure {
            let allowed = "a factor from 0.01 to 100: Compliance::Times";
            return number(item, "pressure", value, made && (0.01..=100.0).contains(&value), allowed);
        }
        // What an elastic tetrahedron has is by its volume, and its two moduli keep their ratio.
        if give == Give::Elastic && !made {
            return number(
                item,
                "compliance of each",
                value,
                false,
                "a factor for elastic tetrahedra: Compliance::Times",
            );
        }
        number(item, "compliance", value, (0.0..=Self::MOST).contains(&value), "from 0 to 1e12")
    }
}

impl Deformable {
    /// Particles at rest at `rest` [m] that share `mass` [kg] evenly, not joined yet.
    pub fn new(name: &str, rest: Vec<Vec3>, mass: f32, radius: f32) -> Self {
        let masses = vec![mass / rest.len() as f32; rest.len()];
        let radii = vec![radius; rest.len()];
        Self { name: name.into(), rest, masses, radii, ..Self::default() }
    }

    /// Checks that what it was made of gives every particle a mass: 0 would pin it.
    pub(super) fn check_masses(&self, item: &str, what: &'static str, remedy: &'static str) -> Check {
        let loose = self.masses.iter().position(|mass| *mass == 0.0);
        loose.map_or(Ok(()), |index| Err(SceneError::Massless { item: item.to_owned(), what, index, remedy }))
    }

    /// Largest radius of its particles [m].
    pub fn radius(&self) -> f32 {
        self.radii.iter().copied().fold(0.0, f32::max)
    }

    /// Particles that wait for vertices that split.
    pub(super) fn spare_count(&self) -> u32 {
        if self.tearing.is_some() { self.spares.unwrap_or(self.rest.len() as u32 / 2) } else { 0 }
    }

    /// The box around its particles at rest [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let (points, radius) = (|| self.rest.iter(), self.radius());
        (points().fold(Vec3::MAX, |m, p| m.min(*p - radius)), points().fold(Vec3::MIN, |m, p| m.max(*p + radius)))
    }

    /// Joins particles.
    ///
    /// # Errors
    /// [`SceneError`] when a particle does not exist or is named twice, or a number is out of range.
    pub fn join(&mut self, constraint: &impl Constraint) -> Result<(), SceneError> {
        let row = constraint.row()?;
        check::constraint(self.rest.len(), &row)?;
        self.constraints.push(row);
        Ok(())
    }

    /// Joins any number of particles by a global constraint.
    ///
    /// # Errors
    /// [`SceneError`] when a particle does not exist, is named twice or in another one of this type, or a number is out of range.
    pub fn join_global(&mut self, constraint: &impl GlobalConstraint) -> Result<(), SceneError> {
        let row = constraint.row()?;
        check::global_constraint(self.rest.len(), &row)?;
        let overlaps = row.kind.overlaps;
        self.global_constraints.push(row);
        if overlaps {
            return Ok(());
        }
        check::global_constraints_apart(&self.global_constraints).inspect_err(|_| drop(self.global_constraints.pop()))
    }

    /// Holds every particle for which `held` is true where it starts.
    pub fn pin(&mut self, held: impl Fn(Vec3) -> bool) {
        for (mass, at) in self.masses.iter_mut().zip(&self.rest) {
            if held(*at) {
                *mass = 0.0;
            }
        }
    }

    /// Lets so much of the own motion of every constraint die away per second [1/s].
    #[must_use]
    pub fn damped(mut self, rate: f32) -> Self {
        self.constraints.iter_mut().for_each(|row| row.damping = rate);
        self
    }

    /// Lets its elastic tetrahedra flow.
    #[must_use]
    pub fn yielding(mut self, plastic: Plastic) -> Self {
        self.plastic = Some(plastic);
        self
    }

    /// The rows whose rest shape flows.
    pub(super) fn yields(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.constraints.iter().enumerate().filter(|(_, row)| self.plastic.is_some() && row.yields())
    }

    pub(super) fn check(&self) -> Check {
        let item = &format!("deformable `{}`", self.name);
        self.check_particles(item)?;
        self.check_material(item)?;
        self.global_constraints.iter().try_for_each(|row| check::global_constraint(self.rest.len(), row))?;
        check::global_constraints_apart(&self.global_constraints)?;
        self.check_triangles(item)?;
        for row in &self.constraints {
            number(item, "damping", row.damping, row.damping >= 0.0, "0 or more")?;
            check::constraint(self.rest.len(), row)?;
        }
        Ok(())
    }

    fn check_particles(&self, item: &str) -> Check {
        let (item, count) = (item.to_owned(), self.rest.len());
        if count == 0 {
            return Err(SceneError::Empty { item, field: "particles" });
        }
        for (field, given) in [("mass", self.masses.len()), ("radius", self.radii.len())] {
            if given != count {
                return Err(SceneError::Missing { item, field, index: count, count: given });
            }
        }
        self.radii.iter().try_for_each(|r| positive(&item, "particle radius", *r))?;
        self.rest.iter().try_for_each(|p| vector(&item, "rest position", *p))?;
        self.masses.iter().try_for_each(|m| number(&item, "mass", *m, *m >= 0.0, "0 (pinned) or more"))
    }

    /// How it changes its shape, loses motion and tears.
    fn check_material(&self, item: &str) -> Check {
        if let Some(Plastic { yield_strain, creep, most }) = self.plastic {
            positive(item, "yield strain", yield_strain)?;
            let fast = if creep == f32::INFINITY { 1.0 } else { creep };
            positive(item, "creep", fast)?;
            number(item, "most plastic strain", most, most >= 0.0, "0 or more")?;
            if self.yields().next().is_none() {
                let field = "elastic tetrahedra that could yield";
                return Err(SceneError::Empty { item: item.to_owned(), field });
            }
        }
        not_negative(item, "friction", self.friction.unwrap_or(0.0))?;
        number(item, "damping", self.damping, self.damping >= 0.0, "0 or more")?;
        if let Some(strain) = self.tearing {
            positive(item, "strain at which it tears", strain)?;
            if !self.constraints.iter().any(|row| row.stretch().is_some()) {
                return Err(SceneError::Empty {
                    item: item.to_owned(),
                    field: "edges that keep their length and could tear",
                });
            }
            if self.constraints.iter().any(|row| row.rest_volume().is_some()) {
                return Err(SceneError::TearsInside(item.to_owned()));
            }
            if self.constraints.iter().filter_map(Row::stretch).any(|kept| kept.tension_only) {
                return Err(SceneError::Tethered(item.to_owned()));
            }
        }
        Ok(())
    }

    /// Particles that its triangles and its inside name.
    fn check_triangles(&self, item: &str) -> Check {
        let mut in_air = self.air_surfaces.iter().flat_map(|part| part.triangles.iter().flatten());
        let here = |field, index: &u32| present(item, field, *index as usize, self.rest.len());
        in_air.try_for_each(|i| here("particle in the air", i))?;
        self.air_surfaces.iter().try_for_each(|part| part.air.check(item))?;
        self.faces.iter().flatten().try_for_each(|i| here("corner of a face", i))?;
        self.inside.iter().try_for_each(|i| here("particle inside", i))
    }
}
