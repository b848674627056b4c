//! The binary part of a glTF file, and the accessors into it.

use gltf::json;
use json::Index;
use json::accessor::{Accessor, ComponentType, GenericComponentType, IndexComponentType, Type, sparse};
use json::buffer::{Buffer, Target, View};
use json::validation::{Checked, USize64};

use glam::{Quat, Vec2, Vec3, Vec4};

/// Ways shorter than this are none [m]: a fiftieth of a millimeter.
pub(super) const UNMOVED: f32 = 2.0e-5;

/// A file under construction.
pub(super) struct Binary {
    pub(super) root: json::Root,
    bytes: Vec<u8>,
    buffer: Index<Buffer>,
}

impl Binary {
    pub(super) fn new() -> Self {
        let mut root = json::Root::default();
        root.asset.generator = Some(format!("Sinew {}", env!("CARGO_PKG_VERSION")));
        let buffer = root.push(Buffer {
            byte_length: USize64(0),
            name: None,
            uri: None,
            extensions: None,
            extras: Default::default(),
        });
        Self { root, bytes: Vec::new(), buffer }
    }

    /// Appends bytes as a view.
    pub(super) fn view(&mut self, bytes: &[u8], target: Option<Target>) -> Index<View> {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        self.root.push(View {
            buffer: self.buffer,
            byte_length: bytes.len().into(),
            byte_offset: Some(offset.into()),
            byte_stride: None,
            name: None,
            target: target.map(Checked::Valid),
            extensions: None,
            extras: Default::default(),
        })
    }

    fn push(&mut self, view: Option<Index<View>>, count: usize, kind: (ComponentType, Type)) -> Index<Accessor> {
        self.root.push(Accessor {
            buffer_view: view,
            byte_offset: None,
            count: count.into(),
            component_type: Checked::Valid(GenericComponentType(kind.0)),
            extensions: None,
            extras: Default::default(),
            type_: Checked::Valid(kind.1),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    fn floats(&mut self, values: &[f32], kind: Type, target: Option<Target>) -> Index<Accessor> {
        let view = self.view(bytemuck::cast_slice(values), target);
        self.push(Some(view), values.len() / kind.multiplicity(), (ComponentType::F32, kind))
    }

    /// Numbers by key frame.
    pub(super) fn scalars(&mut self, values: &[f32]) -> Index<Accessor> {
        let index = self.floats(values, Type::Scalar, None);
        let (low, high) = values.iter().fold((f32::MAX, f32::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
        self.bound(index, &[low], &[high]);
        index
    }

    /// Vectors by key frame.
    pub(super) fn keys(&mut self, values: &[Vec3]) -> Index<Accessor> {
        self.floats(bytemuck::cast_slice(values), Type::Vec3, None)
    }

    /// Rotations by key frame.
    pub(super) fn rotations(&mut self, values: &[Quat]) -> Index<Accessor> {
        let flat: Vec<f32> = values.iter().flat_map(|q| q.to_array()).collect();
        self.floats(&flat, Type::Vec4, None)
    }

    /// Matrices, column by column.
    pub(super) fn matrices(&mut self, values: &[[f32; 16]]) -> Index<Accessor> {
        self.floats(values.as_flattened(), Type::Mat4, None)
    }

    /// Places of vertices.
    pub(super) fn positions(&mut self, values: &[Vec3]) -> Index<Accessor> {
        let index = self.vectors(values);
        self.bound_by(index, values);
        index
    }

    /// Vectors by vertex.
    pub(super) fn vectors(&mut self, values: &[Vec3]) -> Index<Accessor> {
        self.floats(bytemuck::cast_slice(values), Type::Vec3, Some(Target::ArrayBuffer))
    }

    /// Pairs by vertex.
    pub(super) fn pairs(&mut self, values: &[Vec2]) -> Index<Accessor> {
        self.floats(bytemuck::cast_slice(values), Type::Vec2, Some(Target::ArrayBuffer))
    }

    /// Colors or weights by vertex.
    pub(super) fn fours(&mut self, values: &[Vec4]) -> Index<Accessor> {
        let flat: Vec<f32> = values.iter().flat_map(|v| v.to_array()).collect();
        self.floats(&flat, Type::Vec4, Some(Target::ArrayBuffer))
    }

    /// Four joints by vertex.
    pub(super) fn joints(&mut self, values: &[[u16; 4]]) -> Index<Accessor> {
        let view = self.view(bytemuck::cast_slice(values), Some(Target::ArrayBuffer));
        self.push(Some(view), values.len(), (ComponentType::U16, Type::Vec4))
    }

    /// Corners of triangles.
    pub(super) fn indices(&mut self, values: &[u32]) -> Index<Accessor> {
        let view = self.view(bytemuck::cast_slice(values), Some(Target::ElementArrayBuffer));
        self.push(Some(view), values.len(), (ComponentType::U32, Type::Scalar))
    }

    /// How far vertices are from where the mesh has them; only those that moved, where that is shorter.
    pub(super) fn ways(&mut self, values: &[Vec3], bounded: bool) -> Index<Accessor> {
        let moved: Vec<u32> = (0..values.len() as u32).filter(|i| values[*i as usize].length() > UNMOVED).collect();
        // An index and three numbers instead of three numbers.
        if 16 * moved.len() >= 12 * values.len() {
            return if bounded { self.positions(values) } else { self.vectors(values) };
        }
        // A list without entries is none.
        let kept = if moved.is_empty() { vec![0] } else { moved };
        let ways: Vec<Vec3> = kept.iter().map(|i| values[*i as usize]).collect();
        let indices = sparse::Indices {
            buffer_view: self.view(bytemuck::cast_slice(&kept), None),
            byte_offset: USize64(0),
            component_type: Checked::Valid(IndexComponentType(ComponentType::U32)),
            extensions: None,
            extras: Default::default(),
        };
        let numbers = sparse::Values {
            buffer_view: self.view(bytemuck::cast_slice(&ways), None),
            byte_offset: USize64(0),
            extensions: None,
            extras: Default::default(),
        };
        let index = self.push(None, values.len(), (ComponentType::F32, Type::Vec3));
        self.root.accessors[index.value()].sparse = Some(sparse::Sparse {
            count: kept.len().into(),
            indices,
            values: numbers,
            extensions: None,
            extras: Default::default(),
        });
        if bounded {
            let rest = (kept.len() < values.len()).then_some(Vec3::ZERO);
            self.bound_by(index, &ways.into_iter().chain(rest).collect::<Vec<_>>());
        }
        index
    }

    fn bound_by(&mut self, index: Index<Accessor>, values: &[Vec3]) {
        let (low, high) = values.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
        self.bound(index, &low.to_array(), &high.to_array());
    }

    fn bound(&mut self, index: Index<Accessor>, low: &[f32], high: &[f32]) {
        let accessor = &mut self.root.accessors[index.value()];
        (accessor.min, accessor.max) = (Some(low.into()), Some(high.into()));
    }

    /// The file.
    ///
    /// # Errors
    /// A sentence, if it is too long to count its bytes.
    pub(super) fn glb(mut self) -> Result<Vec<u8>, String> {
        self.root.buffers[self.buffer.value()].byte_length = self.bytes.len().into();
        let text = self.root.to_vec().map_err(|error| error.to_string())?;
        let header = gltf::binary::Header { magic: *b"glTF", version: 2, length: 0 };
        let glb = gltf::binary::Glb { header, json: text.into(), bin: Some(self.bytes.into()) };
        glb.to_vec().map_err(|error| error.to_string())
    }
}
