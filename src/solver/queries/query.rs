//! Questions to a running world, and their answers: what a ray meets, what a shape meets on its way, what is inside a shape, what
//! is nearest to a point.

use glam::{Quat, Vec3};

use crate::scene::{Kinds, ParticleId, Shape, Surface, Thing};
use crate::solver::SolverError;

/// Things that an overlap tells at most, unless it is said.
const THINGS: u32 = 32;
/// Most that it may be asked for.
const MOST_THINGS: u32 = 1024;

/// A question about where things are.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// What is asked.
    pub kind: QueryKind,
    /// Kinds of things that are met; all unless it is said.
    pub kinds: Kinds,
    /// Layers of which a thing is to be of one at least, a bit for each; all unless it is said, which meets things of none, too: see
    /// [`Layers::of`](crate::scene::Layers::of).
    pub layers: u32,
    /// Things that are not met, as one's own body.
    pub ignored: Vec<Thing>,
    /// Whether a cast also meets what it begins in, at a distance of 0; otherwise it passes over that.
    pub from_inside: bool,
}

/// What a query asks.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryKind {
    /// The first thing on a straight way.
    Ray {
        /// Start [m].
        origin: Vec3,
        /// Where to, of any length but 0.
        direction: Vec3,
        /// Length of the way [m], above 0; may be infinite.
        length: f32,
    },
    /// The first thing that a shape meets on a straight way, without turning.
    Cast {
        /// A ball, capsule, box, cylinder or hull, or a compound of these.
        shape: Shape,
        /// Where its middle, the origin of its frame, is at the start [m].
        origin: Vec3,
        /// Its orientation.
        rotation: Quat,
        /// Where to, of any length but 0.
        direction: Vec3,
        /// Length of the way [m], above 0; may be infinite.
        length: f32,
    },
    /// All things that overlap with a shape, those nearest to its middle first.
    Overlap {
        /// A ball, capsule, box, cylinder or hull, or a compound of these.
        shape: Shape,
        /// Where its middle, the origin of its frame, is [m].
        origin: Vec3,
        /// Its orientation.
        rotation: Quat,
        /// Most things to tell, from 1 to 1024.
        count: u32,
    },
    /// The point of all things that is nearest to a point.
    Nearest {
        /// The point [m].
        origin: Vec3,
        /// How far to look [m], above 0; may be infinite.
        length: f32,
    },
}

impl Query {
    fn new(kind: QueryKind) -> Self {
        Self { kind, kinds: Kinds::ALL, layers: u32::MAX, ignored: Vec::new(), from_inside: false }
    }

    /// What a ray from `origin` [m] meets first within `length` [m].
    pub fn ray(origin: Vec3, direction: Vec3, length: f32) -> Self {
        Self::new(QueryKind::Ray { origin, direction, length })
    }

    /// What a ball, capsule, box, cylinder, hull or compound of these that starts at `origin` [m] meets first within `length` [m].
    pub fn cast(shape: Shape, origin: Vec3, direction: Vec3, length: f32) -> Self {
        Self::new(QueryKind::Cast { shape, origin, rotation: Quat::IDENTITY, direction, length })
    }

    /// What overlaps with a ball, capsule, box, cylinder, hull or compound of these at `origin` [m]: 32 things at most.
    pub fn overlap(shape: Shape, origin: Vec3) -> Self {
        Self::new(QueryKind::Overlap { shape, origin, rotation: Quat::IDENTITY, count: THINGS })
    }

    /// What is nearest to `origin` [m], no farther than `length` [m].
    pub fn nearest(origin: Vec3, length: f32) -> Self {
        Self::new(QueryKind::Nearest { origin, length })
    }

    /// With the shape turned; of a ray or a point nothing changes.
    #[must_use]
    pub fn rotated(mut self, turned: Quat) -> Self {
        if let QueryKind::Cast { rotation, .. } | QueryKind::Overlap { rotation, .. } = &mut self.kind {
            *rotation = turned;
        }
        self
    }

    /// With so many things told at most, of an overlap.
    #[must_use]
    pub fn at_most(mut self, things: u32) -> Self {
        if let QueryKind::Overlap { count, .. } = &mut self.kind {
            *count = things;
        }
        self
    }

    /// Meets only things of these kinds.
    #[must_use]
    pub fn only(mut self, kinds: Kinds) -> Self {
        self.kinds = kinds;
        self
    }

    /// Meets only things that are of one of these layers at least: see [`Scene::set_layers`](crate::scene::Scene::set_layers).
    #[must_use]
    pub fn of_layers(mut self, layers: u32) -> Self {
        self.layers = layers;
        self
    }

    /// Does not meet these things.
    #[must_use]
    pub fn ignoring(mut self, things: impl IntoIterator<Item = Thing>) -> Self {
        self.ignored.extend(things);
        self
    }

    /// Meets what it begins in, too.
    #[must_use]
    pub fn from_inside(mut self) -> Self {
        self.from_inside = true;
        self
    }

