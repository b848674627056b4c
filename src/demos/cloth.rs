//! Cloth for demos: models whose vertices are particles.

use std::path::Path;

use super::character::load;
use super::soft::above_ground;
use super::{DemoError, DemoOption, Options, Stage};
use crate::import::cloth::{ClothError, ClothPlan, Pins, cloth};
use crate::scene::{Model, SheetMaterial};

/// Mass of cloth.
pub(super) const AREA_DENSITY: DemoOption =
    DemoOption::number("area_density", [0.001, 100.0], 0.2, "mass of cloth per area [kg/m²]");
/// How its edges give.
pub(super) const STRETCH: DemoOption =
    DemoOption::number("stretch", [0.0, 1.0], 1e-6, "compliance of the edges of cloth [m/N]");
/// How it bends.
pub(super) const BEND: DemoOption =
    DemoOption::number("bend", [0.0, 1e12], 1e4, "inverse bending stiffness of cloth [1/J]");
/// What of it is held.
pub(super) const PIN: DemoOption = DemoOption::text(
    "pin",
    "top",
    "what of a cloth stays where it is: none, top, red (vertices painted so), name:NODE or box:X,Y,Z,X,Y,Z [m]",
);

/// Part of the own motion of every constraint that dies away per second [1/s].
const CALM: f32 = 10.0;
/// The same of all motion that is not that of the cloth as a whole: what hangs would swing for long.
pub(super) const SETTLING: f32 = 2.0;

/// What the options `area_density`, `stretch` and `bend` want.
pub(super) fn material(options: &Options) -> SheetMaterial {
    SheetMaterial {
        area_density: options.number("area_density"),
        stretch: options.number("stretch"),
        bend: options.number("bend"),
        ..SheetMaterial::default()
    }
}

/// `model` as the options `particles`, `pin` and those of the material want it.
pub(super) fn made(model: &Model, options: &Options) -> Result<ClothPlan, DemoError> {
    let pins = options.text("pin").map_or(Ok(Pins::None), str::parse);
    let pins = pins.map_err(|reason| ClothError { name: model.name.clone(), reason })?;
    let mut plan = cloth(model, options.count("particles"), &pins, &material(options))?;
    plan.object = plan.object.damped(CALM);
    plan.object.damping = SETTLING;
    plan.object.meets_itself = true;
    Ok(plan)
}

/// The model in `path` as cloth, with what was said of the file.
pub(super) fn plan(path: &Path, options: &Options) -> Result<ClothPlan, DemoError> {
    let asset = load(path, options)?;
    let mut plan = made(&asset.model, options)?;
    plan.warnings.splice(0..0, asset.warnings);
    Ok(plan)
}

/// The model in `path` as cloth, dropped on the ground or hanging above it.
pub(super) fn dropped(path: &Path, options: &Options) -> Result<Stage, DemoError> {
    let ClothPlan { object, shell, warnings, .. } = plan(path, options)?;
    above_ground(&(object, shell), warnings, options)
}
