//! A model: loaded, and a ragdoll made of it, or one sentence.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sinew::import::{Fault, from_bytes};
use sinew::ragdoll::{RagdollSettings, build};

fuzz_target!(|bytes: &[u8]| {
    match from_bytes(Path::new("bad.glb"), bytes, None) {
        Ok(asset) => {
            assert!(asset.model.primitives.iter().all(|p| p.positions.iter().all(|v| v.is_finite())));
            if let Ok(plan) = build(&asset, &RagdollSettings::default()) {
                assert!(plan.bodies.iter().all(|b| b.desc.mass.is_finite() && b.desc.position.is_finite()));
            }
        }
        Err(error) => {
            assert_ne!(error.fault, Fault::Defect, "panicked inside: {error}");
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
});
