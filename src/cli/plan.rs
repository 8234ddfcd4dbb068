//! What is to be done, resolved: from the words of the command line and the place where the
//! report goes to a plan without options that could still clash.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;

use super::args::{BaselineWriteArgs, CheckArgs, FailOn, FormatName, SeverityName, StreamArgs};
use super::baseline::BaselinePlan;
use super::size::{parse_size, parse_split};
use crate::diagnostics::{Selection, Severity};
use crate::error::{Error, Result};
use crate::replay::{AfterIllegal, ExaminerOptions, Lane, Profile};
use crate::report::{
    Color, Concise, Format, Full, GitHub, GroupedSummary, Json, JsonLines, Look, Sarif,
};
use crate::rules::RULES;

/// Faults that the summary prints in full, unless `--all` is given.
const FIRST_FAULTS: u64 = 50;

/// A pass over archives.
#[derive(Debug)]
pub struct Plan {
    pub inputs: Vec<PathBuf>,
    pub selection: Selection,
    pub threads: usize,
    /// Bytes; 1 or more.
    pub chunk_size: usize,
    /// Only games that begin in these bytes of the one input.
    pub split: Option<Range<u64>>,
    pub after_illegal: AfterIllegal,
    pub lane: Lane,
    /// Bytes of memory for the search for duplicates; `None` where there is none.
    pub duplicates: Option<usize>,
    pub quiet: bool,
    /// Whose rules end games by themselves; `None` where each game's tags are to tell.
    pub profile: Option<Profile>,
    /// The least severity that makes the status 1; `None` for never.
    pub fail_on: Option<Severity>,
    pub report: Option<ReportPlan>,
    /// The folder of the feature tables.
    pub tables: Option<PathBuf>,
    /// A file, or `-` for standard output.
    pub summary_json: Option<PathBuf>,
    pub baseline: BaselinePlan,
    /// Whether pgn-reader is asked about faulty games.
    pub second_opinion: bool,
}

/// What is printed, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportPlan {
    pub kind: ReportKind,
    pub min_severity: Severity,
    pub color: Color,
    /// A file; standard output where there is none.
    pub output: Option<PathBuf>,
}

/// A format with its own settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    Full,
    Concise,
    JsonLines {
        games: bool,
    },
    Json {
        games: bool,
    },
    Sarif,
    GitHub,
    /// Prints at most `limit` faults in full.
    Summary {
        limit: u64,
    },
}

impl Plan {
    /// `check`. On a terminal the default format is another one.
    pub fn check(args: CheckArgs, stdout_is_terminal: bool) -> Result<Plan> {
        let report = report(&args, stdout_is_terminal)?;
        let fail_on = fail_on(args.fail_on);
        let second_opinion = args.comparison.second_opinion;
        if second_opinion
            && matches!(report.kind, ReportKind::Concise | ReportKind::Sarif | ReportKind::GitHub)
        {
            let reason = "--second-opinion needs --format full, summary, jsonl or json";
            return Err(Error::Usage(reason.to_owned()));
        }
        let plan = Plan { fail_on, report: Some(report), ..Plan::stream(args.stream)? };
        let baseline = args.comparison.baseline.map_or(BaselinePlan::None, BaselinePlan::Against);
        let plan = Plan { baseline, second_opinion, ..plan };
        #[cfg(feature = "tables")]
        let plan = Plan { tables: args.tables, ..plan };
        plan.without_clashes()
    }

    /// `tables`
    #[cfg(feature = "tables")]
    pub fn tables(args: super::args::TablesArgs) -> Result<Plan> {
        Plan { tables: Some(args.output), ..Plan::stream(args.stream)? }.without_clashes()
    }

    /// `baseline write`
    pub fn baseline(args: BaselineWriteArgs) -> Result<Plan> {
        let baseline = BaselinePlan::Write(args.output);
        Plan { baseline, ..Plan::stream(args.stream)? }.without_clashes()
    }

