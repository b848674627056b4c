//! What a compiled kernel binds, read from its module: names, slots, access, sizes, group size, overrides.

use wgpu::naga;

use super::GpuError;
use super::shader::Compiled;

/// Storage buffers that every adapter allows in one kernel.
const MAX_STORAGE_BUFFERS: usize = 8;

/// How a kernel sees one buffer or texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Uniform,
    Read,
    ReadWrite,
    ReadTexture,
    WriteTexture,
}

impl Access {
    pub(super) fn is_texture(self) -> bool {
        matches!(self, Self::ReadTexture | Self::WriteTexture)
    }
}

/// One variable that the entry point uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binding {
    pub(super) name: String,
    pub(super) group: u32,
    pub(super) slot: u32,
    pub(super) access: Access,
    /// Bytes of one row: the array's stride, or the whole type.
    pub(super) stride: u32,
    /// Bytes that must be there: one row, or the whole of a sized type.
    pub(super) least: u32,
}

/// Bindings ordered by group and slot, and threads of a group.
#[derive(Debug)]
pub(super) struct Reflection {
    pub(super) bindings: Vec<Binding>,
    pub(super) group_size: u32,
    pub(super) overrides: Vec<String>,
}

/// `WORKGROUP` of `common/thread`, where a module has it.
fn workgroup(module: &naga::Module) -> Option<u32> {
    let (_, constant) = module.constants.iter().find(|(_, c)| c.name.as_deref() == Some("WORKGROUP"))?;
    match module.global_expressions[constant.init] {
        naga::Expression::Literal(naga::Literal::U32(threads)) => Some(threads),
        _ => None,
    }
}

/// Reads the compute entry point `main`.
pub(super) fn reflect(kernel: &str, compiled: &Compiled) -> Result<Reflection, GpuError> {
    let module = &compiled.module;
    let refuse =
        |binding: &str, reason: String| GpuError::Binding { kernel: kernel.into(), binding: binding.into(), reason };
    let index = module
        .entry_points
        .iter()
        .position(|e| e.name == "main" && e.stage == naga::ShaderStage::Compute)
        .ok_or_else(|| refuse("main", "there is no @compute entry point of this name".into()))?;
    let entry = &module.entry_points[index];
    if entry.workgroup_size_overrides.is_some() {
        return Err(refuse("main", "the workgroup size must be a constant, not an override".into()));
    }
    let [x, y, z] = entry.workgroup_size;
    let imports_thread = module.functions.iter().any(|(_, f)| f.name.as_deref() == Some("global_index"));
    if (y, z) != (1, 1) || (imports_thread && Some(x) != workgroup(module)) {
        return Err(refuse(
            "main",
            format!("the workgroup size is {x}x{y}x{z}; common/thread needs WORKGROUP, others n x 1 x 1"),
        ));
    }
    let uses = compiled.info.get_entry_point(index);
    let mut bindings = Vec::new();
    for (handle, variable) in module.global_variables.iter() {
        let Some(at) = variable.binding.filter(|_| !uses[handle].is_empty()) else { continue };
        let name = variable.name.clone().unwrap_or_default();
        let access = match variable.space {
            naga::AddressSpace::Uniform => Access::Uniform,
            naga::AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE) => Access::ReadWrite,
            naga::AddressSpace::Storage { .. } => Access::Read,
            naga::AddressSpace::Handle => {
                texture_access(&module.types[variable.ty].inner).map_err(|e| refuse(&name, e))?
            }
            _ => return Err(refuse(&name, "kernels bind buffers and textures only".into())),
        };
        let (stride, least) = row_size(module, variable.ty).map_err(|e| refuse(&name, e))?;
        bindings.push(Binding { name, group: at.group, slot: at.binding, access, stride, least });
    }
    bindings.sort_by_key(|b| (b.group, b.slot));
    let storage = bindings.iter().filter(|b| matches!(b.access, Access::Read | Access::ReadWrite));
    if let Some(over) = storage.clone().nth(MAX_STORAGE_BUFFERS) {
        let count = storage.count();
        return Err(refuse(&over.name, format!("{count} storage buffers are used, {MAX_STORAGE_BUFFERS} are allowed")));
    }
    let overrides = module.overrides.iter().filter_map(|(_, o)| o.name.clone()).collect();
    Ok(Reflection { bindings, group_size: x, overrides })
}

/// Textures are rows of four words, see [`Buffers::create_texture`](super::Buffers::create_texture).
fn texture_access(ty: &naga::TypeInner) -> Result<Access, String> {
    let naga::TypeInner::Image { dim: naga::ImageDimension::D2, arrayed: false, class } = ty else {
        return Err("kernels bind textures of two dimensions, no samplers".into());
    };
    match class {
        naga::ImageClass::Sampled { kind: naga::ScalarKind::Uint, multi: false } => Ok(Access::ReadTexture),
        naga::ImageClass::Storage { format: naga::StorageFormat::Rgba32Uint, access }
            if *access == naga::StorageAccess::STORE =>
        {
            Ok(Access::WriteTexture)
        }
        _ => Err("textures are texture_2d<u32> to read and texture_storage_2d<rgba32uint, write> to write".into()),
    }
}

