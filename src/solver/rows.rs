//! Host twins of the WGSL records in `shaders/common`. A test compares every offset by field name.

use glam::{Mat3, Quat, Vec3};

use crate::gpu_struct;
use crate::scene::Placement;

gpu_struct! {
    /// `Params` of `common/params`.
    pub(super) struct ParamsRow as "Params" {
        pub(super) gravity: [f32; 4],
        pub(super) particle_count: u32,
        pub(super) proxy_count: u32,
        pub(super) body_count: u32,
        pub(super) collider_count: u32,
        pub(super) assembly_count: u32,
        pub(super) cell_mask: u32,
        pub(super) contact_capacity: u32,
        pub(super) cell_size: f32,
        pub(super) particle_radius: f32,
        pub(super) friction_scale: f32,
        pub(super) dynamic_friction_ratio: f32,
        pub(super) depenetration_speed: f32,
        pub(super) restitution_speed: f32,
        pub(super) linear_damping: f32,
        pub(super) angular_damping: f32,
        pub(super) mass_scaling: f32,
        pub(super) max_speed: f32,
        pub(super) sleep_speed: f32,
        pub(super) sleep_time: f32,
        pub(super) world_extent: f32,
        pub(super) dt: f32,
        pub(super) cluster_count: u32,
        pub(super) collider_speed: f32,
        pub(super) joint_sweeps: u32,
        pub(super) limiters_meet: u32,
        pub(super) object_count: u32,
        pub(super) stiffness: f32,
        pub(super) triangle_leaves: u32,
        pub(super) full_leaves: u32,
        pub(super) small_cell_size: f32,
        pub(super) meeting_balls: u32,
        pub(super) sleeper_count: u32,
        pub(super) liquid_search: u32,
        pub(super) candidate_capacity: u32,
        pub(super) padding_a: u32,
        pub(super) padding_b: u32,
    }
}

gpu_struct! {
    /// `Batch` of `common/params`.
    pub(super) struct BatchRow as "Batch" {
        pub(super) substep: u32,
        pub(super) time: f32,
        pub(super) iteration: u32,
        pub(super) last: u32,
        pub(super) first: u32,
        pub(super) count: u32,
        pub(super) padding_a: u32,
        pub(super) padding_b: u32,
    }
}

gpu_struct! {
    /// State of a body: a row of the buffer that everything is drawn from. `Body` of `common/body`.
    pub struct BodyState as "Body" {
        /// Centre of mass [m]; w: inverse mass in force now [1/kg], 0 when asleep or kinematic.
        pub center: [f32; 4],
        /// Unit quaternion xyzw; zero when the body was removed.
        pub rotation: [f32; 4],
        /// Velocity of the centre [m/s]; w: time spent near one pose [s].
        pub velocity: [f32; 4],
        /// Angular velocity [rad/s]; w: motion left until contacts are searched again [m].
        pub angular_velocity: [f32; 4],
    }
}

gpu_struct! {
    /// `BodyProperties` of `common/body`.
    pub(super) struct BodyPropertiesRow as "BodyProperties" {
        pub(super) inverse_inertia: [f32; 4],
        pub(super) inverse_inertia_off: [f32; 4],
        pub(super) inertia: [f32; 4],
        pub(super) inertia_off: [f32; 4],
        pub(super) shape: u32,
        pub(super) flags: u32,
        pub(super) assembly: u32,
        pub(super) first_link: u32,
        pub(super) link_count: u32,
        pub(super) first_reverse: u32,
        pub(super) reverse_capacity: u32,
        pub(super) first_ignored: u32,
        pub(super) ignored_count: u32,
        pub(super) push_speed: f32,
        pub(super) padding_b: u32,
        pub(super) padding_c: u32,
    }
}

gpu_struct! {
    /// `Link` of `common/body`.
    pub(super) struct LinkRow as "Link" {
        pub(super) local: [f32; 4],
        pub(super) particle: u32,
        pub(super) body: u32,
        pub(super) next: u32,
        pub(super) primary: u32,
    }
}

