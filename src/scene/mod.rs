//! WHAT to simulate: host data only, no GPU and no files.
//!
//! A [`Scene`] is bodies with their particles, free particles, joints, colliders and what to draw. Right-handed, Y up,
//! metres, kilograms, seconds.

mod aerodynamics;
mod attachment;
mod body;
mod check;
mod check_surface;
mod collider;
mod components;
mod crossings;
mod deformable;
mod emitter;
mod garment;
mod joint;
mod limiter;
mod liquid;
mod model;
mod motion;
mod params;
mod primitives;
mod rod;
mod rope;

mod sample;
mod shape;
mod sheet;
mod sheet_grid;
mod soft;
mod surface;
mod surface_net;
mod tear;
mod tether;
mod tube;

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3, Vec4};

use crate::constraints::{Constraint, GlobalConstraint, GlobalRow, PlasticTetrahedron, Row};

pub use aerodynamics::{Air, AirSurface};
pub use attachment::Attachment;
pub use body::{Body, BodyDesc, BodyId, Link, Particle, ParticleId, Phase, Surface};
pub use check::SceneError;
pub use collider::{Collider, ColliderId};
pub(crate) use components::components;
pub use crossings::crossings;
pub use deformable::{Deformable, DeformableId, Extent};
pub(crate) use emitter::store_pitch;
pub use emitter::{Drain, Emitter, is_stored};
pub use garment::{Follow, Worn};
pub use joint::{Joint, JointDesc, JointKind, JointPoint, Limits, Motor};
pub use limiter::Limiter;
pub use liquid::{Grains, GrainsId, Liquid, LiquidId};
pub use model::{AlphaMode, Bend, Bone, Image, Influence, Instance, MAX_INFLUENCES, Material, Model, Primitive};
pub use motion::{BodyGoal, Cues, Placement};
pub use params::{Domain, JointSolver, PARAMETERS, Parameter, Params};
pub use primitives::primitive_model;
pub use rod::RodMaterial;
pub use rope::RopeMaterial;
pub use shape::{DistanceGrid, Shape, TriangleMesh, closest_on_triangle};
pub use sheet::SheetMaterial;
pub use sheet_grid::{SheetGrid, Topology};
pub use soft::{SoftMaterial, SoftModel};
pub use surface::{Anchor, Shell, SurfaceMesh};
pub use tear::Tear;
pub use tube::Tube;

/// Where a viewer stands at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Camera position [m].
    pub eye: Vec3,
    /// Point looked at [m].
    pub target: Vec3,
}

impl Default for View {
    fn default() -> Self {
        Self { eye: Vec3::new(3.0, 2.2, 5.0), target: Vec3::new(0.0, 0.8, 0.0) }
    }
}

impl View {
    /// Onto a ball of `radius` [m] about `target`, from the right, the front and a little above.
    pub fn around(target: Vec3, radius: f32) -> Self {
        // A little nearer than a ball would need: scenes are wider than high, and pictures too.
        Self { eye: target + Vec3::new(0.45, 0.42, 0.79).normalize() * (2.1 * radius), target }
    }
}

/// Everything to simulate and draw. Build it with the `add_` functions, read it through the fields.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// World parameters.
    pub params: Params,
    /// Initial camera.
    pub view: View,
    /// Collision shapes of bodies, shared where equal.
    pub shapes: Vec<Shape>,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Particles of bodies and free particles.
    pub particles: Vec<Particle>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Stops of hinges.
    pub limiters: Vec<Limiter>,
    /// Constraints between free particles.
    pub constraints: Vec<Row>,
    /// Which of them take another shape for good.
    pub plastic_tetrahedra: Vec<PlasticTetrahedron>,
    /// Constraints on whole meshes and shapes of free particles; no particle is in two of a type.
    pub global_constraints: Vec<GlobalRow>,
    /// Triangles of free particles that feel the air.
    pub air_surfaces: Vec<AirSurface>,
    /// Free particles held by bodies.
    pub attachments: Vec<Attachment>,
    /// Clothes, and how they follow their wearers into a pose.
    pub worn: Vec<Worn>,
    /// Surfaces of free particles that other free particles touch: triangles of particle indices.
    pub triangles: Vec<[u32; 3]>,
    /// Edges that can break.
    pub tears: Vec<Tear>,
    /// Objects of particles joined by constraints.
    pub deformables: Vec<Extent>,
    /// Liquids.
    pub liquids: Vec<Liquid>,
    /// Kinds of grains.
    pub grains: Vec<Grains>,
    /// Where liquid comes from.
    pub emitters: Vec<Emitter>,
    /// Where it goes.
    pub drains: Vec<Drain>,
    /// Static and kinematic world.
    pub colliders: Vec<Collider>,
    /// What is drawn on bodies.
    pub instances: Vec<Instance>,
    /// What is drawn on particles.
    pub surfaces: Vec<SurfaceMesh>,
    /// Ropes and rods drawn as tubes.
    pub tubes: Vec<Tube>,
}

