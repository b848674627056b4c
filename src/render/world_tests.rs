//! Pictures that must be alike: of worlds that were changed and such that were made so, from high and low, lit from every side.

use std::collections::BTreeSet;
use std::sync::Arc;

use ::image::RgbaImage;
use glam::{Vec3, Vec4};

use super::tests::Stage;
use super::{Camera, DrawOptions, Light, Renderer, image};
use crate::gpu::Context;
use crate::scene::{AlphaMode, BodyDesc, Collider, Grains, Material, Scene, Shape, View, primitive_model};
use crate::solver::Solver;

const SIZE: (u32, u32) = (160, 120);

fn seen_from(eye: Vec3, target: Vec3) -> Scene {
    Scene { view: View { eye, target }, ..Scene::default() }
}

fn add_box(scene: &mut Scene, half: Vec3, at: Vec3, material: Material) {
    let body = scene.add_body(BodyDesc::cuboid(half, 0.1).at(at)).unwrap();
    let mut model = primitive_model(&Shape::Cuboid(half));
    model.materials = vec![material];
    scene.draw_body(body, &Arc::new(model), Vec4::new(0.8, 0.2, 0.05, 1.0)).unwrap();
}

fn drawn(scene: &Scene, options: &DrawOptions) -> RgbaImage {
    Stage::new(scene.clone()).draw(options)
}

fn different(a: &RgbaImage, b: &RgbaImage) -> usize {
    a.pixels().zip(b.pixels()).filter(|(p, q)| p.0.iter().zip(q.0).any(|(x, y)| x.abs_diff(y) > 12)).count()
}

fn picture(context: &Context, renderer: &mut Renderer, solver: &Solver, options: &DrawOptions) -> RgbaImage {
    let camera = Camera::from(solver.scene().view);
    image(context, renderer, SIZE, &camera, &solver.view(), options).expect("a picture")
}

#[test]
fn a_renderer_goes_on_with_another_world() {
    let context = Context::shared().expect("adapter");
    let world = |count: u32| {
        let mut scene = seen_from(Vec3::new(2.0, 1.5, 3.0), Vec3::Y * 0.3);
        scene.add_collider(Collider::ground(0.0)).unwrap();
        for i in 0..count {
            add_box(&mut scene, Vec3::splat(0.2), Vec3::new(0.6 * i as f32 - 0.6, 0.5, 0.0), Material::default());
        }
        Solver::new(&context, &scene).expect("a solver")
    };
    let (before, now) = (world(3), world(2));
    let format = wgpu::TextureFormat::Rgba8UnormSrgb;
    let options = DrawOptions::default();
    let of = |world: &Solver| Renderer::new(&context, world.scene(), format).expect("a renderer");
    let mut renderer = of(&before);
    renderer.sync(&before).unwrap();
    renderer.set_hidden(0, &BTreeSet::from([0])).unwrap();
    renderer.set_hidden(2, &BTreeSet::from([0])).unwrap();
    let first = picture(&context, &mut renderer, &before, &options);
    renderer.sync(&now).unwrap();
    let second = picture(&context, &mut renderer, &now, &options);
    assert!(different(&first, &second) > 100);
    assert_eq!(second.as_raw(), picture(&context, &mut of(&now), &now, &options).as_raw());
}

#[test]
fn shadows_are_as_sharp_on_high_ground() {
    let [low, high] = [0.0, 128.0].map(|y| {
        let mut scene = seen_from(Vec3::new(1.0, y + 1.5, 2.5), Vec3::Y * (y + 0.2));
        scene.add_collider(Collider::ground(y)).unwrap();
        for i in 0..4 {
            add_box(&mut scene, Vec3::splat(0.12), Vec3::new(0.5 * i as f32 - 1.0, y + 0.3, 0.0), Material::default());
        }
        drawn(&scene, &DrawOptions { grid: false, ..DrawOptions::default() })
    });
    let apart = different(&low, &high);
    assert!(apart < 40, "{apart} pixels");
}

#[test]
fn what_is_out_of_the_world_casts_no_shadow() {
    let context = Context::shared().expect("adapter");
    let mut heap = Scene::default();
    let sand = heap.add_grains(Grains::sand(0.05)).unwrap();
    let places: Vec<Vec3> = (0..64).map(|i| Vec3::new((i % 8) as f32, 5.0, (i / 8) as f32) * 0.1).collect();
    heap.heap(sand, &places, Vec3::ZERO).unwrap();
    let mut scene = seen_from(Vec3::new(1.0, 2.5, 4.5), Vec3::new(1.0, 0.2, 0.0));
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let with = |copies: u32| {
        let mut scene = scene.clone();
        if copies > 0 {
            scene.add_pool(&heap, copies).unwrap();
        }
        let solver = Solver::new(&context, &scene).expect("a solver");
        let format = wgpu::TextureFormat::Rgba8UnormSrgb;
        let mut renderer = Renderer::new(&context, solver.scene(), format).expect("a renderer");
        let light = Light { to_sun: Vec3::Y, ..Light::default() };
        picture(&context, &mut renderer, &solver, &DrawOptions { light, ..DrawOptions::default() })
    };
    assert_eq!(with(8).as_raw(), with(0).as_raw());
}

