//! Pictures of liquids and grains, and the ellipsoids that liquids are drawn as.

use std::sync::Arc;

use ::image::RgbaImage;
use glam::Vec3;

use super::tests::Stage;
use super::{Camera, DrawOptions, Renderer};
use crate::scene::{
    AlphaMode, BodyDesc, BodyId, Collider, Grains, Liquid, Material, Particle, Scene, Shape, View, primitive_model,
};

const SIZE: (u32, u32) = (160, 120);
const RADIUS: f32 = 0.04;

/// Places between `low` and `high`, two radii apart and a little out of order.
fn block(low: Vec3, high: Vec3) -> Vec<Vec3> {
    let step = 2.0 * RADIUS;
    let count = ((high - low) / step).round().as_uvec3();
    let mut places = Vec::new();
    for i in 0..count.x * count.y * count.z {
        let cell = glam::UVec3::new(i % count.x, i / count.x % count.y, i / count.x / count.y);
        let noise = [1, 2, 3].map(|k| (i.wrapping_mul(2_654_435_761 * k) >> 16) as f32 / 65_536.0 % 1.0 - 0.5);
        places.push(low + (cell.as_vec3() + 0.5) * step + 0.5 * RADIUS * Vec3::from(noise));
    }
    places
}

/// Ground, a view from the front, and a block of liquid before it.
fn wet(liquid: Liquid, low: Vec3, high: Vec3) -> Scene {
    let view = View { eye: Vec3::new(0.0, 0.6, 3.0), target: Vec3::new(0.0, 0.4, 0.0) };
    let mut scene = Scene { view, ..Scene::default() };
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let id = scene.add_liquid(liquid).unwrap();
    scene.pour(id, &block(low, high), Vec3::ZERO).unwrap();
    scene
}

fn dry(scene: &Scene) -> Scene {
    Scene { liquids: Vec::new(), ..scene.clone() }
}

/// A box that shows its color whatever the light.
fn add_box(scene: &mut Scene, half: Vec3, at: Vec3, color: Vec3) -> BodyId {
    let desc = BodyDesc { position: at, ..BodyDesc::cuboid(half, 0.1) };
    let body = scene.add_body(desc).unwrap();
    let mut model = primitive_model(&Shape::Cuboid(half));
    model.materials = vec![Material { unlit: true, ..Material::default() }];
    scene.draw_body(body, &Arc::new(model), color.extend(1.0)).unwrap();
    body
}

fn shown(scene: &Scene) -> RgbaImage {
    Stage::new(scene.clone()).draw(&DrawOptions { grid: false, ..DrawOptions::default() })
}

fn pixel(picture: &RgbaImage, scene: &Scene, place: Vec3) -> [i32; 3] {
    let at = Camera::from(scene.view).pixel(place, SIZE).expect("in view");
    let [r, g, b, _] = picture.get_pixel(at.x as u32, at.y as u32).0.map(i32::from);
    [r, g, b]
}

/// Radiance behind a color of the picture: the inverse of `displayed` and of the sRGB curve, by halving.
fn radiance(coded: i32) -> f32 {
    let coded = coded as f32 / 255.0;
    let linear = if coded <= 0.04045 { coded / 12.92 } else { ((coded + 0.055) / 1.055).powf(2.4) };
    let curve = |x: f32| x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    let (mut low, mut high) = (0.0, 8.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if curve(middle) < linear { low = middle } else { high = middle }
    }
    low / 0.62
}

#[test]
fn a_block_of_liquid_is_seen_where_it_is() {
    let (low, high) = (Vec3::new(-0.4, 0.0, -0.2), Vec3::new(0.4, 0.64, 0.2));
    let dark = Liquid { clearness: Vec3::new(0.001, 0.02, 0.1), ..Liquid::water(RADIUS) };
    let scene = wet(dark, low, high);
    let [with, without] = [shown(&scene), shown(&dry(&scene))];
    for (x, y) in [(-0.25, 0.15), (0.0, 0.3), (0.25, 0.5)] {
        let place = Vec3::new(x, y, 0.2);
        let [found, ground] = [&with, &without].map(|p| pixel(p, &scene, place));
        assert!(found[0] < ground[0] - 40, "{place} is wet: {found:?} {ground:?}");
    }
    // Its shadow falls to the right and back: the left and the air are as they were.
    for (x, y) in [(-0.6, 0.3), (-0.55, 0.05), (0.0, 0.85), (-0.3, 0.85)] {
        let place = Vec3::new(x, y, 0.2);
        let found = [&with, &without].map(|p| pixel(p, &scene, place));
        assert_eq!(found[0], found[1], "{place} is dry");
    }
}

