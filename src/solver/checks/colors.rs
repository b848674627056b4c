//! Whether colors are what they must be, found on the GPU as it has them.

use crate::constraints::GLOBAL_TYPES;
use crate::gpu::{BATCH_PITCH, Kernel};
use crate::solver::stages::stage::color_row;
use crate::solver::{Solver, SolverError};

/// Its kernel runs when asked, not in a frame.
const CHECK: &str = "constraints/check";

impl Solver {
    /// How often two constraints of one color would move the same particle; 0 unless the coloring is at fault. Waits for the
    /// GPU.
    ///
    /// # Errors
    /// A lost device.
    pub fn count_clashes(&self) -> Result<u32, SolverError> {
        let kernel = Kernel::new(&self.context, CHECK, &[])?.bind(&self.context, &self.buffers)?;
        self.buffers.upload("color_marks", 0, &vec![0u32; self.constraints.marks(self.scene.particles.len())])?;
        self.context.run("count clashes", |encoder| {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            let colors = &self.constraints.colors;
            for (color, place) in colors.iter().zip(0..) {
                let row = color_row(0, colors.len() as u32, GLOBAL_TYPES.len() as u32, place);
                kernel.dispatch(&mut pass, color.count, row * BATCH_PITCH);
            }
        });
        let marks: Vec<u32> = self.buffers.read("color_marks")?;
        Ok(marks[0])
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::constraints::{Distance, Partition};
    use crate::gpu::Context;
    use crate::scene::{Deformable, Scene};

    #[test]
    fn colors_share_no_particle_and_a_bad_one_is_found() {
        let context = Context::shared().expect("adapter");
        let rest = (0..40).map(|i| Vec3::X * 0.1 * i as f32).collect();
        let mut object = Deformable::new("net", rest, 1.0, 0.01);
        for i in 0..40 {
            for k in [1, 2, 7].into_iter().filter(|k| i + k < 40) {
                let particles = [i, i + k];
                let rest_length = 0.1 * k as f32;
                object.join(&Distance { particles, rest_length, compliance: 0.0, tension_only: false }).unwrap();
            }
        }
        object.masses[0] = 0.0;
        for partition in
            [Partition::Colors, Partition::Phantom(2), Partition::Hybrid(2), Partition::Jacobi, Partition::Clusters]
        {
            let mut scene = Scene::default();
            scene.params.partition = partition;
            scene.add_deformable(&object, Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
            let solver = Solver::new(&context, &scene).unwrap();
            assert_eq!(solver.count_clashes(), Ok(0), "{partition}");
            if partition == Partition::Colors {
                // One constraint takes another particle of its color.
                let mut words = solver.constraints.words.clone();
                let count = solver.constraints.colors[0].count as usize;
                words[count] = words[count + 1];
                solver.buffers.upload("constraint_words", 0, &words).unwrap();
                assert_eq!(solver.count_clashes(), Ok(1));
            }
        }
    }
}
