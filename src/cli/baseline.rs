//! `baseline write`, and what a run against a baseline leaves out.
//!
//! In: chunks with their findings, in file order. With `--baseline` the faults that it knows leave
//! the report and its counts, and are counted apart; with `baseline write` all faults are
//! collected. Faults are errors and warnings: facts are never part of a baseline. What the judge
//! said of a game as a whole stays: a fault that is known is still a fault.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::args::{BaselineArgs, BaselineCommand};
use super::exit::Status;
use super::plan::Plan;
use super::session;
use crate::diagnostics::{Baseline, BaselineWriter, Identity, Severity};
use crate::error::{Error, Result};
use crate::judge::ChunkReport;
use crate::report::Output;

pub fn run(args: BaselineArgs) -> Result<Status> {
    let BaselineCommand::Write(args) = args.command;
    session::run(&Plan::baseline(args)?)
}

/// What a run has to do with a baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BaselinePlan {
    #[default]
    None,
    /// Faults that this file holds are left out.
    Against(PathBuf),
    /// The faults that are found go into this file; `-` is standard output.
    Write(PathBuf),
}

/// White space before a document is no longer.
const HEAD: u64 = 1024;

/// The known faults of a run.
#[derive(Debug)]
pub enum KnownFaults {
    None,
    Against { baseline: Box<Baseline>, left_out: u64 },
    Write { found: Box<BaselineWriter>, out: Box<Output> },
}

impl KnownFaults {
    /// Reads the baseline, or opens it to be written.
    pub fn begin(plan: &BaselinePlan) -> Result<KnownFaults> {
        Ok(match plan {
            BaselinePlan::None => KnownFaults::None,
            BaselinePlan::Against(path) => {
                let json = read_document(path).map_err(|error| Error::read(path, error))?;
                let baseline = Baseline::read(&json).map_err(|source| Error::Baseline {
                    path: path.clone(),
                    source: Box::new(source),
                })?;
                KnownFaults::Against { baseline: Box::new(baseline), left_out: 0 }
            }
            BaselinePlan::Write(path) => {
                let out = Box::new(Output::named(path)?);
                KnownFaults::Write { found: Box::default(), out }
            }
        })
    }

    /// Takes the known faults out of a chunk's report, or all of them in. `identities` are those
    /// that [`identities`] gave for it.
    pub fn chunk(&mut self, report: &mut ChunkReport, identities: &[Option<Identity>]) {
        let ChunkReport { findings, counts, .. } = report;
        match self {
            KnownFaults::None => {}
            KnownFaults::Against { baseline, left_out } => {
                let mut identities = identities.iter();
                findings.retain(|finding| {
                    let Some(&Some(identity)) = identities.next() else { return true };
                    let known = baseline.meet(finding, identity);
                    counts.leave_out(finding.rule, known);
                    *left_out += known;
                    known <= finding.unlisted
                });
            }
            KnownFaults::Write { found, .. } => {
                for (finding, identity) in findings.iter().zip(identities) {
                    if let Some(identity) = identity {
                        found.add(finding, *identity);
                    }
                }
            }
        }
    }

    /// How many faults were left out; `None` where there is no baseline.
    pub fn left_out(&self) -> Option<u64> {
        match self {
            KnownFaults::Against { left_out, .. } => Some(*left_out),
            KnownFaults::None | KnownFaults::Write { .. } => None,
        }
    }

    /// Writes what was collected.
    pub fn finish(self) -> Result<()> {
        if let KnownFaults::Write { found, mut out } = self {
            for line in found.lines() {
                out.buffer().extend_from_slice(line.as_bytes());
                out.spill()?;
            }
            out.finish()?;
        }
        Ok(())
    }
}

/// Reads a file that begins as a JSON object does; of any other no more than its first bytes,
/// since a device has no end.
fn read_document(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut json = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut json)?;
    if json.trim_ascii_start().starts_with(b"{") {
        file.read_to_end(&mut json)?;
    }
    Ok(json)
}