    fn stream(args: StreamArgs) -> Result<Plan> {
        let chunk_size = usize::try_from(parse_size(&args.chunk_size)?).unwrap_or(usize::MAX);
        if chunk_size == 0 {
            return Err(Error::Usage("--chunk-size must be 1 or more".to_owned()));
        }
        let memory = usize::try_from(parse_size(&args.duplicates_memory)?).unwrap_or(usize::MAX);
        refuse_unsought(&args)?;
        let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Plan {
            selection: Selection::parse(&args.select, &args.ignore, RULES)?,
            inputs: args.inputs,
            threads: args.threads.map_or_else(cores, usize::from),
            chunk_size,
            duplicates: args.duplicates.then_some(memory),
            split: args.split.as_deref().map(parse_split).transpose()?,
            after_illegal: args.after_illegal.into(),
            lane: args.lane.into(),
            quiet: args.quiet,
            profile: args.profile.into(),
            fail_on: None,
            report: None,
            tables: None,
            summary_json: args.summary_json,
            baseline: BaselinePlan::None,
            second_opinion: false,
        })
    }

    fn without_clashes(self) -> Result<Plan> {
        if self.split.is_some() && (self.inputs.len() != 1 || self.inputs[0] == Path::new("-")) {
            return Err(Error::Usage("--split needs exactly one input, a plain file".to_owned()));
        }
        if self.summary_json.as_deref() == Some(Path::new("-"))
            && let Some(what) = self.to_stdout()
        {
            return Err(Error::Usage(format!(
                "the {what} goes to standard output, so --summary-json - cannot; give the {what} \
                 a file with --output"
            )));
        }
        Ok(self)
    }

    /// What goes to standard output.
    fn to_stdout(&self) -> Option<&'static str> {
        let report = self.report.as_ref().is_some_and(|report| report.output.is_none());
        match &self.baseline {
            _ if report => Some("report"),
            BaselinePlan::Write(path) if path == Path::new("-") => Some("baseline"),
            _ => None,
        }
    }

    /// What the examiner is asked for.
    pub fn examiner(&self) -> ExaminerOptions {
        let games = self.report.as_ref().is_some_and(|report| report.kind.games());
        ExaminerOptions {
            collect: self.tables.is_some() || games,
            profile: self.profile,
            after_illegal: self.after_illegal,
            lane: self.lane,
        }
    }
}

impl ReportKind {
    /// Whether each game has a record.
    fn games(self) -> bool {
        matches!(self, ReportKind::JsonLines { games: true } | ReportKind::Json { games: true })
    }
}

impl ReportPlan {
    /// The format that writes it.
    pub fn format(&self, look: Look) -> Box<dyn Format> {
        let min_severity = self.min_severity;
        match self.kind {
            ReportKind::Full => Box::new(Full { min_severity, look }),
            ReportKind::Concise => Box::new(Concise { min_severity, look }),
            ReportKind::JsonLines { games } => Box::new(JsonLines { min_severity, games }),
            ReportKind::Json { games } => Box::new(Json::new(min_severity, games)),
            ReportKind::Sarif => Box::new(Sarif::new(min_severity)),
            ReportKind::GitHub => Box::new(GitHub::new(min_severity)),
            ReportKind::Summary { limit } => {
                Box::new(GroupedSummary::new(min_severity, limit, look))
            }
        }
    }
}

/// Who asks for these rules alone would be told that there is nothing.
fn refuse_unsought(args: &StreamArgs) -> Result<()> {
    let sought = |rule: &&str| {
        let rule = crate::rules::find(rule).map_or(*rule, |rule| rule.code);
        rule.starts_with(['X', 'x'])
    };
    match args.select.iter().map(String::as_str).find(sought) {
        Some(rule) if !args.duplicates => {
            Err(Error::Usage(format!("--select {rule} needs --duplicates, which looks for it")))
        }
        _ => Ok(()),
    }
}

fn report(args: &CheckArgs, stdout_is_terminal: bool) -> Result<ReportPlan> {
    let output = args.output.clone().filter(|path| path != Path::new("-"));
    let to_terminal = stdout_is_terminal && output.is_none();
    let default = if to_terminal { FormatName::Summary } else { FormatName::Full };
    let kind = match args.format.unwrap_or(default) {
        FormatName::Full => ReportKind::Full,
        FormatName::Concise => ReportKind::Concise,
        FormatName::Jsonl => ReportKind::JsonLines { games: args.games },
        FormatName::Json => ReportKind::Json { games: args.games },
        FormatName::Sarif => ReportKind::Sarif,
        FormatName::Github => ReportKind::GitHub,
        FormatName::Summary => {
            ReportKind::Summary { limit: if args.all { u64::MAX } else { FIRST_FAULTS } }
        }
    };
    if args.games && !kind.games() {
        return Err(Error::Usage("--games needs --format jsonl or json".to_owned()));
    }
    let min_severity = match (args.min_severity, kind) {
        (Some(name), _) => severity(name),
        (None, ReportKind::JsonLines { .. } | ReportKind::Json { .. } | ReportKind::Sarif) => {
            Severity::Info
        }
        // Who asks for rules by name wants to see them, facts too.
        (None, _) if !args.stream.select.is_empty() => Severity::Info,
        // What makes the run fail is shown.
        (None, _) => fail_on(args.fail_on).unwrap_or(Severity::Warning).min(Severity::Warning),
    };
    Ok(ReportPlan { kind, min_severity, color: args.color.into(), output })
}

fn severity(name: SeverityName) -> Severity {
    match name {
        SeverityName::Info => Severity::Info,
        SeverityName::Warning => Severity::Warning,
        SeverityName::Error => Severity::Error,
    }
}

