//! A blade goes through cloth, flesh and ropes that were not made to tear: what they are made of stays, and hangs together no more where
//! it went. Cloth parts along the edges of its triangles and flesh along the faces of its tetrahedra, whose vertices split; a rope, and
//! whatever has only lengths, loses those that the blade crosses.

mod blade;
mod inside;
mod mesh;
mod refine;
mod rows;
mod skin;

use std::collections::BTreeSet;

use glam::Vec3;

pub use blade::Blade;

use super::check::SceneError;
use super::{Attachment, DeformableId, Extent, ParticleId, Phase, Scene, Seams, Tube};
use crate::constraints::Row;
pub(super) use mesh::Mesh;
use mesh::corners_of;
use rows::{Parted, Rows};
use skin::part_surface;

/// What a blade has done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cut {
    /// Objects that it has parted.
    pub parted: Vec<DeformableId>,
    /// Objects that it went through and could not part, and why.
    pub whole: Vec<(DeformableId, &'static str)>,
}

/// How a scene has changed that was cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct CutScene {
    pub(crate) cut: Cut,
    /// The particle that each new one was; they come after all others.
    pub(crate) roots: Vec<u32>,
    /// Which global constraints there still are.
    pub(crate) kept: Vec<bool>,
}

impl Scene {
    /// Cuts what the blade goes through, with particles at `places` [m].
    ///
    /// # Errors
    /// [`SceneError`] for a blade that is not finite.
    pub(crate) fn cut(&mut self, blade: &Blade, places: &[Vec3]) -> Result<CutScene, SceneError> {
        blade.check()?;
        let mut done = CutScene { kept: vec![true; self.global_constraints.len()], ..CutScene::default() };
        let mut places = places.to_vec();
        for object in 0..self.deformables.len() {
            let id = DeformableId(object as u32);
            let extent = self.deformables[object].clone();
            // What tears has particles of its own for that: see `cut_seams`.
            if self.tears_in(&extent) || !self.is_crossed(&extent, blade, &places) {
                continue;
            }
            if let Some(why) = self.uncuttable(object) {
                done.cut.whole.push((id, why));
            } else if self.cut_object(object, blade, &mut places, &mut done.roots) {
                done.cut.parted.push(id);
                let own = done.kept.iter_mut().zip(&self.global_constraints).filter(|(_, row)| extent.has(row));
                own.for_each(|(kept, _)| *kept = false);
            }
        }
        self.keep_global(&done.kept);
        Ok(done)
    }

    /// How the blade parts cloth that tears, whose triangles are these now, with particles at `places` [m]: its object, the particle that splits,
    /// and the corners, as `seams` count them, that leave it.
    pub(crate) fn cut_seams(
        &self,
        seams: &Seams,
        triangles: &[[u32; 3]],
        blade: &Blade,
        places: &[Vec3],
    ) -> Vec<(DeformableId, u32, Vec<u32>)> {
        let mut splits = Vec::new();
        for fabric in &seams.fabrics {
            let own = fabric.first_particle..fabric.first_particle + fabric.particles;
            let faces: Vec<u32> = (0..seams.corners() / 3).filter(|face| own.contains(&seams.root(3 * face))).collect();
            let elements = faces.iter().map(|face| triangles[seams.faces[*face as usize] as usize].to_vec()).collect();
            let mesh = Mesh::over(self, elements, blade, places);
            for (copy, image) in mesh.copies.iter().zip(self.particles.len() as u32..) {
                let leaves = |element: &&usize| mesh.image(**element, copy.root) == image;
                let corner = |element: &usize| {
                    let place = mesh.elements[*element].iter().position(|p| *p == copy.root)?;
                    Some(3 * faces[*element] + place as u32)
                };
                let leaving = mesh.at[&copy.root].iter().filter(leaves).filter_map(corner).collect();
                splits.push((DeformableId(fabric.object), copy.root, leaving));
            }
        }
        splits
    }

    /// Whether the blade goes through anything that joins particles of an object.
    fn is_crossed(&self, extent: &Extent, blade: &Blade, places: &[Vec3]) -> bool {
        let between = |ends: &[u32]| blade.parts(&[ends[0], ends[1]].map(|i| places[i as usize]));
        let regions = self.global_constraints.iter().filter(|row| row.kind.overlaps && extent.has(row));
        let mut rows = self.constraints[extent.constraints()].iter();
        rows.any(|row| row.joined().windows(2).any(between))
            || regions.into_iter().any(|row| row.joined().collect::<Vec<_>>().windows(2).any(between))
    }

