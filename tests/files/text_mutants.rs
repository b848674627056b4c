//! Spoiled texts: scene files, files of changes to a ragdoll, and settings. Each ends in what was asked for or in one sentence that names
//! the file; what is built is finite and steps.
//!
//! `SINEW_MUTANTS=20000` makes so many of each.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::gltf_maker::creature::Creature;
use crate::gltf_maker::mutator::Random;
use sinew::demos::{DEMOS, OptionKind, stage_for};
use sinew::gpu::Context;
use sinew::import::from_bytes;
use sinew::ragdoll::{Overrides, RagdollSettings, build, build_with};
use sinew::scene::{PARAMETERS, Scene};
use sinew::scene_file::{SceneFile, to_ron};
use sinew::solver::Solver;

/// Mutants of each text, unless told otherwise.
const MUTANTS: usize = 500;
/// Longest that any may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Of what was built, one in so many is simulated.
const STEPPED: usize = 40;
/// Particles beyond which it is not: that is asked of memory, not of texts.
const MOST_PARTICLES: usize = 20_000;

/// Items of every kind, small.
const SCENE: &str = r##"(
    params: (gravity: 9.81, wind_x: 1.0, substeps: 4),
    view: (eye: (2.0, 1.5, 3.0), target: (0.0, 0.5, 0.0)),
    items: [
        Ground(),
        Repeat(count: 3, step: (0.3, 0.0, 0.0), items: [
            Body(name: "crate", shape: Box(0.2, 0.2, 0.2), density: 300, position: (0.0, 0.3, 0.0), rotation: (0, 30, 0)),
        ]),
        Body(name: "ball", shape: Sphere(0.1), mass: 2.0, position: (0.0, 1.0, 0.0), velocity: (0.0, 1.0, 0.0)),
        Collider(shape: Capsule(radius: 0.03, length: 0.5), position: (-0.5, 0.3, 0.0), color: "#888888"),
        Sheet(name: "flag", size: (0.4, 0.3), points: (7, 6), position: (0.0, 1.5, 0.0), pin: [Left], color: 3),
    ],
)"##;

/// Numbers and words that nobody should write; none that asks for much and may have it: that is asked of memory and time, not of texts.
const ODD: [&str; 26] = [
    "NaN",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e38",
    "1e-40",
    "4294967295",
    "4294967296",
    "-0.0",
    "18446744073709551616",
    "0.5",
    "true",
    "\"\"",
    "()",
    "[]",
    "None",
    "(1, 2)",
    "Some(3)",
    "-1e9",
    "777",
    "\"\\u{202e}\"",
    "'x'",
    "0x7f",
    "1_000",
    "r#\"raw\"#",
];

/// The text in pieces: words and numbers, strings, single signs, spaces.
fn pieces(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || "_.-#".contains(c) => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut last = 3;
    for c in text.chars() {
        let now = kind(c);
        match found.last_mut() {
            Some(piece) if now == last && now < 2 => piece.push(c),
            _ => found.push(c.to_string()),
        }
        last = now;
    }
    found
}

fn mutant(text: &str, random: &mut Random) -> String {
    let mut all = pieces(text);
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(all.len()), random.below(all.len()));
        let is_number = |piece: &String| piece.parse::<f64>().is_ok();
        match random.below(9) {
            0..=2 => {
                // A number where one was.
                let from = (0..all.len()).map(|k| (at + k) % all.len()).find(|k| is_number(&all[*k]));
                if let Some(place) = from {
                    all[place] = ODD[random.below(ODD.len())].to_owned();
                }
            }
            3 => all[at] = ODD[random.below(ODD.len())].to_owned(),
            4 => all.swap(at, other),
            5 => drop(all.remove(at)),
            6 => {
                let again = all[at..(at + random.below(30)).min(all.len())].to_vec();
                all.splice(other..other, again);
            }
            7 => all[at] = all[at].chars().rev().collect(),
            _ => all.truncate(at.max(1)),
        }
        if all.is_empty() {
            break;
        }
    }
    all.concat()
}

fn count() -> usize {
    std::env::var("SINEW_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(MUTANTS)
}

/// Tries `count` mutants of a text with `take`, which tells what was wrong with one; how many were taken.
fn endure(text: &str, share: usize, mut take: impl FnMut(usize, &str) -> Result<(), String>) -> usize {
    let (mut random, mut taken, mut slowest) = (Random(0x5EED_BEEF), 0, Duration::ZERO);
    let count = count() / share;
    for round in 0..count {
        let spoiled = mutant(text, &mut random);
        let begin = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| take(round, &spoiled))) {
            Ok(Ok(())) => taken += 1,
            Ok(Err(sentence)) => {
                let lines = sentence.lines().count();
                assert!((1..=2).contains(&lines) && (10..900).contains(&sentence.len()), "round {round}: {sentence}");
            }
            Err(_) => panic!("round {round} panicked with\n{spoiled}"),
        }
        let took = begin.elapsed();
        assert!(took < PATIENCE, "round {round} took {took:?} with\n{spoiled}");
        slowest = slowest.max(took);
    }
    println!("{count} mutants, {taken} taken, slowest {slowest:?}");
    taken
}