impl Scene {
    /// Adds a rigid body.
    ///
    /// # Errors
    /// [`SceneError`] naming the body and the field, for numbers that are not finite or out of range.
    pub fn add_body(&mut self, desc: BodyDesc) -> Result<BodyId, SceneError> {
        check::body(&desc)?;
        let id = BodyId(self.bodies.len() as u32);
        let shape = match self.shapes.iter().rposition(|s| *s == desc.shape) {
            Some(index) => index,
            None => {
                self.shapes.push(desc.shape);
                self.shapes.len() - 1
            }
        };
        let first_particle = self.particles.len() as u32;
        let share = desc.mass / desc.points.len() as f32;
        let mut links = Vec::with_capacity(desc.points.len() + 4);
        for local in &desc.points {
            links.push(Link { particle: ParticleId(self.particles.len() as u32), local: *local });
            self.particles.push(Particle {
                position: desc.position + desc.rotation * *local,
                velocity: desc.velocity,
                radius: desc.radius,
                mass: share,
                phase: Phase::default(),
            });
        }
        self.bodies.push(Body {
            name: desc.name,
            shape,
            mass: desc.mass,
            inertia: desc.inertia,
            first_particle,
            particle_count: desc.points.len() as u32,
            links,
            position: desc.position,
            rotation: desc.rotation.normalize(),
            velocity: desc.velocity,
            angular_velocity: desc.angular_velocity,
            surface: desc.surface,
            kinematic: desc.kinematic,
            removed: false,
            ignores: Vec::new(),
        });
        Ok(id)
    }

    /// Adds a free particle.
    ///
    /// # Errors
    /// [`SceneError`] naming the field, for numbers that are not finite or out of range.
    pub fn add_particle(&mut self, particle: Particle) -> Result<ParticleId, SceneError> {
        check::particle(self.particles.len(), &particle)?;
        self.particles.push(particle);
        Ok(ParticleId(self.particles.len() as u32 - 1))
    }

    /// Joins free particles by a constraint; the answer is its index.
    ///
    /// # Errors
    /// [`SceneError`] when a particle does not exist or is named twice, or a number is out of range. That a particle
    /// belongs to no body is seen by [`Scene::check`].
    pub fn add_constraint(&mut self, constraint: &impl Constraint) -> Result<usize, SceneError> {
        let row = constraint.row()?;
        check::constraint(self.particles.len(), &row)?;
        self.constraints.push(row);
        Ok(self.constraints.len() - 1)
    }

    /// Joins free particles by a global constraint; the answer is its index.
    ///
    /// # Errors
    /// [`SceneError`] as of [`Scene::add_constraint`]. That no particle is in two of a type is seen by [`Scene::check`].
    pub fn add_global_constraint(&mut self, constraint: &impl GlobalConstraint) -> Result<usize, SceneError> {
        let row = constraint.row()?;
        check::global_constraint(self.particles.len(), &row)?;
        self.global_constraints.push(row);
        Ok(self.global_constraints.len() - 1)
    }

    /// Adds a collider.
    ///
    /// # Errors
    /// [`SceneError`] naming the collider and the field.
    pub fn add_collider(&mut self, collider: Collider) -> Result<ColliderId, SceneError> {
        check::collider(self.colliders.len(), &collider)?;
        self.colliders.push(collider);
        Ok(ColliderId(self.colliders.len() as u32 - 1))
    }