gpu_struct! {
    /// `ParticleRow` of `common/body`.
    pub(super) struct ParticleRow as "ParticleRow" {
        pub(super) local: [f32; 4],
        pub(super) body: u32,
        pub(super) phase: u32,
        pub(super) link: u32,
        pub(super) proxy: u32,
        pub(super) limiter: u32,
        pub(super) friction: f32,
        pub(super) finest: f32,
        pub(super) sleeper: f32,
    }
}

gpu_struct! {
    /// `Proxy` of `common/grid`.
    pub(super) struct ProxyRow as "Proxy" {
        pub(super) local: [f32; 4],
        pub(super) body: u32,
        pub(super) particle: u32,
        pub(super) phase: u32,
        pub(super) padding: u32,
    }
}

gpu_struct! {
    /// `Contact` of `common/contact`.
    pub(super) struct ContactRow as "Contact" {
        pub(super) normal: [f32; 4],
        pub(super) point: [f32; 4],
        pub(super) impulse: [f32; 4],
        pub(super) anchor: [f32; 4],
        pub(super) grip: [f32; 4],
        pub(super) warm_start: [f32; 4],
    }
}

gpu_struct! {
    /// `Pair` of `common/contact`.
    pub(super) struct ManifoldRow as "Manifold" {
        pub(super) other: u32,
        pub(super) first: u32,
        pub(super) count: u32,
        pub(super) twin: u32,
    }
}

gpu_struct! {
    /// `ManifoldImpulse` of `common/contact`.
    pub(super) struct ManifoldImpulseRow as "ManifoldImpulse" {
        pub(super) linear: [f32; 4],
        pub(super) angular: [f32; 4],
        pub(super) velocity_linear: [f32; 4],
        pub(super) velocity_angular: [f32; 4],
        pub(super) warm_start_linear: [f32; 4],
        pub(super) warm_start_angular: [f32; 4],
    }
}

gpu_struct! {
    /// `Collider` of `common/contact`.
    pub(super) struct ColliderRow as "Collider" {
        pub(super) position: [f32; 4],
        pub(super) rotation: [f32; 4],
        pub(super) velocity: [f32; 4],
        pub(super) angular_velocity: [f32; 4],
        pub(super) shape: u32,
        pub(super) padding_a: u32,
        pub(super) padding_b: u32,
        pub(super) padding_c: u32,
    }
}

gpu_struct! {
    /// `JointPoint` of `articulations/joint`.
    pub(super) struct JointPointRow as "JointPoint" {
        pub(super) local_a: [f32; 4],
        pub(super) local_b: [f32; 4],
    }
}

gpu_struct! {
    /// `Joint` of `articulations/joint`.
    pub(super) struct JointRow as "Joint" {
        pub(super) body_a: u32,
        pub(super) body_b: u32,
        pub(super) point_count: u32,
        pub(super) limit: u32,
        pub(super) frame_a: [f32; 4],
        pub(super) frame_b: [f32; 4],
        pub(super) range: [f32; 4],
        pub(super) motor_goal: [f32; 4],
        pub(super) motor: [f32; 4],
        pub(super) strength: [f32; 4],
        pub(super) points: [JointPointRow; 4],
    }
}

gpu_struct! {
    /// `JointNode` of `articulations/tree`; what the GPU alone writes is blocks of vectors here.
    pub(super) struct JointNodeRow as "JointNode" {
        pub(super) joint: u32,
        pub(super) body: u32,
        pub(super) parent: u32,
        pub(super) first_child: u32,
        pub(super) child_count: u32,
        pub(super) side: f32,
        pub(super) held: u32,
        pub(super) padding: u32,
        pub(super) rows: [[f32; 4]; 13],
        pub(super) felt: [[f32; 4]; 22],
        pub(super) moved: [[f32; 4]; 9],
    }
}

gpu_struct! {
    /// `AttachedBody` of `constraints/attach`.
    pub(super) struct AttachedBodyRow as "AttachedBody" {
        pub(super) body: u32,
        pub(super) first: u32,
        pub(super) count: u32,
        pub(super) padding: u32,
    }
}

