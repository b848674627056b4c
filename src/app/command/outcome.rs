//! The outcome of a command: its verdict, and lines on standard output and error.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::app::film::names_folder;
use crate::files;
use crate::solver::Solver;

/// How a command ended that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Well,
    Bad,
}

/// Writes to standard output. A reader that has had enough, as `head` has, is no error.
///
/// # Errors
/// It cannot be written.
pub(super) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot write to standard output"),
        _ => Ok(()),
    }
}

/// Makes sure that a file is none of those that were read: they would be lost.
///
/// # Errors
/// It is one of them.
pub(super) fn refuse_read(option: &str, path: &Path) -> Result<()> {
    if files::was_read(path) {
        bail!("{option}: `{}` is an input of this command and would be overwritten; give another name", path.display());
    }
    Ok(())
}

/// Makes sure that a file can be written later, and that nothing is lost by that.
///
/// # Errors
/// It cannot, or it was read.
pub(super) fn check_output(option: &str, path: &Path) -> Result<()> {
    if names_folder(path) || path.is_dir() {
        bail!("{option}: `{}` is a folder; give the name of a file", path.display());
    }
    refuse_read(option, path)?;
    files::check_writable(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file.
///
/// # Errors
/// As for [`check_output`].
pub(super) fn write(option: &str, path: &Path, text: impl AsRef<[u8]>) -> Result<()> {
    check_output(option, path)?;
    files::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Warns of what became no number in a world: it is not where it should be drawn.
///
/// # Errors
/// The state cannot be read.
pub(super) fn tell_numbers(solver: &Solver) -> Result<()> {
    let lost = solver.read_health()?.non_finite;
    if lost > 0 {
        log::warn!(
            "{lost} times a body or a particle was no number any more, and stood still: its size, mass or speed is beyond what \
             can be reckoned with; `sinew report` tells more"
        );
    }
    Ok(())
}

/// Writes a line to standard error; if nobody listens there, nothing can be said about it either.
pub(super) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// One sentence on standard error that says what went wrong.
pub(super) fn complain(text: &str) {
    say(&format!("sinew: {}", text.split('\n').map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join(" ")));
}
