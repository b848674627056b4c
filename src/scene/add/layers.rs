//! The layers of the things in a scene, and the classes that kernels distinguish.

use crate::scene::check::present;
use crate::scene::layers::CLASSES;
use crate::scene::{BodyId, Layers, ParticleId, Scene, SceneError, Thing, class_of};

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
            if let Some(thing) = members.thing(ParticleId(i as u32)) {
                self.particles[i].phase = self.particles[i].phase.with_class(class(self, thing));
            }
        }
        for index in (0..self.bodies.len()).rev() {
            let class = class(self, Thing::Body(BodyId(index as u32)));
            for link in &self.bodies[index].links {
                let phase = &mut self.particles[link.particle.0 as usize].phase;
                *phase = phase.with_class(class);
            }
        }
    }

    /// Whether layers are few enough to be told apart.
    pub(in crate::scene) fn check_layers(&self) -> Result<(), SceneError> {
        let count = self.layer_classes().len();
        if count > CLASSES { Err(SceneError::Layers(count - 1)) } else { Ok(()) }
    }

    /// Whether everything is there that has layers.
    pub(in crate::scene) fn check_layered(&self) -> Result<(), SceneError> {
        self.layers.keys().try_for_each(|thing| {
            let (field, index, count) = self.place_of(*thing);
            present("layers", field, index, count)
        })
    }
}
