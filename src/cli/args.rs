//! The words of the command line, as clap reads them. Nothing is resolved here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use clap_complete::Shell;

use crate::replay::{AfterIllegal, Lane, Profile};
use crate::report::Color;

/// Each holds buffers of its own, and some systems refuse thousands only in the middle of a run.
const MOST_THREADS: i64 = 512;

/// Rules on chess archives (PGN) the way an arbiter rules on a score sheet.
///
/// Every game is replayed. What is wrong is told with its place, the article that it breaks, and
/// what can be mended; and what happened on the board is counted.
#[derive(Debug, Parser)]
#[command(name = "pgn-arbiter", version, max_term_width = 100, arg_required_else_help = true)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Check(CheckArgs),
    #[cfg(feature = "tables")]
    Tables(TablesArgs),
    Explain(ExplainArgs),
    Show(ShowArgs),
    Baseline(BaselineArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Judge archives and report what was found.
///
/// Exit status: 0 when nothing at or above --fail-on was found, 1 when something was, 2 when the
/// job could not be done (bad usage, an input that could not be read, an output that could not be
/// written; the other inputs are still judged). A closed pipe (`| head`) ends the report quietly.
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub stream: StreamArgs,

    /// How findings are printed [default: summary on a terminal, else full]
    #[arg(long, value_enum, help_heading = "Report")]
    pub format: Option<FormatName>,

    /// Print every fault in the summary, not the first 50 (the other formats always print all).
    /// Of one rule in one game at most 200 are listed, in every format; all are counted
    #[arg(long, help_heading = "Report")]
    pub all: bool,

    /// With --format jsonl or json: print a record for each game too
    #[arg(long, help_heading = "Report")]
    pub games: bool,

    /// The least severity that is printed [default: all for jsonl, json and sarif, else
    /// warning, or what --fail-on asks for if that is less]
    #[arg(long, value_enum, value_name = "SEVERITY", help_heading = "Report")]
    pub min_severity: Option<SeverityName>,

    /// The least severity that makes the exit status 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value = "error")]
    pub fail_on: FailOn,

    /// Write the report to a file, which gets its name when it is whole; - is standard output
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub comparison: ComparisonArgs,

    /// Write the feature tables (Parquet) to a folder in the same pass
    #[cfg(feature = "tables")]
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
}

/// Write the feature tables: games, promotions, findings and draws as Parquet files.
///
/// Exit status: 0 when the tables were written, whatever was found; 2 when not, or when an input
/// could not be read to its end.
#[cfg(feature = "tables")]
#[derive(Debug, Args)]
pub struct TablesArgs {
    #[command(flatten)]
    pub stream: StreamArgs,

    /// The folder of the dataset
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

/// What every command that reads archives understands.
#[derive(Debug, Args)]
pub struct StreamArgs {
    /// Files, folders (searched for .pgn, packed or not, and .zip), or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// Only these rules: codes (M303), beginnings of codes (M, M3) or names (king-into-check),
    /// comma-separated; the longest beginning decides between --select and --ignore
    #[arg(long, value_name = "CODES", value_delimiter = ',', help_heading = "Rules")]
    pub select: Vec<String>,

    /// All rules but these; like --select, for findings in reports and tables, counts and the
    /// exit status alike. The verdict, errors and warnings of a game are told of all rules
    #[arg(long, value_name = "CODES", value_delimiter = ',', help_heading = "Rules")]
    pub ignore: Vec<String>,

    /// Whose rules end a game without a claim
    #[arg(long, value_enum, value_name = "WHOSE", default_value = "auto", help_heading = "Rules")]
    pub profile: ProfileName,

    /// What becomes of a game behind the first illegal move of its main line
    #[arg(long, value_enum, value_name = "HOW", default_value = "report", help_heading = "Rules")]
    pub after_illegal: AfterIllegalName,

    /// Look for games that stand twice (X901) or begin longer ones (X902), across all inputs:
    /// with equal moves, and players who are the same but for letter case, accents, titles and
    /// initials. All inputs are read twice; standard input and pipes are kept in a temporary file
    #[arg(long, help_heading = "Rules")]
    pub duplicates: bool,

