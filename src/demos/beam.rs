//! A cantilever beam of elastic tetrahedra that bends under its weight: how far is known from Euler and Bernoulli.

use std::sync::Arc;

use glam::{Quat, UVec3, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::numbers::cubed;
use crate::scene::{Collider, Deformable, Material, Scene, Shell, SoftMaterial, SoftModel, View};
use crate::spawn::forms::{brick, cut_brick};
use crate::spawn::palette;

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
            "sag of the tip that the stiffness is chosen for, as a part of the length",
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
    let (rest, tetrahedra) = cut_brick(cells, size);
    // I = t⁴ / 12 and A = t²: the sag is 1.5 ρ g L⁴ / E t².
    let sag = options.number("sag") * LENGTH;
    let young = 1.5 * DENSITY * -scene.params.gravity.y * cubed(LENGTH) * LENGTH / (sag * THICKNESS * THICKNESS);
    let model = SoftModel::NeoHookean { young, poisson: options.number("poisson") };
    let material = SoftMaterial { density: DENSITY, model };
    let mut beam = Deformable::soft("beam", rest, &tetrahedra, 0.02, &material)?.damped(10.0);
    beam.pin(|at| at.x <= 0.0);
    let skin: Vec<[u32; 3]> = brick(cells, size).surface().into_iter().map(|(face, _)| face).collect();
    let shell = Shell::on_particles(&beam.rest, &skin, &[], Material::default());
    let id = scene.add_deformable(&beam, Vec3::new(-0.5 * LENGTH, 0.6, 0.0), Quat::IDENTITY, Vec3::ZERO)?;
    scene.draw_shell(id, &Arc::new(shell), palette(5))?;
    scene.view = View::around(Vec3::Y * 0.6, 1.2);
    Ok(scene.into())
}
