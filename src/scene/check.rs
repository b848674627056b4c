//! Every mistake a caller can make in a scene, as one named error that says what to change.

use glam::{Mat3, Quat, Vec3};
use thiserror::Error;

use crate::constraints::{ConstraintError, GlobalRow, Row};

use super::{BodyDesc, Collider, Instance, JointDesc, JointKind, Limits, Particle, ParticleId, Scene, Shape};

/// A scene that cannot be simulated.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SceneError {
    /// A number that is not finite or not in its range.
    #[error("{item}: {field} is {value}; it must be {allowed}")]
    Number {
        /// What was being added.
        item: String,
        /// The field.
        field: &'static str,
        /// The value found.
        value: f32,
        /// The range.
        allowed: &'static str,
    },
    /// Something that must not be empty.
    #[error("{item} has no {field}; add at least one")]
    Empty {
        /// What was being added.
        item: String,
        /// The empty list.
        field: &'static str,
    },
    /// An index past the end.
    #[error("{item}: {field} {index} does not exist; there are {count}")]
    Missing {
        /// What was being added.
        item: String,
        /// What the index counts.
        field: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A joint between a body and itself.
    #[error("joint: both ends are body {0}; a joint needs two bodies")]
    SelfJoint(u32),
    /// A limiter for a joint that does not turn about one axis.
    #[error("joint {0} is not a hinge; only a hinge takes limiter particles")]
    NotHinge(usize),
    /// A shape that only colliders can have.
    #[error("{item}: a {shape} cannot be a body's shape; use it as a collider, or build a distance grid from it")]
    ColliderOnly {
        /// The body.
        item: String,
        /// The shape.
        shape: &'static str,
    },
    /// A constraint with a number out of range.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// A constraint that names a particle twice, or two global ones of a type that share it.
    #[error("{kind}: particle {particle} is named twice; join different particles")]
    Twice {
        /// Its type.
        kind: &'static str,
        /// The particle.
        particle: u32,
    },
    /// A constraint on a particle that a body holds.
    #[error("{kind}: particle {particle} belongs to body {body}; constraints and attachments hold free particles")]
    NotFree {
        /// Its type.
        kind: &'static str,
        /// The particle.
        particle: u32,
        /// The body.
        body: usize,
    },
    /// Tethers on what tears.
    #[error("{0}: tethers would hold what is torn off; give it no tethers, or no strain at which it tears")]
    Tethered(String),
    /// A liquid, the radius of its particles [m] and that of the first liquid [m].
    #[error("{0}: particle radius is {1} m; liquids of one scene share one, make it {2} m as the first liquid's")]
    LiquidRadius(String, f32, f32),
    /// A drain of another shape.
    #[error("{0}: a drain is a box or a sphere; use Shape::Cuboid or Shape::Sphere")]
    DrainShape(String),
    /// World parameters.
    #[error("{0}")]
    Params(String),
}

pub(super) type Check = Result<(), SceneError>;

pub(super) fn number(item: &str, field: &'static str, value: f32, ok: bool, allowed: &'static str) -> Check {
    if value.is_finite() && ok {
        Ok(())
    } else {
        Err(SceneError::Number { item: item.to_owned(), field, value, allowed })
    }
}

pub(super) fn vector(item: &str, field: &'static str, v: Vec3) -> Check {
    let worst = [v.x, v.y, v.z].into_iter().find(|c| !c.is_finite()).unwrap_or(0.0);
    number(item, field, worst, true, "finite")
}

fn rotation(item: &str, q: Quat) -> Check {
    let length = q.length();
    number(item, "rotation length", length, (length - 1.0).abs() < 0.01, "1 (a unit quaternion)")
}

pub(super) fn positive(item: &str, field: &'static str, value: f32) -> Check {
    number(item, field, value, value > 0.0, "above 0")
}

pub(super) fn not_negative(item: &str, field: &'static str, value: f32) -> Check {
    number(item, field, value, value >= 0.0, "0 or more")
}

