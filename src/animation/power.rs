//! Performers that move by their own strength: how strong they are, and how they react to their own state.

use super::Performer;
use super::error::StrengthError;
use super::muscles::{Muscles, Reaction};
use super::performer::State;
use super::standing::Below;
use crate::scene::{Scene, Sighting};

/// Highest that the hips of who lies still are above what carries it, over its height: an arm may be between.
const NEAR: f32 = 0.08;

impl Performer {
    /// From now on nothing holds its bodies: muscles drive its joints towards the clip, as strongly as this: 0 is limp, 1 as strong as a
    /// grown person of its size on earth, whatever the gravity of the world. It stands on its feet, is stopped by what is in its way, staggers when it is struck, and falls
    /// when it is pushed too far; once it has lain still for a second, it gets up. Who is limp stays so until it gets
    /// up.
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
    /// [`StrengthError`] for what is not 0 to 1, if it has no such limb, or was put into no scene.
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
        self.muscles.as_mut().ok_or(StrengthError::NotEntered)?.strengthen_limbs(limbs, strength);
        Ok(())
    }

    /// How strongly it keeps its balance while it is driven, 0 to 1: [`Performer::drive`] sets it to the same strength. With 0 it is a
    /// puppet whose joints are stiff: nothing keeps it upright, and it never counts as fallen.
    ///
    /// # Errors
    /// [`StrengthError`] for what is not 0 to 1, or if it was put into no scene.
    pub fn set_balance(&mut self, strength: f32) -> Result<(), StrengthError> {
        StrengthError::check(strength)?;
        self.muscles.as_mut().ok_or(StrengthError::NotEntered)?.set_balance(strength);
        Ok(())
    }

    /// Whether it gets up by itself once it has fallen and lain still; so at first.
    pub fn set_gets_up(&mut self, gets_up: bool) {
        self.gets_up = gets_up;
    }

    /// Holds its bodies where the clip has them from now on, as before [`Performer::drive`]: they go there from where they are. Who has
    /// fallen lies limp, to be told to [get up](Performer::get_up).
    pub fn hold(&mut self) {
        let (driven, fallen) = (self.is_driven(), self.has_fallen());
        let seen = self.muscles.as_ref().and_then(|muscles| muscles.guess(&self.now.limbs));
        if fallen {
            self.go_limp();
        } else if let (true, Some(seen)) = (driven, seen) {
            self.rise_from(seen, &Below::new(&[]));
        }
        self.powered = false;
        self.muscles.iter_mut().for_each(Muscles::stand);
    }

    /// Something has struck it out of its hold, or taken hold of it. Who moves by its own muscles goes on, and falls if it was getting up;
    /// who does not goes limp.
    pub(super) fn let_go(&mut self) {
        if !self.powered || self.muscles.is_none() {
            self.go_limp();
        } else if matches!(self.state, State::Rising { .. }) {
            self.state = State::Playing;
            self.muscles.iter_mut().for_each(Muscles::fall);
        }
    }

    /// Whether muscles move it whenever it plays, and does not lie limp or get up.
    pub fn is_powered(&self) -> bool {
        self.powered
    }

    /// What [`Performer::drive`] was given last, 1 before.
    pub fn drive_strength(&self) -> f32 {
        self.strength_of_all
    }

    /// How strong the muscle at this limb is: what it was given last, by itself or with others. Of the limb that hangs on nothing, what
    /// [`Performer::drive`] was given.
    pub(crate) fn limb_strength(&self, limb: usize) -> f32 {
        self.muscles.as_ref().and_then(|muscles| muscles.strength_of(limb)).unwrap_or(self.strength_of_all)
    }

    /// Whether muscles move it now.
    pub fn is_driven(&self) -> bool {
        self.powered && self.muscles.is_some() && matches!(self.state, State::Playing)
    }

    /// Whether it has lost its balance and did not get up yet.
    pub fn has_fallen(&self) -> bool {
        self.is_driven() && self.muscles.as_ref().is_some_and(Muscles::has_fallen)
    }

    /// Sees its bodies, in order, as they were some frames ago; none of those that are out of the world.
    pub(super) fn see(&mut self, bodies: &[Option<Sighting>], scene: &Scene) {
        let Some(muscles) = self.muscles.as_mut().filter(|_| self.powered) else { return };
        match muscles.see(&self.rig, bodies, scene.params.dt) {
            Some(Reaction::Goes(off)) => self.place.position += off,
            Some(Reaction::Rises) if self.gets_up => {
                let (lying, near) = (muscles.guess(&self.now.limbs), NEAR * muscles.tall());
                let (Some(lying), Some(root)) = (lying, self.rig.root()) else { return };
                let lowest: Vec<f32> = (0..lying.len()).map(|limb| self.rig.lowest_of(limb, &lying[limb])).collect();
                let below = Below::new(&scene.colliders).resting(lowest.iter().copied(), lowest[root], near);
                self.rise_from(lying, &below);
            }
            _ => {}
        }
    }
}
