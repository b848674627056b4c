//! Types of constraints that users wrote: their text as a part of kernels, checked before it is, and their gradients against numeric ones.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::constraints::{Definition, Type};
use crate::gpu::shader;
use crate::gpu::snippet::{self, Argument, SnippetError};
use crate::scene::Scene;
use crate::solver::stages::stage::Pass;

/// The function that a definition must have.
const EQUATION: &str = "equation";

/// The pass that solves a type; made once for each that is defined.
pub(in crate::solver) fn pass_of(kind: &'static Type) -> &'static Pass {
    static PASSES: LazyLock<Mutex<HashMap<&'static str, &'static Pass>>> = LazyLock::new(Mutex::default);
    let mut passes = PASSES.lock().unwrap_or_else(PoisonError::into_inner);
    passes.entry(kind.shader()).or_insert_with(|| Box::leak(Box::new(Pass::new(kind.shader()))))
}

/// What the names of a type begin with in kernels: apart from those of all that is built in.
pub(in crate::solver) fn prefix(definition: &Definition) -> String {
    format!("user_{}", definition.name)
}

/// A type's equation under the name that `constraints/row` calls.
pub(in crate::solver) fn equation_source(definition: &Definition) -> String {
    let prefix = prefix(definition);
    let text = snippet::renamed(&definition.text, &format!("_{prefix}"));
    format!(
        "#import \"constraints/user\"\n{text}\n\
         fn {prefix}_{EQUATION}(index: u32, row: Values, x: Stencil) -> Equation {{\n\
         return {EQUATION}_{prefix}(index, row, x);\n}}\n"
    )
}

/// How a row is solved, with the equation of the type called `name` only where it says something: `constraints/sound`.
pub(super) fn guarded(row: &str, name: &str) -> String {
    let row = row.replace(&format!("{name}_{EQUATION}("), &format!("{name}_sound("));
    format!(
        "#import \"constraints/sound\"\n\
         fn {name}_sound(index: u32, row: Values, x: Stencil) -> Equation {{\n\
         return sound({name}_{EQUATION}(index, row, x));\n}}\n{row}"
    )
}

/// A definition whose text is wrong, and the place in the text.
#[derive(Debug)]
pub(in crate::solver) struct WrongText {
    pub(in crate::solver) kind: String,
    pub(in crate::solver) error: SnippetError,
}

/// Checks the texts of all types that a scene has; the first that is wrong is the error.
pub(in crate::solver) fn check(scene: &Scene) -> Result<(), WrongText> {
    let mut last: Option<&Type> = None;
    for row in scene.constraints.iter().filter(|row| row.kind.user.is_some()) {
        if last.is_some_and(|last| std::ptr::eq(last, row.kind)) {
            continue;
        }
        last = Some(row.kind);
        if let Some(user) = row.kind.user {
            check_text(&user.definition)?;
        }
    }
    Ok(())
}

/// Checks the text of a definition.
pub(in crate::solver) fn check_text(definition: &Definition) -> Result<(), WrongText> {
    let part = |name| shader::text(name).unwrap_or_default().lines().filter(|l| !l.starts_with("#import"));
    let parts = [part("constraints/constraint"), part("constraints/user")];
    let before: Vec<&str> = std::iter::once("var<private> origin: vec3f;").chain(parts.into_iter().flatten()).collect();
    let [index, row, x] = [Argument::Index, Argument::Struct("Values"), Argument::Struct("Stencil")];
    let result = Argument::Struct("Equation");
    snippet::check_after(&before.join("\n"), &definition.text, EQUATION, &[index, row, x], result)
        .map_err(|error| WrongText { kind: definition.name.clone(), error })
}