#[test]
fn what_lies_behind_is_bent_and_what_stands_before_is_not() {
    let (low, high) = (Vec3::new(-0.4, 0.0, -0.2), Vec3::new(0.4, 0.64, 0.2));
    let clear = Liquid { clearness: Vec3::ONE, ..Liquid::water(RADIUS) };
    let mut scene = wet(clear, low, high);
    add_box(&mut scene, Vec3::splat(0.1), Vec3::new(-0.2, 0.3, 0.6), Vec3::new(0.9, 0.02, 0.02));
    add_box(&mut scene, Vec3::new(0.02, 1.0, 0.02), Vec3::new(0.15, 1.0, -0.8), Vec3::new(0.02, 0.02, 0.9));
    let [with, without] = [shown(&scene), shown(&dry(&scene))];
    for y in [0.25, 0.3, 0.35] {
        let place = Vec3::new(-0.2, y, 0.7);
        assert_eq!(pixel(&with, &scene, place), pixel(&without, &scene, place), "the red box hides the liquid");
    }
    let blue = |p: &RgbaImage| p.pixels().filter(|p| i32::from(p.0[2]) - i32::from(p.0[0]) > 60).count();
    let moved = with.pixels().zip(without.pixels()).filter(|(a, b)| a.0[0].abs_diff(b.0[0]) > 40).count();
    assert!(blue(&with) > blue(&without) / 2, "the pole is seen through clear liquid");
    assert!(moved > 30, "but not in its place: {moved}");
}

#[test]
fn what_is_under_water_is_seen_whole() {
    let clear = Liquid { clearness: Vec3::ONE, ..Liquid::water(RADIUS) };
    let mut scene = wet(clear, Vec3::new(-0.8, 0.0, -0.8), Vec3::new(0.8, 0.64, 0.8));
    scene.view = View { eye: Vec3::new(0.0, 1.7, 1.6), target: Vec3::new(0.0, 0.5, 0.0) };
    // Just under the surface, far above the ground that is seen beside it.
    add_box(&mut scene, Vec3::new(0.25, 0.015, 0.025), Vec3::new(0.0, 0.56, 0.1), Vec3::new(0.9, 0.02, 0.02));
    let is_red = |p: &&::image::Rgba<u8>| i32::from(p.0[0]) - i32::from(p.0[1]) > 60;
    let red = |scene: &Scene| shown(scene).pixels().filter(is_red).count();
    let [wet, dry] = [red(&scene), red(&dry(&scene))];
    assert!(4 * wet > 3 * dry && 3 * wet < 4 * dry, "of {dry} pixels of a bar {wet} are seen through water");
}

#[test]
fn glass_before_liquid_is_laid_over_it_and_glass_behind_is_seen_through_it() {
    const ALPHA: f32 = 0.4;
    let (low, high) = (Vec3::new(-0.4, 0.0, -0.2), Vec3::new(0.4, 0.64, 0.2));
    let clear = Liquid { clearness: Vec3::new(0.3, 0.9, 0.95), ..Liquid::water(RADIUS) };
    let (half, orange) = (Vec3::new(0.3, 0.2, 0.02), Vec3::new(0.9, 0.4, 0.02));
    let bare = wet(clear, low, high);
    let with_pane = |z: f32, alpha: Option<f32>| {
        let mut scene = bare.clone();
        let body = scene.add_body(BodyDesc::cuboid(half, 0.02).at(Vec3::new(0.25, 0.3, z))).unwrap();
        let mut model = primitive_model(&Shape::Cuboid(half));
        let use_of_alpha = if alpha.is_some() { AlphaMode::Blend } else { AlphaMode::Opaque };
        model.materials = vec![Material { unlit: true, alpha: use_of_alpha, ..Material::default() }];
        scene.draw_body(body, &Arc::new(model), orange.extend(alpha.unwrap_or(1.0))).unwrap();
        shown(&scene)
    };
    let linear = |picture: &RgbaImage, place: Vec3| {
        Vec3::from(pixel(picture, &bare, place).map(|coded| ((coded as f32 / 255.0 + 0.055) / 1.055).powf(2.4)))
    };
    let without = shown(&bare);
    // At the liquid, and before it.
    for z in [0.24, 0.8] {
        let [opaque, glass] = [None, Some(ALPHA)].map(|alpha| with_pane(z, alpha));
        // Two places before liquid, and one beside it.
        for x in [0.0, 0.2, 0.52] {
            let place = Vec3::new(x, 0.3, z + half.z);
            let [behind, pane, found] = [&without, &opaque, &glass].map(|picture| linear(picture, place));
            let expected = ALPHA * pane + (1.0 - ALPHA) * behind;
            assert!((found - expected).abs().max_element() < 0.02, "{place}: {found}, and {expected} is expected");
        }
    }
    let glass = with_pane(-0.6, Some(ALPHA));
    let place = Vec3::new(0.15, 0.3, 0.2);
    let [found, behind] = [&glass, &without].map(|picture| linear(picture, place));
    assert!(behind.z - found.z > 0.05, "the pane is seen through the liquid: {found}, without it {behind}");
}

