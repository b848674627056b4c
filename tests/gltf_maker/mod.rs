//! Builds small glTF files in memory, so that tests need no files from outside.
#![allow(dead_code, missing_docs, reason = "each test file uses its own part")]

pub(crate) mod creature;
pub(crate) mod mutator;

use serde_json::{Value, json};

/// A glTF under construction.
#[derive(Clone, Default)]
pub(crate) struct Maker {
    pub(crate) json: Value,
    pub(crate) binary: Vec<u8>,
}

/// Component types of accessors.
pub(crate) const U8: u32 = 5121;
pub(crate) const U16: u32 = 5123;
pub(crate) const U32: u32 = 5125;
pub(crate) const F32: u32 = 5126;

impl Maker {
    pub(crate) fn new() -> Self {
        let json = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [], "skins": [],
            "materials": [], "animations": [], "accessors": [], "bufferViews": [], "buffers": [],
        });
        Self { json, binary: Vec::new() }
    }

    fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.binary.len().is_multiple_of(4) {
            self.binary.push(0);
        }
        let offset = self.binary.len();
        self.binary.extend(bytes);
        self.push("bufferViews", json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}))
    }

    /// Numbers stored as `kind`, in elements of type `shape`.
    pub(crate) fn accessor(&mut self, kind: u32, shape: &str, normalized: bool, values: &[f64]) -> usize {
        let mut bytes = Vec::new();
        for v in values {
            match kind {
                U8 => bytes.push(*v as u8),
                U16 => bytes.extend((*v as u16).to_le_bytes()),
                U32 => bytes.extend((*v as u32).to_le_bytes()),
                F32 => bytes.extend((*v as f32).to_le_bytes()),
                _ => panic!("component type {kind}"),
            }
        }
        let width = match shape {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let view = self.view(&bytes);
        let count = values.len() / width;
        let accessor = json!({
            "bufferView": view, "componentType": kind, "count": count, "type": shape, "normalized": normalized,
        });
        self.push("accessors", accessor)
    }

    pub(crate) fn node(&mut self, node: Value) -> usize {
        self.push("nodes", node)
    }

    pub(crate) fn mesh(&mut self, primitive: Value) -> usize {
        self.push("meshes", json!({"primitives": [primitive]}))
    }

    pub(crate) fn skin(&mut self, joints: &[usize], inverse_binds: Option<usize>) -> usize {
        let mut skin = json!({"joints": joints});
        if let Some(accessor) = inverse_binds {
            skin["inverseBindMatrices"] = json!(accessor);
        }
        self.push("skins", skin)
    }

    pub(crate) fn show(&mut self, node: usize) {
        self.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(node));
    }

    /// The file as .glb.
    pub(crate) fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.binary.len()}]);
        Self { json, binary: self.binary.clone() }.packed()
    }

    /// The same with the JSON as it stands, its `buffers` too.
    pub(crate) fn packed(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(&self.json).unwrap();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut binary = self.binary.clone();
        binary.resize(binary.len().next_multiple_of(4), 0);
        let mut out = b"glTF".to_vec();
        let total = 12 + 8 + text.len() + 8 + binary.len();
        for word in [2, total as u32, text.len() as u32, 0x4E4F_534A] {
            out.extend(word.to_le_bytes());
        }
        out.extend(text);
        out.extend((binary.len() as u32).to_le_bytes());
        out.extend(0x004E_4942_u32.to_le_bytes());
        out.extend(binary);
        out
    }

    /// The file as .gltf whose buffer has this uri.
    pub(crate) fn gltf(&self, uri: &str) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.binary.len(), "uri": uri}]);
        serde_json::to_vec(&json).unwrap()
    }

    pub(crate) fn data_uri(&self) -> String {
        const CODE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::from("data:application/octet-stream;base64,");
        for chunk in self.binary.chunks(3) {
            let bits = (0..3).fold(0_u32, |sum, i| sum << 8 | u32::from(*chunk.get(i).unwrap_or(&0)));
            for i in 0..4 {
                let letter = CODE[(bits >> (18 - 6 * i) & 63) as usize] as char;
                text.push(if i <= chunk.len() { letter } else { '=' });
            }
        }
        text
    }
}

/// A column-major matrix that only moves.
pub(crate) fn translation(x: f64, y: f64, z: f64) -> [f64; 16] {
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}

