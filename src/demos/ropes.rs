//! Ropes and rods: the effect of bending and twist stiffness, and both with weights on them.

use std::f32::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::constraints::Row;
use crate::scene::{
    BodyDesc, Collider, Deformable, DeformableId, ParticleId, Phase, RodMaterial, RopeMaterial, Scene, SceneError,
    Shape, Strands, View, primitive_model,
};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "ropes",
    summary: "rods from limp to stiff, a spring, a chain of weights, ropes over a bar, a twisted rod and a curly cord",
    category: Category::Ropes,
    options: &[
        DemoOption::integer(
            "rods",
            [1.0, 12.0],
            5.0,
            "rods that stick out of the beam, each 2.5 times as stiff as the last",
        ),
        DemoOption::integer("weights", [0.0, 8.0], 4.0, "weights of the chain"),
        DemoOption::number("turns", [-8.0, 8.0], 5.0, "turns by which the striped rod is twisted"),
    ],
    build,
};

/// Radius of what is drawn as a rope [m].
const RADIUS: f32 = 0.02;
/// Mass of a rope per length [kg/m].
const ROPE: RopeMaterial = RopeMaterial { line_density: 0.6, stretch: 1e-6, bend: 5e-2 };

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    // One iteration carries little of a stiff rod's bend: short substeps do.
    scene.params.substeps = 20;
    scene.params.linear_damping = 0.2;
    scene.add_collider(Collider::ground(0.0))?;
    rods(&mut scene, options.count("rods"))?;
    spring(&mut scene, Vec3::new(-0.55, 1.75, 0.1))?;
    chain(&mut scene, Vec3::new(0.05, 1.9, 0.0), options.count("weights"))?;
    over_a_bar(&mut scene, Vec3::new(0.75, 1.35, 0.0))?;
    twisted(&mut scene, Vec3::new(1.5, 0.75, 0.35), options.number("turns"))?;
    cord(&mut scene, Vec3::new(1.5, 1.75, -0.3))?;
    scene.view = View::around(Vec3::new(0.0, 0.85, 0.0), 1.75);
    Ok(scene.into())
}

/// Both halves of a rod in shades of one color.
fn stripes(i: usize) -> [Vec4; 2] {
    let color = palette(i);
    [color, color.truncate().lerp(Vec3::splat(0.9), 0.75).extend(1.0)]
}

fn add(scene: &mut Scene, object: &Deformable, at: Vec3, colors: [Vec4; 2]) -> Result<DeformableId, SceneError> {
    let id = scene.add_deformable(object, at, Quat::IDENTITY, Vec3::ZERO)?;
    scene.draw_rope(id, colors)?;
    Ok(id)
}

/// A rope, drawn as laid of strands in shades of a color.
fn add_rope(scene: &mut Scene, rope: &Deformable, at: Vec3, color: Vec4) -> Result<DeformableId, SceneError> {
    let id = scene.add_deformable(rope, at, Quat::IDENTITY, Vec3::ZERO)?;
    let dark = (0.75 * color.truncate()).extend(color.w);
    scene.draw_strands(id, [dark, color], Strands::laid(RADIUS))?;
    Ok(id)
}

/// Points `step` [m] apart along `direction`.
fn line(count: u32, step: f32, direction: Vec3) -> Vec<Vec3> {
    (0..count).map(|i| direction * (step * i as f32)).collect()
}

/// `turns` of a coil along -Y about its axis, which begins at the origin.
fn coil(turns: u32, around: u32, radius: f32, pitch: f32) -> Vec<Vec3> {
    let at = |i: u32| {
        let turn = TAU * i as f32 / around as f32;
        Vec3::new(radius * turn.cos(), -pitch * turn / TAU, radius * turn.sin())
    };
    (0..=turns * around).map(at).collect()
}

