//! The world, rigid bodies and their joints.

use glam::{BVec3, Vec3};

use super::{Added, Builder, Fault, of_model, within};
use crate::import::{Red, read_red};
use crate::scene::{
    BodyDesc, Collider, ConvexHull, Dynamics, Gear, Heightfield, JointDesc, JointId, JointKind, Limits, Motor, Piece,
    Scene, SceneError, Shape, Thing, Travel, turned_axes,
};
use crate::scene_file::item::{
    BodyItem, ColliderItem, GearItem, GroundItem, IgnoreItem, JointItem, MotorItem, PieceItem, ShapeItem,
};

/// Particles across the thinnest part of a body, and at most along its longest, unless it says how large they are.
const ACROSS: f32 = 3.0;
const ALONG: f32 = 8.0;
/// Most particles of a body.
const MOST_PARTICLES: f32 = 65_536.0;
/// Kinds of joints whose points part.
const TRAVELLERS: &str = "joints that travel (Distance, Slider, Cylindrical, Generic)";
/// Density of what a description makes [kg/m³].
const DENSITY: f32 = 1000.0;

impl Builder<'_> {
    pub(super) fn ground(&mut self, item: &GroundItem) -> Added {
        let mut ground = Collider::ground(item.height);
        ground.surface.friction = item.friction.unwrap_or(ground.surface.friction);
        ground.surface.restitution = item.restitution.unwrap_or(ground.surface.restitution);
        self.around(|scene| scene.add_collider(ground).map(|_| ()))
    }

    /// Adds colliders and moves them to where the layout has them.
    pub(super) fn around(&mut self, add: impl FnOnce(&mut Scene) -> Result<(), SceneError>) -> Added {
        let first = self.stage.scene.colliders.len();
        add(&mut self.stage.scene)?;
        for collider in &mut self.stage.scene.colliders[first..] {
            collider.position = self.frame.point(collider.position);
            collider.rotation = (self.frame.rotation * collider.rotation).normalize();
        }
        Ok(())
    }

    pub(super) fn collider(&mut self, item: ColliderItem) -> Added {
        if !matches!(item.shape, ShapeItem::Model(_)) {
            of_model("scale", item.scale.is_some())?;
        }
        let shape = match &item.shape {
            ShapeItem::Model(file) => Shape::Mesh(self.mesh(file, item.scale)?),
            ShapeItem::Heightfield { picture, spacing, height } => {
                Shape::Heightfield(heights(&read_red(&self.folder.join(picture))?, *spacing, *height))
            }
            other => plain(other)?,
        };
        let at = self.placed(item.position, item.rotation.rotation())?;
        let mut collider = Collider::new(shape, at.position).rotated(at.rotation);
        collider.velocity = self.turned(item.velocity);
        collider.angular_velocity = self.turned(item.angular_velocity.radians());
        collider.surface_velocity = item.surface_velocity;
        collider.surface.friction = item.friction.unwrap_or(collider.surface.friction);
        collider.surface.restitution = item.restitution.unwrap_or(collider.surface.restitution);
        if let Some(color) = item.color {
            collider.color = color.0;
        }
        if item.hidden {
            collider.color.w = 0.0;
        }
        collider.one_way = item.one_way;
        let id = self.stage.scene.add_collider(collider)?;
        self.remember(&item.name, Thing::Collider(id), item.user_data)
    }

    pub(super) fn body(&mut self, item: BodyItem) -> Added {
        let name = if item.name.is_empty() {
            format!("body {}", self.stage.scene.bodies.len())
        } else {
            self.full_name(&item.name)
        };
        if item.mass.is_some() && item.density.is_some() {
            return Err(Fault::Said("`mass` and `density` both say what it weighs; leave one of them out".into()));
        }
        let mut desc = described(&name, &item.shape, item.particle_radius, item.density.unwrap_or(DENSITY))?;
        let mass = item.mass.unwrap_or(desc.mass);
        within(&name, "mass", mass, mass > 0.0, "above 0")?;
        desc = desc.with_mass(mass);
        let at = self.placed(item.position, item.rotation.rotation())?;
        // A hull or a compound has its center of mass somewhere in its frame.
        let center = at.position + at.rotation * desc.position;
        desc = desc.at(center).rotated(at.rotation).named(name);
        desc.velocity = self.turned(item.velocity);
        desc.angular_velocity = self.turned(item.angular_velocity.radians());
        desc.surface.friction = item.friction.unwrap_or(desc.surface.friction);
        desc.surface.restitution = item.restitution.unwrap_or(desc.surface.restitution);
        desc.kinematic = item.kinematic;
        let damping = [item.linear_damping, item.angular_damping];
        desc.dynamics = self.dynamics(item.gravity_scale, damping, item.locked, item.upright)?;
        let (model, tint) = (self.model_of(&desc.shape), self.tint(item.color));
        let id = self.stage.scene.add_body(desc)?;
        self.stage.scene.draw_body(id, &model, tint)?;
        self.remember(&item.name, Thing::Body(id), item.user_data)
    }

    pub(super) fn joint(&mut self, item: &JointItem) -> Added {
        let (a, b) = (self.find_body("a", &item.a)?, self.find_body("b", &item.b)?);
        let pivot = self.frame.point(item.position);
        let made = JointDesc::new(item.kind, a, b, pivot, self.turned(item.axis), item.radius);
        let end = item.end.map_or(pivot, |end| self.frame.point(end));
        let (limits, travel) = (limits(item)?, travel(item, pivot.distance(end))?);
        let motor = item.motor.as_ref().map(|motor| drive(motor, item.kind)).transpose()?;
        let (friction, damping, break_force) = (item.friction, item.damping, item.break_force);
        let up = self.turned(item.up);
        let desc =
            JointDesc { end, up, limits, travel, motor, friction, damping, break_force, meet: item.meet, ..made };
        self.stage.scene.add_joint(desc)?;
        Ok(())
    }

    pub(super) fn gear(&mut self, item: &GearItem) -> Added {
        let (first, second) = (self.find_joint("first", &item.first)?, self.find_joint("second", &item.second)?);
        self.stage.scene.add_gear(Gear { first, second, ratio: item.ratio })?;
        Ok(())
    }

    /// The joint of two bodies, the last of several.
    fn find_joint(&self, key: &str, (a, b): &(String, String)) -> Result<JointId, Fault> {
        let ends = [self.find_body(key, a)?, self.find_body(key, b)?];
        let found = self.stage.scene.joints.iter().rposition(|joint| [joint.desc.a, joint.desc.b] == ends);
        let found = found.map(|joint| JointId(joint as u32));
        found.ok_or_else(|| Fault::Said(format!("there is no joint from `{a}` to `{b}`; name its bodies as it does")))
    }

    /// How a body moves when nothing touches it; damping along and about, axes along and about which it does not move.
    pub(super) fn dynamics(
        &self,
        gravity_scale: f32,
        [linear_damping, angular_damping]: [f32; 2],
        locked: (bool, bool, bool),
        upright: (bool, bool, bool),
    ) -> Result<Dynamics, Fault> {
        let [locked, upright] = [self.axes("locked", locked)?, self.axes("upright", upright)?];
        Ok(Dynamics { gravity_scale, linear_damping, angular_damping, locked, upright })
    }

    /// Axes of the world, of those of the layout.
    fn axes(&self, key: &str, own: (bool, bool, bool)) -> Result<BVec3, Fault> {
        turned_axes(<[bool; 3]>::from(own).into(), self.frame.rotation).ok_or_else(|| {
            Fault::Said(format!(
                "`{key}` names axes of the world; the enclosing layout can rotate them only by multiples of 90 degrees"
            ))
        })
    }

    pub(super) fn ignore(&mut self, pair: &IgnoreItem) -> Added {
        let (a, b) = (self.find_body("a", &pair.a)?, self.find_body("b", &pair.b)?);
        if a == b {
            return Err(Fault::Said(format!("`a` and `b` are both `{}`; a body never touches itself", pair.a)));
        }
        self.stage.scene.ignore(a, b)?;
        Ok(())
    }
}

