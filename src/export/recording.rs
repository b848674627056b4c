//! Takes in frames of a scene, to be written as a file.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use thiserror::Error;

use super::bent::Follows;
use super::bones;
use super::form::Form;
use crate::animation::Cast;
use crate::scene::{Bone, Collider, ColliderId, Instance, Model, Placement, Scene, Shape, primitive_model};
use crate::solver::{Solver, SolverError};

/// Most bytes of a file: a GLB counts its bytes in 32 bits, and viewers load all of it.
const MOST_BYTES: u64 = 512 << 20;
/// Bytes of a vertex in a frame: a place and a normal.
const VERTEX: u64 = 24;
/// Bytes of a bone in a frame: a place and a rotation.
const BONE: u64 = 28;
/// Bytes of how much of a shape a frame shows.
const WEIGHT: u64 = 4;
/// Bytes of the text that tells of a shape.
const SHAPE: u64 = 300;

/// A recording that cannot be made.
#[derive(Debug, Error)]
pub(crate) enum ExportError {
    /// The device failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// More than a viewer loads.
    #[error("the file would have {0} MB, more than {most}; keep fewer frames with --fps or --frames", most = MOST_BYTES >> 20)]
    TooLarge(u64),
    /// A picture of a material.
    #[error("the picture {0} of `{1}` cannot be written: {2}")]
    Image(usize, String, String),
    /// The text of the file.
    #[error("the file cannot be written: {0}")]
    Json(String),
}

/// A model on bones.
pub(super) struct Jointed {
    pub(super) model: Arc<Model>,
    pub(super) tint: Vec4,
    pub(super) bones: Vec<Bone>,
    /// What the body of each bone is called; empty for none.
    pub(super) bone_names: Vec<String>,
    /// Parts that are not shown.
    pub(super) hidden: BTreeSet<usize>,
    pub(super) name: String,
    /// The frame in which it is first there.
    pub(super) born: usize,
    /// Where the pivot of each bone is in each frame, shape [frame_count][bone_count].
    pub(super) frames: Vec<Vec<Option<Placement>>>,
}

/// A mesh that follows particles.
pub(super) struct Bent {
    pub(super) form: Form,
    follows: Follows,
    /// The frame in which it is first there.
    pub(super) born: usize,
    /// Where its points are in each frame.
    pub(super) frames: Vec<Option<Vec<Vec3>>>,
}

/// A collider that is there, and its track if it is drawn.
struct Standing {
    shape: Shape,
    color: Vec4,
    track: Option<usize>,
}

/// Frames of a scene.
#[derive(Default)]
pub(crate) struct Recording {
    /// When each frame is [s], from the first one on.
    pub(super) times: Vec<f32>,
    pub(super) jointed: Vec<Jointed>,
    pub(super) bent: Vec<Bent>,
    /// Tracks of the instances, colliders, surfaces and tubes that are there now.
    instances: Vec<usize>,
    colliders: Vec<Standing>,
    surfaces: Vec<usize>,
    tubes: Vec<usize>,
    bytes: u64,
    left_out: BTreeSet<&'static str>,
}

/// What is left out of a file of a scene, in words.
pub(super) fn left_out(scene: &Scene) -> impl Iterator<Item = &'static str> {
    let planes = scene.colliders.iter().any(|c| c.shape == Shape::Plane && c.color.w > 0.0);
    let liquids = !scene.liquids.is_empty() || !scene.emitters.is_empty();
    let found = [(liquids, "liquids"), (!scene.grains.is_empty(), "sand"), (planes, "planes, which have no end")];
    found.into_iter().filter_map(|(there, what)| there.then_some(what))
}

impl Recording {
    /// Whether a file of so many frames of a scene can be written.
    ///
    /// # Errors
    /// [`ExportError::TooLarge`] if not.
    pub(crate) fn check(scene: &Scene, frames: u32) -> Result<(), ExportError> {
        let mut first = Self::default();
        first.meet(0, scene, &Cast::default());
        within(first.bytes_of(u64::from(frames)))
    }

