//! A scene file: its text, and the stage that it describes.

use std::path::{Path, PathBuf};

use ron::value::RawValue;
use serde::Deserialize;

use super::build::Builder;
use super::error::{self, FileError, Problem, Source};
use super::exact::{Exact, Fault};
use super::value::{self, Settings};
use crate::demos::{self, Stage, TargetError};
use crate::files;
use crate::scene::{Scene, SceneError, View};

/// Most bytes of a scene file.
const MOST_BYTES: u64 = 1 << 31;

/// Most scene files that are based on one another.
const MOST_DEEP: u32 = 8;

/// The text of a scene, and the folder in which the files that it names are looked for.
#[derive(Clone, Debug)]
pub struct SceneFile {
    path: PathBuf,
    folder: PathBuf,
    text: String,
}

/// A scene file as it is written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename = "a scene file")]
struct Document<'a> {
    #[serde(borrow)]
    base: Option<&'a RawValue>,
    #[serde(borrow)]
    exact: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    view: Option<&'a RawValue>,
    #[serde(borrow)]
    items: Vec<&'a RawValue>,
}

/// The demo, model or scene file that a scene begins with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Base {
    target: String,
    #[serde(default)]
    set: Settings,
}

impl SceneFile {
    /// Reads a file; what it names is looked for in its folder.
    ///
    /// # Errors
    /// [`FileError`] for a file that is missing, larger than 2 GiB, or no text.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let text = read_text(path)?;
        let folder = path.parent().map_or(PathBuf::new(), Path::to_owned);
        Ok(Self { path: path.to_owned(), folder, text })
    }

    /// The text of a file that is only named in messages; files that it names are looked for in `folder`.
    pub fn parse(path: &Path, text: String, folder: &Path) -> Self {
        Self { path: path.to_owned(), folder: folder.to_owned(), text }
    }

    /// Builds what the file says: the scene, and who performs in it.
    ///
    /// # Errors
    /// [`FileError`] naming line, column and field or item, and the nearest right word.
    pub fn stage(&self) -> Result<Stage, FileError> {
        self.stage_with(&[])
    }

    /// Builds it with these settings of what it is based on and of the world, as `--set` takes them.
    ///
    /// # Errors
    /// As [`SceneFile::stage`]; for a setting that does not exist or is out of range without a line.
    pub fn stage_with(&self, sets: &[(String, String)]) -> Result<Stage, FileError> {
        self.build(sets, 0)
    }

    /// What a file is that is no scene, where its name tells; `error` otherwise.
    fn known(&self, error: FileError) -> FileError {
        let name = self.path.display().to_string();
        let text = if is_camera_path(&name) {
            "it is a camera path: `sinew render TARGET --camera-path` goes along it, and the window takes it when it is dropped there"
        } else if name.to_ascii_lowercase().ends_with(".ragdoll.ron") {
            "it holds changes to the ragdoll of a model: open the model, with `--ragdoll` and this file"
        } else {
            return error;
        };
        FileError { line: 0, column: 0, problem: Problem::Text(text.to_owned()), ..error }
    }

    /// As [`SceneFile::stage_with`], `depth` files deep.
    fn build(&self, sets: &[(String, String)], depth: u32) -> Result<Stage, FileError> {
        let source = Source { file: &self.path, text: &self.text };
        let document: Document<'_> = source.read(&self.text, "").map_err(|error| self.known(error))?;
        let (of_world, of_base) = value::of_world(sets);
        let mut stage = self.start(&source, &document, of_base, depth)?;
        if let Some(params) = document.params {
            let settings: Settings = source.read(params.get_ron(), "params.")?;
            let set = settings.apply(&mut stage.scene.params);
            set.map_err(|text| source.error(params.get_ron(), Problem::Text(text)))?;
        }
        if let Some(view) = document.view {
            stage.scene.view = source.read::<View>(view.get_ron(), "view.")?;
            let checked = stage.scene.view.check().map_err(told);
            checked.map_err(|problem| source.error(view.get_ron(), problem))?;
        }
        for (key, text) in &of_world {
            if let Some(Err(text)) = stage.scene.params.set(key, text) {
                return Err(FileError { file: self.path.clone(), line: 0, column: 0, problem: Problem::Text(text) });
            }
        }
        let mut builder = Builder::new(source, &self.folder, stage);
        builder.add_all(&document.items, "items")?;
        let stage = builder.finish();
        stage.scene.validate().map_err(|error| source.error(&self.text, told(error)))?;
        Ok(stage)
    }

    /// What the items are added to.
    fn start(
        &self,
        source: &Source<'_>,
        document: &Document<'_>,
        sets: Vec<(String, String)>,
        depth: u32,
    ) -> Result<Stage, FileError> {
        match (document.base, document.exact) {
            (None, None) if sets.is_empty() => Ok(Stage::default()),
            (None, exact) if !sets.is_empty() || exact.is_none() => {
                let (key, known) = (&sets[0].0, value::world_keys());
                let problem = Problem::Text(error::unknown("parameter", key, &known));
                Err(FileError { file: self.path.clone(), line: 0, column: 0, problem })
            }
            (Some(base), Some(_)) => {
                let text = "a scene has a `base` or is `exact`, not both".to_owned();
                Err(source.error(base.get_ron(), Problem::Text(text)))
            }
            (Some(raw), None) => {
                let base: Base = source.read(raw.get_ron(), "base.")?;
                let sets_any = !base.set.is_empty();
                let mut all: Vec<_> = base.set.0.into_iter().map(|set| self.named(set)).collect();
                all.extend(sets);
                self.based_on(&base.target, &all, depth).map_err(|fault| match fault {
                    BaseFault::Target(error) => source.error(raw.get_ron(), Problem::Base(error)),
                    BaseFault::Told(text) => source.error(raw.get_ron(), Problem::Text(text)),
                    // What is set here is wrong in no line there.
                    BaseFault::File(error) if error.line == 0 && sets_any => {
                        source.error(raw.get_ron(), Problem::Text(error.to_string()))
                    }
                    BaseFault::File(error) => error,
                })
            }
            (None, exact) => {
                let raw = exact.map_or("", RawValue::get_ron);
                let exact: Exact<'_> = source.read(raw, "exact.")?;
                exact.stage().map_err(|fault| {
                    let problem = match fault {
                        Fault::Build(error) => Problem::Item { item: "`exact`".into(), error },
                        Fault::Told(text) => Problem::Text(text),
                    };
                    source.error(raw, problem)
                })
            }
        }
    }
}

