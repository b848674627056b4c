//! Cloth of models: their vertices become particles.

use crate::import::cloth::{ClothError, ClothPlan, Pins, cloth};
use crate::scene::{Model, SheetMaterial};

/// Part of the own motion of every constraint that dies away per second [1/s].
const CALM: f32 = 10.0;
/// The same of all motion that is not that of the cloth as a whole [1/s]: what hangs would swing for long.
pub const SETTLING: f32 = 2.0;

/// How a model becomes cloth.
#[derive(Clone, Debug)]
pub struct ClothSettings {
    /// At least so many particles; a model with fewer vertices is refined.
    pub particles: u32,
    /// What it is made of.
    pub material: SheetMaterial,
    /// What of it stays where it is.
    pub pins: Pins,
}

impl Default for ClothSettings {
    fn default() -> Self {
        Self { particles: 1500, material: SheetMaterial::default(), pins: Pins::None }
    }
}

impl ClothSettings {
    /// `model` as cloth that meets itself.
    ///
    /// # Errors
    /// [`ClothError`] naming the model and what is wrong.
    pub fn plan(&self, model: &Model) -> Result<ClothPlan, ClothError> {
        let mut plan = cloth(model, self.particles, &self.pins, &self.material)?;
        plan.object = plan.object.damped(CALM);
        plan.object.damping = SETTLING;
        plan.object.meets_itself = true;
        Ok(plan)
    }
}
