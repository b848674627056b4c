//! Rust structs that have a twin in WGSL, and the comparison of both by field name.

use wgpu::naga;

use super::{GpuError, shader};

/// A struct whose bytes the GPU reads: `repr(C)`, plain data, fields listed by [`gpu_struct!`](crate::gpu_struct).
pub trait GpuStruct: bytemuck::Pod {
    /// Name, as in WGSL.
    const NAME: &'static str;
    /// Field names and their offsets [bytes].
    const FIELDS: &'static [(&'static str, usize)];

    /// Compares this struct with its twin in the composed text of a shader.
    ///
    /// # Errors
    /// [`GpuError::Layout`] with the first difference; [`GpuError::Shader`] if the text does not compile.
    fn check(wgsl: &str) -> Result<(), GpuError> {
        check(Self::NAME, wgsl, size_of::<Self>(), Self::FIELDS)
    }
}

/// Makes a `repr(C)` plain-data struct that knows its fields, for [`GpuStruct::check`]. `as "Name"` gives the name of
/// the WGSL twin where it differs.
#[macro_export]
macro_rules! gpu_struct {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($fields:tt)+ }) => {
        $crate::gpu_struct! { $(#[$meta])* $vis struct $name as (stringify!($name)) { $($fields)+ } }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident as $twin:tt { $($(#[$field_meta:meta])* $field_vis:vis $field:ident : $ty:ty),+ $(,)? }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $ty),+ }

        impl $crate::gpu::layout::GpuStruct for $name {
            const NAME: &'static str = $twin;
            const FIELDS: &'static [(&'static str, usize)] =
                &[$((stringify!($field), std::mem::offset_of!($name, $field))),+];
        }
    };
}

/// Compares a Rust layout with struct `name` of composed WGSL text: total size [bytes], and each field's offset.
/// Rust fields whose names start with `pad` fill gaps and have no twin.
///
/// # Errors
/// [`GpuError::Layout`] with the first difference; [`GpuError::Shader`] if the text does not compile.
pub fn check(name: &str, wgsl: &str, size: usize, fields: &[(&str, usize)]) -> Result<(), GpuError> {
    let differs = |reason: String| Err(GpuError::Layout { name: name.into(), reason });
    let module = shader::compose_source(name, wgsl)?.compile()?.module;
    let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
    let Some((_, naga::Type { inner: naga::TypeInner::Struct { members, span }, .. })) = found else {
        return differs("WGSL has no struct of this name".into());
    };
    for member in members {
        let twin = member.name.as_deref().unwrap_or_default();
        match fields.iter().find(|(field, _)| *field == twin) {
            None => return differs(format!("Rust has no field `{twin}`")),
            Some((_, offset)) if *offset != member.offset as usize => {
                return differs(format!("`{twin}` is at byte {offset} in Rust and {} in WGSL", member.offset));
            }
            Some(_) => {}
        }
    }
    let extra =
        fields.iter().find(|(f, _)| !f.starts_with("pad") && !members.iter().any(|m| m.name.as_deref() == Some(f)));
    if let Some((field, _)) = extra {
        return differs(format!("WGSL has no field `{field}`"));
    }
    if size != *span as usize {
        return differs(format!("it has {size} bytes in Rust and {span} in WGSL"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    gpu_struct! {
        /// A row for these tests.
        struct Row {
            /// Position [m].
            position: [f32; 3],
            /// Mass [kg].
            mass: f32,
            /// Flags.
            flags: u32,
            pad: [u32; 3],
        }
    }

    #[test]
    fn equal_layouts_pass_and_padding_needs_no_twin() {
        assert_eq!(Row::check("struct Row { position: vec3<f32>, mass: f32, flags: u32 }"), Ok(()));
    }

    #[test]
    fn every_kind_of_difference_is_reported() {
        let reason = |wgsl: &str| match Row::check(wgsl) {
            Err(GpuError::Layout { name, reason }) if name == "Row" => reason,
            other => panic!("{other:?}"),
        };
        assert!(reason("struct Other { a: u32 }").contains("no struct"));
        assert!(
            reason("struct Row { mass: f32, position: vec3<f32>, flags: u32 }")
                .contains("`mass` is at byte 12 in Rust and 0")
        );
        assert!(reason("struct Row { position: vec3<f32>, mass: f32 }").contains("`flags`"));
        assert!(reason("struct Row { position: vec3<f32>, mass: f32, flags: u32, more: u32 }").contains("`more`"));
        assert!(
            reason("struct Row { position: vec3<f32>, mass: f32, flags: u32, pad: vec4<u32> }").contains("byte 20")
        );
        assert!(matches!(Row::check("struct Row {"), Err(GpuError::Shader { .. })));
    }
}