    /// Bytes of so many frames of what there is now at most. What bends is a shape in each, of which every frame has a weight.
    fn bytes_of(&self, frames: u64) -> u64 {
        let points = self.surfaces.iter().chain(&self.tubes).map(|track| self.bent[*track].form.vertices() as u64);
        let bones = self.instances.iter().map(|track| self.jointed[*track].bones.len() as u64);
        let bent = (self.surfaces.len() + self.tubes.len()) as u64;
        let of_frame = VERTEX * points.sum::<u64>() + BONE * bones.sum::<u64>() + SHAPE * bent;
        (of_frame + WEIGHT * bent * frames) * frames
    }

    /// What is left out of the file, in words; empty for nothing.
    pub(crate) fn left_out(&self) -> Vec<&'static str> {
        self.left_out.iter().copied().collect()
    }

    /// Takes in the state that `solver` has `time` [s] after the first frame. `scene` has what is drawn, `cast` who performs.
    ///
    /// # Errors
    /// [`ExportError`] when the device fails, or the file becomes too large.
    pub(crate) fn frame(&mut self, time: f32, scene: &Scene, cast: &Cast, solver: &Solver) -> Result<(), ExportError> {
        let now = self.times.len();
        self.times.push(time);
        self.left_out.extend(left_out(scene));
        self.meet(now, scene, cast);
        self.bytes += self.bytes_of(now as u64 + 1) - self.bytes_of(now as u64);
        within(self.bytes)?;
        let bodies = solver.read_bodies()?;
        let turned: HashMap<usize, &[Quat]> =
            cast.performers.iter().filter(|p| p.is_present()).map(|p| p.turns()).collect();
        for (index, track) in self.instances.iter().enumerate() {
            let track = &mut self.jointed[*track];
            let rest: Vec<Quat> = track.bones.iter().map(|bone| bone.turn).collect();
            let turns = turned.get(&index).copied().filter(|turns| turns.len() == rest.len()).unwrap_or(&rest);
            track.frames.push(bones::placements(&track.bones, turns, &bodies));
        }
        for ((standing, collider), id) in self.colliders.iter().zip(&solver.scene().colliders).zip(0..) {
            if let Some(track) = standing.track {
                let place = Placement { position: collider.position, rotation: collider.rotation };
                let there = solver.is_collider_present(ColliderId(id))?;
                self.jointed[track].frames.push(vec![there.then_some(place)]);
            }
        }
        if self.surfaces.is_empty() && self.tubes.is_empty() {
            return Ok(());
        }
        let positions = solver.read_positions()?;
        let triangles = if scene.tears.is_empty() { Vec::new() } else { solver.read_triangles()? };
        for track in self.surfaces.iter().chain(&self.tubes) {
            let track = &mut self.bent[*track];
            track.frames.push(track.follows.places(&positions, &triangles));
        }
        Ok(())
    }

    /// Begins tracks for what is new in a scene, and ends those of what is gone.
    fn meet(&mut self, now: usize, scene: &Scene, cast: &Cast) {
        self.meet_instances(now, scene, cast);
        self.meet_colliders(now, scene);
        self.meet_bent(now, scene);
    }

    fn meet_instances(&mut self, now: usize, scene: &Scene, cast: &Cast) {
        let jointed = &mut self.jointed;
        let same = |track: &usize, instance: &Instance| {
            let known = &jointed[*track];
            Arc::ptr_eq(&known.model, &instance.model) && known.bones.first() == instance.bones.first()
        };
        let known = kept(&mut self.instances, &scene.instances, same);
        let hidden: HashMap<usize, BTreeSet<usize>> = cast
            .performers
            .iter()
            .filter(|p| p.is_present())
            .map(|p| p.hidden())
            .map(|(i, parts)| (i, parts.clone()))
            .collect();
        let mut begin = |index: usize, instance: &Instance| {
            jointed.push(Jointed {
                model: Arc::clone(&instance.model),
                tint: instance.tint,
                bones: instance.bones.clone(),
                bone_names: instance
                    .bones
                    .iter()
                    .map(|bone| bone.body.map(|body| scene.body(body).name.clone()).unwrap_or_default())
                    .collect(),
                hidden: hidden.get(&index).cloned().unwrap_or_default(),
                name: name_of(scene, instance),
                born: now,
                frames: Vec::new(),
            });
            jointed.len() - 1
        };
        let all = known.into_iter().zip(&scene.instances).enumerate();
        self.instances = all.map(|(i, (known, instance))| known.unwrap_or_else(|| begin(i, instance))).collect();
    }

    fn meet_colliders(&mut self, now: usize, scene: &Scene) {
        let jointed = &mut self.jointed;
        let same =
            |known: &Standing, collider: &Collider| known.color == collider.color && known.shape == collider.shape;
        let known = kept(&mut self.colliders, &scene.colliders, same);
        let mut begin = |collider: &Collider| {
            let drawn = collider.color.w > 0.0 && collider.shape != Shape::Plane;
            let track = drawn.then_some(jointed.len());
            jointed.extend(drawn.then(|| still(collider, now)));
            Standing { shape: collider.shape.clone(), color: collider.color, track }
        };
        let all = known.into_iter().zip(&scene.colliders);
        self.colliders = all.map(|(known, collider)| known.unwrap_or_else(|| begin(collider))).collect();
    }

    fn meet_bent(&mut self, now: usize, scene: &Scene) {
        let bent = &mut self.bent;
        let surfaces = kept(&mut self.surfaces, &scene.surfaces, |track, own| bent[*track].follows.is_surface(own));
        let tubes = kept(&mut self.tubes, &scene.tubes, |track, own| bent[*track].follows.is_tube(own));
        let mut begin = |(follows, form): (Follows, Form)| {
            bent.push(Bent { form, follows, born: now, frames: Vec::new() });
            bent.len() - 1
        };
        let surfaces = surfaces.into_iter().zip(&scene.surfaces);
        let tubes = tubes.into_iter().zip(&scene.tubes);
        self.surfaces =
            surfaces.map(|(known, own)| known.unwrap_or_else(|| begin(Follows::surface(scene, own)))).collect();
        self.tubes = tubes.map(|(known, own)| known.unwrap_or_else(|| begin(Follows::tube(*own)))).collect();
    }
}

