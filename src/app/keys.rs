//! The player's actions and their keys: one table serves the keyboard, the help and the guide's test.

use glam::Vec3;
use winit::event::WindowEvent;
use winit::keyboard::{Key, KeyCode, NamedKey, PhysicalKey};

use super::launch::Level;
use super::select::Edit;
use super::tools::Tool;
use crate::scene::Params;
use crate::scene::{BodyId, JointId};

/// Something to do between two frames.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Stop or go on.
    Pause,
    /// One frame, then stop.
    Step,
    /// Back to a moment before, and stop.
    Rewind,
    /// Take away what was added last.
    Undo,
    /// What the left button does.
    Tool(Tool),
    /// The next tool.
    NextTool,
    /// What was being changed is changed.
    LetGo,
    /// Let go of all that is pinned.
    Unpin,
    /// Start the scene again.
    Reset,
    /// The demo before this one.
    Previous,
    /// The demo after this one.
    Next,
    /// Open a demo or a model file.
    Open(String),
    /// Start the scene again with an option of the demo changed.
    Option(String, String),
    /// Throw a ball.
    Throw,
    /// Set off an explosion where the pointer is.
    Explode,
    /// Let characters go limp, or get up.
    Limp,
    /// Let characters move by their own strength, or hold them.
    Muscles,
    /// How strong they are, 0 to 1.
    Strength(f32),
    /// Let characters play this clip.
    Clip(usize),
    /// Let the world have these parameters.
    Params(Box<Params>),
    /// Bring everything into view.
    Frame,
    /// Go back to where the scene starts.
    Home,
    /// Hide or show the panel.
    TogglePanel,
    /// Hide or show the help.
    ToggleHelp,
    /// Hide the help.
    CloseHelp,
    /// Write words into the picture or not.
    ToggleCaption,
    /// Draw surfaces or not.
    ToggleSurfaces,
    /// Draw particles or not.
    ToggleParticles,
    /// Draw joints or not.
    ToggleJoints,
    /// Color soft surfaces by strain or not.
    ToggleStrain,
    /// Show constraints in the colors by which they are solved, or not.
    ToggleColors,
    /// Color particles by the next of what their colors tell, and show them.
    NextColors,
    /// Let the limb that is this body go limp.
    Loosen(BodyId),
    /// How strong the limb that is this body is, 0 to 1.
    DriveLimb(BodyId, f32),
    /// Let the character with this body go limp, or get up.
    LimpOf(BodyId),
    /// Let the character with this body play its clip of this index.
    ClipOf(BodyId, usize),
    /// Change something of what is there.
    Edit(Edit),
    /// Look at another joint of the body that is selected.
    Joint(JointId),
    /// Write the ragdoll as it is now into a file of changes.
    WriteRagdoll,
    /// Show contacts or not.
    ToggleContacts,
    /// Save the world as it stands.
    Save,
    /// Save what was done so far.
    Take,
    /// The present view becomes one of the camera path.
    AddView,
    /// Take a view out of it.
    RemoveView(usize),
    /// Look along it or not.
    Ride,
    /// Save it.
    SavePath,
    /// Take the one of this file.
    LoadPath(String),
    /// Save a picture.
    Picture,
    /// Start or end a film.
    Film,
    /// Draw with more or less work.
    Level(Level),
}

/// Keys and mouse as the help shows them: what to press, what it does.
pub(crate) const HELP: &[(&str, &str)] = &[
    (
        "left button",
        "use the panel's current tool: pull, select, pin, wind, cut, inflate, or add water, sand, a crate, cloth, jelly, a balloon or a dancer \
         (with Shift, pull, select and pin reach through walls, and inflate deflates)",
    ),
    ("T", "next tool"),
    ("right drag", "look around"),
    ("W A S D, Q E", "fly; Q and E go down and up (Shift: faster)"),
    ("middle or Alt+left drag", "orbit"),
    ("wheel", "zoom; while pulling, move along the view"),
    ("L", "make characters go limp; again: get up"),
    ("M", "drive characters by their own muscles; again: by their clip"),
    ("F", "bring everything into view"),
    ("Home", "return to the scene's own view"),
    ("B", "throw a ball"),
    ("X", "set off an explosion under the pointer"),
    ("Space, P", "pause"),
    (". or O", "advance one frame"),
    (",", "go back a tenth of a second and pause"),
    ("Z", "undo the last addition or change"),
    ("K", "save the scene's current state to out/; opening the file continues from there"),
    ("R", "restart"),
    ("[ ]", "previous and next demo"),
    ("1 2 3 4 5", "show surfaces, particles, joints, strain, constraint colors"),
    ("6", "cycle the particle colors: owner, speed, sleep, contact count, grid cell"),
    ("7", "show contacts as lines along their normals"),
    ("V", "add the current view to the camera path, which the panel lists"),
    ("C", "show the caption, which the panel sets"),
    ("Tab", "hide or show the panel"),
    ("H, F1", "show this help; again, or Escape: close it"),
    ("F12", "save a picture to out/"),
    ("F10", "start or stop recording a film to out/, along with its take"),
    ("F9", "save the take to out/: everything done to the scene so far, for replay"),
];