#[test]
fn light_fades_with_thickness_as_beer_and_lambert_say() {
    let clearness = Vec3::new(0.05, 0.2, 0.5);
    let bright = |depth: f32, wall: f32| {
        let liquid = Liquid { clearness, ..Liquid::water(RADIUS) };
        let mut scene = wet(liquid, Vec3::new(-0.64, 0.0, -depth), Vec3::new(0.64, 1.04, 0.0));
        scene.view = View { eye: Vec3::new(0.0, 0.5, 2.5), target: Vec3::new(0.0, 0.5, 0.0) };
        add_box(&mut scene, Vec3::new(2.0, 2.0, 0.1), Vec3::new(0.0, 0.5, -1.4), Vec3::splat(wall));
        let picture = shown(&scene);
        let mut sum = Vec3::ZERO;
        for (x, y) in [(-4_i32, 0_i32), (4, 0), (0, -4), (0, 4), (0, 0), (9, 7), (-9, -7)] {
            let found = picture.get_pixel((80 + x) as u32, (60 + y) as u32).0;
            sum += Vec3::from([0, 1, 2].map(|c| radiance(i32::from(found[c])))) / 7.0;
        }
        sum
    };
    // Two walls tell what comes from behind from what the liquid mirrors and scatters.
    let behind = |depth| bright(depth, 0.8) - bright(depth, 0.1);
    let [thin, thick] = [0.32, 0.96].map(behind);
    let wanted = clearness.map(|left| -left.ln()) * (0.96 - 0.32);
    let found = (thin / thick).map(f32::ln);
    assert!(((found - wanted) / wanted).abs().max_element() < 0.12, "optical depth {found}, by the law {wanted}");
}

#[test]
fn a_pool_is_smooth_and_its_surface_flat() {
    let honey = Liquid { clearness: Vec3::new(0.01, 0.001, 1e-5), ..Liquid::water(RADIUS) };
    let mut scene = wet(honey, Vec3::new(-0.8, 0.0, -0.8), Vec3::new(0.8, 0.32, 0.8));
    scene.view = View { eye: Vec3::new(0.0, 1.4, 1.6), target: Vec3::new(0.0, 0.3, 0.0) };
    let picture = shown(&scene);
    let mut most = 0;
    for y in 45..75 {
        for x in 50..110 {
            let at = |x, y| picture.get_pixel(x, y).0.map(i32::from);
            let [here, right, below] = [at(x, y), at(x + 1, y), at(x, y + 1)];
            most = (0..3).map(|c| (here[c] - right[c]).abs().max((here[c] - below[c]).abs())).fold(most, i32::max);
        }
    }
    assert!(most <= 10, "neighboring pixels differ by {most}: particles show");
}

