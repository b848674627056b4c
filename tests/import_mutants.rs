//! Spoiled files of three kinds of models: each ends in a model or in one sentence, on the way to a ragdoll too.
//!
//! `SINEW_MUTANTS=20000` sets how many are made of each.

mod gltf_maker;

use std::path::Path;
use std::time::{Duration, Instant};

use gltf_maker::Bar;
use gltf_maker::creature::Creature;
use gltf_maker::mutator::{Random, Source};
use sinew::import::{Fault, from_bytes};
use sinew::ragdoll::{RagdollSettings, build};

/// Mutants of each model, unless told otherwise.
const MUTANTS: usize = 600;
/// Longest that any may take.
const PATIENCE: Duration = Duration::from_secs(10);

fn dancer() -> Source {
    Source::new(include_bytes!("../assets/dancer.glb"))
}

fn bar() -> Source {
    Source::new(&Bar { length: 2.0, width: 0.3, rings: 21, joints: 4 }.skinned().glb())
}

fn creature() -> Source {
    Source::new(&Creature::human().maker().glb())
}

/// Loads the mutants, and makes a ragdoll of every `built`th one that loads.
fn endure(source: &Source, built: usize) {
    let count = std::env::var("SINEW_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(MUTANTS);
    let mut random = Random(0x5EED_CAFE);
    let (mut loaded, mut refused, mut slowest) = (0, 0, Duration::ZERO);
    for round in 0..count {
        let bytes = source.mutant(&mut random);
        let begin = Instant::now();
        let sentence = match from_bytes(Path::new("bad.glb"), &bytes, None) {
            Ok(asset) => {
                loaded += 1;
                assert!(asset.model.primitives.iter().all(|p| p.positions.iter().all(|v| v.is_finite())));
                let plan = (loaded % built == 0).then(|| build(&asset, &RagdollSettings::default()));
                match plan {
                    Some(Ok(plan)) => {
                        let finite = plan.bodies.iter().all(|b| b.desc.mass.is_finite() && b.desc.position.is_finite());
                        assert!(finite && !plan.describe().is_empty(), "round {round}");
                        None
                    }
                    Some(Err(error)) => Some(error.to_string()),
                    None => None,
                }
            }
            Err(error) => {
                refused += 1;
                assert_ne!(error.fault, Fault::Defect, "round {round} panicked inside");
                assert!(error.to_string().starts_with("bad.glb: "));
                Some(error.to_string())
            }
        };
        if let Some(text) = sentence {
            assert!(!text.contains('\n') && (10..500).contains(&text.len()), "round {round}: {text}");
        }
        slowest = slowest.max(begin.elapsed());
        assert!(begin.elapsed() < PATIENCE, "round {round} took {:?}", begin.elapsed());
    }
    println!("{count} mutants: {loaded} loaded, {refused} refused, slowest {slowest:?}");
    assert!(10 * loaded > count && 10 * refused > count, "{loaded} loaded, {refused} refused");
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
