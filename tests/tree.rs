//! The shape of the source: who may know whom, file sizes, where shaders live, and that the README's tree is true.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each folder of `src` may name as `crate::…`. `main.rs` and `lib.rs` may name all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("constraints", &[]),
    ("scene", &["constraints"]),
    ("import", &["scene"]),
    ("animation", &["scene", "import"]),
    ("ragdoll", &["scene", "import", "animation"]),
    ("gpu", &[]),
    ("solver", &["scene", "constraints", "gpu"]),
    ("render", &["scene", "gpu", "solver"]),
    ("demos", &["scene", "constraints", "import", "ragdoll", "animation"]),
    ("report", &["scene", "constraints", "animation", "demos", "gpu", "solver"]),
    ("app", &["scene", "constraints", "import", "ragdoll", "animation", "demos", "gpu", "solver", "render", "report"]),
];

/// Crates that only some folders may name.
const CRATES: &[(&str, &[&str])] = &[
    ("wgpu", &["gpu", "solver", "render", "app"]),
    ("naga", &["gpu"]),
    ("winit", &["app"]),
    ("egui", &["app"]),
    ("egui_wgpu", &["app"]),
    ("egui_winit", &["app"]),
    ("clap", &["app"]),
    ("anyhow", &["app"]),
    ("gltf", &["import"]),
    ("data_url", &["import"]),
    ("percent_encoding", &["import"]),
    ("indicatif", &["app"]),
    ("parry3d", &["import", "ragdoll", "render", "app"]),
    ("image", &["import", "render", "app"]),
    ("gif", &["app"]),
];

const MOST_RUST_LINES: usize = 400;
const MOST_WGSL_LINES: usize = 180;
/// Files that may be longer: path, most lines, why.
const LONGER: &[(&str, usize, &str)] = &[];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `folder` with this ending, as paths from the repository root.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&root().join(folder), ending, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // Build outputs and dotted folders are not source.
        if path.is_dir() && name != "target" && name != "out" && !name.starts_with('.') {
            collect(&path, ending, found);
        } else if path.extension().is_some_and(|e| e == ending) {
            let text = fs::read_to_string(&path).unwrap();
            let short = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
            found.push((short, text));
        }
    }
}

/// The text without comments and string literals, so that only names of code are left.
fn code(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line;
        // A comment starts at `//` outside quotes; a quote in a char literal or an escape is not a string's end.
        while let Some(at) = rest.find(['"', '/', '\'']) {
            out.push_str(&rest[..at]);
            let tail = &rest[at..];
            if tail.starts_with("//") {
                rest = "";
            } else if let Some(string) = tail.strip_prefix('"') {
                rest = string_end(string);
            } else if let Some(after) = tail.strip_prefix("'\"'") {
                rest = after;
            } else {
                out.push_str(&tail[..1]);
                rest = &tail[1..];
            }
        }
        out.push_str(rest);
        out.push('\n');
    }
    out
}

fn string_end(text: &str) -> &str {
    let mut escaped = false;
    for (i, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return &text[i + 1..],
            _ => {}
        }
    }
    ""
}

/// Names that stand directly after `prefix`, also inside `prefix{a, b::c}`.
fn named(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let tail = &code[at + prefix.len()..];
        let word =
            |t: &str| t.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        match tail.strip_prefix('{') {
            Some(group) => names.extend(top_level_items(group).iter().map(|item| word(item))),
            None => drop(names.insert(word(tail))),
        }
    }
    names
}

