//! Checks a whole scene that was not made by the `add_` functions but read: every index and every number.

use std::collections::HashSet;

use glam::Vec3;

use super::body::inertia;
use super::check::{self, Check, not_negative, number, pose, positive, present, rotation, vector};
use super::{Body, Joint, JointKind, Pool, Scene, SceneError};
use crate::constraints::Plastic;

impl Scene {
    /// Checks everything that the `add_` functions check, and [`Scene::check`]. For scenes whose fields were written directly.
    ///
    /// # Errors
    /// [`SceneError`] naming the item and the field.
    pub fn validate(&self) -> Result<(), SceneError> {
        self.view.check()?;
        self.particles.iter().enumerate().try_for_each(|(index, particle)| particle.check(index))?;
        self.shapes.iter().enumerate().try_for_each(|(index, shape)| shape.check(&format!("shape {index}")))?;
        self.bodies.iter().try_for_each(|body| self.check_body(body))?;
        self.joints.iter().enumerate().try_for_each(|(index, joint)| self.check_joint(index, joint))?;
        self.gears.iter().try_for_each(|gear| gear.check(&self.joints))?;
        self.check_limiters()?;
        self.check_constraints()?;
        self.check_objects()?;
        self.check_fastened()?;
        self.check_torn()?;
        self.check_liquids()?;
        self.colliders.iter().enumerate().try_for_each(|(index, collider)| collider.check(index))?;
        self.instances.iter().try_for_each(|instance| instance.check(self.bodies.len()))?;
        self.surfaces.iter().try_for_each(|surface| surface.check(self.particles.len()))?;
        self.tubes.iter().try_for_each(|tube| tube.check(self.particles.len()))?;
        self.fields.iter().flatten().try_for_each(|field| field.check())?;
        self.pools.iter().enumerate().try_for_each(|(index, pool)| self.check_pool(index, pool))?;
        self.check_reserve()?;
        self.check_user_data()?;
        self.check_layered()?;
        self.check()
    }

    fn check_reserve(&self) -> Check {
        let (item, reserve) = ("reserve", &self.reserve);
        let colliders = reserve.colliders.iter().map(|id| id.0 as usize);
        colliders.into_iter().try_for_each(|index| present(item, "collider", index, self.colliders.len()))?;
        reserve.emitters.iter().try_for_each(|nozzle| present(item, "emitter", nozzle.emitter, self.emitters.len()))?;
        reserve.check()
    }

    fn particle_of(&self, item: &str, particle: u32) -> Check {
        present(item, "particle", particle as usize, self.particles.len())
    }

    /// A range of particles.
    fn range(&self, item: &str, first: u32, end: u32) -> Check {
        number(item, "end of its particles", end as f32, first <= end, "at least their first")?;
        end.checked_sub(1).map_or(Ok(()), |last| self.particle_of(item, last))
    }

    fn check_body(&self, body: &Body) -> Check {
        let item = &format!("body `{}`", body.name);
        present(item, "shape", body.shape, self.shapes.len())?;
        if let Some(shape) = self.shapes[body.shape].without_inside() {
            return Err(SceneError::ColliderOnly { item: item.clone(), shape });
        }
        positive(item, "mass", body.mass)?;
        inertia(item, body.inertia)?;
        pose(item, body.position, body.rotation, body.velocity, body.angular_velocity)?;
        body.surface.check(item)?;
        body.dynamics.check(item)?;
        if body.particle_count == 0 {
            return Err(SceneError::Empty { item: item.clone(), field: "particles" });
        }
        let count = body.particle_count as usize;
        present(item, "link", count - 1, body.links.len())?;
        for (index, link) in body.links.iter().enumerate() {
            self.particle_of(item, link.particle.0)?;
            vector(item, "place of a particle", link.local)?;
            let own = u64::from(body.first_particle) + index as u64 == u64::from(link.particle.0);
            number(item, "particle of a link", link.particle.0 as f32, index >= count || own, "its own first")?;
        }
        body.ignores.iter().try_for_each(|other| present(item, "ignored body", other.0 as usize, self.bodies.len()))
    }

