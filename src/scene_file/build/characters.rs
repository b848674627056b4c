//! Characters and models as rigid bodies.

use std::sync::Arc;

use super::{Added, Builder, Fault, of_model, within};
use crate::demos::DemoError;
use crate::scene::{BodyId, Placement, Thing};
use crate::scene_file::item::{CharacterItem, RigidItem};
use crate::spawn::Character;

impl Builder<'_> {
    pub(super) fn character(&mut self, item: CharacterItem) -> Added {
        let character = self.made(&item)?;
        let at = self.placed(item.position, item.rotation.rotation())?;
        let tint = item.color.map_or(glam::Vec4::ONE, |color| color.0);
        let first = self.stage.scene.bodies.len();
        let mut performer = character.add_to(&mut self.stage.scene, at.position, at.rotation, tint)?;
        if performer.is_none() {
            without_skin(&item)?;
        }
        within("character", "time", item.time, true, "finite")?;
        if item.time != 0.0 && item.clip.is_none() {
            return Err(Fault::Said("`time` is of a `clip`, which is missing".into()));
        }
        if let Some(name) = &item.clip {
            let clip = character.clip(Some(name))?;
            if let Some(performer) = &mut performer {
                performer.enter(&mut self.stage.scene, at, clip, item.time)?;
            }
        }
        let plays = item.clip.is_some() && !item.limp;
        if let Some(performer) = &mut performer {
            if item.limp {
                performer.go_limp();
            }
            item.hide
                .iter()
                .try_for_each(|node| performer.show(node, false))
                .map_err(|error| Fault::Said(error.to_string()))?;
            if let Some(impulse) = item.strength {
                within("character", "strength", impulse.min(f32::MAX), impulse >= 0.0, "0 or more")?;
                performer.set_strength(impulse)?;
            }
            if item.muscles.is_some() && !plays {
                return Err(Fault::Said("`muscles` needs a `clip` to be followed".into()));
            }
            if let Some(strength) = item.muscles {
                performer.drive(strength).map_err(|error| Fault::Said(error.to_string()))?;
            }
        }
        if let Some(seconds) = item.limp_at {
            within("character", "limp_at", seconds, seconds >= 0.0, "0 or more")?;
            match &mut performer {
                Some(performer) if plays => performer.limp_after(seconds)?,
                _ if item.limp => {
                    return Err(Fault::Said(
                        "`limp` and `limp_at` both set when it goes limp; leave one of them out".into(),
                    ));
                }
                _ => return Err(Fault::Said("`limp_at` needs a `clip` to be played until then".into())),
            }
        }
        if !plays {
            self.throw(first, item.velocity, item.angular_velocity.radians())?;
        } else if let Some(key) = moving(&item) {
            return Err(Fault::Said(format!("`{key}` is for who is limp; who plays a clip moves as that says")));
        }
        self.stage.cast.performers.extend(performer);
        self.name_limbs(&item.name, first, item.user_data)
    }

    pub(super) fn rigid(&mut self, item: RigidItem) -> Added {
        if let Some(mass) = item.mass {
            within("rigid model", "mass", mass, mass > 0.0, "above 0")?;
        }
        let damping = [item.linear_damping, item.angular_damping];
        let dynamics = self.dynamics(item.gravity_scale, damping, item.locked, item.upright)?;
        dynamics.check("rigid model")?;
        let asset = self.asset(&item.model, item.scale)?;
        let rigid = Character::rigid(&asset)?;
        self.stage.warnings.extend(rigid.plan().warnings.iter().cloned());
        let at = self.placed(item.position, item.rotation.rotation())?;
        let first = self.stage.scene.bodies.len();
        let tint = item.color.map_or(glam::Vec4::ONE, |color| color.0);
        rigid.add_to(&mut self.stage.scene, at.position, at.rotation, tint)?;
        for body in &mut self.stage.scene.bodies[first..] {
            if let Some(mass) = item.mass {
                body.inertia *= mass / body.mass;
                body.mass = mass;
            }
            body.kinematic = item.kinematic;
            body.dynamics = dynamics;
            body.surface.friction = item.friction.unwrap_or(body.surface.friction);
            body.surface.restitution = item.restitution.unwrap_or(body.surface.restitution);
        }
        self.throw(first, item.velocity, item.angular_velocity.radians())?;
        let id = BodyId(first as u32);
        self.stage.scene.bodies[first].name =
            self.full_name(if item.name.is_empty() { &item.model } else { &item.name });
        self.remember(&item.name, Thing::Body(id), item.user_data)
    }

    /// The character that an item wants, made once.
    fn made(&mut self, item: &CharacterItem) -> Result<Arc<Character>, Fault> {
        let scale = item.scale.map(f32::to_bits);
        let wanted = (item.model.clone(), scale, item.ragdoll.clone(), item.clothes);
        if let Some(made) = self.characters.get(&wanted) {
            return Ok(Arc::clone(made));
        }
        if ["dancer", "figure"].contains(&item.model.as_str()) {
            of_model("scale", item.scale.is_some())?;
            of_model("ragdoll", item.ragdoll.is_some())?;
        }
        let character = match item.model.as_str() {
            "dancer" => Character::dancer(),
            "figure" => Character::figure(),
            file => {
                let changes = item.ragdoll.as_ref().map(|file| self.folder.join(file));
                Character::from_file(&self.folder.join(file), item.scale, changes.as_deref())
            }
        };
        let character = character.map_err(DemoError::from)?;
        self.stage.warnings.extend(character.plan().warnings.iter().cloned());
        let made = Arc::new(if item.clothes { character } else { character.undressed() });
        self.characters.insert(wanted, Arc::clone(&made));
        Ok(made)
    }

    /// Lets the bodies from `first` on move and turn together about their middle.
    fn throw(&mut self, first: usize, velocity: glam::Vec3, spin: glam::Vec3) -> Added {
        let (velocity, spin) = (self.turned(velocity), self.turned(spin));
        let scene = &mut self.stage.scene;
        let thrown = &scene.bodies[first..];
        let mass: f32 = thrown.iter().map(|body| body.mass).sum();
        let middle = thrown.iter().map(|body| body.position * (body.mass / mass)).sum::<glam::Vec3>();
        for id in (first..scene.bodies.len()).map(|index| BodyId(index as u32)) {
            let body = scene.body(id);
            let at = Placement { position: body.position, rotation: body.rotation };
            let moving = body.velocity + velocity + spin.cross(body.position - middle);
            let turning = body.angular_velocity + spin;
            scene.place_body(id, at, moving, turning)?;
        }
        let bodies: Vec<_> = (first..scene.bodies.len()).map(|index| BodyId(index as u32)).collect();
        scene.refit(&bodies);
        Ok(())
    }

    /// Names the bodies from `first` on `name/LIMB`.
    fn name_limbs(&mut self, name: &str, first: usize, user_data: u64) -> Added {
        for index in first..self.stage.scene.bodies.len() {
            let mut known = String::new();
            if !name.is_empty() {
                known = format!("{name}/{}", self.stage.scene.bodies[index].name);
                self.stage.scene.bodies[index].name = self.full_name(&known);
            }
            self.remember(&known, Thing::Body(BodyId(index as u32)), user_data)?;
        }
        Ok(())
    }
}

/// The key that lets a character move, if one does.
fn moving(item: &CharacterItem) -> Option<&'static str> {
    if item.velocity != glam::Vec3::ZERO {
        return Some("velocity");
    }
    (item.angular_velocity.radians() != glam::Vec3::ZERO).then_some("angular_velocity")
}

/// Refuses what is asked of who has no model on bones.
fn without_skin(item: &CharacterItem) -> Added {
    let given =
        [("hide", !item.hide.is_empty()), ("strength", item.strength.is_some()), ("muscles", item.muscles.is_some())];
    match given.into_iter().find(|(_, given)| *given) {
        Some((key, _)) => Err(Fault::Said(format!("`{key}` is of a model with bones, and `{}` has none", item.model))),
        None => Ok(()),
    }
}
