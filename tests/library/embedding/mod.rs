//! A host that owns the device, the picture and its depth draws with Sinew into them.

mod host;

use std::sync::Arc;

use host::{BACKGROUND, Cube, Host, SIZE};
use sinew::glam::{Mat4, Quat, Vec3, Vec4, vec3};
use sinew::gpu::Context;
use sinew::render::{DrawOptions, HostColors, HostFormat, HostRenderer, Light, Quality, RenderError};
use sinew::scene::{
    AlphaMode, BodyDesc, Collider, Deformable, Liquid, Material, Scene, Shape, SheetGrid, SheetMaterial, Shell,
    primitive_model,
};
use sinew::solver::Solver;
use sinew::wgpu::TextureFormat;

/// The formats of hosts: one like a small game, one like a game with smooth edges, one with a stencil, and one that shows radiance by
/// itself.
fn formats() -> [HostFormat; 4] {
    let plain = HostFormat {
        color: TextureFormat::Rgba8UnormSrgb,
        depth: TextureFormat::Depth32Float,
        samples: 1,
        reversed_depth: true,
        colors: HostColors::Display,
    };
    let smooth = HostFormat {
        color: TextureFormat::Bgra8Unorm,
        depth: TextureFormat::Depth24Plus,
        samples: 4,
        reversed_depth: false,
        ..plain
    };
    let radiant =
        HostFormat { color: TextureFormat::Rgba16Float, reversed_depth: false, colors: HostColors::Radiance, ..plain };
    let stencil = HostFormat { depth: TextureFormat::Depth24PlusStencil8, ..plain };
    [plain, smooth, stencil, radiant]
}

/// A red cloth that hangs in the plane z = 0, two metres wide and high, its lower edge one metre up.
fn cloth() -> Scene {
    let grid = SheetGrid::square(9, 2.0);
    let mut cloth =
        Deformable::sheet("banner", grid.positions(), &grid.triangles(), 0.02, &SheetMaterial::default()).unwrap();
    cloth.pin(|_| true);
    let mut scene = Scene::default();
    let id =
        scene.add_deformable(&cloth, 2.0 * Vec3::Y, Quat::from_rotation_x(std::f32::consts::FRAC_PI_2), Vec3::ZERO);
    let red = Material { double_sided: true, ..Material::default() };
    let shell = Shell::on_particles(&grid.positions(), &grid.triangles(), &[], red);
    scene.draw_shell(id.unwrap(), &Arc::new(shell), Vec4::new(0.8, 0.02, 0.02, 1.0)).unwrap();
    scene
}

fn drawn(host: &Host, scene: &Scene, options: &DrawOptions, [before, after]: [&[Cube]; 2]) -> Vec<[f32; 4]> {
    let mut solver = Solver::new(&host.context, scene).unwrap();
    let mut renderer = HostRenderer::new(&host.context, scene, host.format, Quality::High).unwrap();
    let views = host.views();
    host.context
        .checked("a picture of a host", || {
            let mut encoder = host.context.device.create_command_encoder(&Default::default());
            solver.record(&mut encoder);
            host.draw(&mut encoder, before, true);
            renderer.sync(&solver).unwrap();
            renderer.draw_into(&mut encoder, host.target(&views), &host.view, &solver.view(), options).unwrap();
            host.draw(&mut encoder, after, false);
            host.context.queue.submit([encoder.finish()]);
            host.read()
        })
        .unwrap()
}

fn near(found: [f32; 4], wanted: [f32; 4]) -> bool {
    found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.01)
}