/// A square bar along +Y, with rings of four corners and closed ends.
pub(crate) struct Bar {
    pub(crate) length: f64,
    pub(crate) width: f64,
    pub(crate) rings: usize,
    pub(crate) joints: usize,
}

impl Bar {
    pub(crate) fn positions(&self) -> Vec<f64> {
        let h = 0.5 * self.width;
        let ring = |i: usize| {
            let y = self.length * i as f64 / (self.rings - 1) as f64;
            [[-h, y, -h], [h, y, -h], [h, y, h], [-h, y, h]]
        };
        (0..self.rings).flat_map(ring).flatten().collect()
    }

    pub(crate) fn indices(&self) -> Vec<f64> {
        let mut quads = vec![[0, 1, 2, 3]];
        for ring in 0..self.rings - 1 {
            let a = 4 * ring;
            quads.extend((0..4).map(|i| [a + i, a + 4 + i, a + 4 + (i + 1) % 4, a + (i + 1) % 4]));
        }
        let top = 4 * (self.rings - 1);
        quads.push([top + 3, top + 2, top + 1, top]);
        quads.iter().flat_map(|q| [q[0], q[1], q[2], q[0], q[2], q[3]]).map(|i| i as f64).collect()
    }

    /// Height of the joint `index`.
    pub(crate) fn joint(&self, index: usize) -> f64 {
        self.length * index as f64 / self.joints as f64
    }

    /// Two joints and shares for every vertex: blended over a tenth of the bar at each joint.
    pub(crate) fn weights(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut slots, mut shares) = (Vec::new(), Vec::new());
        for p in self.positions().chunks(3) {
            let at = (p[1] / self.length * self.joints as f64).min(self.joints as f64 - 1.0e-9);
            let bone = at as usize;
            let other = if bone > 0 { bone - 1 } else { bone + usize::from(self.joints > 1) };
            let share = (0.5 + 5.0 * (at - bone as f64)).min(1.0);
            let share = if bone == 0 { 1.0 } else { share };
            slots.extend([bone as f64, other as f64, 0.0, 0.0]);
            shares.extend([share, 1.0 - share, 0.0, 0.0]);
        }
        (slots, shares)
    }

    pub(crate) fn inverse_binds(&self) -> Vec<f64> {
        (0..self.joints).flat_map(|j| translation(0.0, -self.joint(j), 0.0)).collect()
    }

    /// The bar with a chain of joints; the skinned node is 0, the joints follow.
    pub(crate) fn skinned(&self) -> Maker {
        let mut maker = Maker::new();
        let mesh = self.add_mesh(&mut maker, F32);
        maker.node(json!({"mesh": mesh, "skin": 0, "name": "bar"}));
        self.add_chain(&mut maker);
        let binds = maker.accessor(F32, "MAT4", false, &self.inverse_binds());
        maker.skin(&(1..=self.joints).collect::<Vec<_>>(), Some(binds));
        maker.show(0);
        maker.show(1);
        maker
    }

    /// Nodes for the joints, each the child of the one before.
    pub(crate) fn add_chain(&self, maker: &mut Maker) {
        let first = maker.json["nodes"].as_array().unwrap().len();
        for j in 0..self.joints {
            let step = self.length / self.joints as f64;
            let mut node =
                json!({"name": format!("bone{j}"), "translation": [0.0, if j == 0 { 0.0 } else { step }, 0.0]});
            if j + 1 < self.joints {
                node["children"] = json!([first + j + 1]);
            }
            maker.node(node);
        }
    }

    /// The mesh with weights stored as `kind`.
    pub(crate) fn add_mesh(&self, maker: &mut Maker, kind: u32) -> usize {
        let one = match kind {
            U8 => 255.0,
            U16 => 65_535.0,
            _ => 1.0,
        };
        let (slots, shares) = self.weights();
        let shares: Vec<f64> = shares.iter().map(|w| if kind == F32 { *w } else { (w * one).round() }).collect();
        let positions = maker.accessor(F32, "VEC3", false, &self.positions());
        let indices = maker.accessor(U16, "SCALAR", false, &self.indices());
        let slots = maker.accessor(if kind == U8 { U8 } else { U16 }, "VEC4", false, &slots);
        let shares = maker.accessor(kind, "VEC4", kind != F32, &shares);
        let attributes = json!({"POSITION": positions, "JOINTS_0": slots, "WEIGHTS_0": shares});
        maker.mesh(json!({"attributes": attributes, "indices": indices}))
    }
}
