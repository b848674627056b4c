//! What would be built, as a table: the text of `sinew inspect`.

use std::fmt::{Result, Write};

use glam::Vec3;

use super::limits::{DEGREE, Ranges};
use super::{LabelSource, PlannedJoint, RagdollPlan};
use crate::scene::{JointKind, Limits};

impl RagdollPlan {
    /// What would be built and why: bodies, joints with their limits, changes and warnings.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        self.write(&mut text).map_or_else(|_| String::new(), |()| text)
    }

    fn write(&self, out: &mut String) -> Result {
        let (bodies, joints) = (self.bodies.len(), self.joints.len());
        let (body_word, joint_word) = (plural(bodies, "body", "bodies"), plural(joints, "joint", "joints"));
        let particles = self.particle_count();
        writeln!(out, "{}: {bodies} {body_word}, {joints} {joint_word}, {particles} particles", self.name)?;
        writeln!(out, "size {} m, mass {:.1} kg", extents(self.size), self.mass())?;
        if joints > 0 {
            writeln!(out, "parts told apart {}", self.labels.word())?;
        }
        self.write_bodies(out)?;
        if joints > 0 {
            writeln!(out, "\njoints")?;
        }
        for joint in &self.joints {
            let name = |body: usize| &self.bodies[body].desc.name;
            let (parent, child, friction) = (name(joint.parent), name(joint.child), joint.friction);
            writeln!(out, "    {parent} - {child}: {}, friction {friction:.2} N m", joint.describe())?;
        }
        if !self.garments.is_empty() {
            writeln!(out, "\nclothes")?;
        }
        for garment in &self.garments {
            let (object, fastened) = (&garment.cloth.object, garment.fastened.len());
            let (name, count, mass) = (&object.name, object.rest.len(), object.masses.iter().sum::<f32>());
            writeln!(out, "    {name}: {count} particles, {fastened} of them fastened to the body, {mass:.2} kg")?;
        }
        if !self.ignores.is_empty() {
            writeln!(out, "\noverlapping at rest, so they never collide")?;
        }
        for (a, b) in &self.ignores {
            writeln!(out, "    {} - {}", self.bodies[*a].desc.name, self.bodies[*b].desc.name)?;
        }
        for (title, lines) in [("changes", &self.changes), ("warnings", &self.warnings)] {
            if !lines.is_empty() {
                writeln!(out, "\n{title}")?;
            }
            for line in lines {
                writeln!(out, "    {line}")?;
            }
        }
        Ok(())
    }

    /// Spread is how well the particles tell the rotation: the moments across the longest, in units of it.
    fn write_bodies(&self, out: &mut String) -> Result {
        let wide = self.bodies.iter().map(|b| b.desc.name.chars().count()).max().unwrap_or(4).max(4);
        writeln!(out, "\n  # {:wide$}  {:15}  particles  radius m   mass kg  spread       size m", "body", "part")?;
        for (index, body) in self.bodies.iter().enumerate() {
            let d = &body.desc;
            let (part, count) = (format!("{}{}", body.side.word(), body.label.word()), d.points.len());
            let [second, third] = body.conditioning();
            write!(out, "{index:3} {:wide$}  {part:15}  {count:9}  {:8.4}  {:8.2}  ", d.name, d.radius, d.mass)?;
            writeln!(out, "{second:.2} {third:.3}   {}", extents(body.size))?;
        }
        Ok(())
    }
}

impl LabelSource {
    fn word(self) -> String {
        match self {
            Self::VrmMap => "by the file's VRM humanoid map".into(),
            Self::Names(count) => format!("by names: {count} of 15 required humanoid bones"),
            Self::Shape => "by the shape of the skeleton: names say too little".into(),
            Self::None => "not at all: neither names nor shape are those of a humanoid; joints follow the clips".into(),
        }
    }
}

fn plural(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

fn extents(size: Vec3) -> String {
    format!("{:.2} x {:.2} x {:.2}", size.x, size.y, size.z)
}

impl PlannedJoint {
    /// Kind and limits in words.
    pub(super) fn describe(&self) -> String {
        let degrees = |angle: f32| (angle / DEGREE).round() + 0.0;
        let range = |[low, high]: [f32; 2]| format!("{}..{}°", degrees(low), degrees(high));
        match (self.limits, Ranges::of(self)) {
            (Limits::Hinge { min, max }, _) => format!("hinge, {}", range([min, max])),
            (_, Some(ranges)) if self.kind == JointKind::Universal => {
                format!("universal, forward {}, sideways {}", range(ranges.forward), range(ranges.side))
            }
            (_, Some(ranges)) => format!(
                "ball, forward {}, sideways {}, twist {}",
                range(ranges.forward),
                range(ranges.side),
                range(ranges.twist)
            ),
            _ if self.kind == JointKind::Stiff => "stiff".to_owned(),
            _ => format!("{:?}, no limits", self.kind).to_lowercase(),
        }
    }
}