#[test]
fn things_of_host_and_scene_hide_one_another() {
    let blue = Vec4::new(0.0, 0.0, 1.0, 1.0);
    let front = || Cube { middle: vec3(-0.6, 2.0, 0.5), half: vec3(0.3, 0.8, 0.1), color: blue };
    // Half of it is behind the cloth, half beside it.
    let behind = || Cube { middle: vec3(1.0, 2.0, -0.5), half: vec3(0.6, 0.3, 0.1), color: blue };
    for format in formats() {
        let host = Host::new(format, vec3(0.0, 2.0, 4.0), vec3(0.0, 2.0, 0.0));
        let options = DrawOptions::default();
        for (before, after) in [(vec![front(), behind()], Vec::new()), (vec![front()], vec![behind()])] {
            let after = if after.is_empty() { vec![Cube { half: Vec3::ZERO, ..front() }] } else { after };
            let picture = drawn(&host, &cloth(), &options, [&before, &after]);
            let at = |x, y| host.at(&picture, vec3(x, y, 0.0));
            assert!(
                near(host.at(&picture, vec3(-0.6, 2.0, 0.6)), blue.to_array()),
                "{format:?}: the box before the cloth"
            );
            assert!(near(host.at(&picture, vec3(1.5, 2.0, -0.5)), blue.to_array()), "{format:?}: what is beside it");
            for (x, y) in [(0.0, 2.0), (0.8, 2.0), (0.5, 2.6), (0.5, 1.1)] {
                let [r, g, b, _] = at(x, y);
                assert!(r > 0.1 && r > 3.0 * g.max(b), "{format:?}: the cloth at {x}, {y}: {:?}", at(x, y));
            }
            assert!(near(at(-1.4, 2.9), BACKGROUND), "{format:?}: where nothing is");
        }
    }
}

#[test]
fn the_hosts_sun_lights_the_scene() {
    let [plain, ..] = formats();
    let host = Host::new(plain, vec3(0.0, 2.0, 4.0), vec3(0.0, 2.0, 0.0));
    let none = [Cube { middle: Vec3::ZERO, half: Vec3::ZERO, color: Vec4::ONE }];
    let lit = |light| {
        let picture = drawn(&host, &cloth(), &DrawOptions { light, ..DrawOptions::default() }, [&none, &none]);
        host.at(&picture, vec3(0.0, 2.0, 0.0))
    };
    let lamp = |to_sun, sun| Light::sun_and_ambient(to_sun, sun, Vec3::splat(0.02));
    let [front, back, dark] = [(Vec3::Z, Vec3::ONE * 3.0), (Vec3::NEG_Z, Vec3::ONE * 3.0), (Vec3::Z, Vec3::ZERO)]
        .map(|(d, c)| lit(lamp(d, c)));
    assert!(front[0] > 2.0 * back[0] && (back[0] - dark[0]).abs() < 0.02, "{front:?} {back:?} {dark:?}");
    let blue = lit(lamp(Vec3::Z, vec3(0.0, 0.0, 3.0)));
    assert!(blue[0] < 0.5 * front[0], "a blue sun leaves red dark: {blue:?} {front:?}");
}

#[test]
fn radiance_is_what_the_formula_says() {
    let [.., radiant] = formats();
    let host = Host::new(radiant, vec3(0.0, 2.0, 4.0), vec3(0.0, 2.0, 0.0));
    let none = [Cube { middle: Vec3::ZERO, half: Vec3::ZERO, color: Vec4::ONE }];
    let light = Light::sun_and_ambient(Vec3::Z, Vec3::splat(40.0), Vec3::ZERO);
    let picture = drawn(&host, &cloth(), &DrawOptions { light, ..DrawOptions::default() }, [&none, &none]);
    // Away from the highlight in the middle: 0.8 of the light over pi, less what the surface mirrors; far above 1.
    let [r, ..] = host.at(&picture, vec3(0.8, 2.8, 0.0));
    let wanted = 40.0 * 0.8 / std::f32::consts::PI;
    assert!((r / wanted - 1.0).abs() < 0.08, "{r} for {wanted}");
}

