//! A cantilever beam of elastic tetrahedra that bends under its weight, as far as Euler and Bernoulli predict.

use std::sync::Arc;

use glam::{Quat, UVec3, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::numbers::cubed;
use crate::scene::{Collider, Deformable, Material, Scene, Shape, Shell, SoftMaterial, SoftModel, View};
use crate::spawn::forms::brick;
use crate::spawn::{add_scenery, palette};

pub(super) const DEMO: Demo = Demo {
    name: "beam",
    summary: "a cantilever beam of elastic tetrahedra sags by ρ g A L⁴ / 8 E I, in weak gravity",
    category: Category::Flesh,
    options: &[
        DemoOption::integer("layers", [1.0, 16.0], 8.0, "cells through the thickness"),
        DemoOption::number(
            "sag",
            [0.001, 0.2],
            0.06,
            "sag of the tip for which the stiffness is chosen, as a fraction of the length",
        ),
        DemoOption::number("poisson", [0.0, 0.49], 0.0, "Poisson's ratio"),
    ],
    build,
};

/// Length and thickness [m].
const LENGTH: f32 = 2.0;
const THICKNESS: f32 = 0.25;
const DENSITY: f32 = 100.0;
/// Cells across, where nothing bends.
const ACROSS: u32 = 2;
/// Height of its axis [m], and half sides of the wall that it sticks out of.
const HEIGHT: f32 = 0.6;
const WALL: Vec3 = Vec3::new(0.05, 0.55, 0.35);

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    // One iteration carries a force from cell to cell only where a substep is short for the material: small substeps, and
    // gravity so weak that what sags little may be soft.
    scene.params.substeps = 64;
    scene.params.gravity.y = -0.4;
    scene.add_collider(Collider::ground(0.0))?;
    let layers = options.count("layers");
    let along = (layers as f32 * LENGTH / THICKNESS).round() as u32;
    let (cells, size) = (UVec3::new(along, layers, ACROSS), Vec3::new(LENGTH, THICKNESS, THICKNESS));
    let mesh = brick(cells, size);
    let skin: Vec<[u32; 3]> = mesh.surface().into_iter().map(|(face, _)| face).collect();
    // I = t⁴ / 12 and A = t²: the sag is 1.5 ρ g L⁴ / E t².
    let sag = options.number("sag") * LENGTH;
    let young = 1.5 * DENSITY * -scene.params.gravity.y * cubed(LENGTH) * LENGTH / (sag * THICKNESS * THICKNESS);
    let model = SoftModel::NeoHookean { young, poisson: options.number("poisson") };
    let material = SoftMaterial { density: DENSITY, model };
    let mut beam = Deformable::soft("beam", mesh.positions, &mesh.tets, 0.02, &material)?.damped(10.0);
    beam.pin(|at| at.x <= 0.0);
    let shell = Shell::on_particles(&beam.rest, &skin, &[], Material::default());
    let id = scene.add_deformable(&beam, Vec3::new(-0.5 * LENGTH, HEIGHT, 0.0), Quat::IDENTITY, Vec3::ZERO)?;
    scene.draw_shell(id, &Arc::new(shell), palette(5))?;
    // Its face is where the beam is held: particles there would lie in a wall that they meet.
    let mut wall = Collider::new(Shape::Cuboid(WALL), Vec3::new(-0.5 * LENGTH - WALL.x, WALL.y, 0.0));
    wall.color = palette(7);
    add_scenery(&mut scene, wall)?;
    scene.view = View::around(Vec3::Y * HEIGHT, 1.2);
    Ok(scene.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_of_it_encloses_its_volume() {
        for layers in ["1", "4", "8"] {
            let mut options = Options::new(DEMO.options);
            options.set(&DEMO.options[0], layers).unwrap();
            let scene = build(&options).unwrap().scene;
            let surface = &scene.surfaces[0];
            let (part, points) = (&surface.shell.model.primitives[0], &surface.shell.vertex_points[0]);
            let at = |vertex: u32| {
                let anchor = &surface.shell.points[points[vertex as usize] as usize];
                scene.particles[(surface.first_particle.0 + anchor.particles[0]) as usize].position
            };
            let triangles = part.indices.as_chunks::<3>().0.iter();
            let volume: f32 = triangles.map(|t| at(t[0]).cross(at(t[1])).dot(at(t[2])) / 6.0).sum();
            assert!((volume / (LENGTH * THICKNESS * THICKNESS) - 1.0).abs() < 1e-3, "{layers} layers: {volume} m³");
        }
    }
}
