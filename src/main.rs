//! The program: words in, exit status out.

use std::process::ExitCode;

fn main() -> ExitCode {
    pgn_arbiter::cli::main()
}
