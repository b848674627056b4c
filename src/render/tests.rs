//! Pictures of small scenes whose bodies are written by hand.

use std::sync::Arc;

use ::image::RgbaImage;
use glam::{Quat, Vec2, Vec3, Vec4};

use super::{Camera, DragLine, DrawOptions, Lens, Quality, RenderError, Renderer, geometry, image, targets};
use crate::gpu::Context;
use crate::scene::{
    AlphaMode, BodyDesc, BodyId, Collider, Image, JointDesc, JointKind, Material, Model, Particle, Phase, Sampling,
    Scene, Shape, View, Wrap, primitive_model,
};
use crate::solver::{BodyState, SolverView};

const SIZE: (u32, u32) = (160, 120);
const HALF: f32 = 0.5;

/// A scene on the GPU, as the solver would keep it.
pub(super) struct Stage {
    pub(super) context: Context,
    pub(super) scene: Scene,
    pub(super) renderer: Renderer,
    bodies: wgpu::Buffer,
    particles: wgpu::Buffer,
    velocities: wgpu::Buffer,
    owners: wgpu::Buffer,
    /// Simulated time [s].
    pub(super) time: f64,
}

impl Stage {
    pub(super) fn new(scene: Scene) -> Self {
        Self::with_quality(scene, Quality::High)
    }

    fn with_quality(scene: Scene, quality: Quality) -> Self {
        let context = Context::shared().expect("adapter");
        let format = wgpu::TextureFormat::Rgba8UnormSrgb;
        let renderer = Renderer::with_quality(&context, &scene, format, quality).expect("renderer");
        let state = |body: &crate::scene::Body| BodyState {
            center: body.position.to_array(),
            inv_mass: 1.0,
            rotation: body.rotation.to_array(),
            ..BodyState::default()
        };
        let states: Vec<_> = scene.bodies.iter().map(state).collect();
        let particles: Vec<_> = scene.particles.iter().map(|p| p.position.extend(p.radius).to_array()).collect();
        let velocities: Vec<_> = scene.particles.iter().map(|p| p.velocity.extend(0.0).to_array()).collect();
        let mut owners = vec![u32::MAX; particles.len()];
        for (body, index) in scene.bodies.iter().zip(0..) {
            body.links.iter().for_each(|link| owners[link.particle.0 as usize] = index);
        }
        let upload = |bytes: &[u8]| geometry::buffer(&context, "test", bytes, wgpu::BufferUsages::STORAGE);
        let bodies = upload(bytemuck::cast_slice(&states));
        let particles = upload(bytemuck::cast_slice(&particles));
        let velocities = upload(bytemuck::cast_slice(&velocities));
        let owners = upload(bytemuck::cast_slice(&owners));
        Self { context, scene, renderer, bodies, particles, velocities, owners, time: 0.0 }
    }

    pub(super) fn set_body(&self, index: u64, state: BodyState) {
        self.context.queue.write_buffer(&self.bodies, index * 64, bytemuck::bytes_of(&state));
    }

    fn camera(&self) -> Camera {
        Camera::from(self.scene.view)
    }

    fn try_draw(&mut self, size: (u32, u32), options: &DrawOptions) -> Result<RgbaImage, RenderError> {
        let camera = self.camera();
        self.try_see(&camera, size, options)
    }

    fn try_see(&mut self, camera: &Camera, size: (u32, u32), options: &DrawOptions) -> Result<RgbaImage, RenderError> {
        let view = SolverView {
            bodies: &self.bodies,
            particles: &self.particles,
            particle_velocities: &self.velocities,
            particle_bodies: &self.owners,
            tear_corners: &self.owners,
            constraints: None,
            contacts: None,
            body_count: self.scene.bodies.len() as u32,
            particle_count: self.scene.particles.len() as u32,
            time: self.time,
        };
        image(&self.context, &mut self.renderer, size, camera, &view, options)
    }

    pub(super) fn draw(&mut self, options: &DrawOptions) -> RgbaImage {
        let picture = self.try_draw(SIZE, options).expect("picture");
        assert_eq!(self.context.take_errors(), Vec::<String>::new());
        picture
    }
}

