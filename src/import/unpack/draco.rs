//! Primitives of `KHR_draco_mesh_compression`, by `draco-core`.

use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex};
use gltf::accessor::DataType as Kind;
use gltf::json::accessor::{GenericComponentType, Type};
use gltf::json::buffer::View;
use gltf::json::mesh::Mode;
use gltf::json::validation::{Checked, USize64};
use gltf::json::{Accessor, Index};
use serde_json::Value;

use super::{ADVICE, Unpacker};
use crate::import::{Fault, guard};

/// Name of the extension.
const NAME: &str = "KHR_draco_mesh_compression";

impl Unpacker<'_> {
    /// Writes out a primitive, if it is compressed: its accessors get the buffer views that they lack.
    pub(super) fn primitive(&mut self, mesh: usize, part: usize) -> Result<(), Fault> {
        let primitive = &self.root.meshes[mesh].primitives[part];
        let own = primitive.extensions.as_ref().and_then(|e| e.others.get(NAME)).filter(|own| own.is_object()).cloned();
        let Some(own) = own else { return Ok(()) };
        let element = format!("mesh {mesh} primitive {part}");
        let wrong = |problem: &str| Fault::invalid(&element, format!("{NAME}: {problem}; {ADVICE}"));
        let indices = primitive.indices;
        let attributes: Vec<(String, Index<Accessor>)> = primitive
            .attributes
            .iter()
            .filter_map(|(name, accessor)| match name {
                Checked::Valid(name) => Some((name.to_string(), *accessor)),
                Checked::Invalid => None,
            })
            .collect();
        let decoded = self.decoded(&element, &own)?;
        let points = decoded.num_points();
        for (name, accessor) in attributes {
            let Some(id) = own["attributes"].get(&name) else { continue };
            let id = id.as_u64().and_then(|id| u32::try_from(id).ok());
            let attribute = id
                .and_then(|id| decoded.attribute_by_unique_id(id))
                .ok_or_else(|| wrong(&format!("its data has no {name}")))?;
            let (kind, width) = self.shape(&element, accessor)?;
            self.spend((points * kind.size() * width) as u64)?;
            let bytes = bytes(attribute, points, kind, width).ok_or_else(|| {
                wrong(&format!("its data has another type for {name} than accessor {}", accessor.value()))
            })?;
            self.fill(accessor, bytes, points);
        }
        let corners: Vec<u8> = decoded.faces().iter().flatten().flat_map(|point| point.0.to_le_bytes()).collect();
        self.spend(corners.len() as u64)?;
        let accessor = match indices {
            Some(accessor) => {
                self.shape(&element, accessor)?;
                accessor
            }
            None => self.add_accessor(),
        };
        self.fill(accessor, corners, 3 * decoded.num_faces());
        let indices = &mut self.root.accessors[accessor.value()];
        indices.component_type = Checked::Valid(GenericComponentType(Kind::U32));
        indices.type_ = Checked::Valid(Type::Scalar);
        // Strips come out as the triangles that they are.
        let primitive = &mut self.root.meshes[mesh].primitives[part];
        (primitive.indices, primitive.mode) = (Some(accessor), Checked::Valid(Mode::Triangles));
        Ok(())
    }

    /// The mesh that the extension of a primitive points to.
    fn decoded(&mut self, element: &str, own: &Value) -> Result<Mesh, Fault> {
        let wrong = |problem: &str| Fault::invalid(element, format!("{NAME}: {problem}; {ADVICE}"));
        let views = &self.root.buffer_views;
        let index = own["bufferView"].as_u64().ok_or_else(|| wrong("it names no buffer view"))?;
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let view = views.get(index).ok_or_else(|| Fault::missing(element, "buffer view", index, views.len()))?;
        let (buffer, offset) = (view.buffer.value() as u64, view.byte_offset.unwrap_or_default().0);
        let bytes = self.bytes(&format!("buffer view {index}"), buffer, offset, view.byte_length.0)?;
        let limits = DecodeLimits::default()
            .with_max_points(self.left / 12)
            .with_max_faces(self.left / 12)
            .with_max_decoded_bytes(self.left);
        let decode = || {
            let mut mesh = Mesh::new();
            MeshDecoder::new().decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh).map(|()| mesh)
        };
        match guard::caught(decode) {
            Some(Ok(mesh)) if mesh.num_faces() > 0 => {
                // Also what no accessor asks for took time and room.
                self.spend(12 * mesh.num_points().max(mesh.num_faces()) as u64)?;
                Ok(mesh)
            }
            Some(Ok(_)) => Err(wrong("its data has no triangles")),
            Some(Err(error)) => Err(wrong(&format!("its data cannot be decoded ({:.100})", error.to_string()))),
            None => Err(wrong("its data cannot be decoded")),
        }
    }

    /// Numbers of an accessor and how many there are to an element.
    fn shape(&self, element: &str, accessor: Index<Accessor>) -> Result<(Kind, usize), Fault> {
        let (index, accessors) = (accessor.value(), &self.root.accessors);
        let accessor =
            accessors.get(index).ok_or_else(|| Fault::missing(element, "accessor", index, accessors.len()))?;
        match (&accessor.component_type, &accessor.type_) {
            (Checked::Valid(GenericComponentType(kind)), Checked::Valid(shape)) => Ok((*kind, shape.multiplicity())),
            _ => Err(Fault::invalid(format!("accessor {index}"), "its type does not exist")),
        }
    }

    fn add_accessor(&mut self) -> Index<Accessor> {
        let index = Index::new(self.root.accessors.len() as u32);
        self.root.accessors.push(Accessor {
            buffer_view: None,
            byte_offset: None,
            count: USize64(0),
            component_type: Checked::Valid(GenericComponentType(Kind::U32)),
            type_: Checked::Valid(Type::Scalar),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
            extensions: None,
            extras: Default::default(),
        });
        index
    }

    /// Gives an accessor `count` elements.
    fn fill(&mut self, accessor: Index<Accessor>, bytes: Vec<u8>, count: usize) {
        let byte_length = USize64(bytes.len() as u64);
        let buffer = self.add_buffer(bytes);
        let view = Index::new(self.root.buffer_views.len() as u32);
        self.root.buffer_views.push(View {
            buffer,
            byte_length,
            byte_offset: None,
            byte_stride: None,
            name: None,
            target: None,
            extensions: None,
            extras: Default::default(),
        });
        let accessor = &mut self.root.accessors[accessor.value()];
        (accessor.buffer_view, accessor.byte_offset, accessor.sparse) = (Some(view), None, None);
        accessor.count = USize64(count as u64);
    }
}

