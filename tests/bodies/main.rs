//! Rigid bodies: their shapes, joints and sleep.

mod bounces;
mod gears;
mod joint_edits;
mod joint_kinds;
mod loads;
mod locked;
mod scenes;
mod shapes;
mod sleep;