/// What is known already of each of `things`, in whose order it is. What comes in the place of something else is not known: a thing that
/// was undone and another one put there, or what a blade has parted.
fn kept<K, T>(known: &mut Vec<K>, things: &[T], same: impl Fn(&K, &T) -> bool) -> Vec<Option<K>> {
    let mut left = std::mem::take(known);
    let mut find = |thing: &T| {
        let at = left.iter().position(|known| same(known, thing))?;
        left.drain(..=at).next_back()
    };
    things.iter().map(&mut find).collect()
}

pub(super) fn within(bytes: u64) -> Result<(), ExportError> {
    if bytes > MOST_BYTES { Err(ExportError::TooLarge(bytes >> 20)) } else { Ok(()) }
}

fn name_of(scene: &Scene, instance: &Instance) -> String {
    match instance.bones[..] {
        [Bone { body: Some(body), .. }] if !scene.body(body).name.is_empty() => scene.body(body).name.clone(),
        _ => instance.model.name.clone(),
    }
}

/// A collider as a model on one bone.
fn still(collider: &Collider, born: usize) -> Jointed {
    let bone =
        Bone { body: None, rest_center: Vec3::ZERO, parent: None, pivot: Vec3::ZERO, turn: Quat::IDENTITY, bend: None };
    Jointed {
        model: Arc::new(primitive_model(&collider.shape)),
        tint: collider.color,
        bones: vec![bone],
        bone_names: vec![String::new()],
        hidden: BTreeSet::new(),
        name: "collider".into(),
        born,
        frames: Vec::new(),
    }
}
