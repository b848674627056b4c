//! Changes to the ragdoll of the dancer: what is made with them is finite, or it ends in a sentence.

#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sinew::import::{Asset, from_bytes};
use sinew::ragdoll::{Overrides, RagdollSettings, build_with};

static DANCER: LazyLock<Asset> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../assets/dancer.glb");
    from_bytes(Path::new("dancer.glb"), bytes, None).expect("the dancer")
});

fuzz_target!(|text: &str| {
    let Ok(overrides) = Overrides::parse(Path::new("doll.ron"), text.to_owned()) else { return };
    if let Ok(plan) = build_with(&DANCER, &RagdollSettings::default(), &overrides) {
        assert!(plan.bodies.iter().all(|b| b.desc.mass.is_finite() && b.desc.position.is_finite()));
    }
});
