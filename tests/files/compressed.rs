//! Compressed meshes and pictures, made by the encoders of others (`tools/compressed`): what they become, and what becomes of
//! broken ones.

use std::path::{Path, PathBuf};

use crate::gltf_maker::{Bar, F32};
use glam::Vec3;
use serde_json::{Value, json};
use sinew::import::{Asset, from_bytes, load, read_image};
use sinew::ragdoll::{RagdollPlan, RagdollSettings, build};
use sinew::scene::{Image, Primitive};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

fn dancer(name: &str) -> Asset {
    load(&file(&format!("dancer-{name}.glb"))).unwrap_or_else(|e| panic!("{e}"))
}

/// The picture of `tools/compressed`: stripes, a slope, and a hole of half opacity.
fn painting() -> Image {
    let side = 64_i32;
    let pixel = |i: i32| {
        let (x, y) = (i % side, i / side);
        let stripe = ((x + 2 * y) % 32 - 16).abs();
        let ring = (x - 40).pow(2) + (y - 24).pow(2) < 196;
        [60 + 9 * stripe, 40 + 7 * stripe + y, 90 + 5 * stripe, if ring { 128 } else { 255 }].map(|v| v as u8)
    };
    Image { width: 64, height: 64, rgba: (0..side * side).flat_map(pixel).collect() }
}

/// Peak signal to noise [dB] over all four channels.
fn likeness(image: &Image) -> f64 {
    let exact = painting();
    assert_eq!((image.width, image.height), (exact.width, exact.height));
    let square = |(a, b): (&u8, &u8)| (f64::from(*a) - f64::from(*b)).powi(2);
    let error = image.rgba.iter().zip(&exact.rgba).map(square).sum::<f64>() / exact.rgba.len() as f64;
    10.0 * (255.0_f64.powi(2) / error).log10()
}

#[test]
fn pictures_are_like_their_source() {
    for (name, least) in [
        ("paint-lossless.webp", f64::INFINITY),
        ("paint.webp", 30.0),
        ("paint-uastc.ktx2", 40.0),
        ("paint-uastc-zstd.ktx2", 40.0),
        ("paint-etc1s.ktx2", 30.0),
    ] {
        let like = likeness(&read_image(&file(name)).unwrap());
        println!("{name}: {like:.1} dB");
        assert!(like >= least, "{name}: {like} dB");
    }
}

