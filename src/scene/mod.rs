//! WHAT to simulate: host data only, no GPU and no files.
//!
//! A [`Scene`] is bodies with their particles, free particles, joints, colliders and what to draw. Right-handed, Y up,
//! meters, kilograms, seconds.

mod add;
mod aerodynamics;
mod attachment;
mod body;
mod check;
mod collider;
mod components;
mod compound;
mod crossings;
mod cut;
mod deformable;
mod distance_grid;
mod dynamics;
mod emitter;
mod enclose;
mod field;
mod garment;
mod gear;
mod heightfield;
mod hull;
mod joint;
mod joint_place;
mod layers;
mod limiter;
mod liquid;
mod model;
mod motion;
mod params;
mod part;
mod placement;
mod pool;
mod primitive;
mod primitives;
mod push;
mod regions;
mod reserve;
mod rod;
mod rope;
mod sample;
mod seams;
mod sensor;
mod shape;
mod sheet;
mod sheet_grid;
mod soft;
mod surface;
mod surface_net;
mod tear;
mod tether;
mod thing;
mod triangle_mesh;
mod tube;
mod validate;
mod walker;

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::constraints::{GlobalRow, Partition, Partitioned, PlasticTetrahedron, Row, UserConstraint};

pub use aerodynamics::{Air, AirSurface};
pub use attachment::{Attachment, Follow, Worn};
pub use body::{Body, BodyDesc, BodyId, Link, Particle, ParticleId, Phase, Surface};
pub use check::SceneError;
pub use collider::{Collider, ColliderId};
pub(crate) use components::components;
pub use crossings::crossings;
pub(crate) use cut::CutScene;
pub use cut::{Blade, Cut};
pub(crate) use deformable::Gives;
pub use deformable::{Deformable, DeformableId, Extent};
pub use distance_grid::DistanceGrid;
pub use dynamics::Dynamics;
pub(crate) use dynamics::turned_axes;
pub(crate) use emitter::stored_at;
pub use emitter::{Drain, Emitter, is_stored};
pub use field::{Decay, Field, FieldId, FieldLaw, Region};
pub use gear::Gear;
pub use heightfield::Heightfield;
pub use hull::ConvexHull;
pub use joint::{Joint, JointDesc, JointId, JointKind, JointPoint, Limiter, Limits, Motor, Travel};
pub use layers::Layers;
pub(crate) use layers::{CLASSES, class_of, classes_meet, classes_that};
pub use liquid::{Grains, GrainsId, Liquid, LiquidId, Substance};
pub use model::{AlphaMode, Bend, Bone, Image, Instance, Material, Model, Sampling, Wrap, primitive_model};
pub use motion::{BodyGoal, BodyMove, BodyPull, Cues, Director, HoldStrength, Ride, Sighting};
pub use params::{Domain, Integrator, JointSolver, PARAMETERS, Parameter, Params};
pub use part::Part;
pub use placement::Placement;
pub use pool::{Pool, PoolId};
pub use primitive::{Influence, MAX_INFLUENCES, Primitive};
pub use push::{Blast, Explosion, Falloff, Kinds, Push, PushAction, Pushed};
pub use regions::Regions;
pub use reserve::{Nozzle, Reserve, ShapeRoom};
pub use rod::RodMaterial;
pub use rope::RopeMaterial;
pub(crate) use seams::{Fabric, Follower, Seams, When};
pub use sensor::Sensor;
pub(crate) use shape::with_pieces;
pub use shape::{Piece, Shape};
pub use sheet::{SheetMaterial, Weave};
pub use sheet_grid::{SheetGrid, Topology};
pub use soft::{SoftMaterial, SoftModel};
pub use surface::{Anchor, Shell, SurfaceMesh};
pub use tear::Tear;
pub use thing::{Members, Thing};
pub use triangle_mesh::{TriangleMesh, closest_on_triangle};
pub use tube::{Strands, Tube};
pub use walker::{Footing, Ground, Walker};

/// Least distance of what is looked at [m].
const NEAREST: f32 = 1e-3;