    fn check_pool(&self, index: usize, pool: &Pool) -> Check {
        let item = &format!("pool {index}");
        pool.particles.iter().enumerate().try_for_each(|(index, particle)| particle.check(index))?;
        pool.bodies.iter().try_for_each(|b| pose(item, b.position, b.rotation, b.velocity, b.angular_velocity))?;
        pool.colliders.iter().enumerate().try_for_each(|(index, collider)| collider.check(index))?;
        let (copies, told) = (pool.copies.len(), pool.present.len().min(pool.places.len()));
        number(item, "number of copies", told as f32, told == copies, "one for each part")?;
        pool.places
            .iter()
            .try_for_each(|(at, velocity)| pose(item, at.position, at.rotation, *velocity, Vec3::ZERO))?;
        pool.copies.iter().try_for_each(|part| {
            let lists = [
                (&part.particles, pool.particles.len(), self.particles.len()),
                (&part.bodies, pool.bodies.len(), self.bodies.len()),
                (&part.colliders, pool.colliders.len(), self.colliders.len()),
                (&part.joints, part.joints.len(), self.joints.len()),
                (&part.triangles, part.triangles.len(), self.triangles.len()),
                (&part.global_constraints, part.global_constraints.len(), self.global_constraints.len()),
            ];
            let fits = |(range, length, all): &(&std::ops::Range<u32>, usize, usize)| {
                range.start <= range.end && range.len() == *length && range.end as usize <= *all
            };
            number(
                item,
                "particles of a copy",
                part.particles.len() as f32,
                lists.iter().all(fits),
                "that of the others, within the scene",
            )
        })
    }

    fn check_joint(&self, index: usize, joint: &Joint) -> Check {
        joint.desc.check(self.bodies.len())?;
        let item = &format!("joint {index}");
        let wanted = joint.desc.offsets(glam::Mat3::IDENTITY).len();
        let points = joint.points.len();
        number(item, "number of points", points as f32, points == wanted, "as many as its kind has")?;
        for point in &joint.points {
            vector(item, "point in body a", point.local_a)?;
            vector(item, "point in body b", point.local_b)?;
            let shared = |id: super::BodyId| self.body(id).links.iter().any(|link| link.particle == point.particle);
            let both = shared(joint.desc.a) && shared(joint.desc.b);
            number(item, "particle", point.particle.0 as f32, both, "one that both bodies link")?;
        }
        vector(item, "anchor in body a", joint.anchors[0])?;
        vector(item, "anchor in body b", joint.anchors[1])?;
        rotation(item, joint.frame_a)?;
        rotation(item, joint.frame_b)
    }

    fn check_limiters(&self) -> Check {
        for limiter in &self.limiters {
            let item = "limiter";
            present(item, "joint", limiter.joint.0 as usize, self.joints.len())?;
            if self.joint(limiter.joint).desc.kind != JointKind::Hinge {
                return Err(SceneError::NotHinge(limiter.joint.0));
            }
            limiter.particles.iter().try_for_each(|particle| self.particle_of(item, particle.0))?;
            let angle = limiter.angle;
            let most = std::f32::consts::FRAC_PI_2;
            number(item, "angle", angle, (-most..=most).contains(&angle), "from -π/2 to π/2")?;
        }
        Ok(())
    }

    fn check_constraints(&self) -> Check {
        let count = self.particles.len();
        for row in &self.constraints {
            check::constraint(count, row)?;
            not_negative(row.kind.name, "damping", row.damping)?;
            row.values.iter().try_for_each(|value| number(row.kind.name, "value", *value, true, "finite"))?;
        }
        for row in &self.global_constraints {
            check::global_constraint(count, row)?;
            row.values.iter().try_for_each(|value| number(row.kind.name(), "value", *value, true, "finite"))?;
            row.members.iter().try_for_each(|member| vector(row.kind.name(), "rest position", member.rest))?;
        }
        for flowing in &self.plastic_tetrahedra {
            let item = "plastic tetrahedron";
            present(item, "constraint", flowing.constraint as usize, self.constraints.len())?;
            let yields = self.constraints[flowing.constraint as usize].yields();
            number(item, "constraint", flowing.constraint as f32, yields, "an elastic tetrahedron")?;
            let Plastic { yield_strain, creep, most } = flowing.plastic;
            positive(item, "yield strain", yield_strain)?;
            positive(item, "creep", if creep == f32::INFINITY { 1.0 } else { creep })?;
            not_negative(item, "most plastic strain", most)?;
            flowing.edges.to_cols_array().iter().try_for_each(|edge| number(item, "edge", *edge, true, "finite"))?;
        }
        Ok(())
    }