    /// Joins two bodies by shared particles, and stops them touching each other.
    ///
    /// # Errors
    /// [`SceneError`] when a body does not exist, both are one, or a number is out of range.
    pub fn add_joint(&mut self, desc: JointDesc) -> Result<usize, SceneError> {
        check::joint(self, &desc)?;
        let axis = desc.axis.normalize();
        let up = desc.up.reject_from_normalized(axis).try_normalize().unwrap_or_else(|| axis.any_orthonormal_vector());
        let side = axis.cross(up);
        let r = desc.radius;
        let offsets: &[Vec3] = match desc.kind {
            JointKind::Ball | JointKind::Universal => &[Vec3::ZERO],
            JointKind::Hinge => &[axis * r, axis * -r],
            JointKind::Stiff => &[(up + side) * r, (up - side) * r, (side - up) * r, (up + side) * -r],
        };
        let frame = Quat::from_mat3(&Mat3::from_cols(axis, up, side));
        let mut points = Vec::with_capacity(offsets.len());
        for offset in offsets {
            let position = desc.pivot + *offset;
            let particle = ParticleId(self.particles.len() as u32);
            let local = |body: &Body| body.rotation.inverse() * (position - body.position);
            let (local_a, local_b) = (local(self.body(desc.a)), local(self.body(desc.b)));
            let share = |body: &Body| body.mass / body.links.len() as f32;
            let mass = 0.5 * (share(self.body(desc.a)) + share(self.body(desc.b)));
            self.particles.push(Particle {
                position,
                velocity: self.body(desc.a).velocity,
                radius: desc.radius,
                mass,
                phase: Phase::default(),
            });
            self.bodies[desc.a.0 as usize].links.push(Link { particle, local: local_a });
            self.bodies[desc.b.0 as usize].links.push(Link { particle, local: local_b });
            points.push(JointPoint { particle, local_a, local_b });
        }
        self.ignore(desc.a, desc.b);
        let frame_a = self.body(desc.a).rotation.inverse() * frame * desc.center.normalize();
        let frame_b = self.body(desc.b).rotation.inverse() * frame;
        self.joints.push(Joint { desc, points, frame_a, frame_b });
        Ok(self.joints.len() - 1)
    }

    /// Stops two bodies touching each other.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) {
        for (from, to) in [(a, b), (b, a)] {
            let ignores = &mut self.bodies[from.0 as usize].ignores;
            if !ignores.contains(&to) {
                ignores.push(to);
            }
        }
    }

    /// Draws `model` on these bones.
    ///
    /// # Errors
    /// [`SceneError`] when the model indexes a bone, material or vertex that is not there, or a bone a body or parent.
    pub fn add_instance(&mut self, instance: Instance) -> Result<(), SceneError> {
        check::instance(self, &instance)?;
        self.instances.push(instance);
        Ok(())
    }

    /// Draws `body` as its own shape in this linear colour; models are shared between equal shapes by the caller
    /// passing the `Arc` that an earlier call returned.
    ///
    /// # Errors
    /// As [`Scene::add_instance`].
    pub fn draw_body(&mut self, body: BodyId, model: &Arc<Model>, tint: Vec4) -> Result<(), SceneError> {
        self.add_instance(Instance { model: Arc::clone(model), bones: vec![Bone::root(body, Vec3::ZERO)], tint })
    }

    /// Draws a surface on particles that are there already; the answer is its index.
    ///
    /// # Errors
    /// [`SceneError`] naming the surface, when it indexes a particle, point, vertex or material that is not there, when
    /// it has no triangles, or when the weights of a point do not sum to 1.
    pub fn add_surface(&mut self, surface: SurfaceMesh) -> Result<usize, SceneError> {
        check_surface::check(self, &surface)?;
        self.surfaces.push(surface);
        Ok(self.surfaces.len() - 1)
    }

    /// Draws a deformable object by its first particles.
    ///
    /// # Errors
    /// As [`Scene::add_surface`].
    pub fn draw_shell(&mut self, id: DeformableId, shell: &Arc<Shell>, tint: Vec4) -> Result<(), SceneError> {
        let first_particle = self.deformables[id.0 as usize].first_particle;
        self.add_surface(SurfaceMesh { shell: Arc::clone(shell), first_particle, tint }).map(|_| ())
    }

    /// The body with this id.
    ///
    /// # Panics
    /// If the id is not of this scene.
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0 as usize]
    }

    /// For every body, the smallest body index of the group that joints tie together: its assembly.
    pub fn assemblies(&self) -> Vec<u32> {
        components(self.bodies.len(), self.joints.iter().map(|joint| [joint.desc.a.0, joint.desc.b.0]))
    }
}
