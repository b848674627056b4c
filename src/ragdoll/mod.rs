//! ragdoll.
#![allow(missing_docs)]
use crate::{import::*, scene::*};
use glam::*;
#[derive(Default)] pub struct RagdollSettings;
pub struct RagdollPlan;
#[derive(Debug, thiserror::Error)] #[error("x")] pub struct RagdollError;
pub fn build(_: &Asset, _: &RagdollSettings) -> Result<RagdollPlan, RagdollError> { Err(RagdollError) }
pub fn figure() -> Result<RagdollPlan, RagdollError> { Err(RagdollError) }
impl RagdollPlan { pub fn add_to(&self, _: &mut Scene, _: Vec3, _: Quat, _: Vec4) -> Result<Vec<BodyId>, SceneError> { Ok(vec![]) } pub fn describe(&self) -> String { String::new() } }