#[test]
fn a_ground_that_is_hidden_is_not_drawn() {
    let mut scene = seen_from(Vec3::new(1.0, 1.5, 2.5), Vec3::ZERO);
    add_box(&mut scene, Vec3::splat(0.2), Vec3::Y, Material::default());
    let none = drawn(&scene, &DrawOptions::default());
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene.colliders[0].store();
    assert_eq!(drawn(&scene, &DrawOptions::default()).as_raw(), none.as_raw());
}

#[test]
fn the_ground_is_seen_from_high_above() {
    let mut scene = seen_from(Vec3::new(0.0, 120.0, 1.0), Vec3::ZERO);
    scene.add_collider(Collider::ground(0.0)).unwrap();
    add_box(&mut scene, Vec3::splat(10.0), Vec3::Y * 10.0, Material::default());
    let shaded = drawn(&scene, &DrawOptions::default());
    let lit = drawn(&scene, &DrawOptions { shadows: false, ..DrawOptions::default() });
    let darker = shaded.pixels().zip(lit.pixels()).filter(|(a, b)| a.0[1].saturating_add(8) < b.0[1]).count();
    assert!(darker > 60, "{darker} pixels of shadow");
}

#[test]
fn panes_are_drawn_from_far_to_near() {
    let pane = |z: f32, color: Vec4| Collider {
        color,
        ..Collider::new(Shape::Cuboid(Vec3::new(0.5, 0.5, 0.02)), Vec3::new(0.2 * z, 0.6, z))
    };
    let (near, far) = (pane(0.5, Vec4::new(0.9, 0.1, 0.1, 0.5)), pane(-0.5, Vec4::new(0.1, 0.1, 0.9, 0.5)));
    let [a, b] = [[near.clone(), far.clone()], [far, near]].map(|panes| {
        let mut scene = seen_from(Vec3::new(0.0, 0.7, 3.0), Vec3::Y * 0.6);
        panes.into_iter().for_each(|pane| {
            scene.add_collider(pane).unwrap();
        });
        drawn(&scene, &DrawOptions::default())
    });
    assert_eq!(a.as_raw(), b.as_raw());
    let [red, _, blue, _] = a.get_pixel(80, 60).0;
    assert!(red > blue, "the red one is before the blue one: {red} {blue}");
}

#[test]
fn masks_shade_where_they_are_drawn() {
    let with = |alpha: AlphaMode| {
        let mut scene = seen_from(Vec3::new(2.0, 1.5, 3.0), Vec3::Y * 0.3);
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let material = Material { base_color: Vec4::new(1.0, 1.0, 1.0, 0.35), alpha, ..Material::default() };
        add_box(&mut scene, Vec3::splat(0.3), Vec3::Y * 0.6, material);
        drawn(&scene, &DrawOptions::default())
    };
    let [solid, shown, gone] = [AlphaMode::Opaque, AlphaMode::Mask(0.2), AlphaMode::Mask(0.5)].map(with);
    assert_eq!(different(&solid, &shown), 0);
    assert!(different(&solid, &gone) > 100);
}

#[test]
fn grains_shade_whatever_the_sun_stands_over() {
    let mut scene = seen_from(Vec3::new(2.0, 1.5, 3.0), Vec3::Y * 0.3);
    scene.add_collider(Collider::new(Shape::Cuboid(Vec3::new(2.0, 1.0, 0.1)), Vec3::new(0.0, 1.0, -0.8))).unwrap();
    let sand = scene.add_grains(Grains::sand(0.05)).unwrap();
    let places: Vec<Vec3> = (0..64).map(|i| Vec3::new((i % 8) as f32, (i / 8) as f32 + 2.0, 0.0) * 0.1).collect();
    scene.heap(sand, &places, Vec3::ZERO).unwrap();
    let lit = |to_sun: Vec3, shadows: bool| {
        drawn(&scene, &DrawOptions { light: Light { to_sun, ..Light::default() }, shadows, ..DrawOptions::default() })
    };
    let along = lit(Vec3::Z, true);
    assert!(different(&along, &lit(Vec3::Z, false)) > 100, "a shadow on the wall");
    let apart = different(&along, &lit(Vec3::new(0.0, 1e-3, 1.0), true));
    assert!(apart < 40, "{apart} pixels");
}
