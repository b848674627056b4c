//! What a game can hear of, and what it is told.

use glam::Vec3;

use crate::scene::{BodyId, DeformableId, Kinds, Thing};
use crate::solver::edits::joints::JointRef;

/// What a game wants to hear of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listener {
    /// One of the two; everything if none.
    pub thing: Option<Thing>,
    /// The other one; everything of `kinds` if none.
    pub other: Option<Thing>,
    /// Kinds of the other.
    pub kinds: Kinds,
    /// Least impulse of a frame that is told [N s].
    pub least_impulse: f32,
    /// Least speed at which they come at one another that is told [m/s].
    pub least_speed: f32,
}

impl Listener {
    /// To everything that touches anything.
    pub fn everything() -> Self {
        Self { thing: None, other: None, kinds: Kinds::ALL, least_impulse: 0.0, least_speed: 0.0 }
    }

    /// To a thing, and whatever it touches.
    pub fn on(thing: Thing) -> Self {
        Self { thing: Some(thing), ..Self::everything() }
    }

    /// Only where it touches this one.
    #[must_use]
    pub fn against(self, other: Thing) -> Self {
        Self { other: Some(other), ..self }
    }

    /// Only where it touches one of these kinds.
    #[must_use]
    pub fn only(self, kinds: Kinds) -> Self {
        Self { kinds, ..self }
    }

    /// Contacts of at least this impulse in a frame [N s]; those that end are told in any case if their begin was.
    #[must_use]
    pub fn at_least_impulse(self, impulse: f32) -> Self {
        Self { least_impulse: impulse, ..self }
    }

    /// Contacts of things that come at one another at least this fast [m/s].
    #[must_use]
    pub fn at_least_speed(self, speed: f32) -> Self {
        Self { least_speed: speed, ..self }
    }

    /// The one body that it concerns, if it is one.
    pub(in crate::solver) fn body(&self) -> Option<BodyId> {
        [self.thing, self.other].into_iter().flatten().find_map(|thing| match thing {
            Thing::Body(id) => Some(id),
            _ => None,
        })
    }

    /// Whether it names a thing of free particles.
    pub(super) fn is_of_free(&self) -> bool {
        [self.thing, self.other].into_iter().flatten().any(|thing| Kinds::PARTICLES.contains(Kinds::of(thing)))
    }

    /// Kinds of what free particles touch where it hears of it; none if it hears of no free particles.
    pub(in crate::solver) fn partners(&self) -> Kinds {
        let fixed = |thing: Option<Thing>| thing.map(Kinds::of).filter(|kind| !Kinds::PARTICLES.contains(*kind));
        match (fixed(self.thing), fixed(self.other)) {
            (Some(_), Some(_)) => Kinds::NONE,
            (Some(kind), None) if self.other.is_some() || self.kinds.meets(Kinds::PARTICLES) => kind,
            (Some(_), None) => Kinds::NONE,
            (None, Some(kind)) => kind,
            (None, None) if self.other.is_some() => Kinds::ALL,
            // Of two that nobody names either may be the other.
            (None, None) if self.thing.is_none() && self.kinds.meets(Kinds::PARTICLES) => Kinds::ALL,
            (None, None) => self.kinds,
        }
    }

    /// Whether one thing of all contacts that it hears of may be this one.
    pub(in crate::solver) fn names(&self, thing: Thing) -> bool {
        self.thing.or(self.other).is_none_or(|named| named == thing)
    }

    /// Whether it hears of what two things do to one another.
    pub(super) fn concerns(&self, one: Thing, two: Thing) -> bool {
        let fits = |named: Option<Thing>, thing: Thing| named.is_none_or(|named| named == thing);
        let hears =
            |thing, other| fits(self.thing, thing) && fits(self.other, other) && self.kinds.contains(Kinds::of(other));
        hears(one, two) || hears(two, one)
    }

    /// Whether it hears of what happens to this thing.
    pub(in crate::solver) fn follows(&self, thing: Thing) -> bool {
        self.thing.is_none_or(|own| own == thing)
    }
}

/// Where a contact is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactPhase {
    /// The first frame in which the two touch, or the first that a threshold lets pass.
    Began,
    /// They touched in the frame before too, and the listener was told so.
    Stays,
    /// They do not touch any more. Point and normal are the last ones, impulse and speed are 0.
    Ended,
}

/// Two things that touch, summed up over a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Began, stays or ended.
    pub phase: ContactPhase,
    /// One of them: a body before anything else, then an object, a liquid, grains; of two of a kind the one with the lower id.
    pub thing: Thing,
    /// What it touches.
    pub other: Thing,
    /// Where the strongest contact is; of free particles, of which many touch, the middle of all by their impulses [m].
    pub point: Vec3,
    /// Mean of the contacts' normals, weighted by their impulses, towards `thing`.
    pub normal: Vec3,
    /// Impulse of all contacts along their normals in the frame [N s].
    pub impulse: f32,
    /// Fastest that the two came at one another [m/s]; not above 0 where they only rest or part.
    pub speed: f32,
    /// The game's own numbers of both.
    pub user_data: [u64; 2],
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventKind {
    /// Two things touch, or do not any more.
    Contact(Contact),
    /// A body fell asleep. So it may begin.
    Asleep(BodyId),
    /// A body woke.
    Awake(BodyId),
    /// A body was stopped at the end of the world.
    OutOfWorld(BodyId),
    /// A joint broke, or one that was added left with one of its bodies. Bodies of one that broke still do not touch each other, unless
    /// [`JointDesc::meet`] has them do so.
    ///
    /// [`JointDesc::meet`]: crate::scene::JointDesc::meet
    JointBroken(JointRef),
    /// Cloth parted along an edge, at one end or both: its index among [`Scene::tears`](crate::scene::Scene::tears), and whose it is.
    Torn {
        /// The edge.
        tear: usize,
        /// The cloth.
        object: DeformableId,
    },
    /// A thing reached into a sensor.
    Entered {
        /// The sensor.
        sensor: SensorId,
        /// What came in.
        thing: Thing,
        /// The game's own number of the thing.
        user_data: u64,
    },
    /// A thing is not in a sensor any more.
    Left {
        /// The sensor.
        sensor: SensorId,
        /// What went out, or was removed.
        thing: Thing,
        /// The game's own number of the thing.
        user_data: u64,
    },
}

/// A listener of a solver. Numbers of those that were removed are not used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ListenerId(pub u32);

/// A sensor of a solver. Numbers of those that were removed are not used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SensorId(pub u32);

/// A thing in a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside {
    /// The thing.
    pub thing: Thing,
    /// How many of its particles are inside: of bodies and objects as balls, of liquids and grains by their centers.
    pub particles: u32,
}

/// What happened, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// The frame, counted from 0.
    pub frame: u64,
    /// What happened.
    pub kind: EventKind,
}
