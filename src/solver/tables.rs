//! Turns a scene into the rows of the solver's static buffers.

use std::f32::consts::PI;

use glam::{Mat3, Quat};

use super::articulations::Articulations;
use super::fluid::{self, FluidTables};
use super::proxies::{Proxies, meeting_balls};
use super::rows::{
    BodyPropertiesRow, BodyState, ColliderRow, JointPointRow, JointRow, LinkRow, ParticleRow, quat, tensor, vec4,
};
use super::sails::Sails;
use super::shapes;
use super::surfaces::{SKINNED, Surfaces};
use crate::scene::{Joint, JointKind, Limits, Phase, Scene};

/// No body, no link.
pub(super) const NONE: u32 = u32::MAX;
/// Bits of `BodyProperties::flags`.
pub(super) const KINEMATIC: u32 = 1;
pub(super) const REMOVED: u32 = 2;
/// Friction of free particles that are no grains; liquids have none.
const FREE_FRICTION: f32 = 0.6;

/// Rows that follow from the scene alone.
pub(super) struct Tables {
    pub(super) bodies: Vec<BodyState>,
    pub(super) body_properties: Vec<BodyPropertiesRow>,
    pub(super) ignored_bodies: Vec<u32>,
    pub(super) links: Vec<LinkRow>,
    pub(super) particles: Vec<[f32; 4]>,
    pub(super) particle_velocities: Vec<[f32; 4]>,
    pub(super) particle_rows: Vec<ParticleRow>,
    pub(super) particle_bodies: Vec<u32>,
    pub(super) surfaces: Surfaces,
    pub(super) proxies: Proxies,
    pub(super) colliders: Vec<ColliderRow>,
    pub(super) shapes: Vec<[u32; 4]>,
    pub(super) joints: Vec<JointRow>,
    pub(super) articulations: Articulations,
    pub(super) sails: Sails,
    pub(super) fluid: FluidTables,
    pub(super) assembly_starts: Vec<u32>,
    pub(super) assembly_bodies: Vec<u32>,
    /// Slots of all bodies for contacts that others own.
    pub(super) reverse_slots: u32,
    /// Largest particle radius [m].
    pub(super) radius: f32,
    pub(super) free_particles: usize,
    pub(super) meeting_balls: usize,
}

/// Friction of contacts between grains whose heaps should stand at atan `friction`. Grains do not turn, so they interlock, and a
/// heap of them stands steeper than their contacts alone would: as measured with `sand --set form=column`.
fn contact_friction(friction: f32) -> f32 {
    friction.min(0.12 + 0.62 * friction)
}

