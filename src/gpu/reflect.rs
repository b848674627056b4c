//! What a compiled shader binds, read from its module: names, slots, access, sizes, group size, overrides.

use super::GpuError;
use super::shader::Compiled;

/// Storage buffers that every adapter allows in one stage.
const MAX_STORAGE_BUFFERS: usize = 8;

/// How a shader sees one buffer, texture or sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Uniform,
    Read,
    ReadWrite,
    /// A texture of two dimensions, and whether it has several samples a texel.
    Texture(wgpu::TextureSampleType, bool),
    /// Rows of four words.
    WriteTexture,
    Sampler(wgpu::SamplerBindingType),
}

/// What kernels read of textures: rows of four words.
pub(super) const ROWS: Access = Access::Texture(wgpu::TextureSampleType::Uint, false);

/// One variable of a shader.
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

/// What a kernel uses, ordered by group and slot, and threads of a group.
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

fn refuse<T>(shader: &str, binding: &str, reason: impl Into<String>) -> Result<T, GpuError> {
    Err(GpuError::Binding { shader: shader.into(), binding: binding.into(), reason: reason.into() })
}

/// The entry point of a stage.
fn entry_point(
    shader: &str,
    module: &naga::Module,
    (name, stage): (&str, naga::ShaderStage),
) -> Result<usize, GpuError> {
    let found = module.entry_points.iter().position(|e| e.name == name && e.stage == stage);
    found.map_or_else(|| refuse(shader, name, format!("there is no {stage:?} entry point of this name")), Ok)
}

/// Names of the overrides.
fn overrides(module: &naga::Module) -> Vec<String> {
    module.overrides.iter().filter_map(|(_, o)| o.name.clone()).collect()
}

/// Threads of a workgroup: a constant, or an override with the value that it is given.
fn group_size(module: &naga::Module, entry: &naga::EntryPoint, given: &[(&str, f64)]) -> Option<u32> {
    let Some([x, ..]) = entry.workgroup_size_overrides else { return Some(entry.workgroup_size[0]) };
    let literal = |init| match module.global_expressions[init] {
        naga::Expression::Literal(naga::Literal::U32(threads)) => Some(threads),
        _ => None,
    };
    match module.global_expressions[x?] {
        naga::Expression::Override(declared) => {
            let declared = &module.overrides[declared];
            let value = given.iter().find(|(name, _)| declared.name.as_deref() == Some(name));
            value.map(|(_, value)| *value as u32).or_else(|| literal(declared.init?))
        }
        _ => literal(x?),
    }
}

/// Reads what the compute entry point `main` uses, with these values of its overrides.
pub(super) fn reflect(kernel: &str, compiled: &Compiled, given: &[(&str, f64)]) -> Result<Reflection, GpuError> {
    let module = &compiled.module;
    let index = entry_point(kernel, module, ("main", naga::ShaderStage::Compute))?;
    let entry = &module.entry_points[index];
    let Some(x) = group_size(module, entry, given).filter(|x| *x > 0) else {
        return refuse(kernel, "main", "the workgroup size must be a constant or an override with a value");
    };
    let [_, y, z] = entry.workgroup_size;
    let imports_thread = module.functions.iter().any(|(_, f)| f.name.as_deref() == Some("global_index"));
    if (y, z) != (1, 1) || (imports_thread && Some(x) != workgroup(module)) {
        let reason = format!("the workgroup size is {x}x{y}x{z}; common/thread needs WORKGROUP, others n x 1 x 1");
        return refuse(kernel, "main", reason);
    }
    let uses = compiled.info.get_entry_point(index);
    let bindings = variables(kernel, compiled, &[index], |variable| !uses[variable].is_empty())?;
    for binding in &bindings {
        match binding.access {
            Access::Sampler(_) => return refuse(kernel, &binding.name, "kernels bind buffers and textures only"),
            Access::Texture(..) if binding.access != ROWS => {
                return refuse(kernel, &binding.name, "kernels read textures as texture_2d<u32>");
            }
            _ => {}
        }
    }
    Ok(Reflection { bindings, group_size: x, overrides: overrides(module) })
}

