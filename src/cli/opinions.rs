//! The games that a second opinion is asked on: those with an error, or with a warning about
//! structure, moves or notation, which are what another reader may stumble over.
//!
//! In: a chunk's report, after the selection of rules. Out: the same with the opinions. A sound
//! game costs nothing.

use crate::diagnostics::{Finding, Severity};
use crate::judge::ChunkReport;
use crate::replay::SecondOpinion;

/// Families whose warnings ask for one.
const STUMBLING: [char; 3] = ['S', 'M', 'N'];

/// The longest game that one is asked on: each of its half-moves takes some 300 bytes of memory.
const LONGEST_ASKED: usize = 1 << 20;

/// Asks pgn-reader about each game that has such a finding. Runs on a worker.
pub fn ask(wanted: bool, bytes: &[u8], report: &mut ChunkReport) {
    if !wanted {
        return;
    }
    for game in games(report) {
        let span = report.records.games[game as usize].span;
        if span.len() <= LONGEST_ASKED {
            report.opinions.extend(SecondOpinion::ask(span.of(bytes), game));
        }
    }
}

/// Drops those on games whose findings were left out since.
pub fn keep_asked(report: &mut ChunkReport) {
    if !report.opinions.is_empty() {
        let games = games(report);
        report.opinions.retain(|opinion| games.binary_search(&opinion.game).is_ok());
    }
}

/// In rising order.
fn games(report: &ChunkReport) -> Vec<u32> {
    let asking = report.findings.iter().filter(|finding| asks(finding));
    let mut games: Vec<u32> = asking.filter_map(|finding| finding.game).collect();
    games.dedup();
    games
}

fn asks(finding: &Finding) -> bool {
    match finding.rule.severity {
        Severity::Error => true,
        Severity::Warning => finding.rule.code.starts_with(STUMBLING),
        Severity::Info => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Chunk;
    use crate::judge::Judge;

    const TEXT: &str = "1. e4 e5 *\n\n1. e4 e5 2. Bf8 *\n\n[Date \"never\"]\n\n1. d4 *\n\n\
        1. e4+ *\n\n1. f3 e5 2. g4 Qh4+ 0-1\n";

    fn report() -> ChunkReport {
        let chunk = Chunk { bytes: TEXT.into(), last: true, ..Chunk::default() };
        let mut report = Judge::default().judge(&chunk);
        report.findings.retain(|finding| !finding.rule.code.starts_with('T'));
        ask(true, TEXT.as_bytes(), &mut report);
        report
    }

    #[test]
    fn only_games_that_another_reader_may_stumble_over_are_asked_about() {
        let games: Vec<_> = report().opinions.iter().map(|opinion| opinion.game).collect();
        assert_eq!(games, [1, 3], "an illegal move, and a check mark without a check");
    }

    #[test]
    fn a_game_of_megabytes_is_not_asked_about() {
        let text = format!("1. e4+ {} *\n", "Nf6 Nf3 Ng8 Ng1 ".repeat(LONGEST_ASKED / 16));
        let chunk = Chunk { bytes: text.as_str().into(), last: true, ..Chunk::default() };
        let mut report = Judge::default().judge(&chunk);
        assert_eq!(games(&report), [0]);
        ask(true, text.as_bytes(), &mut report);
        assert!(report.opinions.is_empty());
    }

    #[test]
    fn an_opinion_goes_with_the_last_finding_of_its_game() {
        let mut report = report();
        report.findings.retain(|finding| finding.game != Some(1));
        keep_asked(&mut report);
        let games: Vec<_> = report.opinions.iter().map(|opinion| opinion.game).collect();
        assert_eq!(games, [3]);
    }
}
