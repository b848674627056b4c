//! The command line of `sinew`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use glam::Vec3;

use crate::animation::LimpAt;
use crate::app::launch::Level;
use crate::demos::{DEMOS, Demo};
use crate::gpu::Limits;
use crate::scene::View;

/// A GPU physics runtime in which everything is particles.
///
/// `sinew TARGET` opens a window. TARGET is a demo (`sinew demos` lists them), a character (a .glb, .gltf or .vrm file), a scene
/// file (.ron) or a take (.take.ron), which replays what somebody did to a scene.
#[derive(Debug, Parser)]
#[command(name = "sinew", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to open in a window: a demo, a model.glb/.gltf/.vrm, a scene.ron or a NAME.take.ron [default: dancer]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Use the graphics adapter whose name contains NAME, or whose backend is NAME: vulkan, gl, metal or dx12
    /// [environment: SINEW_ADAPTER]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
    /// Request everything the adapter offers, or only what every browser grants
    #[arg(long, global = true, value_enum)]
    pub(crate) limits: Option<LimitsArg>,
    /// Rendering quality of the window [default: as it was left; at first auto]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) quality: Option<Level>,
    #[command(subcommand)]
    pub(crate) action: Option<Action>,
}

/// What to request from the adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LimitsArg {
    /// The adapter's own limits on buffers and textures
    Adapter,
    /// The defaults of WebGPU: 8 storage buffers, 16 KB of workgroup memory, 256 threads, 128 MB bound at once
    #[value(name = "webgpu")]
    WebGpu,
}

impl From<LimitsArg> for Limits {
    fn from(arg: LimitsArg) -> Self {
        match arg {
            LimitsArg::Adapter => Self::Adapter,
            LimitsArg::WebGpu => Self::WebGpu,
        }
    }
}

/// What to do instead of opening a window.
#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Render to a picture or a film, without a window
    Render(RenderArgs),
    /// Simulate and print measurements; exit code 1 if the state is unhealthy
    Report(ReportArgs),
    /// Print our times beside published ones
    Bench(BenchArgs),
    /// Print what would be built from a character: bodies, joints, limits, masses, warnings
    Inspect(InspectArgs),
    /// Write a demo, a falling model or a scene as a scene file with all its particles, or as an animated .glb
    Export(ExportArgs),
    /// List the demos with their --set parameters
    Demos,
    /// List the graphics adapters
    Adapters,
}

/// Parameters of the world and of the demo.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Set a parameter of the world or of the demo; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub(crate) sets: Vec<(String, String)>,
    /// Let characters play their clip and go limp after FRAME frames, or only the limb at JOINT; may be repeated
    #[arg(long, value_name = "FRAME[:JOINT]", value_parser = limp_at, allow_negative_numbers = true)]
    pub(crate) limp_at: Vec<LimpAt>,
    #[command(flatten)]
    pub(crate) character: CharacterArgs,
}

/// How a model file becomes a character.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CharacterArgs {
    /// Apply the changes in FILE.ron to the ragdoll of a model; `sinew inspect --write` makes such a file
    #[arg(long, value_name = "FILE.ron")]
    pub(crate) ragdoll: Option<String>,
    /// Meters per unit of a model file [default: by its size]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) scale: Option<f32>,
}

impl Settings {
    /// All of them as keys and values: the options of a character are parameters of its scene.
    pub(crate) fn all(&self) -> Vec<(String, String)> {
        let CharacterArgs { ragdoll, scale } = &self.character;
        let extra = [("ragdoll", ragdoll.clone()), ("scale", scale.map(|s| s.to_string()))];
        let extra = extra.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        self.sets.iter().cloned().chain(extra).collect()
    }

    /// Refuses options that say what a parameter says, too, or that a target has no use for.
    ///
    /// # Errors
    /// The option by its name.
    pub(super) fn check(&self, target: &str) -> anyhow::Result<()> {
        self.character.check(target, &self.sets)
    }

    /// Warns of what is to happen after the last of so many frames.
    pub(super) fn tell_late(&self, frames: u32) {
        for LimpAt { frame, .. } in self.limp_at.iter().filter(|when| when.frame >= frames) {
            log::warn!(
                "--limp-at {frame}: nothing goes limp, as there are only {frames} frames; use a larger --frames"
            );
        }
    }
}

