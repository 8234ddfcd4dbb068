//! The view for a terminal: the first faults in full, then counts by code, verdicts, ends, and
//! the ledger.

use std::collections::BTreeMap;
use std::io::Write;

use super::full::push_finding;
use super::look::{BOLD, Look, severity_style};
use super::number::{Counted, Grouped};
use super::summary::RunSummary;
use super::wrap::{Margins, push_wrapped};
use super::{Format, Judged, Output};
use crate::diagnostics::{GameFindings, Rule, Severity};
use crate::error::Result;
use crate::replay::{ClaimVerdict, Verdict};
use crate::rules::{self, RULES};
use crate::summary::Counts;

/// The format `summary`.
#[derive(Clone, Debug)]
pub struct GroupedSummary {
    pub min_severity: Severity,
    /// How many faults are printed in full.
    pub limit: u64,
    pub look: Look,
    printed: u64,
    /// How often each rule that is no error was printed.
    by_code: BTreeMap<&'static str, u64>,
}

/// Where there is a limit, a rule that is no error is printed this often, so that a flood of
/// warnings leaves room for the errors.
const MOST_OF_A_WARNING: u64 = 10;

impl GroupedSummary {
    pub fn new(min_severity: Severity, limit: u64, look: Look) -> GroupedSummary {
        GroupedSummary { min_severity, limit, look, printed: 0, by_code: BTreeMap::new() }
    }

    /// Whether there is room for one more of this rule.
    fn takes(&mut self, rule: &'static Rule) -> bool {
        if rule.severity < self.min_severity || self.printed >= self.limit {
            return false;
        }
        if self.limit < u64::MAX && rule.severity < Severity::Error {
            let times = self.by_code.entry(rule.code).or_default();
            *times += 1;
            if *times > MOST_OF_A_WARNING {
                return false;
            }
        }
        self.printed += 1;
        true
    }
}

impl Format for GroupedSummary {
    fn chunk(&mut self, judged: &Judged<'_>, out: &mut Output) -> Result<()> {
        if self.printed >= self.limit {
            return Ok(());
        }
        for located in judged.findings() {
            if self.takes(located.finding.rule) {
                push_finding(out.buffer(), &located, self.look);
                out.spill()?;
            }
        }
        Ok(())
    }

    fn end(&mut self, run: &RunSummary, out: &mut Output) -> Result<()> {
        let (buffer, look) = (out.buffer(), self.look);
        // From the counts: a game lists only so many findings of one rule.
        let more = run.counts.at_least(self.min_severity).saturating_sub(self.printed);
        if more > 0 {
            push_left_out(buffer, more, self.limit == u64::MAX, look);
        }
        push_codes(buffer, &run.counts, look);
        if let Some(known) = run.known_faults {
            push(buffer, format_args!("  {} left out\n", Counted(known, "known fault")));
        }
        push_games(buffer, &run.counts, look);
        push_ends(buffer, &run.counts, look);
        push_promotions(buffer, &run.counts, look);
        push_ledger(buffer, &run.counts, look);
        push_failures(buffer, run, look);
        out.spill()
    }
}

/// `all_listed`: whether everything that the games list was printed.
fn push_left_out(out: &mut Vec<u8>, more: u64, all_listed: bool, look: Look) {
    let (more, most) = (Grouped(more), GameFindings::MOST_OF_A_RULE);
    let why = if all_listed {
        format!("of one rule in one game at most {most} are listed")
    } else {
        format!("--all prints them, at most {most} of one rule in one game")
    };
    let text = format!("... and {more} more ({why})");
    push_wrapped(out, text.as_bytes(), Margins { used: 0, indent: 0, width: look.width });
    push(out, format_args!("\n\n"));
}

/// The gravest first, then the most frequent.
fn push_codes(out: &mut Vec<u8>, counts: &Counts, look: Look) {
    let mut found: Vec<_> = counts
        .codes
        .iter()
        .filter(|&(_, &count)| count > 0)
        .filter_map(|(code, &count)| rules::find(code).map(|rule| (rule, count)))
        .collect();
    found.sort_by_key(|&(rule, count)| (std::cmp::Reverse((rule.severity, count)), rule.code));
    let every_name = RULES.iter().map(|rule| rule.name.len());
    let mut columns = Columns { title: every_name.max().unwrap_or(0), count: COUNT };
    if !columns.fit(CODES, look) {
        let names = found.iter().map(|&(rule, _)| rule.name.len());
        let counts = found.iter().map(|&(_, count)| Grouped(count).to_string().len());
        columns = Columns { title: names.max().unwrap_or(0), count: counts.max().unwrap_or(0) };
    }
    push_heading(out, "Findings", look);
    if found.is_empty() {
        push(out, format_args!("  none\n"));
    }
    for (rule, count) in found {
        let (severity, code, name) = (rule.severity, rule.code, rule.name);
        let (count, Columns { title: width, count: cells }) = (Grouped(count), columns);
        push(out, format_args!("  "));
        look.push(out, severity_style(severity), format_args!("{severity:<7}"));
        push(out, format_args!("  "));
        look.push(out, BOLD, code);
        if columns.fit(CODES, look) {
            push(out, format_args!("  {name:<width$}  {count:>cells$}\n"));
        } else {
            push(out, format_args!("  {count:>cells$}\n    {name}\n"));
        }
    }
}

