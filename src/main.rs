//! The `sinew` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    quiet_drivers();
    sinew::app::command::main()
}

/// A layer of Mesa looks for Wayland there, and complains on standard error where the variable is missing.
#[allow(unsafe_code)]
fn quiet_drivers() {
    const RUNTIME: &str = "XDG_RUNTIME_DIR";
    if cfg!(target_os = "linux") && std::env::var_os(RUNTIME).is_none() {
        // SAFETY: no other thread runs yet that could read the environment.
        unsafe { std::env::set_var(RUNTIME, std::env::temp_dir()) };
    }
}