#[test]
fn water_lies_over_what_the_host_has_drawn() {
    let red = Vec4::new(1.0, 0.0, 0.0, 1.0);
    let boxes = [
        Cube { middle: vec3(-0.5, 0.3, 1.0), half: vec3(0.15, 0.2, 0.05), color: red },
        Cube { middle: vec3(0.3, 0.3, -1.0), half: vec3(2.0, 0.2, 0.05), color: red },
    ];
    let scene = pool();
    let dry = Scene { liquids: Vec::new(), ..scene.clone() };
    for format in formats() {
        let host = Host::new(format, vec3(0.0, 0.8, 3.0), vec3(0.0, 0.3, 0.0));
        let none = [Cube { middle: Vec3::ZERO, half: Vec3::ZERO, color: red }];
        // Shadows of the water would change the ground too.
        let options = DrawOptions { shadows: false, planes: false, ..DrawOptions::default() };
        let [wet, plain] = [&scene, &dry].map(|scene| drawn(&host, scene, &options, [&boxes, &none]));
        let changed: Vec<bool> = wet.iter().zip(&plain).map(|(a, b)| a != b).collect();
        let count = changed.iter().filter(|changed| **changed).count();
        assert!((1500..13000).contains(&count), "{format:?}: {count} of {} pixels show water", SIZE.0 * SIZE.1);
        let [before, through] = [vec3(-0.5, 0.3, 1.05), vec3(0.3, 0.35, -0.95)];
        assert_eq!(host.at(&wet, before), host.at(&plain, before), "{format:?}: a box before the water");
        let (seen, bare) = (host.at(&wet, through), host.at(&plain, through));
        assert!(
            seen != bare && seen[0] > 1.2 * seen[1],
            "{format:?}: a red box through water: {seen:?}, {bare:?} without"
        );
        let corner = vec3(-1.6, 1.6, 0.0);
        assert_eq!(host.at(&wet, corner), host.at(&plain, corner), "{format:?}: nothing changes far from the water");
    }
}

/// Rows of water, 1.6 m wide, 0.8 m deep and 0.6 m high, on the ground about the origin.
fn pool() -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
    let place = |i: u32| vec3((i % 16) as f32 - 7.5, (i / 128) as f32 + 0.5, (i / 16 % 8) as f32 - 3.5) * 0.1;
    scene.pour(water, &(0..16 * 8 * 6).map(place).collect::<Vec<_>>(), Vec3::ZERO).unwrap();
    scene
}

#[test]
fn glass_before_water_is_laid_over_it_and_glass_behind_is_seen_through_it() {
    const ALPHA: f32 = 0.4;
    let half = vec3(0.4, 0.15, 0.01);
    let with_pane = |z: f32, alpha: Option<f32>| {
        let mut scene = pool();
        let body = scene.add_body(BodyDesc::cuboid(half, 0.02).at(vec3(0.8, 0.3, z))).unwrap();
        let mut model = primitive_model(&Shape::Cuboid(half));
        let use_of_alpha = if alpha.is_some() { AlphaMode::Blend } else { AlphaMode::Opaque };
        model.materials = vec![Material { unlit: true, alpha: use_of_alpha, ..Material::default() }];
        scene.draw_body(body, &Arc::new(model), Vec4::new(0.9, 0.4, 0.02, alpha.unwrap_or(1.0))).unwrap();
        scene
    };
    let options = DrawOptions { shadows: false, planes: false, ..DrawOptions::default() };
    let none = [Cube { middle: Vec3::ZERO, half: Vec3::ZERO, color: Vec4::ONE }];
    for format in formats() {
        let host = Host::new(format, vec3(0.0, 0.8, 3.0), vec3(0.0, 0.3, 0.0));
        let picture = |scene: &Scene| drawn(&host, scene, &options, [&none, &none]);
        // Blending is done on what the format holds: light, or what a display is told.
        let held = |picture: &[[f32; 4]], place| {
            let [r, g, b, _] = host.at(picture, place);
            let linear = |c: f32| ((c + 0.055) / 1.055).powf(2.4);
            if format.color.is_srgb() { vec3(r, g, b).map(linear) } else { vec3(r, g, b) }
        };
        let without = picture(&pool());
        let [opaque, glass] = [None, Some(ALPHA)].map(|alpha| picture(&with_pane(0.7, alpha)));
        // Two places before water, and one beside it.
        for x in [0.5, 0.6, 1.15] {
            let place = vec3(x, 0.3, 0.7 + half.z);
            let [behind, pane, found] = [&without, &opaque, &glass].map(|picture| held(picture, place));
            let expected = ALPHA * pane + (1.0 - ALPHA) * behind;
            assert!((found - expected).abs().max_element() < 0.03, "{format:?}, {x}: {found}, and {expected} is due");
        }
        let through = vec3(0.5, 0.35, 0.4);
        let [found, bare] = [&picture(&with_pane(-0.7, Some(ALPHA))), &without].map(|picture| held(picture, through));
        assert!((found - bare).abs().max_element() > 0.03, "{format:?}: glass behind water: {found}, {bare} without");
    }
}

