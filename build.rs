//! Embeds every file of `shaders/`, so that a new `.wgsl` file needs no entry anywhere, and writes their constants and structs as
//! Rust, so that no number and no layout stands in both languages. A test compares the result with what naga makes of the shaders.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=shaders");
    let mut names = Vec::new();
    collect(Path::new("shaders"), &mut names)?;
    names.sort();
    let mut list = String::from("/// Every shader file: name (path below `shaders/` without `.wgsl`) and text.\n");
    list += "pub(crate) static FILES: &[(&str, &str)] = &[\n";
    for name in &names {
        let _ = writeln!(
            list,
            "    ({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/shaders/{name}.wgsl\"))),"
        );
    }
    list += "];\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set by cargo"))?);
    fs::write(out.join("shaders.rs"), list)?;
    let mut files = BTreeMap::new();
    for name in names {
        let text = fs::read_to_string(format!("shaders/{name}.wgsl"))?;
        files.insert(name, File::read(&text));
    }
    fs::write(out.join("wgsl.rs"), modules(&files))
}

/// Adds the names of all `.wgsl` files below `folder`.
fn collect(folder: &Path, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo:rerun-if-changed={}", path.display());
            collect(&path, names)?;
        } else if path.extension().is_some_and(|e| e == "wgsl") {
            let below = path.strip_prefix("shaders").map_err(io::Error::other)?.with_extension("");
            names.push(below.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}

/// What a shader file declares at its top level.
struct File {
    /// Name, type and value.
    constants: Vec<(String, String, String)>,
    structs: Vec<Struct>,
}

struct Struct {
    name: String,
    /// Comment lines before it.
    about: Vec<String>,
    /// Name, type and comment.
    fields: Vec<(String, String, String)>,
}

impl File {
    fn read(text: &str) -> Self {
        let mut file = Self { constants: Vec::new(), structs: Vec::new() };
        let mut about: Vec<String> = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(comment) = line.strip_prefix("//") {
                about.push(comment.trim_start_matches('/').trim().to_owned());
                continue;
            }
            if let Some(rest) = line.strip_prefix("const ") {
                file.constants.extend(constant(rest));
            } else if let Some(name) = line.strip_prefix("struct ").and_then(|rest| rest.strip_suffix(" {")) {
                let fields = fields(&mut lines);
                file.structs.push(Struct { name: name.to_owned(), about: about.clone(), fields });
            }
            about.clear();
        }
        file
    }
}

/// `NAME: type = value;` as Rust, where it is a whole number or a float made of literals.
fn constant(declared: &str) -> Option<(String, String, String)> {
    let (name, rest) = declared.split_once(": ")?;
    let (ty, value) = rest.split_once(';')?.0.split_once(" = ")?;
    if !["u32", "i32", "f32"].contains(&ty) {
        return None;
    }
    let mut out = String::new();
    for word in value.split_inclusive([' ', '(', ')']) {
        let (body, end) = word.split_at(word.trim_end_matches([' ', '(', ')']).len());
        let number = body.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        let suffix: &[char] = if body.contains("0x") { &['u'] } else { &['u', 'f'] };
        out += if number { body.trim_end_matches(suffix) } else { body };
        out += end;
    }
    // A name would need the file that it comes from.
    let literal = |word: &str| word.is_empty() || !word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let plain = out.split([' ', '(', ')', '-', '*', '+', '/', '<']).all(literal);
    plain.then(|| (name.to_owned(), ty.to_owned(), out))
}

/// The fields up to the closing brace; a comment that goes on in the next line belongs to the field before.
fn fields<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Vec<(String, String, String)> {
    let mut fields: Vec<(String, String, String)> = Vec::new();
    for line in lines.take_while(|line| !line.starts_with('}')) {
        let (code, comment) = line.split_once("//").map_or((line, ""), |(code, comment)| (code, comment.trim()));
        let code = code.trim().trim_end_matches(',');
        match (code.split_once(": "), fields.last_mut()) {
            (Some((name, ty)), _) => fields.push((name.to_owned(), ty.to_owned(), comment.to_owned())),
            (None, Some(last)) => last.2 = format!("{} {comment}", last.2),
            (None, None) => {}
        }
    }
    fields
}