#[test]
fn ellipsoids_are_flat_at_the_surface_and_round_inside() {
    let scene = wet(Liquid::water(RADIUS), Vec3::new(-0.4, 0.0, -0.4), Vec3::new(0.4, 0.8, 0.4));
    let nearest = |place: Vec3| {
        let order = |a: &(usize, f32), b: &(usize, f32)| a.1.total_cmp(&b.1);
        let all = scene.particles.iter().map(|p| p.position.distance(place)).enumerate();
        all.min_by(order).expect("particles").0
    };
    let mut stage = Stage::new(scene.clone());
    stage.draw(&DrawOptions::default());
    let read = |stage: &Stage| {
        let liquids = stage.renderer.liquids.as_ref().expect("a liquid");
        let bytes = stage.context.read_buffer(&liquids.shapes.splats).expect("read back");
        bytemuck::cast_slice::<u8, [f32; 12]>(&bytes).to_vec()
    };
    let splats = read(&stage);
    let width = |i: usize| Vec3::from_slice(&splats[i][4..7]) / RADIUS;
    let inside = width(nearest(Vec3::new(0.0, 0.4, 0.0)));
    let top = width(nearest(Vec3::new(0.0, 0.8, 0.0)));
    let side = width(nearest(Vec3::new(-0.4, 0.4, 0.0)));
    assert!((inside - inside.x).abs().max_element() < 0.25 * inside.x, "{inside}");
    assert!(top.y < 0.75 * top.x && top.y < 0.75 * top.z, "{top}");
    assert!(side.x < 0.75 * side.y && side.x < 0.75 * side.z, "{side}");
    stage.draw(&DrawOptions::default());
    assert!(splats == read(&stage), "the same particles give the same bits");
}

#[test]
fn air_is_taken_in_where_liquid_rushes_together_and_stays_for_a_while() {
    let mut scene = wet(Liquid::water(RADIUS), Vec3::new(-0.4, 0.0, -0.2), Vec3::new(0.4, 0.4, 0.2));
    scene.view.eye.z = 1.4;
    scene.particles.iter_mut().for_each(|p| p.velocity = Vec3::X * -3.0 * p.position.x.signum());
    let foam = |stage: &Stage| {
        let liquids = stage.renderer.liquids.as_ref().expect("a liquid");
        let bytes = stage.context.read_buffer(&liquids.shapes.splats).expect("read back");
        let rows = bytemuck::cast_slice::<u8, [f32; 12]>(&bytes).to_vec();
        let near =
            |x: f32| scene.particles.iter().zip(&rows).filter(move |(p, _)| (p.position.x.abs() - x).abs() < 0.08);
        [0.04, 0.36].map(|x| near(x).map(|(_, row)| row[11]).sum::<f32>() / near(x).count() as f32)
    };
    let mut stage = Stage::new(scene.clone());
    let options = DrawOptions { grid: false, ..DrawOptions::default() };
    let before = stage.draw(&options);
    assert_eq!(foam(&stage), [0.0; 2], "none at first");
    stage.time = 0.1;
    let white = stage.draw(&options);
    let [middle, ends] = foam(&stage);
    assert!(middle > 0.1 && ends < 0.1 * middle, "{middle} where it meets, {ends} where it moves as one");
    assert_eq!(stage.draw(&options).as_raw(), white.as_raw(), "no time, no change");
    let mut more = stage.scene.clone();
    more.add_collider(Collider::new(Shape::Sphere(0.1), Vec3::Y * 50.0)).unwrap();
    stage.renderer.update_scene(&stage.context, &more).unwrap();
    assert_eq!(stage.draw(&options).as_raw(), white.as_raw(), "what is added elsewhere takes no air out");
    let brighter = white.pixels().zip(before.pixels()).filter(|(a, b)| a.0[0] > b.0[0].saturating_add(8)).count();
    assert!(brighter > 40, "{brighter} pixels are whiter");
    let still = Scene {
        particles: scene.particles.iter().map(|p| Particle { velocity: Vec3::ZERO, ..*p }).collect(),
        ..scene.clone()
    };
    let mut calm = Stage::new(still);
    calm.draw(&options);
    calm.time = 0.1;
    assert_eq!(calm.draw(&options).as_raw(), before.as_raw(), "calm water stays clear");
}

