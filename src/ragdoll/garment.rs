//! Clothes of a character: cloth on its bodies.

use glam::Vec3;

use super::plan::{PlannedBody, PlannedGarment, RagdollPlan};
use crate::import::cloth::{ClothError, Pins, RADIUS, cloth};
use crate::import::pins::is_red;
use crate::import::{Asset, Garment};
use crate::scene::SheetMaterial;

/// Distance of neighbors in a garment whose own triangles are larger, over the character's largest extent.
const SPACING: f32 = 0.02;
/// Part of the own motion of every constraint that dies away per second [1/s], and of all that is not the motion of the
/// garment as a whole.
const CALM: f32 = 10.0;
const SETTLING: f32 = 0.5;

/// Share of the skin that a garment covers however far it stands out of the bodies, and the most that its particles grow for
/// it, in lengths of its edges.
const COVERED: f32 = 0.99;
const LARGEST: f32 = 0.8;

/// Part by which tethers are longer than the way over the cloth: what lies over a shoulder must give when it rises.
const GIVE: f32 = 0.05;

impl PlannedGarment {
    /// The clothes of `asset` on the bodies of `plan`. A garment that cannot be cloth is left out, with a warning.
    pub(super) fn all(asset: &Asset, plan: &RagdollPlan) -> (Vec<Self>, Vec<String>) {
        let mut warnings = Vec::new();
        let mut garments = Vec::new();
        for garment in &asset.garments {
            match Self::new(asset, garment, plan) {
                Ok(planned) => {
                    warnings.extend(planned.cloth.warnings.iter().cloned());
                    garments.push(planned);
                }
                Err(error) => warnings.push(format!("{error}; it is left out")),
            }
        }
        (garments, warnings)
    }

    fn new(asset: &Asset, garment: &Garment, plan: &RagdollPlan) -> Result<Self, ClothError> {
        let spacing = SPACING * plan.size.max_element();
        let area = garment.model.area();
        let particles = (area / (spacing * spacing * 0.5 * 3.0_f32.sqrt())).min(1.0e6) as u32;
        let material = SheetMaterial::default();
        let marked = garment.model.primitives.iter().any(|p| (0..p.positions.len()).any(|v| is_red(p, v)));
        let pins = if marked { Pins::Red } else { Pins::Top };
        let mut made = cloth(&garment.model, particles, &pins, &material)?;
        if !marked {
            let name = &garment.name;
            made.warnings.push(format!("{name}: no vertex is painted red; it is fastened at its highest vertices"));
        }
        let fastened = made.object.masses.iter().zip(0..).filter(|(m, _)| **m == 0.0).map(|(_, i)| i).collect();
        let radii = &mut made.object.radii;
        let mean = radii.iter().sum::<f32>() / radii.len() as f32;
        radii.fill(plan.skin_beyond_bodies().clamp(mean, LARGEST / RADIUS * mean));
        for row in &mut made.object.constraints {
            if let Some(kept) = row.stretch().filter(|kept| kept.tension_only) {
                row.set_rest_length(kept.rest_length * (1.0 + GIVE));
            }
        }
        made.object = made.object.damped(CALM);
        made.object.damping = SETTLING;
        made.object.meets_itself = true;
        let follow = |at: &Vec3| {
            let mut shares: Vec<(usize, f32)> = Vec::new();
            for (joint, weight) in garment.weights_near(*at) {
                let body = plan.body_of(asset, *joint as usize);
                match shares.iter_mut().find(|(b, _)| *b == body) {
                    Some((_, share)) => *share += weight,
                    None => shares.push((body, *weight)),
                }
            }
            shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            if shares.is_empty() { vec![(0, 1.0)] } else { shares }
        };
        let follows = made.object.rest.iter().map(follow).collect();
        let mut planned = Self { cloth: made, follows, fastened };
        // What is fastened to a body follows it alone.
        for particle in &planned.fastened {
            planned.follows[*particle as usize].truncate(1);
        }
        Ok(planned)
    }
}

impl RagdollPlan {
    /// How far the skin stands out of the bodies at rest [m], but for a few places.
    fn skin_beyond_bodies(&self) -> f32 {
        let beyond = |p: &Vec3| {
            let of = |b: &PlannedBody| b.desc.shape.distance(*p - b.desc.position);
            self.bodies.iter().map(of).fold(f32::MAX, f32::min)
        };
        let mut all: Vec<f32> = self.model.primitives.iter().flat_map(|p| &p.positions).map(beyond).collect();
        all.sort_by(f32::total_cmp);
        all.get((COVERED * all.len() as f32) as usize).copied().unwrap_or(0.0)
    }

    /// The body that a joint of its asset moves, or that of the nearest joint above that has one; the first without any.
    fn body_of(&self, asset: &Asset, joint: usize) -> usize {
        let above = std::iter::successors(Some(joint), |j| asset.joints[*j].parent);
        let bone_of = |joint: usize| self.bones.iter().find(|b| b.joint == Some(joint));
        let Some(mut bone) = above.into_iter().find_map(bone_of) else { return 0 };
        while let (None, Some(parent)) = (bone.body, bone.parent) {
            bone = &self.bones[usize::from(parent)];
        }
        bone.body.unwrap_or(0)
    }
}