/// Where a viewer stands at the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
        Self { eye: target + Vec3::new(0.47, 0.31, 0.83).normalize() * (2.1 * radius), target }
    }

    pub(crate) fn check(&self) -> Result<(), SceneError> {
        check::vector("view", "eye", self.eye)?;
        check::vector("view", "target", self.target)?;
        let apart = self.eye.distance(self.target);
        check::number("view", "distance from eye to target", apart, apart >= NEAREST, "1 mm or more")
    }
}

/// Everything to simulate and draw. Build it with the `add_` functions, read it through the fields.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    #[serde(with = "crate::pack")]
    pub particles: Vec<Particle>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Stops of hinges.
    pub limiters: Vec<Limiter>,
    /// Ties of two joints.
    #[serde(default)]
    pub gears: Vec<Gear>,
    /// Types of constraints that users wrote, those of this scene's constraints among them. In files they stand before these.
    #[serde(default)]
    pub constraint_types: Vec<UserConstraint>,
    /// Constraints between free particles.
    #[serde(with = "crate::pack")]
    pub constraints: Vec<Row>,
    /// Which of them take another shape for good.
    #[serde(with = "crate::pack")]
    pub plastic_tetrahedra: Vec<PlasticTetrahedron>,
    /// Constraints on whole meshes and shapes of free particles; no particle is in two of a type.
    pub global_constraints: Vec<GlobalRow>,
    /// Triangles of free particles that feel the air.
    pub air_surfaces: Vec<AirSurface>,
    /// Free particles held by bodies.
    #[serde(with = "crate::pack")]
    pub attachments: Vec<Attachment>,
    /// Clothes, and how they follow their wearers into a pose.
    #[serde(with = "crate::pack")]
    pub worn: Vec<Worn>,
    /// Surfaces of free particles that other free particles touch: triangles of particle indices.
    #[serde(with = "crate::pack")]
    pub triangles: Vec<[u32; 3]>,
    /// Edges that can break.
    #[serde(with = "crate::pack")]
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
    /// Fields of force, by id; none where one was removed.
    pub fields: Vec<Option<Field>>,
    /// What is drawn on bodies.
    #[serde(skip)]
    pub instances: Vec<Instance>,
    /// What is drawn on particles.
    #[serde(skip)]
    pub surfaces: Vec<SurfaceMesh>,
    /// Ropes and rods drawn as tubes.
    pub tubes: Vec<Tube>,
    /// What is kept ready to enter the world.
    pub pools: Vec<Pool>,
    /// Places that are kept for what is added while the world runs.
    #[serde(default)]
    pub reserve: Reserve,
    /// Numbers of the game's own: see [`Scene::set_user_data`].
    pub user_data: BTreeMap<Thing, u64>,
    /// Layers of what has others than the default: see [`Scene::set_layers`].
    #[serde(default)]
    pub layers: BTreeMap<Thing, Layers>,
}