/// A shape without a file; one of a file is a plane.
pub(super) fn plain(item: &ShapeItem) -> Result<Shape, SceneError> {
    Ok(match item {
        ShapeItem::Plane | ShapeItem::Model(_) | ShapeItem::Heightfield { .. } => Shape::Plane,
        ShapeItem::Box(x, y, z) => Shape::Cuboid(0.5 * Vec3::new(*x, *y, *z)),
        ShapeItem::Sphere(radius) => Shape::Sphere(*radius),
        ShapeItem::Capsule { radius, length } => Shape::Capsule { radius: *radius, half_length: 0.5 * length },
        ShapeItem::Cylinder { radius, length } => Shape::Cylinder { radius: *radius, half_length: 0.5 * length },
        ShapeItem::Hull(points) => Shape::Hull(ConvexHull::new(points)?),
        ShapeItem::Compound(pieces) => {
            let piece = |piece: &PieceItem| {
                Ok(Piece::new(plain(&piece.shape)?, piece.position).rotated(piece.rotation.rotation()))
            };
            Shape::Compound(pieces.iter().map(piece).collect::<Result<_, SceneError>>()?)
        }
    })
}

/// Ground of a picture, by its red.
fn heights(picture: &Red, spacing: f32, height: f32) -> Heightfield {
    let heights = picture.values.iter().map(|red| height * f32::from(*red) / f32::from(picture.full));
    Heightfield { size: [picture.width, picture.height], spacing, heights: heights.collect() }
}

