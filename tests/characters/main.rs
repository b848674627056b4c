//! Characters: their rigs, how they fall, go limp, walk and fight back.

mod animation;
#[path = "../effort/mod.rs"]
mod effort;
mod falls;
#[path = "../gltf_maker/mod.rs"]
mod gltf_maker;
mod late_poses;
mod muscles;
mod ragdoll;
mod rigs;
mod skin;
mod walkers;
mod walking;