fn surface(item: &str, surface: &super::Surface) -> Check {
    not_negative(item, "friction", surface.friction)?;
    let e = surface.restitution;
    number(item, "restitution", e, (0.0..=1.0).contains(&e), "from 0 to 1")
}

fn shape(item: &str, shape: &Shape) -> Check {
    match shape {
        Shape::Plane => Ok(()),
        Shape::Cuboid(half) => {
            positive(item, "half extent", half.min_element()).and(vector(item, "half extent", *half))
        }
        Shape::Sphere(radius) => positive(item, "radius", *radius),
        Shape::Capsule { radius, half_length } => {
            positive(item, "radius", *radius)?;
            not_negative(item, "half length", *half_length)
        }
        Shape::Grid(grid) => {
            positive(item, "grid spacing", grid.spacing)?;
            vector(item, "grid origin", grid.origin)?;
            let count = grid.size.iter().map(|n| *n as usize).product::<usize>();
            number(
                item,
                "grid size",
                grid.size[0] as f32,
                grid.size.iter().all(|n| *n >= 2),
                "at least 2 samples a side",
            )?;
            if grid.distances.len() != count {
                return Err(SceneError::Missing {
                    item: item.to_owned(),
                    field: "grid sample",
                    index: count,
                    count: grid.distances.len(),
                });
            }
            grid.distances.iter().try_for_each(|d| number(item, "grid distance", *d, true, "finite"))
        }
        Shape::Mesh(mesh) => {
            if mesh.triangles.is_empty() {
                return Err(SceneError::Empty { item: item.to_owned(), field: "triangles" });
            }
            mesh.positions.iter().try_for_each(|p| vector(item, "vertex", *p))?;
            let count = mesh.positions.len();
            match mesh.triangles.iter().flatten().find(|i| **i as usize >= count) {
                Some(i) => {
                    Err(SceneError::Missing { item: item.to_owned(), field: "vertex", index: *i as usize, count })
                }
                None => Ok(()),
            }
        }
    }
}

pub(super) fn body(desc: &BodyDesc) -> Check {
    let item = &format!("body `{}`", desc.name);
    match desc.shape {
        Shape::Plane => return Err(SceneError::ColliderOnly { item: item.clone(), shape: "plane" }),
        Shape::Mesh(_) => return Err(SceneError::ColliderOnly { item: item.clone(), shape: "triangle mesh" }),
        _ => shape(item, &desc.shape)?,
    }
    positive(item, "mass", desc.mass)?;
    positive(item, "particle radius", desc.radius)?;
    inertia(item, desc.inertia)?;
    if desc.points.is_empty() {
        return Err(SceneError::Empty { item: item.clone(), field: "particles" });
    }
    desc.points.iter().try_for_each(|p| vector(item, "particle position", *p))?;
    vector(item, "position", desc.position)?;
    rotation(item, desc.rotation)?;
    vector(item, "velocity", desc.velocity)?;
    vector(item, "angular velocity", desc.angular_velocity)?;
    surface(item, &desc.surface)
}

fn inertia(item: &str, tensor: Mat3) -> Check {
    let eigen = nalgebra::Matrix3::from_fn(|r, c| tensor.col(c)[r]);
    if tensor.to_cols_array().iter().any(|v| !v.is_finite()) {
        return number(item, "inertia", f32::NAN, false, "finite");
    }
    let least = eigen.symmetric_eigenvalues().min();
    number(item, "least principal inertia", least, least > 0.0, "above 0")
}

pub(super) fn particle(index: usize, particle: &Particle) -> Check {
    let item = &format!("particle {index}");
    vector(item, "position", particle.position)?;
    vector(item, "velocity", particle.velocity)?;
    positive(item, "radius", particle.radius)?;
    not_negative(item, "mass", particle.mass)
}

pub(super) fn collider(index: usize, collider: &Collider) -> Check {
    let item = &format!("collider {index}");
    shape(item, &collider.shape)?;
    vector(item, "position", collider.position)?;
    rotation(item, collider.rotation)?;
    vector(item, "velocity", collider.velocity)?;
    vector(item, "angular velocity", collider.angular_velocity)?;
    surface(item, &collider.surface)
}

