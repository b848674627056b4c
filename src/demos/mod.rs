//! Scenes to look at and to measure, one file each; one list serves the window, the tests, the bench and the report.

mod character;
mod collide;
mod corner;
mod joints;
mod options;
mod pairs;
mod pile;
mod ragdolls;
mod slope;
mod spin;
mod stage;
mod target;
mod tower;

use thiserror::Error;

use crate::import::{ImportError, SolidError};
use crate::ragdoll::RagdollError;
use crate::scene::{Scene, SceneError};

pub use options::{DemoOption, OptionKind, Options};
pub use stage::palette;
pub use target::{TargetError, scene_for};

/// A scene that can be built by name.
#[derive(Clone, Copy, Debug)]
pub struct Demo {
    /// Name on the command line.
    pub name: &'static str,
    /// One line: what is seen.
    pub summary: &'static str,
    /// What `--set` takes besides the world parameters.
    pub options: &'static [DemoOption],
    /// Builds the scene.
    pub build: fn(&Options) -> Result<Scene, DemoError>,
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
    /// A model could not become a ragdoll.
    #[error(transparent)]
    Ragdoll(#[from] RagdollError),
}

/// Every demo, the default first.
pub const DEMOS: &[Demo] = &[
    ragdolls::DEMO,
    pairs::DEMO,
    joints::DEMO,
    tower::DEMO,
    pile::DEMO,
    spin::DEMO,
    corner::DEMO,
    slope::DEMO,
    collide::DEMO,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_demo_builds_is_drawn_and_passes_its_own_checks() {
        for demo in DEMOS {
            let scene = (demo.build)(&Options::new(demo.options)).unwrap_or_else(|e| panic!("{}: {e}", demo.name));
            scene.check().unwrap_or_else(|e| panic!("{}: {e}", demo.name));
            assert!(!scene.bodies.is_empty(), "{} has no body", demo.name);
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
            let scene = (demo.build)(&Options::new(demo.options)).unwrap();
            let start = crate::report::Snapshot::start(&scene);
            let overlap = crate::report::Overlap::new(&scene).worst(&start);
            assert!(overlap < 0.05, "{} starts with particles {overlap} radii deep", demo.name);
        }
    }
}
