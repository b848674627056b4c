//! What kernels are told at the start of a frame: parameters, substeps, moving colliders and the dragged point.

use glam::{Quat, Vec3};

use super::colliders;
use crate::gpu::GpuError;
use crate::gpu::wgsl::common::control::{BODY_MARGIN_MOST, MARGIN_MOST};
use crate::scene::{Collider, JointSolver, classes_meet};
use crate::solver::Solver;
use crate::solver::control::kinematic::{RELEASED_PUSH_SPEED, RELEASED_TIME};
use crate::solver::stages::ground::MOST_SUBSTEPS;
use crate::solver::stages::rows::{Batch, ParamsRow};
use crate::solver::stages::{aerodynamics, emitters};

impl Solver {
    /// Parameters, substeps, and where moving colliders and the dragged point are.
    pub(in crate::solver) fn write_params(&mut self) {
        let p = &self.scene.params;
        let h = p.substep_dt();
        // A force moves by the square of the time.
        let change = if self.lasting_from > 0.0 { (h / self.lasting_from).powi(2) } else { 1.0 };
        if change < 1.0 {
            // What a longer substep has pressed into one another would be thrown by a shorter one.
            self.opening_slowly = RELEASED_TIME;
        }
        let (substeps, iterations) = (p.substeps.min(MOST_SUBSTEPS as u32), p.iterations);
        let in_iteration = |iteration| -> Vec<Batch> {
            let time = |substep| h * (substep + 1) as f32;
            let lasting = |substep| if substep == 0 { change } else { 1.0 };
            let row = |substep| Batch {
                substep,
                time: time(substep),
                iteration,
                lasting: lasting(substep),
                ..Batch::default()
            };
            (0..substeps).map(row).collect()
        };
        let params = self.params_row();
        self.write("params", 0, &[params]);
        if self.stages.articulations.reserved {
            let cluster_count = self.stages.articulations.added;
            self.write("added_params", 0, &[ParamsRow { cluster_count, ..params }]);
        }
        logged(self.stages.surfaces.write(&self.buffers, self.room.surface_pairs, p.cell_scale));
        self.write("batch", 0, &in_iteration(0));
        if iterations > 1 {
            self.write("batch", MOST_SUBSTEPS, &in_iteration(1));
        }
        if self.scene.colliders.iter().any(|c| c.velocity != Vec3::ZERO || c.angular_velocity != Vec3::ZERO) {
            self.write("colliders", 0, &colliders::rows(&self.scene));
        }
        if let Some(drag) = &self.drag {
            self.write("drag", 0, &[drag.row()]);
        }
    }

    /// What the air and the nozzles do in the coming frame.
    pub(in crate::solver) fn write_flow(&mut self) {
        let air = aerodynamics::air(&self.scene.params, &mut self.air_way);
        self.write("air", 0, &[air]);
        let dt = self.scene.params.dt;
        let emissions = emitters::emissions(&mut self.scene, dt);
        self.write("emissions", 0, &emissions);
    }

    fn params_row(&self) -> ParamsRow {
        let (p, stages) = (&self.scene.params, &self.stages);
        let (world, broad_phase) = (&stages.particles.world, &stages.broad_phase);
        let stiffness = p.stiffness_by_type();
        let reach = broad_phase.reach + BODY_MARGIN_MOST * world.radius;
        ParamsRow {
            gravity: p.gravity.to_array(),
            substep_dt: p.substep_dt(),
            particle_count: world.particles,
            proxy_count: broad_phase.proxies,
            body_count: world.bodies,
            collider_count: world.colliders,
            assembly_count: stages.sleep.assemblies,
            cell_mask: broad_phase.cells - 1,
            contact_capacity: self.room.contacts,
            reverse_factor: self.room.reverse_factor,
            manifold_slots: self.room.manifolds,
            contact_slots: world.contact_slots(self.room.contacts),
            cell_size: (2.0 * reach + stages.fluid.surplus(MARGIN_MOST)).max(1e-6),
            small_cell_size: (2.0 * (1.0 + MARGIN_MOST) * broad_phase.free_radius).max(1e-6),
            particle_radius: world.radius,
            friction_scale: p.friction_scale,
            dynamic_friction_ratio: p.dynamic_friction_ratio,
            depenetration_speed: if self.opening_slowly > 0.0 {
                p.depenetration_speed.min(RELEASED_PUSH_SPEED)
            } else {
                p.depenetration_speed
            },
            restitution_speed: p.restitution_speed,
            linear_damping: p.linear_damping,
            angular_damping: p.angular_damping,
            mass_scaling: p.mass_scaling,
            max_speed: p.max_speed,
            sleep_speed: p.sleep_speed,
            sleep_time: p.sleep_time,
            world_extent: p.world_extent,
            dt: p.dt,
            cluster_count: stages.articulations.clusters,
            joint_sweeps: p.joint_sweeps,
            joint_share: 1.0 / p.iterations.max(1) as f32,
            type_stiffness: std::array::from_fn(|i| std::array::from_fn(|k| stiffness.0[4 * i + k])),
            stiffness: stiffness.of_levels(),
            limiters_meet: u32::from(p.joints != JointSolver::Point),
            frozen_way: if p.joints == JointSolver::Particles { p.freeze * world.radius } else { 0.0 },
            triangle_leaves: stages.surfaces.triangle_leaves,
            full_leaves: stages.surfaces.full_leaves,
            meeting_balls: broad_phase.meeting_balls,
            // Where particles move singly, each by its own contacts, none of them stands for a body.
            balls_roll: u32::from(p.joints != JointSolver::Particles),
            sleeper_count: stages.sleep.grains,
            liquid_search: p.liquid_search,
            candidate_capacity: broad_phase.candidate_capacity,
            search_stride: self.switches(self.touched.woken).search_stride,
            colliders_placed: u32::from(self.touched.colliders_placed),
            layers_meet: classes_meet(&self.classes),
            collider_speed: self.scene.colliders.iter().map(collider_speed).fold(0.0, f32::max),
            belt_speed: self.scene.colliders.iter().map(|c| c.surface_velocity.length()).fold(0.0, f32::max),
            ..ParamsRow::default()
        }
    }

    /// Uploads rows that the solver itself sized, so a refusal is a fault of ours: it is logged, not propagated.
    pub(in crate::solver) fn write<T: bytemuck::Pod>(&self, name: &str, first: usize, rows: &[T]) {
        logged(self.buffers.upload(name, first, rows));
    }

    /// Uploads a field of a row, `offset` bytes after its start.
    pub(in crate::solver) fn write_field<T: bytemuck::Pod>(&self, name: &str, row: usize, offset: usize, value: &T) {
        logged(self.buffers.upload_fields(name, row, offset, value));
    }

    /// Moves colliders by what they do in a frame.
    pub(in crate::solver) fn advance_colliders(&mut self) {
        let dt = self.scene.params.dt;
        for c in &mut self.scene.colliders {
            c.position += c.velocity * dt;
            c.rotation = (Quat::from_scaled_axis(c.angular_velocity * dt) * c.rotation).normalize();
        }
    }
}

fn logged(written: Result<(), GpuError>) {
    if let Err(error) = written {
        log::error!("{error}");
    }
}

/// Fastest point of a collider [m/s]; a turning plane is taken as 100 m wide.
fn collider_speed(c: &Collider) -> f32 {
    c.velocity.length() + c.angular_velocity.length() * c.shape.bounding_radius().min(100.0)
}
