//! Broken and hostile files: one clear sentence, never a panic, a hang or a flood of memory.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::gltf_maker::{Bar, F32, Maker, U16};
use serde_json::{Value, json};
use sinew::import::{Fault, ImportError, from_bytes, load};
use sinew::ragdoll::{RagdollError, RagdollPlan, RagdollSettings, build};

const BAR: Bar = Bar { length: 2.0, width: 0.3, rings: 5, joints: 3 };

fn error(bytes: &[u8]) -> String {
    from_bytes(Path::new("bad.glb"), bytes, None).unwrap_err().to_string()
}

/// The error of the bar after a change to its JSON.
fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut maker = BAR.skinned();
    change(&mut maker.json);
    error(&maker.glb())
}

fn says(text: &str, parts: &[&str]) {
    for part in parts.iter().chain(&["bad.glb"]) {
        assert!(text.contains(part), "`{text}` lacks `{part}`");
    }
    assert!(!text.contains('\n'));
}

#[test]
fn what_is_not_a_gltf_is_named() {
    says(&error(b""), &["not a glTF", "empty"]);
    says(&error(b"PK\x03\x04 a zip"), &["not a glTF"]);
    says(&error(b"{\"hello\": 1}"), &["not a glTF", "asset"]);
    says(&error(b"{\"asset\": {\"version\": \"1.0\"}}"), &["not a glTF", "`1.0`"]);
    says(&error(b"{\"asset\": {\"version\": \"2.0\"}}"), &["no mesh"]);
    let missing = load(Path::new("/nowhere/at all.glb")).unwrap_err().to_string();
    assert!(missing.contains("/nowhere/at all.glb") && missing.contains("no such file"), "{missing}");
    assert!(load(Path::new("/")).is_err());
}

#[test]
fn other_kinds_of_models_come_with_a_converter() {
    for (name, parts) in [
        ("some/Knight.FBX", ["FBX files are not read", "FBX2glTF"]),
        ("knight.usdz", ["USD files", "Blender"]),
        ("knight.obj", ["Wavefront OBJ files", "obj2gltf"]),
        ("knight.dae", ["COLLADA files", "assimp export"]),
        ("knight.blend", ["Blender files", "export_scene.gltf"]),
        ("knight.abc", ["Alembic files", "Blender"]),
    ] {
        assert!(sinew::import::is_model_file(Path::new(name)), "{name}");
        let text = load(Path::new(name)).unwrap_err().to_string();
        assert!(text.starts_with(name) && parts.iter().all(|part| text.contains(part)), "{text}");
    }
    says(&error(b"Kaydara FBX Binary  \0\x1a\0 and more"), &["FBX files", ".glb"]);
    says(&error(b"#usda 1.0\n"), &["USD files"]);
    assert!(!sinew::import::is_model_file(Path::new("dancer")) && !sinew::import::is_model_file(Path::new("a.ron")));
    // Any ending that is read, in any case.
    let vrm = std::env::temp_dir().join(format!("sinew-{}.VRM", std::process::id()));
    std::fs::write(&vrm, BAR.skinned().glb()).unwrap();
    assert!(sinew::import::is_model_file(&vrm) && load(&vrm).is_ok());
    std::fs::remove_file(vrm).unwrap();
}

#[test]
fn wrong_indices_and_numbers_are_named() {
    says(&changed(|j| j["nodes"][3]["children"] = json!([1])), &["node 1", "tree"]);
    says(&changed(|j| j["nodes"][3]["children"] = json!([2])), &["node 2", "tree"]);
    says(&changed(|j| j["nodes"][1]["children"] = json!([99])), &["node 1", "99"]);
    says(&changed(|j| j["skins"][0]["joints"] = json!([1, 2, 77])), &["skin 0", "77"]);
    says(&changed(|j| j["skins"][0]["joints"] = json!([1])), &["joint 1 does not exist"]);
    says(&changed(|j| j["accessors"][0]["count"] = json!(4000)), &["accessor 0", "cut off"]);
    says(&changed(|j| j["accessors"][0]["count"] = json!(u64::MAX)), &["too large"]);
    says(&changed(|j| j["accessors"][1]["componentType"] = json!(5126)), &["accessor 1"]);
    says(&changed(|j| j["accessors"][0]["componentType"] = json!(7)), &["accessor 0", "component type 7"]);
    says(&changed(|j| j["bufferViews"][0]["byteOffset"] = json!(u64::MAX)), &["buffer view 0"]);
    says(&changed(|j| j["bufferViews"][0]["byteStride"] = json!(2)), &["stride"]);
    says(&changed(|j| j["meshes"][0]["primitives"][0]["material"] = json!(5)), &["material 5"]);
    says(&changed(|j| j["meshes"][0]["primitives"][0]["mode"] = json!(9)), &["mode 9"]);
    says(&changed(|j| j["nodes"][2]["translation"] = json!([1.0e39, 0.0, 0.0])), &["node 2", "finite"]);
    says(&changed(|j| j["scene"] = json!(4)), &["scene 4"]);
    says(&changed(|j| j["scenes"][0]["nodes"] = json!([])), &["no mesh"]);
}