/// Rods that stick out of a beam, each stiffer than the one before, and a ball above each.
fn rods(scene: &mut Scene, count: u32) -> Result<(), SceneError> {
    let (step, length) = (0.09, 8);
    let corner = Vec3::new(-2.0, 1.0, -0.35);
    let half = 0.11 * count as f32;
    let beam = Shape::Cuboid(Vec3::new(half, 0.06, 0.06));
    scene.add_collider(Collider::new(beam, corner + Vec3::new(half - 0.11, 0.0, -0.06)))?;
    let ball = Shape::Sphere(0.05);
    let model = Arc::new(primitive_model(&ball));
    for i in 0..count {
        let bend = 0.015 * 2.5_f32.powi(i as i32);
        let material = RodMaterial { line_density: 0.15, stretch: 2e3, bend, twist: 0.8 * bend };
        let mut rod = Deformable::rod("rod", line(length, step, Vec3::Z), RADIUS, &material)?.damped(20.0);
        rod.pin(|at| at.z < 1.5 * step);
        let at = corner + Vec3::X * (0.22 * i as f32);
        add(scene, &rod, at, [palette(i as usize); 2])?;
        let above = at + Vec3::new(0.0, 0.5, 0.5);
        let mut desc = BodyDesc::sphere(0.05, 0.025).at(above);
        lighten(&mut desc, 0.05);
        let body = scene.add_body(desc)?;
        scene.draw_body(body, &model, palette(7))?;
    }
    Ok(())
}

/// Gives a body this mass [kg].
fn lighten(desc: &mut BodyDesc, mass: f32) {
    desc.inertia *= mass / desc.mass;
    desc.mass = mass;
}

/// Hangs a box with this mass [kg] below a particle.
fn hang(scene: &mut Scene, particle: ParticleId, half: f32, mass: f32) -> Result<(), SceneError> {
    let top = scene.particles[particle.0 as usize].position;
    let extent = Vec3::splat(half);
    let mut desc = BodyDesc::cuboid(extent, 0.5 * half).at(top - Vec3::Y * half);
    lighten(&mut desc, mass);
    let body = scene.add_body(desc)?;
    scene.draw_body(body, &Arc::new(primitive_model(&Shape::Cuboid(extent))), palette(7))?;
    scene.attach(particle, body, 0.0).map(|_| ())
}

/// Particle `index` of an object.
fn particle(scene: &Scene, id: DeformableId, index: usize) -> ParticleId {
    ParticleId(scene.deformables[id.0 as usize].first_particle.0 + index as u32)
}

/// A coil spring with a weight, from a small plate.
fn spring(scene: &mut Scene, top: Vec3) -> Result<(), SceneError> {
    scene.add_collider(Collider::new(Shape::Cuboid(Vec3::new(0.16, 0.02, 0.16)), top + Vec3::Y * 0.06))?;
    let mut points = coil(5, 8, 0.12, 0.07);
    // The last point on the axis, so that the weight hangs straight.
    let last = points.len();
    points.push(Vec3::new(0.06, points[last - 1].y - 0.03, 0.0));
    points.push(Vec3::new(0.0, points[last - 1].y - 0.07, 0.0));
    let material = RodMaterial { line_density: 0.3, stretch: 2e3, bend: 2.0, twist: 1.5 };
    let mut wire = Deformable::rod("spring", points, 0.015, &material)?.damped(5.0);
    let count = wire.ghosts as usize;
    for i in [0, 1, count, count + 1] {
        wire.masses[i] = 0.0;
    }
    let id = add(scene, &wire, top, stripes(4))?;
    hang(scene, particle(scene, id, count - 1), 0.07, 0.4)
}

/// A rope from weight to weight, let go from the side.
fn chain(scene: &mut Scene, top: Vec3, weights: u32) -> Result<(), SceneError> {
    let each = 5;
    let direction = Vec3::new(0.0, -0.8, 0.6);
    let mut rope =
        Deformable::rope("chain", line(weights.max(1) * each + 1, 0.06, direction), RADIUS, &ROPE)?.damped(5.0);
    rope.pin(|at| at == Vec3::ZERO);
    rope.tether(0.01, 0.0)?;
    let id = add_rope(scene, &rope, top, palette(7))?;
    let end = particle(scene, id, (weights.max(1) * each) as usize).0 + 1;
    let ball = Arc::new(primitive_model(&Shape::Sphere(0.07)));
    for i in 1..=weights {
        let held = particle(scene, id, (i * each) as usize);
        let mut desc = BodyDesc::sphere(0.07, 0.035).at(scene.particles[held.0 as usize].position);
        lighten(&mut desc, 0.3);
        let body = scene.add_body(desc)?;
        scene.draw_body(body, &ball, palette(i as usize))?;
        scene.attach(held, body, 0.0)?;
        // The rope runs through the ball.
        for inside in [held.0 - 1, held.0 + 1] {
            if inside < end {
                scene.particles[inside as usize].phase.0 |= Phase::GHOST.0;
            }
        }
    }
    Ok(())
}

