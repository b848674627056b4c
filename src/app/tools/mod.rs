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
    (Tool::Pull, "pull", "pull bodies, cloth, flesh, ropes, water and sand"),
    (Tool::Select, "select", "show and edit what is clicked; colliders get handles"),
    (Tool::Pin, "pin", "pin bodies and points of cloth, flesh and ropes where they are; again: unpin"),
    (Tool::Wind, "wind", "blow on everything under the pointer while the button is down"),
    (Tool::Cut, "cut", "cut cloth, flesh and ropes between where the button is pressed and where it is released"),
    (
        Tool::Inflate,
        "inflate",
        "inflate balloons, other closed meshes and flesh while the button is down; with Shift: deflate",
    ),
    (Tool::Water, "water", "add a lump of water above the clicked point"),
    (Tool::Sand, "sand", "add a lump of sand"),
    (Tool::Crate, "crate", "add a crate"),
    (Tool::Cloth, "cloth", "add a flat cloth"),
    (Tool::Jelly, "jelly", "add a cube of soft flesh"),
    (Tool::Balloon, "balloon", "add a balloon"),
    (Tool::Dancer, "dancer", "add a falling dancer"),
];

impl Tool {
    /// The tool after this one.
    pub(crate) fn next(self) -> Self {
        let at = TOOLS.iter().position(|(tool, ..)| *tool == self).unwrap_or(0);
        TOOLS[(at + 1) % TOOLS.len()].0
    }
}
