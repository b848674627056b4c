//! What a demo is, and the stage that it builds.

use thiserror::Error;

use super::options::{DemoOption, Options};
use crate::animation::{Cast, LimbError, LimpAt, StrengthError};
use crate::import::cloth::ClothError;
use crate::import::tets::TetError;
use crate::import::{ImportError, SolidError};
use crate::scene::{Scene, SceneError};
use crate::spawn::CharacterError;

/// What a demo puts on: a scene, and who performs in it.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// The scene.
    pub scene: Scene,
    /// Its performers.
    pub cast: Cast,
    /// What was mended or left out of soft and rigid models, one sentence each.
    pub warnings: Vec<String>,
}

impl From<Scene> for Stage {
    fn from(scene: Scene) -> Self {
        Self { scene, ..Self::default() }
    }
}

impl Stage {
    /// Lets the performers play from the start and go limp at some time, or a limb of theirs.
    ///
    /// # Errors
    /// [`DemoError::NobodyPerforms`] without performers, [`DemoError::Limb`] if none has such a limb.
    pub fn limp_at(&mut self, when: &LimpAt) -> Result<(), DemoError> {
        if self.cast.is_empty() {
            return Err(DemoError::NobodyPerforms);
        }
        if let Some(limb) = &when.limb {
            self.cast.find_limb(limb)?;
        }
        Ok(self.cast.limp_at(when.clone(), &mut self.scene)?)
    }
}

/// What a demo is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Characters that perform and fall.
    Characters,
    /// Rigid bodies, their joints and contacts.
    Bodies,
    /// Cloth.
    Cloth,
    /// Flesh, and what has a pressure inside.
    Flesh,
    /// Ropes, rods and hair.
    Ropes,
    /// Sand and liquids.
    Flowing,
    /// Several of these at once.
    Together,
}

impl Category {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 7] =
        [Self::Characters, Self::Bodies, Self::Cloth, Self::Flesh, Self::Ropes, Self::Flowing, Self::Together];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Characters => "characters",
            Self::Bodies => "rigid bodies",
            Self::Cloth => "cloth",
            Self::Flesh => "flesh and balloons",
            Self::Ropes => "ropes and hair",
            Self::Flowing => "sand and liquids",
            Self::Together => "all together",
        }
    }
}

/// A scene that can be built by name.
#[derive(Clone, Copy, Debug)]
pub struct Demo {
    /// Name on the command line.
    pub name: &'static str,
    /// One line: what is seen.
    pub summary: &'static str,
    /// What it is of.
    pub category: Category,
    /// What `--set` takes besides the world parameters.
    pub options: &'static [DemoOption],
    /// Builds it.
    pub build: fn(&Options) -> Result<Stage, DemoError>,
}

/// A demo that could not be built.
#[derive(Debug, Error)]
pub enum DemoError {
    /// A part of the scene was refused.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A model file could not be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A mesh could not be made solid.
    #[error(transparent)]
    Solid(#[from] SolidError),
    /// A model could not become soft.
    #[error(transparent)]
    Soft(#[from] TetError),
    /// A model could not become cloth.
    #[error(transparent)]
    Cloth(#[from] ClothError),
    /// An option that only a ragdoll can follow.
    #[error("`{option}` needs `material=ragdoll`; a {material} body has no skeleton")]
    OnlyRagdolls {
        /// The option.
        option: &'static str,
        /// The material that was asked for.
        material: &'static str,
    },
    /// An option of model files, where none is given.
    #[error("`{0}` is for model files: give one by model=PATH")]
    OnlyModels(&'static str),
    /// A model could not become a character.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A limb that nobody has.
    #[error(transparent)]
    Limb(#[from] LimbError),
    /// Muscles of no such strength.
    #[error(transparent)]
    Strength(#[from] StrengthError),
    /// Somebody should go limp where nobody is animated.
    #[error("no character here is animated, so none can go limp; try `dancer`, or a skinned .glb")]
    NobodyPerforms,
}
