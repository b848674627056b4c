//! Creatures from bones with a tube of skin around each: rigs that nobody has seen, made in code.

use serde_json::{Value, json};

use super::{F32, Maker, U16};

/// A bone: its name, the bone above it, where it begins and ends [m], and how thick it is [m].
#[derive(Clone, Debug)]
pub(crate) struct Bone {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    pub(crate) from: [f64; 3],
    pub(crate) to: [f64; 3],
    /// Radius of its skin; none for a bone that moves nothing.
    pub(crate) thick: Option<f64>,
}

/// A skeleton with skin, Y up, facing +Z, in metres.
#[derive(Clone, Debug, Default)]
pub(crate) struct Creature {
    pub(crate) bones: Vec<Bone>,
    /// Units of the file to the metre.
    pub(crate) units: f64,
    /// Whether mesh and bind space are Z up, under a root node that turns them.
    pub(crate) z_up: bool,
    /// Sets of four influences a vertex; further ones repeat the first with a share of its weight.
    pub(crate) sets: usize,
    /// Whether positions are 16-bit integers, with their decoding in the inverse bind matrices.
    pub(crate) quantized: bool,
    /// Whether triangles of bones at X below 0 face inward, as of a half that was mirrored.
    pub(crate) mirrored: bool,
}

/// Offset and size of the box that quantized positions fill [units of the file to the metre].
const QUANTIZED: (f64, f64) = (-2.0, 4.0);

const SIDES: usize = 8;
const RINGS: usize = 9;

fn add(a: [f64; 3], b: [f64; 3], s: f64) -> [f64; 3] {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = a.iter().map(|v| v * v).sum::<f64>().sqrt();
    a.map(|v| v / length)
}

impl Creature {
    pub(crate) fn new() -> Self {
        Self { bones: Vec::new(), units: 1.0, z_up: false, sets: 1, quantized: false, mirrored: false }
    }

    pub(crate) fn bone(&mut self, name: &str, parent: &str, from: [f64; 3], to: [f64; 3], thick: f64) {
        let parent = self.bones.iter().position(|b| b.name == parent);
        let thick = (thick > 0.0).then_some(thick);
        self.bones.push(Bone { name: name.to_owned(), parent, from, to, thick });
    }

