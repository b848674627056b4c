//! Host twins of the WGSL records in `shaders/common`. A test compares every offset by field name.

use glam::{Mat3, Quat, Vec3};

use crate::gpu::gpu_struct;

gpu_struct! {
    /// `Params` of `common/params`.
    pub(super) struct ParamsRow as "Params" in "common/params" {
        gravity: [f32; 4],
        particle_count: u32,
        body_count: u32,
        collider_count: u32,
        assembly_count: u32,
        cell_mask: u32,
        contact_capacity: u32,
        cell_size: f32,
        particle_radius: f32,
        friction_scale: f32,
        dynamic_friction_ratio: f32,
        depenetration_speed: f32,
        restitution_speed: f32,
        linear_damping: f32,
        angular_damping: f32,
        mass_scaling: f32,
        max_speed: f32,
        sleep_speed: f32,
        sleep_time: f32,
        world_extent: f32,
        dt: f32,
    }
}

gpu_struct! {
    /// `Batch` of `common/params`.
    pub(super) struct BatchRow as "Batch" in "common/params" {
        substep: u32,
        time: f32,
        iteration: u32,
        padding: u32,
    }
}

gpu_struct! {
    /// State of a body: a row of the buffer that everything is drawn from. `Body` of `common/body`.
    pub struct BodyState as "Body" in "common/body" {
        /// Centre of mass [m]; w: inverse mass in force now [1/kg], 0 when asleep or kinematic.
        pub center: [f32; 4],
        /// Unit quaternion xyzw; zero when the body was removed.
        pub rotation: [f32; 4],
        /// Velocity of the centre [m/s]; w: time below the sleep speed [s].
        pub velocity: [f32; 4],
        /// Angular velocity [rad/s].
        pub angular_velocity: [f32; 4],
    }
}

gpu_struct! {
    /// `BodyProperties` of `common/body`.
    pub(super) struct BodyPropertiesRow as "BodyProperties" in "common/body" {
        inverse_inertia: [f32; 4],
        inverse_inertia_off: [f32; 4],
        inertia: [f32; 4],
        inertia_off: [f32; 4],
        shape: u32,
        flags: u32,
        assembly: u32,
        first_link: u32,
        link_count: u32,
        first_reverse: u32,
        reverse_capacity: u32,
        first_ignored: u32,
        ignored_count: u32,
        padding_a: u32,
        padding_b: u32,
        padding_c: u32,
    }
}

gpu_struct! {
    /// `Link` of `common/body`.
    pub(super) struct LinkRow as "Link" in "common/body" {
        local: [f32; 4],
        particle: u32,
        body: u32,
        next: u32,
        primary: u32,
    }
}

gpu_struct! {
    /// `ParticleRow` of `common/body`.
    pub(super) struct ParticleRow as "ParticleRow" in "common/body" {
        local: [f32; 4],
        body: u32,
        phase: u32,
        link: u32,
        padding: u32,
    }
}

gpu_struct! {
    /// `SortedParticle` of `common/grid`.
    pub(super) struct SortedRow as "SortedParticle" in "common/grid" {
        position: [f32; 4],
        particle: u32,
        body: u32,
        phase: u32,
        padding: u32,
    }
}

gpu_struct! {
    /// `Contact` of `common/contact`.
    pub(super) struct ContactRow as "Contact" in "common/contact" {
        normal: [f32; 4],
        point: [f32; 4],
        impulse: [f32; 4],
        anchor: [f32; 4],
        grip: [f32; 4],
    }
}

gpu_struct! {
    /// `Collider` of `common/contact`.
    pub(super) struct ColliderRow as "Collider" in "common/contact" {
        position: [f32; 4],
        rotation: [f32; 4],
        velocity: [f32; 4],
        angular_velocity: [f32; 4],
        shape: u32,
        flags: u32,
        padding_a: u32,
        padding_b: u32,
    }
}

gpu_struct! {
    /// `JointPoint` of `common/joint`.
    pub(super) struct JointPointRow as "JointPoint" in "common/joint" {
        local_a: [f32; 4],
        local_b: [f32; 4],
    }
}

gpu_struct! {
    /// `Joint` of `common/joint`.
    pub(super) struct JointRow as "Joint" in "common/joint" {
        body_a: u32,
        body_b: u32,
        point_count: u32,
        limit: u32,
        frame_a: [f32; 4],
        frame_b: [f32; 4],
        range: [f32; 4],
        motor_goal: [f32; 4],
        motor: [f32; 4],
        strength: [f32; 4],
        points: [JointPointRow; 4],
    }
}

gpu_struct! {
    /// `Cluster` of `common/joint`.
    pub(super) struct ClusterRow as "Cluster" in "common/joint" {
        first_color: u32,
        color_count: u32,
    }
}

gpu_struct! {
    /// `Control` of `common/control`.
    pub(super) struct ControlRow as "Control" in "common/control" {
        motion: u32,
        drift: f32,
        margin: f32,
        searched: u32,
        searches: u32,
        non_finite: u32,
        contacts_dropped: u32,
        neighbors_dropped: u32,
        out_of_bounds: u32,
        joints_broken: u32,
        awake: u32,
        padding: u32,
    }
}

gpu_struct! {
    /// `Drag` of `bodies/drag`.
    pub(super) struct DragRow as "Drag" in "bodies/drag" {
        local: [f32; 4],
        goal: [f32; 4],
        body: u32,
        padding_a: u32,
        padding_b: u32,
        padding_c: u32,
    }
}

/// `v` with `w` after it.
pub(super) fn vec4(v: Vec3, w: f32) -> [f32; 4] {
    [v.x, v.y, v.z, w]
}

/// Diagonal and off-diagonal (xy, xz, yz) of a symmetric tensor, each with a number after it.
pub(super) fn tensor(m: Mat3, w: f32, off_w: f32) -> ([f32; 4], [f32; 4]) {
    (
        [m.x_axis.x, m.y_axis.y, m.z_axis.z, w],
        [m.x_axis.y, m.x_axis.z, m.y_axis.z, off_w],
    )
}

/// The quaternion's components.
pub(super) fn quat(q: Quat) -> [f32; 4] {
    q.to_array()
}
