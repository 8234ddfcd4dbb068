//! `man`: the manual, made from the declaration of the command line.
//!
//! One page that tells of every command, or a page for the program and one for each command,
//! those below another command too. A page depends on the version alone: no date of a build is
//! in it.

use std::fs;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::args::{CommandLine, ManArgs};
use super::exit::Status;
use crate::error::{Error, Result};
use crate::report::Output;

/// What the exit status says, for each command that judges; see [`Status`].
const STATUSES: [(&str, &str); 3] = [
    ("0", "Nothing was found at or above the severity of --fail-on, or nothing was to be judged."),
    ("1", "Something was."),
    (
        "2",
        "The job, or a part of it, could not be done: an input could not be read, the words on \
         the command line do not fit, or an output could not be written. It wins over 1, and the \
         other inputs are judged all the same.",
    ),
];

/// What people do with it, and how.
const EXAMPLES: [(&str, &str); 8] = [
    ("Look at an archive:", "pgn-arbiter check games.pgn"),
    (
        "Judge a folder every night, quietly, and keep the counts:",
        "pgn-arbiter check --quiet --format concise --summary-json summary.json archive/",
    ),
    (
        "Only illegal moves and promotions, as JSON lines:",
        "pgn-arbiter check --select M,P --format jsonl games.pgn.zst",
    ),
    ("Annotate a change on GitHub:", "pgn-arbiter check --format github games/"),
    ("A log for code scanning:", "pgn-arbiter check --format sarif --output games.sarif games/"),
    (
        "Keep the faults of today, to be told of new ones only:",
        "pgn-arbiter baseline write archive/ --output known.json",
    ),
    ("What a code means:", "pgn-arbiter explain P401"),
    ("Let bash complete our words:", "pgn-arbiter completions bash"),
];

/// An empty word would be dropped, and the source would stand where the date does.
const NO_DATE: &str = " ";

/// Prints the page, or writes all pages to a folder.
pub fn run(args: &ManArgs) -> Result<Status> {
    match &args.dir {
        Some(folder) => write_pages(folder)?,
        None => {
            let mut out = Output::stdout();
            push_page(out.buffer());
            out.finish()?;
        }
    }
    Ok(Status::Clean)
}

/// Appends the page of the program with the options of every command.
fn push_page(out: &mut Vec<u8>) {
    let program = built();
    push_head(out, &manual(&program));
    for command in commands(&program) {
        push_command(out, command);
    }
    push_foot(out, &program);
}

/// `pgn-arbiter.1`, `pgn-arbiter-check.1`, `pgn-arbiter-baseline-write.1` and so on.
fn write_pages(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|source| Error::write(folder, source))?;
    let program = built();
    for command in std::iter::once(&program).chain(commands(&program)) {
        let man = manual(command);
        let mut out = Output::file(&folder.join(man.get_filename()))?;
        push_head(out.buffer(), &man);
        if command.has_subcommands() {
            render(man.render_subcommands_section(out.buffer()));
        }
        push_foot(out.buffer(), command);
        out.finish()?;
    }
    Ok(())
}

/// With the names and usages that clap makes only when it is asked.
fn built() -> Command {
    let mut command = without_help_commands(CommandLine::command());
    command.build();
    command
}

/// Without the `help` that every command with others below it has.
fn without_help_commands(command: Command) -> Command {
    let command = command.mut_subcommands(without_help_commands);
    if command.has_subcommands() { command.disable_help_subcommand(true) } else { command }
}

/// Every command at any depth, each before those below it.
fn commands(command: &Command) -> Vec<&Command> {
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    shown.flat_map(|below| std::iter::once(below).chain(commands(below))).collect()
}

/// Whether it, or one below it, ends as `--fail-on` asks.
fn judges(command: &Command) -> bool {
    command.get_arguments().any(|argument| argument.get_long() == Some("fail-on"))
        || command.get_subcommands().any(judges)
}

/// What is typed to run it.
fn words(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

/// The synopsis is the usage that `--help` prints: it names values and says what may be repeated.
fn manual(command: &Command) -> Man {
    let source = format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).to_owned();
    let command = command.clone().override_usage(usage);
    Man::new(command).source(source).date(NO_DATE).manual("User Commands")
}

fn push_head(out: &mut Vec<u8>, man: &Man) {
    render(man.render_title(out));
    render(man.render_name_section(out));
    render(man.render_synopsis_section(out));
    render(man.render_description_section(out));
    render(man.render_options_section(out));
}