/// Names of what a kernel reads and of what it writes, in the order of its bindings: for the guide.
#[cfg(test)]
pub(crate) fn accesses(composed: &super::shader::Composed) -> Result<(Vec<String>, Vec<String>), GpuError> {
    let bindings = reflect(&composed.name, &composed.compile()?, &[])?.bindings;
    let written = |b: &Binding| matches!(b.access, Access::ReadWrite | Access::WriteTexture);
    let names = |write: bool| bindings.iter().filter(|b| written(b) == write).map(|b| b.name.clone()).collect();
    Ok((names(false), names(true)))
}

/// Reads what a vertex and a fragment shader see: all that their module declares, used or not, so that shaders that import
/// the same declarations have the same groups.
pub(super) fn reflect_drawing(
    shader: &str,
    compiled: &Compiled,
    entries: &[(&str, naga::ShaderStage)],
) -> Result<(Vec<Binding>, Vec<String>), GpuError> {
    let module = &compiled.module;
    let entries: Vec<usize> =
        entries.iter().map(|entry| entry_point(shader, module, *entry)).collect::<Result<_, _>>()?;
    let bindings = variables(shader, compiled, &entries, |_| true)?;
    if let Some(written) = bindings.iter().find(|b| matches!(b.access, Access::ReadWrite | Access::WriteTexture)) {
        return refuse(shader, &written.name, "drawing shaders only read");
    }
    Ok((bindings, overrides(module)))
}

/// The variables of a module that are `wanted`.
fn variables(
    shader: &str,
    compiled: &Compiled,
    entries: &[usize],
    wanted: impl Fn(naga::Handle<naga::GlobalVariable>) -> bool,
) -> Result<Vec<Binding>, GpuError> {
    let module = &compiled.module;
    let mut bindings: Vec<Binding> = Vec::new();
    for (handle, variable) in module.global_variables.iter() {
        let Some(at) = variable.binding.filter(|_| wanted(handle)) else { continue };
        let name = variable.name.clone().unwrap_or_default();
        let access = match variable.space {
            naga::AddressSpace::Uniform => Access::Uniform,
            naga::AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE) => Access::ReadWrite,
            naga::AddressSpace::Storage { .. } => Access::Read,
            naga::AddressSpace::Handle => {
                handle_access(&module.types[variable.ty].inner, filtered(compiled, entries, handle))
                    .or_else(|reason| refuse(shader, &name, reason))?
            }
            _ => return refuse(shader, &name, "only buffers, textures and samplers are bound"),
        };
        let (stride, least) = row_size(module, variable.ty).or_else(|reason| refuse(shader, &name, reason))?;
        if let Some(other) = bindings.iter().find(|b| (b.group, b.slot) == (at.group, at.binding)) {
            let reason = format!("`{}` has the same group {} and binding {}", other.name, at.group, at.binding);
            return refuse(shader, &name, reason);
        }
        bindings.push(Binding { name, group: at.group, slot: at.binding, access, stride, least });
    }
    bindings.sort_by_key(|b| (b.group, b.slot));
    let storage = bindings.iter().filter(|b| matches!(b.access, Access::Read | Access::ReadWrite));
    if let Some(over) = storage.clone().nth(MAX_STORAGE_BUFFERS) {
        let count = storage.count();
        let reason = format!("{count} storage buffers are used, {MAX_STORAGE_BUFFERS} are allowed");
        return refuse(shader, &over.name, reason);
    }
    Ok(bindings)
}