/// Ropes that hang over a bar, with a weight at each end.
fn over_a_bar(scene: &mut Scene, bar: Vec3) -> Result<(), SceneError> {
    let thick = 0.12;
    let shape = Shape::Capsule { radius: thick, half_length: 0.35 };
    scene.add_collider(Collider::new(shape, bar).rotated(Quat::from_rotation_x(FRAC_PI_2)))?;
    for i in 0..3 {
        // Up one side, around, and down the other.
        let (around, straight) = (thick + RADIUS + 0.002, 9 + 2 * i);
        let arc = 8;
        let leg = (0..straight).map(|k| Vec3::new(around, 0.05 * (k as f32 - straight as f32), 0.0));
        let bow =
            (0..=arc).map(|k| Quat::from_rotation_z(std::f32::consts::PI * k as f32 / arc as f32) * (around * Vec3::X));
        let other = (0..straight).map(|k| Vec3::new(-around, -0.05 * (k + 1) as f32, 0.0));
        let mut rope = Deformable::rope("rope", leg.chain(bow).chain(other).collect(), RADIUS, &ROPE)?.damped(5.0);
        rope.constraints.iter_mut().for_each(Row::straighten);
        let count = rope.rest.len();
        let id = add_rope(scene, &rope, bar + Vec3::Z * (0.22 * (i as f32 - 1.0)), palette(i as usize))?;
        for end in [0, count - 1] {
            hang(scene, particle(scene, id, end), 0.05, 0.2)?;
        }
    }
    Ok(())
}

/// A rod between two blocks that is longer than their distance and wound up, so that it throws a loop.
fn twisted(scene: &mut Scene, middle: Vec3, turns: f32) -> Result<(), SceneError> {
    let (count, step, apart) = (25, 0.045, 0.8);
    let material = RodMaterial { line_density: 0.15, stretch: 2e3, bend: 0.03, twist: 0.04 };
    let mut rod = Deformable::rod("twisted rod", line(count, step, Vec3::X), 0.018, &material)?.damped(5.0);
    rod.meets_itself = true;
    let last = step * (count - 1) as f32;
    rod.pin(|at| at.x < 1.5 * step || at.x > last - 1.5 * step);
    let id = add(scene, &rod, middle - Vec3::X * (0.5 * apart), stripes(0))?;
    let first = particle(scene, id, 0).0 as usize;
    // A bow between the clamps, each frame turned against the one before.
    let mut at = middle - Vec3::X * (0.5 * apart);
    let squeezed = (last - apart) / last;
    for i in 0..count as usize {
        let share = i as f32 / (count - 1) as f32;
        let lift = (2.0 * squeezed.sqrt()) * (TAU * share).sin();
        let tangent = Vec3::new((1.0 - lift * lift).max(0.0).sqrt(), -lift.clamp(-1.0, 1.0), 0.0);
        scene.particles[first + i].position = at;
        let normal = Quat::from_axis_angle(tangent, TAU * turns * share) * Vec3::Z;
        scene.particles[first + count as usize + i].position = at + step * normal;
        at += step * tangent;
    }
    Ok(())
}

/// A curly cord that hangs between two hooks.
fn cord(scene: &mut Scene, middle: Vec3) -> Result<(), SceneError> {
    let points = coil(12, 7, 0.045, 0.05);
    let span = -points[points.len() - 1].y;
    let points: Vec<Vec3> = points.iter().map(|p| Vec3::new(-p.y - 0.5 * span, p.x, p.z)).collect();
    let material = RodMaterial { line_density: 0.05, stretch: 5e2, bend: 0.012, twist: 0.012 };
    let mut wire = Deformable::rod("cord", points, 0.012, &material)?.damped(5.0);
    let count = wire.ghosts as usize;
    for i in [0, 1, count - 2, count - 1] {
        (wire.masses[i], wire.masses[count + i]) = (0.0, 0.0);
    }
    add(scene, &wire, middle, [palette(5); 2]).map(|_| ())
}
