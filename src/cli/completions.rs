//! `completions`: what a shell needs to complete our words.

use clap::CommandFactory;

use super::args::{CommandLine, CompletionsArgs};
use super::exit::Status;
use crate::error::Result;
use crate::report::Output;

/// Prints a script, made from the declaration of the command line.
pub fn run(args: &CompletionsArgs) -> Result<Status> {
    let mut out = Output::stdout();
    let mut command = CommandLine::command();
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, &mut command, name, out.buffer());
    out.finish()?;
    Ok(Status::Clean)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use clap_complete::Shell;

    use super::*;

    #[test]
    fn every_shell_is_told_of_every_command() {
        for shell in Shell::value_variants() {
            let mut script = Vec::new();
            clap_complete::generate(
                *shell,
                &mut CommandLine::command(),
                "pgn-arbiter",
                &mut script,
            );
            let script = String::from_utf8(script).unwrap();
            for command in CommandLine::command().get_subcommands() {
                assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
            }
        }
    }
}
