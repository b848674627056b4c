//! The shape of the source: who may know whom, how long a shader's functions are, where shaders live, and that what the
//! documents name is there.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Item, UseTree};

/// What each folder of `src` may name as `crate::…`. `main.rs` and `lib.rs` may name all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("pack", &[]),
    ("constraints", &["pack"]),
    ("scene", &["constraints", "pack"]),
    ("import", &["scene", "pack"]),
    ("animation", &["scene", "import", "pack"]),
    ("ragdoll", &["scene", "import", "animation"]),
    ("gpu", &[]),
    ("guide", &[]),
    ("solver", &["scene", "constraints", "gpu", "pack"]),
    ("render", &["scene", "gpu", "solver"]),
    ("spawn", &["scene", "constraints", "import", "ragdoll", "animation"]),
    ("demos", &["scene", "constraints", "import", "animation", "spawn"]),
    ("scene_file", &["scene", "constraints", "import", "animation", "spawn", "demos", "pack"]),
    ("export", &["scene", "animation", "solver"]),
    ("report", &["scene", "constraints", "animation", "demos", "scene_file", "gpu", "solver"]),
    (
        "app",
        &[
            "scene",
            "constraints",
            "import",
            "ragdoll",
            "animation",
            "demos",
            "scene_file",
            "spawn",
            "gpu",
            "solver",
            "render",
            "export",
            "report",
        ],
    ),
];

/// Crates that only some folders may name.
const CRATES: &[(&str, &[&str])] = &[
    ("wgpu", &["gpu", "solver", "render", "app"]),
    ("naga", &["gpu"]),
    ("winit", &["app"]),
    ("egui", &["app"]),
    ("egui_wgpu", &["app"]),
    ("egui_winit", &["app"]),
    ("egui_plot", &["app"]),
    ("egui_kittest", &["app"]),
    ("wasm_bindgen", &["app"]),
    ("wasm_bindgen_futures", &["app"]),
    ("web_sys", &["gpu", "app"]),
    ("js_sys", &["app"]),
    ("web_time", &["app"]),
    ("directories", &["app"]),
    ("clap", &["app"]),
    ("anyhow", &["app"]),
    ("gltf", &["import", "export"]),
    ("ron", &["ragdoll", "scene_file", "app"]),
    ("data_url", &["import"]),
    ("draco_core", &["import"]),
    ("basisu", &["import"]),
    ("ruzstd", &["import"]),
    ("percent_encoding", &["import"]),
    ("indicatif", &["app"]),
    ("signal_hook", &["app"]),
    ("plotters", &["report"]),
    ("image", &["import", "export", "render", "app"]),
    ("color_quant", &["app"]),
    ("gif", &["app"]),
    ("flate2", &["app"]),
];

/// Folders of `src` whose files still import each other in circles, and why.
const CIRCLES: &[(&str, &str)] = &[
    ("constraints", "types are listed where their ground is"),
    ("solver", "the files of the host are parts of one type"),
];

/// Most lines of code of a function in WGSL, without comments and blank lines; `clippy.toml` has the same for Rust.
const MOST_LINES: usize = 60;
/// Files with a longer function, and why.
const LONG_SHADERS: &[(&str, &str)] = &[
    ("shaders/contacts/apply_bodies.wgsl", "sums all that a body is given in one walk"),
    ("shaders/contacts/manifold.wgsl", "normal impulse and friction of a contact in one function"),
    ("shaders/fluid/density.wgsl", "density and its gradients in one walk over neighbors"),
    ("shaders/narrow_phase/update.wgsl", "bodies and particles in one function"),
];

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

/// What a file of Rust names, without its tests.
#[derive(Default)]
struct Names {
    /// Paths in its code, by segment.
    paths: Vec<Vec<String>>,
    /// Imports: the path, the name that it has here, and whether others may import it from here.
    imports: Vec<(Vec<String>, String, bool)>,
}