impl Scene {
    /// The scene of a text in the form of a scene file; files that it names are looked for in `folder`. Who performs in it is
    /// left out; [`SceneFile::stage`] has them.
    ///
    /// # Errors
    /// [`FileError`] naming line, column and field or item, and the nearest right word.
    pub fn from_ron(text: &str, folder: &Path) -> Result<Self, FileError> {
        SceneFile::parse(Path::new("scene.ron"), text.to_owned(), folder).stage().map(|stage| stage.scene)
    }
}

/// Whether a target is a scene file, by its ending.
pub fn is_scene_file(target: &str) -> bool {
    Path::new(target).extension().is_some_and(|end| end.eq_ignore_ascii_case("ron")) && !is_take(target)
}

/// Whether a target is a take, what somebody did to a scene, by its ending.
pub(crate) fn is_take(target: &str) -> bool {
    target.to_ascii_lowercase().ends_with(".take.ron")
}

/// Whether a file is a camera path, by its ending.
pub(crate) fn is_camera_path(file: &str) -> bool {
    file.to_ascii_lowercase().ends_with(".path.ron")
}

/// The text of a file.
///
/// # Errors
/// [`FileError`] for a file that is missing, larger than 2 GiB, or no text.
pub(crate) fn read_text(path: &Path) -> Result<String, FileError> {
    let error =
        |reason: String| FileError { file: path.to_owned(), line: 0, column: 0, problem: Problem::Text(reason) };
    let unreadable = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::NotFound => error("there is no such file".into()),
        _ => error(format!("cannot be read: {e}")),
    };
    let size = files::size(path).map_err(unreadable)?;
    if size > MOST_BYTES {
        return Err(error(format!("has {size} bytes; at most {MOST_BYTES} are read")));
    }
    files::read_text(path).map_err(unreadable)
}

/// Whether a setting of a demo names a file.
pub(crate) fn names_file(key: &str, text: &str) -> bool {
    ["model", "ragdoll"].contains(&key) && text.contains('.')
}

/// Why a scene cannot be based on something.
pub(super) enum BaseFault {
    Target(Box<TargetError>),
    Told(String),
    File(FileError),
}

impl SceneFile {
    /// The stage of what this file is based on, `depth` files deep.
    pub(super) fn based_on(&self, target: &str, sets: &[(String, String)], depth: u32) -> Result<Stage, BaseFault> {
        if is_take(target) {
            let told = format!("{target} is a take, which plays a scene and is none; name what it was played on");
            return Err(BaseFault::Told(told));
        }
        if is_scene_file(target) {
            if depth >= MOST_DEEP {
                let told =
                    format!("more than {MOST_DEEP} scene files are based on one another; is one based on itself?");
                return Err(BaseFault::Told(told));
            }
            let file =
                SceneFile::load(&self.folder.join(target)).map_err(|error| BaseFault::Told(error.to_string()))?;
            return file.build(sets, depth + 1).map_err(BaseFault::File);
        }
        let path = if target.contains('.') { self.here(target) } else { target.to_owned() };
        demos::stage_for(&path, sets).map_err(|error| BaseFault::Target(Box::new(error)))
    }

    /// A setting of this file: files are named from its folder.
    fn named(&self, (key, text): (String, String)) -> (String, String) {
        let text = if names_file(&key, &text) { self.here(&text) } else { text };
        (key, text)
    }

    fn here(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }
}

fn told(error: SceneError) -> Problem {
    Problem::Item { item: "the scene".into(), error: Box::new(error.into()) }
}
