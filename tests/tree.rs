//! The shape of the source: who may know whom, file sizes, where shaders live, and that what the
//! documents name is there.

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
    ("guide", &[]),
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
    ("plotters", &["report"]),
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

/// Most bytes of the README: a front door, not a log.
const MOST_README_BYTES: usize = 8192;
/// Where files of the repository begin that documents name by their path.
const PLACES: &[&str] = &["src/", "shaders/", "tests/", "tools/", "assets/", ".ci/"];

/// The documents of the repository.
fn documents() -> Vec<(String, String)> {
    let named = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    let read = |name: &str| (name.to_owned(), fs::read_to_string(root().join(name)).expect("a document"));
    named.into_iter().map(read).chain(files("src/guide", "md")).collect()
}

/// Targets of links that are files: of `[text](target)`, and of `[word]: target` at the start of a line.
fn linked(text: &str) -> Vec<&str> {
    let inline = text.match_indices("](").filter_map(|(at, _)| text[at + 2..].split(')').next());
    let defined = text.lines().filter_map(|l| l.strip_prefix('[')?.split_once("]: ").map(|(_, target)| target.trim()));
    let is_file = |target: &&str| !target.contains("://") && !target.starts_with('#');
    inline.chain(defined).filter(is_file).map(|target| target.split('#').next().unwrap_or(target)).collect()
}

/// Paths from the root of the repository, wherever a document names one.
fn pathed(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "_-./".contains(c)));
    let named = |word: &&str| PLACES.iter().any(|place| word.starts_with(place));
    let placeholder = |word: &&str| word.split(['/', '.']).any(|part| ["NAME", "FOLDER"].contains(&part));
    words.filter(named).filter(|word| !placeholder(word)).map(|word| word.trim_end_matches(['.', '/'])).collect()
}

/// What a document names that is not there.
fn missing(path: &str, text: &str) -> Vec<String> {
    let folder = root().join(path);
    let folder = folder.parent().expect("a file lies in a folder");
    let links = linked(text).into_iter().filter(|target| !folder.join(target).exists());
    let paths = pathed(text).into_iter().filter(|named| !root().join(named).exists());
    links.chain(paths).map(|what| format!("{path} names {what}, which is not there")).collect()
}

#[test]
fn documents_name_only_what_is_there() {
    let documents = documents();
    assert!(documents.len() > 10, "{} documents", documents.len());
    let found: Vec<String> = documents.iter().flat_map(|(path, text)| missing(path, text)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_is_missing_is_seen() {
    let lost = |text: &str| missing("src/guide/x.md", text).len();
    assert_eq!(lost("[a](step.md), [b](https://x.org/y.md), `tests/tree.rs`, `src/scene/`, shaders/NAME.wgsl."), 0);
    assert_eq!(lost("[a](nowhere.md) and `src/nowhere.rs`.\n\n[c]: lost.md\n"), 3);
}

#[test]
fn the_readme_is_a_front_door() {
    let bytes = fs::read(root().join("README.md")).expect("README.md").len();
    assert!(
        bytes <= MOST_README_BYTES,
        "README.md has {bytes} bytes, at most {MOST_README_BYTES}; move details to src/guide"
    );
}

#[test]
fn every_page_of_the_guide_is_shown_and_linked() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let (module, links, readme) = (read("src/guide/mod.rs"), read("src/guide/links.txt"), read("README.md"));
    for (path, _) in files("src/guide", "md") {
        let file = path.trim_start_matches("src/guide/");
        let page = file.trim_end_matches(".md");
        assert!(module.contains(&format!("{page} \"{file}\",")), "src/guide/mod.rs does not show {file}");
        assert!(links.lines().any(|l| l == format!("[{page}]: {page}")), "src/guide/links.txt lacks {page}");
        assert!(readme.contains(&format!("({path})")), "README.md does not link {path}");
    }
}

#[test]
fn every_dependency_and_demo_is_told() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let (cargo, page) = (read("Cargo.toml"), read("src/guide/dependencies.md"));
    let table = cargo.split("[dependencies]\n").nth(1).and_then(|t| t.split("\n[").next()).expect("dependencies");
    for name in table.lines().filter_map(|l| l.split_once(" = ").map(|(name, _)| name)) {
        assert!(page.contains(&format!("| `{name}` |")), "src/guide/dependencies.md lacks {name}");
    }
    let page = read("src/guide/command.md");
    for demo in sinew::demos::DEMOS {
        assert!(page.contains(&format!("`{}`", demo.name)), "src/guide/command.md lacks the demo {}", demo.name);
    }
}

#[test]
fn the_guide_shows_every_folder() {
    let page = fs::read_to_string(root().join("src/guide/architecture.md")).expect("architecture.md");
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("src/{}/", path.file_name().unwrap().to_string_lossy());
        assert!(!path.is_dir() || page.contains(&name), "architecture.md does not name {name}");
    }
}