#[test]
fn vertices_past_the_end_and_nan_are_named() {
    let mut maker = BAR.skinned();
    let far = maker.accessor(U16, "SCALAR", false, &[0.0, 1.0, 400.0]);
    maker.json["meshes"][0]["primitives"][0]["indices"] = json!(far);
    says(&error(&maker.glb()), &["mesh 0", "vertex 400", "20"]);
    let mut maker = BAR.skinned();
    let nan = maker.accessor(F32, "VEC3", false, &[f64::NAN; 60]);
    maker.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(nan);
    says(&error(&maker.glb()), &[&format!("accessor {nan}"), "not finite"]);
}

#[test]
fn extensions_that_hide_the_geometry_come_with_advice() {
    for (name, advice) in [("EXT_texture_avif", "as PNG, JPEG, WebP or KTX2"), ("ACME_secret", "without it")] {
        says(&changed(|j| j["extensionsRequired"] = json!([name])), &[name, advice]);
    }
}

#[test]
fn a_deep_chain_and_a_flood_of_zeros_are_refused() {
    let mut maker = Maker::new();
    for node in 0..2000 {
        maker.node(json!({"children": [node + 1]}));
    }
    maker.node(json!({}));
    says(&error(&maker.glb()), &["chain of nodes", "too large"]);
    let flood = changed(|j| {
        j["accessors"][0] = json!({"componentType": 5126, "type": "VEC3", "count": 4_000_000_000_u64});
    });
    says(&flood, &["too large"]);
}

#[test]
fn indices_past_32_bits_and_broken_sparse_parts_are_named() {
    says(&changed(|j| j["nodes"][0]["mesh"] = json!(1_u64 << 32)), &["node 0", "mesh"]);
    says(&changed(|j| j["bufferViews"][0]["byteStride"] = json!(u64::MAX)), &["accessor 0", "cut off"]);
    says(&changed(|j| j["bufferViews"][0]["byteLength"] = json!(0)), &["accessor 0", "cut off"]);
    says(&changed(|j| j["skins"][0]["joints"] = json!([])), &["skin 0", "no joints"]);
    says(&changed(|j| drop(j["accessors"][0].as_object_mut().unwrap().remove("count"))), &["accessors[0]", "count"]);
    let sparse = |places: &[u8], kind: u32| {
        let mut maker = BAR.skinned();
        let (places, values) = (maker.view(places), maker.view(&[0; 24]));
        maker.json["accessors"][0]["sparse"] = json!({
            "count": 2, "indices": {"bufferView": places, "componentType": kind}, "values": {"bufferView": values},
        });
        error(&maker.glb())
    };
    says(&sparse(&[3, 200], 5121), &["accessor 0", "sparse element 200"]);
    says(&sparse(&[3, 2], 5121), &["accessor 0", "do not rise"]);
    says(&sparse(&[3], 5121), &["accessor 0", "cut off"]);
    says(&sparse(&[3, 4, 0, 0, 0, 0, 0, 0], 5126), &["accessor 0", "component type 5126"]);
}

#[test]
fn long_names_and_line_breaks_stay_out_of_messages() {
    let maker = BAR.skinned();
    let text = error(&maker.gltf(&format!("../{}", "long".repeat(9000))));
    says(&text, &["buffer 0 (../long", "not a file inside"]);
    assert!(text.len() < 300);
    says(&changed(|j| j["extensionsRequired"] = json!(["A\nB"])), &["A B", "export without it"]);
}

#[test]
fn what_the_format_lets_files_leave_out_is_left_out() {
    let mut maker = BAR.skinned();
    maker.json["scenes"] = json!([maker.json["scenes"][0], {"name": "empty"}]);
    maker.json["textures"] = json!([{}]);
    maker.json["materials"] = json!([{"normalTexture": {"index": 0}}]);
    let asset = from_bytes(Path::new("good.glb"), &maker.glb(), None).unwrap();
    assert!(asset.warnings[0].contains("without a readable picture"), "{:?}", asset.warnings);
}