    /// The same bone on both sides: `{}` in the names becomes left and right, and X changes its sign.
    pub(crate) fn pair(&mut self, name: &str, parent: &str, from: [f64; 3], to: [f64; 3], thick: f64) {
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            let mirrored = |p: [f64; 3]| [sign * p[0], p[1], p[2]];
            let (name, parent) = (name.replace("{}", side), parent.replace("{}", side));
            self.bone(&name, &parent, mirrored(from), mirrored(to), thick);
        }
    }

    /// A standing person 1.75 m tall in a T-pose, with the bones of the VRM humanoid under their VRM names.
    pub(crate) fn human() -> Self {
        let mut c = Self::new();
        c.bone("hips", "", [0.0, 0.95, 0.0], [0.0, 1.08, 0.0], 0.15);
        c.bone("spine", "hips", [0.0, 1.08, 0.0], [0.0, 1.22, 0.0], 0.13);
        c.bone("chest", "spine", [0.0, 1.22, 0.0], [0.0, 1.42, 0.0], 0.15);
        c.bone("neck", "chest", [0.0, 1.46, 0.0], [0.0, 1.53, 0.0], 0.06);
        c.bone("head", "neck", [0.0, 1.53, 0.0], [0.0, 1.72, 0.0], 0.10);
        c.pair("{}Shoulder", "chest", [0.04, 1.43, 0.0], [0.13, 1.44, 0.0], 0.05);
        c.pair("{}UpperArm", "{}Shoulder", [0.17, 1.44, 0.0], [0.43, 1.44, 0.0], 0.045);
        c.pair("{}LowerArm", "{}UpperArm", [0.45, 1.44, 0.0], [0.68, 1.44, 0.0], 0.035);
        c.pair("{}Hand", "{}LowerArm", [0.70, 1.44, 0.0], [0.85, 1.44, 0.0], 0.03);
        c.pair("{}IndexProximal", "{}Hand", [0.81, 1.44, 0.02], [0.88, 1.44, 0.02], 0.01);
        c.pair("{}MiddleProximal", "{}Hand", [0.81, 1.44, 0.0], [0.88, 1.44, 0.0], 0.01);
        c.pair("{}LittleProximal", "{}Hand", [0.81, 1.44, -0.02], [0.88, 1.44, -0.02], 0.01);
        c.pair("{}UpperLeg", "hips", [0.09, 0.90, 0.0], [0.09, 0.52, 0.0], 0.075);
        c.pair("{}LowerLeg", "{}UpperLeg", [0.09, 0.49, 0.0], [0.09, 0.12, 0.0], 0.05);
        c.pair("{}Foot", "{}LowerLeg", [0.09, 0.09, -0.03], [0.09, 0.04, 0.13], 0.04);
        c.pair("{}Toes", "{}Foot", [0.09, 0.03, 0.13], [0.09, 0.03, 0.19], 0.03);
        c
    }

    /// A four-legged animal about a metre long, its spine level.
    pub(crate) fn animal() -> Self {
        let mut c = Self::new();
        c.bone("hips", "", [0.0, 0.60, -0.35], [0.0, 0.62, -0.15], 0.12);
        c.bone("spine", "hips", [0.0, 0.62, -0.12], [0.0, 0.63, 0.12], 0.12);
        c.bone("chest", "spine", [0.0, 0.63, 0.15], [0.0, 0.64, 0.35], 0.13);
        c.bone("neck", "chest", [0.0, 0.68, 0.40], [0.0, 0.82, 0.52], 0.07);
        c.bone("head", "neck", [0.0, 0.84, 0.55], [0.0, 0.80, 0.75], 0.08);
        c.bone("tail1", "hips", [0.0, 0.62, -0.42], [0.0, 0.55, -0.60], 0.035);
        c.bone("tail2", "tail1", [0.0, 0.54, -0.62], [0.0, 0.45, -0.80], 0.03);
        c.pair("{}UpperArm", "chest", [0.10, 0.55, 0.33], [0.10, 0.36, 0.28], 0.05);
        c.pair("{}LowerArm", "{}UpperArm", [0.10, 0.34, 0.27], [0.10, 0.13, 0.32], 0.035);
        c.pair("{}Hand", "{}LowerArm", [0.10, 0.10, 0.32], [0.10, 0.03, 0.38], 0.035);
        c.pair("{}UpperLeg", "hips", [0.10, 0.55, -0.36], [0.10, 0.36, -0.28], 0.06);
        c.pair("{}LowerLeg", "{}UpperLeg", [0.10, 0.34, -0.28], [0.10, 0.14, -0.40], 0.035);
        c.pair("{}Foot", "{}LowerLeg", [0.10, 0.11, -0.40], [0.10, 0.03, -0.33], 0.035);
        c
    }

    pub(crate) fn renamed(mut self, name: impl Fn(&str) -> String) -> Self {
        self.bones.iter_mut().for_each(|b| b.name = name(&b.name));
        self
    }

    /// Place in the file: its units and its way up.
    fn placed(&self, p: [f64; 3]) -> [f64; 3] {
        let p = p.map(|v| v * self.units);
        if self.z_up { [p[0], -p[2], p[1]] } else { p }
    }

    /// Positions, indices, and the bone of each vertex.
    fn skin(&self) -> (Vec<f64>, Vec<f64>, Vec<usize>) {
        let (mut positions, mut indices, mut owners) = (Vec::new(), Vec::new(), Vec::new());
        for (index, bone) in self.bones.iter().enumerate() {
            let Some(thick) = bone.thick else { continue };
            let along = unit(add(bone.to, bone.from, -1.0));
            let side = unit(cross(along, if along[1].abs() < 0.9 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] }));
            let other = cross(along, side);
            let first = owners.len();
            for ring in 0..RINGS {
                let share = ring as f64 / (RINGS - 1) as f64;
                let middle = add(bone.from, add(bone.to, bone.from, -1.0), share);
                for corner in 0..SIDES {
                    let angle = std::f64::consts::TAU * corner as f64 / SIDES as f64;
                    let out = add(add(middle, side, thick * angle.cos()), other, thick * angle.sin());
                    positions.extend(self.placed(out));
                    owners.push(index);
                }
            }
            let begun = indices.len();
            let at = |ring: usize, corner: usize| (first + ring * SIDES + corner % SIDES) as f64;
            for corner in 0..SIDES {
                for ring in 0..RINGS - 1 {
                    let (a, b) = (at(ring, corner), at(ring, corner + 1));
                    let (c, d) = (at(ring + 1, corner), at(ring + 1, corner + 1));
                    indices.extend([a, b, d, a, d, c]);
                }
                if corner > 1 {
                    indices.extend([at(0, 0), at(0, corner), at(0, corner - 1)]);
                    let top = RINGS - 1;
                    indices.extend([at(top, 0), at(top, corner - 1), at(top, corner)]);
                }
            }
            if self.mirrored && bone.from[0] < 0.0 {
                indices[begun..].chunks_exact_mut(3).for_each(|t| t.swap(1, 2));
            }
        }
        (positions, indices, owners)
    }

    /// The file: node 0 holds the mesh, the bones follow in order, and under Z-up a last node turns them.
    pub(crate) fn maker(&self) -> Maker {
        let mut maker = Maker::new();
        self.add_to(&mut maker);
        maker
    }

    /// Adds it to a file, with a skin of its own.
    pub(crate) fn add_to(&self, maker: &mut Maker) {
        let length = |list: &Value| list.as_array().map_or(0, Vec::len);
        let (first, skin) = (length(&maker.json["nodes"]) + 1, length(&maker.json["skins"]));
        let (positions, indices, owners) = self.skin();
        let (offset, size) = (QUANTIZED.0 * self.units, QUANTIZED.1 * self.units);
        let mut attributes = serde_json::Map::new();
        let stored = if self.quantized {
            let levels: Vec<f64> = positions.iter().map(|v| ((v - offset) / size * 65_535.0).round()).collect();
            maker.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
            maker.accessor(U16, "VEC3", true, &levels)
        } else {
            maker.accessor(F32, "VEC3", false, &positions)
        };
        attributes.insert("POSITION".into(), json!(stored));
        let bones = self.bones.len();
        for set in 0..self.sets {
            let slots: Vec<f64> = owners.iter().flat_map(|o| [*o, (o + 1) % bones, 0, 0]).map(|j| j as f64).collect();
            let share = 1.0 / self.sets as f64;
            let shares: Vec<f64> = owners.iter().flat_map(|_| [0.9 * share, 0.1 * share, 0.0, 0.0]).collect();
            attributes.insert(format!("JOINTS_{set}"), json!(maker.accessor(U16, "VEC4", false, &slots)));
            attributes.insert(format!("WEIGHTS_{set}"), json!(maker.accessor(F32, "VEC4", false, &shares)));
        }
        let indices = maker.accessor(U16, "SCALAR", false, &indices);
        let mesh = maker.mesh(json!({"attributes": attributes, "indices": indices}));
        maker.node(json!({"mesh": mesh, "skin": skin}));
        let mut binds = Vec::new();
        for (index, bone) in self.bones.iter().enumerate() {
            let start = self.placed(bone.from);
            let above = bone.parent.map_or([0.0; 3], |p| self.placed(self.bones[p].from));
            let children: Vec<usize> =
                (0..bones).filter(|b| self.bones[*b].parent == Some(index)).map(|b| b + first).collect();
            let mut node = json!({"name": bone.name, "translation": add(start, above, -1.0)});
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            maker.node(node);
            let mut bind = super::translation(-start[0], -start[1], -start[2]);
            if self.quantized {
                (bind[0], bind[5], bind[10]) = (size, size, size);
                (12..15).for_each(|i| bind[i] += offset);
            }
            binds.extend(bind);
        }
        let binds = maker.accessor(F32, "MAT4", false, &binds);
        maker.skin(&(first..first + bones).collect::<Vec<_>>(), Some(binds));
        maker.show(first - 1);
        let roots: Vec<usize> = (0..bones).filter(|b| self.bones[*b].parent.is_none()).map(|b| b + first).collect();
        if self.z_up {
            let half = std::f64::consts::FRAC_1_SQRT_2;
            let top = maker.node(json!({"name": "top", "rotation": [-half, 0.0, 0.0, half], "children": roots}));
            maker.show(top);
        } else {
            roots.into_iter().for_each(|r| maker.show(r));
        }
    }
}