    /// Deformable objects and their triangles.
    fn check_objects(&self) -> Check {
        for extent in &self.deformables {
            let item = &format!("deformable `{}`", extent.name);
            let end = extent.first_particle.0.saturating_add(extent.particle_count);
            self.range(item, extent.first_particle.0, end)?;
            extent.copies.iter().try_for_each(|range| self.range(item, range.start, range.end))?;
            let (ghosts, all) = (extent.ghost_count, extent.particle_count);
            number(item, "number of particles", all as f32, all > 0, "1 or more")?;
            let spares = extent.spare_count;
            number(item, "number of spares", spares as f32, spares < all, "less than that of its particles")?;
            let whole = all - spares;
            number(item, "number of ghosts", ghosts as f32, ghosts <= whole, "at most that of its other particles")?;
            if let Some(last) = extent.constraint_count.checked_sub(1) {
                let last = extent.first_constraint.saturating_add(last);
                present(item, "constraint", last as usize, self.constraints.len())?;
            }
            not_negative(item, "damping", extent.damping)?;
            extent.check()?;
        }
        self.triangles.iter().flatten().try_for_each(|corner| self.particle_of("triangle", *corner))?;
        for surface in &self.air_surfaces {
            surface.air.check("surface in the air")?;
            let mut corners = surface.triangles.iter().flatten();
            corners.try_for_each(|corner| self.particle_of("surface in the air", *corner))?;
        }
        Ok(())
    }

    /// What is fastened to bodies, and clothes.
    fn check_fastened(&self) -> Check {
        let mut seen = HashSet::new();
        for held in &self.attachments {
            let item = &format!("attachment of particle {}", held.particle.0);
            self.particle_of(item, held.particle.0)?;
            present(item, "body", held.body.0 as usize, self.bodies.len())?;
            vector(item, "point", held.local)?;
            not_negative(item, "compliance", held.compliance)?;
            if !seen.insert(held.particle) {
                return Err(SceneError::Twice { kind: "attachment", particle: held.particle.0 });
            }
        }
        for worn in &self.worn {
            present("garment", "deformable object", worn.cloth.0 as usize, self.deformables.len())?;
            let extent = &self.deformables[worn.cloth.0 as usize];
            let item = &format!("garment `{}`", extent.name);
            let (count, follows) = (extent.whole_count() as usize, worn.follows.len());
            number(
                item,
                "number of what its particles follow",
                follows as f32,
                follows == count,
                "that of its particles",
            )?;
            for (body, local, share) in worn.follows.iter().flat_map(|follow| &follow.of) {
                present(item, "body", body.0 as usize, self.bodies.len())?;
                vector(item, "point", *local)?;
                not_negative(item, "share", *share)?;
            }
        }
        Ok(())
    }

    fn check_torn(&self) -> Check {
        let item = "edge that breaks";
        for tear in &self.tears {
            positive(item, "strain", tear.strain)?;
            present(item, "constraint", tear.constraint as usize, self.constraints.len())?;
            let stretch = self.constraints[tear.constraint as usize].stretch().is_some();
            number(item, "constraint", tear.constraint as f32, stretch, "a distance")?;
        }
        Ok(())
    }

    /// Liquids, grains, and where liquid comes from and goes.
    fn check_liquids(&self) -> Check {
        for liquid in &self.liquids {
            liquid.check()?;
            let item = format!("liquid `{}`", liquid.name);
            liquid.blocks.iter().try_for_each(|block| self.range(&item, block.start, block.end))?;
            if liquid.radius != self.liquids[0].radius {
                return Err(SceneError::LiquidRadius(item, liquid.radius, self.liquids[0].radius));
            }
        }
        for grains in &self.grains {
            grains.check()?;
            let item = format!("grains `{}`", grains.name);
            grains.blocks.iter().try_for_each(|block| self.range(&item, block.start, block.end))?;
        }
        for emitter in &self.emitters {
            let item = &format!("emitter `{}`", emitter.name);
            let (radius, _) = self.particle_made_of(item, emitter.of)?;
            emitter.check(item, radius)?;
            self.range(item, emitter.particles.start, emitter.particles.end)?;
            let reserve = emitter.particles.len();
            number(item, "reserve", reserve as f32, reserve == emitter.budget as usize, "as large as its budget")?;
            number(item, "way", emitter.way as f32, emitter.way >= 0.0, "0 or more")?;
        }
        self.drains.iter().enumerate().try_for_each(|(index, drain)| drain.check(format!("drain {index}")))
    }
}
