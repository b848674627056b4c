//! A hundred soft rings in a heap: scene s2 of paper 1.

use glam::{Vec2, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{Deformable, Scene, SoftMaterial, SoftModel, View};
use crate::spawn::{Random, Ring, Section, add_pit, circle, palette};

pub(super) const DEMO: Demo = Demo {
    name: "s2",
    summary: "a hundred soft rings fall in a heap: 91 000 particles, 469 000 edges, 315 000 tetrahedra",
    category: Category::Flesh,
    options: &[
        DemoOption::integer("count", [1.0, 1200.0], 100.0, "rings"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

const SLICES: u32 = 70;
/// Radius of the ring and of its section [m].
const RADIUS: f32 = 0.25;
const SECTION: f32 = 0.07;
/// Points of the section on its outline and inside.
const OUTER: u32 = 9;
const INNER: u32 = 4;
/// Rings side by side along each edge of a layer, more where there would be more layers than the most.
const SIDE: u32 = 5;
const MOST_LAYERS: u32 = 16;

/// Nine points around four. No point has more than six triangles, so no particle more than 24 tetrahedra, which bounds the
/// number of colors.
fn section() -> Section {
    let turned = |p: Vec2| Vec2::from_angle(0.3).rotate(p);
    let points: Vec<Vec2> = circle(OUTER, SECTION).chain(circle(INNER, 0.45 * SECTION).map(turned)).collect();
    let inner_point = |i: u32| OUTER + i % INNER;
    let mut faces =
        vec![[inner_point(0), inner_point(1), inner_point(3)], [inner_point(1), inner_point(2), inner_point(3)]];
    let (mut outer, mut inner) = (0, 0);
    // Around the strip between them, whichever side is behind steps forward.
    while outer < OUTER || inner < INNER {
        let (a, b) = (outer % OUTER, inner_point(inner));
        if outer * INNER <= inner * OUTER && outer < OUTER {
            faces.push([a, (outer + 1) % OUTER, b]);
            outer += 1;
        } else {
            faces.push([a, inner_point(inner + 1), b]);
            inner += 1;
        }
    }
    Section { points, faces, outline: OUTER }
}

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    let reach = RADIUS + SECTION + 0.02;
    let count = options.count("count");
    let side = SIDE.max((count as f32 / MOST_LAYERS as f32).sqrt().ceil() as u32);
    let half = side as f32 * reach;
    add_pit(&mut scene, half, 1.2)?;
    let ring = Ring::new(&section(), SLICES, RADIUS);
    let material = SoftMaterial { density: 500.0, model: SoftModel::Springs { stretch: 1e-5, bulk: f32::INFINITY } };
    let mut body = Deformable::soft("ring", ring.rest.clone(), &ring.tetrahedra, 0.011, &material)?.damped(10.0);
    // Rings meet by their triangles: balls this small leave room between them.
    body.faces = ring.surface.clone();
    body.meets_itself = true;
    let shell = ring.shell();
    let mut random = Random::new(options.count("seed"));
    for i in 0..count {
        let (x, z, layer) = (i % side, i / side % side, i / (side * side));
        let place = |k: u32| (k as f32 + 0.5) * 2.0 * reach - half;
        let position = Vec3::new(place(x), reach + 2.0 * reach * layer as f32, place(z));
        let id = scene.add_deformable(&body, position, random.rotation(), Vec3::ZERO)?;
        scene.draw_shell(id, &shell, palette(i as usize))?;
    }
    scene.view = View::around(Vec3::Y * 0.6, 2.2);
    Ok(scene.into())
}

#[cfg(test)]
mod tests {
    use super::super::counts::count;
    use super::*;

    #[test]
    fn counts_are_near_those_of_the_paper() {
        let scene = build(&Options::new(DEMO.options)).unwrap().scene;
        let [stretch, volume] =
            [count(&scene, |row| row.stretch().is_some()), count(&scene, |row| row.rest_volume().is_some())];
        assert_eq!((scene.particles.len(), stretch.0, volume.0), (91_000, 469_000, 315_000));
        assert!(stretch.1 <= 17 && volume.1 <= 26, "{} and {} colors", stretch.1, volume.1);
    }
}