#[test]
fn views_that_cannot_be_drawn_are_refused_by_their_reason() {
    let [plain, smooth, ..] = formats();
    let host = Host::new(plain, vec3(0.0, 2.0, 4.0), Vec3::ZERO);
    let scene = cloth();
    let solver = Solver::new(&host.context, &scene).unwrap();
    let mut renderer = HostRenderer::new(&host.context, &scene, plain, Quality::Low).unwrap();
    let mut refused = |view, options: DrawOptions| {
        let mut encoder = host.context.device.create_command_encoder(&Default::default());
        renderer.prepare(&mut encoder, &view, &solver.view(), &options).unwrap_err()
    };
    let good = host.view;
    let scaled = good.view_from_world * Mat4::from_scale(Vec3::splat(2.0));
    let flat = sinew::glam::camera::rh::proj::directx::orthographic(-1.0, 1.0, -1.0, 1.0, 0.1, 10.0);
    let other = Host::new(smooth, Vec3::ONE, Vec3::ZERO).view.clip_from_view;
    let cases = [
        (sinew::render::HostView { view_from_world: scaled, ..good }, "without scale"),
        (sinew::render::HostView { clip_from_view: flat, ..good }, "orthographic"),
        (sinew::render::HostView { clip_from_view: other, ..good }, "reversed_depth is true"),
        (sinew::render::HostView { focus: f32::NAN, ..good }, "finite"),
        (sinew::render::HostView { size: (0, 144), ..good }, "0x144"),
    ];
    for (view, words) in cases {
        let error = refused(view, DrawOptions::default()).to_string();
        assert!(error.contains(words), "{error}");
    }
    let light = Light { sun: vec3(1.0, -1.0, 1.0), ..Light::default() };
    assert!(matches!(
        refused(good, DrawOptions { light, ..Default::default() }),
        RenderError::Light { field: "sun", .. }
    ));
    let light = Light { to_sun: Vec3::ZERO, ..Light::default() };
    assert!(matches!(
        refused(good, DrawOptions { light, ..Default::default() }),
        RenderError::Light { field: "to_sun", .. }
    ));
    for format in [
        HostFormat { color: TextureFormat::Depth32Float, ..plain },
        HostFormat { depth: TextureFormat::Rgba8Unorm, ..plain },
        HostFormat { samples: 3, ..plain },
        HostFormat { samples: 64, ..plain },
        HostFormat { color: TextureFormat::R8Unorm, ..plain },
        HostFormat { color: TextureFormat::Rgba8Uint, ..plain },
        HostFormat { color: TextureFormat::Bc1RgbaUnorm, ..plain },
        HostFormat { colors: HostColors::Radiance, ..plain },
    ] {
        assert!(matches!(HostRenderer::new(&host.context, &scene, format, Quality::Low), Err(RenderError::Host(_))));
    }
}

