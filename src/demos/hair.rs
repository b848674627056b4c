//! Hair of rods on a shaking head: each wisp is a rod that keeps its curl, clamped in the skin, and falls over head, neck and
//! shoulders.

use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{
    BodyDesc, BodyId, Collider, Deformable, JointDesc, JointKind, Motor, ParticleId, RodMaterial, Scene, SceneError,
    Shape, Strands, View, primitive_model,
};
use crate::spawn::Random;

pub(super) const DEMO: Demo = Demo {
    name: "hair",
    summary: "hair made of rods on a shaking head, over neck and shoulders",
    category: Category::Ropes,
    options: &[
        DemoOption::integer("strands", [1.0, 2000.0], 320.0, "wisps of hair"),
        DemoOption::integer("points", [4.0, 60.0], 16.0, "particles of a wisp"),
        DemoOption::number("length", [0.05, 0.6], 0.3, "length of a wisp [m]"),
        DemoOption::number("curl", [0.0, 0.03], 0.006, "radius of its curls [m]"),
        DemoOption::number("young", [1e5, 1e9], 4e7, "stiffness of the hair [Pa]; a wisp is 3 mm thick"),
        DemoOption::number("shake", [0.0, 20.0], 7.0, "initial turning speed of the head [rad/s]"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

/// Middle and radius of the head [m]; it looks along Z.
const HEAD: Vec3 = Vec3::new(0.0, 1.5, 0.0);
const SKULL: f32 = 0.1;
/// Radius of the neck, and half its length [m].
const NECK: f32 = 0.045;
const NECK_HALF: f32 = 0.04;
/// Middle, radius and half length of the shoulders [m].
const SHOULDERS: Vec3 = Vec3::new(0.0, 1.26, -0.01);
const SHOULDER: f32 = 0.065;
const SHOULDER_HALF: f32 = 0.14;
/// Radius of a wisp as others meet it, and of the hair in it [m].
const WISP: f32 = 0.002;
const CORE: f32 = 0.0015;
/// Density of hair [kg/m³], and its shear over its Young's modulus.
const DENSITY: f32 = 1300.0;
const SHEAR: f32 = 0.35;
/// Hair of a wisp, as it is drawn: it narrows to its tip.
const LOCK: Strands = Strands { count: 9, turns: 4.0, spread: 3.0, taper: 0.2 };
/// How fast a wisp turns down, of its length [1/m], and curls in it a meter.
const DROOP: f32 = 16.0;
const CURLS: f32 = 9.0;
/// Eyes, pupils and nose: radius [m], place in radii of the head, color.
const FACE: [(f32, Vec3, Vec4); 5] = [
    (0.016, Vec3::new(0.36, 0.08, 0.85), Vec4::new(0.9, 0.88, 0.85, 1.0)),
    (0.016, Vec3::new(-0.36, 0.08, 0.85), Vec4::new(0.9, 0.88, 0.85, 1.0)),
    (0.009, Vec3::new(0.37, 0.08, 0.95), Vec4::new(0.06, 0.09, 0.05, 1.0)),
    (0.009, Vec3::new(-0.37, 0.08, 0.95), Vec4::new(0.06, 0.09, 0.05, 1.0)),
    (0.014, Vec3::new(0.0, -0.15, 1.0), Vec4::new(0.68, 0.44, 0.34, 1.0)),
];
/// Frequency with which the head would swing about its neck [1/s].
const SWING: f32 = 0.9;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.params.substeps = 20;
    scene.params.sleep_time = 0.0;
    scene.add_collider(Collider::ground(0.0))?;
    let head = head(&mut scene, options.number("shake"))?;
    let mut random = Random::new(options.count("seed"));
    let young = options.number("young");
    let material = RodMaterial::round(CORE, DENSITY, young, SHEAR * young);
    let mut group = None;
    let roots = roots(options.count("strands"));
    for (root, _) in roots.iter().zip(0..options.count("strands")) {
        let points = wisp(*root, options, &mut random);
        let mut rod = Deformable::rod("hair", points, WISP, &material)?.damped(15.0);
        rod.damping = 1.0;
        let id = scene.add_deformable(&rod, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO)?;
        let shade = random.between(0.6, 1.0);
        let brown = Vec3::new(0.13, 0.055, 0.022) * shade;
        scene.draw_strands(id, [(0.8 * brown).extend(1.0), (1.3 * brown).extend(1.0)], LOCK)?;
        // As one object, hair does not meet hair.
        let extent = &scene.deformables[id.0 as usize];
        let (first, count) = (extent.first_particle.0, extent.particle_count);
        for particle in &mut scene.particles[first as usize..(first + count) as usize] {
            particle.phase = particle.phase.with_group(*group.get_or_insert(particle.phase.group()));
        }
        // Clamped: the first two points, and the first mark of its frame.
        for i in [0, 1, options.count("points")] {
            scene.particles[(first + i) as usize].mass = 0.0;
            scene.attach(ParticleId(first + i), head, 0.0)?;
        }
    }
    scene.view = View::around(HEAD - Vec3::Y * 0.1, 0.34);
    Ok(scene.into())
}

/// Directions from the middle of the head, all over but for the face: a spiral of even density.
fn roots(count: u32) -> Vec<Vec3> {
    let golden = PI * (3.0 - 5.0_f32.sqrt());
    let spiral = |of: u32| {
        let at = move |i: u32| {
            let y = 1.0 - 2.0 * (i as f32 + 0.5) / of as f32;
            let (turn, wide) = (golden * i as f32, (1.0 - y * y).sqrt());
            Vec3::new(wide * turn.cos(), y, wide * turn.sin())
        };
        // The hairline: high over the face, low at the nape.
        (0..of).map(at).filter(|n| n.y > 0.55 * n.z + 0.1 && n.z < 0.72)
    };
    let mut of = count;
    while (spiral(of).count() as u32) < count {
        of += 1 + count / 16;
    }
    spiral(of).collect()
}

/// A wisp as it rests: out of the skin, then down around the head, in curls.
fn wisp(root: Vec3, options: &Options, random: &mut Random) -> Vec<Vec3> {
    let (count, curl) = (options.count("points"), options.number("curl"));
    let step = options.number("length") * random.between(0.85, 1.0) / (count - 1) as f32;
    let start = random.between(0.0, TAU);
    // Away from the parting in the middle, and off the face.
    let mut way = (root + 0.3 * Vec3::new(root.x.signum(), 0.0, -0.5)).normalize();
    let mut at = HEAD + (SKULL + WISP) * root;
    let mut points = vec![at];
    for i in 1..count {
        if i > 1 {
            way = (way - DROOP * step * Vec3::Y).normalize();
        }
        let along = i as f32 * step;
        let turn = start + TAU * CURLS * along;
        let side = way.any_orthonormal_vector();
        let grown = (along / 0.08).min(1.0);
        let around = curl * grown * (turn.cos() * side + turn.sin() * way.cross(side));
        let before = at;
        at = outside(at + step * way);
        way = (at - before).normalize();
        points.push(outside(at + around));
    }
    points
}

/// The nearest place outside of head, neck and shoulders.
fn outside(at: Vec3) -> Vec3 {
    let far = WISP + 0.002;
    let out =
        |at: Vec3, axis: Vec3, radius: f32| axis + (at - axis).normalize() * (at - axis).length().max(radius + far);
    let at = out(at, HEAD, SKULL);
    let neck = NECK_AT.with_y(at.y.clamp(NECK_AT.y - NECK_HALF, NECK_AT.y + NECK_HALF));
    let at = out(at, neck, NECK);
    out(at, SHOULDERS + Vec3::X * at.x.clamp(-SHOULDER_HALF, SHOULDER_HALF), SHOULDER)
}

/// Middle of the neck [m].
const NECK_AT: Vec3 = Vec3::new(0.0, HEAD.y - SKULL - 0.02, -0.01);

/// Shoulders, neck and a head that turns on it as a spring.
fn head(scene: &mut Scene, shake: f32) -> Result<BodyId, SceneError> {
    let skin = Vec4::new(0.72, 0.5, 0.4, 1.0);
    let shoulders = Shape::Capsule { radius: SHOULDER, half_length: SHOULDER_HALF };
    let mut shoulders = Collider::new(shoulders, SHOULDERS).rotated(Quat::from_rotation_z(FRAC_PI_2));
    shoulders.color = Vec4::new(0.25, 0.32, 0.42, 1.0);
    scene.add_collider(shoulders)?;
    let neck = BodyDesc { kinematic: true, ..BodyDesc::capsule(NECK, NECK_HALF, 0.02).at(NECK_AT).named("neck") };
    let neck = scene.add_body(neck)?;
    let model = primitive_model(&Shape::Capsule { radius: NECK, half_length: NECK_HALF });
    scene.draw_body(neck, &Arc::new(model), skin)?;
    let mut head = BodyDesc::sphere(SKULL, 0.02).at(HEAD).named("head");
    head.angular_velocity = shake * Vec3::Y;
    let stiffness = head.inertia.y_axis.y * (TAU * SWING).powi(2);
    let head = scene.add_body(head)?;
    scene.draw_body(head, &Arc::new(primitive_model(&Shape::Sphere(SKULL))), skin)?;
    for (radius, at, tint) in FACE {
        let mut part = primitive_model(&Shape::Sphere(radius));
        part.primitives.iter_mut().flat_map(|p| &mut p.positions).for_each(|p| *p += SKULL * at);
        scene.draw_body(head, &Arc::new(part), tint)?;
    }
    let turning = JointDesc::new(JointKind::Hinge, neck, head, HEAD - Vec3::Y * SKULL, Vec3::Y, 0.02);
    let motor = Some(Motor::angle(0.0, 1.0 / stiffness, f32::INFINITY));
    scene.add_joint(JointDesc { motor, ..turning })?;
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hair_grows_all_over_but_the_face() {
        for count in [1, 220, 500] {
            let roots = roots(count);
            assert!(roots.len() as u32 >= count && roots.iter().all(|n| (n.length() - 1.0).abs() < 1e-5 && n.z < 0.72));
        }
    }
}
