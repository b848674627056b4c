//! Writes `assets/dancer.glb`, or the file named on the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    let standard = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/dancer.glb");
    let path = std::env::args().nth(1).unwrap_or_else(|| standard.to_owned());
    let bytes = dancer::character();
    match std::fs::write(&path, &bytes) {
        Ok(()) => {
            println!("{path}: {} KiB", bytes.len() / 1024);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cannot write {path}: {error}; name another file on the command line");
            ExitCode::FAILURE
        }
    }
}
