//! Touch: one finger grabs what it touches or orbits, two pinch and pan.

use glam::Vec2;
use winit::event::{Touch, TouchPhase};

use super::camera::Viewer;

/// A finger that moved no farther than this has tapped [pixels].
const TAP: f32 = 12.0;

/// What a finger asks for beyond turning the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Touched {
    /// Nothing.
    Nothing,
    /// The first one came down here.
    Down,
    /// It moved, and there is no other.
    Moved,
    /// It went up where it came down.
    Tapped,
    /// The hand lets go of what it holds.
    Up,
}

/// Fingers on the picture.
#[derive(Debug, Default)]
pub(crate) struct Fingers {
    /// Where each is [pixels]; two at most count.
    down: Vec<(u64, Vec2)>,
    /// How far the first went [pixels].
    way: f32,
    /// Whether there was never more than one since all were up.
    alone: bool,
}

impl Fingers {
    /// A finger did something; it `holds` what it came down on, or turns the view.
    pub(crate) fn touched(&mut self, touch: &Touch, holds: bool, viewer: &mut Viewer) -> Touched {
        let at = Vec2::new(touch.location.x as f32, touch.location.y as f32);
        match touch.phase {
            TouchPhase::Started => {
                self.down.push((touch.id, at));
                self.alone = self.down.len() == 1;
                self.way = 0.0;
                if self.alone { Touched::Down } else { Touched::Up }
            }
            TouchPhase::Moved => self.moved(touch.id, at, holds, viewer),
            TouchPhase::Ended | TouchPhase::Cancelled => {
                let known = self.down.len();
                self.down.retain(|(id, _)| *id != touch.id);
                if known == self.down.len() {
                    return Touched::Nothing;
                }
                let taps = touch.phase == TouchPhase::Ended && self.alone && self.way < TAP;
                if taps { Touched::Tapped } else { Touched::Up }
            }
        }
    }

    fn moved(&mut self, id: u64, at: Vec2, holds: bool, viewer: &mut Viewer) -> Touched {
        let Some(index) = self.down.iter().position(|(own, _)| *own == id) else { return Touched::Nothing };
        let before = std::mem::replace(&mut self.down[index].1, at);
        let by = at - before;
        match &self.down[..] {
            [_] if !self.alone => Touched::Nothing,
            [_] => {
                self.way += by.length();
                if !holds {
                    viewer.orbit(by);
                }
                Touched::Moved
            }
            [(_, a), (_, b)] => {
                let other = if index == 0 { *b } else { *a };
                let (apart, was_apart) = (at.distance(other).max(1.0), before.distance(other).max(1.0));
                viewer.pinch(apart / was_apart);
                viewer.pan(0.5 * by);
                Touched::Nothing
            }
            _ => Touched::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use winit::dpi::PhysicalPosition;
    use winit::event::DeviceId;

    use super::*;
    use crate::scene::View;

    fn touch(id: u64, phase: TouchPhase, x: f64) -> Touch {
        Touch { device_id: DeviceId::dummy(), phase, location: PhysicalPosition::new(x, 0.0), force: None, id }
    }

    #[test]
    fn one_finger_goes_around_and_two_come_nearer() {
        let (mut fingers, start) = (Fingers::default(), Viewer::new(View::default()));
        let mut viewer = start;
        assert_eq!(fingers.touched(&touch(1, TouchPhase::Started, 0.0), false, &mut viewer), Touched::Down);
        assert_eq!(fingers.touched(&touch(1, TouchPhase::Moved, 50.0), false, &mut viewer), Touched::Moved);
        let focus = View::default().target;
        assert!(viewer != start && viewer.view().target.distance(focus) < 1e-3, "it orbits");
        let far = viewer.view().eye.distance(focus);
        assert_eq!(fingers.touched(&touch(2, TouchPhase::Started, 150.0), false, &mut viewer), Touched::Up);
        fingers.touched(&touch(2, TouchPhase::Moved, 250.0), false, &mut viewer);
        let near = viewer.view();
        assert!((near.eye.distance(near.target) / far - 0.5).abs() < 1e-3, "twice as far apart is half as far away");
        assert!(near.target.distance(focus) > 1e-3, "their middle moved, and the view with it");
        assert_eq!(fingers.touched(&touch(2, TouchPhase::Ended, 250.0), false, &mut viewer), Touched::Up);
    }

    #[test]
    fn a_finger_that_holds_turns_nothing_and_one_that_stays_taps() {
        let (mut fingers, start) = (Fingers::default(), Viewer::new(View::default()));
        let mut viewer = start;
        fingers.touched(&touch(1, TouchPhase::Started, 0.0), false, &mut viewer);
        assert_eq!(fingers.touched(&touch(1, TouchPhase::Moved, 90.0), true, &mut viewer), Touched::Moved);
        assert_eq!(viewer, start);
        assert_eq!(fingers.touched(&touch(1, TouchPhase::Ended, 90.0), true, &mut viewer), Touched::Up);
        fingers.touched(&touch(1, TouchPhase::Started, 0.0), false, &mut viewer);
        assert_eq!(fingers.touched(&touch(1, TouchPhase::Ended, 0.0), false, &mut viewer), Touched::Tapped);
        assert_eq!(fingers.touched(&touch(9, TouchPhase::Ended, 0.0), false, &mut viewer), Touched::Nothing);
    }
}
