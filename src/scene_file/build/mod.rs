//! Adds the items of a scene file to a stage, one after the other.

mod bodies;
mod characters;
mod deformables;
mod layout;
mod lines;
mod liquids;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use ron::value::RawValue;

use super::error::{FileError, Problem, Source, unknown};
use super::item::Item;
use super::value::Color;
use crate::demos::{DemoError, Stage};
use crate::import::{self, Asset};
use crate::scene::{BodyId, DeformableId, Model, Placement, SceneError, Shape, Thing, TriangleMesh, primitive_model};
use crate::spawn::{Character, palette};

/// Why an item cannot be added.
pub(super) enum Fault {
    /// What it is made of refuses.
    Build(Box<DemoError>),
    /// A sentence.
    Said(String),
    /// An item inside it; it has its own place.
    Inside(FileError),
}

impl<E: Into<DemoError>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Build(Box::new(error.into()))
    }
}

type Added = Result<(), Fault>;

/// What a character is made of: model, bits of the scale, changes to its ragdoll, whether it wears clothes.
type Wanted = (String, Option<u32>, Option<String>, bool);

/// A thing that has a name.
#[derive(Clone, Copy)]
struct Named {
    thing: Thing,
    /// Bytes of the name before the numbers of copies.
    own: usize,
}

/// A stage to which items are added.
pub(super) struct Builder<'a> {
    source: Source<'a>,
    folder: PathBuf,
    stage: Stage,
    /// Where the items are that are added now.
    frame: Placement,
    /// Things by name, those of the layout that is built now last. Several may have one name as long as nobody asks for it.
    names: Vec<HashMap<String, Vec<Named>>>,
    /// What is put after names, so that those of copies differ.
    suffix: String,
    /// Items added by layouts.
    copies: usize,
    models: Vec<(Shape, Arc<Model>)>,
    characters: HashMap<Wanted, Arc<Character>>,
}

impl<'a> Builder<'a> {
    /// Adds to `stage`; files are looked for in `folder`.
    pub(super) fn new(source: Source<'a>, folder: &Path, stage: Stage) -> Self {
        let mut names: HashMap<String, Vec<Named>> = HashMap::new();
        let mut name =
            |name: &str, thing| names.entry(name.to_owned()).or_default().push(Named { thing, own: name.len() });
        for (index, body) in (0..).zip(&stage.scene.bodies) {
            name(&body.name, Thing::Body(BodyId(index)));
        }
        for (index, object) in (0..).zip(&stage.scene.deformables) {
            name(&object.name, Thing::Deformable(DeformableId(index)));
        }
        for (index, liquid) in (0..).zip(&stage.scene.liquids) {
            name(&liquid.name, Thing::Liquid(crate::scene::LiquidId(index)));
        }
        for (index, grains) in (0..).zip(&stage.scene.grains) {
            name(&grains.name, Thing::Grains(crate::scene::GrainsId(index)));
        }
        Self {
            source,
            folder: folder.to_owned(),
            stage,
            frame: Placement::IDENTITY,
            names: vec![names],
            suffix: String::new(),
            copies: 0,
            models: Vec::new(),
            characters: HashMap::new(),
        }
    }

    /// What was built.
    pub(super) fn finish(self) -> Stage {
        self.stage
    }