/// The values of the first `points` points as `width` numbers of `kind` each; none if they do not fit into those.
fn bytes(attribute: &PointAttribute, points: usize, kind: Kind, width: usize) -> Option<Vec<u8>> {
    let from = attribute.data_type();
    let (size, stride) = (from.byte_length(), usize::try_from(attribute.byte_stride()).ok()?);
    if usize::from(attribute.num_components()) != width || size == 0 {
        return None;
    }
    let same = matches!(
        (from, kind),
        (DataType::Int8, Kind::I8)
            | (DataType::Uint8, Kind::U8)
            | (DataType::Int16, Kind::I16)
            | (DataType::Uint16, Kind::U16)
            | (DataType::Uint32, Kind::U32)
            | (DataType::Float32, Kind::F32)
    );
    let scale = if attribute.normalized() { 1.0 / largest(from) } else { 1.0 };
    let mut out = Vec::with_capacity(points * width * kind.size());
    for point in 0..points {
        let place = attribute.mapped_index(PointIndex(point as u32)).0 as usize;
        let start = place.checked_mul(stride)?;
        let value = attribute.buffer().data().get(start..start.checked_add(size * width)?)?;
        if same {
            out.extend_from_slice(value);
            continue;
        }
        for number in value.chunks_exact(size) {
            let number = number_of(number, from)?;
            let number = if kind == Kind::F32 { number * scale } else { number };
            out.extend_from_slice(&stored(number, kind)?[..kind.size()]);
        }
    }
    Some(out)
}

/// What stands for 1 in normalized numbers of this type.
fn largest(kind: DataType) -> f64 {
    match kind {
        DataType::Int8 => f64::from(i8::MAX),
        DataType::Uint8 => f64::from(u8::MAX),
        DataType::Int16 => f64::from(i16::MAX),
        DataType::Uint16 => f64::from(u16::MAX),
        DataType::Int32 => f64::from(i32::MAX),
        DataType::Uint32 => f64::from(u32::MAX),
        _ => 1.0,
    }
}

fn number_of(bytes: &[u8], kind: DataType) -> Option<f64> {
    Some(match (kind, bytes) {
        (DataType::Int8, &[a]) => f64::from(a as i8),
        (DataType::Uint8 | DataType::Bool, &[a]) => f64::from(a),
        (DataType::Int16, &[a, b]) => f64::from(i16::from_le_bytes([a, b])),
        (DataType::Uint16, &[a, b]) => f64::from(u16::from_le_bytes([a, b])),
        (DataType::Int32, &[a, b, c, d]) => f64::from(i32::from_le_bytes([a, b, c, d])),
        (DataType::Uint32, &[a, b, c, d]) => f64::from(u32::from_le_bytes([a, b, c, d])),
        (DataType::Float32, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        _ => return None,
    })
}

/// A number in the first bytes; none if this type has no such number.
fn stored(number: f64, kind: Kind) -> Option<[u8; 4]> {
    let range = match kind {
        Kind::I8 => f64::from(i8::MIN)..=f64::from(i8::MAX),
        Kind::U8 => 0.0..=f64::from(u8::MAX),
        Kind::I16 => f64::from(i16::MIN)..=f64::from(i16::MAX),
        Kind::U16 => 0.0..=f64::from(u16::MAX),
        Kind::U32 => 0.0..=f64::from(u32::MAX),
        Kind::F32 => return Some((number as f32).to_le_bytes()),
    };
    // Two's complement of a small type begins with its own bytes.
    (number.fract() == 0.0 && range.contains(&number)).then(|| (number as i64 as u32).to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_value_or_are_refused() {
        assert_eq!(stored(-2.0, Kind::I8).unwrap()[0], 0xfe);
        assert_eq!(stored(300.0, Kind::U16).unwrap()[..2], [44, 1]);
        assert_eq!(stored(300.0, Kind::U8), None);
        assert_eq!(stored(0.5, Kind::U8), None);
        assert_eq!(stored(0.5, Kind::F32).unwrap(), 0.5_f32.to_le_bytes());
        assert_eq!(number_of(&[0xff, 0xff], DataType::Int16), Some(-1.0));
    }
}
