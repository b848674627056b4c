//! Where the points of a joint are, and how far it is open.

use glam::Vec3;

use super::{Joint, JointKind, Placement, Travel};

impl Joint {
    /// Where the point of body b is along X, Y and Z of the joint's frame, from the point of body a [m], with the bodies there. Of a
    /// distance joint how far apart they are, then zeros.
    pub fn place(&self, a: Placement, b: Placement) -> Vec3 {
        let [from, to] = self.ends();
        let gap = b.point(to) - a.point(from);
        match self.desc.kind {
            JointKind::Distance => Vec3::X * gap.length(),
            _ => (a.rotation * self.frame_a).inverse() * gap,
        }
    }

    /// How far it is open with the bodies there: of each shared particle, how far apart its places are, or how far the points
    /// are outside of where they may be, if something rigid holds them [m].
    pub fn gaps(&self, a: Placement, b: Placement) -> Vec<f32> {
        if !self.desc.kind.travels() {
            return self.points.iter().map(|p| a.point(p.local_a).distance(b.point(p.local_b))).collect();
        }
        let held = |(at, travel): (f32, &Travel)| match travel.compliance {
            0.0 => at - at.clamp(travel.min, travel.max),
            _ => 0.0,
        };
        let over = self.place(a, b).to_array().into_iter().zip(&self.desc.travel).map(held);
        vec![over.map(|over| over * over).sum::<f32>().sqrt()]
    }
}
