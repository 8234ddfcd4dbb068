//! The findings that `--select` and `--ignore` want.
//!
//! In: everything that the judge found in a chunk. Out: the same report without the rest, and with
//! its counts made anew, so that reports, tables, summary and exit status speak of one thing. A
//! game's verdict stays what the judge said: to leave a finding out does not mend the game.

use crate::diagnostics::{Selection, Severity};
use crate::judge::ChunkReport;

/// Takes the findings of other rules out of a chunk's report.
pub fn keep_selected(report: &mut ChunkReport, selection: &Selection) {
    if selection.is_everything() {
        return;
    }
    let games = &mut report.records.games;
    report.findings.retain(|finding| {
        let allowed = selection.allows(finding.rule);
        if !allowed && let Some(game) = finding.game.and_then(|game| games.get_mut(game as usize)) {
            match finding.rule.severity {
                Severity::Error => game.errors = game.errors.saturating_sub(1),
                Severity::Warning => game.warnings = game.warnings.saturating_sub(1),
                Severity::Info => {}
            }
        }
        allowed
    });
    let counts = &mut report.counts;
    counts.codes.clear();
    counts.severities = [0; Severity::ALL.len()];
    report.findings.iter().for_each(|finding| counts.finding(finding));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Finding, Rule, Span};
    use crate::replay::{EndState, GameRecord, KnownTags, Verdict};
    use crate::rules::{RULES, draws, moves, notation, structure};

    fn report() -> ChunkReport {
        let mut report = ChunkReport::default();
        report.counts.ledger.games_in = 2;
        report.records.games = vec![game(), game()];
        let found: [(&'static Rule, Option<u32>); 5] = [
            (&structure::TEXT_BETWEEN_GAMES, None),
            (&moves::UNREADABLE_MOVE, Some(0)),
            (&notation::CHECK_MARK, Some(1)),
            (&draws::UNCLAIMED_THREEFOLD, Some(1)),
            (&moves::UNREADABLE_MOVE, Some(1)),
        ];
        for (at, (rule, game)) in found.into_iter().enumerate() {
            let mut finding = Finding::new(rule, Span::new(at, at + 1));
            finding.game = game;
            report.counts.finding(&finding);
            report.findings.push(finding);
        }
        report
    }

    fn game() -> GameRecord {
        GameRecord {
            span: Span::new(0, 10),
            lines_before: 0,
            tags: KnownTags::default(),
            marker: None,
            plies: 4,
            certified_plies: 4,
            verdict: Verdict::Unreadable,
            errors: 1,
            warnings: 1,
            end_state: EndState::None,
            promotions: 0,
            underpromotions: 0,
            first_threefold_ply: None,
            first_fivefold_ply: None,
            first_fifty_ply: None,
            first_seventyfive_ply: None,
            max_halfmove_clock: 0,
            moves_key: 0,
            bytes_key: 0,
        }
    }

    #[test]
    fn a_rule_that_is_left_out_is_neither_printed_nor_counted() {
        let mut report = report();
        let ignore = ["unreadable-move".to_owned(), "S".to_owned()];
        keep_selected(&mut report, &Selection::parse(&[], &ignore, RULES).unwrap());
        let codes: Vec<_> = report.findings.iter().map(|finding| finding.rule.code).collect();
        assert_eq!(codes, ["N701", "D501"]);
        assert_eq!(report.counts.at_least(Severity::Error), 0);
        assert_eq!(report.counts.codes.values().sum::<u64>(), 2);
        let of_game = |game: &GameRecord| (game.errors, game.warnings, game.verdict);
        let games: Vec<_> = report.records.games.iter().map(of_game).collect();
        assert_eq!(games, [(0, 1, Verdict::Unreadable); 2]);
        assert_eq!(report.counts.ledger.games_in, 2);
    }

    #[test]
    fn nothing_is_touched_where_all_is_wanted() {
        let mut kept = report();
        keep_selected(&mut kept, &Selection::default());
        assert_eq!(kept.counts, report().counts);
        assert_eq!(kept.findings.len(), 5);
    }
}
