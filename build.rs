//! Lists every file of `shaders/` so that the crate embeds them: a new `.wgsl` file needs no entry anywhere.

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
    for name in names {
        let _ = writeln!(
            list,
            "    ({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/shaders/{name}.wgsl\"))),"
        );
    }
    list += "];\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set by cargo"))?);
    fs::write(out.join("shaders.rs"), list)
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
