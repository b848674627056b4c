//! Particles: their state, the start of a substep for free ones, and their places on bodies.

use std::collections::{BTreeMap, BTreeSet};
use std::f32::consts::TAU;

use glam::{Vec3, Vec3Swizzles};

use super::ground::{NONE, World};
use super::rows::{BodyProperties, Link, ParticleRow, vec4};
use super::stage::{Frame, Pass};
use crate::gpu::wgsl::common::body::{BODY_BALL, PHASE_BALL, PHASE_RING};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::{Link as SceneLink, Phase, Scene, Shape};

static PREDICT: Pass = Pass::new("particles/predict");
static PLACE: Pass = Pass::new("particles/place");
static FINISH: Pass = Pass::new("particles/finish");

/// Friction of free particles that are no grains; liquids have none.
use crate::gpu::wgsl::common::friction::FRICTION as FREE_FRICTION;
/// A particle that pokes out of a ball by more is not one of it, and what is as near is as far from an axis, in radii of the body.
const SLACK: f32 = 1e-3;

/// Particles in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) world: World,
}

impl Stage {
    /// Starts a substep for free particles.
    pub(in crate::solver) fn predict(&self, f: &mut Frame) {
        f.run(&PREDICT, self.world.free());
    }

    /// Puts particles of bodies where these are.
    pub(in crate::solver) fn place(&self, f: &mut Frame) {
        f.run(&PLACE, self.world.on_bodies());
    }

    /// Ends the frame for free particles.
    pub(in crate::solver) fn finish(&self, f: &mut Frame) {
        f.run(&FINISH, self.world.free());
    }
}

/// Rows of particles that follow from the scene.
pub(in crate::solver) struct Tables {
    /// Position [m] and radius [m].
    pub(in crate::solver) positions: Vec<[f32; 4]>,
    /// Velocity [m/s] and inverse mass [1/kg].
    pub(in crate::solver) velocities: Vec<[f32; 4]>,
    pub(in crate::solver) rows: Vec<ParticleRow>,
    /// The body that answers for each particle's contacts, `NONE` for free ones.
    pub(in crate::solver) bodies: Vec<u32>,
}

impl Tables {
    /// `links` are those of bodies, `link_of` the first one of each particle.
    pub(in crate::solver) fn new(scene: &Scene, links: &[Link], link_of: &[u32]) -> Self {
        let made = scene.made_places();
        let row = |((p, link), made): ((&crate::scene::Particle, &u32), &Vec3)| {
            let on_body = links.get(*link as usize);
            ParticleRow {
                local: on_body.map_or(vec4(*made, p.radius), |l| [l.local[0], l.local[1], l.local[2], p.radius]),
                body: on_body.map_or(NONE, |l| l.body),
                phase: p.phase.0,
                link: *link,
                limiter: NONE,
                friction: if p.phase.contains(Phase::LIQUID) { 0.0 } else { FREE_FRICTION },
                ..ParticleRow::default()
            }
        };
        let mut rows: Vec<ParticleRow> = scene.particles.iter().zip(link_of).zip(&made).map(row).collect();
        for extent in scene.deformables.iter().filter(|extent| extent.friction.is_some()) {
            for i in extent.ranges().flatten() {
                rows[i as usize].friction = extent.friction.unwrap_or(FREE_FRICTION);
            }
        }
        for grains in &scene.grains {
            for i in grains.blocks.iter().flat_map(Clone::clone) {
                rows[i as usize].friction = contact_friction(grains.friction);
            }
        }
        for link in scene.bodies.iter().filter(|body| body.removed).flat_map(|body| &body.links) {
            rows[link.particle.0 as usize].phase |= Phase::GHOST.0;
        }
        for [p, q] in scene.limiters.iter().map(|l| l.particles) {
            rows[p.0 as usize].limiter = q.0;
            rows[q.0 as usize].limiter = p.0;
        }
        let inverse = |mass: f32| if mass > 0.0 { 1.0 / mass } else { 0.0 };
        Self {
            positions: scene.particles.iter().map(|p| vec4(p.position, p.radius)).collect(),
            velocities: scene.particles.iter().map(|p| vec4(p.velocity, inverse(p.mass))).collect(),
            bodies: rows.iter().map(|row| row.body).collect(),
            rows,
        }
    }

    /// Whether a particle is of no body.
    pub(in crate::solver) fn is_free(&self, particle: usize) -> bool {
        self.bodies[particle] == NONE
    }

