//! Layers: what meets what, and what passes through what.

use serde::{Deserialize, Serialize};

use super::check::present;
use super::{Scene, SceneError, Thing};

/// Classes of things that share their layers, the default among them.
const CLASSES: usize = 16;

/// The layers that a thing is of, and those that it meets, a bit for each. Two things meet if each is of a layer that the other
/// meets; what
/// is in one piece, and liquids of the same layers, meet themselves whatever these are. The default is of all layers and meets all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Layers {
    /// Layers that it is of.
    pub of: u32,
    /// Layers that it meets.
    pub meets: u32,
}

impl Default for Layers {
    fn default() -> Self {
        Self { of: u32::MAX, meets: u32::MAX }
    }
}

impl Layers {
    /// Whether two things of these layers meet.
    pub fn meet(self, other: Self) -> bool {
        self.of & other.meets != 0 && other.of & self.meets != 0
    }
}

impl Scene {
    /// Sets the layers of a thing. A scene tells 15 different [`Layers`] from the default, and as many things as you like may
    /// have the same.
    ///
    /// # Errors
    /// [`SceneError::Missing`] for a thing that the scene does not have, [`SceneError::Layers`] for too many different layers;
    /// the scene stays as it was.
    pub fn set_layers(&mut self, thing: Thing, layers: Layers) -> Result<(), SceneError> {
        let (field, index, count) = self.place_of(thing);
        present("layers", field, index, count)?;
        let put = |scene: &mut Self, layers: Layers| match layers == Layers::default() {
            true => scene.layers.remove(&thing),
            false => scene.layers.insert(thing, layers),
        };
        let before = put(self, layers);
        self.check_layers().inspect_err(|_| {
            put(self, before.unwrap_or_default());
        })
    }

    /// The layers of a thing.
    pub fn layers_of(&self, thing: Thing) -> Layers {
        self.layers.get(&thing).copied().unwrap_or_default()
    }

    /// Different layers, the default first.
    pub(crate) fn layer_classes(&self) -> Vec<Layers> {
        let mut classes = vec![Layers::default()];
        for layers in self.layers.values() {
            if !classes.contains(layers) {
                classes.push(*layers);
            }
        }
        classes
    }

    /// For each class of layers the classes that it meets, 16 bits each: see `shaders/common/layers.wgsl`.
    pub(crate) fn layers_meet(&self) -> [[u32; 4]; 2] {
        let classes = self.layer_classes();
        let mut words = [[0; 4]; 2];
        for (i, own) in classes.iter().enumerate().take(CLASSES) {
            for (j, _) in classes.iter().enumerate().take(CLASSES).filter(|(_, other)| own.meet(**other)) {
                words[i / 8][i / 2 % 4] |= 1 << (16 * (i % 2) + j);
            }
        }
        words
    }

    /// Writes the classes of layers into the phases of particles. Those that a joint shares are of the first of its bodies in the
    /// scene, which answers for their contacts.
    pub(crate) fn classify(&mut self) {
        self.particles.iter_mut().for_each(|p| p.phase = p.phase.with_class(0));
        if self.layers.is_empty() {
            return;
        }
        let classes = self.layer_classes();
        let class = |scene: &Self, thing| class_of(&classes, scene.layers_of(thing));
        let members = self.members();
        for i in 0..self.particles.len() {
            if let Some(thing) = members.thing(super::ParticleId(i as u32)) {
                self.particles[i].phase = self.particles[i].phase.with_class(class(self, thing));
            }
        }
        for index in (0..self.bodies.len()).rev() {
            let class = class(self, Thing::Body(super::BodyId(index as u32)));
            for link in &self.bodies[index].links {
                let phase = &mut self.particles[link.particle.0 as usize].phase;
                *phase = phase.with_class(class);
            }
        }
    }

    /// Whether layers are few enough to be told apart.
    pub(super) fn check_layers(&self) -> Result<(), SceneError> {
        let count = self.layer_classes().len();
        if count > CLASSES { Err(SceneError::Layers(count - 1)) } else { Ok(()) }
    }

    /// Whether everything is there that has layers.
    pub(super) fn check_layered(&self) -> Result<(), SceneError> {
        self.layers.keys().try_for_each(|thing| {
            let (field, index, count) = self.place_of(*thing);
            present("layers", field, index, count)
        })
    }
}

/// The number of these layers among those of a scene.
pub(crate) fn class_of(classes: &[Layers], layers: Layers) -> u32 {
    classes.iter().position(|class| *class == layers).unwrap_or(0) as u32
}