impl Tables {
    /// `reverse_factor` scales the slots that a body has for contacts owned by others.
    pub(super) fn new(scene: &Scene, reverse_factor: u32) -> Self {
        let mut links = Vec::new();
        let mut body_properties = Vec::with_capacity(scene.bodies.len());
        let mut ignored_bodies = Vec::new();
        let mut last_link = vec![NONE; scene.particles.len()];
        let mut particle_rows: Vec<ParticleRow> = scene
            .particles
            .iter()
            .map(|p| ParticleRow {
                local: vec4(p.position, p.radius),
                body: NONE,
                phase: p.phase.0,
                link: NONE,
                limiter: NONE,
                friction: if p.phase.contains(Phase::LIQUID) { 0.0 } else { FREE_FRICTION },
                ..ParticleRow::default()
            })
            .collect();
        for grains in &scene.grains {
            for i in grains.blocks.iter().flat_map(Clone::clone) {
                particle_rows[i as usize].friction = contact_friction(grains.friction);
            }
        }
        let assemblies = scene.assemblies();
        let mut reverse_slots = 0;
        for (index, body) in scene.bodies.iter().enumerate() {
            let first_link = links.len() as u32;
            let share = body.mass / body.links.len() as f32;
            let mut reach: f32 = 0.0;
            for link in &body.links {
                let particle = link.particle.0 as usize;
                let here = links.len() as u32;
                let primary = last_link[particle] == NONE;
                if primary {
                    particle_rows[particle].link = here;
                    particle_rows[particle].body = index as u32;
                    particle_rows[particle].local = vec4(link.local, scene.particles[particle].radius);
                } else {
                    let previous: &mut LinkRow = &mut links[last_link[particle] as usize];
                    previous.next = here;
                }
                last_link[particle] = here;
                reach = reach.max(link.local.length() + scene.particles[particle].radius);
                links.push(LinkRow {
                    local: vec4(link.local, share),
                    particle: link.particle.0,
                    body: index as u32,
                    next: NONE,
                    primary: u32::from(primary),
                });
            }
            let first_ignored = ignored_bodies.len() as u32;
            ignored_bodies.extend(body.ignores.iter().map(|b| b.0));
            let inverse_mass = if body.kinematic { 0.0 } else { 1.0 / body.mass };
            let inverse = if body.kinematic { Mat3::ZERO } else { body.inertia.inverse() };
            let (inverse_inertia, inverse_inertia_off) = tensor(inverse, inverse_mass, reach);
            let (inertia, inertia_off) = tensor(body.inertia, body.surface.friction, body.surface.restitution);
            let reverse_capacity =
                reverse_factor * (16 * body.links.len() as u32 + 64) + fluid::contacts_of(scene, reach);
            body_properties.push(BodyPropertiesRow {
                inverse_inertia,
                inverse_inertia_off,
                inertia,
                inertia_off,
                shape: body.shape as u32,
                flags: if body.kinematic { KINEMATIC } else { 0 } | if body.removed { REMOVED } else { 0 },
                assembly: assemblies[index],
                first_link,
                link_count: body.links.len() as u32,
                first_reverse: reverse_slots,
                reverse_capacity,
                first_ignored,
                ignored_count: body.ignores.len() as u32,
                // Infinity is not safe in WGSL.
                push_speed: 1e30,
                padding_b: 0,
                padding_c: 0,
            });
            reverse_slots += reverse_capacity;
            if body.removed {
                for link in &body.links {
                    particle_rows[link.particle.0 as usize].phase |= Phase::GHOST.0;
                }
            }
        }
        for [p, q] in scene.limiters.iter().map(|l| l.particles) {
            particle_rows[p.0 as usize].limiter = q.0;
            particle_rows[q.0 as usize].limiter = p.0;
        }
        let particle_bodies: Vec<u32> = particle_rows.iter().map(|r| r.body).collect();
        let surfaces = Surfaces::new(scene, &particle_bodies);
        for (row, finest) in particle_rows.iter_mut().zip(&surfaces.finest) {
            row.finest = *finest;
        }
        for i in &surfaces.skinned {
            particle_rows[*i as usize].phase |= SKINNED;
        }
        let proxies = Proxies::new(scene, &particle_bodies, &surfaces.skinned);
        for (row, proxy) in particle_rows.iter_mut().zip(&proxies.of_particle) {
            row.proxy = *proxy;
        }
        let free = particle_rows.iter().filter(|row| row.body == NONE);
        let (free_particles, meeting_balls) = (free.clone().count(), meeting_balls(free.map(|row| row.phase)));
        let fluid = FluidTables::new(scene, |i| particle_bodies[i] == NONE);
        for i in lone_grains(scene).filter(|i| fluid.volumes[*i] == 0.0 && scene.particles[*i].mass > 0.0) {
            particle_rows[i].sleeper = 1.0 / scene.particles[i].mass;
        }
        let (assembly_starts, assembly_bodies) = group(&assemblies);
        let articulations = Articulations::new(scene);
        Self {
            bodies: scene.bodies.iter().map(body_state).collect(),
            body_properties,
            ignored_bodies,
            particles: scene.particles.iter().map(|p| vec4(p.position, p.radius)).collect(),
            particle_velocities: scene
                .particles
                .iter()
                .map(|p| vec4(p.velocity, if p.mass > 0.0 { 1.0 / p.mass } else { 0.0 }))
                .collect(),
            fluid,
            free_particles,
            meeting_balls,
            surfaces,
            particle_bodies,
            proxies,
            particle_rows,
            links,
            colliders: collider_rows(scene),
            shapes: shapes::pack(&scene.shapes, &scene.colliders),
            joints: joint_rows(scene, &articulations.order),
            articulations,
            sails: Sails::new(scene),
            assembly_starts,
            assembly_bodies,
            reverse_slots,
            radius: scene.particles.iter().fold(0.0, |r: f32, p| r.max(p.radius)),
        }
    }

    /// Grains that may sleep.
    pub(super) fn sleepers(&self) -> impl Iterator<Item = (usize, f32)> {
        let rows = self.particle_rows.iter().enumerate();
        rows.map(|(i, row)| (i, row.sleeper)).filter(|(_, inverse_mass)| *inverse_mass > 0.0)
    }

    /// Gives grains that slept their mass again.
    pub(super) fn wake_grains(&mut self) {
        let sleepers: Vec<_> = self.sleepers().collect();
        sleepers.into_iter().for_each(|(i, inverse_mass)| self.particle_velocities[i][3] = inverse_mass);
    }
}

