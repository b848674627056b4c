//! Bars of shape-matched regions that stick out of a wall and sag: a single region that is rigid, that shears, or that bends,
//! and many overlapping ones.

use glam::{Quat, Vec2, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::constraints::RegionMode;
use crate::scene::{Collider, Material, Model, Primitive, Regions, Scene, Shape, SheetGrid, View};
use crate::spawn::{SoftSettings, palette};

pub(super) const DEMO: Demo = Demo {
    name: "regions",
    summary: "shape-matched bars sag from a wall: one rigid, one linear, one quadratic region, and many that overlap",
    category: Category::Flesh,
    options: &[
        DemoOption::integer("particles", [50.0, 20_000.0], 300.0, "particles of each bar"),
        DemoOption::number("width", [2.3, 100.0], 4.0, "side of the regions of the last bar, in particle spacings"),
        DemoOption::number("blend", [0.0, 1.0], 0.9, "fraction of its current deformation that a region keeps"),
        DemoOption::number(
            "sag",
            [0.001, 0.5],
            0.01,
            "approximate softness: fraction of its height by which such a body sags",
        ),
    ],
    build,
};

/// Half extents of a bar [m], the part of it that is held, and the distance from one to the next.
const HALF: Vec3 = Vec3::new(0.5, 0.07, 0.08);
const HELD: f32 = 0.16;
const APART: f32 = 0.34;
/// Height of the bars [m].
const HEIGHT: f32 = 1.0;
/// So wide that a region has the whole bar.
const WHOLE: f32 = 1000.0;
/// Longest edge of what is drawn [m].
const EDGE: f32 = 0.03;

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
        let mut plan = settings.plan(&bar())?;
        plan.object.pin(|at| at.x < HELD - HALF.x);
        plan.object.damping = 1.0;
        let at = Vec3::new(HALF.x - HELD, HEIGHT, APART * (i as f32 - 1.5));
        plan.add_to(&mut scene, at, Quat::IDENTITY, palette(i))?;
        warnings.extend(plan.warnings);
    }
    let wide = 0.5 * APART * bars.len() as f32;
    let mut wall = Collider::new(Shape::Cuboid(Vec3::new(0.03, 0.2, wide)), Vec3::new(-HELD - 0.031, HEIGHT, 0.0));
    wall.color = palette(7);
    scene.add_collider(wall)?;
    scene.view = View::around(Vec3::new(0.3, 0.8, 0.0), 0.95);
    Ok(Stage { warnings, ..scene.into() })
}

/// A box of many triangles, so that it can be drawn bent.
fn bar() -> Model {
    let mut part = Primitive::default();
    let quarter = std::f32::consts::FRAC_PI_2;
    let turns = [0.0, 1.0, 2.0, 3.0].map(|k| Quat::from_rotation_x(k * quarter));
    for turn in turns.into_iter().chain([1.0, -1.0].map(|k| Quat::from_rotation_z(k * quarter))) {
        // A sheet that faces up, turned outward.
        let size = (turn.inverse() * HALF).abs();
        let points = [size.x, size.z].map(|half| 1 + (2.0 * half / EDGE).ceil() as u32);
        let grid = SheetGrid { points, size: 2.0 * Vec2::new(size.x, size.z), ..SheetGrid::square(2, 1.0) };
        let first = part.positions.len() as u32;
        part.positions.extend(grid.positions().into_iter().map(|p| turn * p.with_y(size.y)));
        part.normals.resize(part.positions.len(), turn * Vec3::Y);
        part.indices.extend(grid.triangles().iter().flatten().map(|i| first + i));
    }
    let material = Material { roughness: 0.5, ..Material::default() };
    Model { name: "bar".into(), primitives: vec![part], materials: vec![material], ..Model::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_encloses_its_volume() {
        let part = bar().primitives.swap_remove(0);
        let at = |i: u32| part.positions[i as usize];
        let triangles = part.indices.as_chunks::<3>().0.iter();
        let volume: f32 = triangles.map(|t| at(t[0]).cross(at(t[1])).dot(at(t[2])) / 6.0).sum();
        assert!((volume / (8.0 * HALF.element_product()) - 1.0).abs() < 1e-4, "{volume} m³");
    }
}