/// A body of this shape and density [kg/m³], whose size is checked before particles fill it; its center of mass is where it is in the
/// shape's frame.
fn described(name: &str, shape: &ShapeItem, particle_radius: Option<f32>, density: f32) -> Result<BodyDesc, Fault> {
    within(name, "density", density, density > 0.0, "above 0")?;
    if let ShapeItem::Compound(pieces) = shape {
        let part = |piece: &PieceItem| {
            let desc = described(name, &piece.shape, particle_radius, piece.density.unwrap_or(density))?;
            let turn = piece.rotation.rotation();
            let center = piece.position + turn * desc.position;
            Ok(desc.at(center).rotated(turn).named(name))
        };
        let parts = pieces.iter().map(part).collect::<Result<Vec<_>, Fault>>()?;
        return Ok(BodyDesc::compound(&parts)?);
    }
    let only = |shape| Err(SceneError::ColliderOnly { item: name.to_owned(), shape }.into());
    let half = match *shape {
        ShapeItem::Box(x, y, z) => 0.5 * Vec3::new(x, y, z),
        ShapeItem::Sphere(radius) => Vec3::splat(radius),
        ShapeItem::Capsule { radius, length } => Vec3::new(radius, radius + 0.5 * length.max(0.0), radius),
        ShapeItem::Cylinder { radius, length } => Vec3::new(radius, 0.5 * length, radius),
        ShapeItem::Hull(ref points) if points.len() < 4 => {
            return Err(Fault::Said(format!("a hull has 4 points or more, and this one {}", points.len())));
        }
        ShapeItem::Hull(ref points) => {
            let low = points.iter().copied().fold(Vec3::MAX, Vec3::min);
            0.5 * (points.iter().copied().fold(Vec3::MIN, Vec3::max) - low)
        }
        ShapeItem::Plane => return only("plane"),
        ShapeItem::Heightfield { .. } => return only("heightfield"),
        ShapeItem::Model(_) | ShapeItem::Compound(_) => {
            return Err(Fault::Said("a model as a body is an item of the kind Rigid, which has its look too".into()));
        }
    };
    within(name, "size", half.min_element(), half.is_finite() && half.min_element() > 0.0, "above 0")?;
    let fitting = (half.max_element() / ALONG).clamp(half.min_element() / ACROSS, half.min_element());
    let radius = particle_radius.unwrap_or(fitting);
    within(name, "particle radius", radius, radius > 0.0, "above 0")?;
    let count = (half / radius.min(half.min_element())).max(Vec3::ONE).element_product();
    within(name, "number of particles", count, count <= MOST_PARTICLES, "at most 65536: enlarge particle_radius")?;
    let desc = match *shape {
        ShapeItem::Box(..) => BodyDesc::cuboid(half, radius),
        ShapeItem::Capsule { radius: thick, length } => {
            within(name, "length", length, length >= 0.0, "0 or more")?;
            BodyDesc::capsule(thick, 0.5 * length, radius)
        }
        ShapeItem::Cylinder { .. } => BodyDesc::cylinder(half.x, half.y, radius),
        ShapeItem::Hull(ref points) => BodyDesc::hull(&ConvexHull::new(points)?, radius)?,
        _ => BodyDesc::sphere(half.x, radius),
    };
    let mass = desc.mass * density / DENSITY;
    Ok(desc.with_mass(mass))
}

