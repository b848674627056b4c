//! User WGSL: checked by itself before it becomes part of a kernel.

use std::collections::BTreeSet;

use thiserror::Error;

/// What is wrong with a user's text, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct SnippetError {
    /// Line, from 1; 0 when it is about the whole text.
    pub line: u32,
    /// Column, from 1; 0 when it is about the whole text.
    pub column: u32,
    /// What is wrong.
    pub reason: String,
}

/// Type of an argument or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `f32`.
    Number,
    /// `vec3f`.
    Vector,
    /// `u32`.
    Index,
    /// A struct that stands before the text.
    Struct(&'static str),
}

impl Argument {
    fn is(self, ty: &naga::Type) -> bool {
        let vector = naga::TypeInner::Vector { size: naga::VectorSize::Tri, scalar: naga::Scalar::F32 };
        match self {
            Self::Number => ty.inner == naga::TypeInner::Scalar(naga::Scalar::F32),
            Self::Vector => ty.inner == vector,
            Self::Index => ty.inner == naga::TypeInner::Scalar(naga::Scalar::U32),
            Self::Struct(name) => ty.name.as_deref() == Some(name),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Number => "f32",
            Self::Vector => "vec3f",
            Self::Index => "u32",
            Self::Struct(name) => name,
        }
    }
}

/// Checks that a text has a function of this name with these arguments and this result, and nothing that a kernel cannot take in:
/// no entry points, no variables of a module, and no loops, which might have no end.
///
/// # Errors
/// [`SnippetError`] with the place in the text.
pub fn check(text: &str, name: &str, arguments: &[Argument], result: Argument) -> Result<(), SnippetError> {
    check_after("", text, name, arguments, result)
}

/// As [`check`], with a text of our own before it that it may use.
///
/// # Errors
/// As [`check`].
pub fn check_after(
    before: &str,
    user: &str,
    name: &str,
    arguments: &[Argument],
    result: Argument,
) -> Result<(), SnippetError> {
    // On a line of its own, so that lines are counted from its own first.
    let before = if before.is_empty() { String::new() } else { format!("{before}\n") };
    let (text, lines) = (&*format!("{before}{user}"), before.lines().count() as u32);
    let own = |span: naga::Span| span.to_range().is_some_and(|range| range.start >= before.len());
    let at = |place: Option<naga::SourceLocation>, reason: String| {
        let place = place.filter(|place| place.line_number > lines);
        let (line, column) = place.map_or((0, 0), |place| (place.line_number - lines, place.line_position));
        SnippetError { line, column, reason }
    };
    let module = naga::front::wgsl::parse_str(text).map_err(|error| {
        let labels = error.labels().map(|(_, label)| label).filter(|label| !label.is_empty());
        let reason = std::iter::once(error.message()).chain(labels).collect::<Vec<_>>().join("; ");
        at(error.location(text), reason)
    })?;
    let flags = naga::valid::ValidationFlags::all();
    let mut validator = naga::valid::Validator::new(flags, naga::valid::Capabilities::empty());
    validator.validate(&module).map_err(|error| {
        let mut reason = error.as_inner().to_string();
        let mut source = std::error::Error::source(error.as_inner());
        while let Some(cause) = source {
            reason += &format!(": {cause}");
            source = cause.source();
        }
        // Of the places that it names, the narrowest: others are whole functions.
        let spans = error.spans().map(|(span, _)| *span).filter(naga::Span::is_defined);
        let narrowest = spans.min_by_key(|span| span.to_range().map_or(usize::MAX, |range| range.len()));
        at(narrowest.map(|span| span.location(text)), reason)
    })?;
    let whole = |reason: &str| Err(SnippetError { line: 0, column: 0, reason: reason.into() });
    let variable =
        module.global_variables.iter().map(|(handle, _)| module.global_variables.get_span(handle)).find(|s| own(*s));
    if let Some(span) = variable {
        let place = span.location(text);
        return Err(at(Some(place), "a variable outside of functions; use constants and arguments".into()));
    }
    if !module.entry_points.is_empty() || !module.overrides.is_empty() {
        return whole("entry points and overrides have no place here; write functions and constants");
    }
    for (_, function) in module.functions.iter() {
        if let Some(span) = find_loop(&function.body) {
            return Err(at(Some(span.location(text)), "a loop; write its few rounds out".into()));
        }
    }
    let Some((_, function)) = module.functions.iter().find(|(_, f)| f.name.as_deref() == Some(name)) else {
        return whole(&format!("there is no function `{name}`"));
    };
    let fits = |ty: naga::Handle<naga::Type>, wanted: &Argument| wanted.is(&module.types[ty]);
    let taken = function.arguments.len() == arguments.len()
        && function.arguments.iter().zip(arguments).all(|(argument, wanted)| fits(argument.ty, wanted));
    if taken && function.result.as_ref().is_some_and(|found| fits(found.ty, &result)) {
        return Ok(());
    }
    let wanted: Vec<&str> = arguments.iter().map(|argument| argument.word()).collect();
    whole(&format!("`{name}` must take ({}) and return {}", wanted.join(", "), result.word()))
}

