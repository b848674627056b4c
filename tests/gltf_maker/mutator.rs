//! Spoils glTF files, always in the same ways for the same seed.

use serde_json::{Map, Value, json};

use super::Maker;

/// A file taken apart, so that its JSON and its bytes can be spoiled one by one.
pub(crate) struct Source {
    pub(crate) json: Value,
    binary: Vec<u8>,
}

/// Marsaglia's xorshift.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % count.max(1)
    }

    fn of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

impl Source {
    /// Takes a well made .glb apart.
    pub(crate) fn new(glb: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
        let end = 20 + word(12);
        Self {
            json: serde_json::from_slice(&glb[20..end]).unwrap(),
            binary: glb[end + 8..end + 8 + word(end)].to_vec(),
        }
    }

    /// The file as it stands.
    pub(crate) fn glb(&self) -> Vec<u8> {
        glb(self.json.clone(), self.binary.clone())
    }

    /// A spoiled copy.
    pub(crate) fn mutant(&self, random: &mut Random) -> Vec<u8> {
        let (mut json, mut binary) = (self.json.clone(), self.binary.clone());
        let kind = random.below(16);
        for _ in 0..1 + random.below(4) / 3 {
            match kind {
                0..=2 => spoil_numbers(&mut binary, random),
                3 => binary.truncate(random.below(binary.len())),
                4..=12 => spoil_json(&mut json, random),
                _ => {}
            }
        }
        let mut bytes = if random.below(4) == 0 { text(json, &binary) } else { glb(json, binary) };
        match kind {
            13 | 14 => spoil_bytes(&mut bytes, random),
            15 => bytes.truncate(random.below(bytes.len())),
            _ => {}
        }
        bytes
    }
}

fn glb(json: Value, binary: Vec<u8>) -> Vec<u8> {
    Maker { json, binary }.packed()
}

/// As .gltf with the first buffer inside.
fn text(mut json: Value, binary: &[u8]) -> Vec<u8> {
    let uri = Maker { json: Value::Null, binary: binary.to_vec() }.data_uri();
    if let Some(buffer) = json.pointer_mut("/buffers/0").and_then(Value::as_object_mut) {
        buffer.insert("uri".into(), uri.into());
    }
    serde_json::to_vec(&json).unwrap()
}

fn spoil_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(5) {
        // Headers and JSON come first: half of the blows fall there.
        let reach = if random.below(2) == 0 { bytes.len().min(2000) } else { bytes.len() };
        let at = random.below(reach);
        match random.below(4) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = random.of(b"0123456789,[]{}\"-e"),
            _ => drop(bytes.remove(at)),
        }
    }
}

/// Writes NaN, infinity, huge and odd numbers into the data.
fn spoil_numbers(binary: &mut [u8], random: &mut Random) {
    let run = 1 + random.below(40);
    let first = 4 * random.below(binary.len() / 4);
    let word =
        random.of(&[f32::NAN.to_bits(), f32::INFINITY.to_bits(), 1.0e38_f32.to_bits(), 0, u32::MAX, 0x00FF_00FF]);
    binary[first..].chunks_exact_mut(4).take(run).for_each(|b| b.copy_from_slice(&word.to_le_bytes()));
}

/// A value somewhere in the tree, deeper ones more often.
fn anywhere<'v>(mut value: &'v mut Value, random: &mut Random) -> &'v mut Value {
    loop {
        let count = match value {
            Value::Array(list) => list.len(),
            Value::Object(map) => map.len(),
            _ => 0,
        };
        if count == 0 || random.below(8) == 0 {
            return value;
        }
        let at = random.below(count);
        value = match value {
            Value::Array(list) => &mut list[at],
            Value::Object(map) => map.values_mut().nth(at).unwrap(),
            _ => unreachable!(),
        };
    }
}

