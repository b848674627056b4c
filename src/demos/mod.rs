//! Scenes to watch and to measure, one file each; one list serves the window, the tests, the bench and the report.

mod balloons;
mod bath;
mod beam;
mod cape;
mod collide;
mod corner;
#[cfg(test)]
mod counts;
mod cube;
mod curtain;
mod dam;
mod dancer;
mod demo;
mod drape;
mod flag;
mod flamenco;
mod float;
mod flood;
mod fountain;
mod hair;
mod honey;
mod jelly;
mod joints;
mod layers;
mod lighthouse;
mod materials;
mod omotondo;
mod options;
mod pairs;
mod pile;
mod puppets;
mod ragdolls;
mod regions;
mod ropes;
mod s0;
mod s1;
mod s2;
mod sand;
mod shapes;
mod slope;
mod spin;
mod squishy;
mod target;
mod tori400;
mod tower;
mod twist;
mod weave;

pub use demo::{Category, Demo, DemoError, Stage};
pub use options::{DemoOption, OptionKind, Options};
pub use target::{TargetError, boneless, stage_for};

/// Every demo, the default first.
pub const DEMOS: &[Demo] = &[
    dancer::DEMO,
    ragdolls::DEMO,
    puppets::DEMO,
    pairs::DEMO,
    joints::DEMO,
    tower::DEMO,
    pile::DEMO,
    shapes::DEMO,
    spin::DEMO,
    corner::DEMO,
    slope::DEMO,
    collide::DEMO,
    s0::DEMO,
    curtain::DEMO,
    flag::DEMO,
    drape::DEMO,
    weave::DEMO,
    layers::DEMO,
    twist::DEMO,
    flamenco::DEMO,
    cube::DEMO,
    s1::DEMO,
    s2::DEMO,
    squishy::DEMO,
    omotondo::DEMO,
    tori400::DEMO,
    jelly::DEMO,
    regions::DEMO,
    beam::DEMO,
    balloons::DEMO,
    ropes::DEMO,
    hair::DEMO,
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
    use std::sync::LazyLock;

    use super::*;
    use crate::scene::Scene;

    /// Scenes of all demos at their defaults.
    static SCENES: LazyLock<Vec<(&str, Scene)>> = LazyLock::new(|| {
        let scene = |demo: &Demo| {
            let stage = (demo.build)(&Options::new(demo.options)).unwrap_or_else(|e| panic!("{}: {e}", demo.name));
            (demo.name, stage.scene)
        };
        DEMOS.iter().map(scene).collect()
    });

    #[test]
    fn every_demo_builds_is_drawn_and_passes_its_own_checks() {
        for (name, scene) in &*SCENES {
            scene.check().unwrap_or_else(|e| panic!("{name}: {e}"));
            let parts = scene.bodies.len() + scene.deformables.len() + scene.liquids.len();
            assert!(parts > 0, "{name} has nothing that moves");
            let drawn: std::collections::HashSet<_> =
                scene.instances.iter().flat_map(|i| i.bones.iter().filter_map(|bone| bone.body)).collect();
            let middle = scene.bodies.iter().filter(|b| b.name.ends_with("cross")).count();
            assert!(drawn.len() + middle >= scene.bodies.len(), "{name}: a body is not drawn");
        }
    }

    #[test]
    fn names_are_unique_and_no_option_hides_a_world_parameter() {
        for (i, demo) in DEMOS.iter().enumerate() {
            assert!(DEMOS[..i].iter().all(|d| d.name != demo.name));
            assert!(!demo.summary.is_empty() && !demo.summary.ends_with('.'), "{}", demo.name);
            for option in demo.options {
                assert!(crate::scene::PARAMETERS.iter().all(|p| p.name != option.name), "{}", option.name);
                assert!(!option.doc.is_empty());
            }
        }
    }

    #[test]
    fn nothing_starts_inside_something_else() {
        for (name, scene) in &*SCENES {
            let mut scene = scene.clone();
            if ["dancer", "ragdolls", "puppets", "bath", "cape", "flood"].contains(name) {
                // Limbs of one character touch as its clip has them.
                ignore_own_limbs(&mut scene);
            }
            let start = crate::report::Snapshot::start(&scene);
            let overlap = crate::report::Overlap::new(&scene).worst(&start);
            assert!(overlap < 0.05, "{name} starts with particles {overlap} radii deep");
        }
    }

    fn ignore_own_limbs(scene: &mut Scene) {
        let roots = scene.assemblies();
        for a in 0..roots.len() {
            for b in (a + 1..roots.len()).filter(|b| roots[*b] == roots[a]) {
                scene.ignore(crate::scene::BodyId(a as u32), crate::scene::BodyId(b as u32)).unwrap();
            }
        }
    }
}
