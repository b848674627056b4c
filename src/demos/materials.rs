//! What a model can be made of: options that several demos share, and the characters, flesh and cloth built from them.

use std::path::Path;
use std::sync::Arc;

use glam::{Vec3, Vec4};

use super::demo::{DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::constraints::{Plastic, RegionMode};
use crate::import::cloth::{ClothError, ClothPlan, Pins};
use crate::import::tets::SoftPlan;
use crate::import::{self, Asset};
use crate::scene::{
    Collider, Deformable, Model, Placement, Regions, Scene, SheetMaterial, Shell, Topology, View, Weave,
};
use crate::spawn::{Character, ClothSettings, SoftSettings, soft};

/// What a model can be made of.
pub(super) const MATERIALS: [&str; 5] = ["ragdoll", "soft", "rigid", "cloth", "regions"];

/// Options of a model file as target.
pub(super) const OPTIONS: &[DemoOption] = &[
    DemoOption::number("drop", [0.0, 100.0], 1.0, "height of the lowest point above the ground [m]"),
    DemoOption::text("clip", "NAME", "a clip of the model to play instead of falling"),
    SCALE,
    RAGDOLL,
    CLOTHES,
    DemoOption::choice("material", &MATERIALS, "what it is made of"),
    PARTICLES,
    SAG,
    YIELD,
    CREEP,
    CONTACT,
    FIBERS,
    MODE,
    WIDTH,
    BLEND,
    AREA_DENSITY,
    STRETCH,
    BEND,
    WEAVE,
    WARP,
    WEFT,
    SHEAR,
    PIN,
];

/// Units of a model file.
pub(super) const SCALE: DemoOption =
    DemoOption::number("scale", [0.0, 1.0e6], 0.0, "meters per unit of the file; 0 chooses by its size");
/// Changes to the ragdoll of a model.
pub(super) const RAGDOLL: DemoOption =
    DemoOption::text("ragdoll", "FILE.ron", "changes to the ragdoll, from `sinew inspect MODEL --write FILE.ron`");

/// Clothes of a model.
pub(super) const CLOTHES: DemoOption =
    DemoOption::choice("clothes", &["on", "off"], "meshes of the model whose names begin with `cloth`, worn as cloth");

/// Particles of a soft body.
pub(super) const PARTICLES: DemoOption = DemoOption::integer(
    "particles",
    [50.0, 100_000.0],
    1500.0,
    "particles of a soft body; at least this many for cloth",
);
/// How soft it is.
pub(super) const SAG: DemoOption = DemoOption::number(
    "sag",
    [0.001, 0.5],
    0.05,
    "fraction of its height by which a soft body sags under its own weight",
);
/// When it keeps a new shape.
pub(super) const YIELD: DemoOption =
    DemoOption::number("yield", [0.0, 10.0], 0.0, "strain beyond which it keeps its new shape; 0 for never");
/// How fast.
pub(super) const CREEP: DemoOption = DemoOption::number(
    "creep",
    [0.01, 1000.0],
    20.0,
    "fraction of that strain that becomes permanent per second [1/s]",
);
/// What it meets others by.
pub(super) const CONTACT: DemoOption = DemoOption::choice(
    "contact",
    &["balls", "triangles"],
    "how a soft body collides: by its particles, or by its surface, through which nothing slips; slower",
);
/// How much stiffer it is along its height.
pub(super) const FIBERS: DemoOption = DemoOption::number(
    "fibers",
    [0.01, 100.0],
    1.0,
    "how many times as stiff a soft body is along its height as across; 1 for flesh without fibers",
);
/// How regions deform.
pub(super) const MODE: DemoOption =
    DemoOption::choice("mode", &["linear", "quadratic", "rigid"], "how regions that keep their shape may deform");
/// How wide they are.
pub(super) const WIDTH: DemoOption =
    DemoOption::number("width", [2.3, 1000.0], 4.0, "side of a region, in particle spacings; the wider, the stiffer");
/// How far they stay deformed.
pub(super) const BLEND: DemoOption =
    DemoOption::number("blend", [0.0, 1.0], 0.5, "fraction of its current deformation that a region keeps");
/// Stiffness of what was flattened.
pub(super) const YOUNG: DemoOption = DemoOption::number("young", [1e3, 1e7], 1e5, "stiffness of the material [Pa]");
/// Damping of what was flattened [1/s]: it is back in a blink, and shakes for less than a second.
pub(super) const CALMED: f32 = 30.0;

/// Mass of cloth.
pub(super) const AREA_DENSITY: DemoOption =
    DemoOption::number("area_density", [0.001, 100.0], 0.2, "mass of cloth per area [kg/m²]");
/// How its edges give.
pub(super) const STRETCH: DemoOption =
    DemoOption::number("stretch", [0.0, 1.0], 1e-6, "compliance of the edges of cloth [m/N]");
/// How it bends.
pub(super) const BEND: DemoOption =
    DemoOption::number("bend", [0.0, 1e12], 1e4, "inverse bending stiffness of cloth [1/J]");
/// How cells of a sheet are cut.
pub(super) const TOPOLOGY: DemoOption = DemoOption::choice(
    "topology",
    &["centered", "diagonal"],
    "how its cells are split in two: alternating, or all the same way",
);
/// Whether threads give way in place of edges.
pub(super) const WEAVE: DemoOption = DemoOption::choice(
    "weave",
    &["off", "on"],
    "cloth of threads that stretch by warp, weft and shear instead of along edges",
);
/// How they give.
pub(super) const WARP: DemoOption =
    DemoOption::number("warp", [0.0, 100.0], 1e-3, "strain along the warp per force on each meter across [m/N]");
/// The same across.
pub(super) const WEFT: DemoOption =
    DemoOption::number("weft", [0.0, 100.0], 1e-3, "strain along the weft per force on each meter across [m/N]");
/// And between them.
pub(super) const SHEAR: DemoOption =
    DemoOption::number("shear", [0.0, 100.0], 2e-2, "shear of the weave per force along each meter [m/N]");
/// What of it is held.
pub(super) const PIN: DemoOption = DemoOption::text(
    "pin",
    "top",
    "which part of a cloth is pinned: none, top, red (vertices painted red), name:NODE or box:X,Y,Z,X,Y,Z [m]",
);

/// Strain of a new shape against the first one at which it flows no farther.
const MOST_SET: f32 = 1.0;

/// The character of a model file, as the options `scale` and `ragdoll` want it.
pub(super) fn character(path: &Path, options: &Options) -> Result<Character, DemoError> {
    Ok(Character::from_file(path, scale(options), options.text("ragdoll").map(Path::new))?)
}

/// The character of the option `model`, or our own.
pub(super) fn performer(options: &Options) -> Result<Character, DemoError> {
    if let Some(path) = options.text("model") {
        return character(Path::new(path), options);
    }
    of_models(options, &["scale"])?;
    Ok(Character::dancer_with(options.text("ragdoll").map(Path::new))?)
}

/// Refuses options that are of model files, where none is given.
pub(super) fn of_models(options: &Options, names: &[&'static str]) -> Result<(), DemoError> {
    match names.iter().find(|name| options.is_set(name)) {
        Some(option) => Err(DemoError::OnlyModels(option)),
        None => Ok(()),
    }
}

/// A character without its clothes, if the option `clothes` wants it so.
pub(super) fn dressed(character: Character, options: &Options) -> Character {
    if options.count("clothes") == 1 { character.undressed() } else { character }
}

/// What the options `area_density`, `stretch`, `bend` and those of the weave want, the warp along `direction`.
pub(super) fn sheet(options: &Options, direction: Vec3) -> SheetMaterial {
    let [warp, weft, shear] = ["warp", "weft", "shear"].map(|name| options.number(name));
    SheetMaterial {
        area_density: options.number("area_density"),
        stretch: options.number("stretch"),
        bend: options.number("bend"),
        weave: (options.count("weave") == 1).then_some(Weave { warp, weft, shear, direction }),
        ..SheetMaterial::default()
    }
}

/// What the option `topology` wants.
pub(super) fn topology(options: &Options) -> Topology {
    if options.count("topology") == 1 { Topology::Diagonal } else { Topology::Centered }
}

/// `model` as the options `particles`, `pin` and those of the material want it.
pub(super) fn cloth(model: &Model, options: &Options) -> Result<ClothPlan, DemoError> {
    let pins = options.text("pin").map_or(Ok(Pins::None), str::parse);
    let pins = pins.map_err(|reason| ClothError { name: model.name.clone(), reason })?;
    Ok(ClothSettings { particles: options.count("particles"), material: sheet(options, Vec3::Y), pins }.plan(model)?)
}

/// The model in `path` as cloth, with what was said of the file.
pub(super) fn cloth_file(path: &Path, options: &Options) -> Result<ClothPlan, DemoError> {
    let asset = bare(path, options)?;
    let mut plan = cloth(&asset.model, options)?;
    plan.warnings.splice(0..0, asset.warnings);
    Ok(plan)
}

/// `model` as soft as the options `particles`, `sag`, `yield`, `creep`, `contact` and `fibers` want it.
pub(super) fn flesh(model: &Model, regions: Option<Regions>, options: &Options) -> Result<SoftPlan, DemoError> {
    let yield_strain = options.number("yield");
    let plastic = || Plastic { yield_strain, creep: options.number("creep"), most: MOST_SET };
    let settings = SoftSettings {
        particles: options.count("particles"),
        sag: options.number("sag"),
        plastic: (yield_strain > 0.0).then(plastic),
        by_triangles: options.count("contact") == 1,
        regions,
        fibers: Some(options.number("fibers")).filter(|times| *times != 1.0).map(|times| (Vec3::Y, times)),
    };
    Ok(settings.plan(model)?)
}

/// What the options `mode`, `width` and `blend` want.
pub(super) fn regions(options: &Options) -> Regions {
    let modes = [RegionMode::Linear, RegionMode::Quadratic, RegionMode::Rigid];
    let mode = modes[options.count("mode") as usize];
    Regions { width: options.number("width"), mode, blend: options.number("blend"), compliance: 0.0 }
}

/// The model in `path` as a soft body, of regions if it shall be, with what was said of the file.
pub(super) fn flesh_file(path: &Path, options: &Options) -> Result<SoftPlan, DemoError> {
    let asset = bare(path, options)?;
    let regions = (MATERIALS[options.count("material") as usize] == "regions").then(|| regions(options));
    let mut plan = flesh(&asset.model, regions, options)?;
    plan.warnings.splice(0..0, asset.warnings);
    Ok(plan)
}

/// The model in `path` of the material that the options name: dropped on the ground, or playing the clip that it was
/// told to.
pub(super) fn dropped(path: &Path, options: &Options) -> Result<Stage, DemoError> {
    let material = MATERIALS[options.count("material") as usize];
    if material != "ragdoll" {
        let unfit = |option: &&str| options.text(option).is_some();
        if let Some(option) = ["clip", "ragdoll"].into_iter().find(unfit) {
            return Err(DemoError::OnlyRagdolls { option, material });
        }
    }
    let mut stage = dropped_as(material, path, options)?;
    let unused = OPTIONS.iter().map(|option| option.name).filter(|name| options.is_set(name) && !uses(material, name));
    stage.warnings.extend(unused.map(|name| format!("`{name}` changes nothing where `material={material}`")));
    Ok(stage)
}

/// Whether an option changes something of what is made of a material.
fn uses(material: &str, option: &str) -> bool {
    const FLESH: [&str; 6] = ["particles", "sag", "yield", "creep", "contact", "fibers"];
    const CLOTH: [&str; 9] = ["particles", "area_density", "stretch", "bend", "weave", "warp", "weft", "shear", "pin"];
    ["drop", "scale", "material"].contains(&option)
        || match material {
            "ragdoll" => ["clip", "ragdoll", "clothes"].contains(&option),
            "soft" => FLESH.contains(&option),
            "regions" => FLESH.contains(&option) || ["mode", "width", "blend"].contains(&option),
            "cloth" => CLOTH.contains(&option),
            _ => false,
        }
}

fn dropped_as(material: &str, path: &Path, options: &Options) -> Result<Stage, DemoError> {
    match material {
        "soft" | "regions" => {
            let SoftPlan { object, shell, warnings, .. } = flesh_file(path, options)?;
            above_ground(&(object, shell), warnings, options)
        }
        "cloth" => {
            let ClothPlan { object, shell, warnings, .. } = cloth_file(path, options)?;
            above_ground(&(object, shell), warnings, options)
        }
        "rigid" => {
            let rigid = Character::rigid(&bare(path, options)?)?;
            let warnings = rigid.plan().warnings.clone();
            Ok(Stage { warnings, ..falling(&rigid, options)? })
        }
        _ => falling(&dressed(character(path, options)?, options), options),
    }
}

/// A character alone, as high above the ground as the option `drop` says, or playing the clip that `clip` names.
fn falling(character: &Character, options: &Options) -> Result<Stage, DemoError> {
    let mut stage = Stage::default();
    stage.scene.add_collider(Collider::ground(0.0))?;
    let height = options.number("drop");
    let mut performer = character.drop(&mut stage.scene, height)?;
    if let Some(name) = options.text("clip") {
        let clip = character.clip(Some(name))?;
        if let Some(performer) = &mut performer {
            performer.enter(&mut stage.scene, Placement::IDENTITY, clip, 0.0)?;
        }
    }
    stage.cast.performers.extend(performer);
    // The fall and the heap: from the ground to the top of the character.
    let top = character.top(height);
    stage.scene.view = View::around(Vec3::Y * (0.4 * top), 0.62 * top);
    Ok(stage)
}

/// An object alone, as high above the ground as the option `drop` says.
fn above_ground(
    drawn: &(Deformable, Arc<Shell>),
    warnings: Vec<String>,
    options: &Options,
) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let (low, high) = drawn.0.bounds();
    let height = options.number("drop") - low.y;
    soft::add(&mut scene, drawn, Vec3::Y * height, Vec4::ONE)?;
    let top = height + high.y;
    scene.view = View::around(Vec3::Y * (0.4 * top), 0.62 * top.max(high.x - low.x));
    Ok(Stage { warnings, ..scene.into() })
}

/// The model file at `path` without a skeleton, as the option `scale` wants it.
fn bare(path: &Path, options: &Options) -> Result<Asset, DemoError> {
    let mut asset = import::load_scaled(path, scale(options))?;
    let names = asset.garments.iter().map(|g| &g.name);
    asset.warnings.extend(names.map(|name| format!("`{name}` is cloth that only a ragdoll wears; it is left out")));
    Ok(asset)
}

/// Meters to the unit of a file, if the option `scale` says so.
fn scale(options: &Options) -> Option<f32> {
    Some(options.number("scale")).filter(|s| *s != 0.0)
}
