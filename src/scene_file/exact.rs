//! The exact form of a scene file: every particle, constraint and picture of a stage, to the bit. Long lists are packed
//! ([`crate::pack`]); what several things share, such as the model of a hundred boxes, is stored once.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec4;
use ron::ser::PrettyConfig;
use serde::{Deserialize, Serialize};

use super::error::options;
use crate::animation::{Cast, SavedRig};
use crate::demos::{DemoError, Stage};
use crate::scene::{Bone, Instance, Model, ParticleId, Scene, Shell, SurfaceMesh};

/// Raised whenever a field of anything in it is added or changes its meaning.
const FORMAT: u32 = 1;
/// How deep structures of an exported file are written one field a line.
const DEPTH: usize = 4;

/// A stage, word by word.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exact<'a> {
    format: u32,
    scene: Cow<'a, Scene>,
    models: Vec<Cow<'a, Model>>,
    instances: Vec<Drawn<'a>>,
    shells: Vec<Cow<'a, Shell>>,
    surfaces: Vec<DrawnSurface>,
    rigs: Vec<SavedRig>,
    cast: Cow<'a, Cast>,
    /// Index into `rigs` of each performer.
    moved_by: Vec<usize>,
    warnings: Cow<'a, [String]>,
}

/// An instance, its model by index.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Drawn<'a> {
    model: usize,
    bones: Bones<'a>,
    tint: Vec4,
}

/// Bones of an instance.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Bones<'a> {
    #[serde(serialize_with = "pack_bones", deserialize_with = "unpack_bones")]
    list: Cow<'a, [Bone]>,
}

fn pack_bones<S: serde::Serializer>(list: &[Bone], serializer: S) -> Result<S::Ok, S::Error> {
    crate::pack::serialize(list, serializer)
}

fn unpack_bones<'de, 'a, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cow<'a, [Bone]>, D::Error> {
    crate::pack::deserialize(deserializer).map(Cow::Owned)
}

/// A surface, its shell by index.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawnSurface {
    shell: usize,
    first_particle: ParticleId,
    tint: Vec4,
}

/// Things that are shared, each once, in the order in which they are met.
struct Pool<'a, T> {
    list: Vec<&'a Arc<T>>,
    known: HashMap<*const T, usize>,
}

impl<'a, T> Pool<'a, T> {
    fn new() -> Self {
        Self { list: Vec::new(), known: HashMap::new() }
    }

    fn index(&mut self, shared: &'a Arc<T>) -> usize {
        *self.known.entry(Arc::as_ptr(shared)).or_insert_with(|| {
            self.list.push(shared);
            self.list.len() - 1
        })
    }
}

impl<'a> Exact<'a> {
    /// Everything of a stage.
    pub(super) fn of(stage: &'a Stage) -> Self {
        let Stage { scene, cast, warnings } = stage;
        let (mut models, mut shells, mut rigs) = (Pool::new(), Pool::new(), Pool::new());
        let instance = |i: &'a Instance| {
            let bones = Bones { list: Cow::Borrowed(&i.bones) };
            Drawn { model: models.index(&i.model), bones, tint: i.tint }
        };
        let instances = scene.instances.iter().map(instance).collect();
        let surface = |s: &'a SurfaceMesh| DrawnSurface {
            shell: shells.index(&s.shell),
            first_particle: s.first_particle,
            tint: s.tint,
        };
        let surfaces = scene.surfaces.iter().map(surface).collect();
        let moved_by = cast.performers.iter().map(|p| rigs.index(p.rig())).collect();
        Self {
            format: FORMAT,
            scene: Cow::Borrowed(scene),
            models: models.list.into_iter().map(|model| Cow::Borrowed(&**model)).collect(),
            instances,
            shells: shells.list.into_iter().map(|shell| Cow::Borrowed(&**shell)).collect(),
            surfaces,
            rigs: rigs.list.into_iter().map(|rig| SavedRig::of(rig)).collect(),
            cast: Cow::Borrowed(cast),
            moved_by,
            warnings: Cow::Borrowed(warnings),
        }
    }

    /// The stage again, every index and number checked.
    pub(super) fn stage(self) -> Result<Stage, Fault> {
        if self.format != FORMAT {
            let told = format!("`exact` has format {}, and this program reads {FORMAT}; export it again", self.format);
            return Err(Fault::Told(told));
        }
        let models: Vec<Arc<Model>> = self.models.into_iter().map(|model| Arc::new(model.into_owned())).collect();
        let shells: Vec<Arc<Shell>> = self.shells.into_iter().map(|shell| Arc::new(shell.into_owned())).collect();
        let mut scene = self.scene.into_owned();
        for drawn in self.instances {
            let model = Arc::clone(shared("model", &models, drawn.model)?);
            scene.instances.push(Instance { model, bones: drawn.bones.list.into_owned(), tint: drawn.tint });
        }
        for drawn in self.surfaces {
            let shell = Arc::clone(shared("shell", &shells, drawn.shell)?);
            scene.surfaces.push(SurfaceMesh { shell, first_particle: drawn.first_particle, tint: drawn.tint });
        }
        scene.validate().map_err(|error| Fault::Build(Box::new(error.into())))?;
        let rigs: Result<Vec<_>, String> = self.rigs.into_iter().map(|rig| rig.rig().map(Arc::new)).collect();
        let rigs = rigs.map_err(Fault::Told)?;
        let mut cast = self.cast.into_owned();
        if cast.performers.len() != self.moved_by.len() {
            return Err(Fault::Told("`exact` needs a number in `moved_by` for each performer".into()));
        }
        for (performer, rig) in cast.performers.iter_mut().zip(self.moved_by) {
            performer.rejoin(Arc::clone(shared("rig", &rigs, rig)?), &scene).map_err(Fault::Told)?;
        }
        Ok(Stage { scene, cast, warnings: self.warnings.into_owned() })
    }
}

/// What is wrong in an exact form that can be read.
pub(super) enum Fault {
    /// A scene that cannot be.
    Build(Box<DemoError>),
    /// A sentence.
    Told(String),
}

fn shared<'t, T>(what: &str, list: &'t [T], index: usize) -> Result<&'t T, Fault> {
    let count = list.len();
    list.get(index).ok_or_else(|| Fault::Told(format!("{what} {index} of `exact` does not exist; there are {count}")))
}

/// A file with everything of a stage, which gives the same stage again, to the bit. `from` says in its first line what it is of.
///
/// # Errors
/// A sentence, if a list is longer than a file can count.
pub fn to_ron(stage: &Stage, from: &str) -> Result<String, String> {
    #[derive(Serialize)]
    struct Written<'a> {
        exact: Exact<'a>,
    }
    let style = PrettyConfig::new()
        .depth_limit(DEPTH)
        .indentor("  ")
        .escape_strings(false)
        .extensions(ron::extensions::Extensions::IMPLICIT_SOME);
    let written = options().to_string_pretty(&Written { exact: Exact::of(stage) }, style);
    let text = written.map_err(|error| error.to_string())?;
    Ok(format!(
        "// {}: every particle of it. Long lists are packed; items can be added.\n{text}\n",
        from.replace('\n', " ")
    ))
}
