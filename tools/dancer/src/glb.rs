//! Writes the character as binary glTF 2.0: skeleton, one skin, one mesh with a primitive for each material, a mesh for each
//! garment, clips.

use bytemuck::{Pod, cast_slice};
use glam::{Mat4, Quat, Vec3};
use serde_json::{Value, json};

use crate::garments::Garment;
use crate::mesh::area_normal;
use crate::skeleton::JOINTS;
use crate::weights::Influences;
use crate::zones::Material;

/// Everything the file holds.
pub struct Character<'a> {
    /// Vertices [m].
    pub points: &'a [Vec3],
    /// Unit normals, one a vertex.
    pub normals: &'a [Vec3],
    /// Joints that move each vertex.
    pub influences: &'a [Influences],
    /// Triangles of each material.
    pub parts: &'a [(Material, Vec<[u32; 3]>)],
    /// Clothes.
    pub garments: &'a [Garment],
    /// Clips.
    pub clips: &'a [Clip],
}

/// A motion, sampled at even steps.
pub struct Clip {
    /// Name in the file.
    pub name: &'static str,
    /// Time between two keys [s].
    pub step: f32,
    /// Translation of the hips [m], one a key.
    pub hips: Vec<Vec3>,
    /// Local rotations, shape [joint][key].
    pub turns: Vec<Vec<Quat>>,
}

const FLOAT: u32 = 5126;
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;

/// The binary chunk and the views and accessors into it.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Writer {
    /// Appends elements of `kind` as an accessor and returns its index.
    fn add<T: Pod>(&mut self, elements: &[T], component: u32, kind: &str) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(cast_slice(elements));
        self.views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset }));
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let count = elements.len();
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "count": count, "type": kind
        }));
        self.accessors.len() - 1
    }

    /// The same with the smallest and largest value in each component, which positions and times must state.
    fn add_bounded<const N: usize>(&mut self, elements: &[[f32; N]], kind: &str) -> usize
    where
        [f32; N]: Pod,
    {
        let index = self.add(elements, FLOAT, kind);
        let bound = |pick: fn(f32, f32) -> f32, from: f32| {
            (0..N).map(|c| elements.iter().fold(from, |best, e| pick(best, e[c]))).collect::<Vec<f32>>()
        };
        self.accessors[index]["min"] = json!(bound(f32::min, f32::MAX));
        self.accessors[index]["max"] = json!(bound(f32::max, f32::MIN));
        index
    }

    fn primitive(&mut self, character: &Character, material: usize) -> Value {
        let mut place = vec![u16::MAX; character.points.len()];
        let mut used = Vec::new();
        let mut indices: Vec<u16> = Vec::new();
        for v in character.parts[material].1.iter().flatten() {
            let to = &mut place[*v as usize];
            if *to == u16::MAX {
                *to = used.len() as u16;
                used.push(*v as usize);
            }
            indices.push(*to);
        }
        let of = |values: &[Vec3]| used.iter().map(|v| values[*v].to_array()).collect::<Vec<_>>();
        let influences = || used.iter().map(|v| character.influences[*v]);
        let position = self.add_bounded(&of(character.points), "VEC3");
        let normal = self.add(&of(character.normals), FLOAT, "VEC3");
        let joints = self.add(&influences().map(|i| i.map(|i| i.0)).collect::<Vec<_>>(), UNSIGNED_BYTE, "VEC4");
        let weights = self.add(&influences().map(|i| i.map(|i| i.1)).collect::<Vec<_>>(), FLOAT, "VEC4");
        let indices = self.add(&indices, UNSIGNED_SHORT, "SCALAR");
        json!({
            "attributes": { "POSITION": position, "NORMAL": normal, "JOINTS_0": joints, "WEIGHTS_0": weights },
            "indices": indices, "material": material
        })
    }

    /// A garment's mesh; vertices that are fastened to the body are red.
    fn garment(&mut self, garment: &Garment, material: usize) -> Value {
        let mesh = &garment.woven.mesh;
        let mut normals = vec![Vec3::ZERO; mesh.points.len()];
        for triangle in &mesh.triangles {
            let normal = area_normal(mesh.corners(*triangle));
            triangle.iter().for_each(|v| normals[*v as usize] += normal);
        }
        let normals: Vec<[f32; 3]> = normals.iter().map(|n| n.normalize_or(Vec3::Y).to_array()).collect();
        let points: Vec<[f32; 3]> = mesh.points.iter().map(|p| p.to_array()).collect();
        let position = self.add_bounded(&points, "VEC3");
        let normal = self.add(&normals, FLOAT, "VEC3");
        let joints: Vec<[u8; 4]> = garment.influences.iter().map(|i| i.map(|i| i.0)).collect();
        let joints = self.add(&joints, UNSIGNED_BYTE, "VEC4");
        let weights: Vec<[f32; 4]> = garment.influences.iter().map(|i| i.map(|i| i.1)).collect();
        let weights = self.add(&weights, FLOAT, "VEC4");
        let colors: Vec<[u8; 4]> =
            garment.held.iter().map(|held| if *held { [255, 0, 0, 255] } else { [255; 4] }).collect();
        let color = self.add(&colors, UNSIGNED_BYTE, "VEC4");
        self.accessors[color]["normalized"] = json!(true);
        let indices: Vec<u16> = mesh.triangles.iter().flatten().map(|v| *v as u16).collect();
        let indices = self.add(&indices, UNSIGNED_SHORT, "SCALAR");
        json!({ "name": garment.name, "primitives": [{
            "attributes": {
                "POSITION": position, "NORMAL": normal, "JOINTS_0": joints, "WEIGHTS_0": weights, "COLOR_0": color
            },
            "indices": indices, "material": material
        }]})
    }

    fn animation(&mut self, clip: &Clip) -> Value {
        let times: Vec<[f32; 1]> = (0..clip.hips.len()).map(|i| [i as f32 * clip.step]).collect();
        let times = self.add_bounded(&times, "SCALAR");
        let hips: Vec<[f32; 3]> = clip.hips.iter().map(|p| p.to_array()).collect();
        let mut samplers = vec![json!({ "input": times, "output": self.add(&hips, FLOAT, "VEC3") })];
        let mut channels = vec![json!({ "sampler": 0, "target": { "node": 0, "path": "translation" } })];
        for (joint, turns) in clip.turns.iter().enumerate() {
            let turns: Vec<[f32; 4]> = turns.iter().map(|q| q.to_array()).collect();
            channels.push(json!({ "sampler": samplers.len(), "target": { "node": joint, "path": "rotation" } }));
            samplers.push(json!({ "input": times, "output": self.add(&turns, FLOAT, "VEC4") }));
        }
        json!({ "name": clip.name, "samplers": samplers, "channels": channels })
    }
}

