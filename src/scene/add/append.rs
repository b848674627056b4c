//! Appends a scene to another.

use std::ops::Range;

use glam::{Quat, Vec3};

use crate::constraints::{NO_PARTICLE, PlasticTetrahedron, Row};
use crate::scene::check::{Check, pose};
use crate::scene::emitter::stored_at;
use crate::scene::{
    AirSurface, Attachment, Body, Bone, Collider, Drain, Emitter, Extent, Follow, Gear, Instance, Joint, JointDesc,
    Limiter, Link, Part, Particle, ParticleId, Placement, Pool, Scene, SceneError, SurfaceMesh, Tear, Thing, Tube,
    Worn, is_stored,
};
use crate::scene::{ColliderId, GrainsId, LiquidId, Nozzle, Reserve, Substance};

impl Scene {
    /// Appends all of another scene but its parameters and its view: turned and moved by `at`, and faster by `velocity` [m/s].
    /// Liquids and grains that are alike become one. Boxes of drains stay along the axes, and fields that users
    /// wrote stay as they are. Its pools follow those here; what comes from them enters where it is told to, not moved
    /// by `at`. Places that it keeps for what is added later are kept here as well.
    ///
    /// # Errors
    /// [`SceneError`] for numbers that are not finite, for liquid whose particles have another radius than those here, for more than 4096
    /// places of a kind in all, and [`SceneError::TurnedAxes`] where locked axes of a body do not come along axes of the world.
    pub fn append(&mut self, other: &Self, at: Placement, velocity: Vec3) -> Result<Part, SceneError> {
        pose("appended scene", at.position, at.rotation, velocity, Vec3::ZERO)?;
        let at = Placement { rotation: at.rotation.normalize(), ..at };
        other.bodies.iter().filter(|body| !body.removed).try_for_each(|body| body.check_turned(at.rotation))?;
        let part = self.next_part(other);
        let reserve = self.reserve_with(other);
        reserve.check()?;
        let shift = Shift { at, velocity, part: &part, groups: self.last_group() };
        self.append_liquids(other, &shift)?;
        self.append_bodies(other, &shift);
        self.append_joints(other, &shift);
        self.append_objects(other, &shift);
        self.append_drawn(other, &shift);
        self.append_pools(other, &part, (at, velocity));
        self.reserve = reserve;
        self.fields.extend(other.fields.iter().map(|field| field.as_ref().map(|field| field.moved(&at))));
        for (thing, data) in &other.user_data {
            if let Some(here) = self.moved(other, *thing, &part) {
                self.user_data.insert(here, *data);
            }
        }
        for (thing, layers) in &other.layers {
            if let Some(here) = self.moved(other, *thing, &part) {
                self.layers.insert(here, *layers);
            }
        }
        Ok(part)
    }

    /// Where everything of another scene comes.
    fn next_part(&self, other: &Self) -> Part {
        fn range<T>(here: &[T], more: &[T]) -> Range<u32> {
            here.len() as u32..(here.len() + more.len()) as u32
        }
        Part {
            bodies: range(&self.bodies, &other.bodies),
            particles: range(&self.particles, &other.particles),
            joints: range(&self.joints, &other.joints),
            constraints: range(&self.constraints, &other.constraints),
            plastic_tetrahedra: range(&self.plastic_tetrahedra, &other.plastic_tetrahedra),
            global_constraints: range(&self.global_constraints, &other.global_constraints),
            triangles: range(&self.triangles, &other.triangles),
            tears: range(&self.tears, &other.tears),
            deformables: range(&self.deformables, &other.deformables),
            colliders: range(&self.colliders, &other.colliders),
            instances: range(&self.instances, &other.instances),
        }
    }

    fn last_group(&self) -> u32 {
        self.particles.iter().map(|p| p.phase.group()).max().unwrap_or(0)
    }

