//! A cantilever beam of elastic tetrahedra that bends under its weight: how far is known from Euler and Bernoulli.

use std::sync::Arc;

use glam::{Quat, UVec3, Vec3};

use super::demo::{Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Deformable, Material, Scene, Shell, SoftMaterial, SoftModel, View};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "beam",
    summary: "a cantilever beam of elastic tetrahedra sags by ρ g A L⁴ / 8 E I, in weak gravity",
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
    let (rest, tetrahedra) = blocks(UVec3::new(along, layers, ACROSS), Vec3::new(LENGTH, THICKNESS, THICKNESS));
    // I = t⁴ / 12 and A = t²: the sag is 1.5 ρ g L⁴ / E t².
    let sag = options.number("sag") * LENGTH;
    let young = 1.5 * DENSITY * -scene.params.gravity.y * LENGTH.powi(4) / (sag * THICKNESS * THICKNESS);
    let model = SoftModel::NeoHookean { young, poisson: options.number("poisson") };
    let mut beam =
        Deformable::soft("beam", rest, &tetrahedra, 0.02, &SoftMaterial { density: DENSITY, model })?.damped(10.0);
    beam.pin(|at| at.x <= 0.0);
    let shell = Shell::on_particles(&beam.rest, &skin(&beam.rest, &tetrahedra), &[], Material::default());
    let id = scene.add_deformable(&beam, Vec3::new(-0.5 * LENGTH, 0.6, 0.0), Quat::IDENTITY, Vec3::ZERO)?;
    scene.draw_shell(id, &Arc::new(shell), palette(5))?;
    scene.view = View::around(Vec3::Y * 0.6, 1.2);
    Ok(scene.into())
}

/// A box of so many cells along each axis and of this size [m], six tetrahedra to a cell, from x = 0. Every other cell is
/// a mirror image of its neighbor: all alike, they resist bending more.
fn blocks(cells: UVec3, size: Vec3) -> (Vec<Vec3>, Vec<[u32; 4]>) {
    let corners = cells + UVec3::ONE;
    let index = |c: UVec3| (c.z * corners.y + c.y) * corners.x + c.x;
    let place = |i: u32| UVec3::new(i % corners.x, i / corners.x % corners.y, i / (corners.x * corners.y));
    let at = |c: UVec3| (c.as_vec3() / cells.as_vec3() - Vec3::new(0.0, 0.5, 0.5)) * size;
    let rest = (0..corners.element_product()).map(|i| at(place(i))).collect();
    let mut tetrahedra = Vec::new();
    for low in (0..corners.element_product()).map(place).filter(|c| c.cmplt(cells).all()) {
        // Kuhn: one tetrahedron for each order of the three axes from corner to corner.
        for [a, b, c] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let odd = low % 2;
            let mut corner = low + odd;
            let mut t = [index(corner); 4];
            for (k, axis) in [a, b, c].into_iter().enumerate() {
                corner[axis] = corner[axis] + 1 - 2 * odd[axis];
                t[k + 1] = index(corner);
            }
            tetrahedra.push(t);
        }
    }
    (rest, tetrahedra)
}

/// The faces that only one tetrahedron has, outward.
fn skin(rest: &[Vec3], tetrahedra: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let mut faces = std::collections::BTreeMap::new();
    for [a, b, c, d] in tetrahedra.iter().copied() {
        let [p, q, r, s] = [a, b, c, d].map(|i| rest[i as usize]);
        let [c, d] = if (q - p).cross(r - p).dot(s - p) > 0.0 { [c, d] } else { [d, c] };
        for face in [[b, c, d], [a, d, c], [a, b, d], [a, c, b]] {
            let mut key = face;
            key.sort_unstable();
            faces.entry(key).and_modify(|f| *f = None).or_insert(Some(face));
        }
    }
    faces.into_values().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_fill_their_box_and_its_skin_closes_it() {
        let size = Vec3::new(2.0, 1.0, 0.5);
        let (rest, tetrahedra) = blocks(UVec3::new(3, 2, 2), size);
        let at = |i: u32| rest[i as usize];
        let volume = |t: &[u32; 4]| {
            let [a, b, c, d] = t.map(at);
            ((b - a).cross(c - a).dot(d - a) / 6.0).abs()
        };
        let sum: f32 = tetrahedra.iter().map(volume).sum();
        assert!((sum - size.element_product()).abs() < 1e-5, "{sum}");
        let enclosed: f32 = skin(&rest, &tetrahedra).iter().map(|t| at(t[0]).cross(at(t[1])).dot(at(t[2])) / 6.0).sum();
        assert!((enclosed - sum).abs() < 1e-5, "{enclosed} outward");
    }
}