    /// Memory in which --duplicates keeps games; beyond it they go to temporary files (in TMPDIR).
    /// The answer does not depend on it
    #[arg(long, value_name = "SIZE", default_value = "256M", help_heading = "Work")]
    pub duplicates_memory: String,

    /// Write what was counted as JSON to a file, which gets its name when it is whole; - is
    /// standard output, where the report must then not go
    #[arg(long, value_name = "FILE")]
    pub summary_json: Option<PathBuf>,

    /// Threads that judge, at most 512 [default: one for each core]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=MOST_THREADS),
          help_heading = "Work")]
    pub threads: Option<u16>,

    /// Bytes that a thread judges at a time; K, M and G are powers of 1024. The answer does not
    /// depend on it
    #[arg(long, value_name = "SIZE", default_value = "512K", help_heading = "Work")]
    pub chunk_size: String,

    /// The way through a game: the fast lane with the examiner behind it, the examiner alone, or
    /// both, held against each other (a difference is an error of this program). The answer does
    /// not depend on it
    #[arg(long, value_enum, value_name = "LANE", default_value = "fast", help_heading = "Work")]
    pub lane: LaneName,

    /// Judge only the games that begin at or after byte FROM and before byte TO (left out: the
    /// end) of a plain file, the only input
    #[arg(long, value_name = "FROM-TO", help_heading = "Work")]
    pub split: Option<String>,

    /// No progress bar and no notes; errors are still told
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProfileName {
    /// As Site, Event and Link of each game tell, fide where they tell nothing
    Auto,
    /// A fivefold repetition and 75 moves, from the day on which the Laws had them
    Fide,
    /// A fivefold repetition and fifty moves
    Lichess,
    /// A threefold repetition and fifty moves
    Chesscom,
    /// A threefold repetition and fifty moves, whatever the date
    Engine,
}

impl From<ProfileName> for Option<Profile> {
    fn from(name: ProfileName) -> Option<Profile> {
        match name {
            ProfileName::Auto => None,
            ProfileName::Fide => Some(Profile::Fide),
            ProfileName::Lichess => Some(Profile::Lichess),
            ProfileName::Chesscom => Some(Profile::ChessCom),
            ProfileName::Engine => Some(Profile::Engine),
        }
    }
}

/// Say what a rule means, why it matters, and what to do.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// Codes (M303), beginnings of codes (M3) or names (king-into-check)
    #[arg(value_name = "RULE", required_unless_present = "all")]
    pub rules: Vec<String>,

    /// Explain every rule
    #[arg(long, conflicts_with = "rules")]
    pub all: bool,

    /// How the rules are printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: ExplainFormat,

    #[command(flatten)]
    pub color: ColorArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// Prose for a terminal
    Text,
    /// A list of objects
    Json,
    /// A section for each rule; with --all a page, which is docs/rules.md
    Markdown,
}

/// Print a script that lets a shell complete the words of this program.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that will read it
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Print the manual, in the format of man(1).
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write a page for the program and one for each command to this folder, and print nothing
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// What every command that prints for people understands.
#[derive(Clone, Copy, Debug, Args)]
pub struct ColorArgs {
    /// When to colour what is printed for people; files and machine formats never are. auto obeys
    /// NO_COLOR, CLICOLOR and CLICOLOR_FORCE
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub color: ColorName,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorName {
    /// On a terminal that shows colours
    Auto,
    /// On terminals and in pipes
    Always,
    Never,
}

impl From<ColorArgs> for Color {
    fn from(args: ColorArgs) -> Color {
        match args.color {
            ColorName::Auto => Color::Auto,
            ColorName::Always => Color::Always,
            ColorName::Never => Color::Never,
        }
    }
}

/// What `check` holds the games against, beside the rules.
#[derive(Debug, Args)]
pub struct ComparisonArgs {
    /// Leave out the errors and warnings that this file knows (see `baseline write`): they are
    /// not printed, do not fail, and are counted apart. Tables hold them all the same
    #[arg(long, value_name = "FILE", help_heading = "Comparison")]
    pub baseline: Option<PathBuf>,