impl Scene {
    /// The body with this id.
    ///
    /// # Panics
    /// If the id is not of this scene.
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0 as usize]
    }

    /// The joint with this id.
    ///
    /// # Panics
    /// If the id is not of this scene.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.0 as usize]
    }

    /// For every body, the smallest body index of the group that joints and gears tie together: its assembly.
    pub fn assemblies(&self) -> Vec<u32> {
        let joints = self.joints.iter().map(|joint| [joint.desc.a.0, joint.desc.b.0]);
        let geared = self.gears.iter().map(|gear| [gear.first, gear.second].map(|id| self.joint(id).desc.b.0));
        components(self.bodies.len(), joints.chain(geared))
    }

    /// Particles of a deformable object.
    ///
    /// # Panics
    /// If the id is not of this scene.
    pub fn particles_of(&self, id: DeformableId) -> &[Particle] {
        let extent = &self.deformables[id.0 as usize];
        &self.particles[extent.first_particle.0 as usize..][..extent.particle_count as usize]
    }

    /// A particle of a deformable object, counted from 0 as in its [`Deformable`]: to pin, to attach or to push it.
    ///
    /// # Errors
    /// [`SceneError::Missing`] for an object that is not of this scene, or that has not so many particles.
    pub fn particle(&self, object: DeformableId, index: u32) -> Result<ParticleId, SceneError> {
        check::present("particle of an object", "object", object.0 as usize, self.deformables.len())?;
        let extent = &self.deformables[object.0 as usize];
        let item = format!("deformable `{}`", extent.name);
        check::present(&item, "particle", index as usize, extent.whole_count() as usize)?;
        Ok(ParticleId(extent.first_particle.0 + index))
    }

    /// Its constraints, divided as its parameters say.
    pub(crate) fn divided(&self) -> Partitioned {
        self.divide(&self.constraints)
    }

    /// Constraints of its particles, divided as its parameters say. What tears is solved in colors: a vertex that splits stays in
    /// those of the whole one, and has neither phantoms nor a cluster.
    pub(crate) fn divide(&self, rows: &[Row]) -> Partitioned {
        let positions: Vec<Vec3> = self.particles.iter().map(|p| p.position).collect();
        let fixed = |i: u32| self.particles[i as usize].mass == 0.0;
        let partition = if self.tears.is_empty() { self.params.partition } else { Partition::Colors };
        Partitioned::placed(rows, &positions, fixed, partition)
    }

    /// Checks what the `add_` functions could not see: parameters changed since, and the size of the whole.
    ///
    /// # Errors
    /// [`SceneError`] naming the field.
    pub fn check(&self) -> Result<(), SceneError> {
        self.params.check().map_err(SceneError::Params)?;
        self.check_parts(&self.params)?;
        self.check_layers()?;
        check::global_constraints_apart(&self.global_constraints)?;
        check::global_constraints_fit(&self.global_constraints)?;
        if self.constraints.is_empty() && self.global_constraints.is_empty() && self.attachments.is_empty() {
            return Ok(());
        }
        let mut owner = vec![None; self.particles.len()];
        for (index, body) in self.bodies.iter().enumerate() {
            body.links.iter().for_each(|l| owner[l.particle.0 as usize] = Some(index));
        }
        let held = |row: &Row| row.joined().iter().find_map(|p| Some((*p, owner[*p as usize]?)));
        let tied =
            self.attachments.iter().find_map(|a| Some(("attachment", (a.particle.0, owner[a.particle.0 as usize]?))));
        let of_global = |row: &GlobalRow| row.joined().find_map(|p| Some((p, owner[p as usize]?)));
        let constrained = self.constraints.iter().find_map(|row| Some((row.kind.name, held(row)?)));
        let global = self.global_constraints.iter().find_map(|row| Some((row.kind.name(), of_global(row)?)));
        match constrained.or(global).or(tied) {
            Some((kind, (particle, body))) => Err(SceneError::NotFree { kind, particle, body }),
            None => Ok(()),
        }
    }

    /// Checks whether the scene can be divided as these parameters say.
    pub(crate) fn check_parts(&self, params: &Params) -> Result<(), SceneError> {
        if self.tears.is_empty() || matches!(params.partition, Partition::Auto | Partition::Colors) {
            return Ok(());
        }
        Err(SceneError::TearsInParts(params.partition.to_string()))
    }

    /// Checks a pose and velocities for `item`.
    pub(crate) fn check_pose(
        item: &str,
        position: Vec3,
        q: Quat,
        velocity: Vec3,
        angular_velocity: Vec3,
    ) -> Result<(), SceneError> {
        check::pose(item, position, q, velocity, angular_velocity)
    }

    /// Checks that a vector of `item` is finite.
    pub(crate) fn check_vector(item: &str, field: &'static str, value: Vec3) -> Result<(), SceneError> {
        check::vector(item, field, value)
    }

    /// Checks a compliance of `item` [m/N].
    pub(crate) fn check_compliance(item: &str, compliance: f32) -> Result<(), SceneError> {
        check::not_negative(item, "compliance", compliance)
    }

    /// Checks how `item` is dragged.
    pub(crate) fn check_drag(item: &str, grabbed: Vec3, goal: Vec3, most_force: f32) -> Result<(), SceneError> {
        check::vector(item, "grabbed point", grabbed)?;
        check::vector(item, "goal of its drag", goal)?;
        let most = if most_force == f32::INFINITY { f32::MAX } else { most_force };
        check::not_negative(item, "most force of its drag", most)
    }
}
