//! The mouse: what a pressed button holds, and what moving it does.

use glam::Vec2;
use winit::event::{ElementState, MouseButton, MouseScrollDelta};
use winit::keyboard::ModifiersState;

use super::camera::Viewer;

/// Wheel motion of one notch on devices that report pixels.
const NOTCH: f64 = 40.0;

/// What the pressed button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Nothing.
    #[default]
    Nothing,
    /// Turns the head.
    Look,
    /// Walks around the focus.
    Orbit,
    /// Uses the tool.
    Tool,
}

/// Where the mouse is and what it holds.
#[derive(Debug, Default)]
pub(crate) struct Pointer {
    /// Position in the window [pixels].
    pub(crate) at: Vec2,
    /// What the button does.
    pub(crate) hold: Hold,
    /// Shift, Alt and the like.
    pub(crate) modifiers: ModifiersState,
    button: Option<MouseButton>,
}

/// What a button asks for beyond turning the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Press {
    /// Nothing more to do.
    Done,
    /// Take hold of what is under the pointer.
    Take,
}

impl Pointer {
    /// A button went down or up. A second button while one is held changes nothing.
    pub(crate) fn button(&mut self, button: MouseButton, state: ElementState) -> Press {
        if state == ElementState::Released {
            if self.button == Some(button) {
                self.release();
            }
            return Press::Done;
        }
        if self.button.is_some() {
            return Press::Done;
        }
        self.button = Some(button);
        match button {
            MouseButton::Right => self.hold = Hold::Look,
            MouseButton::Middle => self.hold = Hold::Orbit,
            MouseButton::Left if self.modifiers.alt_key() => self.hold = Hold::Orbit,
            MouseButton::Left => {
                self.hold = Hold::Tool;
                return Press::Take;
            }
            _ => {}
        }
        Press::Done
    }

    /// Lets go of everything.
    pub(crate) fn release(&mut self) {
        self.hold = Hold::Nothing;
        self.button = None;
    }

    /// The mouse moved to `at` [pixels].
    pub(crate) fn moved(&mut self, at: Vec2, viewer: &mut Viewer) {
        let by = at - self.at;
        self.at = at;
        match self.hold {
            Hold::Look => viewer.look(by),
            Hold::Orbit => viewer.orbit(by),
            Hold::Tool | Hold::Nothing => {}
        }
    }

    /// The wheel turned: nearer, or what is held so far away [m] comes nearer.
    pub(crate) fn wheel(delta: MouseScrollDelta, held: Option<&mut f32>, viewer: &mut Viewer) {
        let notches = notches(delta);
        match held {
            // Up pushes it away, as it would push a hand.
            Some(depth) => *depth = (*depth * 1.08_f32.powf(notches)).clamp(0.2, 500.0),
            None => viewer.dolly(notches),
        }
    }
}

/// How far the wheel turned, away from the player.
pub(crate) fn notches(delta: MouseScrollDelta) -> f32 {
    match delta {
        MouseScrollDelta::LineDelta(_, y) => y,
        MouseScrollDelta::PixelDelta(pixels) => (pixels.y / NOTCH) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::View;

    #[test]
    fn buttons_hold_until_the_same_button_lets_go() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.button(MouseButton::Right, ElementState::Pressed), Press::Done);
        assert_eq!(pointer.button(MouseButton::Left, ElementState::Pressed), Press::Done, "one at a time");
        pointer.button(MouseButton::Left, ElementState::Released);
        assert!(matches!(pointer.hold, Hold::Look));
        pointer.button(MouseButton::Right, ElementState::Released);
        assert!(matches!(pointer.hold, Hold::Nothing));
        assert_eq!(pointer.button(MouseButton::Left, ElementState::Pressed), Press::Take);
    }

    #[test]
    fn alt_makes_the_left_button_orbit() {
        let mut viewer = Viewer::new(View::default());
        let mut pointer = Pointer { modifiers: ModifiersState::ALT, ..Pointer::default() };
        pointer.button(MouseButton::Left, ElementState::Pressed);
        pointer.moved(Vec2::new(100.0, 0.0), &mut viewer);
        assert!(viewer.view().eye.distance(View::default().eye) > 0.1);
        assert!(viewer.view().target.distance(View::default().target) < 1e-3);
    }
}