    /// Why an object cannot be cut, if it cannot.
    fn uncuttable(&self, object: usize) -> Option<&'static str> {
        let extent = &self.deformables[object];
        if self.global_constraints.iter().any(|row| row.kind.overlaps && extent.has(row)) {
            return Some("regions keep its shape, which hang together; make it of elastic flesh");
        }
        self.bound_to_stay(object)
    }

    /// Why what an object is made of must stay as it is, if it must.
    pub(super) fn bound_to_stay(&self, object: usize) -> Option<&'static str> {
        let extent = &self.deformables[object];
        let pooled = self.pools.iter().flat_map(|pool| &pool.copies);
        if pooled.into_iter().any(|part| part.deformables.contains(&(object as u32))) {
            return Some("it is of a pool, whose copies enter as they were made; add it to the scene itself");
        }
        self.tears_in(extent)
            .then_some("it tears, and is closed no more then; make it without a strain at which it tears")
    }

    fn tears_in(&self, extent: &Extent) -> bool {
        self.tears.iter().any(|tear| extent.constraints().contains(&(tear.constraint as usize)))
    }

    /// Whether anything of it has come apart.
    fn cut_object(&mut self, object: usize, blade: &Blade, places: &mut Vec<Vec3>, roots: &mut Vec<u32>) -> bool {
        let extent = self.deformables[object].clone();
        let own = |row: &&Row| row.joined().iter().any(|p| extent.has_particle(*p));
        let mesh = Mesh::new(self, &extent, blade, places);
        if mesh.elements.is_empty() {
            let rows = self.constraints.iter().filter(own);
            let Some(parted) = Parted::new(rows, blade, places) else { return false };
            let keep = |row: &Row| if !own(&row) || parted.holds(row) { vec![*row] } else { Vec::new() };
            let rows = self.constraints.iter().map(keep).collect();
            self.put_constraints(rows);
            self.part_tubes(&extent, &parted.gone);
            return true;
        }
        if mesh.copies.is_empty() {
            return false;
        }
        let follow = Rows::new(&mesh, blade, places);
        let follow = |row: &Row| if own(&row) { follow.followed(row) } else { vec![*row] };
        let rows = self.constraints.iter().map(follow).collect();
        self.put_constraints(rows);
        self.copy_particles(object, &mesh);
        places.extend(mesh.copies.iter().map(|copy| places[copy.root as usize]).collect::<Vec<_>>());
        roots.extend(mesh.copies.iter().map(|copy| copy.root));
        self.part_triangles(&extent, &mesh);
        self.part_looks(&extent, &mesh);
        true
    }

    /// Adds what splits: where its root starts, with its part of the mass, fastened as it is.
    fn copy_particles(&mut self, object: usize, mesh: &Mesh) {
        let first = self.particles.len() as u32;
        for (copy, place) in mesh.copies.iter().zip(first..) {
            let root = self.particles[copy.root as usize];
            self.particles.push(super::Particle { mass: root.mass * copy.share, ..root });
            let held = self.attachments.iter().find(|a| a.particle.0 == copy.root).copied();
            self.attachments.extend(held.map(|held| Attachment { particle: ParticleId(place), ..held }));
        }
        for root in mesh.copies.iter().map(|copy| copy.root).collect::<BTreeSet<_>>() {
            let shares = mesh.copies.iter().filter(|copy| copy.root == root).map(|copy| copy.share);
            self.particles[root as usize].mass *= (1.0 - shares.sum::<f32>()).max(0.0);
        }
        self.deformables[object].copies.push(first..self.particles.len() as u32);
        let extent = &self.deformables[object];
        let meets = extent.ranges().flatten().any(|i| self.particles[i as usize].phase.contains(Phase::MEETS_ITSELF));
        if meets && mesh.is_solid() {
            // What was inside is at the surface now.
            let open = mesh.wounds.iter().flat_map(|wound| corners_of(&wound.facet)).copied();
            let open: Vec<u32> = open.chain(first..self.particles.len() as u32).collect();
            open.into_iter().for_each(|i| self.particles[i as usize].phase.0 |= Phase::MEETS_ITSELF.0);
        }
    }

    /// Puts rows in place of each constraint, and lets everything that counts constraints count them anew.
    fn put_constraints(&mut self, rows: Vec<Vec<Row>>) {
        let mut count = 0;
        let mut starts = vec![0];
        starts.extend(rows.iter().map(|rows| {
            count += rows.len() as u32;
            count
        }));
        let now = |index: u32| starts[index as usize];
        for extent in &mut self.deformables {
            let end = now(extent.first_constraint + extent.constraint_count);
            extent.first_constraint = now(extent.first_constraint);
            extent.constraint_count = end - extent.first_constraint;
        }
        self.tears.iter_mut().for_each(|tear| tear.constraint = now(tear.constraint));
        self.plastic_tetrahedra.iter_mut().for_each(|flows| flows.constraint = now(flows.constraint));
        for part in self.pools.iter_mut().flat_map(|pool| &mut pool.copies) {
            part.constraints = now(part.constraints.start)..now(part.constraints.end);
        }
        self.constraints = rows.into_iter().flatten().collect();
    }

    fn keep_global(&mut self, kept: &[bool]) {
        let now = |index: u32| kept[..index as usize].iter().filter(|kept| **kept).count() as u32;
        for part in self.pools.iter_mut().flat_map(|pool| &mut pool.copies) {
            part.global_constraints = now(part.global_constraints.start)..now(part.global_constraints.end);
        }
        let mut kept = kept.iter();
        self.global_constraints.retain(|_| kept.next().is_none_or(|kept| *kept));
    }

    /// Surfaces that are touched and feel the air follow; flesh that is touched by its surface is so where it was laid open too.
    fn part_triangles(&mut self, extent: &Extent, mesh: &Mesh) {
        let in_air = self.air_surfaces.iter_mut().flat_map(|surface| &mut surface.triangles);
        let mut touched = false;
        for (triangle, touches) in self.triangles.iter_mut().map(|t| (t, true)).chain(in_air.map(|t| (t, false))) {
            if extent.has_particle(triangle[0])
                && let Some(element) = mesh.holders(triangle).first()
            {
                *triangle = triangle.map(|corner| mesh.image(*element, corner));
                touched |= touches;
            }
        }
        if mesh.is_solid() && touched {
            let open = mesh.opened(self).into_iter();
            self.triangles.extend(open.map(|(facet, element)| facet.map(|corner| mesh.image(element, corner))));
        }
    }

    fn part_looks(&mut self, extent: &Extent, mesh: &Mesh) {
        let rest: Vec<(Vec3, f32)> = self.particles.iter().map(|p| (p.position, p.radius)).collect();
        let mut surfaces = std::mem::take(&mut self.surfaces);
        let own = surfaces.iter_mut().filter(|surface| {
            let first = surface.shell.points.first().map(|point| surface.first_particle.0 + point.particles[0]);
            first.is_some_and(|first| extent.has_particle(first))
        });
        let open = mesh.opened(self);
        own.enumerate().for_each(|(i, surface)| part_surface(mesh, &rest, surface, if i == 0 { &open } else { &[] }));
        self.surfaces = surfaces;
    }

    /// A rope is drawn as the ropes that it has become; a particle alone is not drawn.
    fn part_tubes(&mut self, extent: &Extent, gone: &BTreeSet<[u32; 2]>) {
        let tubes = std::mem::take(&mut self.tubes);
        for tube in tubes {
            let first = tube.first_particle.0;
            let ends = (1..tube.count).filter(|i| gone.contains(&[first + i - 1, first + i]));
            let mut start = 0;
            let ends: Vec<u32> = if extent.has_particle(first) { ends.collect() } else { Vec::new() };
            for end in ends.into_iter().chain([tube.count]) {
                let moved = |p: ParticleId| ParticleId(p.0 + start);
                if end - start > 1 {
                    self.tubes.push(Tube {
                        first_particle: moved(tube.first_particle),
                        first_ghost: tube.first_ghost.map(moved),
                        count: end - start,
                        ..tube
                    });
                }
                start = end;
            }
        }
    }
}