#[test]
fn targets_and_worlds_that_do_not_fit_are_refused() {
    let [plain, ..] = formats();
    let host = Host::new(plain, vec3(0.0, 2.0, 4.0), Vec3::ZERO);
    let scene = cloth();
    let solver = Solver::new(&host.context, &scene).unwrap();
    let mut renderer = HostRenderer::new(&host.context, &scene, plain, Quality::Low).unwrap();
    let (views, options) = (host.views(), DrawOptions::default());
    let mut encoder = host.context.device.create_command_encoder(&Default::default());
    let mut told = |renderer: &mut HostRenderer| {
        renderer.draw_prepared(&mut encoder, host.target(&views), &solver.view(), &options).unwrap_err().to_string()
    };
    assert!(told(&mut renderer).contains("0x0"));
    let narrow = sinew::render::HostView { size: (64, 48), ..host.view };
    let mut encoder = host.context.device.create_command_encoder(&Default::default());
    renderer.prepare(&mut encoder, &narrow, &solver.view(), &options).unwrap();
    let error = told(&mut renderer);
    assert!(error.contains("64x48") && error.contains(&format!("{}x{}", SIZE.0, SIZE.1)), "{error}");
    let other = Host::new(plain, Vec3::ONE, Vec3::ZERO);
    let elsewhere = Solver::new(&other.context, &scene).unwrap();
    let error = renderer.sync(&elsewhere).unwrap_err().to_string();
    assert!(error.contains("another device"), "{error}");
    // A host that hears of a lost device says so.
    other.context.note_lost();
    assert!(other.context.is_lost() && elsewhere.wait().is_err());
}

#[test]
fn the_hosts_things_cast_shadows_on_the_scenes() {
    let [plain, ..] = formats();
    let host = Host::new(plain, vec3(0.0, 2.0, 4.0), vec3(0.0, 2.0, 0.0));
    let scene = cloth();
    let solver = Solver::new(&host.context, &scene).unwrap();
    let mut renderer = HostRenderer::new(&host.context, &scene, plain, Quality::High).unwrap();
    let views = host.views();
    let light = Light::sun_and_ambient(vec3(0.0, 1.0, 1.0), Vec3::splat(3.0), Vec3::splat(0.02));
    let options = DrawOptions { light, ..DrawOptions::default() };
    let nothing = [Cube { middle: Vec3::ZERO, half: Vec3::ZERO, color: Vec4::ONE }];
    // Between the sun and the right half of the cloth, above the view.
    let caster = [Cube { middle: vec3(0.6, 5.0, 3.0), half: vec3(0.4, 0.3, 0.3), color: Vec4::ONE }];
    let mut drawn = |caster: &[Cube]| {
        let mut encoder = host.context.device.create_command_encoder(&Default::default());
        host.draw(&mut encoder, &nothing, true);
        renderer.prepare(&mut encoder, &host.view, &solver.view(), &options).unwrap();
        host.cast(&mut encoder, renderer.sun_map(), caster);
        renderer.draw_prepared(&mut encoder, host.target(&views), &solver.view(), &options).unwrap();
        host.context.queue.submit([encoder.finish()]);
        let picture = host.read();
        [-0.6, 0.6].map(|x| host.at(&picture, vec3(x, 2.0, 0.0))[0])
    };
    let ([left, right], [free, shaded]) = (drawn(&nothing), drawn(&caster));
    assert!((left - right).abs() < 0.1 && (free - left).abs() < 0.02, "{left} {right} {free}");
    assert!(shaded < 0.5 * right, "{shaded} in the shadow, {right} without");
}

#[test]
fn worlds_on_one_device_do_not_know_of_one_another() {
    let context = Context::headless(None).expect("adapter");
    let world = |speed: f32| {
        let mut scene = Scene::default();
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let ball = BodyDesc { velocity: speed * Vec3::X, ..BodyDesc::sphere(0.2, 0.08).at(0.5 * Vec3::Y) };
        scene.add_body(ball).unwrap();
        Solver::new(&context, &scene).unwrap()
    };
    let speeds = [0.0, 1.0, 2.0];
    let mut together = speeds.map(world);
    for _ in 0..20 {
        let mut encoder = context.device.create_command_encoder(&Default::default());
        together.iter_mut().for_each(|solver| solver.record(&mut encoder));
        context.queue.submit([encoder.finish()]);
    }
    for (speed, solver) in speeds.into_iter().zip(&together) {
        let mut alone = world(speed);
        (0..20).for_each(|_| alone.step());
        assert_eq!(solver.read_bodies().unwrap(), alone.read_bodies().unwrap(), "at {speed} m/s");
    }
}