    /// Liquids, grains, where they come from and where they go. Fails before anything has changed.
    fn append_liquids(&mut self, other: &Self, shift: &Shift<'_>) -> Result<(), SceneError> {
        if let (Some(here), Some(there)) = (self.liquids.first(), other.liquids.first())
            && here.radius != there.radius
        {
            return Err(SceneError::LiquidRadius(format!("liquid `{}`", there.name), there.radius, here.radius));
        }
        let moved = |blocks: &[Range<u32>]| blocks.iter().map(|block| shift.particles(block)).collect::<Vec<_>>();
        for liquid in &other.liquids {
            match self.liquids.iter().position(|here| here.is_like(liquid)) {
                Some(same) => self.liquids[same].blocks.extend(moved(&liquid.blocks)),
                None => self.liquids.push(crate::scene::Liquid { blocks: moved(&liquid.blocks), ..liquid.clone() }),
            }
        }
        for grains in &other.grains {
            match self.grains.iter().position(|here| here.is_like(grains)) {
                Some(same) => self.grains[same].blocks.extend(moved(&grains.blocks)),
                None => self.grains.push(crate::scene::Grains { blocks: moved(&grains.blocks), ..grains.clone() }),
            }
        }
        for emitter in &other.emitters {
            let of = match emitter.of {
                Substance::Liquid(LiquidId(id)) => {
                    let liquid = &other.liquids[id as usize];
                    let same = self.liquids.iter().position(|here| here.is_like(liquid)).unwrap_or(0);
                    LiquidId(same as u32).into()
                }
                Substance::Grains(GrainsId(id)) => {
                    let grains = &other.grains[id as usize];
                    let same = self.grains.iter().position(|here| here.is_like(grains)).unwrap_or(0);
                    GrainsId(same as u32).into()
                }
            };
            self.emitters.push(Emitter {
                of,
                position: shift.at.point(emitter.position),
                direction: shift.at.rotation * emitter.direction,
                particles: shift.particles(&emitter.particles),
                ..emitter.clone()
            });
        }
        let moved = |drain: &Drain| Drain { position: shift.at.point(drain.position), ..drain.clone() };
        self.drains.extend(other.drains.iter().map(moved));
        Ok(())
    }

    /// Particles, bodies and colliders.
    fn append_bodies(&mut self, other: &Self, shift: &Shift<'_>) {
        let first = self.particles.len() as u32;
        self.particles
            .extend(other.particles.iter().zip(first..).map(|(particle, index)| shift.particle(particle, index)));
        let shapes: Vec<usize> = other.shapes.iter().map(|shape| self.shape_index(shape.clone())).collect();
        self.bodies.extend(other.bodies.iter().map(|body| Body {
            shape: shapes[body.shape],
            first_particle: shift.part.particles.start + body.first_particle,
            links: body.links.iter().map(|l| Link { particle: shift.part.particle(l.particle), ..*l }).collect(),
            ignores: body.ignores.iter().map(|id| shift.part.body(*id)).collect(),
            ..body.placed(shift.at, shift.velocity)
        }));
        self.colliders.extend(other.colliders.iter().map(|collider| collider.placed(shift.at)));
    }

    fn append_joints(&mut self, other: &Self, shift: &Shift<'_>) {
        let part = shift.part;
        for joint in &other.joints {
            let points = joint.points.iter().map(|point| {
                let particle = part.particle(point.particle);
                crate::scene::JointPoint { particle, ..*point }
            });
            let desc = &joint.desc;
            let desc = JointDesc {
                a: part.body(desc.a),
                b: part.body(desc.b),
                pivot: shift.at.point(desc.pivot),
                end: shift.at.point(desc.end),
                axis: shift.at.rotation * desc.axis,
                up: shift.at.rotation * desc.up,
                ..*desc
            };
            self.joints.push(Joint { desc, points: points.collect(), ..joint.clone() });
        }
        self.gears.extend(other.gears.iter().map(|gear| Gear {
            first: part.joint(gear.first),
            second: part.joint(gear.second),
            ..*gear
        }));
        self.limiters.extend(other.limiters.iter().map(|limiter| Limiter {
            joint: part.joint(limiter.joint),
            particles: limiter.particles.map(|particle| part.particle(particle)),
            ..*limiter
        }));
    }

