//! A dancer among boxes, crates and balls, which it kicks and pushes; it goes limp when told.

use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use super::character::{Doll, RAGDOLL, SCALE};
use super::stage::{Random, palette, view_of};
use super::{Demo, DemoError, DemoOption, Options, Stage};
use crate::animation::{Pose, Rig, span};
use crate::scene::{BodyDesc, Collider, Model, Placement, Scene, primitive_model};

pub(super) const DEMO: Demo = Demo {
    name: "dancer",
    summary: "a dancer among crates and balls; L: it goes limp, L again: it gets up",
    options: &[
        DemoOption::integer("count", [0.0, 200.0], 24.0, "crates and balls around the dancer"),
        DemoOption::text("clip", "NAME", "the clip to play, of the model's clips"),
        DemoOption::text("model", "PATH", "a .glb or .gltf character in place of the dancer"),
        SCALE,
        RAGDOLL,
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "start of the random numbers"),
    ],
    build,
};

/// Particle radius of what lies around [m].
const RADIUS: f32 = 0.04;
/// Clips that show best, if the model has them.
const FAVORITES: &[&str] = &["dance", "walk"];

fn build(options: &Options) -> Result<Stage, DemoError> {
    let doll = options.text("model").map_or_else(Doll::dancer, |path| Doll::file(Path::new(path), options))?;
    let favorite = || FAVORITES.iter().find_map(|name| doll.clip(Some(name)).ok());
    let clip = match options.text("clip") {
        Some(name) => doll.clip(Some(name))?,
        None => favorite().unwrap_or(doll.clip(None)?),
    };
    let mut stage = Stage::default();
    stage.scene.add_collider(Collider::ground(0.0))?;
    let performer = doll.stand(&mut stage.scene, Vec3::ZERO, Quat::IDENTITY, Vec4::ONE)?;
    if let Some(mut performer) = performer {
        performer.enter(&mut stage.scene, Placement::IDENTITY, clip, 0.0)?;
        stage.cast.performers.push(performer);
    }
    let around = Around { tall: doll.height(), swept: doll.rig().map_or_else(Vec::new, |rig| swept(rig, clip)) };
    around.scatter(&mut stage.scene, options.count("count"), options.count("seed"))?;
    stage.scene.view = view_of(Vec3::Y * (0.47 * doll.height()), 0.8 * doll.height());
    Ok(stage)
}

/// A ball that a limb sweeps through at the start: centre and radius [m].
type Ball = (Vec3, f32);

/// Where the limbs are when the clip begins.
fn swept(rig: &Arc<Rig>, clip: Option<usize>) -> Vec<Ball> {
    let asset = rig.asset();
    let pose = match clip.and_then(|c| asset.clips.get(c)) {
        Some(clip) => Pose::sample(asset, clip, span(clip).0, true),
        None => Pose::rest(asset),
    };
    let limbs = rig.stance(&pose).limbs;
    let balls = rig.limbs().iter().zip(&limbs);
    balls.flat_map(|(limb, at)| limb.points.iter().map(|p| (at.point(*p), limb.radius))).collect()
}

/// The things around the dancer.
struct Around {
    tall: f32,
    swept: Vec<Ball>,
}

impl Around {
    /// Stacks of crates with balls between them, in rings from just beyond the feet outward; what would stand in the
    /// dancer is left out.
    fn scatter(&self, scene: &mut Scene, count: u32, seed: u32) -> Result<(), DemoError> {
        let mut random = Random::new(seed);
        let side = 0.15 * self.tall;
        let crate_desc = BodyDesc::cuboid(Vec3::splat(0.5 * side), RADIUS.min(0.25 * side));
        let ball = BodyDesc::sphere(0.42 * side, RADIUS.min(0.2 * side));
        let models = [&crate_desc, &ball].map(|d| Arc::new(primitive_model(&d.shape)));
        let mut placed = 0;
        let mut ring = 0;
        while placed < count && ring < 12 {
            let radius = (0.3 + 0.2 * ring as f32) * self.tall;
            let stacks = (std::f32::consts::TAU * radius / (2.2 * side)) as u32;
            for stack in 0..stacks {
                let turn = std::f32::consts::TAU * (stack as f32 + 0.5 * (ring % 2) as f32) / stacks as f32;
                let foot = Quat::from_rotation_y(turn) * Vec3::Z * radius;
                let tower = Tower { foot, turn: turn + random.between(-0.3, 0.3), side, level: 1 + (stack + ring) % 3 };
                placed += self.stack(scene, &tower, (&crate_desc, &ball), &models, &mut random, count - placed)?;
            }
            ring += 1;
        }
        Ok(())
    }

    /// Puts up one tower of at most `most` things and returns how many there are.
    fn stack(
        &self,
        scene: &mut Scene,
        tower: &Tower,
        (crate_desc, ball): (&BodyDesc, &BodyDesc),
        models: &[Arc<Model>; 2],
        random: &mut Random,
        most: u32,
    ) -> Result<u32, DemoError> {
        let reach = 0.9 * tower.side;
        let touches = |level: u32| {
            let middle = tower.foot + Vec3::Y * (tower.side * (level as f32 + 0.5));
            self.swept.iter().any(|(p, r)| p.distance(middle) < r + reach)
        };
        let mut built = 0;
        for level in 0..tower.level.min(most) {
            if touches(level) {
                break;
            }
            let color = palette(random.between(0.0, 1000.0) as usize);
            // A ball on top of every other tower.
            let round = level + 1 == tower.level && tower.level % 2 == 1;
            let desc = if round { ball } else { crate_desc };
            let half = if round { 0.42 } else { 0.5 } * tower.side;
            let at = tower.foot + Vec3::Y * (tower.side * level as f32 + half);
            let rotation = Quat::from_rotation_y(tower.turn + random.between(-0.1, 0.1));
            let mass = 2.0 * (tower.side / 0.26).powi(3);
            let id = scene.add_body(desc.clone().at(at).rotated(rotation).with_mass(mass))?;
            scene.draw_body(id, &models[usize::from(round)], color)?;
            built += 1;
        }
        Ok(built)
    }
}

/// A tower of crates.
struct Tower {
    foot: Vec3,
    turn: f32,
    side: f32,
    level: u32,
}