/// An orange box at rest on the ground.
fn boxed() -> Scene {
    let mut scene =
        Scene { view: View { eye: Vec3::new(3.0, 2.2, 4.0), target: Vec3::new(0.0, 0.3, 0.0) }, ..Scene::default() };
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let desc = BodyDesc { position: Vec3::new(0.0, HALF, 0.0), ..BodyDesc::cuboid(Vec3::splat(HALF), 0.1) };
    let body = scene.add_body(desc).unwrap();
    let model = Arc::new(primitive_model(&Shape::Cuboid(Vec3::splat(HALF))));
    scene.draw_body(body, &model, Vec4::new(0.8, 0.2, 0.05, 1.0)).unwrap();
    scene
}

fn luma(picture: &RgbaImage, at: Vec2) -> i32 {
    let [r, g, b, _] = picture.get_pixel(at.x as u32, at.y as u32).0.map(i32::from);
    (2 * r + 5 * g + b) / 8
}

fn different(a: &RgbaImage, b: &RgbaImage) -> usize {
    a.pixels().zip(b.pixels()).filter(|(p, q)| p.0.iter().zip(q.0).any(|(x, y)| x.abs_diff(y) > 12)).count()
}

#[test]
fn a_box_is_where_its_body_is() {
    let mut stage = Stage::new(boxed());
    let options = DrawOptions::default();
    let shown = stage.draw(&options);
    let hidden = stage.draw(&DrawOptions { surfaces: false, ..options });
    let camera = stage.camera();
    let orange = |p: &RgbaImage, x: u32, y: u32| {
        let [r, _, b, _] = p.get_pixel(x, y).0;
        i32::from(r) - i32::from(b) > 40
    };
    let mut hits = 0;
    for (x, y, _) in shown.enumerate_pixels() {
        let (origin, direction) = camera.ray(Vec2::new(x as f32 + 0.5, y as f32 + 0.5), SIZE);
        // Slabs a little smaller and larger than the box leave out the edge pixels, which may be smoothed.
        let meets = |half: f32| {
            let low = (Vec3::splat(-half) + Vec3::Y * HALF - origin) / direction;
            let high = (Vec3::splat(half) + Vec3::Y * HALF - origin) / direction;
            low.min(high).max_element() < low.max(high).min_element()
        };
        if meets(HALF * 0.92) {
            hits += 1;
            assert!(orange(&shown, x, y), "the ray through {x},{y} meets the box");
        } else if !meets(HALF * 1.08) {
            assert!(!orange(&shown, x, y), "the ray through {x},{y} misses the box");
        }
        assert!(!orange(&hidden, x, y));
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn its_shadow_is_darker_than_the_lit_ground() {
    let mut stage = Stage::new(boxed());
    let with = stage.draw(&DrawOptions { grid: false, ..DrawOptions::default() });
    let without = stage.draw(&DrawOptions { grid: false, shadows: false, ..DrawOptions::default() });
    let camera = stage.camera();
    let at = |x: f32, z: f32| camera.pixel(Vec3::new(x, 0.0, z), SIZE).expect("in view");
    // The sun stands at the left and behind the eye: the shadow lies to the right.
    let (shaded, lit) = (at(0.75, -0.2), at(-1.2, 0.6));
    assert!(luma(&with, shaded) < luma(&without, shaded) - 30, "{} {}", luma(&with, shaded), luma(&without, shaded));
    assert!((luma(&with, lit) - luma(&without, lit)).abs() < 4, "lit ground has no shadow of its own");
    assert!(luma(&with, shaded) < luma(&with, lit) - 30);
}

#[test]
fn light_from_all_around_fades_into_corners() {
    let mut stage = Stage::new(boxed());
    let with = stage.draw(&DrawOptions { grid: false, ..DrawOptions::default() });
    let without = stage.draw(&DrawOptions { grid: false, shadows: false, ..DrawOptions::default() });
    let camera = stage.camera();
    // Sunlit ground before the box, nearer and nearer to it.
    let lost = |z: f32| {
        let at = camera.pixel(Vec3::new(-0.2, 0.0, z), SIZE).expect("in view");
        luma(&without, at) - luma(&with, at)
    };
    let [far, near, corner] = [lost(1.4), lost(0.68), lost(0.54)];
    assert!(far.abs() < 4 && corner > near + 4 && near > far + 4, "{far} {near} {corner}");
}

#[test]
fn corners_are_as_dark_in_a_scene_as_small_as_a_hand() {
    let dark = |scale: f32| {
        let view = View { eye: scale * Vec3::new(3.0, 2.2, 4.0), target: scale * Vec3::new(0.0, 0.3, 0.0) };
        let mut scene = Scene { view, ..Scene::default() };
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let shape = Shape::Cuboid(Vec3::splat(scale * HALF));
        scene.add_collider(Collider::new(shape, Vec3::Y * scale * HALF)).unwrap();
        let mut stage = Stage::new(scene);
        let options = DrawOptions { grid: false, ..DrawOptions::default() };
        let [with, without] = [true, false].map(|shadows| stage.draw(&DrawOptions { shadows, ..options }));
        let camera = stage.camera();
        [1.4, 0.54].map(|z| {
            let at = camera.pixel(scale * Vec3::new(-0.2, 0.0, z), SIZE).expect("in view");
            luma(&without, at) - luma(&with, at)
        })
    };
    let [whole, small] = [1.0, 0.05].map(dark);
    assert!(whole[1] > 8 && small[1] > 8 && (whole[1] - small[1]).abs() < 6, "corner {whole:?} {small:?}");
    assert!(whole[0].abs() < 4 && small[0].abs() < 4, "plane {whole:?} {small:?}");
}

#[test]
fn ground_fades_into_the_horizon_and_its_tiles_before() {
    let mut scene = boxed();
    scene.view = View { eye: Vec3::new(0.0, 1.5, 4.0), target: Vec3::new(0.0, 1.5, 0.0) };
    let mut stage = Stage::new(scene);
    let [with, without] =
        [true, false].map(|grid| stage.draw(&DrawOptions { grid, surfaces: false, ..DrawOptions::default() }));
    let (middle, half) = (SIZE.1 / 2, SIZE.1 / 6);
    let [above, below] = [middle - 2, middle + 1].map(|y| without.get_pixel(40, y).0.map(i32::from));
    let apart = (0..3).map(|part| (above[part] - below[part]).abs()).max().expect("three");
    assert!(apart < 14, "no edge at the horizon: {above:?} {below:?}");
    let changed = |rows: std::ops::Range<u32>| {
        let pixels = rows.flat_map(|y| (0..SIZE.0).map(move |x| (x, y)));
        pixels.filter(|(x, y)| with.get_pixel(*x, *y).0[0].abs_diff(without.get_pixel(*x, *y).0[0]) > 2).count()
    };
    let [far, near] = [changed(middle..middle + 3), changed(middle + half..SIZE.1)];
    assert!(near > 150 && far == 0, "tiles show near by alone: {near} {far}");
}

#[test]
fn a_lens_blurs_what_is_far_and_not_what_is_sharp() {
    let mut scene = Scene { view: View { eye: Vec3::new(0.0, 1.0, 4.0), target: Vec3::Y }, ..Scene::default() };
    for place in [Vec3::new(-0.8, 1.0, 0.0), Vec3::new(5.0, 1.0, -20.0)] {
        let half = Vec3::splat(0.1 * place.distance(scene.view.eye));
        let color = Vec4::new(0.8, 0.02, 0.02, 1.0);
        scene.add_collider(Collider { color, ..Collider::new(Shape::Cuboid(half), place) }).unwrap();
    }
    let mut stage = Stage::new(scene);
    let (options, camera) = (DrawOptions::default(), stage.camera());
    let lens = Lens::new(4.0, 0.25).unwrap().with_looks(24).unwrap();
    let plain = stage.draw(&options);
    let seen = lens.picture(&camera, |camera| stage.try_see(camera, SIZE, &options)).unwrap();
    let again = lens.picture(&camera, |camera| stage.try_see(camera, SIZE, &options)).unwrap();
    assert_eq!(seen, again, "the same state gives the same picture");
    // Half way between red and the sky.
    let soft = |picture: &RgbaImage, columns: std::ops::Range<u32>| {
        let pixels = columns.flat_map(|x| (45..75).map(move |y| picture.get_pixel(x, y).0));
        pixels.filter(|[r, g, ..]| (15..90).contains(&(i32::from(*r) - i32::from(*g)))).count()
    };
    let sides = [0..SIZE.0 / 2, SIZE.0 / 2..SIZE.0];
    let [sharp, blurred] = sides.clone().map(|side| soft(&seen, side));
    let [before, far_before] = sides.map(|side| soft(&plain, side));
    assert!(sharp <= before + 40, "sharp where it is focused: {sharp} soft pixels, {before} without a lens");
    assert!(blurred > far_before + 60, "soft far away: {blurred} soft pixels, {far_before} without a lens");
}

#[test]
fn removed_bodies_vanish_from_every_view() {
    let mut stage = Stage::new(boxed());
    stage.set_body(0, BodyState { center: [0.0, HALF, 0.0], inv_mass: 1.0, ..BodyState::default() });
    let empty = stage.draw(&DrawOptions { surfaces: false, ..DrawOptions::default() });
    assert_eq!(different(&stage.draw(&DrawOptions::default()), &empty), 0);
    let particles = DrawOptions { surfaces: false, particles: true, ..DrawOptions::default() };
    assert_eq!(different(&stage.draw(&particles), &empty), 0);
}

#[test]
fn particle_and_joint_views_show_what_they_name() {
    let mut scene = boxed();
    let position = Vec3::new(0.0, 1.6, 0.0);
    let second = scene.add_body(BodyDesc { position, ..BodyDesc::sphere(0.3, 0.1) }).unwrap();
    scene.add_joint(JointDesc::new(JointKind::Hinge, BodyId(0), second, Vec3::Y, Vec3::X, 0.1)).unwrap();
    let free = Particle {
        position: Vec3::new(-1.2, 0.2, 0.8),
        velocity: Vec3::ZERO,
        radius: 0.2,
        mass: 1.0,
        phase: Phase::default(),
    };
    scene.add_particle(free).unwrap();
    let mut stage = Stage::new(scene);
    let nothing = DrawOptions { surfaces: false, ..DrawOptions::default() };
    let empty = stage.draw(&nothing);
    let particles = stage.draw(&DrawOptions { particles: true, ..nothing });
    assert!(different(&particles, &empty) > 400);
    let at = stage.camera().pixel(free.position, SIZE).unwrap();
    let [r, _, b, _] = particles.get_pixel(at.x as u32, at.y as u32).0;
    assert!(b > r + 60, "free particles are blue: {r} {b}");

    let red = |p: &RgbaImage| p.pixels().filter(|p| p.0[0] > 150 && p.0[1] < 90 && p.0[2] < 90).count();
    let tight = stage.draw(&DrawOptions { joints: true, ..nothing });
    let state = |y: f32| BodyState {
        center: [0.0, y, 0.0],
        inv_mass: 1.0,
        rotation: Quat::IDENTITY.to_array(),
        ..BodyState::default()
    };
    stage.set_body(1, state(2.0));
    let gaping = stage.draw(&DrawOptions { joints: true, ..nothing });
    assert!(different(&tight, &empty) > 30);
    assert!(red(&gaping) > red(&tight) + 20, "a gap of 0.4 m shows: {} {}", red(&gaping), red(&tight));

    let drag = DragLine { body: BodyId(0), local: Vec3::ZERO, target: Vec3::new(-1.5, 1.5, 0.0) };
    assert!(different(&stage.draw(&DrawOptions { drag: Some(drag), ..nothing }), &empty) > 40);
}

#[test]
fn empty_scenes_and_impossible_sizes() {
    let mut stage = Stage::new(Scene::default());
    let all = DrawOptions { particles: true, joints: true, ..DrawOptions::default() };
    let sky = stage.draw(&all);
    assert!(sky.pixels().all(|p| p.0[2] > 60), "only sky");
    for size in [(0, 120), (160, 0), (1 << 20, 4)] {
        let refused = stage.try_draw(size, &all);
        assert!(matches!(refused, Err(RenderError::Size { width, height, .. }) if (width, height) == size));
    }
    assert_eq!(stage.try_draw((1, 1), &all).expect("one pixel").dimensions(), (1, 1));
    let pair = (stage.bodies.clone(), stage.particles.clone());
    let view = SolverView {
        bodies: &pair.0,
        particles: &pair.1,
        particle_velocities: &pair.1,
        particle_bodies: &pair.1,
        tear_corners: &pair.1,
        constraints: None,
        contacts: None,
        body_count: 0,
        particle_count: 0,
        time: 0.0,
    };
    let own = super::canvas::Canvas::own(&stage.context, stage.renderer.quality());
    let target = targets::Targets::new(&stage.context, own, (4, 4), false);
    let drawn = stage.context.try_run("nothing", |encoder| {
        stage.renderer.draw(encoder, &target.picture, (0, 4), &Camera::default(), &view, &all)
    });
    drawn.unwrap();
    assert_eq!(stage.context.take_errors(), Vec::<String>::new());
}

#[test]
fn materials_of_every_kind_draw_as_they_say() {
    let one = |material: Material, rgba: [u8; 4]| {
        let mut scene = boxed();
        let mut model = primitive_model(&Shape::Cuboid(Vec3::splat(HALF)));
        model.primitives[0].uvs = vec![Vec2::splat(0.5); model.primitives[0].positions.len()];
        model.images = vec![Image { width: 2, height: 2, rgba: rgba.repeat(4) }];
        model.materials = vec![material];
        scene.instances[0].model = Arc::new(model);
        scene.instances[0].tint = Vec4::ONE;
        let mut stage = Stage::new(scene);
        let at = stage.camera().pixel(Vec3::new(0.0, HALF, HALF), SIZE).unwrap();
        let picture = stage.draw(&DrawOptions::default());
        let empty = stage.draw(&DrawOptions { surfaces: false, shadows: false, ..DrawOptions::default() });
        (picture.get_pixel(at.x as u32, at.y as u32).0, empty.get_pixel(at.x as u32, at.y as u32).0)
    };
    let textured = Material { base_color_texture: Some(0), unlit: true, ..Material::default() };
    let ([r, g, ..], _) = one(textured.clone(), [220, 10, 10, 255]);
    assert!(r > 150 && g < 60, "the texture's red: {r} {g}");
    let mask = Material { alpha: AlphaMode::Mask(0.5), ..textured.clone() };
    let (pixel, behind) = one(mask.clone(), [220, 10, 10, 100]);
    assert_eq!(pixel, behind, "below the cutoff nothing is drawn");
    let ([r, g, ..], _) = one(mask, [220, 10, 10, 200]);
    assert!(r > 150 && g < 60, "{r} {g}");
    let blend = Material { alpha: AlphaMode::Blend, double_sided: true, ..textured };
    let ([_, half, ..], [_, behind, ..]) = one(blend, [220, 10, 10, 128]);
    assert!(half > 60 && half < behind - 10, "half of the background's green is left: {half} of {behind}");
    let glowing = Material {
        emissive: Vec3::new(0.0, 3.0, 0.0),
        base_color: Vec4::new(0.0, 0.0, 0.0, 1.0),
        ..Material::default()
    };
    let ([r, g, ..], _) = one(glowing.clone(), [0; 4]);
    assert!(g > 200 && r < 120, "{r} {g}");
    let unlit = Material { unlit: true, base_color: Vec4::new(0.0, 0.0, 0.5, 1.0), ..glowing };
    let ([r, g, b, _], _) = one(unlit, [0; 4]);
    assert!(b > 100 && r < 60 && g < 60, "what is unlit has its base color alone: {r} {g} {b}");
    let all = Material {
        metallic: 1.0,
        roughness: 0.2,
        metallic_roughness_texture: Some(0),
        normal_texture: Some(0),
        occlusion_texture: Some(0),
        emissive_texture: Some(0),
        ..Material::default()
    };
    one(all, [128, 128, 255, 255]);
}

#[test]
fn pictures_go_on_beyond_their_edges_as_their_material_says() {
    // Red, then blue; seen beyond the right edge, in the picture's next copy.
    let seen = |sampling: Sampling, u: f32| {
        let mut scene = boxed();
        let mut model = primitive_model(&Shape::Cuboid(Vec3::splat(HALF)));
        model.primitives[0].uvs = vec![Vec2::new(u, 0.5); model.primitives[0].positions.len()];
        model.images = vec![Image { width: 2, height: 1, rgba: vec![220, 0, 0, 255, 0, 0, 220, 255] }];
        model.materials = vec![Material { base_color_texture: Some(0), unlit: true, sampling, ..Material::default() }];
        scene.instances[0].model = Arc::new(model);
        scene.instances[0].tint = Vec4::ONE;
        let stage = &mut Stage::new(scene);
        let at = stage.camera().pixel(Vec3::new(0.0, HALF, HALF), SIZE).unwrap();
        let [red, _, blue, _] = stage.draw(&DrawOptions::default()).get_pixel(at.x as u32, at.y as u32).0;
        [red > 90, blue > 90]
    };
    let laid = |across| Sampling { across, ..Sampling::default() };
    assert_eq!([1.25, 1.75].map(|u| seen(laid(Wrap::Repeat), u)), [[true, false], [false, true]]);
    assert_eq!([1.25, 1.75].map(|u| seen(laid(Wrap::Mirror), u)), [[false, true], [true, false]]);
    assert_eq!([1.25, 1.75].map(|u| seen(laid(Wrap::Clamp), u)), [[false, true], [false, true]]);
    let squares = Sampling { squares: true, ..Sampling::default() };
    assert_eq!([laid(Wrap::Repeat), squares].map(|s| seen(s, 0.45)), [[true, true], [true, false]]);
}

#[test]
fn normal_textures_bend_light_the_right_way() {
    let scaled = |red: u8, green: u8, normal_scale: f32| {
        let mut scene = boxed();
        scene.view = View { eye: Vec3::new(0.0, HALF, 4.0), target: Vec3::new(0.0, HALF, 0.0) };
        let mut model = primitive_model(&Shape::Cuboid(Vec3::splat(HALF)));
        let part = &mut model.primitives[0];
        // Texture coordinates as on a picture hung on the front: u to the right, v down.
        part.uvs = part.positions.iter().map(|p| Vec2::new(p.x + HALF, HALF - p.y)).collect();
        model.images = vec![Image { width: 1, height: 1, rgba: vec![red, green, 220, 255] }];
        model.materials = vec![Material { normal_texture: Some(0), normal_scale, ..Material::default() }];
        scene.instances[0].model = Arc::new(model);
        let mut stage = Stage::new(scene);
        luma(&stage.draw(&DrawOptions::default()), Vec2::new(80.0, 60.0))
    };
    let brightness = |red: u8, green: u8| scaled(red, green, 1.0);
    // The sun stands in front, to the upper left.
    let flat = brightness(128, 128);
    let [left, right] = [brightness(50, 128), brightness(206, 128)];
    let [up, down] = [brightness(128, 206), brightness(128, 50)];
    assert!(left > flat + 8 && flat > right + 8, "{left} {flat} {right}");
    assert!(up > flat + 8 && flat > down + 8, "{up} {flat} {down}");
    let [none, some, turned] = [0.0, 0.5, -1.0].map(|scale| scaled(50, 128, scale));
    assert!(none.abs_diff(flat) <= 1, "{none} {flat}");
    assert!(
        flat + 3 < some && some + 3 < left && turned.abs_diff(right) <= 1,
        "{flat} {some} {left}; {turned} {right}"
    );
}

#[test]
fn colliders_are_drawn_where_they_are_and_follow() {
    let mut scene =
        Scene { view: View { eye: Vec3::new(0.0, 1.0, 5.0), target: Vec3::new(0.0, 1.0, 0.0) }, ..Scene::default() };
    for (i, shape) in
        [Shape::Sphere(0.4), Shape::Capsule { radius: 0.2, half_length: 0.3 }, Shape::Cuboid(Vec3::splat(0.3))]
            .into_iter()
            .enumerate()
    {
        scene
            .add_collider(Collider {
                color: Vec4::new(0.8, 0.02, 0.02, 1.0),
                ..Collider::new(shape, Vec3::new(i as f32 - 1.0, 1.0, 0.0))
            })
            .unwrap();
    }
    let slope = Collider::new(Shape::Plane, Vec3::new(0.0, -1.0, 0.0)).rotated(Quat::from_rotation_z(0.4));
    scene.add_collider(slope).unwrap();
    scene.add_collider(Collider { color: Vec4::ZERO, ..Collider::new(Shape::Sphere(3.0), Vec3::Y) }).unwrap();
    let mut stage = Stage::new(scene);
    let camera = stage.camera();
    let red = |p: &RgbaImage, x: f32, y: f32| {
        let at = camera.pixel(Vec3::new(x, y, 0.0), SIZE).unwrap();
        let [r, g, ..] = p.get_pixel(at.x as u32, at.y as u32).0;
        r > 80 && g < r / 2
    };
    let before = stage.draw(&DrawOptions::default());
    assert!([-1.0, 0.0, 1.0].iter().all(|x| red(&before, *x, 1.0)));
    stage.scene.colliders[0].position.y = 2.0;
    stage.renderer.pose_colliders(&stage.scene.colliders);
    let after = stage.draw(&DrawOptions::default());
    assert!(red(&after, -1.0, 2.0) && !red(&after, -1.0, 1.0));
}

#[test]
fn what_is_added_later_is_drawn() {
    let mut stage = Stage::new(boxed());
    let before = stage.draw(&DrawOptions::default());
    let (model, tint) = (Arc::clone(&stage.scene.instances[0].model), Vec4::new(0.02, 0.6, 0.05, 1.0));
    stage.scene.draw_body(BodyId(0), &model, tint).unwrap();
    stage.scene.instances[1].bones[0].rest_center = Vec3::new(0.0, -1.0, 0.0);
    stage.scene.instances[1].model = Arc::new(Model::clone(&model));
    stage.renderer.update_scene(&stage.context, &stage.scene).unwrap();
    let after = stage.draw(&DrawOptions::default());
    assert!(different(&before, &after) > 400, "a green box stands on the orange one");
    let at = stage.camera().pixel(Vec3::new(0.0, 1.5, 0.0), SIZE).unwrap();
    let [r, g, ..] = after.get_pixel(at.x as u32, at.y as u32).0;
    assert!(g > r + 30, "{r} {g}");
}

#[test]
fn wrong_images_and_formats_are_named() {
    let context = Context::shared().expect("adapter");
    let mut scene = boxed();
    let mut model = primitive_model(&Shape::Sphere(1.0));
    model.images = vec![Image { width: 4, height: 4, rgba: vec![0; 60] }];
    scene.instances[0].model = Arc::new(model);
    let error = Renderer::new(&context, &scene, wgpu::TextureFormat::Rgba8Unorm).expect_err("60 bytes for 16 pixels");
    assert!(matches!(error, RenderError::Image { image: 0, bytes: 60, .. }), "{error}");
}

#[test]
fn srgb_and_plain_targets_show_the_same() {
    let mut stage = Stage::new(boxed());
    let coded = stage.draw(&DrawOptions::default());
    for format in [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Bgra8UnormSrgb] {
        stage.renderer = Renderer::new(&stage.context, &stage.scene, format).unwrap();
        assert_eq!(different(&coded, &stage.draw(&DrawOptions::default())), 0, "{format:?}");
    }
}

#[test]
fn low_quality_shows_the_same_with_less_work() {
    let mut stages = [Quality::Low, Quality::High].map(|quality| Stage::with_quality(boxed(), quality));
    let options = DrawOptions { grid: false, ..DrawOptions::default() };
    let [low, high] = stages.each_mut().map(|stage| stage.draw(&options));
    let changed = different(&low, &high);
    assert!(changed < (SIZE.0 * SIZE.1 / 10) as usize, "{changed} pixels differ: more than edges and corners");
    let camera = stages[0].camera();
    let shaded = camera.pixel(Vec3::new(0.75, 0.0, -0.2), SIZE).expect("in view");
    let lit = camera.pixel(Vec3::new(-1.2, 0.0, 0.6), SIZE).expect("in view");
    assert!(luma(&low, shaded) < luma(&low, lit) - 30, "the box has a shadow at low quality too");
    let [few, many] = stages.each_ref().map(|stage| {
        let quality = stage.renderer.quality();
        (quality.picture_size(SIZE), quality.map_size(&stage.context))
    });
    assert!(few.0.0 < many.0.0 && few.1 < many.1, "{few:?} {many:?}");
    let [few, many] = stages.each_mut().map(|stage| {
        stage.renderer.set_timing(true);
        (0..8).for_each(|_| drop(stage.draw(&options)));
        stage.renderer.pass_times().into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    });
    if stages[0].context.has_timestamps() {
        assert!(few.len() < many.len() && many.iter().any(|name| name == "render/occlusion"), "{few:?} {many:?}");
        assert!(few.iter().all(|name| name != "render/occlusion" && name != "render/smooth"), "{few:?}");
    }
}
