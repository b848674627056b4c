//! Spoiled files of five kinds of models: each ends in a model or in one sentence, on the way to a ragdoll too.
//!
//! `SINEW_MUTANTS=20000` makes so many of each, and ragdolls of ten times as large a part of them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::gltf_maker::Bar;
use crate::gltf_maker::creature::Creature;
use crate::gltf_maker::mutator::{Random, Source};
use sinew::import::{Fault, from_bytes};
use sinew::ragdoll::{RagdollSettings, build};

/// Mutants of each model, unless told otherwise.
const MUTANTS: usize = 600;
/// Longest that any may take.
const PATIENCE: Duration = Duration::from_secs(10);

fn dancer() -> Source {
    Source::new(include_bytes!("../../assets/dancer.glb"))
}

fn bar() -> Source {
    Source::new(&Bar { length: 2.0, width: 0.3, rings: 21, joints: 4 }.skinned().glb())
}

fn creature() -> Source {
    Source::new(&Creature::human().maker().glb())
}

/// Loads the mutants, and makes a ragdoll of every `built`th one.
fn endure(source: &Source, built: usize) {
    let wanted: Option<usize> = std::env::var("SINEW_MUTANTS").ok().and_then(|n| n.parse().ok());
    let count = wanted.unwrap_or(MUTANTS);
    let built = if wanted.is_some() { built.div_ceil(10) } else { built };
    let mut random = Random(0x5EED_CAFE);
    let (mut loaded, mut slowest) = (0, Duration::ZERO);
    for round in 0..count {
        let bytes = source.mutant(&mut random);
        // A busy machine may stop a thread for as long as that; it does not do so three times.
        let mut tries = (0..3).map(|_| {
            let begin = Instant::now();
            let good = try_out(round, &bytes, round % built == 0);
            (begin.elapsed(), good)
        });
        let Some((took, good)) = tries.find(|t| t.0 < PATIENCE) else { panic!("round {round} took {PATIENCE:?}") };
        loaded += usize::from(good);
        slowest = slowest.max(took);
    }
    println!("{count} mutants, {loaded} loaded, slowest {slowest:?}");
    assert!(10 * loaded > count && 10 * loaded < 9 * count, "{loaded} of {count} loaded");
}

/// Loads one, and makes a ragdoll of it if `built`; whether it could be loaded.
fn try_out(round: usize, bytes: &[u8], built: bool) -> bool {
    let sentence = |text: String| {
        assert!(!text.contains('\n') && (10..500).contains(&text.len()), "round {round}: {text}");
    };
    match from_bytes(Path::new("bad.glb"), bytes, None) {
        Ok(asset) => {
            assert!(asset.model.primitives.iter().all(|p| p.positions.iter().all(|v| v.is_finite())));
            match built.then(|| build(&asset, &RagdollSettings::default())) {
                Some(Ok(plan)) => {
                    let finite = plan.bodies.iter().all(|b| b.desc.mass.is_finite() && b.desc.position.is_finite());
                    assert!(finite && !plan.describe().is_empty(), "round {round}");
                }
                Some(Err(error)) => sentence(error.to_string()),
                None => {}
            }
            true
        }
        Err(error) => {
            assert_ne!(error.fault, Fault::Defect, "round {round} panicked inside");
            assert!(error.to_string().starts_with("bad.glb: "));
            sentence(error.to_string());
            false
        }
    }
}

#[test]
fn mutants_of_the_dancer() {
    endure(&dancer(), 50);
}

#[test]
fn mutants_of_a_bar() {
    endure(&bar(), 4);
}

#[test]
fn mutants_of_a_creature() {
    endure(&creature(), 4);
}

#[test]
fn mutants_of_meshopt() {
    endure(&Source::new(include_bytes!("dancer-meshopt.glb")), 50);
}

#[test]
fn mutants_of_draco() {
    endure(&Source::new(include_bytes!("dancer-draco.glb")), 50);
}

/// Small models that `tools/fuzz/run` starts from.
#[test]
#[ignore = "writes files to the folder SINEW_SEEDS"]
fn seeds() {
    let folder = PathBuf::from(std::env::var_os("SINEW_SEEDS").expect("the variable SINEW_SEEDS names a folder"));
    let bar = Bar { length: 1.0, width: 0.3, rings: 3, joints: 2 }.skinned().glb();
    for (name, bytes) in [("bar.glb", bar), ("creature.glb", Creature::human().maker().glb())] {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}