impl CharacterArgs {
    /// As [`Settings::check`], with these parameters beside them.
    ///
    /// # Errors
    /// The option by its name.
    pub(super) fn check(&self, target: &str, sets: &[(String, String)]) -> anyhow::Result<()> {
        let given = [("ragdoll", self.ragdoll.is_some()), ("scale", self.scale.is_some())];
        let demo = DEMOS.iter().find(|demo| demo.name == target);
        for (name, _) in given.into_iter().filter(|(_, given)| *given) {
            if sets.iter().any(|(key, _)| key == name) {
                anyhow::bail!("--{name} and --set {name} mean the same; give only one of them");
            }
            // A demo may call something else so.
            let has = |demo: &Demo, name: &str| demo.options.iter().any(|option| option.name == name);
            if demo.is_some_and(|demo| !has(demo, name) || !has(demo, "model")) {
                anyhow::bail!("--{name} is for model files, and `{target}` is a demo, which has no such parameter");
            }
        }
        Ok(())
    }
}

/// Arguments of `sinew inspect`.
#[derive(Args, Debug)]
pub(crate) struct InspectArgs {
    /// A .glb, .gltf or .vrm file
    pub(crate) model: PathBuf,
    /// Write what was built to FILE.ron, to edit and pass back with --ragdoll
    #[arg(long, value_name = "FILE.ron")]
    pub(crate) write: Option<PathBuf>,
    /// Set a parameter of the build, for example material=soft; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub(crate) sets: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) character: CharacterArgs,
}

/// Arguments of `sinew export`.
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// A demo, a model.glb/.gltf/.vrm, a scene.ron, or for a .glb a NAME.take.ron
    pub(crate) target: String,
    /// The scene file to write, or the glTF file of its animation
    #[arg(short, long, value_name = "FILE.ron|FILE.glb")]
    pub(crate) out: PathBuf,
    /// Frames to simulate for a .glb; a take has its own count
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) frames: Option<u32>,
    /// Frames per second kept in a .glb [default: 30]
    #[arg(long, value_name = "RATE", value_parser = rate, allow_negative_numbers = true)]
    pub(crate) fps: Option<f32>,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Arguments of `sinew render`.
