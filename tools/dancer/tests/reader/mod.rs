//! Reads the parts of a binary glTF file that the tests look at.
#![allow(dead_code)] // Each test file uses its own part.

use std::sync::OnceLock;

use glam::Vec3;
use serde_json::Value;

/// The file, made anew once for all tests.
pub(crate) fn bytes() -> &'static [u8] {
    static MADE: OnceLock<Vec<u8>> = OnceLock::new();
    MADE.get_or_init(dancer::character)
}

/// The file in the repository.
pub(crate) fn committed() -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/dancer.glb")).expect("assets/dancer.glb")
}

pub(crate) struct Glb {
    pub(crate) document: Value,
    binary: Vec<u8>,
}

pub(crate) struct Vertex {
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) joints: [usize; 4],
    pub(crate) weights: [f32; 4],
}

impl Glb {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let document = serde_json::from_slice(&bytes[20..20 + text]).expect("JSON chunk");
        Self { document, binary: bytes[28 + text..].to_vec() }
    }

    /// Elements of an accessor, as floats.
    pub(crate) fn values(&self, accessor: usize) -> Vec<Vec<f32>> {
        let accessor = &self.document["accessors"][accessor];
        let view = &self.document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let size = match accessor["componentType"].as_u64().unwrap() {
            5126 => 4,
            5123 => 2,
            _ => 1,
        };
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        let count = accessor["count"].as_u64().unwrap() as usize;
        let read = |at: usize| match size {
            4 => f32::from_le_bytes(self.binary[at..at + 4].try_into().unwrap()),
            2 => f32::from(u16::from_le_bytes(self.binary[at..at + 2].try_into().unwrap())),
            _ => f32::from(self.binary[at]),
        };
        let element = |i: usize| (0..width).map(|c| read(start + (i * width + c) * size)).collect();
        (0..count).map(element).collect()
    }

    fn primitives(&self) -> &Vec<Value> {
        self.document["meshes"][0]["primitives"].as_array().unwrap()
    }

    /// Vertices of all primitives, one primitive after the other.
    pub(crate) fn vertices(&self) -> Vec<Vertex> {
        let of = |p: &Value, name: &str| self.values(p["attributes"][name].as_u64().unwrap() as usize);
        let mut all = Vec::new();
        for p in self.primitives() {
            let (points, normals) = (of(p, "POSITION"), of(p, "NORMAL"));
            let (joints, weights) = (of(p, "JOINTS_0"), of(p, "WEIGHTS_0"));
            all.extend((0..points.len()).map(|i| Vertex {
                point: Vec3::from_slice(&points[i]),
                normal: Vec3::from_slice(&normals[i]),
                joints: std::array::from_fn(|k| joints[i][k] as usize),
                weights: std::array::from_fn(|k| weights[i][k]),
            }));
        }
        all
    }

    /// Triangles of all primitives, as indices into `vertices`.
    pub(crate) fn triangles(&self) -> Vec<[usize; 3]> {
        let (mut all, mut base) = (Vec::new(), 0);
        for p in self.primitives() {
            let indices = self.values(p["indices"].as_u64().unwrap() as usize);
            all.extend(indices.chunks(3).map(|t| std::array::from_fn(|i| base + t[i][0] as usize)));
            base += self.values(p["attributes"]["POSITION"].as_u64().unwrap() as usize).len();
        }
        all
    }
}
