//! The player's input, as a game queries it.

use std::collections::BTreeSet;

use glam::Vec2;
use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use crate::app::grab::Ray;
use crate::render::Camera;

/// Keys, mouse and where it points. What went down or moved counts from one [`Game::step`](super::Game::step) to the next: of several steps
/// between two pictures only the first sees it, and none is lost where a picture has no step, unless time stands still. [`Game::frame`](super::Game::frame) has its own.
///
/// A test of a game makes one with [`Input::new`], and says what the player does.
#[derive(Clone, Debug, Default)]
pub struct Input {
    down: BTreeSet<KeyCode>,
    pressed: BTreeSet<KeyCode>,
    buttons: Vec<MouseButton>,
    clicked: Vec<MouseButton>,
    pointer: Option<Vec2>,
    moved: Vec2,
    wheel: f32,
    ray: Option<Ray>,
}

impl Input {
    /// A player who does nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a key is held down; keys are named by their place on an American keyboard.
    pub fn is_down(&self, key: KeyCode) -> bool {
        self.down.contains(&key)
    }

    /// Whether a key went down since it was last seen.
    pub fn pressed(&self, key: KeyCode) -> bool {
        self.pressed.contains(&key)
    }

    /// -1, 0 or 1: which of two keys is held, 0 for both.
    pub fn axis(&self, back: KeyCode, forward: KeyCode) -> f32 {
        f32::from(u8::from(self.is_down(forward))) - f32::from(u8::from(self.is_down(back)))
    }

    /// Whether a button of the mouse is held down.
    pub fn is_button_down(&self, button: MouseButton) -> bool {
        self.buttons.contains(&button)
    }

    /// Whether a button of the mouse went down since it was last seen.
    pub fn clicked(&self, button: MouseButton) -> bool {
        self.clicked.contains(&button)
    }

    /// Where the mouse is in the picture, from its upper left corner [pixels]; none before it was there.
    pub fn pointer(&self) -> Option<Vec2> {
        self.pointer
    }

    /// How far the mouse moved since it was last seen, right and down [pixels].
    pub fn moved(&self) -> Vec2 {
        self.moved
    }

    /// Notches that the wheel turned since it was last seen, away from the player.
    pub fn wheel(&self) -> f32 {
        self.wheel
    }

    /// From the eye through the pointer: what [`Query::ray`](crate::solver::Query::ray) takes to find what is there. None before the mouse was
    /// in the picture.
    pub fn ray(&self) -> Option<Ray> {
        self.ray
    }

    /// A key goes down.
    pub fn press(&mut self, key: KeyCode) {
        if self.down.insert(key) {
            self.pressed.insert(key);
        }
    }

    /// A key comes up.
    pub fn release(&mut self, key: KeyCode) {
        self.down.remove(&key);
    }

    /// A button of the mouse goes down.
    pub fn press_button(&mut self, button: MouseButton) {
        if !self.is_button_down(button) {
            self.buttons.push(button);
            self.clicked.push(button);
        }
    }

    /// A button of the mouse comes up.
    pub fn release_button(&mut self, button: MouseButton) {
        self.buttons.retain(|held| *held != button);
    }

    /// The mouse moves to a place in the picture [pixels].
    pub fn point(&mut self, at: Vec2) {
        self.moved += self.pointer.map_or(Vec2::ZERO, |from| at - from);
        self.pointer = Some(at);
    }

    /// The wheel turns by so many notches.
    pub fn turn_wheel(&mut self, notches: f32) {
        self.wheel += notches;
    }

    /// Points along a ray, whatever the picture is.
    pub fn aim(&mut self, ray: Ray) {
        self.ray = Some(ray);
    }

    /// Points from this camera through where the mouse is in a picture of this size [pixels].
    pub fn look_from(&mut self, camera: &Camera, size: (u32, u32)) {
        self.ray = self.pointer.map(|at| {
            let (origin, direction) = camera.ray(at, size);
            Ray { origin, direction }
        });
    }

    /// What went down and moved was seen; what is held stays so.
    pub fn seen(&mut self) {
        self.pressed.clear();
        self.clicked.clear();
        (self.moved, self.wheel) = (Vec2::ZERO, 0.0);
    }

    /// Lets go of everything: the window lost the keyboard.
    pub fn let_go(&mut self) {
        self.down.clear();
        self.buttons.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_down_is_seen_once_and_what_is_held_as_long_as_it_is() {
        let mut input = Input::new();
        input.press(KeyCode::KeyA);
        input.press_button(MouseButton::Left);
        input.press(KeyCode::KeyA);
        assert!(input.pressed(KeyCode::KeyA) && input.clicked(MouseButton::Left));
        input.seen();
        assert!(!input.pressed(KeyCode::KeyA) && !input.clicked(MouseButton::Left));
        assert!(input.is_down(KeyCode::KeyA) && input.is_button_down(MouseButton::Left));
        assert_eq!(input.axis(KeyCode::KeyA, KeyCode::KeyD), -1.0);
        input.press(KeyCode::KeyA);
        assert!(!input.pressed(KeyCode::KeyA), "a key that repeats went down once");
        input.let_go();
        assert_eq!(input.axis(KeyCode::KeyA, KeyCode::KeyD), 0.0);
    }

    #[test]
    fn a_click_within_one_frame_is_not_lost() {
        let mut input = Input::new();
        input.press_button(MouseButton::Right);
        input.release_button(MouseButton::Right);
        assert!(input.clicked(MouseButton::Right) && !input.is_button_down(MouseButton::Right));
    }

    #[test]
    fn the_mouse_moves_and_points() {
        let mut input = Input::new();
        let camera = Camera { eye: glam::Vec3::Z, target: glam::Vec3::ZERO, ..Camera::default() };
        input.look_from(&camera, (200, 100));
        assert!(input.ray().is_none() && input.pointer().is_none());
        input.point(Vec2::new(60.0, 50.0));
        assert_eq!(input.moved(), Vec2::ZERO, "it came from nowhere");
        input.point(Vec2::new(100.0, 50.0));
        input.turn_wheel(1.0);
        assert_eq!((input.moved(), input.wheel()), (Vec2::new(40.0, 0.0), 1.0));
        input.look_from(&camera, (200, 100));
        let ray = input.ray().unwrap();
        assert!(
            ray.origin.distance(glam::Vec3::Z) < 0.1 && ray.direction.distance(glam::Vec3::NEG_Z) < 1e-5,
            "{ray:?}"
        );
        input.seen();
        assert_eq!((input.moved(), input.wheel()), (Vec2::ZERO, 0.0));
    }
}