gpu_struct! {
    /// `Attachment` of `constraints/attach`.
    pub(super) struct AttachmentRow as "Attachment" {
        pub(super) local: [f32; 4],
        pub(super) particle: u32,
        pub(super) padding_a: u32,
        pub(super) padding_b: u32,
        pub(super) padding_c: u32,
    }
}

gpu_struct! {
    /// `Control` of `common/control`.
    pub(super) struct ControlRow as "Control" {
        pub(super) due: u32,
        pub(super) searched: u32,
        pub(super) searches: u32,
        pub(super) non_finite: u32,
        pub(super) contacts_dropped: u32,
        pub(super) neighbors_dropped: u32,
        pub(super) manifolds_dropped: u32,
        pub(super) out_of_bounds: u32,
        pub(super) joints_broken: u32,
        pub(super) awake: u32,
        pub(super) surfaces_dropped: u32,
        pub(super) surfaces_most: u32,
        pub(super) surfaces_due: u32,
        pub(super) fastest: u32,
        pub(super) truncated: u32,
        pub(super) horizon: f32,
        pub(super) contacts_most: u32,
        pub(super) liquid_dropped: u32,
        pub(super) liquid_speed: u32,
        pub(super) liquid_moved: f32,
        pub(super) leap: u32,
        pub(super) leaping: f32,
        pub(super) rebuild: u32,
        pub(super) substeps: u32,
        pub(super) liquid_most: u32,
        pub(super) liquid_searches: u32,
    }
}

impl BodyState {
    /// Where the body is.
    pub fn placement(&self) -> Placement {
        let [x, y, z, _] = self.center;
        let rotation = Quat::from_array(self.rotation);
        let removed = self.rotation == [0.0; 4];
        Placement { position: Vec3::new(x, y, z), rotation: if removed { Quat::IDENTITY } else { rotation } }
    }
}

/// `v` with `w` after it.
pub(super) fn vec4(v: Vec3, w: f32) -> [f32; 4] {
    [v.x, v.y, v.z, w]
}

/// Diagonal and off-diagonal (xy, xz, yz) of a symmetric tensor, each with a number after it.
pub(super) fn tensor(m: Mat3, w: f32, off_w: f32) -> ([f32; 4], [f32; 4]) {
    ([m.x_axis.x, m.y_axis.y, m.z_axis.z, w], [m.x_axis.y, m.x_axis.z, m.y_axis.z, off_w])
}

/// The quaternion's components.
pub(super) fn quat(q: Quat) -> [f32; 4] {
    q.to_array()
}

#[cfg(test)]
mod tests {
    use super::super::objects::ObjectRow;
    use super::*;
    use crate::gpu::layout::GpuStruct;
    use crate::gpu::shader;

    #[test]
    fn every_row_equals_its_twin() {
        fn check<T: GpuStruct>(file: &'static str) {
            // Shared files may use the bindings of a kernel, so the comparison reads a kernel that imports them.
            T::check(&shader::compose(file).unwrap().text).unwrap();
        }
        check::<ParamsRow>("contacts/solve_particles");
        check::<BatchRow>("contacts/solve_particles");
        check::<BodyState>("contacts/solve_particles");
        check::<BodyPropertiesRow>("contacts/solve_particles");
        check::<LinkRow>("contacts/solve_particles");
        check::<ParticleRow>("contacts/solve_particles");
        check::<ContactRow>("contacts/solve_particles");
        check::<ColliderRow>("contacts/solve_particles");
        check::<ManifoldRow>("contacts/solve_particles");
        check::<ManifoldImpulseRow>("contacts/solve_particles");
        check::<ProxyRow>("broad_phase/count");
        check::<ControlRow>("narrow_phase/find");
        check::<JointRow>("articulations/solve");
        check::<JointPointRow>("articulations/solve");
        check::<JointNodeRow>("articulations/solve");
        check::<super::super::edit::DragRow>("bodies/drag");
        check::<AttachedBodyRow>("constraints/attach");
        check::<AttachmentRow>("constraints/attach");
        check::<ObjectRow>("objects/settle");
        check::<super::super::fluid::FluidRow>("fluid/boundary");
        check::<super::super::fluid::BoundaryRow>("fluid/boundary");
    }
}
