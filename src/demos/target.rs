//! From the words of a command line to a scene; every error names the closest valid word.

use std::path::Path;

use thiserror::Error;

use super::demo::{Demo, DemoError, Stage};
use super::options::{DemoOption, Options, allowed};
use super::{DEMOS, materials};
use crate::scene::PARAMETERS;
use crate::{files, import};

/// A target or parameter that cannot be used.
#[derive(Debug, Error)]
pub enum TargetError {
    /// Neither a demo nor a model file.
    #[error("there is no demo `{target}`{}; `sinew demos` lists them, and a character is a .glb, .gltf or .vrm file", meant(.near))]
    Unknown {
        /// What was asked for.
        target: String,
        /// Demos with a similar name, best first.
        near: Vec<&'static str>,
    },
    /// A file or a folder, but none that says what to simulate.
    #[error(
        "`{0}` cannot be simulated: give a demo, a character (.glb, .gltf or .vrm), a scene (.ron) or a take (.take.ron)"
    )]
    Other(String),
    /// A `--set` key that neither the demo nor the world has.
    #[error("`{target}` has no parameter `{key}`{}; `sinew demos` lists them", near(.nearest))]
    UnknownKey {
        /// What was asked for.
        target: String,
        /// The key.
        key: String,
        /// A key that is like it, and the values that that one takes.
        nearest: Option<(&'static str, String)>,
    },
    /// A `--set` value out of range: a sentence naming the key and the range.
    #[error("{0}")]
    Value(String),
    /// The demo could not be built.
    #[error(transparent)]
    Demo(#[from] DemoError),
}

fn meant(near: &[&str]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let names: Vec<_> = near.iter().map(|n| format!("`{n}`")).collect();
    format!("; did you mean {}?", names.join(" or "))
}

/// What a demo puts on, or of a character file dropped on the ground, with `sets` applied: demo options and world
/// parameters by name.
///
/// # Errors
/// [`TargetError`]: all but `Demo` are mistakes in what was typed.
pub fn stage_for(target: &str, sets: &[(String, String)]) -> Result<Stage, TargetError> {
    if import::is_model_file(Path::new(target)) {
        let (options, world) = split(target, materials::OPTIONS, sets)?;
        return finish(materials::dropped(Path::new(target), &options)?, &world);
    }
    let demo = DEMOS.iter().find(|d| d.name == target).ok_or_else(|| unknown(target))?;
    let (options, world) = split(demo.name, demo.options, sets)?;
    finish((demo.build)(&options)?, &world)
}

/// What the model file `target` would be as a soft body or cloth, if `sets` say `material=soft` or `cloth`; a line for each
/// property.
///
/// # Errors
/// As [`stage_for`].
pub fn boneless(target: &Path, sets: &[(String, String)]) -> Result<Option<String>, TargetError> {
    let (options, _) = split(&target.display().to_string(), materials::OPTIONS, sets)?;
    Ok(match materials::MATERIALS[options.count("material") as usize] {
        "soft" | "regions" => Some(materials::flesh_file(target, &options)?.describe()),
        "cloth" => Some(materials::cloth_file(target, &options)?.describe()),
        _ => None,
    })
}

fn unknown(target: &str) -> TargetError {
    if files::is_there(Path::new(target)) {
        return TargetError::Other(target.to_owned());
    }
    let score = |d: &Demo| strsim::jaro_winkler(target, d.name);
    let mut near: Vec<&Demo> = DEMOS.iter().filter(|d| score(d) > 0.7).collect();
    near.sort_by(|a, b| score(b).total_cmp(&score(a)));
    TargetError::Unknown { target: target.to_owned(), near: near.iter().take(2).map(|d| d.name).collect() }
}

type World<'a> = Vec<(&'a str, &'a str)>;

/// Sorts `sets` into the options of the demo and the parameters of the world. A demo's own name wins.
fn split<'a>(
    target: &str,
    known: &'static [DemoOption],
    sets: &'a [(String, String)],
) -> Result<(Options, World<'a>), TargetError> {
    let mut options = Options::new(known);
    let mut world = Vec::new();
    for (key, value) in sets {
        if let Some(option) = known.iter().find(|o| o.name == key) {
            options.set(option, value).map_err(TargetError::Value)?;
        } else if PARAMETERS.iter().any(|p| p.name == key) {
            world.push((key.as_str(), value.as_str()));
        } else {
            return Err(unknown_key(target, known, key));
        }
    }
    Ok((options, world))
}

fn unknown_key(target: &str, known: &'static [DemoOption], key: &str) -> TargetError {
    let of_demo = known.iter().map(|o| (o.name, o.allowed()));
    let of_world = PARAMETERS.iter().map(|p| (p.name, allowed(&p.domain)));
    let likeness = |known: &str| strsim::jaro_winkler(&key.to_lowercase(), known);
    let like = of_demo.chain(of_world).filter(|(known, _)| likeness(known) > LIKE);
    let nearest = like.max_by(|a, b| likeness(a.0).total_cmp(&likeness(b.0)));
    TargetError::UnknownKey { target: target.to_owned(), key: key.to_owned(), nearest }
}

/// Names that are less alike are not meant.
const LIKE: f64 = 0.75;

