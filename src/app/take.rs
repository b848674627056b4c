//! Takes: what a player did to a scene, frame by frame, as a file that replays it bit for bit.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use ron::value::RawValue;
use serde::{Deserialize, Serialize};

use super::camera_path::CameraPath;
use super::deed::Deed;
use crate::animation::LimpAt;
use crate::files;
use crate::scene_file::{FileError, Problem, Settings, Source, is_take, names_file, options, read_text};

/// Raised whenever a deed is added or changes its meaning.
const FORMAT: u32 = 1;
/// As many as the command takes with `--frames`.
const MOST_FRAMES: u32 = 1_000_000;

/// A deed, and how many frames were simulated before it.
pub(crate) type Entry = (u32, Deed);

/// What a player did to a scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Take {
    /// The demo or file that it began with.
    pub(crate) target: String,
    /// Settings that it was built with.
    pub(crate) set: Settings,
    /// When characters went limp.
    pub(crate) limp_at: Vec<LimpAt>,
    /// Parameters of the world at its start, where they were others than those of the target.
    pub(crate) params: Settings,
    /// Frames that were simulated.
    pub(crate) frames: u32,
    /// How it ended.
    pub(crate) end: Option<End>,
    /// How it is to be looked at; empty for as usual.
    pub(crate) path: CameraPath,
    /// What was done, in order.
    pub(crate) deeds: Vec<Entry>,
}

/// The end of a take, to see whether it is the same again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct End {
    /// Hash of all bodies and particles, as `sinew report` prints it.
    pub(crate) state_hash: String,
    /// Name of the adapter on which it was recorded.
    pub(crate) adapter: String,
}

/// A take as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename(deserialize = "a take"))]
struct Document<'a> {
    format: u32,
    target: String,
    #[serde(default, skip_serializing_if = "Settings::is_empty")]
    set: Settings,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    limp_at: Vec<LimpAt>,
    #[serde(default, skip_serializing_if = "Settings::is_empty")]
    params: Settings,
    frames: u32,
    #[serde(default)]
    end: Option<End>,
    #[serde(default, skip_serializing_if = "CameraPath::is_empty")]
    path: CameraPath,
    #[serde(borrow, default)]
    deeds: Vec<&'a RawValue>,
}

impl Take {
    /// Reads a file.
    ///
    /// # Errors
    /// [`FileError`] naming line, column and key.
    pub(crate) fn load(path: &Path) -> Result<Self, FileError> {
        Self::parse(path, &read_text(path)?)
    }