/// Grains that nothing joins to others.
fn lone_grains(scene: &Scene) -> impl Iterator<Item = usize> {
    let mut lone = vec![false; scene.particles.len()];
    let blocks = scene.grains.iter().flat_map(|grains| &grains.blocks);
    blocks.for_each(|block| lone[block.start as usize..block.end as usize].fill(true));
    let joined = scene.constraints.iter().flat_map(|row| row.particles);
    let global = scene.global_constraints.iter().flat_map(|row| row.joined());
    for i in joined.chain(global).chain(scene.attachments.iter().map(|a| a.particle.0)) {
        // Unused places of a constraint name no particle.
        if let Some(lone) = lone.get_mut(i as usize) {
            *lone = false;
        }
    }
    (0..lone.len()).filter(move |i| lone[*i])
}

fn body_state(body: &crate::scene::Body) -> BodyState {
    let inverse_mass = if body.kinematic || body.removed { 0.0 } else { 1.0 / body.mass };
    BodyState {
        center: vec4(body.position, inverse_mass),
        rotation: if body.removed { [0.0; 4] } else { quat(body.rotation) },
        velocity: vec4(body.velocity, 0.0),
        angular_velocity: vec4(body.angular_velocity, 0.0),
    }
}

/// Collider rows at the start of a frame; shapes of colliders follow those of bodies.
pub(super) fn collider_rows(scene: &Scene) -> Vec<ColliderRow> {
    let first_shape = scene.shapes.len() as u32;
    scene
        .colliders
        .iter()
        .zip(first_shape..)
        .map(|(c, shape)| ColliderRow {
            position: vec4(c.position, c.surface.friction),
            rotation: quat(c.rotation),
            velocity: vec4(c.velocity, c.surface.restitution),
            angular_velocity: vec4(c.angular_velocity, 0.0),
            shape,
            padding_a: 0,
            padding_b: 0,
            padding_c: 0,
        })
        .collect()
}

/// Members of each group, groups in order of their label: starts (one more than groups) and members.
fn group(labels: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut members: Vec<u32> = (0..labels.len() as u32).collect();
    members.sort_by_key(|i| labels[*i as usize]);
    let mut starts = Vec::new();
    for (place, i) in members.iter().enumerate() {
        if place == 0 || labels[*i as usize] != labels[members[place - 1] as usize] {
            starts.push(place as u32);
        }
    }
    starts.push(members.len() as u32);
    (starts, members)
}

/// Joints in solving order; a hinge's limiters narrow its range.
fn joint_rows(scene: &Scene, order: &[u32]) -> Vec<JointRow> {
    let mut limits: Vec<Limits> = scene.joints.iter().map(|j| j.desc.limits).collect();
    for limiter in &scene.limiters {
        let (min, max) = match limits[limiter.joint] {
            Limits::Hinge { min, max } => (min, max),
            Limits::Free | Limits::SwingTwist { .. } => (-PI, PI),
        };
        limits[limiter.joint] = match limiter.above {
            true => Limits::Hinge { min, max: max.min(limiter.angle) },
            false => Limits::Hinge { min: min.max(limiter.angle), max },
        };
    }
    order.iter().map(|j| *j as usize).map(|j| joint_row(&scene.joints[j], limits[j])).collect()
}

fn flag(set: bool) -> f32 {
    if set { 1.0 } else { 0.0 }
}

fn joint_row(joint: &Joint, limits: Limits) -> JointRow {
    let desc = &joint.desc;
    let mut points = [JointPointRow { local_a: [0.0; 4], local_b: [0.0; 4] }; 4];
    for (row, point) in points.iter_mut().zip(&joint.points) {
        *row = JointPointRow { local_a: vec4(point.local_a, 0.0), local_b: vec4(point.local_b, 0.0) };
    }
    let (limit, range) = match limits {
        Limits::Free => (0, [0.0; 4]),
        Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max } => (1, [swing_y, swing_z, twist_min, twist_max]),
        Limits::Hinge { min, max } => (2, [0.0, 0.0, min, max]),
    };
    let (goal, compliance, torque) = desc.motor.map_or((Quat::IDENTITY, 0.0, 0.0), |m| {
        (desc.center.inverse() * m.target, m.compliance, m.max_torque.min(1e30))
    });
    JointRow {
        body_a: desc.a.0,
        body_b: desc.b.0,
        point_count: joint.points.len() as u32,
        limit,
        frame_a: quat(joint.frame_a),
        frame_b: quat(joint.frame_b),
        range,
        motor_goal: quat(goal),
        motor: [compliance, torque, desc.friction, desc.damping],
        // Infinity is not safe in WGSL.
        strength: [
            desc.break_force.min(1e30),
            flag(desc.motor.is_some()),
            flag(desc.kind == JointKind::Universal),
            desc.cushion,
        ],
        points,
    }
}