fn near(nearest: &Option<(&'static str, String)>) -> String {
    nearest.as_ref().map_or_else(String::new, |(key, allowed)| format!("; did you mean `{key}` ({allowed})?"))
}

fn finish(mut stage: Stage, world: &World<'_>) -> Result<Stage, TargetError> {
    for (key, value) in world {
        if let Some(result) = stage.scene.params.set(key, value) {
            result.map_err(TargetError::Value)?;
        }
    }
    stage.scene.check().map_err(DemoError::from)?;
    Ok(stage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    fn set(key: &str, value: &str) -> Vec<(String, String)> {
        vec![(key.to_owned(), value.to_owned())]
    }

    fn message(target: &str, key: &str, value: &str) -> String {
        stage_for(target, &set(key, value)).unwrap_err().to_string()
    }

    #[test]
    fn unknown_names_get_the_nearest_right_one() {
        let error = stage_for("towr", &[]).unwrap_err();
        assert!(error.to_string().contains("did you mean `tower`"), "{error}");
        assert!(stage_for("qqqq", &[]).unwrap_err().to_string().contains("`sinew demos`"));
        for other in ["README.md", "assets"] {
            let path = format!("{}/{other}", env!("CARGO_MANIFEST_DIR"));
            let error = stage_for(&path, &[]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{path}` cannot be simulated")), "{error}");
        }
        let error = message("tower", "heigth", "3");
        assert!(error.contains("`height` (a whole number from 1 to 50)"), "{error}");
        let error = message("tower", "substep", "3");
        assert!(error.contains("`substeps` (a whole number from 1 to 64)"), "{error}");
        assert!(message("tower", "SUBSTEPS", "4").contains("`substeps`"));
        assert!(!message("tower", "xyzzy", "4").contains("did you mean"));
    }

    #[test]
    fn values_out_of_range_name_the_range() {
        assert!(message("tower", "height", "0").contains("from 1 to 50"));
        assert!(message("tower", "height", "2.5").contains("whole number"));
        assert!(message("tower", "height", "nan").contains("from 1 to 50"));
        assert!(message("tower", "substeps", "65").contains("from 1 to 64"));
        assert!(message("joints", "kind", "bal").contains("all|ball"));
    }

    #[test]
    fn demo_options_and_world_parameters_both_arrive() {
        let sets = [set("height", "3"), set("substeps", "12"), set("gravity", "-1.5")].concat();
        let scene = stage_for("tower", &sets).unwrap().scene;
        assert_eq!((scene.bodies.len(), scene.params.substeps, scene.params.gravity.y), (3, 12, -1.5));
    }

    #[test]
    fn a_model_is_made_of_what_was_asked_for() {
        let dancer = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/dancer.glb");
        let made = |material: &str| {
            let sets = [set("material", material), set("particles", "600")].concat();
            stage_for(dancer, &sets).unwrap().scene
        };
        let (ragdoll, soft, rigid) = (made("ragdoll"), made("soft"), made("rigid"));
        assert!(ragdoll.bodies.len() > 5 && ragdoll.deformables.len() == 2, "a dancer and what it wears");
        assert_eq!((soft.bodies.len(), soft.deformables.len(), soft.surfaces.len()), (0, 1, 1));
        assert!((soft.particles.len() as f32 / 600.0 - 1.0).abs() < 0.05, "{}", soft.particles.len());
        assert_eq!((rigid.bodies.len(), rigid.joints.len(), rigid.instances.len()), (1, 0, 1));
        let lowest = |scene: &Scene| scene.particles.iter().map(|p| p.position.y - p.radius).fold(f32::MAX, f32::min);
        for scene in [&ragdoll, &soft, &rigid] {
            assert!((lowest(scene) - 1.0).abs() < 0.01, "dropped from 1 m: {}", lowest(scene));
        }
        let clip = [set("material", "soft"), set("clip", "walk")].concat();
        let error = stage_for(dancer, &clip).unwrap_err().to_string();
        assert!(error.contains("`clip` needs `material=ragdoll`"), "{error}");
        assert!(message(dancer, "material", "sof").contains("ragdoll|soft|rigid"));
    }

    #[test]
    fn what_is_of_models_changes_the_dancer_or_is_refused() {
        let changes = std::env::temp_dir().join(format!("sinew-hips-{}.ron", std::process::id()));
        std::fs::write(&changes, r#"(bones: {"hips": Keep(mass: 30)})"#).unwrap();
        let heaviest = |demo: &str, sets: &[(String, String)]| {
            let sets = [sets, &set("count", "1")].concat();
            stage_for(demo, &sets).unwrap().scene.bodies.iter().map(|body| body.mass).fold(0.0, f32::max)
        };
        for demo in ["dancer", "ragdolls"] {
            assert!(heaviest(demo, &[]) < 25.0);
            assert_eq!(heaviest(demo, &set("ragdoll", changes.to_str().unwrap())), 30.0, "{demo}");
            assert!(message(demo, "ragdoll", "nowhere.ron").contains("nowhere.ron"), "{demo}");
            assert!(message(demo, "scale", "2").contains("`scale` is for model files"), "{demo}");
        }
        let figure = [set("model", "figure"), set("ragdoll", "nowhere.ron")].concat();
        assert!(stage_for("ragdolls", &figure).unwrap_err().to_string().contains("`ragdoll` is for model files"));
        assert!(message("drape", "scale", "2").contains("`scale` is for model files"));
        std::fs::remove_file(changes).unwrap();
        let dancer = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/dancer.glb");
        let told = |sets: &[(String, String)]| stage_for(dancer, sets).unwrap().warnings;
        let unused = |warnings: Vec<String>| warnings.iter().any(|told| told.starts_with("`pin` changes nothing"));
        assert!(unused(told(&set("pin", "top"))));
        assert!(!unused(told(&[set("pin", "top"), set("material", "cloth")].concat())));
    }

    #[test]
    fn a_missing_model_is_an_error_that_names_it() {
        let error = stage_for("no/such/knight.glb", &[]).unwrap_err();
        assert!(matches!(error, TargetError::Demo(_)));
        assert!(error.to_string().contains("knight.glb"), "{error}");
    }
}