    /// What joins free particles.
    fn append_objects(&mut self, other: &Self, shift: &Shift<'_>) {
        let (part, first) = (shift.part, shift.part.particles.start);
        let corners = |triangle: &[u32; 3]| triangle.map(|i| i + first);
        self.know_types(&other.constraints);
        self.constraints.extend(other.constraints.iter().map(|row| shift.row(row)));
        self.plastic_tetrahedra.extend(
            other.plastic_tetrahedra.iter().map(|plastic| PlasticTetrahedron {
                constraint: part.constraints.start + plastic.constraint,
                ..*plastic
            }),
        );
        self.global_constraints.extend(other.global_constraints.iter().map(|row| row.moved(first, shift.at.rotation)));
        self.air_surfaces.extend(other.air_surfaces.iter().map(|surface| AirSurface {
            triangles: surface.triangles.iter().map(corners).collect(),
            ..surface.clone()
        }));
        self.attachments.extend(other.attachments.iter().map(|attachment| Attachment {
            particle: part.particle(attachment.particle),
            body: part.body(attachment.body),
            ..*attachment
        }));
        let follow = |follow: &Follow| Follow {
            of: follow.of.iter().map(|(body, local, share)| (part.body(*body), *local, *share)).collect(),
        };
        self.worn.extend(other.worn.iter().map(|worn| Worn {
            cloth: part.deformable(worn.cloth),
            follows: worn.follows.iter().map(follow).collect(),
        }));
        self.triangles.extend(other.triangles.iter().map(corners));
        let constraint = |index: &u32| part.constraints.start + index;
        self.tears.extend(other.tears.iter().map(|tear| Tear { constraint: constraint(&tear.constraint), ..*tear }));
        self.deformables.extend(other.deformables.iter().map(|extent| {
            Extent {
                first_particle: part.particle(extent.first_particle),
                first_constraint: constraint(&extent.first_constraint),
                copies: extent
                    .copies
                    .iter()
                    .map(|range| part.particles.start + range.start..part.particles.start + range.end)
                    .collect(),
                ..extent.clone()
            }
        }));
    }

    fn append_drawn(&mut self, other: &Self, shift: &Shift<'_>) {
        let part = shift.part;
        let bone = |bone: &Bone| Bone { body: bone.body.map(|body| part.body(body)), ..*bone };
        self.instances.extend(
            other.instances.iter().map(|i| Instance { bones: i.bones.iter().map(bone).collect(), ..i.clone() }),
        );
        let first = |particle: ParticleId| part.particle(particle);
        self.surfaces.extend(
            other.surfaces.iter().map(|s| SurfaceMesh { first_particle: first(s.first_particle), ..s.clone() }),
        );
        self.tubes.extend(other.tubes.iter().map(|tube| Tube {
            first_particle: first(tube.first_particle),
            first_ghost: tube.first_ghost.map(first),
            ..*tube
        }));
    }

    /// Pools, and what keeps the places of others out of the world.
    fn append_pools(&mut self, other: &Self, part: &Part, (at, velocity): (Placement, Vec3)) {
        let moved = |(place, own): &(Placement, Vec3)| (at.then(place), velocity + at.rotation * *own);
        self.pools.extend(other.pools.iter().map(|pool| Pool {
            copies: pool.copies.iter().map(|copy| copy.within(part)).collect(),
            places: pool.places.iter().map(moved).collect(),
            ..pool.clone()
        }));
        let absent = other.absent().flat_map(|copy| copy.colliders.clone()).map(ColliderId);
        for id in absent.chain(other.reserve.colliders.iter().copied()) {
            self.colliders[part.collider(id).0 as usize].store();
        }
    }

    /// All places that are kept, once another scene is appended.
    fn reserve_with(&self, other: &Self) -> Reserve {
        let (here, there) = (&self.reserve, &other.reserve);
        let collider = |id: &ColliderId| ColliderId(self.colliders.len() as u32 + id.0);
        let nozzle = |nozzle: &Nozzle| Nozzle { emitter: self.emitters.len() + nozzle.emitter, ..*nozzle };
        Reserve {
            colliders: here.colliders.iter().copied().chain(there.colliders.iter().map(collider)).collect(),
            shapes: [&here.shapes[..], &there.shapes].concat(),
            emitters: here.emitters.iter().copied().chain(there.emitters.iter().map(nozzle)).collect(),
            joints: here.joints.saturating_add(there.joints),
            attachments: here.attachments.saturating_add(there.attachments),
        }
    }

