//! The comparison of the rows that the build script writes with what naga makes of the same structs, by field name.

use super::shader;

/// Compares a Rust layout with struct `name` of composed WGSL text: total size [bytes], and each field's offset.
/// Rust fields whose names start with `pad` fill gaps and have no twin.
///
/// # Errors
/// The first difference, or why the text does not compile.
pub(super) fn check(name: &str, wgsl: &str, size: usize, fields: &[(&str, usize)]) -> Result<(), String> {
    let differs = |reason: String| Err(format!("struct `{name}` differs between Rust and WGSL: {reason}"));
    let composed = shader::compose_source(name, wgsl).and_then(|composed| composed.compile());
    let module = composed.map_err(|error| error.to_string())?.module;
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

    /// Position [m], mass [kg], flags, and a gap.
    fn check_row(wgsl: &str) -> Result<(), String> {
        check("Row", wgsl, 32, &[("position", 0), ("mass", 12), ("flags", 16), ("pad", 20)])
    }

    #[test]
    fn equal_layouts_pass_and_padding_needs_no_twin() {
        assert_eq!(check_row("struct Row { position: vec3<f32>, mass: f32, flags: u32 }"), Ok(()));
    }

    #[test]
    fn every_kind_of_difference_is_reported() {
        let reason = |wgsl: &str| check_row(wgsl).expect_err("a difference");
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
        assert!(reason("struct Row {").starts_with("shaders/Row.wgsl:"));
    }
}