#[test]
fn liquid_casts_a_colored_shadow_lighter_than_that_of_a_box() {
    let (low, high) = (Vec3::new(-0.24, 0.48, -0.24), Vec3::new(0.24, 0.96, 0.24));
    let red = Liquid { clearness: Vec3::new(0.9, 0.1, 0.05), ..Liquid::water(RADIUS) };
    let scene = wet(red, low, high);
    // Light comes from (-0.52, 0.78, 0.34): the middle of the block shades what is 0.48 m to the right.
    let place = Vec3::new(0.48, 0.0, -0.31);
    let mut boxed = dry(&scene);
    add_box(&mut boxed, Vec3::splat(0.24), Vec3::new(0.0, 0.72, 0.0), Vec3::ONE);
    let [lit, wet, solid] = [dry(&scene), scene.clone(), boxed].map(|s| pixel(&shown(&s), &scene, place));
    let sum = |c: [i32; 3]| c.iter().sum::<i32>();
    assert!(sum(lit) > sum(wet) + 40 && sum(wet) > sum(solid) + 20, "{lit:?} {wet:?} {solid:?}");
    assert!(lit[1] - wet[1] > lit[0] - wet[0] + 10, "red light is left: {lit:?} {wet:?}");
}

#[test]
fn turbid_liquid_has_a_color_of_its_own_the_thicker_the_more() {
    // Of honey: a wall of black and one of white tell what comes through it from what it sends back itself.
    let amber = Liquid { clearness: Vec3::new(0.1, 1e-7, 1e-18), turbidity: 6.0, ..Liquid::water(RADIUS) };
    let seen = |depth: f32, wall: f32| {
        let mut scene = wet(amber.clone(), Vec3::new(-0.64, 0.0, -depth), Vec3::new(0.64, 1.04, 0.0));
        scene.view = View { eye: Vec3::new(0.0, 0.5, 2.5), target: Vec3::new(0.0, 0.5, 0.0) };
        add_box(&mut scene, Vec3::new(2.0, 2.0, 0.1), Vec3::new(0.0, 0.5, -1.4), Vec3::splat(wall));
        let [r, g, b, _] = shown(&scene).get_pixel(80, 60).0.map(|part| radiance(i32::from(part)));
        Vec3::new(r, g, b)
    };
    let [thin, thick] = [0.16, 0.8].map(|depth| [seen(depth, 0.02), seen(depth, 0.8)]);
    let through = |[dark, bright]: [Vec3; 2]| (bright - dark).x;
    assert!(through(thick) < 0.1 * through(thin) && through(thin) > 0.05, "{thin:?} {thick:?}");
    let [own, little] = [thick[0], thin[0]];
    assert!(own.x > 1.3 * own.y && own.y > 1.3 * own.z, "amber: {own}");
    assert!(own.x > 1.1 * little.x, "a thick layer is brighter than a thin one before black: {own} {little}");
}

#[test]
fn an_eye_in_water_sees_everything_through_it() {
    let blue = Liquid { clearness: Vec3::new(0.02, 0.4, 0.8), ..Liquid::water(RADIUS) };
    let mut scene = wet(blue, Vec3::new(-0.8, 0.0, -0.8), Vec3::new(0.8, 0.96, 0.8));
    add_box(&mut scene, Vec3::new(2.0, 2.0, 0.1), Vec3::new(0.0, 0.5, -0.9), Vec3::splat(0.5));
    let seen = |scene: &Scene, eye: Vec3, target: Vec3| {
        let scene = Scene { view: View { eye, target }, ..scene.clone() };
        let [r, g, b, _] = shown(&scene).get_pixel(80, 60).0.map(|part| radiance(i32::from(part)));
        Vec3::new(r, g, b)
    };
    let wall = Vec3::new(0.0, 0.5, -0.8);
    let near = seen(&scene, Vec3::new(0.0, 0.5, -0.4), wall);
    let far = seen(&scene, Vec3::new(0.0, 0.5, 0.5), wall);
    let air = seen(&dry(&scene), Vec3::new(0.0, 0.5, 0.5), wall);
    assert!(air.x > 1.5 * near.x && near.x > 1.5 * far.x, "red light is lost on the way: {air} {near} {far}");
    assert!(far.z > 2.0 * far.x && (air.z - air.x).abs() < 0.3 * air.z, "so all is blue: {air} {far}");
    // Over the eye the surface is a window to the sky; farther out than the critical angle it mirrors what is below.
    let eye = Vec3::new(0.0, 0.4, 0.6);
    let clear = Liquid { clearness: Vec3::ONE, ..Liquid::water(RADIUS) };
    let mut pool = wet(clear, Vec3::new(-0.8, 0.0, -0.8), Vec3::new(0.8, 0.96, 0.8));
    let at = |scene: &Scene, slope: f32| seen(scene, eye, eye + Vec3::new(0.0, 1.0, -slope));
    let [up, flat] = [0.3, 1.7].map(|slope| at(&pool, slope));
    add_box(&mut pool, Vec3::new(4.0, 0.05, 4.0), Vec3::new(0.0, 1.6, 0.0), Vec3::new(0.8, 0.02, 0.02));
    let [lid_up, lid_flat] = [0.3, 1.7].map(|slope| at(&pool, slope));
    assert!(lid_up.y < 0.5 * up.y, "a lid above shows through the window: {up} {lid_up}");
    assert!(lid_flat.y > 0.7 * flat.y, "and not where the surface mirrors: {flat} {lid_flat}");
}

