//! Tetrahedra whose rest shape flows, as the GPU holds them.

use super::Place;
use crate::constraints::{PlasticTetrahedron, UNBOUNDED};
pub(in crate::solver) use crate::gpu::wgsl::constraints::plasticity::PlasticTetrahedron as PlasticRow;
use crate::scene::Scene;
use crate::solver::stages::rows::vec4;

/// The first numbers of a row that follow the flow.
pub(in crate::solver) type Inverse = [u32; 9];

impl PlasticRow {
    /// Of a constraint whose row is at `place`.
    pub(in crate::solver) fn new(tetrahedron: &PlasticTetrahedron, scene: &Scene, place: Place) -> Self {
        let constraint = &scene.constraints[tetrahedron.constraint as usize];
        Self {
            particles: constraint.particles,
            edges_x: vec4(tetrahedron.edges.x_axis, 0.0),
            edges_y: vec4(tetrahedron.edges.y_axis, 0.0),
            edges_z: vec4(tetrahedron.edges.z_axis, 0.0),
            word: place.number,
            stride: place.stride,
            yield_strain: tetrahedron.plastic.yield_strain,
            // No number on the GPU is infinite.
            creep: tetrahedron.plastic.creep.min(UNBOUNDED as f32),
            most: tetrahedron.plastic.most,
            ..Self::default()
        }
    }

    /// Bits of its inverse rest shape among the words of all rows.
    pub(in crate::solver) fn inverse(&self, words: &[u32]) -> Inverse {
        std::array::from_fn(|k| words[self.at(k)])
    }

    /// Puts these bits there.
    pub(in crate::solver) fn put(&self, words: &mut [u32], inverse: &Inverse) {
        inverse.iter().enumerate().for_each(|(k, bits)| words[self.at(k)] = *bits);
    }

    fn at(&self, k: usize) -> usize {
        self.word as usize + k * self.stride as usize
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3, Quat, Vec3};

    use super::*;
    use crate::constraints::Plastic;
    use crate::gpu::Context;
    use crate::scene::{Deformable, SoftMaterial};
    use crate::solver::Solver;

    #[test]
    fn plastic_flow_is_its_reference_and_outlives_new_buffers() {
        let context = Context::shared().expect("adapter");
        let rest = vec![Vec3::ZERO, Vec3::new(0.3, 0.05, 0.0), Vec3::new(0.0, 0.4, 0.1), Vec3::new(0.1, 0.0, 0.35)];
        let mut scene = Scene::default();
        for (i, most) in [1.0, 1.0, 0.1, 1.0].into_iter().enumerate() {
            let plastic = Plastic { yield_strain: 0.05, creep: 30.0, most };
            let tet = Deformable::soft("tet", rest.clone(), &[[0, 1, 2, 3]], 0.01, &SoftMaterial::default()).unwrap();
            let mut tet = tet.yielding(plastic);
            tet.pin(|_| true);
            scene.add_deformable(&tet, Vec3::X * i as f32, Quat::from_rotation_y(0.3), Vec3::ZERO).unwrap();
        }
        // Held off their rest shapes; the last one is inside out.
        for (i, particle) in scene.particles.iter_mut().enumerate() {
            particle.position +=
                0.08 * Vec3::new((3.1 * i as f32).sin(), (2.3 * i as f32).cos(), (1.7 * i as f32).sin());
        }
        scene.particles[15].position.z -= 1.0;
        let mut solver = Solver::new(&context, &scene).unwrap();
        for frames in 1..4 {
            solver.step();
            if frames == 2 {
                solver.make_anew().unwrap();
            }
        }
        let mut moved = 0;
        for (flow, bits) in scene.plastic_tetrahedra.iter().zip(solver.read_plastic().unwrap()) {
            let row = &scene.constraints[flow.constraint as usize];
            let start = DMat3::from_cols_array(&std::array::from_fn(|i| f64::from(row.values[i])));
            let x: [DVec3; 4] = row.particles.map(|p| scene.particles[p as usize].position.as_dvec3());
            let twin = (0..3).fold(start, |inverse, _| flow.after(inverse, &x, f64::from(scene.params.dt)));
            let found = DMat3::from_cols_array(&bits.map(|b| f64::from(f32::from_bits(b))));
            let off = (found - twin).to_cols_array().iter().fold(0.0_f64, |m, c| m.max(c.abs()));
            assert!(off < 1e-3 * twin.x_axis.length(), "constraint {} is {off} off", flow.constraint);
            moved += usize::from(twin != start);
        }
        assert_eq!(moved, 3);
    }
}
