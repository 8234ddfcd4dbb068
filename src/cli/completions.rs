//! `completions`: what a shell needs to complete our words.

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::{CommandLine, CompletionsArgs};
use super::exit::Status;
use crate::error::Result;
use crate::report::Output;

/// Prints a script, made from the declaration of the command line.
pub fn run(args: &CompletionsArgs) -> Result<Status> {
    let mut out = Output::stdout();
    out.buffer().extend_from_slice(script(args.shell).as_bytes());
    out.finish()?;
    Ok(Status::Clean)
}

fn script(shell: Shell) -> String {
    let mut command = CommandLine::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, &name, &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    if shell == Shell::Bash { with_one_name_for_the_program(&script, &name) } else { script }
}

/// For a program with a hyphen in its name, clap_complete 4.6.12 sets `cmd` to
/// `pgn__arbiter__subcmd__check` and asks for `pgn__subcmd__arbiter__subcmd__check`, so that
/// nothing below the program itself is completed.
fn with_one_name_for_the_program(script: &str, name: &str) -> String {
    script.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"))
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::process::Command;

    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_shell_is_told_of_every_command() {
        for &shell in Shell::value_variants() {
            let script = script(shell);
            for command in CommandLine::command().get_subcommands() {
                assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
            }
        }
    }

    /// What bash offers behind these words, of which the last one is begun; `None` without a bash.
    fn offered(words: &[&str]) -> Option<Vec<String>> {
        let (current, before) = words.split_last().unwrap();
        let (previous, last) = (before.last().unwrap(), before.len());
        let ask = format!(
            "{}\nCOMP_WORDS=({} \"{current}\")\nCOMP_CWORD={last}\n\
             _pgn__arbiter pgn-arbiter \"{current}\" {previous}\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
            script(Shell::Bash),
            before.join(" "),
        );
        let output = match Command::new("bash").args(["--norc", "-c", &ask]).output() {
            Ok(output) => output,
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            Err(error) => panic!("{error}"),
        };
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let offered = String::from_utf8(output.stdout).unwrap();
        Some(offered.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn bash_completes_the_options_and_values_of_commands_at_every_depth() {
        let formats = ["full", "concise", "jsonl", "json", "sarif", "github", "summary"];
        let table: [(&[&str], &[&str]); 6] = [
            (&["pgn-arbiter", "comp"], &["completions"]),
            (&["pgn-arbiter", "check", "--form"], &["--format"]),
            (&["pgn-arbiter", "check", "--format", ""], &formats),
            (&["pgn-arbiter", "check", "a.pgn", "--color", "a"], &["auto", "always"]),
            (&["pgn-arbiter", "baseline", "wr"], &["write"]),
            (&["pgn-arbiter", "baseline", "write", "a.pgn", "--out"], &["--output"]),
        ];
        for (words, expected) in table {
            let Some(offered) = offered(words) else {
                eprintln!("not tested: there is no bash here");
                return;
            };
            assert_eq!(offered, expected, "{words:?}");
        }
        let below = offered(&["pgn-arbiter", "baseline", ""]).unwrap();
        assert!(below.iter().any(|word| word == "write"), "{below:?}");
    }
}
