//! What a command leaves: its verdict, and lines on standard output and error.

use std::io::Write;

use anyhow::Result;

/// How a command ended that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Well,
    Bad,
}

/// Writes to standard output.
pub(super) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())?;
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