fn fail_on(name: FailOn) -> Option<Severity> {
    match name {
        FailOn::Error => Some(Severity::Error),
        FailOn::Warning => Some(Severity::Warning),
        FailOn::Info => Some(Severity::Info),
        FailOn::Never => None,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::args::{Command, CommandLine};

    fn check(words: &str, terminal: bool) -> Result<Plan> {
        let words = ["pgn-arbiter", "check"].into_iter().chain(words.split_whitespace());
        match CommandLine::try_parse_from(words).unwrap().command {
            Command::Check(args) => Plan::check(args, terminal),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_format_follows_the_place_where_the_report_goes() {
        let table = [
            ("a", true, ReportKind::Summary { limit: 50 }),
            ("a", false, ReportKind::Full),
            ("a --all", true, ReportKind::Summary { limit: u64::MAX }),
            ("a --output report.txt", true, ReportKind::Full),
            ("a --output -", true, ReportKind::Summary { limit: 50 }),
            ("a --format concise", true, ReportKind::Concise),
            ("a --format summary", false, ReportKind::Summary { limit: 50 }),
            ("a --format jsonl --games", false, ReportKind::JsonLines { games: true }),
            ("a --format json", true, ReportKind::Json { games: false }),
            ("a --format sarif", true, ReportKind::Sarif),
            ("a --format github", true, ReportKind::GitHub),
        ];
        for (words, terminal, kind) in table {
            assert_eq!(check(words, terminal).unwrap().report.unwrap().kind, kind, "{words}");
        }
    }

    #[test]
    fn what_makes_the_run_fail_is_shown() {
        let table = [
            ("a", Severity::Warning),
            ("a --format jsonl", Severity::Info),
            ("a --format json", Severity::Info),
            ("a --format sarif", Severity::Info),
            ("a --format github", Severity::Warning),
            ("a --format jsonl --min-severity error", Severity::Error),
            ("a --min-severity error", Severity::Error),
            ("a --fail-on info", Severity::Info),
            ("a --fail-on info --min-severity error", Severity::Error),
            ("a --fail-on never", Severity::Warning),
        ];
        for (words, severity) in table {
            let report = check(words, false).unwrap().report.unwrap();
            assert_eq!(report.min_severity, severity, "{words}");
        }
    }

    #[test]
    fn words_that_do_not_fit_together_are_refused_with_the_reason() {
        let table = [
            ("a --games", "--games needs --format jsonl or json"),
            ("a --games --format sarif", "--games needs --format jsonl or json"),
            ("a --summary-json -", "--summary-json - cannot"),
            ("a --summary-json - --output -", "--summary-json - cannot"),
            ("a --second-opinion --format concise", "--second-opinion needs --format full"),
            ("a --second-opinion --format sarif", "--second-opinion needs --format full"),
            ("a --select X901", "--select X901 needs --duplicates"),
            ("a --select M,prefix-game", "--select prefix-game needs --duplicates"),
            ("a --duplicates --duplicates-memory 1T", "\"1T\" is no size"),
            ("a --chunk-size 0", "--chunk-size must be 1 or more"),
            ("a --chunk-size much", "\"much\" is no size: write bytes"),
            ("a b --split 0-10", "--split needs exactly one input"),
            ("- --split 0-10", "--split needs exactly one input"),
            ("a --split 10-0", "it is empty"),
            ("a --select M3O3", "unknown rule \"M3O3\"; did you mean M303?"),
        ];
        for (words, reason) in table {
            let error = check(words, false).unwrap_err();
            assert!(matches!(error, Error::Usage(_)), "{words}");
            assert!(error.to_string().contains(reason), "{words}: {error}");
        }
    }

    #[test]
    fn numbers_and_lists_are_resolved() {
        let plan = check(
            "a b --select M3,promotion-style --ignore M303 --threads 3 --chunk-size 2k",
            true,
        )
        .unwrap();
        let allowed = |code| plan.selection.allows(crate::rules::find(code).unwrap());
        assert_eq!(["M301", "M303", "N705", "N701"].map(allowed), [true, false, true, false]);
        assert_eq!((plan.threads, plan.chunk_size), (3, 2048));
        assert_eq!(plan.inputs, [Path::new("a"), Path::new("b")]);
        assert_eq!(plan.fail_on, Some(Severity::Error));
        assert!(check("a", true).unwrap().threads >= 1);
        assert_eq!(check("a --fail-on never", true).unwrap().fail_on, None);
        assert_eq!(check("a --duplicates", true).unwrap().duplicates, Some(256 << 20));
        assert_eq!(check("a --duplicates-memory 8M", true).unwrap().duplicates, None);
        assert!(check("a --duplicates --select X", true).is_ok());
        assert_eq!(check("a --split 5-", true).unwrap().split, Some(5..u64::MAX));
    }
}