/// Linear value of an 8-bit sRGB color.
fn linear(srgb: u8) -> f64 {
    let c = f64::from(srgb) / 255.0;
    let linear = if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    (linear * 1e5).round() / 1e5
}

fn material(material: &Material) -> Value {
    let [r, g, b] = material.color.map(linear);
    let mut value = json!({ "name": material.name, "pbrMetallicRoughness": {
        "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0,
        "roughnessFactor": f64::from(material.roughness) / 100.0
    }});
    if material.double_sided {
        value["doubleSided"] = json!(true);
    }
    value
}

/// Joint nodes first, each at the index of its joint, then the nodes that show the body and its garments.
fn nodes(garments: &[Garment]) -> Vec<Value> {
    let node = |(i, row): (usize, &crate::skeleton::JointRow)| {
        let parent = row.parent.index();
        let offset = if parent == i { row.rest } else { row.rest - JOINTS[parent].rest };
        let is_child = |c: &usize| *c != i && JOINTS[*c].parent.index() == i;
        let children: Vec<usize> = (0..JOINTS.len()).filter(is_child).collect();
        let mut node = json!({ "name": row.name, "translation": offset.to_array() });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        node
    };
    let mut nodes: Vec<Value> = JOINTS.iter().enumerate().map(node).collect();
    nodes.push(json!({ "name": "dancer", "mesh": 0, "skin": 0 }));
    nodes.extend(garments.iter().zip(1..).map(|(g, mesh)| json!({ "name": g.name, "mesh": mesh, "skin": 0 })));
    nodes
}

/// The file's bytes.
pub fn write(character: &Character) -> Vec<u8> {
    let mut writer = Writer::default();
    let primitives: Vec<Value> = (0..character.parts.len()).map(|m| writer.primitive(character, m)).collect();
    let mut meshes = vec![json!({ "name": "dancer", "primitives": primitives })];
    meshes.extend(
        character.garments.iter().zip(character.parts.len()..).map(|(g, material)| writer.garment(g, material)),
    );
    let materials = character.parts.iter().map(|(m, _)| m).chain(character.garments.iter().map(|g| &g.material));
    let mut roots: Vec<usize> = (JOINTS.len()..JOINTS.len() + meshes.len()).collect();
    roots.push(0);
    let binds: Vec<[f32; 16]> = JOINTS.iter().map(|j| Mat4::from_translation(-j.rest).to_cols_array()).collect();
    let binds = writer.add(&binds, FLOAT, "MAT4");
    let animations: Vec<Value> = character.clips.iter().map(|clip| writer.animation(clip)).collect();
    let document = json!({
        "asset": {
            "version": "2.0", "generator": "dancer, a tool of Sinew",
            "copyright": "CC0 1.0: dedicated to the public domain by the Sinew authors"
        },
        "scene": 0,
        "scenes": [{ "nodes": roots }],
        "nodes": nodes(character.garments),
        "meshes": meshes,
        "skins": [{ "skeleton": 0, "joints": (0..JOINTS.len()).collect::<Vec<_>>(), "inverseBindMatrices": binds }],
        "materials": materials.map(material).collect::<Vec<_>>(),
        "animations": animations,
        "accessors": writer.accessors,
        "bufferViews": writer.views,
        "buffers": [{ "byteLength": writer.bytes.len() }],
    });
    container(document.to_string().into_bytes(), writer.bytes)
}

/// Header and two chunks, both padded to four bytes.
fn container(mut text: Vec<u8>, bytes: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = (12 + 8 + text.len() + 8 + bytes.len()) as u32;
    let mut file = Vec::with_capacity(length as usize);
    for word in [u32::from_le_bytes(*b"glTF"), 2, length, text.len() as u32, u32::from_le_bytes(*b"JSON")] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    file.extend_from_slice(&text);
    for word in [bytes.len() as u32, u32::from_le_bytes(*b"BIN\0")] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    file.extend_from_slice(&bytes);
    file
}
