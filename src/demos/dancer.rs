//! A dancer among boxes, crates and balls, which it kicks and pushes; it goes limp when told.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{CLOTHES, RAGDOLL, SCALE, dressed, performer};
use super::options::{DemoOption, Options};
use crate::animation::{Limb, Pose, span};
use crate::numbers::cubed;
use crate::scene::{BodyDesc, Collider, Placement, Scene, View, primitive_model};
use crate::spawn::{Character, Random, palette};

pub(super) const DEMO: Demo = Demo {
    name: "dancer",
    summary: "a dancer among crates and balls; L: she goes limp, L again: she gets up",
    category: Category::Characters,
    options: &[
        DemoOption::integer("count", [0.0, 300.0], 36.0, "crates and balls around the dancer"),
        DemoOption::text("clip", "NAME", "which of the model's clips to play"),
        DemoOption::text("model", "PATH", "a .glb, .gltf or .vrm character in place of the dancer"),
        SCALE,
        RAGDOLL,
        CLOTHES,
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

/// Density of crates [kg/m³]: cardboard, so that a hand can throw them.
const DENSITY: f32 = 180.0;
/// Poses of the clip that are looked at when the towers are placed [1/s].
const SAMPLES: f32 = 15.0;
/// Time from the clip's start in which the towers are reached [s].
const SOON: f32 = 7.0;
/// Most crates in a tower that stands towards the viewer, who is to the front and the right.
const LOW: u32 = 2;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let character = dressed(performer(options)?, options);
    let clip = character.clip(options.text("clip"))?;
    let mut stage = Stage::default();
    stage.scene.add_collider(Collider::ground(0.0))?;
    character.perform(&mut stage.scene, &mut stage.cast, clip)?;
    let mut around = Around::new(&character, clip);
    // Nothing may stand in the clothes either; so far they are all that is free.
    let clothes = stage.scene.deformables.iter().flat_map(|e| {
        let first = e.first_particle.0 as usize;
        &stage.scene.particles[first..first + e.particle_count as usize]
    });
    around.start.extend(clothes.map(|p| (p.position, p.radius)));
    around.build(&mut stage.scene, options.count("count"), options.count("seed"))?;
    stage.scene.view = View::around(Vec3::Y * (0.38 * character.height()), 0.93 * character.height());
    Ok(stage)
}

/// Where the limbs are, as balls: centers [m] and radius [m].
type Balls = Vec<(Vec3, f32)>;

/// What stands around the dancer: towers that the clip reaches with a hand or a foot, each from another side.
struct Around {
    /// Side of a crate [m].
    side: f32,
    /// Limbs and clothes when the clip begins: nothing may stand there.
    start: Balls,
    /// Limbs during the whole clip.
    swept: Balls,
}

/// A tower: where it stands, seen from the dancer.
#[derive(Clone, Copy)]
struct Tower {
    /// Direction, of unit length.
    out: Vec3,
    /// Distance [m].
    distance: f32,
    levels: u32,
}

/// Crates in the towers of a ring, one after the other.
const LEVELS: [u32; 9] = [5, 2, 4, 1, 6, 3, 1, 5, 2];

impl Around {
    fn new(character: &Character, clip: Option<usize>) -> Self {
        let mut around = Self { side: 0.115 * character.height(), start: Vec::new(), swept: Vec::new() };
        let Some(rig) = character.rig() else { return around };
        let asset = rig.asset();
        let balls = |pose: &Pose| -> Balls {
            let placed = rig.stance(pose).limbs;
            let of = |(limb, at): (&Limb, Placement)| -> Balls {
                limb.points.iter().map(|p| (at.point(*p), limb.radius)).collect()
            };
            rig.limbs().iter().zip(placed).flat_map(of).collect()
        };
        match clip.and_then(|c| asset.clips.get(c)) {
            None => around.start = balls(&Pose::rest(asset)),
            Some(clip) => {
                let (begin, end) = span(clip);
                around.start = balls(&Pose::sample(asset, clip, begin, false));
                let samples = (SAMPLES * (end - begin).min(SOON)) as u32;
                let at = |i: u32| begin + i as f32 / SAMPLES;
                around.swept = (0..=samples).flat_map(|i| balls(&Pose::sample(asset, clip, at(i), false))).collect();
            }
        }
        around
    }

    /// How far these balls reach in a direction, in the way of something of half width `half` [m] between two heights.
    fn reach(&self, balls: &Balls, out: Vec3, heights: [f32; 2], half: f32) -> f32 {
        let across = out.cross(Vec3::Y);
        let meets = |(p, r): &&(Vec3, f32)| {
            p.y > heights[0] - r && p.y < heights[1] + r && p.dot(across).abs() < half + r && p.dot(out) > 0.0
        };
        balls.iter().filter(meets).map(|(p, r)| p.dot(out) + r).fold(0.0, f32::max)
    }

    /// Puts up `count` things: rings of towers, balls on some of them.
    fn build(&self, scene: &mut Scene, count: u32, seed: u32) -> Result<(), DemoError> {
        let mut random = Random::new(seed);
        let (half, mut left, mut ring) = (0.5 * self.side, count, 0);
        while left > 0 {
            let towers = LEVELS.len() as u32 + 4 * ring;
            for i in 0..towers {
                let turn = std::f32::consts::TAU * (i as f32 + 0.5 * ring as f32) / towers as f32;
                let out = Quat::from_rotation_y(turn) * Vec3::Z;
                let levels = LEVELS[i as usize % LEVELS.len()];
                let levels = if out.dot(Vec3::new(0.5, 0.0, 0.87)) > 0.4 { levels.min(LOW) } else { levels };
                let heights = [0.0, self.side * levels as f32];
                // Corners stand out by the diagonal.
                let wide = 1.5 * half;
                let clear = self.reach(&self.start, out, heights, wide) + wide;
                let crowded = 1.4 * self.side * towers as f32 / std::f32::consts::TAU;
                let hit = self.reach(&self.swept, out, heights, half) + 0.1 * half;
                let distance = clear.max(hit).max(crowded) + 2.6 * self.side * ring as f32;
                left -= self.stack(scene, Tower { out, distance, levels: levels.min(left) }, &mut random)?;
            }
            ring += 1;
        }
        Ok(())
    }

    /// Builds a tower and returns how many things it is made of.
    fn stack(&self, scene: &mut Scene, tower: Tower, random: &mut Random) -> Result<u32, DemoError> {
        let half = 0.5 * self.side;
        let cube = BodyDesc::cuboid(Vec3::splat(half), 0.33 * half).with_mass(DENSITY * cubed(self.side));
        let ball = BodyDesc::sphere(0.84 * half, 0.33 * half).with_mass(0.5 * DENSITY * cubed(self.side));
        let models = [&cube, &ball].map(|d| Arc::new(primitive_model(&d.shape)));
        for level in 0..tower.levels {
            // A ball alone, or on top of every higher tower.
            let round = level + 1 == tower.levels && tower.levels != 2;
            let (desc, high) = if round { (&ball, 0.84 * half) } else { (&cube, half) };
            let at = tower.out * tower.distance + Vec3::Y * (self.side * level as f32 + high);
            let facing = Quat::from_rotation_arc(Vec3::Z, tower.out);
            let rotation = Quat::from_rotation_y(random.between(-0.2, 0.2)) * facing;
            let id = scene.add_body(desc.clone().at(at).rotated(rotation))?;
            scene.draw_body(id, &models[usize::from(round)], palette(random.between(0.0, 1000.0) as usize))?;
        }
        Ok(tower.levels)
    }
}
