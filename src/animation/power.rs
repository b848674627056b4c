//! Performers that move by their own strength: how strong they are, and what they do about what they see of themselves.

use super::Performer;
use super::error::StrengthError;
use super::muscles::Reaction;
use super::performer::State;
use crate::scene::{Placement, Scene, Sighting};

impl Performer {
    /// From now on nothing holds its bodies: muscles drive its joints towards the clip, as strongly as this: 0 is limp, 1 as strong as a
    /// grown person of its size. It stands on its feet, is stopped by what is in its way, staggers when it is struck, and falls
    /// when it is pushed too far; once it has lain still for a second, it gets up. For one that has entered a scene;
    /// the others stay limp.
    ///
    /// # Errors
    /// [`StrengthError`] for what is not 0 to 1; nothing changes then.
    pub fn drive(&mut self, strength: f32) -> Result<(), StrengthError> {
        StrengthError::check(strength)?;
        self.powered = true;
        self.strength_of_all = strength;
        if let Some(muscles) = &mut self.muscles {
            muscles.strengthen(strength);
        }
        Ok(())
    }

    /// As [`Performer::drive`], of the muscle at the joint of this name and of all beyond it: an arm, for example. They act while it
    /// is driven.
    ///
    /// # Errors
    /// [`StrengthError`] for what is not 0 to 1, or if it has no such limb.
    pub fn drive_limb(&mut self, joint: &str, strength: f32) -> Result<(), StrengthError> {
        let limbs = self.rig.below(self.find_limb(joint)?);
        self.strengthen(&limbs, strength)
    }

    /// As [`Performer::drive_limb`], of the joint of this name alone.
    ///
    /// # Errors
    /// As [`Performer::drive_limb`].
    pub fn drive_joint(&mut self, joint: &str, strength: f32) -> Result<(), StrengthError> {
        let limb = self.find_limb(joint)?;
        self.strengthen(&[limb], strength)
    }

    fn strengthen(&mut self, limbs: &[usize], strength: f32) -> Result<(), StrengthError> {
        StrengthError::check(strength)?;
        if let Some(muscles) = &mut self.muscles {
            muscles.strengthen_limbs(limbs, strength);
        }
        Ok(())
    }

    /// How strongly it keeps its balance while it is driven, 0 to 1: [`Performer::drive`] sets it to the same strength. With 0 it is a
    /// puppet whose joints are stiff: nothing keeps it upright, and it never counts as fallen.
    ///
    /// # Errors
    /// [`StrengthError`] for what is not 0 to 1.
    pub fn set_balance(&mut self, strength: f32) -> Result<(), StrengthError> {
        StrengthError::check(strength)?;
        if let Some(muscles) = &mut self.muscles {
            muscles.set_balance(strength);
        }
        Ok(())
    }

    /// Whether it gets up by itself once it has fallen and lain still; so at first.
    pub fn set_gets_up(&mut self, gets_up: bool) {
        self.gets_up = gets_up;
    }

    /// Holds its bodies where the clip has them from now on, as before [`Performer::drive`].
    pub fn hold(&mut self) {
        self.powered = false;
    }

    /// Whether muscles move it whenever it plays, and does not lie limp or get up.
    pub fn is_powered(&self) -> bool {
        self.powered
    }

    /// What [`Performer::drive`] was given last, 1 before.
    pub fn drive_strength(&self) -> f32 {
        self.strength_of_all
    }

    /// Whether muscles move it now.
    pub fn is_driven(&self) -> bool {
        self.powered && self.muscles.is_some() && matches!(self.state, State::Playing)
    }

    /// Whether it has lost its balance and did not get up yet.
    pub fn has_fallen(&self) -> bool {
        self.is_driven() && self.muscles.as_ref().is_some_and(super::muscles::Muscles::has_fallen)
    }

    /// Sees its bodies, in order, as they were some frames ago.
    pub(super) fn see(&mut self, bodies: &[Sighting], scene: &Scene) {
        let Some(muscles) = self.muscles.as_mut().filter(|_| self.powered) else { return };
        match muscles.see(&self.rig, bodies, scene.params.dt) {
            Some(Reaction::Goes(off)) => self.place.position += off,
            Some(Reaction::Rises) if self.gets_up => {
                let lying: Vec<Placement> = bodies.iter().map(|body| body.place).collect();
                self.rise_from(lying, &scene.colliders);
            }
            _ => {}
        }
    }
}
