//! Triangles in the air as the GPU holds them, by particle, and the wind of a frame.

use super::Solver;
use crate::scene::Scene;

/// `GUST_PERIOD` times `GUST_SIZE` of `aerodynamics/air` [m].
const GUST_PERIOD: f64 = 1024.0 * 1.5;

crate::gpu_struct! {
    /// `Air` of `aerodynamics/air`.
    pub(super) struct AirRow as "Air" {
        pub(super) wind: [f32; 3],
        pub(super) gusts: f32,
        pub(super) way: [f32; 3],
        pub(super) padding: f32,
    }
}

crate::gpu_struct! {
    /// `SailMember` of `aerodynamics/wind`.
    pub(super) struct SailMemberRow as "SailMember" {
        pub(super) particle: u32,
        pub(super) first: u32,
        pub(super) count: u32,
        pub(super) drag: f32,
        pub(super) lift: f32,
    }
}

/// Particles in the air, and of each the two others of each of its triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Sails {
    pub(super) members: Vec<SailMemberRow>,
    pub(super) corners: Vec<[u32; 2]>,
}

impl Sails {
    /// Rows of all particles that move. A particle is in one sail at most: each object has its own.
    pub(super) fn new(scene: &Scene) -> Self {
        let mut sails = Self::default();
        for sail in &scene.sails {
            let mut fans: Vec<(u32, [u32; 2])> = Vec::with_capacity(3 * sail.triangles.len());
            for [a, b, c] in sail.triangles.iter().copied() {
                fans.extend([(a, [b, c]), (b, [c, a]), (c, [a, b])]);
            }
            fans.retain(|(particle, _)| scene.particles[*particle as usize].mass > 0.0);
            // Stable: the sum of a particle's triangles always has one order.
            fans.sort_by_key(|(particle, _)| *particle);
            for fan in fans.chunk_by(|a, b| a.0 == b.0) {
                sails.members.push(SailMemberRow {
                    particle: fan[0].0,
                    first: sails.corners.len() as u32,
                    count: fan.len() as u32,
                    drag: 0.5 * sail.air.density * sail.air.drag,
                    lift: sail.air.lift / sail.air.drag,
                });
                sails.corners.extend(fan.iter().map(|(_, others)| *others));
            }
        }
        sails
    }
}

impl Solver {
    /// Tells the kernels what the air does in the coming frame, and lets it go on.
    pub(super) fn write_air(&mut self) {
        let p = &self.scene.params;
        let (wind, gusts, way) = (p.wind, p.gusts, self.air_way);
        self.air_way = (way + (wind * p.dt).as_dvec3()).map(|c| c.rem_euclid(GUST_PERIOD));
        let row = AirRow { wind: wind.to_array(), gusts, way: way.as_vec3().to_array(), padding: 0.0 };
        self.write("air", 0, &[row]);
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::gpu::layout::GpuStruct;
    use crate::gpu::shader;
    use crate::scene::{Deformable, SheetGrid, SheetMaterial};

    #[test]
    fn rows_equal_their_twins() {
        let text = shader::compose("aerodynamics/wind").unwrap().text;
        assert_eq!((AirRow::check(&text), SailMemberRow::check(&text)), (Ok(()), Ok(())));
        for constant in ["GUST_PERIOD: f32 = 1024.0", "GUST_SIZE: f32 = 1.5"] {
            assert!(text.contains(constant), "{constant}");
        }
    }

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
        let sails = Sails::new(&scene);
        let particles: Vec<u32> = sails.members.iter().map(|m| m.particle).collect();
        let moving: Vec<u32> = (0..32).filter(|i| i % 4 != 0).collect();
        assert_eq!(particles, moving);
        for member in &sails.members {
            let own = &sails.corners[member.first as usize..][..member.count as usize];
            let known = scene.sails.iter().flat_map(|s| &s.triangles).filter(|t| t.contains(&member.particle)).count();
            assert!(own.iter().all(|pair| !pair.contains(&member.particle)) && own.len() == known);
        }
    }
}