/// The drive of a joint: towards a rotation or a place, or to a speed.
fn drive(item: &MotorItem, kind: JointKind) -> Result<Motor, Fault> {
    let (compliance, max_torque, max_force) = (item.compliance, item.max_torque, item.max_force);
    let said = |text: &str| Err(Fault::Said(text.into()));
    let goals = [item.target.is_some(), item.speed.is_some(), item.position.is_some(), item.velocity.is_some()];
    if goals.into_iter().filter(|given| *given).count() > 1 {
        return said("a motor has one of `target`, `speed`, `position` and `velocity`");
    }
    let along = item.position.is_some() || item.velocity.is_some();
    let turns = !matches!(kind, JointKind::Distance | JointKind::Slider);
    for (key, given, fits, kinds) in [
        ("speed", goals[1], kind == JointKind::Hinge, "hinges"),
        ("position", goals[2], kind.travels(), TRAVELLERS),
        ("velocity", goals[3], kind.travels(), TRAVELLERS),
        ("target", !goals[1] && !along, turns, "joints that turn"),
    ] {
        if given && !fits {
            return Err(Fault::Said(format!("the motor's `{key}` is for {kinds}, and this joint is {kind:?}")));
        }
    }
    if along && max_torque != f32::INFINITY {
        return said("`max_torque` is for a motor with `target` or `speed`; this one has `max_force`");
    }
    if !along && max_force != f32::INFINITY {
        return said("`max_force` is for a motor with `position` or `velocity`; this one has `max_torque`");
    }
    if compliance != 0.0 && (item.speed.is_some() || item.velocity.is_some()) {
        return said("`compliance` is for a motor with `target` or `position`");
    }
    Ok(match (item.speed, item.position, item.velocity) {
        (Some(speed), ..) => Motor::Speed { speed: speed.to_radians(), max_torque },
        (_, Some(position), _) => Motor::Position { position, compliance, max_force },
        (.., Some(velocity)) => Motor::Velocity { velocity, max_force },
        _ => {
            let target = item.target.as_ref().map_or(glam::Quat::IDENTITY, |turn| turn.rotation());
            Motor::Target { target, compliance, max_torque }
        }
    })
}

