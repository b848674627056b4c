//! All performers of a scene, and what they request from the solver before each frame.

use std::collections::HashMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{LimbError, Performer};
use crate::scene::{BodyId, Cues, Director, Placement, Scene, SceneError, Sighting};

/// When what goes limp. Written `FRAME` or `FRAME:JOINT`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimpAt {
    /// Frames played before.
    pub frame: u32,
    /// The limb, by the name of the joint that carries it; none: everything.
    pub limb: Option<String>,
}

impl FromStr for LimpAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (frame, limb) = text.split_once(':').map_or((text, None), |(frame, limb)| (frame, Some(limb.to_owned())));
        let wrong = || format!("`{text}` is not FRAME or FRAME:JOINT, as in 120 or 120:leftUpperArm");
        let frame = frame.parse().ok().filter(|_| limb.as_deref() != Some("")).ok_or_else(wrong)?;
        Ok(Self { frame, limb })
    }
}

/// The performers of a scene. Before every frame: `solver.direct(&mut cast)`, see
/// [`Solver::direct`](crate::solver::Solver::direct).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Cast {
    /// The performers, also those who were taken out until another comes in their place: see [`Performer::is_present`].
    pub performers: Vec<Performer>,
    /// What will go limp; frames count from now.
    due: Vec<LimpAt>,
}

impl Cast {
    /// Whether nobody performs.
    pub fn is_empty(&self) -> bool {
        !self.performers.iter().any(Performer::is_present)
    }

    /// Those who take part.
    fn present_ones(&mut self) -> impl Iterator<Item = &mut Performer> {
        self.performers.iter_mut().filter(|performer| performer.is_present())
    }

    /// Whether somebody is limp.
    pub fn is_limp(&self) -> bool {
        self.performers.iter().any(|performer| performer.is_present() && performer.is_limp())
    }

    /// Lets everybody play from the start of the scene and go limp at some time, or those who have it with one limb.
    ///
    /// # Errors
    /// As [`Performer::enter`].
    pub fn limp_at(&mut self, when: LimpAt, scene: &mut Scene) -> Result<(), SceneError> {
        self.due.push(when);
        self.present_ones().try_for_each(|p| p.stand_up(scene))
    }

    /// Whether somebody has a limb of this name.
    ///
    /// # Errors
    /// The first performer's [`LimbError`] if nobody has.
    pub fn find_limb(&self, name: &str) -> Result<(), LimbError> {
        let present = self.performers.iter().filter(|performer| performer.is_present());
        let mut found = present.map(|p| p.find_limb(name).map(|_| ()));
        match found.next() {
            Some(Err(error)) if found.all(|f| f.is_err()) => Err(error),
            _ => Ok(()),
        }
    }

    /// The limbs of this name, and what hangs on them, go limp with the next frame; the rest plays on.
    pub fn loosen(&mut self, limb: &str) {
        for performer in self.present_ones() {
            // Who has no such limb loses none.
            let _ = performer.loosen(limb);
        }
    }

    /// The limb that this body is, and what hangs on it, go limp with the next frame; the rest plays on. Whether somebody has it.
    pub fn loosen_body(&mut self, body: BodyId) -> bool {
        let mut found = false;
        for performer in self.present_ones() {
            let Some(limb) = performer.bodies().iter().position(|own| *own == body) else { continue };
            performer.loosen_limb(limb);
            found = true;
        }
        found
    }

    /// Everybody goes limp with the next frame.
    pub fn go_limp(&mut self) {
        for performer in self.present_ones() {
            performer.go_limp();
        }
    }

    /// The performer that has this body goes limp with the next frame. Whether somebody has it.
    pub fn go_limp_with(&mut self, body: BodyId) -> bool {
        let own = self.present_ones().find(|performer| performer.bodies().contains(&body));
        own.map(Performer::go_limp).is_some()
    }

    /// Whether a clip holds this body.
    pub(crate) fn plays(&self, body: BodyId) -> bool {
        self.performers.iter().any(|performer| performer.is_present() && performer.plays(body))
    }

    /// Whether this body is held for a performer, if only until the next frame lets go of it.
    pub(crate) fn holds(&self, body: BodyId) -> bool {
        self.performers.iter().any(|performer| performer.is_present() && performer.holds(body))
    }

    /// Adds a performer, in the place of one who was taken out if there is such; the answer is its index in [`Cast::performers`].
    pub fn add(&mut self, performer: Performer) -> usize {
        match self.performers.iter_mut().enumerate().find(|(_, other)| other.has_left()) {
            Some((index, left)) => {
                *left = performer;
                index
            }
            None => {
                self.performers.push(performer);
                self.performers.len() - 1
            }
        }
    }

    /// Takes the performer with this index out; whether there was one. With the next frame it lets go of its bodies, which go on by
    /// themselves, and one that is added later has its index: the others keep theirs.
    pub fn remove(&mut self, index: usize) -> bool {
        let there = self.performers.get_mut(index).filter(|performer| !performer.is_out());
        there.map(Performer::leave).is_some()
    }

    /// The performer that has this body, if any, goes limp with the next frame: somebody has taken hold of it. Who is
    /// [driven](Performer::drive) is not held, and goes on.
    pub fn let_go_of(&mut self, body: BodyId) {
        self.present_ones().filter(|p| p.bodies().contains(&body)).for_each(Performer::let_go);
    }

    /// Those who have these bodies go limp, or fall if they were getting up and are [driven](Performer::drive): something
    /// has struck them out of their holds, as [`Solver::take_struck`](crate::solver::Solver::take_struck) tells.
    pub fn knock_down(&mut self, struck: &[BodyId]) {
        struck.iter().for_each(|body| self.let_go_of(*body));
    }

    /// Everybody who is limp gets up where they lie, and limp limbs return to their clip; see [`Performer::get_up`].
    pub fn get_up(&mut self, bodies: &[Placement], scene: &Scene) {
        self.present_ones().for_each(|p| p.get_up(bodies, scene));
    }

    /// What the solver does before the next frame of `dt` [s].
    pub fn advance(&mut self, dt: f32) -> Cues {
        for LimpAt { limb, .. } in self.due.extract_if(.., |d| d.frame == 0).collect::<Vec<_>>() {
            match limb {
                Some(limb) => self.loosen(&limb),
                None => self.go_limp(),
            }
        }
        self.due.iter_mut().for_each(|d| d.frame -= 1);
        let mut cues = Cues::default();
        for performer in &mut self.performers {
            performer.advance(dt, &mut cues);
        }
        cues
    }
}

impl Director for Cast {
    fn present(&mut self, life_of: &dyn Fn(BodyId) -> Option<u64>) {
        self.performers.iter_mut().for_each(|performer| performer.know(life_of));
    }

    fn struck(&mut self, bodies: &[BodyId]) {
        self.knock_down(bodies);
    }

    fn watched(&self) -> Vec<BodyId> {
        self.performers
            .iter()
            .filter(|p| p.is_present() && p.is_driven())
            .flat_map(Performer::bodies)
            .copied()
            .collect()
    }

    fn see(&mut self, bodies: &[Sighting], scene: &Scene) {
        let seen: HashMap<u32, &Sighting> = bodies.iter().map(|sighting| (sighting.body.0, sighting)).collect();
        for performer in self.present_ones().filter(|p| p.is_driven()) {
            let own: Vec<Option<Sighting>> = performer.bodies().iter().map(|id| seen.get(&id.0).map(|s| **s)).collect();
            performer.see(&own, scene);
        }
    }

    fn cues(&mut self, dt: f32) -> Cues {
        self.advance(dt)
    }
}
