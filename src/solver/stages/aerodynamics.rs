//! Aerodynamics: drag and lift on triangles in the air, gathered by particle, and the wind of a frame.

use std::collections::{HashMap, HashSet};

use glam::DVec3;

use super::ground::NONE;
use super::stage::{Frame, Pass};
pub(in crate::solver) use crate::gpu::wgsl::aerodynamics::air::Air as AirRow;
use crate::gpu::wgsl::aerodynamics::air::{GUST_PERIOD, GUST_SIZE};
pub(in crate::solver) use crate::gpu::wgsl::aerodynamics::sail::SailMember as SailMemberRow;
use crate::gpu::wgsl::aerodynamics::sail::TEARING;
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::{AirSurface, Params, Scene, Seams};

static WIND: Pass = Pass::new("aerodynamics/wind");

/// Air in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    /// Particles with triangles in the air.
    pub(in crate::solver) particles: u32,
}

impl Stage {
    /// Finds how the air pulls at what is in it, for a frame.
    pub(in crate::solver) fn apply(&self, f: &mut Frame) {
        f.run(&WIND, self.particles);
    }
}

/// Particles in the air, and of each the two others of each of its triangles.
#[derive(Clone, Debug, Default)]
pub(in crate::solver) struct Tables {
    pub(in crate::solver) members: Vec<SailMemberRow>,
    pub(in crate::solver) corners: Vec<[u32; 2]>,
    /// The member that each vertex of what tears is, or NONE.
    tearing: Vec<u32>,
}

impl Tables {
    /// Rows of all particles that move. A particle is in one air surface at most: each object has its own.
    pub(in crate::solver) fn new(scene: &Scene) -> Self {
        let mut tables = Self::default();
        let seams = Seams::new(scene);
        for surface in &scene.air_surfaces {
            let mut fans: Vec<(u32, [u32; 2])> = Vec::with_capacity(3 * surface.triangles.len());
            for triangle in surface.triangles.iter().copied() {
                let [a, b, c] = triangle;
                let corners = seams.face_of(&triangle).and_then(|face| seams.corners_at(face, &triangle));
                let [i, j, k] = corners.map_or(triangle, |c| [c[0], c[1], c[2]].map(|corner| corner | TEARING));
                let plain = |corner: u32| corner & !TEARING;
                fans.extend([(a, [j, plain(k)]), (b, [k, plain(i)]), (c, [i, plain(j)])]);
            }
            fans.retain(|(particle, _)| scene.particles[*particle as usize].mass > 0.0);
            // Stable: the sum of a particle's triangles always has one order.
            fans.sort_by_key(|(particle, _)| *particle);
            for fan in fans.chunk_by(|a, b| a.0 == b.0) {
                tables.members.push(SailMemberRow {
                    particle: fan[0].0,
                    first: tables.corners.len() as u32,
                    count: fan.len() as u32,
                    drag: 0.5 * surface.air.density * surface.air.drag,
                    lift: surface.air.lift / surface.air.drag,
                });
                tables.corners.extend(fan.iter().map(|(_, others)| *others));
            }
            tables.add_spares(surface, &seams);
        }
        tables.know_tearing(&seams);
        tables
    }

    /// Rows of particles that are not in the world yet: what splits gives them its triangles.
    fn add_spares(&mut self, surface: &AirSurface, seams: &Seams) {
        let of = |particle: u32| {
            seams
                .fabrics
                .iter()
                .find(|fabric| (fabric.first_particle..fabric.first_particle + fabric.particles).contains(&particle))
        };
        let Some(fabric) = surface.triangles.first().and_then(|triangle| of(triangle[0])) else { return };
        let end = fabric.first_particle + fabric.particles;
        let known: HashSet<u32> = self.members.iter().map(|member| member.particle).collect();
        for particle in (end - fabric.spares..end).filter(|particle| !known.contains(particle)) {
            self.members.push(SailMemberRow {
                particle,
                drag: 0.5 * surface.air.density * surface.air.drag,
                lift: surface.air.lift / surface.air.drag,
                ..SailMemberRow::default()
            });
        }
    }

    fn know_tearing(&mut self, seams: &Seams) {
        let places: HashMap<u32, u32> = self.members.iter().map(|member| member.particle).zip(0..).collect();
        let vertices =
            seams.fabrics.iter().flat_map(|fabric| fabric.first_particle..fabric.first_particle + fabric.particles);
        self.tearing = vertices.map(|particle| places.get(&particle).copied().unwrap_or(NONE)).collect();
    }

    /// Each of these vertices that have split has the same triangles in its copy.
    pub(in crate::solver) fn resume(&mut self, copies: &[[usize; 2]]) {
        for [root, copy] in copies.iter().copied() {
            let [root, copy] = [root, copy].map(|i| self.tearing[i]);
            if root != NONE && copy != NONE {
                let SailMemberRow { first, count, .. } = self.members[root as usize];
                self.members[copy as usize] = SailMemberRow { first, count, ..self.members[copy as usize] };
            }
        }
    }

    /// Makes the buffers of the air.
    pub(in crate::solver) fn create(&self, b: &mut Buffers, particles: usize) -> Result<(), GpuError> {
        b.create_with("air", &[AirRow::default()])?; // wind, written every frame
        b.create_with("sail_members", &self.members)?; // particles with triangles in the air
        b.create_with("sail_corners", &self.corners)?; // of each member, two others by triangle
        b.create_with("tear_sails", &self.tearing)?; // by vertex of what tears: its member
        b.create::<[f32; 4]>("particle_winds", particles, BufferUsages::empty()) // [particle_count] pull of the air at rest [N], its growth with the speed [kg/s]
    }
}

/// What the air does in a frame of these parameters, `way` being how far it has gone before [m]; lets it go on.
pub(in crate::solver) fn air(params: &Params, way: &mut DVec3) -> AirRow {
    let row = AirRow {
        wind: params.wind.to_array(),
        gusts: params.gusts,
        way: way.as_vec3().to_array(),
        ..AirRow::default()
    };
    *way = (*way + (params.wind * params.dt).as_dvec3()).map(|c| c.rem_euclid(f64::from(GUST_PERIOD * GUST_SIZE)));
    row
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::scene::{Deformable, SheetGrid, SheetMaterial};

    #[test]
    fn every_moving_particle_has_its_triangles_once() {
        let grid = SheetGrid::square(4, 1.0);
        let (rest, material) = (grid.positions(), SheetMaterial::default());
        let mut sheet = Deformable::sheet("sheet", rest, &grid.triangles(), 0.1, &material).unwrap();
        sheet.pin(|at| at.x < -0.49);
        let mut scene = Scene::default();
        for height in [1.0, 2.0] {
            scene.add_deformable(&sheet, Vec3::Y * height, Quat::IDENTITY, Vec3::ZERO).unwrap();
        }
        let tables = Tables::new(&scene);
        let particles: Vec<u32> = tables.members.iter().map(|m| m.particle).collect();
        let moving: Vec<u32> = (0..32).filter(|i| i % 4 != 0).collect();
        assert_eq!(particles, moving);
        for member in &tables.members {
            let own = &tables.corners[member.first as usize..][..member.count as usize];
            let known =
                scene.air_surfaces.iter().flat_map(|s| &s.triangles).filter(|t| t.contains(&member.particle)).count();
            assert!(own.iter().all(|pair| !pair.contains(&member.particle)) && own.len() == known);
        }
    }
}
