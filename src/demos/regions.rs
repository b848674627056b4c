//! Bars of regions that keep their shape, which fall over a rod: one region over all that is rigid, that shears, that bends, and many
//! that overlap.

use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3, Vec4};

use super::demo::{Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::constraints::RegionMode;
use crate::import::tets::SoftPlan;
use crate::scene::{Collider, Regions, Scene, Shape, View, primitive_model};
use crate::spawn::{SoftSettings, palette};

pub(super) const DEMO: Demo = Demo {
    name: "regions",
    summary: "bars by shape matching fall over a rod: one rigid, one linear and one quadratic region, and many that overlap",
    options: &[
        DemoOption::integer("particles", [50.0, 20_000.0], 260.0, "particles of each bar"),
        DemoOption::number(
            "width",
            [2.3, 100.0],
            4.0,
            "side of the regions of the last bar, in distances of particles",
        ),
        DemoOption::number("blend", [0.0, 1.0], 0.8, "part of its deformation that a region keeps for the moment"),
        DemoOption::number(
            "sag",
            [0.001, 0.5],
            0.02,
            "about how soft they are: part of its height that such a body sinks",
        ),
    ],
    build,
};

/// Half extents of a bar [m], and the distance from one to the next.
const HALF: Vec3 = Vec3::new(0.55, 0.07, 0.11);
const APART: f32 = 0.42;
/// Radius of the rod and height of its axis [m].
const ROD: f32 = 0.07;
const HEIGHT: f32 = 0.55;
/// So wide that a region has the whole bar.
const WHOLE: f32 = 1000.0;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let blend = options.number("blend");
    let region = |mode, width| Regions { width, mode, blend, compliance: 0.0 };
    let bars = [
        region(RegionMode::Rigid, WHOLE),
        region(RegionMode::Linear, WHOLE),
        region(RegionMode::Quadratic, WHOLE),
        region(RegionMode::Linear, options.number("width")),
    ];
    let mut warnings = Vec::new();
    for (i, regions) in bars.into_iter().enumerate() {
        let settings = SoftSettings {
            particles: options.count("particles"),
            sag: options.number("sag"),
            regions: Some(regions),
            ..SoftSettings::default()
        };
        let plan: SoftPlan = settings.plan(&primitive_model(&Shape::Cuboid(HALF)))?;
        let at = Vec3::new(0.12, HEIGHT + ROD + HALF.y + 0.25, APART * (i as f32 - 1.5));
        plan.add_to(&mut scene, at, Quat::IDENTITY, palette(i))?;
        warnings.extend(plan.warnings);
    }
    let length = 0.5 * APART * bars.len() as f32;
    let shape = Shape::Capsule { radius: ROD, half_length: length };
    let mut rod = Collider::new(shape, Vec3::Y * HEIGHT).rotated(Quat::from_rotation_x(FRAC_PI_2));
    rod.color = Vec4::new(0.5, 0.5, 0.55, 1.0);
    scene.add_collider(rod)?;
    scene.view = View::around(Vec3::Y * 0.5, 1.15);
    Ok(Stage { warnings, ..scene.into() })
}