#[derive(Args, Debug)]
pub(crate) struct RenderArgs {
    /// A demo, a model.glb/.gltf/.vrm, a scene.ron or a NAME.take.ron
    pub(crate) target: String,
    /// Frames to simulate; a take has its own count
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) frames: Option<u32>,
    /// Frames to leave out at the start of a film
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) from: u32,
    /// X.png (the last frame), X.mp4, X.gif, or a folder DIR/ of numbered PNGs
    #[arg(short, long, value_name = "PATH")]
    pub(crate) out: PathBuf,
    /// Size in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub(crate) size: (u32, u32),
    /// Rendering quality
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Level::High)]
    pub(crate) quality: Level,
    /// Camera position and the point it looks at [m]
    #[arg(long, value_name = "X,Y,Z,AT_X,AT_Y,AT_Z", value_parser = view, allow_hyphen_values = true)]
    pub(crate) camera: Option<View>,
    /// Move the camera along the path in a file (see the guide) [default: that of a take, unless --camera is given]
    #[arg(long, value_name = "FILE.ron", conflicts_with = "camera")]
    pub(crate) camera_path: Option<PathBuf>,
    /// Orbit the camera around its target at this speed [degrees/s]
    #[arg(long, value_name = "DEGREES", value_parser = turning, allow_negative_numbers = true, conflicts_with = "camera_path")]
    pub(crate) orbit: Option<f32>,
    /// What to draw, separated by commas: surfaces, particles, joints, strain, colors (of constraints), contacts (their
    /// normals); or particles colored by speed, rest, touching (number of contacts) or cells (of the hash grid)
    #[arg(long, value_name = "LIST", default_value = "surfaces", value_delimiter = ',',
          value_parser = ["surfaces", "particles", "joints", "strain", "colors", "contacts", "speed", "rest", "touching", "cells"])]
    pub(crate) show: Vec<String>,
    /// Lens diameter [m]: what is nearer or farther than the focus is blurred; each picture is drawn 32 times
    #[arg(long, value_name = "METERS", value_parser = length, allow_hyphen_values = true)]
    pub(crate) aperture: Option<f32>,
    /// Distance in focus [m], with --aperture [default: that of the camera's target]
    #[arg(long, value_name = "METERS", value_parser = length, requires = "aperture", allow_hyphen_values = true)]
    pub(crate) focus: Option<f32>,
    /// Print how long a picture took to draw, on standard error
    #[arg(long)]
    pub(crate) times: bool,
    /// Caption to draw into the pictures
    #[arg(long, value_name = "TEXT")]
    pub(crate) caption: Option<String>,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Arguments of `sinew report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// A demo, a model.glb/.gltf/.vrm, a scene.ron or a NAME.take.ron
    pub(crate) target: String,
    /// Frames to simulate; a take has its own count
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) frames: Option<u32>,
    /// Write the measurements as JSON to FILE, or to standard output for -
    #[arg(long, value_name = "FILE|-")]
    pub(crate) json: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Arguments of `sinew bench`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_precedence_over_arg = true)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub(crate) action: Option<BenchAction>,
    /// Tables to make [default: a short set]
    pub(crate) names: Vec<String>,
    /// Most particles in the tables scale-* [default: a million, or a tenth of that on software adapters]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub(crate) most: Option<u32>,
    /// Frames to simulate of each scene [default: depends on the scene and the adapter]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) frames: Option<u32>,
    /// Write the tables as JSON to FILE, to a file named by the adapter in a folder DIR/, or to standard output for -
    #[arg(long, value_name = "FILE|DIR/|-")]
    pub(crate) json: Option<PathBuf>,
    /// Plot error against time, sizes of colors, and cost by size
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

/// What the bench does instead of making tables.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchAction {
    /// Run one scene with different settings, or in another `sinew` program, in turn; compare times and quality
    Ab(AbArgs),
}

/// Arguments of `sinew bench ab`.
#[derive(Args, Debug)]
pub(crate) struct AbArgs {
    /// A demo, a model.glb/.gltf/.vrm or a scene.ron
    pub(crate) target: String,
    /// Settings of one side, separated by spaces; empty for the scene as it is; give it at least twice
    #[arg(long = "side", value_name = "\"KEY=VALUE ...\"", value_parser = side, allow_hyphen_values = true)]
    pub(crate) sides: Vec<Sets>,
    /// Another `sinew` program to compare with, run in turn with this one; each runs its `report` from the start
    #[arg(long, value_name = "PATH")]
    pub(crate) against: Option<PathBuf>,
    /// Timed frames of each side
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) frames: u32,
    /// Untimed frames before those [default: until the scene lands on what it falls on]
    #[arg(long, value_name = "FRAME", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub(crate) start: Option<u32>,
    /// Write the comparison as JSON to FILE, or to standard output for -
    #[arg(long, value_name = "FILE|-")]
    pub(crate) json: Option<PathBuf>,
    /// Plot the times block by block, and the longest passes
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Settings of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sets(pub(crate) Vec<(String, String)>);

fn side(text: &str) -> Result<Sets, String> {
    text.split_whitespace().map(key_value).collect::<Result<_, _>>().map(Sets)
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write it as key=value, for example substeps=8".into()),
    }
}

fn limp_at(text: &str) -> Result<LimpAt, String> {
    text.parse().map_err(|why| format!("{why}; FRAME is a whole number from 0"))
}

fn rate(text: &str) -> Result<f32, String> {
    let number = text.trim().parse::<f32>().ok().filter(|rate| (1.0..=1000.0).contains(rate));
    number.ok_or_else(|| "give a number from 1 to 1000 frames per second".into())
}

fn turning(text: &str) -> Result<f32, String> {
    let number = text.trim().parse::<f32>().ok().filter(|speed| (-3600.0..=3600.0).contains(speed));
    number.ok_or_else(|| "give a number from -3600 to 3600 degrees per second".into())
}

/// Frames to simulate: as many as were asked for, or as a take has.
///
/// # Errors
/// Nobody has said how many.
pub(super) fn frame_count(asked: Option<u32>, take: Option<u32>) -> anyhow::Result<u32> {
    match asked.or(take) {
        Some(0) => anyhow::bail!("the take has no frames; set a number with --frames"),
        Some(frames) => Ok(frames),
        None => anyhow::bail!("--frames N is missing: the number of frames to simulate; only a take has its own"),
    }
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |t: &str| t.trim().parse::<u32>().ok().filter(|n| (16..=8192).contains(n));
    text.split_once(['x', 'X'])
        .and_then(|(w, h)| Some((side(w)?, side(h)?)))
        .ok_or_else(|| "write it as 1280x720, each side from 16 to 8192 pixels".into())
}

fn length(text: &str) -> Result<f32, String> {
    let length = text.trim().parse().ok().filter(|length: &f32| length.is_finite() && *length > 0.0);
    length.ok_or_else(|| "give meters above 0, for example 0.05".into())
}

fn view(text: &str) -> Result<View, String> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f32| number.is_finite());
    let numbers: Option<Vec<f32>> = text.split(',').map(number).collect();
    let view = |n: [f32; 6]| View { eye: Vec3::new(n[0], n[1], n[2]), target: Vec3::new(n[3], n[4], n[5]) };
    numbers
        .and_then(|numbers| <[f32; 6]>::try_from(numbers).ok())
        .map(view)
        .filter(|v| v.eye.distance(v.target) > 1e-3)
        .ok_or_else(|| "write six numbers, the eye and another point to look at, for example 3,2,5,0,1,0".into())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn bare_targets_and_commands_live_together() {
        let cli = Cli::try_parse_from(["sinew", "tower", "--set", "height=10"]).unwrap();
        assert_eq!(cli.target.as_deref(), Some("tower"));
        assert_eq!(cli.settings.sets, [("height".to_owned(), "10".to_owned())]);
        let cli =
            Cli::try_parse_from(["sinew", "--adapter", "llvm", "render", "pile", "--frames", "3", "--out", "a.png"]);
        assert!(matches!(cli.unwrap().action, Some(Action::Render(_))));
        let cli = Cli::try_parse_from(["sinew", "report", "pile", "--frames", "3", "--adapter", "x"]).unwrap();
        assert_eq!(cli.adapter.as_deref(), Some("x"));
        assert!(Cli::try_parse_from(["sinew"]).unwrap().target.is_none());
    }

    #[test]
    fn pictures_are_of_high_quality_and_windows_as_suits_unless_told() {
        let parse = |words: &str| Cli::try_parse_from(words.split(' '));
        let of_picture = |words: &str| match parse(words).unwrap().action {
            Some(Action::Render(args)) => args.quality,
            other => panic!("{other:?}"),
        };
        assert_eq!(of_picture("sinew render pile --frames 3 --out a.png"), Level::High);
        assert_eq!(of_picture("sinew render pile --frames 3 --out a.png --quality auto"), Level::Auto);
        assert_eq!(parse("sinew pile").unwrap().quality.unwrap_or_default(), Level::Auto);
        assert_eq!(parse("sinew pile --quality low").unwrap().quality, Some(Level::Low));
        let refused = parse("sinew pile --quality best").unwrap_err().to_string();
        assert!(["best", "auto", "low", "high"].iter().all(|word| refused.contains(word)), "{refused}");
    }

    #[test]
    fn sizes_views_and_settings() {
        assert_eq!(size("640x360"), Ok((640, 360)));
        for bad in ["640", "0x10", "9000x100", "640x-1", "x"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        assert_eq!(view("1,2,3,0,-1,0").unwrap().target, Vec3::NEG_Y);
        let extra = ["3,2,5,x,0,1,0", "3,2,5,,0,1,0", "3,2m,5,0,1,0,9", "1,2,3,0,-1,0,"];
        for bad in ["1,2,3", "1,2,3,1,2,3", "a,b,c,d,e,f", "1,2,3,4,5,inf"].into_iter().chain(extra) {
            assert!(view(bad).is_err(), "{bad}");
        }
        assert_eq!(length("0.25"), Ok(0.25));
        assert!(["0", "-1", "nan", "inf", "wide"].iter().all(|bad| length(bad).is_err()));
        assert!(key_value("substeps").is_err() && key_value("=3").is_err());
    }
}