/// Does what must not take long. A busy machine may stop a thread for as long as that; it does not do so three times.
fn soon<T>(what: &str, act: impl Fn() -> T) -> T {
    const PATIENCE: Duration = Duration::from_secs(2);
    let mut tries = (0..3).map(|_| (Instant::now(), act()));
    let in_time = tries.find_map(|(begin, done)| (begin.elapsed() < PATIENCE).then_some(done));
    in_time.unwrap_or_else(|| panic!("{what} took {PATIENCE:?}"))
}

#[test]
fn a_huge_picture_and_a_flood_of_values_are_not_unpacked() {
    // The head of a picture of 60 000 x 60 000 pixels, and no pixels.
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x08\x06\0\0\0\x80\xd2\x75\x42".to_vec();
    png.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e\0\0\0\0IEND\xae\x42\x60\x82");
    let mut maker = BAR.skinned();
    let view = maker.view(&png);
    maker.json["images"] = json!([{"bufferView": view}]);
    maker.json["textures"] = json!([{"source": 0}]);
    maker.json["materials"] = json!([{"emissiveTexture": {"index": 0}}]);
    let glb = maker.glb();
    let asset = soon("the picture", || from_bytes(Path::new("good.glb"), &glb, None)).unwrap();
    assert!(asset.warnings[0].contains("image 0 is not drawn: Image size exceeds limit"), "{:?}", asset.warnings);
    let flood = [b"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[".as_slice(), &b"{},".repeat(3 << 20), b"{}]}"].concat();
    says(&soon("the flood", || error(&flood)), &["all values in the JSON", "too large"]);
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let whole = BAR.skinned().glb();
    for end in 0..whole.len() {
        error(&whole[..end]);
    }
    let text = BAR.skinned().gltf(&BAR.skinned().data_uri());
    for end in 0..text.len() {
        error(&text[..end]);
    }
}

/// Marsaglia's xorshift.
fn random(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as usize
}

/// Spoils `bytes`: any of them, digits of the JSON only, or the binary part only.
fn spoil(bytes: &mut Vec<u8>, binary: usize, kind: usize, state: &mut u64) {
    for _ in 0..1 + random(state) % 5 {
        let at = random(state) % bytes.len();
        match kind {
            0 => match random(state) % 4 {
                0 => bytes[at] = random(state) as u8,
                1 => bytes[at] ^= 1 << (random(state) % 8),
                2 => bytes[at] = b"0123456789,[]{}\"-e"[random(state) % 18],
                _ => drop(bytes.remove(at)),
            },
            1 => {
                let digits = |b: &u8| b.is_ascii_digit();
                let place = bytes[at..].iter().position(digits).map_or(at, |d| at + d);
                if bytes[place].is_ascii_digit() {
                    bytes[place] = b"0123456789"[random(state) % 10];
                }
            }
            _ => {
                let at = binary + random(state) % (bytes.len() - binary);
                bytes[at] = [random(state) as u8, 0x7F, 0xFF, 0x80][random(state) % 4];
            }
        }
    }
}

#[test]
fn mutated_files_end_in_a_model_or_a_sentence() {
    let maker = BAR.skinned();
    let (glb, text) = (maker.glb(), maker.gltf(&maker.data_uri()));
    let binary = glb.len() - maker.binary.len();
    let mut state = 0x5EED_CAFE_u64;
    let (mut loaded, mut refused) = (0, 0);
    for round in 0..40_000 {
        let mut bytes = if round % 8 == 0 { text.clone() } else { glb.clone() };
        spoil(&mut bytes, binary, if round % 8 == 0 { 0 } else { round % 3 }, &mut state);
        match soon(&format!("round {round}"), || from_bytes(Path::new("bad.glb"), &bytes, None)) {
            Ok(asset) => {
                loaded += 1;
                assert!(asset.model.primitives.iter().all(|p| p.positions.iter().all(|v| v.is_finite())));
                // Building takes longer than loading, so only some are tried.
                if loaded % BUILT == 0 {
                    let built = || build(&asset, &RagdollSettings::default());
                    ended_well(soon(&format!("round {round}"), built));
                }
            }
            Err(ImportError { fault, .. }) => {
                refused += 1;
                assert_ne!(fault, Fault::Defect, "round {round} panicked inside");
            }
        }
    }
    assert!(loaded > 10_000 && refused > 10_000, "{loaded} loaded, {refused} refused");
}

/// Every how many loaded files a ragdoll is built.
const BUILT: usize = 200;

/// A plan has finite bodies, or building said why not.
fn ended_well(plan: Result<RagdollPlan, RagdollError>) {
    match plan {
        Ok(plan) => assert!(plan.bodies.iter().all(|b| b.desc.mass.is_finite() && b.desc.position.is_finite())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