/// A command in the page of the program: its sections, under the words that follow the program's
/// name. One with others below it has no options but `--help`.
fn push_command(out: &mut Vec<u8>, command: &Command) {
    let man = manual(command);
    let mut sections = Vec::new();
    render(man.render_synopsis_section(&mut sections));
    render(man.render_description_section(&mut sections));
    if !command.has_subcommands() {
        render(man.render_options_section(&mut sections));
    }
    let title = words(command).split(' ').skip(1).collect::<Vec<_>>().join(" ");
    let mut heading = Roff::new();
    heading.control("SH", [title.to_uppercase().as_str()]);
    render(heading.to_writer(out));
    let text = String::from_utf8_lossy(&sections);
    for line in text.lines() {
        // Where a section begins it is one of this command's.
        let line =
            line.strip_prefix(".SH ").map_or(line.to_owned(), |title| format!(".SS {title}"));
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }
}

/// The exit status where the command judges, and the examples of the words that begin so.
fn push_foot(out: &mut Vec<u8>, command: &Command) {
    let mut roff = Roff::new();
    if judges(command) {
        roff.control("SH", ["EXIT STATUS"]);
        for (status, meaning) in STATUSES {
            roff.control("TP", []).text([bold(status)]).text([roman(meaning)]);
        }
    }
    let words = words(command);
    let mut examples = EXAMPLES.iter().filter(|(_, example)| example.starts_with(words)).peekable();
    if examples.peek().is_some() {
        roff.control("SH", ["EXAMPLES"]);
    }
    for &(purpose, example) in examples {
        roff.control("TP", []).text([roman(purpose)]).text([bold(example)]);
    }
    render(roff.to_writer(out));
}

fn render(written: std::io::Result<()>) {
    written.expect("memory takes every byte");
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn page() -> String {
        let mut out = Vec::new();
        push_page(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_page_tells_of_every_command_and_of_the_exit_status() {
        let page = page();
        for command in CommandLine::command().get_subcommands() {
            let heading = format!("\n.SH {}\n", command.get_name().to_uppercase());
            assert!(page.contains(&heading), "{heading}");
        }
        assert!(page.contains("\n.SH \"BASELINE WRITE\"\n"), "a command below another one");
        for section in [".SH NAME", ".SH \"EXIT STATUS\"", ".SH EXAMPLES"] {
            assert!(page.contains(section), "{section}");
        }
        assert!(page.contains("\\-\\-fail\\-on"), "options are in it");
        let title =
            format!(".TH pgn-arbiter 1 \" \" \"pgn-arbiter {}\"", env!("CARGO_PKG_VERSION"));
        assert!(page.contains(&title), "{title}");
    }

    #[test]
    fn every_command_has_a_page_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let pages = folder.path().join("man1");
        write_pages(&pages).unwrap();
        let check = fs::read_to_string(pages.join("pgn-arbiter-check.1")).unwrap();
        assert!(check.contains("\\-\\-min\\-severity") && check.contains("EXIT STATUS"), "{check}");
        assert!(check.contains("check games.pgn") && !check.contains("explain P401"), "{check}");
        let below = fs::read_to_string(pages.join("pgn-arbiter-baseline-write.1")).unwrap();
        assert!(below.contains("\\-\\-chunk\\-size"), "{below}");
        assert!(!below.contains("EXIT STATUS"), "it ends otherwise, as it says: {below}");
        let above = fs::read_to_string(pages.join("pgn-arbiter-baseline.1")).unwrap();
        assert!(above.contains("baseline\\-write(1)"), "{above}");
        let count = fs::read_dir(&pages).unwrap().count();
        assert_eq!(count, commands(&built()).len() + 1, "one for the program");
    }

    #[test]
    fn a_synopsis_names_values_and_says_what_may_be_repeated() {
        let page = page();
        for synopsis in [
            "\\fBpgn\\-arbiter check\\fR [OPTIONS] <INPUT>...",
            "\\fBpgn\\-arbiter baseline write\\fR [OPTIONS] \\-\\-output <FILE> <INPUT>...",
        ] {
            assert!(page.contains(synopsis), "{synopsis}: {page}");
        }
    }

    #[test]
    fn the_examples_are_commands_that_the_program_knows() {
        for (purpose, words) in EXAMPLES {
            let parsed = CommandLine::try_parse_from(words.split(' '));
            assert!(parsed.is_ok(), "{purpose} {words}: {parsed:?}");
            assert!(purpose.ends_with(':'));
        }
    }
}