    /// What a thing of an appended scene is here.
    fn moved(&self, other: &Self, thing: Thing, part: &Part) -> Option<Thing> {
        Some(match thing {
            Thing::Body(id) => Thing::Body(part.body(id)),
            Thing::Collider(id) => Thing::Collider(part.collider(id)),
            Thing::Deformable(id) => Thing::Deformable(part.deformable(id)),
            Thing::Liquid(id) => {
                let liquid = other.liquids.get(id.0 as usize)?;
                Thing::Liquid(LiquidId(self.liquids.iter().position(|here| here.is_like(liquid))? as u32))
            }
            Thing::Grains(id) => {
                let grains = other.grains.get(id.0 as usize)?;
                Thing::Grains(GrainsId(self.grains.iter().position(|here| here.is_like(grains))? as u32))
            }
        })
    }
}

/// How what is appended changes.
struct Shift<'a> {
    at: Placement,
    velocity: Vec3,
    part: &'a Part,
    /// Groups of particles that there are already.
    groups: u32,
}

impl Shift<'_> {
    fn particles(&self, block: &Range<u32>) -> Range<u32> {
        let first = self.part.particles.start;
        first + block.start..first + block.end
    }

    /// A particle that gets this index.
    fn particle(&self, particle: &Particle, index: u32) -> Particle {
        let group = particle.phase.group();
        let phase = if group == 0 { particle.phase } else { particle.phase.with_group(self.groups + group) };
        if is_stored(particle.position) {
            return Particle { position: stored_at(index, particle.radius), phase, ..*particle };
        }
        Particle { phase, ..particle.placed(self.at, self.velocity) }
    }

    fn row(&self, row: &Row) -> Row {
        let first = self.part.particles.start;
        let particles = row.particles.map(|p| if p == NO_PARTICLE { p } else { p + first });
        Row { particles, ..row.placed(self.at.position, self.at.rotation) }
    }
}

impl Particle {
    /// Turned and moved by `at`, and faster by `velocity` [m/s] unless it is pinned.
    fn placed(&self, at: Placement, velocity: Vec3) -> Self {
        let gained = if self.mass > 0.0 { velocity } else { Vec3::ZERO };
        Self { position: at.point(self.position), velocity: gained + at.rotation * self.velocity, ..*self }
    }
}

impl Body {
    /// Turned and moved by `at`, and faster by `velocity` [m/s].
    fn placed(&self, at: Placement, velocity: Vec3) -> Self {
        Self {
            position: at.point(self.position),
            rotation: (at.rotation * self.rotation).normalize(),
            velocity: velocity + at.rotation * self.velocity,
            angular_velocity: at.rotation * self.angular_velocity,
            dynamics: self.dynamics.turned(&self.name, at.rotation).unwrap_or(self.dynamics),
            ..self.clone()
        }
    }

    /// Checks that its locked axes can be turned.
    pub(crate) fn check_turned(&self, rotation: Quat) -> Check {
        self.dynamics.turned(&format!("body `{}`", self.name), rotation).map(|_| ())
    }
}

impl Collider {
    /// Turned and moved by `at`.
    fn placed(&self, at: Placement) -> Self {
        Self {
            position: at.point(self.position),
            rotation: (at.rotation * self.rotation).normalize(),
            velocity: at.rotation * self.velocity,
            angular_velocity: at.rotation * self.angular_velocity,
            ..self.clone()
        }
    }
}

impl Scene {
    /// Puts a copy of a pool where it enters, as it was made.
    pub(crate) fn place_part(&mut self, part: &Part, pool: &Pool, at: Placement, velocity: Vec3) {
        let wide = |range: &Range<u32>| range.start as usize..range.end as usize;
        for (here, there) in self.particles[wide(&part.particles)].iter_mut().zip(&pool.particles) {
            let placed = there.placed(at, velocity);
            (here.position, here.velocity) = (placed.position, placed.velocity);
        }
        for (here, there) in self.bodies[wide(&part.bodies)].iter_mut().zip(&pool.bodies) {
            let placed = there.placed(at, velocity);
            (here.position, here.rotation) = (placed.position, placed.rotation);
            (here.velocity, here.angular_velocity) = (placed.velocity, placed.angular_velocity);
            (here.mass, here.inertia) = (there.mass, there.inertia);
            (here.surface, here.dynamics) = (there.surface, placed.dynamics);
        }
        for (here, there) in self.colliders[wide(&part.colliders)].iter_mut().zip(&pool.colliders) {
            *here = there.placed(at);
        }
    }
}