    /// The take of a text; files that it names are looked for from where the program runs, then beside `path`.
    ///
    /// # Errors
    /// As [`Take::load`].
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        let source = Source { file: path, text };
        let document: Document<'_> = source.read(text, "")?;
        let wrong = |part: &str, told: String| source.error(part, Problem::Text(told));
        if document.format != FORMAT {
            let told = format!("the take has format {}, and this program reads {FORMAT}", document.format);
            return Err(wrong(text, told));
        }
        if document.frames > MOST_FRAMES {
            let told = format!("`frames` is {}; it must be at most {MOST_FRAMES}", document.frames);
            return Err(wrong(text, told));
        }
        let mut deeds: Vec<Entry> = Vec::with_capacity(document.deeds.len());
        let mut last = 0;
        for (i, raw) in document.deeds.iter().enumerate() {
            let (frame, mut deed): Entry = source.read(raw.get_ron(), &format!("deeds[{i}]."))?;
            if frame > document.frames {
                let told = format!("a deed at frame {frame} comes after the last of {} frames", document.frames);
                return Err(wrong(raw.get_ron(), told));
            }
            if frame < last {
                return Err(wrong(raw.get_ron(), format!("a deed at frame {frame} is listed after one at {last}")));
            }
            deed.check().map_err(|told| wrong(raw.get_ron(), told))?;
            if let Deed::PutModel { file, .. } = &mut deed {
                *file = found(path, file);
            }
            last = frame;
            deeds.push((frame, deed));
        }
        let Document { target, mut set, limp_at, params, frames, end, path: views, .. } = document;
        views.check().map_err(|told| wrong(text, format!("`path`: {told}")))?;
        if is_take(&target) {
            return Err(wrong(text, "`target` is a take; it must be a demo, a model or a scene".into()));
        }
        let found = |named: &str| found(path, Path::new(named)).to_string_lossy().into_owned();
        set.0.iter_mut().filter(|(key, text)| names_file(key, text)).for_each(|(_, text)| *text = found(text));
        let target = found(&target);
        Ok(Self { target, set, limp_at, params, frames, end, path: views, deeds })
    }

    /// The text of a file.
    ///
    /// # Errors
    /// A text that RON cannot say.
    pub(crate) fn to_ron(&self) -> Result<String> {
        let write = |value: &Deed| options().to_string(value);
        let deeds: Vec<String> = self
            .deeds
            .iter()
            .map(|(frame, deed)| Ok(format!("({frame}, {})", write(deed)?)))
            .collect::<Result<_, ron::Error>>()?;
        let raw: Vec<&RawValue> = deeds.iter().map(|deed| RawValue::from_ron(deed)).collect::<Result<_, _>>()?;
        let Self { target, set, limp_at, params, frames, end, path, .. } = self.clone();
        let document = Document { format: FORMAT, target, set, limp_at, params, frames, end, path, deeds: raw };
        let style = ron::ser::PrettyConfig::new()
            .depth_limit(2)
            .indentor("  ")
            .escape_strings(false)
            .extensions(ron::extensions::Extensions::IMPLICIT_SOME);
        let text = options().to_string_pretty(&document, style)?;
        Ok(format!("// What was done to {}: `sinew render` and `sinew report` replay it.\n{text}\n", self.target))
    }

    /// Writes a file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let text = self.to_ron()?;
        files::write(path, text)
            .map_err(|error| anyhow!(error))
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// A file that is named in a take: as it is from where the program runs, or else beside the take.
fn found(take: &Path, named: &Path) -> PathBuf {
    let last = named.file_name().map_or(take.to_owned(), |name| take.with_file_name(name));
    let places = [named.to_owned(), take.with_file_name(named), last];
    let there = places.into_iter().find(|place| named.extension().is_some() && place.is_file());
    there.unwrap_or_else(|| named.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of a take with this in place of its deeds.
    fn told(text: &str) -> String {
        Take::parse(Path::new("out/x.take.ron"), text).unwrap_err().to_string()
    }

    #[test]
    fn a_take_has_no_more_frames_than_can_be_asked_for() {
        let told = told("(format: 1, target: \"tower\", frames: 4294967295, deeds: [])");
        assert!(told.contains("`frames` is 4294967295") && told.contains("1000000"), "{told}");
    }

    #[test]
    fn what_is_wrong_is_told_with_line_and_key() {
        let take = |deeds: &str| {
            format!("(\n  format: 1,\n  target: \"tower\",\n  frames: 9,\n  deeds: [\n    {deeds}\n  ],\n)")
        };
        assert!(Take::parse(Path::new("x.take.ron"), &take("(3, Unpin), (9, Clip(0)),")).is_ok());
        for (deeds, words) in [
            ("(3, Unpinn),", &["x.take.ron:6:", "deeds[0]", "`Unpin`"][..]),
            ("(3, Unpin),\n    (2, Unpin),", &[":7:5", "frame 2", "after one at 3"]),
            ("(10, Unpin),", &[":6:5", "frame 10 comes after the last of 9 frames"]),
            ("(1, Pull(ray: (origin: (0, 1, 0), direction: (0, 0, 0)), through: false)),", &[":6:5", "length 1"]),
            ("(1, Pull(ray: (origin: (0, 1, 0), direction: (0, 0, 1)), thru: false)),", &["`thru`", "`through`"]),
            (
                "(1, Throw(ray: (origin: (0, 1, 0), direction: (0, 0, 1)), ball: (speed: 1, radius: NaN, density: 1))),",
                &["`radius`", "above 0"],
            ),
        ] {
            let error = told(&take(deeds));
            assert!(words.iter().all(|word| error.contains(word)), "{deeds}: {error}");
        }
        assert!(told("(format: 2, target: \"tower\", frames: 1, deeds: [])").contains("reads 1"));
        assert!(told("(format: 1, target: \"a.take.ron\", frames: 1, deeds: [])").contains("is a take"));
        assert!(told("(format: 1, frames: 1, deeds: [])").contains("`target`"));
    }

    #[test]
    fn the_guide_has_every_deed_as_it_is_written() {
        let page = include_str!("../guide/takes.md");
        let (_, table) = page.split_once("| deed |").unwrap();
        let (table, _) = table.split_once("\n\n").unwrap();
        let first = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        let forms: Vec<&str> = first.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
        for form in &forms {
            let deed = form.replace("RAY", "(origin: (0, 0.6, 3), direction: (0, 0, -1))");
            let text = format!("(format: 1, target: \"tower\", frames: 9, deeds: [(3, {deed})])");
            let read = Take::parse(Path::new("x.take.ron"), &text);
            read.unwrap_or_else(|error| panic!("{form}: {error}"));
        }
        let is_there = |kind: &str| forms.iter().any(|form| form.split('(').next() == Some(kind));
        match options().from_str::<Deed>("Nothing").unwrap_err().code {
            ron::Error::NoSuchEnumVariant { expected, .. } => {
                assert!(expected.iter().all(|kind| is_there(kind)), "{expected:?}: {forms:?}");
            }
            other => panic!("{other}"),
        }
    }

    #[test]
    fn a_take_may_have_no_deeds_and_what_it_lacks_is_told_in_words() {
        let take = Take::parse(Path::new("x.take.ron"), "(format: 1, target: \"tower\", frames: 9)").unwrap();
        assert!(take.deeds.is_empty());
        assert!(told("(format: 1, target: \"tower\")").contains("the key `frames` of a take is missing"));
    }

    #[test]
    fn files_that_settings_name_are_found_beside_the_take() {
        let folder = std::env::temp_dir().join(format!("sinew-beside-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let beside = |name: &str| folder.join(name).to_string_lossy().into_owned();
        ["k.glb", "k.ron"].iter().for_each(|name| std::fs::write(beside(name), "").unwrap());
        let text = "(format: 1, target: \"ragdolls\", set: (model: \"k.glb\", ragdoll: \"far/k.ron\", clip: \"k.glb\"), frames: 1, deeds: [])";
        let take = Take::parse(&folder.join("x.take.ron"), text).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let found = [("model", beside("k.glb")), ("ragdoll", beside("k.ron")), ("clip", "k.glb".to_owned())];
        assert_eq!(take.set.0, found.map(|(key, text)| (key.to_owned(), text)));
    }

    #[test]
    fn spoiled_takes_are_read_or_told() {
        let whole = "(format: 1, target: \"tower\", set: (height: 2), frames: 9, path: (keys: [(time: 0, eye: (2, 1, 3), target: (0, 1, 0))]), deeds: [(3, Unpin), (4, Drive(0.5)), (5, Hold(ray: (origin: (0, 1, 0), direction: (0, 0, 1)), seconds: 0.1)), (9, Params((gravity: -2)))])";
        assert!(Take::parse(Path::new("x.take.ron"), whole).is_ok());
        let mut random = crate::spawn::Random::new(3);
        let letters: Vec<char> = "()[]{}\"',:.-0123456789eEnNaA\u{fffd}".chars().collect();
        let (mut read, mut told) = (0, 0);
        for _ in 0..3000 {
            let mut text: Vec<char> = whole.chars().collect();
            for _ in 0..1 + random.between(0.0, 3.0) as usize {
                let at = random.between(0.0, text.len() as f32 - 1.0) as usize;
                match random.between(0.0, 3.0) as u32 {
                    0 => drop(text.remove(at)),
                    1 => text[at] = letters[random.between(0.0, letters.len() as f32 - 0.01) as usize],
                    _ => text.insert(at, letters[random.between(0.0, letters.len() as f32 - 0.01) as usize]),
                }
            }
            let text: String = text.into_iter().collect();
            match Take::parse(Path::new("x.take.ron"), &text) {
                Ok(take) => {
                    read += 1;
                    assert!(take.deeds.iter().all(|(frame, deed)| *frame <= take.frames && deed.check().is_ok()));
                }
                Err(error) => {
                    told += 1;
                    assert!(error.to_string().starts_with("x.take.ron"), "{error}");
                }
            }
        }
        assert!(read > 50 && told > 500, "{read} read, {told} told");
    }
}