/// Rust type, size and alignment [bytes] of a type of the host-shareable part of WGSL.
fn host_type(ty: &str, structs: &HashMap<String, (String, usize, usize)>) -> Option<(String, usize, usize)> {
    let vector = |scalar: &str, n: usize| Some((format!("[{scalar}; {n}]"), 4 * n, if n == 3 { 16 } else { 4 * n }));
    if let Some(inner) = ty.strip_prefix("atomic<").and_then(|t| t.strip_suffix('>')) {
        return host_type(inner, structs);
    }
    if let Some((inner, count)) =
        ty.strip_prefix("array<").and_then(|t| t.strip_suffix('>')).and_then(|t| t.split_once(", "))
    {
        let count: usize = count.trim_end_matches('u').parse().ok()?;
        let (rust, size, align) = host_type(inner, structs)?;
        // Elements with gaps between them have no such array in Rust.
        return (size % align == 0).then(|| (format!("[{rust}; {count}]"), size * count, align));
    }
    match ty {
        "u32" | "i32" | "f32" => Some((ty.to_owned(), 4, 4)),
        "vec2f" => vector("f32", 2),
        "vec3f" => vector("f32", 3),
        "vec4f" => vector("f32", 4),
        "vec2u" => vector("u32", 2),
        "vec3u" => vector("u32", 3),
        "vec4u" => vector("u32", 4),
        "vec3i" => vector("i32", 3),
        "vec4i" => vector("i32", 4),
        "mat3x3f" => Some(("[[f32; 4]; 3]".to_owned(), 48, 16)),
        "mat4x4f" => Some(("[[f32; 4]; 4]".to_owned(), 64, 16)),
        _ => structs.get(ty).cloned(),
    }
}

/// One Rust module for each folder and file.
fn modules(files: &BTreeMap<String, File>) -> String {
    let mut structs = HashMap::new();
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    // Structs hold structs of other files: until no more of them are understood.
    let mut left: Vec<(&String, &Struct)> =
        files.iter().flat_map(|(name, file)| file.structs.iter().map(move |layout| (name, layout))).collect();
    let mut layouts = String::new();
    loop {
        let before = left.len();
        left.retain(|(name, layout)| {
            let Some(Written { text, layout: listed, size, align }) = written(layout, name, &structs) else {
                return true;
            };
            texts.entry(name).or_default().push_str(&text);
            layouts += &listed;
            let path = format!("super::super::{}::{}", name.replace('/', "::r#"), layout.name);
            structs.insert(layout.name.clone(), (path, size, align));
            false
        });
        if left.len() == before {
            break;
        }
    }
    let mut out = String::new();
    let mut numbers = String::new();
    let mut open = "";
    for (name, file) in files {
        let constants: String =
            file.constants.iter().map(|(name, ty, value)| format!("pub const {name}: {ty} = {value};\n")).collect();
        for (constant, _, _) in &file.constants {
            let path = format!("r#{}::{constant}", name.replace('/', "::r#"));
            let _ = writeln!(numbers, "    ({name:?}, {constant:?}, {path} as f64),");
        }
        let Some((folder, stem)) = name.split_once('/') else { continue };
        if open != folder {
            if !open.is_empty() {
                out += "}\n";
            }
            let _ = writeln!(out, "pub mod {folder} {{");
            open = folder;
        }
        let text = texts.remove(name.as_str()).unwrap_or_default();
        let _ = writeln!(out, "pub mod r#{stem} {{\n{constants}{text}}}");
    }
    out += "}\n";
    out += "/// Every struct above: file, name, size and offsets of fields [bytes].\n";
    out += "pub static LAYOUTS: &[(&str, &str, usize, &[(&str, usize)])] = &[\n";
    out = out + &layouts + "];\n/// Every constant above: file, name, value.\n";
    out + "pub static CONSTANTS: &[(&str, &str, f64)] = &[\n" + &numbers + "];\n"
}

/// A struct as Rust.
struct Written {
    text: String,
    /// Its entry in the list of all.
    layout: String,
    size: usize,
    align: usize,
}

/// The struct in Rust with its size and alignment, gaps filled; nothing for one that only shaders can hold.
fn written(layout: &Struct, file: &str, structs: &HashMap<String, (String, usize, usize)>) -> Option<Written> {
    let (mut at, mut align, mut pads) = (0_usize, 4_usize, 0);
    let mut body = String::new();
    let mut listed = String::new();
    let mut pad = |from: usize, to: usize, body: &mut String| {
        if to > from {
            let _ = writeln!(body, "    #[doc(hidden)]\n    pub pad{pads}: [u32; {}],", (to - from) / 4);
            pads += 1;
        }
    };
    for (name, ty, comment) in &layout.fields {
        // What passes from stage to stage is in no buffer.
        if name.starts_with('@') {
            return None;
        }
        let (rust, size, own) = host_type(ty, structs)?;
        let place = at.next_multiple_of(own);
        pad(at, place, &mut body);
        let said = if comment.is_empty() { name } else { comment };
        let _ = writeln!(body, "    #[doc = {said:?}]\n    pub {name}: {rust},");
        let _ = write!(listed, "({name:?}, {place}), ");
        at = place + size;
        align = align.max(own);
    }
    pad(at, at.next_multiple_of(align), &mut body);
    let size = at.next_multiple_of(align);
    let about =
        if layout.about.is_empty() { format!("`{}` of `{file}`.", layout.name) } else { layout.about.join(" ") };
    let name = &layout.name;
    let text = format!(
        "#[doc = {about:?}]\n#[repr(C)]\n#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]\n\
         pub struct {name} {{\n{body}}}\n"
    );
    let layout = format!("    ({file:?}, {name:?}, {size}, &[{listed}]),\n");
    Some(Written { text, layout, size, align })
}
