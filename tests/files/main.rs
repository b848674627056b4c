//! Models and scene files, good and bad.

mod compressed;
#[path = "../effort/mod.rs"]
mod effort;
#[path = "../gltf_maker/mod.rs"]
mod gltf_maker;
mod import;
mod import_bad;
mod import_mutants;
mod scene_files;
mod text_mutants;