pub(super) fn joint(scene: &Scene, desc: &JointDesc) -> Check {
    let item = "joint";
    for id in [desc.a, desc.b] {
        if id.0 as usize >= scene.bodies.len() {
            return Err(SceneError::Missing {
                item: item.to_owned(),
                field: "body",
                index: id.0 as usize,
                count: scene.bodies.len(),
            });
        }
    }
    if desc.a == desc.b {
        return Err(SceneError::SelfJoint(desc.a.0));
    }
    vector(item, "pivot", desc.pivot)?;
    vector(item, "axis", desc.axis)?;
    vector(item, "up", desc.up)?;
    positive(item, "axis length", desc.axis.length())?;
    positive(item, "radius", desc.radius)?;
    not_negative(item, "friction", desc.friction)?;
    not_negative(item, "damping", desc.damping)?;
    not_negative(item, "cushion", desc.cushion)?;
    if desc.break_force.is_nan() || desc.break_force <= 0.0 {
        return number(item, "break force", desc.break_force, false, "above 0, or infinite");
    }
    let pi = std::f32::consts::PI;
    match desc.limits {
        Limits::Free => {}
        Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max } => {
            number(item, "swing", swing_y, (0.0..=pi).contains(&swing_y), "from 0 to π")?;
            number(item, "swing", swing_z, (0.0..=pi).contains(&swing_z), "from 0 to π")?;
            number(item, "least twist", twist_min, (-pi..=0.0).contains(&twist_min), "from -π to 0")?;
            number(item, "most twist", twist_max, (0.0..=pi).contains(&twist_max), "from 0 to π")?;
        }
        Limits::Hinge { min, max } => {
            number(item, "least angle", min, min >= -pi && min <= max, "from -π to the most angle")?;
            number(item, "most angle", max, max <= pi, "at most π")?;
        }
    }
    rotation(item, desc.center)?;
    let turned = desc.center.normalize().angle_between(Quat::IDENTITY);
    let ball = desc.kind == JointKind::Ball;
    number(item, "center", turned, ball || turned < 1.0e-3, "no turn: only ball joints have one")?;
    if let Some(motor) = desc.motor {
        rotation(item, motor.target)?;
        not_negative(item, "motor compliance", motor.compliance)?;
        if motor.max_torque.is_nan() || motor.max_torque < 0.0 {
            return number(item, "motor torque", motor.max_torque, false, "0 or more");
        }
    }
    Ok(())
}

pub(super) fn instance(scene: &Scene, instance: &Instance) -> Check {
    let item = &format!("model `{}`", instance.model.name);
    let range = |field, index: usize, count: usize| {
        if index < count { Ok(()) } else { Err(SceneError::Missing { item: item.clone(), field, index, count }) }
    };
    bones(scene, instance, item)?;
    for part in &instance.model.primitives {
        let count = part.positions.len();
        range("material", part.material, instance.model.materials.len())?;
        let most = part.indices.iter().max().map_or(0, |i| *i as usize);
        if !part.indices.is_empty() {
            range("vertex", most, count)?;
        }
        if part.normals.len() != count {
            return Err(SceneError::Missing {
                item: item.clone(),
                field: "normal",
                index: count,
                count: part.normals.len(),
            });
        }
        for influence in part.influences.iter().flatten().filter(|i| i.weight != 0.0) {
            range("bone", influence.bone as usize, instance.bones.len())?;
        }
    }
    Ok(())
}