/// Whether a texture must have a format that can be interpolated: some entry point samples it, or none uses it and what is not called
/// does, or nothing at all here and another shader with the same group may.
fn filtered(compiled: &Compiled, entries: &[usize], texture: naga::Handle<naga::GlobalVariable>) -> bool {
    let uses = || entries.iter().map(|entry| compiled.info.get_entry_point(*entry));
    let sampled = |info: &naga::valid::FunctionInfo| info.sampling_set.iter().any(|key| key.image == texture);
    let unused = |info: &naga::valid::FunctionInfo| info[texture].is_empty();
    let functions = || compiled.module.functions.iter().map(|(function, _)| &compiled.info[function]);
    uses().any(sampled) || (uses().all(unused) && (functions().any(sampled) || functions().all(unused)))
}

/// How a texture or sampler is seen. Textures that kernels write are rows of four words, see
/// [`Buffers::create_texture`](super::Buffers::create_texture).
fn handle_access(ty: &naga::TypeInner, filterable: bool) -> Result<Access, String> {
    use wgpu::{SamplerBindingType, TextureSampleType};
    if let naga::TypeInner::Sampler { comparison } = ty {
        let comparing = SamplerBindingType::Comparison;
        return Ok(Access::Sampler(if *comparison { comparing } else { SamplerBindingType::Filtering }));
    }
    let naga::TypeInner::Image { dim: naga::ImageDimension::D2, arrayed: false, class } = ty else {
        return Err("textures have two dimensions".into());
    };
    match *class {
        naga::ImageClass::Sampled { kind: naga::ScalarKind::Float, multi } => {
            Ok(Access::Texture(TextureSampleType::Float { filterable: filterable && !multi }, multi))
        }
        naga::ImageClass::Sampled { kind: naga::ScalarKind::Uint, multi } => {
            Ok(Access::Texture(TextureSampleType::Uint, multi))
        }
        naga::ImageClass::Depth { multi } => Ok(Access::Texture(TextureSampleType::Depth, multi)),
        naga::ImageClass::Storage { format: naga::StorageFormat::Rgba32Uint, access }
            if access == naga::StorageAccess::STORE =>
        {
            Ok(Access::WriteTexture)
        }
        _ => Err("textures are texture_2d, texture_depth_2d, or texture_storage_2d<rgba32uint, write> to write".into()),
    }
}

