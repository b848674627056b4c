//! A scene file: what is built of it is one that a solver takes, or it ends in a sentence.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sinew::scene_file::SceneFile;

fuzz_target!(|text: &str| {
    match SceneFile::parse(Path::new("spoiled.ron"), text.to_owned(), Path::new("")).stage() {
        Ok(stage) => stage.scene.check().expect("what was built is refused"),
        Err(error) => assert!(error.to_string().contains("spoiled.ron"), "{error}"),
    }
});
