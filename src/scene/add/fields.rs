//! Force fields, and where those of appended scenes go.

use crate::scene::check::present;
use crate::scene::{Field, FieldId, FieldLaw, Placement, Region, Scene, SceneError};

impl Field {
    /// The same at another place, turned with it. What a user wrote reads places of the world as before.
    pub(crate) fn moved(&self, at: &Placement) -> Self {
        let mut field = self.clone();
        match &mut field.region {
            Region::All => {}
            Region::Ball { center, .. } => *center = at.point(*center),
            Region::Box { center, rotation, .. } => {
                (*center, *rotation) = (at.point(*center), at.rotation * *rotation);
            }
        }
        match &mut field.law {
            FieldLaw::Acceleration(vector) | FieldLaw::Air { velocity: vector, .. } => *vector = at.rotation * *vector,
            FieldLaw::Attractor { center, .. } => *center = at.point(*center),
            FieldLaw::Vortex { center, axis, .. } => (*center, *axis) = (at.point(*center), at.rotation * *axis),
            FieldLaw::User(_) => {}
        }
        field
    }
}

impl Scene {
    /// Adds a field of force. The text of a user's field is checked when a solver takes the scene.
    ///
    /// # Errors
    /// [`SceneError`] naming the field, for numbers that are not finite or out of range.
    pub fn add_field(&mut self, field: Field) -> Result<FieldId, SceneError> {
        field.check()?;
        self.fields.push(Some(field));
        Ok(FieldId(self.fields.len() as u32 - 1))
    }

    /// Puts another field in the place of one, or takes it away.
    ///
    /// # Errors
    /// As [`Scene::add_field`], and [`SceneError::Missing`] for one that is not there or was taken away.
    pub fn set_field(&mut self, id: FieldId, field: Option<Field>) -> Result<(), SceneError> {
        if let Some(field) = &field {
            field.check()?;
        }
        let count = self.fields.len();
        let there = self.fields.get(id.0 as usize).is_some_and(Option::is_some);
        present("set_field", "field", if there { id.0 as usize } else { count.max(id.0 as usize) }, count)?;
        self.fields[id.0 as usize] = field;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::scene::Decay;

    #[test]
    fn an_appended_scene_brings_its_fields_along() {
        let mut gadget = Scene::default();
        gadget.add_field(Field::wind(Vec3::X, 2.0).in_ball(Vec3::Y, 1.0)).unwrap();
        gadget.add_field(Field::attractor(Vec3::X, 3.0, Decay::Linear)).unwrap();
        let mut scene = Scene::default();
        scene.add_field(Field::drag(1.0)).unwrap();
        let at = Placement { position: Vec3::Z, rotation: Quat::from_rotation_y(std::f32::consts::FRAC_PI_2) };
        scene.append(&gadget, at, Vec3::ZERO).unwrap();
        let Some(Field { law: FieldLaw::Air { velocity, .. }, region: Region::Ball { center, .. }, .. }) =
            scene.fields[1].clone()
        else {
            panic!("{:?}", scene.fields)
        };
        assert!(velocity.distance(Vec3::NEG_Z) < 1e-6 && center.distance(Vec3::Y + Vec3::Z) < 1e-6);
        let Some(Field { law: FieldLaw::Attractor { center, .. }, .. }) = scene.fields[2] else { panic!() };
        assert!(center.length() < 1e-6);
        assert!(scene.add_pool(&gadget, 2).unwrap_err().to_string().contains("field"));
    }
}