    /// Adds items; `path` leads to the list of them in messages.
    ///
    /// # Errors
    /// [`FileError`] at the item that is wrong.
    pub(super) fn add_all(&mut self, items: &[&'a RawValue], path: &str) -> Result<(), FileError> {
        for (index, raw) in items.iter().enumerate() {
            let text = raw.get_ron();
            let kind: String = text.chars().take_while(|c| c.is_alphanumeric()).collect();
            let path = format!("{path}[{index}]");
            let item: Item<'a> = self.source.read(text, &format!("{path}."))?;
            self.add(item, &format!("{path}.{kind}")).map_err(|fault| match fault {
                Fault::Inside(error) => error,
                Fault::Build(error) => {
                    self.source.error(text, Problem::Item { item: format!("`{path}.{kind}`"), error })
                }
                Fault::Said(told) => self.source.error(text, Problem::Text(format!("`{path}.{kind}`: {told}"))),
            })?;
        }
        Ok(())
    }

    fn add(&mut self, item: Item<'a>, path: &str) -> Added {
        match item {
            Item::Ground(ground) => self.ground(&ground),
            Item::Collider(collider) => self.collider(collider),
            Item::Pit(pit) => self.around(|scene| crate::spawn::add_pit(scene, pit.half, pit.height)),
            Item::Tank(tank) => self.around(|scene| crate::spawn::add_tank(scene, tank.low, tank.high)),
            Item::Bowl(bowl) => self.around(|scene| crate::spawn::add_bowl(scene, bowl.radius, bowl.length)),
            Item::Body(body) => self.body(body),
            Item::Rigid(rigid) => self.rigid(rigid),
            Item::Joint(joint) => self.joint(&joint),
            Item::Ignore(pair) => self.ignore(&pair),
            Item::Gear(gear) => self.gear(&gear),
            Item::Character(character) => self.character(character),
            Item::Sheet(sheet) => self.sheet(sheet),
            Item::Cloth(cloth) => self.cloth(cloth),
            Item::Soft(soft) => self.soft(soft),
            Item::Balloon(balloon) => self.balloon(balloon),
            Item::Rope(rope) => self.rope(rope),
            Item::Rod(rod) => self.rod(rod),
            Item::Attach(attach) => self.attach(&attach),
            Item::Pin(pin) => self.pin(&pin),
            Item::Liquid(liquid) => self.liquid(liquid),
            Item::Grains(grains) => self.grains(grains),
            Item::Pour(pour) => self.pour(&pour),
            Item::Emitter(emitter) => self.emitter(emitter),
            Item::Drain(drain) => self.drain(&drain),
            Item::Group(group) => self.group(group, path),
            Item::Repeat(repeat) => self.repeat(repeat, path),
            Item::Grid(grid) => self.grid(grid, path),
            Item::Ring(ring) => self.ring(ring, path),
            Item::At(at) => self.at_places(at, path),
        }
    }

    /// A name as the scene has it.
    fn full_name(&self, name: &str) -> String {
        format!("{name}{}", self.suffix)
    }

    /// Remembers a thing by name, and gives it the game's own number.
    fn remember(&mut self, name: &str, thing: Thing, user_data: u64) -> Added {
        if let (false, Some(names)) = (name.is_empty(), self.names.last_mut()) {
            names.entry(name.to_owned()).or_default().push(Named { thing, own: name.len() });
        }
        if user_data != 0 {
            self.stage.scene.set_user_data(thing, user_data)?;
        }
        Ok(())
    }

    /// The thing that `key` names and `of` takes: of the layout that is built now, or else of the ones around it.
    fn find<T>(&self, key: &str, what: &str, name: &str, of: impl Fn(Thing) -> Option<T>) -> Result<T, Fault> {
        if name.is_empty() {
            return Err(Fault::Said(format!("the key `{key}` is missing or empty; it names a {what}")));
        }
        let called = |names: &HashMap<String, Vec<Named>>| -> Vec<T> {
            names.get(name).into_iter().flatten().filter_map(|named| of(named.thing)).collect()
        };
        let mut found = self.names.iter().rev().map(called).find(|found| !found.is_empty()).unwrap_or_default();
        match (found.len(), found.pop()) {
            (1, Some(found)) => Ok(found),
            (0, _) | (_, None) => {
                let all = self.names.iter().flatten();
                let named = all.filter(|(_, all)| all.iter().any(|named| of(named.thing).is_some()));
                let mut known: Vec<&str> = named.map(|(name, _)| name.as_str()).collect();
                known.sort_unstable();
                Err(Fault::Said(unknown(what, name, &known)))
            }
            (count, _) => {
                Err(Fault::Said(format!("{count} of the name `{name}` are here ({what}); give each its own")))
            }
        }
    }

    fn find_body(&self, key: &str, name: &str) -> Result<BodyId, Fault> {
        self.find(key, "body", name, |thing| if let Thing::Body(id) = thing { Some(id) } else { None })
    }

    fn find_object(&self, name: &str) -> Result<DeformableId, Fault> {
        let of = |thing| if let Thing::Deformable(id) = thing { Some(id) } else { None };
        self.find("object", "cloth, flesh or rope", name, of)
    }

    /// A place and a turn in the frame of the layout.
    fn placed(&self, position: Vec3, rotation: Quat) -> Result<Placement, Fault> {
        if !position.is_finite() {
            return Err(Fault::Said(format!("`position` is {position}; it must be finite")));
        }
        Ok(self.frame.then(&Placement { position, rotation }))
    }

    /// A direction in the frame of the layout.
    fn turned(&self, direction: Vec3) -> Vec3 {
        self.frame.rotation * direction
    }

    /// A color, or the next of the palette.
    fn tint(&self, color: Option<Color>) -> Vec4 {
        let drawn = self.stage.scene.instances.len() + self.stage.scene.surfaces.len() + self.stage.scene.tubes.len();
        color.map_or_else(|| palette(drawn), |color| color.0)
    }

    /// The model that draws a shape.
    fn model_of(&mut self, shape: &Shape) -> Arc<Model> {
        if let Some((_, model)) = self.models.iter().find(|(known, _)| known == shape) {
            return Arc::clone(model);
        }
        let model = Arc::new(primitive_model(shape));
        self.models.push((shape.clone(), Arc::clone(&model)));
        model
    }

    /// A model file, by its name from the folder of the scene file; `dancer` is our own.
    fn asset(&mut self, name: &str, scale: Option<f32>) -> Result<Asset, Fault> {
        let asset = match name {
            "" => return Err(Fault::Said("the key `model` is missing; it names a .glb, .gltf or .vrm file".into())),
            "dancer" => {
                of_model("scale", scale.is_some())?;
                crate::spawn::dancer()?
            }
            file => import::load_scaled(&self.folder.join(file), scale)?,
        };
        self.stage.warnings.extend(asset.warnings.iter().map(|warning| format!("{name}: {warning}")));
        Ok(asset)
    }

    /// All triangles of a model file.
    fn mesh(&mut self, name: &str, scale: Option<f32>) -> Result<TriangleMesh, Fault> {
        let asset = self.asset(name, scale)?;
        let mut mesh = TriangleMesh::default();
        for part in &asset.model.primitives {
            let first = mesh.positions.len() as u32;
            mesh.positions.extend(&part.positions);
            mesh.triangles.extend(part.indices.as_chunks::<3>().0.iter().map(|t| t.map(|i| i + first)));
        }
        Ok(mesh)
    }
}

/// A number that must be in a range.
fn within(item: &str, field: &'static str, value: f32, ok: bool, allowed: &'static str) -> Added {
    if value.is_finite() && ok {
        return Ok(());
    }
    Err(SceneError::Number { item: item.to_owned(), field, value, allowed }.into())
}

/// A key that only what is made of a model file has.
fn of_model(key: &str, given: bool) -> Added {
    if given { Err(Fault::Said(format!("`{key}` is of a model file"))) } else { Ok(()) }
}
