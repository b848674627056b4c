//! What the left button does, on every material: one table serves the panel, the keys and the guide's test.

pub(super) mod held;
mod place;

use serde::{Deserialize, Serialize};

pub(crate) use place::put_model;

/// A tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Tool {
    /// Pulls what is under the pointer.
    #[default]
    Pull,
    /// Selects what is clicked: the panel shows it, and what may be changed of it.
    Select,
    /// Holds what is clicked where it is, or lets it go.
    Pin,
    /// Blows away from the eye.
    Wind,
    /// Draws a blade through cloth, flesh and ropes.
    Cut,
    /// Blows up balloons, closed meshes and flesh.
    Inflate,
    /// A lump of water.
    Water,
    /// A lump of sand.
    Sand,
    /// A crate.
    Crate,
    /// A cloth.
    Cloth,
    /// A cube of flesh.
    Jelly,
    /// A balloon.
    Balloon,
    /// A dancer who falls.
    Dancer,
}

/// All tools: what each is called, and what it does.
pub(crate) const TOOLS: &[(Tool, &str, &str)] = &[
    (Tool::Pull, "pull", "pulls bodies, cloth, flesh, ropes, water and sand"),
    (Tool::Select, "select", "shows what is clicked, and changes it; colliders get handles"),
    (Tool::Pin, "pin", "holds bodies and points of cloth, flesh and ropes where they are; again: lets go"),
    (Tool::Wind, "wind", "blows on everything under the pointer, as long as the button is down"),
    (Tool::Cut, "cut", "a blade from where the button goes down to where it goes up: through cloth, flesh and ropes"),
    (
        Tool::Inflate,
        "inflate",
        "blows up balloons, other closed meshes and flesh, as long as the button is down; with Shift lets air out",
    ),
    (Tool::Water, "water", "a lump of water above the place that is clicked"),
    (Tool::Sand, "sand", "a lump of sand"),
    (Tool::Crate, "crate", "a crate"),
    (Tool::Cloth, "cloth", "a cloth that lies flat"),
    (Tool::Jelly, "jelly", "a cube of soft flesh"),
    (Tool::Balloon, "balloon", "a balloon"),
    (Tool::Dancer, "dancer", "a dancer who falls"),
];

impl Tool {
    /// The tool after this one.
    pub(crate) fn next(self) -> Self {
        let at = TOOLS.iter().position(|(tool, ..)| *tool == self).unwrap_or(0);
        TOOLS[(at + 1) % TOOLS.len()].0
    }
}