fn push_games(out: &mut Vec<u8>, counts: &Counts, look: Look) {
    out.push(b'\n');
    push_heading(out, "Games", look);
    let games: u64 = counts.verdicts.iter().sum();
    let columns = if ROWS.fit(SHARE, look) { ROWS } else { NARROW_GAMES };
    for verdict in Verdict::ALL {
        let count = counts.verdict(verdict);
        if count > 0 {
            let share = count as f64 / games as f64 * 100.0;
            columns.push(out, verdict.as_str(), count);
            push(out, format_args!("  {share:>5.1} %\n"));
        }
    }
    columns.push(out, "all", games);
    out.push(b'\n');
}

fn push_ends(out: &mut Vec<u8>, counts: &Counts, look: Look) {
    let draws = counts.draws;
    let rows = [
        ("threefold repetition reached", draws.threefold),
        ("fivefold repetition reached", draws.fivefold),
        ("50 moves reached", draws.fifty_moves),
        ("75 moves reached", draws.seventyfive_moves),
        ("ended by checkmate", draws.checkmate),
        ("ended by stalemate", draws.stalemate),
        ("ended by a dead position", draws.dead_position),
        ("recorded draws supported", draws.claims(ClaimVerdict::Supported)),
        ("recorded draws by next move", draws.claims(ClaimVerdict::SupportedByNextMove)),
        ("recorded draws contradicted", draws.claims(ClaimVerdict::Contradicted)),
        ("recorded draws unverifiable", draws.claims(ClaimVerdict::Unverifiable)),
    ];
    if rows.iter().any(|&(_, count)| count > 0) {
        out.push(b'\n');
        push_heading(out, "Draws and ends on the board", look);
    }
    for (title, count) in rows.into_iter().filter(|&(_, count)| count > 0) {
        push_row(out, title, count, look);
    }
}

fn push_promotions(out: &mut Vec<u8>, counts: &Counts, look: Look) {
    if counts.promotions + counts.open_promotions > 0 {
        out.push(b'\n');
        push_heading(out, "Promotions", look);
        let queens = counts.promotions.saturating_sub(counts.underpromotions);
        push_row(out, "to a queen", queens, look);
        push_row(out, "to another piece", counts.underpromotions, look);
        if counts.open_promotions > 0 {
            push_row(out, "no piece named, left open", counts.open_promotions, look);
        }
    }
}

fn push_ledger(out: &mut Vec<u8>, counts: &Counts, look: Look) {
    let ledger = counts.ledger;
    let (judged, found) = (Grouped(ledger.games_judged), Counted(ledger.games_in, "game"));
    let (bytes, games) = (Counted(ledger.bytes_in, "byte"), Grouped(ledger.bytes_in_games));
    let gaps = Grouped(ledger.bytes_in_gaps);
    out.push(b'\n');
    push_heading(out, "Ledger", look);
    push_text(out, &format!("{judged} of {found} accounted for"), look);
    push_text(out, &format!("{bytes} = {games} in games + {gaps} between games"), look);
    if !ledger.balances() {
        push_text(out, "it does not balance: this is a defect of the program", look);
    }
}

fn push_failures(out: &mut Vec<u8>, run: &RunSummary, look: Look) {
    let mut failures = run.inputs.iter().filter_map(|input| input.error.as_ref()).peekable();
    if failures.peek().is_some() {
        out.push(b'\n');
        push_heading(out, "Not read, or not to the end", look);
    }
    for failure in failures {
        push_text(out, failure, look);
    }
}

fn push_text(out: &mut Vec<u8>, text: &str, look: Look) {
    push_wrapped(out, text.as_bytes(), Margins { used: 0, indent: 2, width: look.width });
    out.push(b'\n');
}

fn push_heading(out: &mut Vec<u8>, title: &str, look: Look) {
    look.push(out, BOLD, title);
    out.push(b'\n');
}

fn push_row(out: &mut Vec<u8>, title: &str, count: u64, look: Look) {
    let columns = if ROWS.fit(0, look) { ROWS } else { NARROW_ROWS };
    columns.push(out, title, count);
    out.push(b'\n');
}

/// What a table takes of a line, in cells, behind an indent of two.
#[derive(Clone, Copy, Debug)]
struct Columns {
    title: usize,
    count: usize,
}

const COUNT: usize = 13;

const ROWS: Columns = Columns { title: 28, count: COUNT };

/// For terminals of 40 columns: the longest title of these rows has 28 letters, the longest
/// verdict 12.
const NARROW_ROWS: Columns = Columns { title: 28, count: 10 };
const NARROW_GAMES: Columns = Columns { title: 14, count: COUNT };

/// Cells of a row beside title and count: severity and code with their spaces, or the share.
const CODES: usize = "error    M303    ".len();
const SHARE: usize = "  100.0 %".len();

impl Columns {
    fn fit(self, beside: usize, look: Look) -> bool {
        look.width.is_none_or(|width| 2 + self.title + self.count + beside <= width)
    }

    fn push(self, out: &mut Vec<u8>, title: &str, count: u64) {
        let Columns { title: width, count: cells } = self;
        push(out, format_args!("  {title:<width$}{:>cells$}", Grouped(count)));
    }
}

fn push(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Writing to memory does not fail.
    let _ = out.write_fmt(text);
}
