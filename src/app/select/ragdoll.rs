//! The ragdoll of a character as edited by hand, as a file of changes.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::app::world::World;
use crate::ragdoll::{self, Overrides, RagdollSettings};
use crate::scene::Thing;

impl World {
    /// The file of changes that makes the ragdoll of the character that is selected, or of the first one, as it is now: masses and
    /// ranges of joints.
    ///
    /// # Errors
    /// There is no character with a skeleton, or no ragdoll can be made of it anew.
    pub(crate) fn ragdoll_text(&self) -> Result<String> {
        let scene = self.solver.scene();
        let selected = self.selected.map(|selected| selected.thing);
        let is_selected = |body: &_| selected == Some(Thing::Body(*body));
        let performers = &self.cast.performers;
        let performer = performers.iter().find(|performer| performer.bodies().iter().any(is_selected));
        let performer = performer.or(performers.first()).context("there is no character with a skeleton here")?;
        let (rig, asset) = (performer.rig(), performer.rig().asset());
        let before = match rig.changes() {
            "" => Overrides::default(),
            text => Overrides::parse(Path::new(&asset.name), text.to_owned())?,
        };
        let mut plan = ragdoll::build_with(asset, &RagdollSettings::default(), &before)?;
        if plan.bodies.iter().map(|body| body.joint).ne(rig.limbs().iter().map(|limb| limb.joint)) {
            bail!("building `{}` again would give a different ragdoll", asset.name);
        }
        let bodies = performer.bodies();
        for joint in &mut plan.joints {
            let ends = [bodies.get(joint.parent), bodies.get(joint.child)];
            let there = scene.joints.iter().find(|there| ends == [Some(&there.desc.a), Some(&there.desc.b)]);
            if let Some(there) = there {
                joint.limits = there.desc.limits;
            }
        }
        for (planned, body) in plan.bodies.iter_mut().zip(bodies) {
            planned.desc.mass = scene.body(*body).mass;
        }
        Ok(plan.to_ron(asset))
    }
}