/// A KTX2 file of plain pixels.
fn ktx2(format: u32, scheme: u32, size: [u32; 2], level: &[u8]) -> Vec<u8> {
    let mut bytes = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
    for word in [format, 1, size[0], size[1], 0, 0, 1, 1, scheme, 0, 0, 0, 0, 0, 0, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    for long in [104_u64, level.len() as u64, level.len() as u64] {
        bytes.extend(long.to_le_bytes());
    }
    bytes.extend(level);
    bytes
}

/// What an image of these bytes gives: the picture, or the warning.
fn picture(bytes: &[u8]) -> Result<Image, String> {
    let mut maker = BAR.skinned();
    let view = maker.view(bytes);
    maker.json["images"] = json!([{"bufferView": view, "mimeType": "image/ktx2"}]);
    maker.json["textures"] = json!([{"extensions": {"KHR_texture_basisu": {"source": 0}}}]);
    maker.json["materials"] = json!([{"emissiveTexture": {"index": 0}}]);
    maker.json["extensionsRequired"] = json!(["KHR_texture_basisu"]);
    let mut asset = from_bytes(Path::new("picture.glb"), &maker.glb(), None).unwrap();
    match asset.model.images.pop() {
        Some(image) => Ok(image),
        None => Err(asset.warnings.remove(0)),
    }
}

const BAR: Bar = Bar { length: 2.0, width: 0.3, rings: 5, joints: 3 };

#[test]
fn plain_ktx2_is_read_or_told_why_not() {
    let rgba = painting().rgba;
    let with = |format, scheme, level: &[u8]| picture(&ktx2(format, scheme, [64, 64], level));
    assert_eq!(with(43, 0, &rgba).unwrap().rgba, rgba);
    let bgr: Vec<u8> = rgba.chunks(4).flat_map(|p| [p[2], p[1], p[0]]).collect();
    assert_eq!(with(30, 0, &bgr).unwrap().rgba[..4], [rgba[0], rgba[1], rgba[2], 255]);
    // A Zstandard frame of one raw block.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x60, 0, 0x3f];
    frame.extend(&(1 | 16_384_u32 << 3).to_le_bytes()[..3]);
    frame.extend(&rgba);
    assert_eq!(with(37, 2, &frame).unwrap().rgba, rgba);
    for (bytes, said) in [
        (ktx2(145, 0, [64, 64], &rgba), "Vulkan format 145"),
        (ktx2(37, 3, [64, 64], &rgba), "supercompression 3"),
        (ktx2(37, 0, [64, 65], &rgba), "cut off"),
        (ktx2(37, 0, [0, 64], &rgba), "no pixels"),
        (ktx2(37, 2, [8192, 8192], &frame), "cut off"),
        (ktx2(37, 0, [60_000, 60_000], &[]), "too many"),
        (ktx2(37, 0, [64, 64], &rgba)[..100].to_vec(), "cut off"),
        (ktx2(0, 0, [64, 64], &rgba), "blocks cannot be read"),
    ] {
        let text = picture(&bytes).unwrap_err();
        assert!(text.starts_with("image 0 is not drawn: ") && text.contains(said), "{said}: {text}");
    }
    let mut cube = ktx2(37, 0, [64, 64], &rgba);
    cube[36] = 6;
    assert!(picture(&cube).unwrap_err().contains("a cube of pictures"));
}

/// Cuts and spoils pictures; none of them stumbles.
#[test]
fn broken_pictures_end_in_pixels_or_a_sentence() {
    let mut random = crate::gltf_maker::mutator::Random(0x5EED_CAFE);
    let (mut read, mut refused) = (0, 0);
    for name in ["paint-lossless.webp", "paint.webp", "paint-uastc.ktx2", "paint-uastc-zstd.ktx2", "paint-etc1s.ktx2"] {
        let whole = std::fs::read(file(name)).unwrap();
        let mut tried = |bytes: &[u8], what: &str| match picture(bytes) {
            Ok(image) => {
                assert_eq!(image.rgba.len() as u64, 4 * u64::from(image.width) * u64::from(image.height));
                read += 1;
            }
            Err(text) => {
                assert!(!text.contains("decoder fails") && !text.contains('\n'), "{name} {what}: {text}");
                refused += 1;
            }
        };
        for end in 0..whole.len() {
            tried(&whole[..end], &format!("cut at {end}"));
        }
        for round in 0..600 {
            let mut bytes = whole.clone();
            for _ in 0..1 + random.below(4) {
                // The heads are where most can go wrong.
                let within = if random.below(2) == 0 { whole.len().min(200) } else { whole.len() };
                bytes[random.below(within)] = [0, 0xff, random.below(256) as u8][random.below(3)];
            }
            tried(&bytes, &format!("mutant {round}"));
        }
    }
    println!("{read} read, {refused} refused");
    assert!(read > 100 && refused > 1000, "{read} read, {refused} refused");
}

/// What a vertex is: place, normal, texture coordinates, and shares by joint.
fn vertex(asset: &Asset, part: usize, index: usize) -> (Vec3, Vec3, glam::Vec2, Vec<(u32, f32)>) {
    let primitive = &asset.model.primitives[part];
    let shares = asset.weights[part].of(index).to_vec();
    (primitive.positions[index], primitive.normals[index], primitive.uvs[index], shares)
}

/// Whether two vertices are one but for quantization.
fn same_vertex(a: (Vec3, Vec3, glam::Vec2, Vec<(u32, f32)>), b: (Vec3, Vec3, glam::Vec2, Vec<(u32, f32)>)) -> bool {
    let share = |list: &[(u32, f32)], joint| list.iter().find(|s| s.0 == joint).map_or(0.0, |s| s.1);
    let shares = a.3.iter().chain(&b.3).all(|(joint, _)| (share(&a.3, *joint) - share(&b.3, *joint)).abs() < 0.01);
    // 14 bits of 1.8 m, 8 bits of a normal, 12 bits of a picture.
    a.0.distance(b.0) < 1.5e-4 && a.1.angle_between(b.1) < 0.02 && a.2.distance(b.2) < 4.0e-4 && shares
}

fn same_garments(a: &Asset, b: &Asset) {
    let sizes = |asset: &Asset| {
        let size = |p: &Primitive| (p.positions.len(), p.indices.len());
        asset.garments.iter().map(|g| g.model.primitives.iter().map(size).collect()).collect::<Vec<Vec<_>>>()
    };
    assert_eq!(sizes(a), sizes(b));
}

#[test]
fn meshopt_keeps_every_vertex_and_triangle() {
    let (plain, packed) = (dancer("plain"), dancer("meshopt"));
    same_garments(&plain, &packed);
    assert_eq!(plain.model.primitives.len(), packed.model.primitives.len());
    for (part, (a, b)) in plain.model.primitives.iter().zip(&packed.model.primitives).enumerate() {
        assert_eq!(a.positions.len(), b.positions.len());
        for index in 0..a.positions.len() {
            let (x, y) = (vertex(&plain, part, index), vertex(&packed, part, index));
            assert!(same_vertex(x.clone(), y.clone()), "part {part} vertex {index}: {x:?} {y:?}");
        }
        for (x, y) in a.indices.chunks(3).zip(b.indices.chunks(3)) {
            // The encoder may begin at another corner.
            assert!((0..3).any(|turn| (0..3).all(|i| x[i] == y[(i + turn) % 3])), "{x:?} {y:?}");
        }
    }
    let image = &packed.model.images[packed.model.materials[0].base_color_texture.unwrap()];
    assert!(likeness(image) > 30.0);
}

#[test]
fn meshopt_keeps_clips() {
    let whole = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/dancer.glb")).unwrap();
    let packed = dancer("meshopt");
    let walk = whole.clips.iter().find(|c| c.name == "walk").unwrap();
    assert_eq!((packed.clips.len(), packed.clips[0].name.as_str()), (1, "walk"));
    assert_eq!(packed.clips[0].channels.len(), 3);
    for channel in &packed.clips[0].channels {
        let name = &packed.nodes[channel.node].name;
        let same = |c: &&sinew::import::Channel| whole.nodes[c.node].name == *name && c.path == channel.path;
        let exact = walk.channels.iter().find(same).unwrap();
        assert_eq!(channel.times.len(), exact.times.len());
        let near = |a: &[f32], b: &[f32], most: f32| a.iter().zip(b).all(|(a, b)| (a - b).abs() < most);
        assert!(near(&channel.times, &exact.times, 1.0e-3), "{name}");
        // A turn and its negative are one.
        let turned =
            |(a, b): (&[f32], &[f32])| near(a, b, 2.0e-3) || a.iter().zip(b).all(|(a, b)| (a + b).abs() < 2.0e-3);
        let width = exact.values.len() / exact.times.len();
        assert!(channel.values.chunks(width).zip(exact.values.chunks(width)).all(turned), "{name} {:?}", channel.path);
    }
}

#[test]
fn draco_keeps_every_vertex_and_triangle_in_another_order() {
    let (plain, packed) = (dancer("plain"), dancer("draco"));
    assert_eq!(plain.model.primitives.len(), packed.model.primitives.len());
    for (part, (a, b)) in plain.model.primitives.iter().zip(&packed.model.primitives).enumerate() {
        assert_eq!(a.indices.len(), b.indices.len());
        for (from, to) in [(&plain, &packed), (&packed, &plain)] {
            for index in 0..from.model.primitives[part].positions.len() {
                let x = vertex(from, part, index);
                let mut others = 0..to.model.primitives[part].positions.len();
                assert!(others.any(|other| same_vertex(x.clone(), vertex(to, part, other))), "part {part}: {x:?}");
            }
        }
        let middles = |p: &Primitive| {
            let corner = |i: &u32| p.positions[*i as usize];
            p.indices.chunks(3).map(|t| t.iter().map(corner).sum::<Vec3>() / 3.0).collect::<Vec<_>>()
        };
        let there = middles(b);
        assert!(middles(a).iter().all(|m| there.iter().any(|n| m.distance(*n) < 1.5e-4)), "part {part}");
    }
    let image = &packed.model.images[packed.model.materials[0].base_color_texture.unwrap()];
    assert!(likeness(image) > 30.0);
}

#[test]
fn a_compressed_dancer_is_the_same_ragdoll() {
    let plan = |name: &str| build(&dancer(name), &RagdollSettings::default()).unwrap();
    let plain = plan("plain");
    let same = |other: &RagdollPlan| {
        assert_eq!(plain.bodies.len(), other.bodies.len());
        for (a, b) in plain.bodies.iter().zip(&other.bodies) {
            assert_eq!((a.desc.name.as_str(), a.label, a.side), (b.desc.name.as_str(), b.label, b.side));
            let (mass, moved) = (b.desc.mass / a.desc.mass, a.desc.position.distance(b.desc.position));
            println!("{}: mass {mass:.4}, {:.2} mm", a.desc.name, 1.0e3 * moved);
            // Bodies are made of cubes: at a rounding one has a row more or less, or finer ones.
            let cube = 2.0 * a.desc.radius.max(b.desc.radius);
            assert!((mass - 1.0).abs() < 0.03 && moved < cube, "{}", a.desc.name);
        }
        assert!((other.mass() / plain.mass() - 1.0).abs() < 1.0e-3);
        assert_eq!(plain.joints.len(), other.joints.len());
        for (a, b) in plain.joints.iter().zip(&other.joints) {
            assert_eq!((a.parent, a.child, a.kind), (b.parent, b.child, b.kind));
            let (name, moved) = (&plain.bodies[a.child].desc.name, a.pivot.distance(b.pivot));
            println!("joint of {name}: {:.2} mm", 1.0e3 * moved);
            assert!(moved < 2.0 * plain.bodies[a.child].desc.radius, "{name}");
        }
        assert_eq!(plain.garments.len(), other.garments.len());
    };
    same(&plan("meshopt"));
    same(&plan("draco"));
}

/// The error of a compressed dancer after a change to its JSON.
fn changed(name: &str, change: impl FnOnce(&mut Value)) -> String {
    let bytes = std::fs::read(file(&format!("dancer-{name}.glb"))).unwrap();
    let mut source = crate::gltf_maker::mutator::Source::new(&bytes);
    change(&mut source.json);
    from_bytes(Path::new("bad.glb"), &source.glb(), None).unwrap_err().to_string()
}

#[test]
fn what_is_wrong_with_a_compressed_part_is_named() {
    let own = "/bufferViews/1/extensions/EXT_meshopt_compression";
    let meshopt = |key: &str, value: Value| changed("meshopt", |j| j.pointer_mut(own).unwrap()[key] = value);
    for (text, said) in [
        (meshopt("count", json!(7)), "are not the"),
        (meshopt("count", json!(u64::MAX)), "are not the"),
        (meshopt("byteStride", json!(5)), "do not fit its mode"),
        (meshopt("byteStride", json!(0)), "do not fit its mode"),
        (meshopt("mode", json!("MAGIC")), "\"MAGIC\" does not exist"),
        (meshopt("filter", json!("MAGIC")), "\"MAGIC\" does not exist"),
        (meshopt("buffer", json!(77)), "buffer 77 does not exist"),
        (meshopt("byteOffset", json!(u64::MAX)), "cut off"),
        (meshopt("byteLength", json!(20)), "end early"),
        (meshopt("byteLength", Value::Null), "no byteLength"),
    ] {
        assert!(text.starts_with("bad.glb: buffer view 1") && text.contains(said), "{said}: {text}");
    }
    let draco = |pointer: &str, value: Value| {
        let own = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
        changed("draco", |j| *j.pointer_mut(&format!("{own}{pointer}")).unwrap() = value)
    };
    for (text, said) in [
        (draco("/bufferView", json!(777)), "buffer view 777 does not exist"),
        (draco("/bufferView", json!("x")), "names no buffer view"),
        (draco("/bufferView", json!(1)), "cannot be decoded"),
        (draco("/attributes/POSITION", json!(99)), "no POSITION"),
        (draco("/attributes/POSITION", json!(0)), "another type for POSITION"),
    ] {
        assert!(text.starts_with("bad.glb: mesh 0 primitive 0") && text.contains(said), "{said}: {text}");
    }
}

/// Cuts the data of one compressed part at every byte.
#[test]
fn compressed_parts_cut_anywhere_are_errors() {
    let bytes = std::fs::read(file("dancer-draco.glb")).unwrap();
    let mut source = crate::gltf_maker::mutator::Source::new(&bytes);
    // The smallest part, so that every byte can be tried.
    let parts = source.json["meshes"][0]["primitives"].as_array().unwrap().clone();
    let view = |part: &Value| part["extensions"]["KHR_draco_mesh_compression"]["bufferView"].as_u64().unwrap() as usize;
    let length = |json: &Value, view: usize| json["bufferViews"][view]["byteLength"].as_u64().unwrap();
    let view = parts.iter().map(view).min_by_key(|v| length(&source.json, *v)).unwrap();
    let whole = length(&source.json, view);
    for end in 0..whole {
        source.json["bufferViews"][view]["byteLength"] = json!(end);
        let error = from_bytes(Path::new("bad.glb"), &source.glb(), None).unwrap_err().to_string();
        assert!(error.contains("KHR_draco_mesh_compression"), "{end} of {whole}: {error}");
    }
}

/// Small streams that claim to be much.
#[test]
fn a_flood_behind_a_few_bytes_is_refused() {
    let mut maker = BAR.skinned();
    // A stream of nothing but zeros: 1 byte of controls for 1024.
    let view = maker.view(&[0xa1; 40]);
    let place = maker.json["bufferViews"][view].clone();
    let count = 1_u64 << 32;
    maker.json["bufferViews"].as_array_mut().unwrap().push(json!({
        "buffer": 1, "byteLength": 4 * count, "extensions": {"EXT_meshopt_compression": {
            "buffer": 0, "byteOffset": place["byteOffset"], "byteLength": 40, "byteStride": 4, "count": count,
            "mode": "ATTRIBUTES",
        }},
    }));
    maker.json["buffers"] = json!([{"byteLength": maker.binary.len()}, {"byteLength": 4 * count}]);
    let error = from_bytes(Path::new("bad.glb"), &maker.packed(), None).unwrap_err().to_string();
    assert!(error.contains("all that is compressed is too large"), "{error}");
    assert!(maker.accessor(F32, "SCALAR", false, &[0.0]) > 0);
}