/// Items of a `{…}` group whose opening brace is already gone, split at its own commas.
fn top_level_items(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(&group[start..i]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&group[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    items
}

/// Whether `code` names the crate: `name::…`, or `use name`.
fn names_crate(code: &str, name: &str) -> bool {
    let path = format!("{name}::");
    let starts = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    code.match_indices(&path).any(|(at, _)| starts(at))
        || code.contains(&format!("use {name};"))
        || code.contains(&format!("use {name} as"))
}

/// The folder of a file under `src`; `None` for files beside the folders.
fn folder(path: &str) -> Option<&str> {
    path.strip_prefix("src/")?.split_once('/').map(|(folder, _)| folder)
}

/// Every breach of the import rules in one file.
fn breaches(path: &str, text: &str) -> Vec<String> {
    let Some(folder) = folder(path) else { return Vec::new() };
    // A module's tests may build scenes and devices from anywhere.
    let code = code(text.split("#[cfg(test)]\nmod ").next().unwrap_or(text));
    let allowed = MAY_USE.iter().find(|(name, _)| *name == folder).map(|(_, allowed)| *allowed);
    let Some(allowed) = allowed else { return vec![format!("{path}: the rules do not know src/{folder}")] };
    let modules: BTreeSet<&str> = MAY_USE.iter().map(|(name, _)| *name).collect();
    let mut found: Vec<String> = named(&code, "crate::")
        .into_iter()
        .filter(|n| n != folder && modules.contains(n.as_str()) && !allowed.contains(&n.as_str()))
        .map(|n| format!("{path}: {folder} must not use {n}"))
        .collect();
    for (name, folders) in CRATES {
        if !folders.contains(&folder) && names_crate(&code, name) {
            found.push(format!("{path}: {folder} must not name the crate {name}"));
        }
    }
    found
}

#[test]
fn nobody_knows_more_than_the_design_allows() {
    let found: Vec<String> = files("src", "rs").iter().flat_map(|(path, text)| breaches(path, text)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_rules_see_what_they_forbid() {
    let sees = |path: &str, text: &str| breaches(path, text).len();
    assert_eq!(sees("src/scene/body.rs", "use crate::gpu::Context;"), 1);
    assert_eq!(sees("src/scene/body.rs", "use crate::{constraints::Color, solver};\nfn f(x: wgpu::Buffer) {}"), 2);
    assert_eq!(sees("src/render/mod.rs", "fn f() { crate::app::run(); }"), 1);
    assert_eq!(sees("src/solver/step.rs", "use winit;"), 1);
    assert_eq!(sees("src/nowhere/a.rs", ""), 1);
    assert_eq!(sees("src/scene/body.rs", "// use crate::gpu\nlet a = \"wgpu::Buffer // \\\" gltf::\"; /* */"), 0);
    assert_eq!(sees("src/scene/body.rs", "use super::Shape;\nuse crate::scene::Scene;"), 0);
    assert_eq!(sees("src/solver/run.rs", "use crate::gpu::wgpu::Queue;\nuse crate::{scene::{Scene, Body}, gpu};"), 0);
    assert_eq!(sees("src/main.rs", "use winit::event;"), 0);
}

#[test]
fn files_stay_short() {
    let mut long = Vec::new();
    let sized =
        [("src", "rs", MOST_RUST_LINES), ("tests", "rs", MOST_RUST_LINES), ("shaders", "wgsl", MOST_WGSL_LINES)];
    for (folder, ending, most) in sized {
        for (path, text) in files(folder, ending) {
            let most = LONGER.iter().find(|l| l.0 == path).map_or(most, |l| l.1);
            if text.lines().count() > most {
                long.push(format!("{path}: {} lines, at most {most}", text.lines().count()));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
    for (path, _, why) in LONGER {
        assert!(root().join(path).is_file() && !why.is_empty(), "{path} is excepted and does not exist");
    }
}

#[test]
fn every_file_says_what_it_is() {
    for (path, text) in files("src", "rs").iter().chain(&files("shaders", "wgsl")) {
        let sign = if path.ends_with(".rs") { "//!" } else { "//" };
        assert!(text.lines().take(12).any(|l| l.starts_with(sign)), "{path} has no head");
    }
}

#[test]
fn shaders_live_in_their_folder() {
    let stray: Vec<_> = files(".", "wgsl").into_iter().filter(|(path, _)| !path.starts_with("shaders/")).collect();
    assert!(stray.is_empty(), "{:?}", stray.iter().map(|s| &s.0).collect::<Vec<_>>());
    assert!(!files("shaders", "wgsl").is_empty());
}

#[test]
fn the_readme_shows_every_folder() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("src/{}", path.file_name().unwrap().to_string_lossy());
        assert!(!path.is_dir() || readme.contains(&name), "README.md does not name {name}");
    }
}