/// The action of a key; `repeat` when it is held.
pub(crate) fn action(key: &Key, repeat: bool) -> Option<Action> {
    let action = match key {
        Key::Named(NamedKey::Space) => Action::Pause,
        Key::Named(NamedKey::Tab) => Action::TogglePanel,
        Key::Named(NamedKey::Home) => Action::Home,
        Key::Named(NamedKey::F1) => Action::ToggleHelp,
        Key::Named(NamedKey::Escape) => Action::CloseHelp,
        Key::Named(NamedKey::F9) => Action::Take,
        Key::Named(NamedKey::F10) => Action::Film,
        Key::Named(NamedKey::F12) => Action::Picture,
        Key::Character(text) => match text.to_lowercase().as_str() {
            "p" => Action::Pause,
            "." | "o" => Action::Step,
            "," => Action::Rewind,
            "z" => Action::Undo,
            "k" => Action::Save,
            "t" => Action::NextTool,
            "r" => Action::Reset,
            "[" => Action::Previous,
            "]" => Action::Next,
            "f" => Action::Frame,
            "b" => Action::Throw,
            "x" => Action::Explode,
            "l" => Action::Limp,
            "m" => Action::Muscles,
            "h" => Action::ToggleHelp,
            "c" => Action::ToggleCaption,
            "v" => Action::AddView,
            "1" => Action::ToggleSurfaces,
            "2" => Action::ToggleParticles,
            "3" => Action::ToggleJoints,
            "4" => Action::ToggleStrain,
            "5" => Action::ToggleColors,
            "6" => Action::NextColors,
            "7" => Action::ToggleContacts,
            _ => return None,
        },
        _ => return None,
    };
    (!repeat || matches!(action, Action::Step | Action::Rewind)).then_some(action)
}

/// What a key that went down asks for; `chord` while Ctrl or the like is down. A key whose place is one for flying flies, whatever
/// letter it has there: that letter is asked for with Ctrl.
pub(crate) fn asked(place: PhysicalKey, key: &Key, chord: bool, repeat: bool) -> Option<Action> {
    if chord == flies(place).is_some() { action(key, repeat) } else { None }
}

/// Whether an event tells of a key that was down before the window had the keyboard: nobody has pressed it here.
pub(crate) fn was_down_before(event: &WindowEvent) -> bool {
    matches!(event, WindowEvent::KeyboardInput { event, is_synthetic: true, .. } if event.state.is_pressed())
}

/// The slot of [`Flight`] that a key at this place has, if it has one.
fn flies(place: PhysicalKey) -> Option<usize> {
    Some(match place {
        PhysicalKey::Code(KeyCode::KeyD) => 0,
        PhysicalKey::Code(KeyCode::KeyE) => 1,
        PhysicalKey::Code(KeyCode::KeyW) => 2,
        PhysicalKey::Code(KeyCode::KeyA) => 3,
        PhysicalKey::Code(KeyCode::KeyQ) => 4,
        PhysicalKey::Code(KeyCode::KeyS) => 5,
        _ => return None,
    })
}

/// Flying keys that are down, by their place on the keyboard.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flight {
    /// Right, up, forward; then left, down, back.
    down: [bool; 6],
}

impl Flight {
    /// A key went down or up.
    pub(crate) fn key(&mut self, key: PhysicalKey, pressed: bool) {
        if let Some(slot) = flies(key) {
            self.down[slot] = pressed;
        }
    }

    /// Right, up, forward, each in -1..=1.
    pub(crate) fn direction(&self) -> Vec3 {
        let axis = |i: usize| f32::from(u8::from(self.down[i])) - f32::from(u8::from(self.down[i + 3]));
        Vec3::new(axis(0), axis(1), axis(2))
    }

    /// No key is down: the window lost the keyboard.
    pub(crate) fn release(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::tools::TOOLS;

    #[test]
    fn only_stepping_repeats() {
        let key = |text: &str| Key::Character(text.into());
        assert_eq!(action(&key("o"), true), Some(Action::Step));
        assert_eq!(action(&key("R"), false), Some(Action::Reset));
        assert_eq!(action(&key("r"), true), None);
        assert_eq!(action(&key("c"), false), Some(Action::ToggleCaption));
        assert_eq!(action(&key("y"), false), None);
    }

    #[test]
    fn a_key_that_flies_does_nothing_else_on_any_keyboard() {
        let key = |text: &str| Key::Character(text.into());
        // Forward on a French keyboard, and down on one of Dvorak's order.
        for (place, letter, action) in
            [(KeyCode::KeyW, "z", Action::Undo), (KeyCode::KeyS, "o", Action::Step), (KeyCode::KeyE, ".", Action::Step)]
        {
            let place = PhysicalKey::Code(place);
            assert_eq!(asked(place, &key(letter), false, false), None, "{letter}");
            assert_eq!(asked(place, &key(letter), true, false), Some(action), "{letter}");
        }
        let place = PhysicalKey::Code(KeyCode::KeyZ);
        assert_eq!(asked(place, &key("z"), false, false), Some(Action::Undo));
        assert_eq!(asked(place, &key("z"), true, false), None);
        assert_eq!(asked(PhysicalKey::Code(KeyCode::KeyW), &key("w"), true, false), None);
    }

    #[test]
    fn opposite_keys_cancel() {
        let mut flight = Flight::default();
        flight.key(PhysicalKey::Code(KeyCode::KeyW), true);
        assert_eq!(flight.direction(), Vec3::Z);
        flight.key(PhysicalKey::Code(KeyCode::KeyS), true);
        assert_eq!(flight.direction(), Vec3::ZERO);
        flight.release();
        flight.key(PhysicalKey::Code(KeyCode::KeyQ), true);
        assert_eq!(flight.direction(), Vec3::NEG_Y);
    }

    #[test]
    fn the_help_names_every_tool() {
        let (_, what) = HELP[0];
        let missing: Vec<_> = TOOLS.iter().map(|(_, name, _)| name).filter(|name| !what.contains(**name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn the_guide_has_every_key() {
        let page = include_str!("../guide/command.md");
        for (keys, what) in HELP {
            assert!(page.contains(&format!("| {keys} | {what} |")), "command.md lacks `| {keys} | {what} |`");
        }
    }
}
