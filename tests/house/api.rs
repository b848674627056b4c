//! The public interface, listed: `tests/house/api.txt` has a line for each public item, so that a change of it is seen.
//! `SINEW_WRITE_API=1 cargo test --release --test house -- api::` writes it anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Type, UseTree, Visibility};

const LIST: &str = "tests/house/api.txt";

/// What one module says.
#[derive(Default)]
struct Module {
    /// Lines of its public items, by their names.
    items: BTreeMap<String, BTreeSet<String>>,
    /// Modules below it that are public.
    modules: BTreeSet<String>,
    /// What it takes from elsewhere: the path, and its name here; `*` for all.
    uses: Vec<(Vec<String>, String)>,
}

/// All modules by their paths, and public functions of types by folder and type: those of one type stand in many files.
#[derive(Default)]
struct Library {
    modules: BTreeMap<Vec<String>, Module>,
    methods: BTreeMap<(String, String), BTreeSet<String>>,
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| {
        let text = a.meta.to_token_stream().to_string();
        text.contains("cfg (test)") || text.contains("cfg (doctest)") || text == "doc (hidden)"
    })
}

/// Tokens as people write them.
fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (loose, tight) in [
        (" :: ", "::"),
        (" ,", ","),
        (" :", ":"),
        (" ;", ";"),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        ("& ", "&"),
        (" < ", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("[ ", "["),
        (" ]", "]"),
        ("' ", "'"),
        (",)", ")"),
        ("->", " ->"),
        ("  ", " "),
        ("::<", "<"),
    ] {
        text = text.replace(loose, tight);
    }
    text.replace(" -> ", "->").replace("->", " -> ").replace("  ", " ").trim().to_owned()
}

fn fields(name: &str, fields: &Fields, lines: &mut BTreeSet<String>, all: bool) {
    for (field, index) in fields.iter().zip(0..) {
        if all || is_public(&field.vis) {
            let own = field.ident.as_ref().map_or(format!("{index}"), ToString::to_string);
            lines.insert(format!("{name}.{own}: {}", text(&field.ty)));
        }
    }
}

impl Library {
    fn read(&mut self, path: &Path, module: &[String]) {
        let file = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
        self.take(&file.items, path, module);
    }

    fn take(&mut self, items: &[Item], path: &Path, module: &[String]) {
        for item in items {
            match item {
                Item::Mod(m) if !is_left_out(&m.attrs) => {
                    let name = m.ident.to_string();
                    let below = [module, std::slice::from_ref(&name)].concat();
                    if is_public(&m.vis) {
                        self.modules.entry(module.to_vec()).or_default().modules.insert(name.clone());
                    }
                    match &m.content {
                        Some((_, inner)) => self.take(inner, path, &below),
                        None => self.read(&file_of(path, module, &name), &below),
                    }
                }
                Item::Use(u) if is_public(&u.vis) => {
                    let uses = &mut self.modules.entry(module.to_vec()).or_default().uses;
                    follow(&u.tree, &mut Vec::new(), uses);
                }
                Item::Impl(i) if i.trait_.is_none() && !is_left_out(&i.attrs) => self.take_methods(i, module),
                other => self.take_item(other, module),
            }
        }
    }

    fn take_methods(&mut self, block: &syn::ItemImpl, module: &[String]) {
        let Type::Path(own) = &*block.self_ty else { return };
        let name = own.path.segments.last().unwrap().ident.to_string();
        let key = (module.first().cloned().unwrap_or_default(), name.clone());
        let lines = self.methods.entry(key).or_default();
        for item in &block.items {
            match item {
                ImplItem::Fn(f) if is_public(&f.vis) => {
                    let signature = text(&f.sig);
                    lines.insert(format!("{name}::{}", signature.replacen("fn ", "", 1)));
                }
                ImplItem::Const(c) if is_public(&c.vis) => {
                    lines.insert(format!("{name}::{}: {}", c.ident, text(&c.ty)));
                }
                _ => {}
            }
        }
    }

    fn take_item(&mut self, item: &Item, module: &[String]) {
        let mut lines = BTreeSet::new();
        let (vis, attributes, name) = match item {
            Item::Struct(s) => {
                let name = s.ident.to_string();
                lines.insert(format!("struct {name}{}", text(&s.generics)));
                fields(&name, &s.fields, &mut lines, false);
                (&s.vis, &s.attrs, name)
            }
            Item::Enum(e) => {
                let name = e.ident.to_string();
                lines.insert(format!("enum {name}{}", text(&e.generics)));
                for variant in &e.variants {
                    let own = format!("{name}::{}", variant.ident);
                    fields(&own, &variant.fields, &mut lines, true);
                    lines.insert(own);
                }
                (&e.vis, &e.attrs, name)
            }
            Item::Fn(f) => {
                lines.insert(text(&f.sig));
                (&f.vis, &f.attrs, f.sig.ident.to_string())
            }
            Item::Const(c) => {
                lines.insert(format!("const {}: {}", c.ident, text(&c.ty)));
                (&c.vis, &c.attrs, c.ident.to_string())
            }
            Item::Static(s) => {
                lines.insert(format!("static {}: {}", s.ident, text(&s.ty)));
                (&s.vis, &s.attrs, s.ident.to_string())
            }
            Item::Type(t) => {
                lines.insert(format!("type {} = {}", t.ident, text(&t.ty)));
                (&t.vis, &t.attrs, t.ident.to_string())
            }
            Item::Trait(t) => {
                let name = t.ident.to_string();
                lines.insert(format!("trait {name}"));
                for item in &t.items {
                    if let TraitItem::Fn(f) = item {
                        lines.insert(format!("{name}::{}", text(&f.sig).replacen("fn ", "", 1)));
                    }
                }
                (&t.vis, &t.attrs, name)
            }
            _ => return,
        };
        if is_public(vis) && !is_left_out(attributes) {
            self.modules.entry(module.to_vec()).or_default().items.entry(name).or_default().extend(lines);
        }
    }