/// Where the points of a joint may be. One that says nothing is a slider without an end, or a rod as long as it is; another way
/// that its kind does not have is refused with the joint.
fn travel(item: &JointItem, apart: f32) -> Result<[Travel; 3], Fault> {
    let first = match item.kind {
        JointKind::Distance => Travel::spring(apart, 0.0),
        JointKind::Slider | JointKind::Cylindrical => Travel::FREE,
        _ => Travel::NONE,
    };
    match (item.end, item.kind) {
        (None, JointKind::Distance) => {
            return Err(Fault::Said(
                "a Distance joint goes from `position` to `end`, and this joint has no `end`".into(),
            ));
        }
        (Some(_), kind) if kind != JointKind::Distance => {
            return Err(Fault::Said(format!("`end` is of a Distance joint, and this joint is {kind:?}")));
        }
        _ => {}
    }
    let given = [item.travel, item.travel_y, item.travel_z];
    let generic = item.kind == JointKind::Generic;
    for (key, given, fits, kinds) in [
        ("compliance", item.compliance != 0.0, item.kind.travels(), TRAVELLERS),
        ("travel", given[0].is_some(), item.kind.travels(), TRAVELLERS),
        ("travel_y", given[1].is_some(), generic, "generic joints"),
        ("travel_z", given[2].is_some(), generic, "generic joints"),
    ] {
        if given && !fits {
            return Err(Fault::Said(format!("`{key}` is for {kinds}, and this joint is {:?}", item.kind)));
        }
    }
    let mut travel = [first, Travel::NONE, Travel::NONE];
    for (travel, given) in travel.iter_mut().zip(given) {
        if let Some((min, max)) = given {
            *travel = Travel::between(min, max);
        }
        if *travel != Travel::NONE && *travel != Travel::FREE {
            travel.compliance = item.compliance;
        }
    }
    Ok(travel)
}

/// The limits of a joint; those that its kind does not have are refused.
fn limits(item: &JointItem) -> Result<Limits, Fault> {
    let hinge = matches!(item.kind, JointKind::Hinge | JointKind::Cylindrical);
    let swings = matches!(item.kind, JointKind::Ball | JointKind::Universal | JointKind::Generic);
    let unfit =
        |key: &str, kinds: &str| Fault::Said(format!("`{key}` is for {kinds}, and this joint is {:?}", item.kind));
    if item.range.is_some() && !hinge {
        return Err(unfit("range", "hinges and cylindrical joints"));
    }
    if let (false, Some(key)) = (swings, item.swing.map(|_| "swing").or(item.twist.map(|_| "twist"))) {
        return Err(unfit(key, "ball, universal and generic joints"));
    }
    if let Some((min, max)) = item.range {
        if !(-180.0 <= min && min <= max && max <= 180.0) {
            return Err(Fault::Said(format!(
                "`range` is ({min}, {max}); it goes from the least to the most angle, within -180 and 180 degrees"
            )));
        }
        return Ok(Limits::Hinge { min: radians(min), max: radians(max) });
    }
    if item.swing.is_none() && item.twist.is_none() {
        return Ok(Limits::Free);
    }
    let (swing_y, swing_z) = item.swing.unwrap_or((180.0, 180.0));
    let (twist_min, twist_max) = item.twist.unwrap_or((-180.0, 180.0));
    let swing_fits = |angle: f32| (0.0..=180.0).contains(&angle);
    if !swing_fits(swing_y) || !swing_fits(swing_z) {
        return Err(Fault::Said(format!("`swing` is ({swing_y}, {swing_z}); both are from 0 to 180 degrees")));
    }
    if !(-180.0..=0.0).contains(&twist_min) || !(0.0..=180.0).contains(&twist_max) {
        return Err(Fault::Said(format!(
            "`twist` is ({twist_min}, {twist_max}); it goes from -180 to 0 and from 0 to 180 degrees"
        )));
    }
    let [swing_y, swing_z, twist_min, twist_max] = [swing_y, swing_z, twist_min, twist_max].map(radians);
    Ok(Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max })
}

/// Half a turn in degrees is a little more than π when rounded.
fn radians(degrees: f32) -> f32 {
    if degrees.abs() == 180.0 { std::f32::consts::PI.copysign(degrees) } else { degrees.to_radians() }
}