    /// Whether it can be asked, as query number `index`; the things it ignores are looked up elsewhere.
    pub(in crate::solver) fn check(&self, index: usize) -> Result<(), SolverError> {
        let number = |field, value: f32, fits: bool, allowed| {
            if fits { Ok(()) } else { Err(SolverError::Query { index, field, value, allowed }) }
        };
        let place = |field, v: Vec3| {
            let worst = v.to_array().into_iter().find(|c| !c.is_finite()).unwrap_or(0.0);
            number(field, worst, v.is_finite(), "finite")
        };
        let long = |length: f32| number("length", length, length > 0.0, "above 0");
        let towards = |direction: Vec3| {
            place("direction", direction)?;
            number("length of the direction", 0.0, direction != Vec3::ZERO, "above 0")
        };
        let unit = |rotation: Quat| {
            let length = rotation.length();
            number("rotation length", length, (length - 1.0).abs() < 0.01, "1 (a unit quaternion)")
        };
        let sized =
            |value: f32| number("size of the shape", value, value > 0.0 && value.is_finite(), "above 0 and finite");
        let convex = |shape: &Shape| match shape {
            Shape::Sphere(radius) => sized(*radius),
            Shape::Capsule { radius, half_length } => {
                sized(*radius)?;
                let fits = *half_length >= 0.0 && half_length.is_finite();
                number("half length", *half_length, fits, "0 or more and finite")
            }
            Shape::Cylinder { radius, half_length } => sized(*radius).and(sized(*half_length)),
            Shape::Cuboid(half) => half.to_array().into_iter().try_for_each(sized),
            Shape::Hull(hull) => hull.mesh().positions.iter().try_for_each(|p| place("corner of the shape", *p)),
            _ => Err(SolverError::QueryShape(index)),
        };
        let solid = |shape: &Shape, rotation: Quat| {
            unit(rotation)?;
            let Shape::Compound(pieces) = shape else { return convex(shape) };
            number("number of pieces", 0.0, !pieces.is_empty(), "1 or more")?;
            pieces.iter().try_for_each(|piece| {
                place("position of a piece", piece.position).and(unit(piece.rotation))?;
                convex(&piece.shape)
            })
        };
        match &self.kind {
            QueryKind::Ray { origin, direction, length } => {
                place("origin", *origin).and(towards(*direction)).and(long(*length))
            }
            QueryKind::Cast { shape, origin, rotation, direction, length } => {
                place("origin", *origin).and(towards(*direction)).and(long(*length))?;
                solid(shape, *rotation)
            }
            QueryKind::Overlap { shape, origin, rotation, count } => {
                place("origin", *origin)?;
                let fits = (1..=MOST_THINGS).contains(count);
                number("most things", *count as f32, fits, "from 1 to 1024")?;
                solid(shape, *rotation)
            }
            QueryKind::Nearest { origin, length } => place("origin", *origin).and(long(*length)),
        }
    }
}

/// What a query met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The thing.
    pub thing: Thing,
    /// Which part of it it is.
    pub feature: Feature,
    /// Where [m], on the surface of the thing. For a cast that begins in the thing: where it begins.
    pub point: Vec3,
    /// Out of the thing there, of unit length. Of triangles: towards the side that the query is on.
    pub normal: Vec3,
    /// Of a ray or cast the way until it meets [m]; else from the middle of the query to the point [m], negative inside of a
    /// solid.
    pub distance: f32,
    /// What the thing's surface is like.
    pub surface: Surface,
    /// The game's own number of the thing: see [`Scene::set_user_data`](crate::scene::Scene::set_user_data).
    pub user_data: u64,
}

/// Which part of a thing was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A solid as a whole.
    Whole,
    /// A particle of a rope, liquid or kind of grains, or one inside flesh.
    Particle(ParticleId),
    /// A triangle of cloth or flesh, an index of [`Scene::triangles`](crate::scene::Scene::triangles), or of the mesh of a
    /// collider.
    Triangle(u32),
}

/// A batch of queries that was asked. Its answers come a few frames later, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    pub(in crate::solver) number: u64,
}

/// Answers to a batch of queries, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    /// Frames that had been simulated when it was asked.
    pub frame: u64,
    /// Simulated time then [s].
    pub time: f64,
    pub(in crate::solver) hits: Vec<Hit>,
    /// After the last hit of each query, and whether there are more.
    pub(in crate::solver) ends: Vec<(usize, bool)>,
}

impl Answers {
    /// How many queries were asked.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing was asked.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What a query met: of a cast the first thing, of an overlap all, those nearest to its middle first. Empty for nothing.
    ///
    /// # Panics
    /// If there is no such query in the batch.
    pub fn of(&self, query: usize) -> &[Hit] {
        let first = if query == 0 { 0 } else { self.ends[query - 1].0 };
        &self.hits[first..self.ends[query].0]
    }

    /// The first of them.
    ///
    /// # Panics
    /// If there is no such query in the batch.
    pub fn first(&self, query: usize) -> Option<&Hit> {
        self.of(query).first()
    }

    /// Whether an overlap found more things than it was to tell; those told are the nearest.
    ///
    /// # Panics
    /// If there is no such query in the batch.
    pub fn has_more(&self, query: usize) -> bool {
        self.ends[query].1
    }

    /// What each query met.
    pub fn iter(&self) -> impl Iterator<Item = &[Hit]> {
        (0..self.len()).map(|query| self.of(query))
    }
}