/// The first loop of a block.
fn find_loop(block: &naga::Block) -> Option<naga::Span> {
    block.span_iter().find_map(|(statement, span)| match statement {
        naga::Statement::Loop { .. } => Some(*span),
        naga::Statement::Block(inner) => find_loop(inner),
        naga::Statement::If { accept, reject, .. } => find_loop(accept).or_else(|| find_loop(reject)),
        naga::Statement::Switch { cases, .. } => cases.iter().find_map(|case| find_loop(&case.body)),
        _ => None,
    })
}

/// A checked text with `suffix` after every name that it declares outside of functions, so that several texts can stand side by side.
/// Lines stay where they are.
pub fn renamed(text: &str, suffix: &str) -> String {
    let words = words(text);
    let declares = ["fn", "const", "struct", "alias"];
    let pairs = words.windows(2).filter(|pair| declares.contains(&pair[0].0));
    let names: BTreeSet<&str> = pairs.map(|pair| pair[1].0).collect();
    let mut out = String::with_capacity(text.len() + 64);
    let mut done = 0;
    for (word, start, of_member) in words {
        if names.contains(word) && !of_member {
            out += &text[done..start];
            out += word;
            out += suffix;
            done = start + word.len();
        }
    }
    out + &text[done..]
}

/// Identifiers and keywords outside of comments: the word, where it begins, and whether a period stands before it.
fn words(text: &str) -> Vec<(&str, usize, bool)> {
    let (mut found, mut at, mut period) = (Vec::new(), 0, false);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment(rest)
        } else if first.is_alphanumeric() || first == '_' {
            let number = first.is_ascii_digit();
            let of_word = |c: char| c.is_alphanumeric() || c == '_' || (number && c == '.');
            let length = rest.find(|c| !of_word(c)).unwrap_or(rest.len());
            if !number {
                found.push((&rest[..length], at, period));
            }
            length
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            period = first == '.';
        }
        at += length;
    }
    found
}

/// Length of the comment that a text begins with; they nest.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_u32, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<(), SnippetError> {
        check(text, "field", &[Argument::Vector, Argument::Vector, Argument::Number], Argument::Vector)
    }

    const GOOD: &str = "const K: f32 = 2.0;\nfn half(v: vec3f) -> vec3f { return v / K; }\n\
                        fn field(x: vec3f, v: vec3f, t: f32) -> vec3f {\n    return half(x) - t * v;\n}\n";

    #[test]
    fn names_of_several_texts_stay_apart() {
        assert_eq!(checked(GOOD), Ok(()));
        let both = renamed(GOOD, "_1") + &renamed(GOOD, "_2");
        assert!(
            both.contains("fn field_2(x: vec3f") && both.contains("half_1(x)") && both.contains("v / K_2"),
            "{both}"
        );
        check(&both, "field_2", &[Argument::Vector, Argument::Vector, Argument::Number], Argument::Vector).unwrap();
        let kept = "/* fn y /* of */ */ fn x(v: vec3f) -> f32 { return v.x + 1.x; } // x";
        assert_eq!(renamed(kept, "_9"), kept.replacen("fn x", "fn x_9", 1));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, line, words) in [
            ("fn field(x: vec3f, v: vec3f, t: f32) -> vec3f {\n    return x +;\n}", 2, "expected"),
            ("fn field(x: vec3f, v: vec3f, t: f32) -> vec3f {\n\n    return gone(x);\n}", 3, "gone"),
            ("fn field(x: vec3f, v: vec3f, t: f32) -> vec3f {\n    return 2.0 * t;\n}", 2, "return"),
            ("var<private> y: f32;\nfn field(x: vec3f, v: vec3f, t: f32) -> vec3f {\n    return x;\n}", 1, "variable"),
            ("fn field(x: vec3f, v: vec3f, t: f32) -> vec3f {\n    loop {}\n    return x;\n}", 2, ""),
            ("fn field(x: vec3f) -> vec3f { return x; }", 0, "must take (vec3f, vec3f, f32) and return vec3f"),
            ("fn other(x: vec3f) -> vec3f { return x; }", 0, "no function `field`"),
            ("#import \"common/body\"", 1, ""),
        ] {
            let error = checked(text).unwrap_err();
            assert!(error.line == line && error.reason.contains(words), "{text}\n{error}");
        }
    }
}
