//! The command line: words, plan, one file per command, exit status.
//!
//! Data goes to standard output, notes and progress to standard error.

mod args;
mod baseline;
mod check;
mod clash;
mod completions;
#[cfg_attr(not(feature = "tables"), path = "no_dataset.rs")]
mod dataset;
mod duplicates;
mod exit;
mod explain;
mod lookup;
mod man;
mod notes;
mod opinions;
mod place;
mod plan;
mod selected;
mod session;
mod show;
mod size;
#[cfg(feature = "tables")]
mod tables;
mod whole_source;

use clap::Parser;
use std::process::ExitCode;

use args::{Command, CommandLine};
pub use exit::Status;

use crate::error::{Error, Result};

/// Reads the command line, does what it asks for, and says how that ended.
pub fn main() -> ExitCode {
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(told) => return tell(&told).into(),
    };
    let status = run(command_line.command).unwrap_or_else(|error| {
        notes::print_error(&error);
        Status::Failed
    });
    status.into()
}

/// Prints help, the version, or what is wrong with the words.
fn tell(told: &clap::Error) -> Status {
    let printed = told.print();
    if told.use_stderr() {
        return Status::Failed;
    }
    match printed {
        // The reader of the help may go away.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            notes::print_error(&Error::write("standard output", error));
            Status::Failed
        }
        _ => Status::Clean,
    }
}

fn run(command: Command) -> Result<Status> {
    match command {
        Command::Check(args) => check::run(args),
        #[cfg(feature = "tables")]
        Command::Tables(args) => tables::run(args),
        Command::Baseline(args) => baseline::run(args),
        Command::Show(args) => show::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
