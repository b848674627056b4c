//! Scenes to look at and to measure, one file each; one list serves the window, the tests, the bench and the report.

mod balloons;
mod bath;
mod beam;
mod cape;
mod character;
mod cloth;
mod collide;
mod corner;
mod curtain;
mod dam;
mod dancer;
mod drape;
mod flag;
mod flamenco;
mod float;
mod flood;
pub mod forms;
mod fountain;
mod honey;
mod hourglass;
mod jelly;
mod joints;
mod layers;
mod lighthouse;
mod omotondo;
mod options;
mod pairs;
mod pile;
mod ragdolls;
mod rings;
mod ropes;
mod s0;
mod s1;
mod s2;
mod sand;
mod slope;
mod soft;
mod spin;
mod squishy;
mod stage;
mod target;
mod tori400;
mod tower;
mod twist;

use thiserror::Error;

use crate::animation::{Cast, LimbError, LimpAt};
use crate::import::cloth::ClothError;
use crate::import::tets::TetError;
use crate::import::{ImportError, SolidError};
use crate::ragdoll::RagdollError;
use crate::scene::{Scene, SceneError};

pub use options::{DemoOption, OptionKind, Options};
pub use stage::palette;
pub use target::{TargetError, boneless, stage_for};

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

/// A scene that can be built by name.
#[derive(Clone, Copy, Debug)]
pub struct Demo {
    /// Name on the command line.
    pub name: &'static str,
    /// One line: what is seen.
    pub summary: &'static str,
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
    /// A model could not become a ragdoll.
    #[error(transparent)]
    Ragdoll(#[from] RagdollError),
    /// A clip that the model does not have.
    #[error("`{model}` has no clip `{clip}`; {}", has(.clips))]
    UnknownClip {
        /// The model.
        model: String,
        /// What was asked for.
        clip: String,
        /// The clips it has.
        clips: Vec<String>,
    },
    /// A limb that nobody has.
    #[error(transparent)]
    Limb(#[from] LimbError),
    /// Somebody should go limp where nobody is animated.
    #[error("nobody here is animated, so nobody can go limp; try `dancer`, or a skinned .glb")]
    NobodyPerforms,
}

/// Clips as the end of a sentence.
fn has(clips: &[String]) -> String {
    const MOST: usize = 12;
    let more = if clips.len() > MOST { format!(" and {} more", clips.len() - MOST) } else { String::new() };
    match clips {
        [] => "it has none".into(),
        some => format!("it has {}{more}", some[..some.len().min(MOST)].join(", ")),
    }
}

/// Every demo, the default first.
pub const DEMOS: &[Demo] = &[
    dancer::DEMO,
    ragdolls::DEMO,
    pairs::DEMO,
    joints::DEMO,
    tower::DEMO,
    pile::DEMO,
    spin::DEMO,
    corner::DEMO,
    slope::DEMO,
    collide::DEMO,
    s0::DEMO,
    curtain::DEMO,
    flag::DEMO,
    drape::DEMO,
    layers::DEMO,
    twist::DEMO,
    flamenco::DEMO,
    s1::DEMO,
    s2::DEMO,
    squishy::DEMO,
    omotondo::DEMO,
    tori400::DEMO,
    jelly::DEMO,
    beam::DEMO,
    balloons::DEMO,
    ropes::DEMO,
    sand::DEMO,
    dam::DEMO,
    honey::DEMO,
    float::DEMO,
    fountain::DEMO,
    bath::DEMO,
    cape::DEMO,
    flood::DEMO,
    lighthouse::DEMO,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_demo_builds_is_drawn_and_passes_its_own_checks() {
        for demo in DEMOS {
            let stage = (demo.build)(&Options::new(demo.options)).unwrap_or_else(|e| panic!("{}: {e}", demo.name));
            let scene = stage.scene;
            scene.check().unwrap_or_else(|e| panic!("{}: {e}", demo.name));
            let parts = scene.bodies.len() + scene.deformables.len() + scene.liquids.len();
            assert!(parts > 0, "{} has nothing that moves", demo.name);
            assert!(!demo.summary.is_empty() && !demo.summary.ends_with('.'), "{}", demo.name);
            let drawn: std::collections::HashSet<_> =
                scene.instances.iter().flat_map(|i| i.bones.iter().filter_map(|bone| bone.body)).collect();
            let middle = scene.bodies.iter().filter(|b| b.name.ends_with("cross")).count();
            assert!(drawn.len() + middle >= scene.bodies.len(), "{}: a body is not drawn", demo.name);
        }
    }

    #[test]
    fn names_are_unique_and_no_option_hides_a_world_parameter() {
        for (i, demo) in DEMOS.iter().enumerate() {
            assert!(DEMOS[..i].iter().all(|d| d.name != demo.name));
            for option in demo.options {
                assert!(crate::scene::PARAMETERS.iter().all(|p| p.name != option.name), "{}", option.name);
                assert!(!option.doc.is_empty());
            }
        }
    }

    #[test]
    fn nothing_starts_inside_something_else() {
        for demo in DEMOS {
            let mut scene = (demo.build)(&Options::new(demo.options)).unwrap().scene;
            if ["dancer", "ragdolls", "bath", "cape", "flood"].contains(&demo.name) {
                // Limbs of one character touch as its clip has them.
                ignore_own_limbs(&mut scene);
            }
            let start = crate::report::Snapshot::start(&scene);
            let overlap = crate::report::Overlap::new(&scene).worst(&start);
            assert!(overlap < 0.05, "{} starts with particles {overlap} radii deep", demo.name);
        }
    }

    fn ignore_own_limbs(scene: &mut Scene) {
        let roots = scene.assemblies();
        for a in 0..roots.len() {
            for b in (a + 1..roots.len()).filter(|b| roots[*b] == roots[a]) {
                scene.ignore(crate::scene::BodyId(a as u32), crate::scene::BodyId(b as u32));
            }
        }
    }
}