impl Names {
    fn of(path: &str, text: &str) -> Self {
        let mut names = Self::default();
        names.visit_file(&syn::parse_file(text).unwrap_or_else(|e| panic!("{path}: {e}")));
        names
    }

    /// Every path that the file names, without single names, which may be local.
    fn all(&self) -> impl Iterator<Item = &[String]> {
        let paths = self.paths.iter().filter(|path| path.len() > 1);
        paths.chain(self.imports.iter().map(|(path, ..)| path)).map(Vec::as_slice)
    }

    fn import(&mut self, tree: &UseTree, before: &[String], shown: bool) {
        let joined = |ident: &syn::Ident| [before, &[ident.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &joined(&path.ident), shown),
            UseTree::Name(name) if name.ident == "self" => {
                self.imports.push((before.to_vec(), before.last().cloned().unwrap_or_default(), shown));
            }
            UseTree::Name(name) => self.imports.push((joined(&name.ident), name.ident.to_string(), shown)),
            UseTree::Rename(name) => self.imports.push((joined(&name.ident), name.rename.to_string(), shown)),
            UseTree::Glob(_) => self.imports.push((before.to_vec(), "*".into(), shown)),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.import(item, before, shown)),
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_item(&mut self, item: &'a Item) {
        // A module's tests may build scenes and devices from anywhere.
        if !is_test(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.import(&item.tree, &[], !matches!(item.vis, syn::Visibility::Inherited));
    }

    /// `pub(super)` names no one.
    fn visit_vis_restricted(&mut self, _: &'a syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.paths.push(path.segments.iter().map(|s| s.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        visit::visit_macro(self, call);
        // What a macro is given need not be Rust; paths in it are found as words.
        let text = call.tokens.to_string().replace(" :: ", "::").replace("crate ::", "crate::");
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        let paths = words.filter(|w| w.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        self.paths.extend(paths.map(|w| w.split("::").map(str::to_owned).collect()));
    }
}

fn is_test(item: &Item) -> bool {
    let attributes = match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|a| a.path().is_ident("cfg") && a.parse_args::<syn::Ident>().is_ok_and(|name| name == "test"))
}

/// Files of `src` without those that only tests are made of, with what they name.
fn sources() -> Vec<(String, Names)> {
    let all = files("src", "rs");
    let tests: BTreeSet<String> = all.iter().flat_map(|(path, text)| test_files(path, text)).collect();
    let is_test = |path: &str| tests.iter().any(|test| path == test || is_below(path, test.trim_end_matches(".rs")));
    let kept = all.iter().filter(|(path, _)| !is_test(path));
    kept.map(|(path, text)| (path.clone(), Names::of(path, text))).collect()
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Files that this one declares as `#[cfg(test)] mod name;`, each of which may be a folder.
fn test_files(path: &str, text: &str) -> Vec<String> {
    let (folder, file) = path.rsplit_once('/').expect("a file in a folder");
    let folder = match file {
        "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
        _ => path.trim_end_matches(".rs").to_owned(),
    };
    let items = syn::parse_file(text).unwrap_or_else(|e| panic!("{path}: {e}")).items;
    let modules = items.iter().filter(|item| is_test(item)).filter_map(|item| match item {
        Item::Mod(module) if module.content.is_none() => Some(format!("{folder}/{}.rs", module.ident)),
        _ => None,
    });
    modules.collect()
}

/// The folder of a file under `src`; `None` for files beside the folders.
fn folder(path: &str) -> Option<&str> {
    path.strip_prefix("src/")?.split_once('/').map(|(folder, _)| folder)
}

/// Every breach of the import rules in one file.
fn breaches(path: &str, names: &Names) -> Vec<String> {
    let Some(folder) = folder(path) else { return Vec::new() };
    let allowed = MAY_USE.iter().find(|(name, _)| *name == folder).map(|(_, allowed)| *allowed);
    let Some(allowed) = allowed else { return vec![format!("{path}: the rules do not know src/{folder}")] };
    let modules: BTreeSet<&str> = MAY_USE.iter().map(|(name, _)| *name).collect();
    let crates: BTreeSet<&str> = names.all().map(|p| p[0].as_str()).collect();
    let used: BTreeSet<&str> = names.all().filter(|p| p[0] == "crate" && p.len() > 1).map(|p| p[1].as_str()).collect();
    let forbidden = used.iter().filter(|n| **n != folder && modules.contains(*n) && !allowed.contains(n));
    let mut found: Vec<String> = forbidden.map(|n| format!("{path}: {folder} must not use {n}")).collect();
    let unfit = CRATES.iter().filter(|(name, folders)| !folders.contains(&folder) && crates.contains(name));
    found.extend(unfit.map(|(name, _)| format!("{path}: {folder} must not name the crate {name}")));
    found
}

#[test]
fn nobody_knows_more_than_the_design_allows() {
    let found: Vec<String> = sources().iter().flat_map(|(path, names)| breaches(path, names)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_rules_see_what_they_forbid() {
    let sees = |path: &str, text: &str| breaches(path, &Names::of(path, text)).len();
    assert_eq!(sees("src/scene/body.rs", "use crate::gpu::Context;"), 1);
    assert_eq!(sees("src/scene/body.rs", "use crate::{constraints::Color, solver};\nfn f(x: wgpu::Buffer) {}"), 2);
    assert_eq!(sees("src/render/mod.rs", "fn f() { crate::app::run(); }"), 1);
    assert_eq!(sees("src/render/mod.rs", "fn f() { assert!(crate::app::runs(), \"no\"); }"), 1);
    assert_eq!(sees("src/solver/step.rs", "use winit;"), 1);
    assert_eq!(sees("src/nowhere/a.rs", ""), 1);
    assert_eq!(
        sees("src/scene/body.rs", "// use crate::gpu\nconst A: &str = \"wgpu::Buffer // \\\" gltf::\"; /* */"),
        0
    );
    assert_eq!(sees("src/scene/body.rs", "use super::Shape;\nuse crate::scene::Scene;"), 0);
    assert_eq!(sees("src/scene/body.rs", "#[cfg(test)]\nmod tests { use crate::gpu::Context; }"), 0);
    assert_eq!(sees("src/solver/run.rs", "use crate::gpu::wgpu::Queue;\nuse crate::{scene::{Scene, Body}, gpu};"), 0);
    assert_eq!(sees("src/main.rs", "use winit::event;"), 0);
}

/// The files of a folder of `src` and whom each of them imports. Who re-exports a thing hands it on and is not asked; it
/// imports it where it names it in its own code.
struct Imports<'a> {
    /// What each file names, by its path as a module: `["scene", "body"]`.
    modules: BTreeMap<Vec<String>, &'a Names>,
}

impl<'a> Imports<'a> {
    fn new(files: impl IntoIterator<Item = (&'a str, &'a Names)>) -> Self {
        let module = |path: &str| {
            let path = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
            path.split('/').map(str::to_owned).collect()
        };
        Self { modules: files.into_iter().map(|(path, names)| (module(path), names)).collect() }
    }

    /// `path`, named in the module `here`, from the root of the crate; none for what is of another crate or local.
    fn absolute(&self, here: &[String], path: &[String]) -> Option<Vec<String>> {
        let mut from = here.to_vec();
        let mut rest = path;
        match path.first().map(String::as_str) {
            Some("crate") => (from, rest) = (Vec::new(), &path[1..]),
            Some("self") => rest = &path[1..],
            Some("super") => {
                while rest.first().is_some_and(|s| s == "super") {
                    from.pop();
                    rest = &rest[1..];
                }
            }
            Some(_) if self.modules.contains_key(&[here, &path[..1]].concat()) => {}
            _ => return None,
        }
        from.extend_from_slice(rest);
        Some(from)
    }

    /// The module that has what `path` names: not the one that only hands it on.
    fn home(&self, path: &[String]) -> Option<Vec<String>> {
        let depth = (1..=path.len()).rev().find(|n| self.modules.contains_key(&path[..*n]))?;
        let (module, rest) = path.split_at(depth);
        let handed = rest.first().and_then(|name| self.modules[module].imports.iter().find(|(_, n, _)| n == name));
        match handed.and_then(|(from, ..)| self.absolute(module, from)).filter(|from| from != path) {
            Some(from) => self.home(&from),
            None => Some(module.to_vec()),
        }
    }

    /// Modules that `here` imports something from.
    fn of(&self, here: &[String]) -> BTreeSet<Vec<String>> {
        let names = self.modules[here];
        let named: BTreeSet<&str> = names.paths.iter().map(|p| p[0].as_str()).collect();
        let used = names.imports.iter().filter(|(_, name, shown)| !shown || named.contains(name.as_str()));
        let paths = names.paths.iter().chain(used.map(|(path, ..)| path));
        let homes = paths.filter_map(|path| self.home(&self.absolute(here, path)?));
        homes.filter(|module| module != here).collect()
    }

    /// The shortest way from each file back to itself, each circle once.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        let imports: BTreeMap<_, _> = self.modules.keys().map(|m| (m.clone(), self.of(m))).collect();
        let circles = imports.keys().filter_map(|start| way_back(&imports, start));
        circles.map(|circle| circle.iter().map(|module| module.join("::")).collect()).collect()
    }
}

/// The shortest circle through `start`, beginning with its least member.
fn way_back(imports: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>, start: &Vec<String>) -> Option<Vec<Vec<String>>> {
    let mut ways = VecDeque::from([vec![start.clone()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in &imports[way.last()?] {
            if next == start {
                let least = (0..way.len()).min_by_key(|i| &way[*i])?;
                return Some([&way[least..], &way[..least]].concat());
            }
            if seen.insert(next.clone()) {
                ways.push_back([way.clone(), vec![next.clone()]].concat());
            }
        }
    }
    None
}

/// Circles among the files of each folder of `src`.
fn circles<'a>(files: impl Iterator<Item = (&'a str, &'a Names)> + Clone) -> BTreeMap<&'a str, Vec<String>> {
    let folders: BTreeSet<&str> = files.clone().filter_map(|(path, _)| folder(path)).collect();
    let of = |name: &str| Imports::new(files.clone().filter(|(path, _)| folder(path) == Some(name))).circles();
    let told = |name| (name, of(name).iter().map(|circle| circle.join(" -> ")).collect());
    folders.into_iter().map(told).collect()
}

#[test]
fn files_of_a_folder_do_not_import_each_other_in_circles() {
    let sources = sources();
    let mut wrong = Vec::new();
    for (folder, found) in circles(sources.iter().map(|(path, names)| (path.as_str(), names))) {
        match CIRCLES.iter().any(|(name, why)| *name == folder && !why.is_empty()) {
            true if found.is_empty() => wrong.push(format!("src/{folder} has no circles: take it off the list")),
            true => {}
            false => wrong.extend(found),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What every stage of the solver stands on.
const GROUND: &[&str] = &["ground", "rows", "stage"];

#[test]
fn a_stage_has_its_folder_of_shaders_and_knows_no_other_stage() {
    let sources = sources();
    let imports = Imports::new(sources.iter().map(|(path, names)| (path.as_str(), names)));
    let shaders = files("shaders", "wgsl");
    let folders = shaders.iter().filter_map(|(path, _)| path.split('/').nth(1));
    let folders: BTreeSet<&str> = folders.filter(|folder| !["common", "render"].contains(folder)).collect();
    let of_stages = |module: &[String]| module.len() > 2 && module[0] == "solver" && module[1] == "stages";
    let modules: Vec<_> = imports.modules.keys().filter(|module| of_stages(module)).collect();
    let mut wrong = Vec::new();
    for stage in folders.iter().filter(|stage| !modules.iter().any(|module| module[2] == **stage)) {
        wrong.push(format!("shaders/{stage} has no src/solver/stages/{stage}"));
    }
    for module in modules {
        let (stage, path) = (module[2].as_str(), module.join("::"));
        if !folders.contains(stage) && !GROUND.contains(&stage) {
            wrong.push(format!("{path} has no shaders/{stage}"));
        }
        let is_known = |name: &str| GROUND.contains(&name) || name == stage;
        let met = imports.of(module).into_iter().filter(|other| other[0] == "solver");
        let others = met.filter(|other| !(of_stages(other) && is_known(&other[2])));
        wrong.extend(others.map(|other| format!("{path} must not know {}", other.join("::"))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn circles_are_seen() {
    let found = |files: &[(&str, &str)]| {
        let names: Vec<_> = files.iter().map(|(path, text)| (*path, Names::of(path, text))).collect();
        circles(names.iter().map(|(path, names)| (*path, names))).remove("a").unwrap_or_default()
    };
    let child = ("src/a/b.rs", "use super::Ground;\npub struct B(Ground);");
    // Declaring and handing on is no import, defining or using is one.
    assert!(found(&[("src/a/mod.rs", "mod b;\nmod g;\npub use b::B;\npub use g::Ground;"), child]).is_empty());
    assert_eq!(found(&[("src/a/mod.rs", "mod b;\npub use b::B;\nstruct Ground;\nfn f() -> B {}"), child]).len(), 1);
    assert_eq!(found(&[("src/a/mod.rs", "mod b;\nstruct Ground;\nfn f() { b::make() }"), child]).len(), 1);
    assert!(found(&[("src/a/mod.rs", "mod b;\npub struct Ground;"), child]).is_empty());
    let three =
        [("src/a/b.rs", "use super::c::C;"), ("src/a/c.rs", "use crate::a::d;"), ("src/a/d.rs", "use super::b;")];
    assert_eq!(found(&three), ["a::b -> a::c -> a::d"]);
    assert!(found(&three[..2]).is_empty());
}

/// Functions of a shader with the lines of code of their blocks. A function begins and ends at the start of a line.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    let (mut head, mut block) = (false, false);
    for line in text.lines() {
        let name = line.strip_prefix("fn ").or_else(|| line.split_once(" fn ").map(|(_, name)| name));
        if let (true, Some(name)) = (line.starts_with(['f', '@']), name) {
            found.push((name.split('(').next().unwrap_or(name), 0));
            (head, block) = (true, false);
        } else if let (true, Some(last)) = (block && !line.starts_with('}'), found.last_mut()) {
            let code = line.trim();
            last.1 += usize::from(!code.is_empty() && !code.starts_with("//"));
        }
        block = (block || head && line.ends_with('{')) && !line.starts_with('}');
        head &= !block && !line.ends_with('}');
    }
    found
}

#[test]
fn functions_of_shaders_stay_short() {
    let mut count = 0;
    for (path, text) in files("shaders", "wgsl") {
        let found = functions(&text);
        count += found.len();
        let long: Vec<_> = found.into_iter().filter(|(_, lines)| *lines > MOST_LINES).collect();
        let excepted = LONG_SHADERS.iter().any(|(name, why)| *name == path && !why.is_empty());
        assert!(excepted || long.is_empty(), "{path}: at most {MOST_LINES} lines a function, not {long:?}");
        assert!(!excepted || !long.is_empty(), "{path} has no long function: take it off the list");
    }
    assert!(count > 200, "{count} functions found");
    let clippy = fs::read_to_string(root().join("clippy.toml")).expect("clippy.toml");
    assert!(clippy.contains(&format!("too-many-lines-threshold = {MOST_LINES}\n")), "clippy.toml has another number");
    let two = "@compute @workgroup_size(64) fn main() {\n    a();\n    // b\n\n}\nfn b() { c(); }\nfn next(\n    a: f32,\n) {\n    b();\n}\n";
    assert_eq!(functions(two), [("main", 1), ("b", 0), ("next", 1)]);
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
    let named = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];
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

/// Where the programs and modules of tests are that a document names by a command, `--test PROGRAM -- MODULE::NAME`: either of two files each.
fn tested(text: &str) -> Vec<[String; 2]> {
    let commands = text.split("--test ").skip(1).filter_map(|rest| rest.split('`').next());
    let commands = commands.filter(|command| command.starts_with(|c: char| c.is_ascii_lowercase()));
    let of_command = |command: &str| {
        let mut words = command.split_whitespace();
        let program = words.next().unwrap_or_default().to_owned();
        let modules = words.filter_map(|word| word.split_once("::").map(|(module, _)| format!("{program}/{module}")));
        let files = modules.map(|module| [format!("tests/{module}.rs"), format!("tests/{module}/mod.rs")]);
        let main = [format!("tests/{program}.rs"), format!("tests/{program}/main.rs")];
        std::iter::once(main).chain(files).collect::<Vec<_>>()
    };
    commands.flat_map(of_command).collect()
}

/// What a document names that is not there.
fn missing(path: &str, text: &str) -> Vec<String> {
    let folder = root().join(path);
    let folder = folder.parent().expect("a file lies in a folder");
    let links = linked(text).into_iter().filter(|target| !folder.join(target).exists());
    let paths = pathed(text).into_iter().filter(|named| !root().join(named).exists());
    let tests = tested(text).into_iter().filter(|either| !either.iter().any(|file| root().join(file).exists()));
    let all = links.chain(paths).map(str::to_owned).chain(tests.map(|[file, _]| file));
    all.map(|what| format!("{path} names {what}, which is not there")).collect()
}

#[test]
fn documents_name_only_what_is_there() {
    let documents = documents();
    assert!(documents.len() > 10, "{} documents", documents.len());
    let found: Vec<String> = documents.iter().flat_map(|(path, text)| missing(path, text)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Inline links of a page of the guide to another one, which its page of the documentation would keep as they are.
fn kept(text: &str) -> Vec<&str> {
    let inline = text.match_indices("](").filter_map(|(at, _)| text[at + 2..].split(')').next());
    inline.filter(|target| !target.contains("://") && target.contains(".md")).collect()
}

#[test]
fn pages_of_the_guide_link_one_another_by_reference() {
    let found: Vec<_> = files("src/guide", "md").into_iter().filter(|(_, text)| !kept(text).is_empty()).collect();
    assert!(found.is_empty(), "{:?}", found.iter().map(|(path, text)| (path, kept(text))).collect::<Vec<_>>());
    assert_eq!(kept("[a](b.md#c), [d](https://x.org/y.md), [e](#f) and [g].\n\n[g]: h.md\n"), ["b.md#c"]);
}

#[test]
fn what_is_missing_is_seen() {
    let lost = |text: &str| missing("src/guide/x.md", text).len();
    assert_eq!(
        lost("[a](step.md), [b](https://x.org/y.md), `tests/house/tree.rs`, `src/scene/`, shaders/NAME.wgsl."),
        0
    );
    assert_eq!(lost("[a](nowhere.md) and `src/nowhere.rs`.\n\n[c]: lost.md\n"), 3);
    assert_eq!(
        lost("`--test drivers`, `--test house -- tree::what --nocapture`, `--test bodies -- shapes::balls::`"),
        0
    );
    assert_eq!(lost("`--test tree`, `--test house -- --ignored nowhere::a api::b`, `nowhere::c`"), 2);
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
    let tables = cargo.split("dependencies]\n").skip(1).filter_map(|t| t.split("\n[").next());
    for name in tables.flat_map(str::lines).filter_map(|l| l.split_once(" = ").map(|(name, _)| name)) {
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
    for parent in ["src", "src/solver"] {
        for entry in fs::read_dir(root().join(parent)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{parent}/{}/", path.file_name().unwrap().to_string_lossy());
            assert!(!path.is_dir() || page.contains(&name), "architecture.md does not name {name}");
        }
    }
}
