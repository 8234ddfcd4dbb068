//! What a run comes to, and the JSON document that says it to a machine.
//!
//! The document is the last line of `jsonl` (with `type`, without `run`, so that it depends on
//! the bytes alone) and the file of `--summary-json`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::replay::{ClaimVerdict, Handover, Verdict};
use crate::summary::{Counts, Lanes};

/// Changes when a field of [`SummaryDocument`] changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

/// What a run comes to.
#[derive(Clone, Debug, Default)]
pub struct RunSummary {
    /// In the order in which they were read.
    pub inputs: Vec<InputSummary>,
    pub counts: Counts,
    /// Faults that a baseline knew; they are not in the counts. `None` without a baseline.
    pub known_faults: Option<u64>,
    /// The exit status.
    pub status: u8,
    pub elapsed: Duration,
    pub threads: usize,
}

/// What became of one input.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InputSummary {
    pub name: String,
    /// Decompressed bytes that were judged.
    pub bytes: u64,
    pub games: u64,
    /// Why it could not be read, or not to its end; what came before is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The summary as JSON. Fields are stable; new ones may be added.
#[derive(Debug, Serialize)]
pub struct SummaryDocument<'a> {
    schema_version: u32,
    program: &'static str,
    version: &'static str,
    /// The exit status: 0, 1 or 2.
    status: u8,
    inputs: &'a [InputSummary],
    games: u64,
    /// Half-moves of all main lines, and those before the first fault of their game.
    plies: u64,
    certified_plies: u64,
    promotions: u64,
    underpromotions: u64,
    /// Findings by code: the codes that were found, after `--select` and `--ignore`.
    codes: &'a BTreeMap<&'static str, u64>,
    severities: Severities,
    /// Faults that `--baseline` left out; left out itself without that.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_faults: Option<u64>,
    verdicts: Verdicts,
    draws: Draws,
    ledger: LedgerObject,
    /// Left out where the document must depend on the bytes alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<Run>,
}

#[derive(Debug, Serialize)]
struct Severities {
    error: u64,
    warning: u64,
    info: u64,
}

#[derive(Debug, Serialize)]
struct Verdicts {
    certified: u64,
    flawed: u64,
    contradicted: u64,
    illegal: u64,
    unreadable: u64,
    unjudged: u64,
}

/// Games by what stood on the board, whether or not it ended them.
#[derive(Debug, Serialize)]
struct Draws {
    threefold: u64,
    fivefold: u64,
    fifty_moves: u64,
    seventyfive_moves: u64,
    checkmate: u64,
    stalemate: u64,
    dead_position: u64,
    /// Games that record why they were drawn, by what the board says of it.
    claims: Claims,
}

#[derive(Debug, Serialize)]
struct Claims {
    supported: u64,
    supported_by_next_move: u64,
    contradicted: u64,
    unverifiable: u64,
}

#[derive(Debug, Serialize)]
struct LedgerObject {
    bytes_in: u64,
    bytes_in_games: u64,
    bytes_in_gaps: u64,
    games_in: u64,
    games_judged: u64,
    balances: bool,
}

#[derive(Debug, Serialize)]
struct Run {
    elapsed_seconds: f64,
    threads: usize,
    lanes: LanesObject,
}

/// Which way games went through the program.
#[derive(Debug, Serialize)]
struct LanesObject {
    /// Games that the fast lane played to their end, and half-moves that it played.
    fast_games: u64,
    fast_plies: u64,
    /// Games that the examiner read, wholly or in part, by the first reason.
    handed_over: BTreeMap<&'static str, u64>,
}

impl LanesObject {
    fn new(lanes: &Lanes) -> LanesObject {
        let reasons = Handover::ALL.map(Handover::as_str).into_iter();
        LanesObject {
            fast_games: lanes.fast_games,
            fast_plies: lanes.fast_plies,
            handed_over: reasons.zip(lanes.handed_over).filter(|(_, games)| *games > 0).collect(),
        }
    }
}

impl<'a> SummaryDocument<'a> {
    /// The part that depends on the bytes alone.
    pub fn new(summary: &'a RunSummary) -> SummaryDocument<'a> {
        use crate::diagnostics::Severity;
        let counts = &summary.counts;
        let draws = counts.draws;
        SummaryDocument {
            schema_version: SCHEMA_VERSION,
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            status: summary.status,
            inputs: &summary.inputs,
            games: counts.ledger.games_judged,
            plies: counts.plies,
            certified_plies: counts.certified_plies,
            promotions: counts.promotions,
            underpromotions: counts.underpromotions,
            codes: &counts.codes,
            severities: Severities {
                error: counts.severity(Severity::Error),
                warning: counts.severity(Severity::Warning),
                info: counts.severity(Severity::Info),
            },
            known_faults: summary.known_faults,
            verdicts: Verdicts {
                certified: counts.verdict(Verdict::Certified),
                flawed: counts.verdict(Verdict::Flawed),
                contradicted: counts.verdict(Verdict::Contradicted),
                illegal: counts.verdict(Verdict::Illegal),
                unreadable: counts.verdict(Verdict::Unreadable),
                unjudged: counts.verdict(Verdict::Unjudged),
            },
            draws: Draws {
                threefold: draws.threefold,
                fivefold: draws.fivefold,
                fifty_moves: draws.fifty_moves,
                seventyfive_moves: draws.seventyfive_moves,
                checkmate: draws.checkmate,
                stalemate: draws.stalemate,
                dead_position: draws.dead_position,
                claims: Claims {
                    supported: draws.claims(ClaimVerdict::Supported),
                    supported_by_next_move: draws.claims(ClaimVerdict::SupportedByNextMove),
                    contradicted: draws.claims(ClaimVerdict::Contradicted),
                    unverifiable: draws.claims(ClaimVerdict::Unverifiable),
                },
            },
            ledger: LedgerObject {
                bytes_in: counts.ledger.bytes_in,
                bytes_in_games: counts.ledger.bytes_in_games,
                bytes_in_gaps: counts.ledger.bytes_in_gaps,
                games_in: counts.ledger.games_in,
                games_judged: counts.ledger.games_judged,
                balances: counts.ledger.balances(),
            },
            run: None,
        }
    }

    /// With what differs from run to run.
    pub fn of_run(summary: &'a RunSummary) -> SummaryDocument<'a> {
        // A millisecond is what a clock here can be trusted with.
        let elapsed_seconds = summary.elapsed.as_millis() as f64 / 1e3;
        let lanes = LanesObject::new(&summary.counts.lanes);
        let run = Run { elapsed_seconds, threads: summary.threads, lanes };
        SummaryDocument { run: Some(run), ..SummaryDocument::new(summary) }
    }

    /// The document over several lines, with a line end behind it.
    pub fn to_pretty_json(&self) -> Vec<u8> {
        let mut json =
            serde_json::to_vec_pretty(self).expect("memory takes every byte and every key is text");
        json.push(b'\n');
        json
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::report::examples;

    #[test]
    fn the_document_says_all_that_was_counted() {
        let json = SummaryDocument::of_run(&examples::run()).to_pretty_json();
        assert_snapshot!(String::from_utf8(json).unwrap());
    }
}
