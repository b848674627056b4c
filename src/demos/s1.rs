//! A flattened soft body that takes its volume back: scene s1 of paper 1, with a hollow ring in the bunny's place.

use glam::{Quat, Vec2, Vec3};

use super::rings::{Ring, Section, circle, draw};
use super::stage::{palette, view_of};
use super::{Demo, DemoError, DemoOption, Options, Stage};
use crate::constraints::Dihedral;
use crate::scene::{Collider, Deformable, Scene, SheetMaterial, SoftMaterial, SoftModel};

pub(super) const DEMO: Demo = Demo {
    name: "s1",
    summary: "a flattened ring takes its volume back: 15 400 particles, 79 800 edges, 42 000 bends, 50 400 tetrahedra",
    options: &[DemoOption::number(
        "flatness",
        [0.001, 1.0],
        0.02,
        "height at the start, as a part of the height at rest",
    )],
    build,
};

/// Slices around the ring, and points around its section.
const SLICES: u32 = 140;
const AROUND: u32 = 50;
/// Radius of the ring, and of its section outside and inside [m].
const RADIUS: f32 = 0.45;
const OUTER: f32 = 0.18;
const INNER: f32 = 0.15;

/// The wall of a tube: quads, every fifth one with a point in its middle.
fn wall() -> Section {
    let mut points: Vec<Vec2> = circle(AROUND, OUTER).chain(circle(AROUND, INNER)).collect();
    let mut faces = Vec::new();
    for i in 0..AROUND {
        let next = (i + 1) % AROUND;
        let quad = [i, next, AROUND + next, AROUND + i];
        if i % 5 == 0 {
            let middle = points.len() as u32;
            points.push(quad.iter().map(|p| points[*p as usize]).sum::<Vec2>() / 4.0);
            faces.extend((0..4).map(|k| [quad[k], quad[(k + 1) % 4], middle]));
        } else {
            faces.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
        }
    }
    Section { points, faces, outline: AROUND }
}

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    (scene.params.substeps, scene.params.iterations) = (4, 1);
    scene.add_collider(Collider::ground(0.0))?;
    let ring = Ring::new(&wall(), SLICES, RADIUS);
    let material = SoftMaterial { density: 300.0, model: SoftModel::Springs { stretch: 2e-5, volume: 0.0 } };
    let radius = 0.008;
    let mut body = Deformable::soft("ring", ring.rest.clone(), &ring.tetrahedra, radius, &material)?;
    for surface in surfaces(&ring) {
        let skin = Deformable::sheet(
            "skin",
            ring.rest.clone(),
            &surface,
            radius,
            &SheetMaterial { by_angle: true, ..SheetMaterial::default() },
        )?;
        for row in skin.constraints.iter().filter(|row| row.kind.name == "dihedral") {
            let particles = row.particles;
            body.join(&Dihedral { particles, rest_angle: row.values[0], compliance: 2.0 })?;
        }
    }
    let body = body.damped(0.01);
    let id = scene.add_deformable(&body, Vec3::Y * (OUTER + radius), Quat::IDENTITY, Vec3::ZERO)?;
    let flatness = options.number("flatness");
    for particle in &mut scene.particles {
        particle.position.y = radius + flatness * (particle.position.y - radius);
    }
    draw(&mut scene, id, &ring.shell(), palette(4))?;
    scene.view = view_of(Vec3::Y * 0.1, 0.75);
    Ok(scene.into())
}

/// Triangles of the outer and of the inner wall.
fn surfaces(ring: &Ring) -> [Vec<[u32; 3]>; 2] {
    let (outer, more) = (SLICES * AROUND, ring.rest.len() as u32 / SLICES - AROUND);
    // A point of the outer wall lies over the inner one with the same place in its slice.
    let under = |i: u32| outer + (i / AROUND) * more + i % AROUND;
    [ring.surface.clone(), ring.surface.iter().map(|t| t.map(under)).collect()]
}

#[cfg(test)]
mod tests {
    use super::super::rings::count;
    use super::*;

    #[test]
    fn counts_are_near_those_of_the_paper() {
        let scene = build(&Options::new(DEMO.options)).unwrap().scene;
        assert_eq!(scene.particles.len(), 15_400);
        let counts = ["distance", "dihedral", "volume"].map(|name| count(&scene, name));
        assert_eq!(counts, [79_800, 42_000, 50_400]);
    }
}