    /// Say of each game with an error, or a warning about structure, moves or notation, what
    /// pgn-reader reads in it: how many moves, where they differ, which result (formats full,
    /// summary, jsonl and json)
    #[arg(long, help_heading = "Comparison")]
    pub second_opinion: bool,
}

/// Keep the faults that an archive has today, so that later runs tell of new ones only.
#[derive(Debug, Args)]
pub struct BaselineArgs {
    #[command(subcommand)]
    pub command: BaselineCommand,
}

#[derive(Debug, Subcommand)]
pub enum BaselineCommand {
    Write(BaselineWriteArgs),
}

/// Write all errors and warnings of archives to a file for `check --baseline`.
///
/// A fault is known again by its rule, its text, its ply and the White, Black, Date, Round, Event
/// and Site of its game, as often as it is there. Games may come, go, change their order, their
/// file and their line ends; a fault that is mended does not make the others new.
///
/// Exit status: 0 when the file was written, whatever was found; 2 when not, or when an input
/// could not be read to its end.
#[derive(Debug, Args)]
pub struct BaselineWriteArgs {
    #[command(flatten)]
    pub stream: StreamArgs,

    /// The file, which gets its name when it is whole; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Show the board where a fault is, with the move, the reason and the moves around.
///
/// Without PLY it is the first fault of the game: an error, or a promotion that later moves
/// contradict (P404); else its first warning, else its end.
///
/// Exit status: 0 when it was shown, 2 when not.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// FILE:GAME, FILE:GAME:PLY or FILE@OFFSET: the game's number in its file from 1, half-moves
    /// from 1 with 0 for the start position, a byte of the decompressed file; - is standard input
    #[arg(value_name = "PLACE", allow_hyphen_values = true)]
    pub place: String,

    /// What becomes of the game behind the first illegal move of its main line: with continue,
    /// the later faults that check tells so can be shown
    #[arg(long, value_enum, value_name = "HOW", default_value = "report")]
    pub after_illegal: AfterIllegalName,

    /// How it is printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: ShowFormat,

    /// Pieces as letters
    #[arg(long)]
    pub ascii: bool,

    /// Black at the bottom
    #[arg(long)]
    pub flip: bool,

    #[command(flatten)]
    pub color: ColorArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// A board for people
    Text,
    /// One JSON object
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// Each finding with source line, position, article and fix
    Full,
    /// One line a finding, with what the token becomes where there is a fix
    Concise,
    /// One JSON object a line, the summary last
    Jsonl,
    /// One JSON document: findings, games where asked for, and the summary
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// Workflow commands, which GitHub shows beside the lines
    Github,
    /// The first 50 faults in full (10 of one warning), then counts by rule, verdicts, draws and the ledger
    Summary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SeverityName {
    /// A fact; nothing is wrong
    Info,
    /// A defect whose meaning is certain
    Warning,
    /// The score cannot be certified
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AfterIllegalName {
    /// It is told once, with how the record goes on, and later moves are not judged
    Report,
    /// The game is read on in the way that explains most of it; later faults are told too, and the
    /// illegal moves of each player are counted (columns illegal_white, illegal_black)
    Continue,
}

impl From<AfterIllegalName> for AfterIllegal {
    fn from(name: AfterIllegalName) -> AfterIllegal {
        match name {
            AfterIllegalName::Report => AfterIllegal::Report,
            AfterIllegalName::Continue => AfterIllegal::Continue,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LaneName {
    Fast,
    Examiner,
    Both,
}

impl From<LaneName> for Lane {
    fn from(name: LaneName) -> Lane {
        match name {
            LaneName::Fast => Lane::Fast,
            LaneName::Examiner => Lane::Examiner,
            LaneName::Both => Lane::Both,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
    Info,
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_declaration_of_the_command_line_is_sound() {
        CommandLine::command().debug_assert();
    }
}
