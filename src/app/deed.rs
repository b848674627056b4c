//! What a player does to a scene. Every change goes through one of these, so that all of them can be recorded and replayed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::blast::Bang;
use super::grab::Ray;
use super::select::Edit;
use super::select::gizmo::Grip;
use super::tools::Tool;
use crate::scene::BodyId;
use crate::scene_file::Settings;

/// Balls to throw.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Throw {
    /// Speed [m/s].
    pub(crate) speed: f32,
    /// Radius [m].
    pub(crate) radius: f32,
    /// Density [kg/m³].
    pub(crate) density: f32,
}

impl Default for Throw {
    fn default() -> Self {
        Self { speed: 14.0, radius: 0.12, density: 1000.0 }
    }
}

/// Something that is done to a scene between two frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) enum Deed {
    /// Throws a ball from the start of the ray along it.
    Throw { ray: Ray, ball: Throw },
    /// Sets off an explosion at the first thing that the ray meets.
    Explode { ray: Ray, bang: Bang },
    /// Takes hold of what the ray meets; with `through`, colliders hide nothing.
    Pull { ray: Ray, through: bool },
    /// Takes hold of a handle on a collider.
    Grip(Grip),
    /// Changes something that is there.
    Edit(Edit),
    /// Begins to blow along the ray.
    Blow { ray: Ray },
    /// Begins to draw a blade, which cuts what lies between this ray and that where it is let go of.
    Cut { ray: Ray },
    /// Begins to blow up what the ray meets, or to let its air out.
    Pump { ray: Ray, out: bool },
    /// What is held is so far along the ray from now on [m].
    Reach(f32),
    /// What is held follows the ray for so long [s].
    Hold { ray: Ray, seconds: f32 },
    /// Lets go of what is held, and of what is being changed: what is changed after it is another edit.
    LetGo,
    /// Pins what the ray meets, or lets it go; with `through`, colliders hide nothing.
    Pin {
        ray: Ray,
        #[serde(default)]
        through: bool,
    },
    /// Lets go of all that is pinned.
    Unpin,
    /// Puts what a tool adds on what the ray meets.
    Put { tool: Tool, ray: Ray },
    /// Puts the model of a file on what the ray meets.
    PutModel { file: PathBuf, ray: Ray },
    /// Lets the performers go limp, or those who are get up where they lie.
    Limp,
    /// Lets the performers move by their own strength, 0 to 1, or holds them.
    Drive(Option<f32>),
    /// Lets the limb that this body is go limp, while the rest of its performer plays on.
    Loosen(BodyId),
    /// Lets the limb that this body is move by its own strength, 0 to 1, while its performer does.
    DriveLimb(BodyId, f32),
    /// Lets the performers play their clip of this index.
    Clip(usize),
    /// Lets the performer with this body go limp, or get up where it lies.
    LimpOf(BodyId),
    /// Lets the performer with this body play its clip of this index.
    ClipOf(BodyId, usize),
    /// Changes parameters of the world.
    Params(Settings),
    /// Takes back what was added or changed last.
    Undo,
}

impl Deed {
    /// The ray that it goes along.
    fn ray(&self) -> Option<Ray> {
        match self {
            Self::Throw { ray, .. }
            | Self::Explode { ray, .. }
            | Self::Pull { ray, .. }
            | Self::Blow { ray }
            | Self::Cut { ray }
            | Self::Pump { ray, .. }
            | Self::Hold { ray, .. }
            | Self::Pin { ray, .. }
            | Self::Put { ray, .. }
            | Self::PutModel { ray, .. } => Some(*ray),
            _ => None,
        }
    }

    /// Whether something is held from then on.
    pub(crate) fn takes_hold(&self) -> bool {
        matches!(self, Self::Pull { .. } | Self::Grip(_) | Self::Blow { .. } | Self::Cut { .. } | Self::Pump { .. })
    }

    /// Numbers that no player can make, as a sentence; what the scene cannot take is told when it is done.
    pub(crate) fn check(&self) -> Result<(), String> {
        let positive = |name: &str, value: f32| {
            let fine = value.is_finite() && value > 0.0;
            if fine { Ok(()) } else { Err(format!("`{name}` is {value}; it must be above 0")) }
        };
        if let Some(Ray { origin, direction }) = self.ray()
            && !(origin.is_finite() && (direction.length() - 1.0).abs() < 1e-3)
        {
            return Err(format!(
                "`ray` goes from {origin} along {direction}; it must be finite, its direction of length 1"
            ));
        }
        match self {
            Self::Throw { ball, .. } => [("speed", ball.speed), ("radius", ball.radius), ("density", ball.density)]
                .into_iter()
                .try_for_each(|(name, value)| positive(name, value)),
            Self::Explode { bang, .. } => positive("speed", bang.speed).and(positive("radius", bang.radius)),
            Self::Reach(depth) => positive("Reach", *depth),
            Self::Hold { seconds, .. } if *seconds == 0.0 => Ok(()),
            Self::Hold { seconds, .. } => positive("seconds", *seconds),
            Self::Grip(grip) if !grip.is_finite() => Err("`Grip` has numbers that are not finite".into()),
            _ => Ok(()),
        }
    }
}