fn spoil_json(json: &mut Value, random: &mut Random) {
    let other = anywhere(json, random).clone();
    if random.below(4) == 0 {
        return spoil_structure(json, random);
    }
    let value = anywhere(json, random);
    match value {
        Value::Number(_) if random.below(8) > 0 => *value = number(random),
        Value::Array(list) if random.below(4) > 0 => match random.below(5) {
            0 => list.clear(),
            1 => list.reverse(),
            2 => list.extend(list.first().cloned()),
            3 => list.push(other),
            _ => drop(list.pop()),
        },
        Value::Object(map) if random.below(4) > 0 => spoil_object(map, random),
        _ => {
            let number = number(random);
            *value = random.of(&[Value::Null, json!(""), json!([]), json!({}), json!(true), json!("x"), other, number]);
        }
    }
}

fn number(random: &mut Random) -> Value {
    let near = json!(random.below(40));
    let kind = json!(5120 + random.below(7));
    random.of(&[
        near.clone(),
        near,
        json!(-1),
        json!(0),
        json!(255),
        json!(4_000_000_000_u64),
        json!(1_u64 << 32),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(0.5),
        json!(1.0e39),
        json!(-1.0e300),
        json!(1.0e-30),
        kind,
    ])
}

/// Swaps two values, takes one away, or gives one another's name.
fn spoil_object(map: &mut Map<String, Value>, random: &mut Random) {
    let names: Vec<String> = map.keys().cloned().collect();
    if names.is_empty() {
        return;
    }
    let (a, b) = (random.of(&names), random.of(&names));
    let (first, second) = (map[&a].clone(), map[&b].clone());
    match random.below(4) {
        0 => drop(map.remove(&a)),
        1 => drop(map.insert(
            "uri".into(),
            random.of(&[json!("../secret.bin"), json!("/etc/hostname"), json!("data:,%zz"), json!("data:;base64,A*")]),
        )),
        _ => {
            map.insert(a, second);
            map.insert(b, first);
        }
    }
}

/// What only someone who knows the format would break.
fn spoil_structure(json: &mut Value, random: &mut Random) {
    let nodes = json["nodes"].as_array().map_or(0, Vec::len);
    let accessors = json["accessors"].as_array().map_or(0, Vec::len);
    let views = json["bufferViews"].as_array().map_or(0, Vec::len);
    let (node, accessor, view) = (random.below(nodes), random.below(accessors), random.below(views));
    let sparse = json!({
        "count": random.of(&[0_u64, 1, 3, 4_000_000_000]),
        "indices": {"bufferView": random.below(views + 1), "componentType": random.of(&[5121, 5123, 5125, 5126])},
        "values": {"bufferView": random.below(views + 1), "byteOffset": random.below(9)},
    });
    let png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA6mAAAOpgCAYAAAAn/kEq";
    let (list, index, name, value) = match random.below(14) {
        0 => ("nodes", node, "children", json!([random.below(nodes)])),
        1 => ("nodes", node, "children", json!([node])),
        2 => ("nodes", node, "matrix", json!([[0.0; 16], [1.0e38; 16], [1.0e-30; 16]][random.below(3)])),
        3 => ("nodes", node, "scale", json!([[0.0, 0.0, 0.0], [1.0e20, 1.0, 1.0], [-1.0, 1.0, 1.0]][random.below(3)])),
        4 => ("nodes", node, "skin", json!(random.below(3))),
        5 => ("nodes", node, "mesh", json!(random.below(4))),
        6 => ("accessors", accessor, "count", json!(4_000_000_000_u64)),
        7 => ("accessors", accessor, "sparse", sparse),
        8 => ("accessors", accessor, "bufferView", json!(random.below(views + 1))),
        9 => {
            ("accessors", accessor, "type", random.of(&[json!("MAT2"), json!("SCALAR"), json!("VEC4"), json!("MAT4")]))
        }
        10 => ("bufferViews", view, "byteStride", random.of(&[json!(0), json!(1), json!(16), json!(u64::MAX)])),
        11 => ("bufferViews", view, "byteLength", random.of(&[json!(0), json!(1), json!(u64::MAX)])),
        12 => ("skins", 0, "joints", random.of(&[json!([]), json!([0]), json!(vec![node; 300]), json!([nodes])])),
        _ => ("images", 0, "uri", json!(png)),
    };
    if let Some(object) = json.pointer_mut(&format!("/{list}/{index}")).and_then(Value::as_object_mut) {
        object.insert(name.into(), value);
    }
}