#[test]
fn scenes_without_liquid_allocate_and_draw_nothing_more() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    add_box(&mut scene, Vec3::splat(0.4), Vec3::Y, Vec3::new(0.9, 0.5, 0.1));
    let plain = shown(&scene);
    scene.add_liquid(Liquid::water(RADIUS)).unwrap();
    scene.add_grains(Grains::sand(RADIUS)).unwrap();
    let mut stage = Stage::new(scene);
    assert_eq!(stage.draw(&DrawOptions { grid: false, ..DrawOptions::default() }).as_raw(), plain.as_raw());
    assert!(stage.renderer.liquids.is_none() && stage.renderer.grains.is_none());
    assert!(stage.renderer.targets.as_ref().is_some_and(|t| t.liquid.is_none()));
    // What comes later is seen, and hidden again where all particles are shown as balls.
    let id = crate::scene::LiquidId(0);
    stage.scene.pour(id, &block(Vec3::splat(-0.4), Vec3::splat(0.4)), Vec3::ZERO).unwrap();
    let mut later = Stage::new(stage.scene.clone());
    later.renderer = Renderer::new(&later.context, &dry(&later.scene), wgpu::TextureFormat::Rgba8UnormSrgb).unwrap();
    later.renderer.update_scene(&later.context, &later.scene).unwrap();
    let grown = later.draw(&DrawOptions { grid: false, ..DrawOptions::default() });
    assert_eq!(grown.as_raw(), shown(&stage.scene).as_raw());
    assert_ne!(grown.as_raw(), plain.as_raw());
    let balls = DrawOptions { particles: true, surfaces: false, ..DrawOptions::default() };
    assert_eq!(later.draw(&balls).as_raw(), Stage::new(dry(&stage.scene)).draw(&balls).as_raw());
}

#[test]
fn grains_are_clods_of_the_color_of_their_kind() {
    let view = View { eye: Vec3::new(0.0, 0.5, 3.0), target: Vec3::new(0.0, 0.5, 0.0) };
    let mut scene = Scene { view, ..Scene::default() };
    let kinds = [Vec3::new(0.8, 0.05, 0.02), Vec3::new(0.03, 0.5, 0.05)];
    let centers = [Vec3::new(-0.5, 0.5, 0.0), Vec3::new(0.5, 0.5, 0.0)];
    for (color, at) in kinds.into_iter().zip(centers) {
        let id = scene.add_grains(Grains { color, ..Grains::sand(0.3) }).unwrap();
        scene.heap(id, &[at], Vec3::ZERO).unwrap();
    }
    let [picture, empty] = [shown(&scene), shown(&Scene { grains: Vec::new(), ..scene.clone() })];
    let camera = Camera::from(scene.view);
    let mut inside = 0;
    for (x, y, found) in picture.enumerate_pixels() {
        let (origin, ray) = camera.ray(glam::Vec2::new(x as f32 + 0.5, y as f32 + 0.5), SIZE);
        let away = |c: &Vec3| ((*c - origin) - (*c - origin).dot(ray) * ray).length();
        let [r, g, b, _] = found.0.map(i32::from);
        // A clod fills most of its outline; between two so near a heap may close up, 1.5 radii from either and a pixel of soft edge.
        if let Some(kind) = centers.iter().position(|c| away(c) < 0.2) {
            inside += 1;
            assert!(if kind == 0 { r > g + 15 } else { g > r + 5 && g > b }, "{x},{y} is of kind {kind}: {r} {g} {b}");
        } else if centers.iter().all(|c| away(c) > 0.5) {
            assert_eq!(*found, *empty.get_pixel(x, y), "{x},{y} shows what is behind");
        }
    }
    assert!(inside > 400, "{inside}");
}
