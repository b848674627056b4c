//! How a game controls a performer: clips by name, walking and turning, teleporting, and which parts are shown.

use std::collections::BTreeSet;

use glam::{Quat, Vec3};

use super::Performer;
use super::error::{ClipError, NodeError, not_negative};
use super::performer::State;
use super::track::FADE;
use crate::scene::{Footing, Placement, Primitive};

/// Slowest walk that turns who follows it [m/s], and fastest turn [rad/s]: half a turn takes 0.4 s.
const HEADS: f32 = 0.2;
const TURN: f32 = 8.0;
/// A longer way of a frame than this is jumped [m]: the walker was put elsewhere.
const LEAP: f32 = 1.0;

impl Performer {
    /// Goes over to the clip of this name within a quarter of a second. The name may be in other case, or a part that only one
    /// clip has.
    ///
    /// # Errors
    /// [`ClipError`] naming those that are there; then it plays on.
    pub fn play(&mut self, clip: &str) -> Result<(), ClipError> {
        self.play_over(clip, FADE)
    }

    /// Goes over to the clip of this name within so many seconds, 0 or more.
    ///
    /// # Errors
    /// As [`Performer::play`], and for a time that is less or not finite.
    pub fn play_over(&mut self, clip: &str, seconds: f32) -> Result<(), ClipError> {
        not_negative("time to go over to a clip", seconds, f32::MAX)?;
        let index = self.rig.clip(clip).ok_or_else(|| ClipError::Unknown {
            model: self.rig.asset().name.clone(),
            clip: clip.into(),
            clips: self.clips().map(str::to_owned).collect(),
        })?;
        self.set_clip(Some(index), seconds);
        Ok(())
    }

    /// Goes over to the clip of this index within so many seconds, at once for what is not above 0; an unknown one is the file's default
    /// pose.
    pub fn set_clip(&mut self, clip: Option<usize>, seconds: f32) {
        self.track.fade_to(&self.rig, clip, seconds);
    }

    /// Where the origin of its model stands: on the ground between its feet.
    pub fn place(&self) -> Placement {
        self.place
    }

    /// Goes so far [m, world] and turns so much about the vertical [rad] in the next frame, beside what its clip does; its
    /// bodies push what is in the way. Nothing for who is limp.
    pub fn walk(&mut self, way: Vec3, turn: f32) {
        if way.is_finite() && turn.is_finite() && !self.is_limp() {
            let rotation = (Quat::from_rotation_y(turn) * self.place.rotation).normalize();
            self.put(Placement { position: self.place.position + way, rotation });
        }
    }

    /// Stands at another place. Returns the motion that leads there. What it gets up from comes along.
    fn put(&mut self, place: Placement) -> Placement {
        let by = self.place.way_to(&place);
        self.place = place;
        if let State::Rising { from, start, .. } = &mut self.state {
            from.move_by(&by);
            start.move_by(&by);
        }
        by
    }

    /// Stands where a walker is in the next frame of `dt` [s], which ends at `time` [s], and turns to where it goes: a character that is
    /// shown in the place of its walker's capsule, and while it is held, exactly there; [`Performer::place`] is where the walker is expected.
    /// Told before every frame. Nothing for who is limp.
    pub fn follow(&mut self, walker: &Footing, time: f64, dt: f32) {
        let way = walker.expected(time) - self.place.position;
        if !way.is_finite() || self.is_limp() {
            return;
        }
        if way.length() > LEAP {
            self.teleport(Placement { position: self.place.position + way, ..self.place });
            self.ride = Some((walker.body, self.place.position));
            return;
        }
        self.ride = Some((walker.body, self.place.position));
        let ahead = (self.place.rotation.inverse() * walker.velocity).with_y(0.0);
        let turn = if ahead.length() > HEADS { ahead.x.atan2(ahead.z).clamp(-TURN * dt, TURN * dt) } else { 0.0 };
        self.walk(way, turn);
    }

    /// Stands somewhere else from the next frame on, without pushing what is on the way: its clothes and what of it is driven or loose go
    /// there as they are, and it keeps its motion. Nothing for who is limp, or for numbers that are not finite.
    pub fn teleport(&mut self, place: Placement) {
        if place.position.is_finite() && place.rotation.is_finite() && place.rotation.length() > 0.5 && !self.is_limp()
        {
            let by = self.put(Placement { position: place.position, rotation: place.rotation.normalize() });
            self.now.move_by(&by);
            self.ride = self.ride.map(|(walker, from)| (walker, by.point(from)));
            self.jump = Some(self.jump.map_or(by, |before| by.then(&before)));
        }
    }

    /// Whether clips that walk take it along, as at first; otherwise it walks on the spot, and the game moves it by
    /// [`Performer::walk`].
    pub fn set_root_motion(&mut self, carried: bool) {
        self.carried = carried;
    }

    /// Shows or hides the parts of its model that are of the node of this name, whatever its case: what it holds in its hands,
    /// for example. What is hidden still collides.
    ///
    /// # Errors
    /// [`NodeError`] naming the nodes that have parts.
    pub fn show(&mut self, node: &str, shown: bool) -> Result<(), NodeError> {
        let names = &self.rig.asset().model.primitives;
        let alike = |(index, part): (usize, &Primitive)| part.name.eq_ignore_ascii_case(node).then_some(index);
        let parts: Vec<usize> = names.iter().enumerate().filter_map(alike).collect();
        if parts.is_empty() {
            let nodes: BTreeSet<String> = names.iter().map(|part| part.name.clone()).collect();
            let (model, nodes) = (self.rig.asset().name.clone(), nodes.into_iter().collect());
            return Err(NodeError { model, node: node.into(), nodes });
        }
        for part in parts {
            if shown {
                self.hidden.remove(&part)
            } else {
                self.hidden.insert(part)
            };
        }
        Ok(())
    }

    /// Parts of its model that are not shown, by index, and the instance that shows it: what the renderer's `set_hidden` takes.
    pub fn hidden(&self) -> (usize, &BTreeSet<usize>) {
        (self.instance, &self.hidden)
    }
}
