//! Cloth that falls over a tube: scene s0 of paper 1.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{TOPOLOGY, topology};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Deformable, Material, Scene, Shape, SheetGrid, SheetMaterial, Shell, View};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "s0",
    summary: "a cloth falls over a tube or sphere: 10 000 particles, 29 601 edges, 29 205 bends",
    category: Category::Bodies,
    options: &[
        DemoOption::integer("side", [2.0, 1000.0], 100.0, "particles along a side"),
        DemoOption::choice("over", &["tube", "sphere"], "what it falls on"),
        DemoOption::choice("bend", &["angle", "isometric"], "which bending constraint"),
        DemoOption::choice("meets", &["others", "itself"], "whether the cloth also collides with itself"),
        TOPOLOGY,
    ],
    build,
};

/// Side of the cloth [m].
const SIDE: f32 = 2.0;
/// Radius of the tube [m].
const TUBE: f32 = 0.3;
/// Radius of the sphere [m].
const SPHERE: f32 = 0.5;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.params.iterations = 2;
    scene.add_collider(Collider::ground(0.0))?;
    let sphere = options.count("over") == 1;
    if sphere {
        // As cloth is measured: eight substeps of one iteration.
        scene.params.iterations = 1;
        scene.add_collider(Collider::new(Shape::Sphere(SPHERE), Vec3::Y * 0.8))?;
    } else {
        let tube = Collider::new(Shape::Capsule { radius: TUBE, half_length: 0.9 }, Vec3::Y * 0.9);
        scene.add_collider(tube.rotated(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)))?;
    }
    let side = options.count("side");
    let grid = SheetGrid { topology: topology(options), ..SheetGrid::square(side, SIDE) };
    let (rest, triangles, uvs) = (grid.positions(), grid.triangles(), grid.uvs());
    let by_angle = options.count("bend") == 0;
    let bend = if by_angle { 1e3 } else { 1e4 };
    let material = SheetMaterial { by_angle, bend, ..SheetMaterial::default() };
    let mut cloth = Deformable::sheet("cloth", rest, &triangles, 0.49 * grid.spacing(), &material)?.damped(10.0);
    cloth.meets_itself = options.count("meets") == 1;
    let surface = Material { double_sided: true, roughness: 0.9, ..Material::default() };
    let shell = Arc::new(Shell::on_particles(&cloth.rest, &triangles, &uvs, surface));
    let id = scene.add_deformable(&cloth, Vec3::new(0.25, 1.5, 0.1), Quat::from_rotation_y(0.3), Vec3::ZERO)?;
    scene.draw_shell(id, &shell, palette(0))?;
    scene.view = View::around(Vec3::Y * 0.7, 1.75);
    Ok(scene.into())
}

#[cfg(test)]
mod tests {
    use super::super::counts::count;
    use super::*;
    use crate::constraints::Row;

    #[test]
    fn counts_are_those_of_the_paper() {
        let scene = build(&Options::new(DEMO.options)).unwrap().scene;
        let [stretch, bend] = [count(&scene, |row| row.stretch().is_some()), count(&scene, Row::bends)];
        assert_eq!((scene.particles.len(), stretch.0, bend.0), (10_000, 29_601, 29_205));
        assert!(stretch.1 <= 8 && bend.1 <= 18, "{} and {} colors", stretch.1, bend.1);
    }
}