    /// Lines of an item that a module has or takes from elsewhere.
    fn lines_of(&self, module: &[String], name: &str) -> Vec<String> {
        let Some(own) = self.modules.get(module) else { return Vec::new() };
        if let Some(lines) = own.items.get(name) {
            let key = (module.first().cloned().unwrap_or_default(), name.to_owned());
            let methods = self.methods.get(&key).into_iter().flatten();
            return lines.iter().chain(methods).cloned().collect();
        }
        let taken = own.uses.iter().filter(|(_, here)| here == name || here == "*");
        taken
            .flat_map(|(path, here)| self.taken(module, path, if here == "*" { name } else { path.last().unwrap() }))
            .collect()
    }

    fn taken(&self, module: &[String], path: &[String], name: &str) -> Vec<String> {
        let folder = self.place(module, path);
        let folder =
            if path.last().is_some_and(|last| last == name) { &folder[..folder.len() - 1] } else { &folder[..] };
        if folder == module { Vec::new() } else { self.lines_of(folder, name) }
    }

    /// A path as it is from the root.
    fn place(&self, module: &[String], path: &[String]) -> Vec<String> {
        match path[0].as_str() {
            "crate" => path[1..].to_vec(),
            "self" => [module, &path[1..]].concat(),
            "super" => [&module[..module.len() - 1], &path[1..]].concat(),
            _ => [module, path].concat(),
        }
    }

    /// Names that a module shows.
    fn names(&self, module: &[String]) -> BTreeSet<String> {
        let Some(own) = self.modules.get(module) else { return BTreeSet::new() };
        let mut names: BTreeSet<String> = own.items.keys().cloned().collect();
        for (path, here) in &own.uses {
            if here == "*" {
                names.extend(self.names(&self.place(module, path)));
            } else {
                names.insert(here.clone());
            }
        }
        names
    }

    fn list(&self, module: &[String], out: &mut Vec<String>) {
        let prefix = ["sinew"].into_iter().chain(module.iter().map(String::as_str)).collect::<Vec<_>>().join("::");
        for name in self.names(module) {
            let lines = self.lines_of(module, &name);
            let outside = lines.is_empty().then(|| format!("use {name}"));
            out.extend(lines.into_iter().chain(outside).map(|line| format!("{prefix} {line}")));
        }
        for below in self.modules.get(module).iter().flat_map(|m| &m.modules) {
            self.list(&[module, std::slice::from_ref(below)].concat(), out);
        }
    }
}

/// The file of a module that another one declares.
fn file_of(path: &Path, module: &[String], name: &str) -> PathBuf {
    let folder = path.parent().unwrap();
    let is_folder = path.ends_with("mod.rs") || path.ends_with("lib.rs");
    let folder = if is_folder { folder.to_owned() } else { folder.join(module.last().unwrap()) };
    let file = folder.join(format!("{name}.rs"));
    if file.exists() { file } else { folder.join(name).join("mod.rs") }
}

fn follow(tree: &UseTree, path: &mut Vec<String>, uses: &mut Vec<(Vec<String>, String)>) {
    let with = |path: &[String], name: String| [path, &[name]].concat();
    match tree {
        UseTree::Path(p) => {
            path.push(p.ident.to_string());
            follow(&p.tree, path, uses);
            path.pop();
        }
        UseTree::Name(n) => uses.push((with(path, n.ident.to_string()), n.ident.to_string())),
        UseTree::Rename(r) => uses.push((with(path, r.ident.to_string()), r.rename.to_string())),
        UseTree::Glob(_) => uses.push((path.clone(), "*".into())),
        UseTree::Group(g) => g.items.iter().for_each(|tree| follow(tree, path, uses)),
    }
}

#[test]
fn the_public_interface_is_as_listed() {
    let mut library = Library::default();
    library.read(Path::new("src/lib.rs"), &[]);
    let mut lines = Vec::new();
    library.list(&[], &mut lines);
    let now = lines.join("\n") + "\n";
    assert!(lines.len() > 1000 && now.contains("sinew::solver Solver::step(&mut self)"), "{} lines", lines.len());
    if std::env::var_os("SINEW_WRITE_API").is_some() {
        fs::write(LIST, &now).unwrap();
    }
    let listed = fs::read_to_string(LIST).unwrap_or_default();
    let (listed, now): (BTreeSet<&str>, BTreeSet<&str>) = (listed.lines().collect(), now.lines().collect());
    let change = |mark: char, of: Vec<&&str>| of.into_iter().map(|line| format!("{mark} {line}\n")).collect::<String>();
    let gone = change('-', listed.difference(&now).collect());
    let new = change('+', now.difference(&listed).collect());
    assert!(
        gone.is_empty() && new.is_empty(),
        "the public interface changed; if that is meant, write it anew with SINEW_WRITE_API=1 and tell CHANGELOG.md:\n{gone}{new}"
    );
}