/// Bytes of a row and the least bytes of the buffer. What follows a head in the same buffer gives the row.
fn row_size(module: &naga::Module, ty: naga::Handle<naga::Type>) -> Result<(u32, u32), String> {
    match module.types[ty].inner {
        naga::TypeInner::Struct { ref members, span } => {
            let rows = members.last().map(|last| &module.types[last.ty].inner);
            let Some(naga::TypeInner::Array { stride, size: naga::ArraySize::Dynamic, .. }) = rows else {
                return Ok((span, span));
            };
            Ok((*stride, span))
        }
        naga::TypeInner::Array { stride, size, .. } => match size {
            naga::ArraySize::Constant(count) => Ok((stride, stride * count.get())),
            naga::ArraySize::Dynamic => Ok((stride, stride)),
            naga::ArraySize::Pending(_) => Err("the array length must be a constant, not an override".into()),
        },
        naga::TypeInner::Image { .. } => Ok((16, 16)),
        naga::TypeInner::Sampler { .. } => Ok((0, 0)),
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
        reflect("test", &compose_source("test", source)?.compile()?, &[])
    }

    #[test]
    fn threads_of_a_group_may_be_an_override() {
        let source = "override WIDTH: u32 = 32u;
            @group(1) @binding(0) var<storage, read_write> rows: array<u32>;
            @compute @workgroup_size(WIDTH) fn main() { rows[0] = WIDTH; }";
        let compiled = compose_source("test", source).unwrap().compile().unwrap();
        let threads = |given: &[(&str, f64)]| reflect("test", &compiled, given).map(|found| found.group_size);
        assert_eq!(threads(&[]).unwrap(), 32);
        assert_eq!(threads(&[("WIDTH", 8.0)]).unwrap(), 8);
        assert!(matches!(threads(&[("WIDTH", 0.0)]), Err(GpuError::Binding { .. })));
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
            row("seen", 1, 5, ROWS, 16, 16),
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
    fn drawing_shaders_are_read_with_all_that_they_declare() {
        let source = "
            @group(0) @binding(0) var<uniform> frame: mat4x4f;
            @group(1) @binding(0) var<storage, read> rows: array<vec4f>;
            @group(2) @binding(0) var looked_at: texture_2d<f32>;
            @group(2) @binding(1) var smoothed: texture_2d<f32>;
            @group(2) @binding(2) var unused: texture_2d<f32>;
            @group(2) @binding(3) var samples: texture_depth_multisampled_2d;
            @group(2) @binding(4) var linear: sampler;
            @group(2) @binding(5) var nearer: sampler_comparison;
            @group(2) @binding(6) var seldom: texture_2d<f32>;
            fn not_called() -> vec4f { return textureLoad(seldom, vec2i(0), 0); }
            override SHARP: bool = false;
            @vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return rows[i]; }
            @fragment fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
                let sum = textureLoad(looked_at, vec2i(at.xy), 0) + textureLoad(samples, vec2i(at.xy), 0);
                return sum + textureSampleLevel(smoothed, linear, at.xy, 0.0);
            }";
        let compiled = compose_source("test", source).and_then(|c| c.compile()).unwrap();
        let stages = [("vertex", naga::ShaderStage::Vertex), ("fragment", naga::ShaderStage::Fragment)];
        let (bindings, overrides) = reflect_drawing("test", &compiled, &stages).unwrap();
        let float = |filterable| Access::Texture(wgpu::TextureSampleType::Float { filterable }, false);
        let expected = [
            ("frame", Access::Uniform),
            ("rows", Access::Read),
            ("looked_at", float(false)),
            ("smoothed", float(true)),
            ("unused", float(true)),
            ("samples", Access::Texture(wgpu::TextureSampleType::Depth, true)),
            ("linear", Access::Sampler(wgpu::SamplerBindingType::Filtering)),
            ("nearer", Access::Sampler(wgpu::SamplerBindingType::Comparison)),
            ("seldom", float(false)),
        ];
        let found: Vec<_> = bindings.iter().map(|b| (b.name.as_str(), b.access)).collect();
        assert_eq!(found, expected);
        assert_eq!(overrides, ["SHARP"]);
        let none = reflect_drawing("test", &compiled, &[("shadow", naga::ShaderStage::Fragment)]).unwrap_err();
        assert!(matches!(none, GpuError::Binding { ref binding, .. } if binding == "shadow"), "{none}");
    }

    #[test]
    fn drawing_shaders_write_nothing() {
        let source = "@group(0) @binding(0) var<storage, read_write> seen: array<vec4f>;
            @vertex fn vertex() -> @builtin(position) vec4f { seen[0] = vec4f(); return vec4f(); }";
        let compiled = compose_source("test", source).and_then(|c| c.compile()).unwrap();
        let error = reflect_drawing("test", &compiled, &[("vertex", naga::ShaderStage::Vertex)]).unwrap_err();
        assert!(matches!(error, GpuError::Binding { ref binding, .. } if binding == "seen"), "{error}");
    }

    #[test]
    fn variables_at_one_place_are_refused() {
        let source = "@group(0) @binding(0) var<storage, read> a: array<u32>;
            @group(0) @binding(0) var<storage, read> b: array<u32>;
            @vertex fn vertex() -> @builtin(position) vec4f { return vec4f(f32(b[0])); }";
        let compiled = compose_source("test", source).and_then(|c| c.compile()).unwrap();
        let error = reflect_drawing("test", &compiled, &[("vertex", naga::ShaderStage::Vertex)]).unwrap_err();
        assert!(matches!(error, GpuError::Binding { ref binding, .. } if binding == "b"), "{error}");
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