fn bones(scene: &Scene, instance: &Instance, model: &str) -> Check {
    let count = instance.bones.len();
    if count == 0 {
        return Err(SceneError::Empty { item: model.to_owned(), field: "bones" });
    }
    for (index, bone) in instance.bones.iter().enumerate() {
        let item = &format!("{model}, bone {index}");
        let range = |field, index: usize, count: usize| {
            if index < count { Ok(()) } else { Err(SceneError::Missing { item: item.clone(), field, index, count }) }
        };
        bone.body.map_or(Ok(()), |body| range("body", body.0 as usize, scene.bodies.len()))?;
        vector(item, "center of its body", bone.rest_center)?;
        vector(item, "pivot", bone.pivot)?;
        rotation(item, bone.turn)?;
        match bone.parent {
            Some(parent) => number(item, "parent", f32::from(parent), usize::from(parent) < index, "an earlier bone")?,
            None if bone.body.is_none() => {
                return Err(SceneError::Empty { item: item.clone(), field: "body and no parent" });
            }
            None => {}
        }
        if let Some(bend) = bone.bend {
            range("bone to bend toward", bend.toward as usize, count)?;
            let end = &instance.bones[bend.toward as usize];
            let fits = bone.body.is_none() && end.body.is_some() && end.parent.is_some();
            number(
                item,
                "bend toward",
                f32::from(bend.toward),
                fits,
                "a bone with body and parent, for one without body",
            )?;
            number(item, "bend share", bend.share, (0.0..=1.0).contains(&bend.share), "from 0 to 1")?;
            vector(item, "bend center", bend.about)?;
            let length = bend.axis.map_or(1.0, Vec3::length);
            number(item, "bend axis length", length, (length - 1.0).abs() < 0.01, "1")?;
        }
    }
    Ok(())
}

/// A constraint between particles of a scene that has so many.
pub(super) fn constraint(count: usize, row: &Row) -> Check {
    let joined = row.joined();
    if let Some(index) = joined.iter().find(|p| **p as usize >= count) {
        let item = format!("{} constraint", row.kind.name);
        return Err(SceneError::Missing { item, field: "particle", index: *index as usize, count });
    }
    match joined.iter().enumerate().find(|(i, p)| joined[..*i].contains(p)) {
        Some((_, particle)) => Err(SceneError::Twice { kind: row.kind.name, particle: *particle }),
        None => Ok(()),
    }
}

/// A global constraint on particles of a scene that has so many.
pub(super) fn global_constraint(count: usize, row: &GlobalRow) -> Check {
    let corners = row.members.iter().flat_map(|member| member.corners.iter().flatten().copied());
    match row.joined().chain(corners).find(|p| *p as usize >= count) {
        Some(particle) => {
            let item = format!("{} constraint", row.kind.name());
            Err(SceneError::Missing { item, field: "particle", index: particle as usize, count })
        }
        None => global_constraints_apart(std::slice::from_ref(row)),
    }
}

/// Global constraints of a type are solved at once, so each of their particles is in one of them only, and once.
pub(super) fn global_constraints_apart(rows: &[GlobalRow]) -> Check {
    let mut joined = std::collections::HashSet::new();
    for row in rows {
        if let Some(particle) = row.joined().find(|p| !joined.insert((row.kind.index(), *p))) {
            return Err(SceneError::Twice { kind: row.kind.name(), particle });
        }
    }
    Ok(())
}

/// A particle that no attachment holds yet.
pub(super) fn attached_once(scene: &Scene, particle: ParticleId) -> Check {
    match scene.attachments.iter().find(|a| a.particle == particle) {
        Some(_) => Err(SceneError::Twice { kind: "attachment", particle: particle.0 }),
        None => Ok(()),
    }
}

impl Scene {
    /// Checks what the `add_` functions could not see: parameters changed since, and the size of the whole.
    ///
    /// # Errors
    /// [`SceneError`] naming the field.
    pub fn check(&self) -> Check {
        self.params.check().map_err(SceneError::Params)?;
        global_constraints_apart(&self.global_constraints)?;
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
}

impl Scene {
    /// Checks a pose and velocities for `item`.
    pub(crate) fn check_pose(item: &str, position: Vec3, q: Quat, velocity: Vec3, angular_velocity: Vec3) -> Check {
        vector(item, "position", position)?;
        rotation(item, q)?;
        vector(item, "velocity", velocity)?;
        vector(item, "angular velocity", angular_velocity)
    }
}