fn steps(context: &Context, scene: &Scene, what: &str) {
    match Solver::new(context, scene) {
        Ok(mut solver) => {
            (0..2).for_each(|_| solver.step());
            let places = solver.read_positions().unwrap();
            assert!(places.iter().all(|p| p.is_finite()), "not finite:\n{what}");
        }
        Err(error) => assert!(error.to_string().len() > 10, "{error}"),
    }
}

#[test]
fn mutants_of_scene_files() {
    let context = Context::shared().expect("adapter");
    let exact = to_ron(&stage_for("tower", &[]).unwrap(), "tower").unwrap();
    for (text, share) in [(SCENE, 1), (&exact, 4)] {
        let path = Path::new("spoiled.ron");
        assert!(
            SceneFile::parse(path, text.to_owned(), Path::new("")).stage().is_ok(),
            "{:?}",
            SceneFile::parse(path, text.to_owned(), Path::new("")).stage().err()
        );
        let mut built = 0;
        let taken = endure(text, share, |_, spoiled| {
            let stage = SceneFile::parse(path, spoiled.to_owned(), Path::new("")).stage().map_err(|e| {
                let sentence = e.to_string();
                assert!(sentence.contains("spoiled.ron"), "{sentence}");
                sentence
            })?;
            stage.scene.check().unwrap_or_else(|e| panic!("what was built is refused: {e}\n{spoiled}"));
            built += 1;
            if built % STEPPED == 0 && stage.scene.particles.len() < MOST_PARTICLES {
                steps(&context, &stage.scene, spoiled);
            }
            Ok(())
        });
        assert!(taken > 0, "not one was taken");
    }
}

#[test]
fn mutants_of_changes_to_a_ragdoll() {
    let asset = from_bytes(Path::new("rig.glb"), &Creature::human().maker().glb(), None).unwrap();
    let text = build(&asset, &RagdollSettings::default()).unwrap().to_ron(&asset);
    let taken = endure(&text, 1, |_, spoiled| {
        let overrides = Overrides::parse(Path::new("doll.ron"), spoiled.to_owned()).map_err(|e| e.to_string())?;
        let plan = build_with(&asset, &RagdollSettings::default(), &overrides).map_err(|e| e.to_string())?;
        let finite = plan.bodies.iter().all(|b| b.desc.mass.is_finite() && b.desc.position.is_finite());
        assert!(finite, "{spoiled}");
        Ok(())
    });
    assert!(taken > 0, "not one was taken");
}

#[test]
fn odd_settings_of_every_parameter_and_option() {
    let odd: Vec<&str> =
        ODD.into_iter().chain(["", " ", "1e400", "nan", "-nan", "1,2", "=", "\u{0}", "ä", "1e-320"]).collect();
    let set = |key: &str, value: &str| vec![(key.to_owned(), value.to_owned())];
    let (mut taken, mut refused) = (0, 0);
    let mut judge = |key: &str, value: &str, built: Result<Scene, String>| match built {
        Ok(scene) => {
            scene.check().unwrap_or_else(|e| panic!("{key}={value} is taken, and then {e}"));
            taken += 1;
        }
        Err(sentence) => {
            assert!(sentence.contains(key), "{key}={value}: {sentence}");
            refused += 1;
        }
    };
    for parameter in PARAMETERS {
        for value in &odd {
            let built = stage_for("tower", &set(parameter.name, value)).map(|stage| stage.scene);
            judge(parameter.name, value, built.map_err(|e| e.to_string()));
        }
    }
    for demo in DEMOS.iter().filter(|demo| ["tower", "pairs", "joints", "ropes", "honey", "beam"].contains(&demo.name))
    {
        for option in demo.options {
            // What is in range may be much: that is asked of memory, not of texts.
            let is_text = matches!(option.kind, OptionKind::Text { .. });
            for value in
                odd.iter().filter(|v| is_text || v.parse::<f64>().map_or(true, |v| !v.is_finite() || v.abs() >= 1e5))
            {
                let built = stage_for(demo.name, &set(option.name, value)).map(|stage| stage.scene);
                judge(option.name, value, built.map_err(|e| e.to_string()));
            }
        }
    }
    println!("{taken} taken, {refused} refused");
    assert!(taken > 50 && refused > 500, "{taken} taken, {refused} refused");
    for (key, value) in [("", "1"), ("gravity ", "1"), ("gravityy", "1"), ("\u{202e}", "1")] {
        let sentence = stage_for("tower", &set(key, value)).unwrap_err().to_string();
        assert!(sentence.len() > 10 && !sentence.contains('\n'), "{sentence}");
    }
}
