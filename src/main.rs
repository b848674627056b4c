//! The `sinew` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    sinew::app::command::main()
}
