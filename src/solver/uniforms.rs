//! What kernels are told at the start of a frame: parameters, substeps, moving colliders and the dragged point.

use glam::{Quat, Vec3};

use super::rows::{BatchRow, ParamsRow, vec4};
use super::{Solver, fluid, state, tables};
use crate::scene::{Collider, JointSolver};

/// `MARGIN_MOST` of `common/control`: how far anything may move between searches, in radii.
const MARGIN_MOST: f32 = 1.0;

impl Solver {
    /// Parameters, substeps, and where moving colliders and the dragged point are.
    pub(super) fn write_params(&mut self) {
        let p = &self.scene.params;
        let h = p.substep_dt();
        let row = ParamsRow {
            gravity: vec4(p.gravity, h),
            particle_count: self.sizes.particles,
            proxy_count: self.sizes.proxies,
            body_count: self.sizes.bodies,
            collider_count: self.sizes.colliders,
            assembly_count: self.sizes.assemblies,
            cell_mask: self.sizes.cells - 1,
            contact_capacity: self.contact_slots,
            cell_size: (2.0 * (self.proxy_reach + MARGIN_MOST * self.radius) + self.liquid_surplus()).max(1e-6),
            small_cell_size: (2.0 * (1.0 + MARGIN_MOST) * self.free_radius).max(1e-6),
            particle_radius: self.radius,
            friction_scale: p.friction_scale,
            dynamic_friction_ratio: p.dynamic_friction_ratio,
            depenetration_speed: p.depenetration_speed,
            restitution_speed: p.restitution_speed,
            linear_damping: p.linear_damping,
            angular_damping: p.angular_damping,
            mass_scaling: p.mass_scaling,
            max_speed: p.max_speed,
            sleep_speed: p.sleep_speed,
            sleep_time: p.sleep_time,
            world_extent: p.world_extent,
            dt: p.dt,
            cluster_count: self.sizes.clusters,
            joint_sweeps: p.joint_sweeps,
            stiffness: p.stiffness,
            limiters_meet: u32::from(p.joints == JointSolver::Average),
            object_count: self.sizes.objects,
            triangle_leaves: self.sizes.triangle_leaves,
            full_leaves: self.sizes.full_leaves,
            meeting_balls: self.sizes.meeting_balls,
            sleeper_count: self.sizes.sleepers,
            liquid_search: p.liquid_search,
            candidate_capacity: self.sizes.candidate_capacity,
            collider_speed: self.scene.colliders.iter().map(collider_speed).fold(0.0, f32::max),
            ..ParamsRow::default()
        };
        let batches: Vec<BatchRow> = (0..p.substeps.min(state::MOST_SUBSTEPS as u32))
            .map(|substep| BatchRow { substep, time: h * (substep + 1) as f32, ..BatchRow::default() })
            .collect();
        self.write("params", 0, &[row]);
        let numbers = [self.sizes.leaves, self.surface_room, self.leaf_cell().to_bits(), self.sizes.leaf_cells - 1];
        self.write("surface_list", state::SURFACE_NUMBERS, &numbers);
        self.write("batch", 0, &batches);
        if self.scene.colliders.iter().any(|c| c.velocity != Vec3::ZERO || c.angular_velocity != Vec3::ZERO) {
            self.write("colliders", 0, &tables::collider_rows(&self.scene));
        }
        if let Some(drag) = &self.drag {
            self.write("drag", 0, &[drag.row()]);
        }
    }

    /// How much farther than its radius and the margin of others liquid feels surfaces [m].
    fn liquid_surplus(&self) -> f32 {
        let radii = fluid::SUPPORT - 1.0 + fluid::CONTACT_MARGIN - MARGIN_MOST;
        if self.sizes.fluid_particles > 0 { radii * self.radius } else { 0.0 }
    }

    /// Uploads rows that the solver itself sized, so a refusal is a fault of ours: it is logged, not propagated.
    pub(super) fn write<T: bytemuck::Pod>(&self, name: &str, first: usize, rows: &[T]) {
        if let Err(error) = self.buffers.upload(name, first, rows) {
            log::error!("{error}");
        }
    }

    /// Moves colliders by what they do in a frame.
    pub(super) fn advance_colliders(&mut self) {
        let dt = self.scene.params.dt;
        for c in &mut self.scene.colliders {
            c.position += c.velocity * dt;
            c.rotation = (Quat::from_scaled_axis(c.angular_velocity * dt) * c.rotation).normalize();
        }
    }
}

/// Fastest point of a collider [m/s]; a turning plane is taken as 100 m wide.
fn collider_speed(c: &Collider) -> f32 {
    c.velocity.length() + c.angular_velocity.length() * c.shape.bounding_radius().min(100.0)
}