fn row_size(module: &naga::Module, ty: naga::Handle<naga::Type>) -> Result<(u32, u32), String> {
    match module.types[ty].inner {
        naga::TypeInner::Array { stride, size, .. } => match size {
            naga::ArraySize::Constant(count) => Ok((stride, stride * count.get())),
            naga::ArraySize::Dynamic => Ok((stride, stride)),
            naga::ArraySize::Pending(_) => Err("the array length must be a constant, not an override".into()),
        },
        naga::TypeInner::Image { .. } => Ok((16, 16)),
        ref inner => {
            let size = inner.size(module.to_ctx());
            Ok((size, size))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shader::compose_source;
    use super::*;

    fn of(source: &str) -> Result<Reflection, GpuError> {
        reflect("test", &compose_source("test", source)?.compile()?)
    }

    #[test]
    fn names_slots_access_and_strides_are_read() {
        let found = of("struct Row { a: vec3<f32>, b: f32 }
            struct Batch { first: u32, count: u32 }
            @group(0) @binding(0) var<uniform> params: Row;
            @group(0) @binding(1) var<uniform> batch: Batch;
            @group(1) @binding(3) var<storage, read_write> rows: array<Row>;
            @group(1) @binding(2) var<storage, read> ids: array<u32>;
            @group(1) @binding(4) var<storage, read_write> counts: array<atomic<u32>, 12>;
            @group(1) @binding(5) var seen: texture_2d<u32>;
            @group(1) @binding(6) var kept: texture_storage_2d<rgba32uint, write>;
            override SCALE: f32 = 1.0;
            @compute @workgroup_size(32)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                rows[ids[id.x]].b = SCALE * f32(batch.count);
                textureStore(kept, id.xy, textureLoad(seen, id.xy, 0));
                atomicAdd(&counts[0], 1u);
            }")
        .unwrap();
        let row = |name: &str, group, slot, access, stride, least| Binding {
            name: name.into(),
            group,
            slot,
            access,
            stride,
            least,
        };
        let expected = [
            row("batch", 0, 1, Access::Uniform, 8, 8),
            row("ids", 1, 2, Access::Read, 4, 4),
            row("rows", 1, 3, Access::ReadWrite, 16, 16),
            row("counts", 1, 4, Access::ReadWrite, 4, 48),
            row("seen", 1, 5, Access::ReadTexture, 16, 16),
            row("kept", 1, 6, Access::WriteTexture, 16, 16),
        ];
        assert_eq!(found.bindings, expected, "`params` is declared but not used");
        assert_eq!((found.group_size, found.overrides), (32, vec!["SCALE".to_string()]));
    }

    #[test]
    fn the_ninth_storage_buffer_is_named() {
        let declared: String =
            (0..9).map(|i| format!("@group(1) @binding({i}) var<storage, read_write> b{i}: array<u32>;")).collect();
        let used: String = (0..9).map(|i| format!("b{i}[0] = 1u;")).collect();
        let error = of(&format!("{declared} @compute @workgroup_size(64) fn main() {{ {used} }}")).unwrap_err();
        assert!(matches!(error, GpuError::Binding { ref binding, .. } if binding == "b8"), "{error}");
    }

    #[test]
    fn other_textures_are_refused_by_name() {
        let main = "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>)";
        for (ty, body) in [
            ("texture_2d<f32>", "_ = textureLoad(pixels, id.xy, 0);"),
            ("texture_storage_2d<rgba32float, write>", "textureStore(pixels, id.xy, vec4f(0.0));"),
            ("texture_3d<u32>", "_ = textureLoad(pixels, id, 0);"),
        ] {
            let error = of(&format!("@group(1) @binding(0) var pixels: {ty}; {main} {{ {body} }}")).unwrap_err();
            assert!(matches!(error, GpuError::Binding { ref binding, .. } if binding == "pixels"), "{ty}: {error}");
        }
    }

    #[test]
    fn group_sizes_that_break_the_fold_are_refused() {
        let body = "fn main(@builtin(global_invocation_id) id: vec3<u32>) {}";
        assert!(of(&format!("@compute @workgroup_size(8, 8) {body}")).is_err());
        assert!(of(&format!("#import \"common/thread\"\n@compute @workgroup_size(32) {body}")).is_err());
        assert!(of(&format!("#import \"common/thread\"\n@compute @workgroup_size(WORKGROUP) {body}")).is_ok());
        assert!(of("fn main() {}").is_err());
    }
}
