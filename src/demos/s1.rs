//! A flattened soft body that recovers its volume: scene s1 of paper 1, with our own animal instead of the bunny.

use std::collections::BTreeSet;

use glam::Vec3;

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{CALMED, YOUNG};
use super::options::{DemoOption, Options};
use crate::constraints::Dihedral;
use crate::import::tets::TetMesh;
use crate::scene::{Collider, Deformable, Scene, SceneError, SheetMaterial, View};
use crate::spawn::forms::rabbit;
use crate::spawn::palette;
use crate::spawn::soft::{add, flatten, rubber, springs};

pub(super) const DEMO: Demo = Demo {
    name: "s1",
    summary: "a flattened animal recovers its volume: 16 523 particles, 79 882 edges, 43 200 bends, 48 960 tetrahedra",
    category: Category::Flesh,
    options: &[DemoOption::number("flatness", [0.001, 1.0], 0.02, "initial height over the height at rest"), YOUNG],
    build,
};

/// Compliance of a bend [1/(N m)]: soft beside the masses, because rigid angles of thin triangles throw them about.
const BEND: f32 = 2e4;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    // The four of the paper let the feet give way under the weight.
    (scene.params.substeps, scene.params.iterations) = (16, 1);
    scene.add_collider(Collider::ground(0.0))?;
    let mesh = rabbit(1.0);
    let (mut body, shell) = springs("rabbit", &mesh, rubber(&mesh, options.number("young")))?;
    bend_skin(&mut body, &mesh)?;
    body.damping = CALMED;
    add(&mut scene, &(body, shell), Vec3::ZERO, palette(4))?;
    flatten(&mut scene, options.number("flatness"), 0.3);
    scene.view = View::around(Vec3::Y * 0.5, 1.0);
    Ok(scene.into())
}

/// Lets the triangles of the surface keep the angles between them.
fn bend_skin(body: &mut Deformable, mesh: &TetMesh) -> Result<(), SceneError> {
    let faces: Vec<[u32; 3]> = mesh.surface().into_iter().map(|(face, _)| face).collect();
    let by_angle = SheetMaterial { by_angle: true, bend: BEND, ..SheetMaterial::default() };
    let outside: Vec<u32> = faces.iter().flatten().copied().collect::<BTreeSet<u32>>().into_iter().collect();
    let rest = outside.iter().map(|i| mesh.positions[*i as usize]).collect();
    let place = |i: u32| outside.binary_search(&i).map_or(0, |place| place as u32);
    let faces: Vec<[u32; 3]> = faces.into_iter().map(|face| face.map(place)).collect();
    let skin = Deformable::sheet("skin", rest, &faces, body.radius(), &by_angle)?;
    for row in skin.constraints.iter().filter(|row| row.bends()) {
        let [rest_angle, compliance] = [row.values[0], row.values[1]];
        let particles = row.particles.map(|i| outside[i as usize]);
        body.join(&Dihedral { particles, rest_angle, compliance })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::counts::count;
    use super::*;
    use crate::constraints::Row;

    #[test]
    fn counts_are_near_those_of_the_paper() {
        let scene = build(&Options::new(DEMO.options)).unwrap().scene;
        assert_eq!(scene.particles.len(), 16_523);
        let counts = [
            count(&scene, |row| row.stretch().is_some()),
            count(&scene, Row::bends),
            count(&scene, |row| row.rest_volume().is_some()),
        ];
        assert_eq!(counts.map(|c| c.0), [79_882, 43_200, 48_960]);
        assert!(counts.iter().zip([64, 20, 124]).all(|(c, most)| c.1 <= most), "{counts:?}");
    }
}