/// By what the faults of a chunk are known, one for each finding and `None` for a fact. Runs on a
/// worker.
pub fn identities(
    plan: &BaselinePlan,
    bytes: &[u8],
    report: &ChunkReport,
) -> Vec<Option<Identity>> {
    if *plan == BaselinePlan::None {
        return Vec::new();
    }
    let mut last = None;
    let mut key = |game: u32| match last {
        Some((of, key)) if of == game => key,
        _ => {
            let record = report.records.games.get(game as usize);
            let key = record.map_or(0, |record| record.key(bytes));
            last = Some((game, key));
            key
        }
    };
    let identity = |finding: &crate::diagnostics::Finding| {
        (finding.rule.severity >= Severity::Warning)
            .then(|| Identity::of(finding, bytes, finding.game.map(&mut key)))
    };
    report.findings.iter().map(identity).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Chunk;
    use crate::judge::Judge;

    fn game(round: u32, moves: &str) -> String {
        format!(
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"{round}\"]\n\
             [White \"Ott\"]\n[Black \"Lund\"]\n[Result \"*\"]\n\n{moves} *\n\n"
        )
    }

    fn judged(text: &str) -> (ChunkReport, Vec<Option<Identity>>) {
        let chunk = Chunk { bytes: text.into(), last: true, ..Chunk::default() };
        let report = Judge::default().judge(&chunk);
        let identities = identities(&BaselinePlan::Write("x".into()), text.as_bytes(), &report);
        (report, identities)
    }

    /// Codes that are new, and how many are known.
    fn new(before: &str, now: &str) -> (Vec<&'static str>, u64) {
        let (report, identities) = judged(before);
        let mut writer = BaselineWriter::default();
        for (finding, identity) in report.findings.iter().zip(identities) {
            if let Some(identity) = identity {
                writer.add(finding, identity);
            }
        }
        let json: String = writer.lines().collect();
        let baseline = Box::new(Baseline::read(json.as_bytes()).unwrap());
        let mut known = KnownFaults::Against { baseline, left_out: 0 };
        let (mut report, identities) = judged(now);
        known.chunk(&mut report, &identities);
        let faults = report.findings.iter().filter(|it| it.rule.severity > Severity::Info);
        let codes: Vec<_> = faults.map(|finding| finding.rule.code).collect();
        assert!(report.counts.at_least(Severity::Warning) >= codes.len() as u64);
        assert_eq!(codes.is_empty(), report.counts.at_least(Severity::Warning) == 0);
        (codes, known.left_out().unwrap())
    }

    #[test]
    fn known_faults_stay_known_when_games_come_go_and_change_places() {
        let (illegal, marked) = (game(1, "1. e4 e5 2. Bf8"), game(2, "1. e4+"));
        let before = format!("{illegal}{marked}");
        assert_eq!(new(&before, &before), (vec![], 2));
        assert_eq!(new(&before, &format!("{}{marked}{illegal}", game(3, "1. d4"))), (vec![], 2));
        assert_eq!(new(&before, &before.replace('\n', "\r\n")), (vec![], 2));
        assert_eq!(new(&before, &marked), (vec![], 1));
        assert_eq!(new(&before, &format!("{before}{}", game(3, "1. d4+"))), (vec!["N701"], 2));
    }

    #[test]
    fn a_mend_leaves_the_other_faults_of_the_game_known_and_a_new_one_is_told() {
        let before = game(1, "1. e4+ e5 2. Nf3+ Nc6 3. Qq9");
        assert_eq!(new(&before, &game(1, "1. e4 e5 2. Nf3+ Nc6 3. Qq9")), (vec![], 2));
        assert_eq!(new(&before, &game(1, "1. e4+ e5+ 2. Nf3+ Nc6 3. Qq9")).0, ["N701"]);
    }

    #[test]
    fn a_second_game_with_the_same_fault_is_new() {
        let fault = game(1, "1. e4+");
        assert_eq!(new(&fault, &format!("{fault}{fault}")), (vec!["N701"], 1));
    }

    #[test]
    fn a_flood_is_known_as_a_whole_and_shown_when_it_grows() {
        let flood = |times: usize| game(1, &format!("{} 1. e4", "@@ ".repeat(times)));
        assert_eq!(new(&flood(1_000), &flood(1_000)), (vec![], 1_000));
        let (codes, known) = new(&flood(1_000), &flood(1_001));
        assert_eq!((codes, known), (vec!["S101"], 1_000));
    }

    #[test]
    fn facts_are_part_of_no_baseline() {
        let mated = game(1, "1. f3 e5 2. g4 Qh4+");
        let (report, identities) = judged(&mated);
        let of_facts = report.findings.iter().zip(&identities);
        let mut of_facts = of_facts.filter(|(it, _)| it.rule.severity == Severity::Info);
        assert!(of_facts.clone().count() > 0 && of_facts.all(|(_, identity)| identity.is_none()));
    }
}