    /// Makes the buffers of particles.
    pub(in crate::solver) fn create(&self, b: &mut Buffers, world: &World) -> Result<(), GpuError> {
        let (count, none) = (self.positions.len(), BufferUsages::empty());
        b.create_with("particles", &self.positions)?; // [particle_count] position [m], radius [m]
        b.create_with("saved_particles", &self.positions)?; // [particle_count] positions at the end of the last frame
        b.create_with("particle_velocities", &self.velocities)?; // [particle_count] velocity [m/s], inverse mass [1/kg]
        b.create_with("particle_rows", &self.rows)?; // [particle_count]
        b.create_with("particle_bodies", &self.bodies)?; // [particle_count] primary body or NONE
        b.create::<f32>("particle_margins", count, none)?; // [particle_count] motion left of free particles [m]
        // [particle_count] where free ones began this substep [m], those of bodies when surfaces were searched
        b.create::<[f32; 4]>("particle_origins", if world.surfaces { count } else { 0 }, none)
    }
}

/// Marks bodies that are balls, and their particles, once these have their proxies. What a joint has outside of a ball is not of it.
pub(in crate::solver) fn mark_balls(scene: &Scene, rows: &mut [ParticleRow], properties: &mut [BodyProperties]) {
    for (index, body) in scene.bodies.iter().enumerate() {
        let Shape::Sphere(radius) = scene.shapes[body.shape] else { continue };
        let is_inside = |link: &&SceneLink| {
            let i = link.particle.0 as usize;
            rows[i].body == index as u32 && link.local.length() + scene.particles[i].radius < (1.0 + SLACK) * radius
        };
        let parts: Vec<usize> = body.links.iter().filter(is_inside).map(|link| link.particle.0 as usize).collect();
        let proxies: BTreeSet<u32> = parts.iter().map(|i| rows[*i].proxy).collect();
        let (Some(first), Some(last)) = (proxies.first().copied(), proxies.last()) else { continue };
        // Proxies that do not follow one another cannot be counted.
        if (last - first) as usize + 1 != proxies.len() {
            continue;
        }
        let mut left = proxies;
        for i in parts {
            let row = &mut rows[i];
            row.finest = if left.remove(&row.proxy) { (row.proxy - first) as f32 } else { -1.0 };
            (row.phase, row.friction) = (row.phase | PHASE_BALL, radius);
        }
        properties[index].flags |= BODY_BALL;
    }
}

/// Marks the particles of capsules and cylinders that stand in rings about the axis, as far from one another. Capsules that have joints
/// are limbs: flesh rolls worse than what is stiff, and who has fallen should lie.
pub(in crate::solver) fn mark_rings(scene: &Scene, rows: &mut [ParticleRow]) {
    let jointed: BTreeSet<u32> = scene.joints.iter().flat_map(|joint| [joint.desc.a.0, joint.desc.b.0]).collect();
    for (index, body) in scene.bodies.iter().enumerate() {
        let radius = match scene.shapes[body.shape] {
            Shape::Cylinder { radius, .. } => radius,
            Shape::Capsule { radius, .. } if !jointed.contains(&(index as u32)) => radius,
            _ => continue,
        };
        let mut rings: BTreeMap<[i64; 2], Vec<(f32, usize)>> = BTreeMap::new();
        for link in body.links.iter().filter(|link| rows[link.particle.0 as usize].body == index as u32) {
            let out = link.local.xz();
            if out.length() > SLACK * radius {
                let [height, size] = [link.local.y, out.length()].map(|x| (x / (SLACK * radius)).round() as i64);
                rings.entry([height, size]).or_default().push((out.to_angle(), link.particle.0 as usize));
            }
        }
        for ring in rings.values_mut().filter(|ring| ring.len() > 2) {
            ring.sort_by(|a, b| a.0.total_cmp(&b.0));
            let gap = TAU / ring.len() as f32;
            let is_even = ring.windows(2).all(|pair| (pair[1].0 - pair[0].0 - gap).abs() < 0.01 * gap);
            for (_, i) in ring.iter().filter(|_| is_even) {
                (rows[*i].phase, rows[*i].finest) = (rows[*i].phase | PHASE_RING, 0.5 * gap);
            }
        }
    }
}

/// Friction of contacts between grains whose heaps should stand at atan `friction`. Grains do not turn, so they interlock, and a
/// heap of them stands steeper than their contacts alone would: as measured with `sand --set form=column`.
pub(in crate::solver) fn contact_friction(friction: f32) -> f32 {
    friction.min((0.12 + 0.62 * friction).max(1.3 * friction - 0.288))
}
