//! The findings that `--select` and `--ignore` want.
//!
//! In: everything that the judge found in a chunk. Out: the same report without the rest, so that
//! reports, tables, summary and exit status speak of one thing. What the judge said of a game as
//! a whole (its verdict, how many errors and warnings it has) stays: to leave a finding out does
//! not mend the game.

use crate::diagnostics::{Selection, Severity};
use crate::judge::ChunkReport;
use crate::rules;

/// Takes the findings of other rules out of a chunk's report and out of its counts.
pub fn keep_selected(report: &mut ChunkReport, selection: &Selection) {
    if selection.is_everything() {
        return;
    }
    report.findings.retain(|finding| selection.allows(finding.rule));
    // Not counted anew from the list, in which a game has only so many findings of one rule.
    let counts = &mut report.counts;
    let codes = std::mem::take(&mut counts.codes);
    counts.severities = [0; Severity::ALL.len()];
    for (code, times) in codes {
        if let Some(rule) = rules::find(code).filter(|rule| selection.allows(rule)) {
            counts.rule(rule, times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Finding, Rule, Span};
    use crate::replay::{EndState, GameRecord, KnownTags, Verdict};
    use crate::rules::{RULES, draws, moves, notation, structure};
    use crate::source::TextEncoding;

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
            encoding: TextEncoding::Ascii,
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
            illegal: None,
            first_threefold_ply: None,
            first_fivefold_ply: None,
            first_fifty_ply: None,
            first_seventyfive_ply: None,
            max_halfmove_clock: 0,
            claim: None,
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
        assert_eq!(games, [(1, 1, Verdict::Unreadable); 2], "as they were judged");
        assert_eq!(report.counts.ledger.games_in, 2);
    }

    #[test]
    fn findings_that_are_counted_and_not_listed_stay_counted() {
        let mut report = report();
        report.counts.rule(&moves::UNREADABLE_MOVE, 998);
        let select = ["M317".to_owned()];
        keep_selected(&mut report, &Selection::parse(&select, &[], RULES).unwrap());
        assert_eq!(report.findings.len(), 2);
        assert_eq!(report.counts.codes.iter().collect::<Vec<_>>(), [(&"M317", &1_000)]);
        assert_eq!(report.counts.severities.iter().sum::<u64>(), 1_000);
        assert_eq!(report.counts.at_least(Severity::Error), 1_000);
    }

    #[test]
    fn nothing_is_touched_where_all_is_wanted() {
        let mut kept = report();
        keep_selected(&mut kept, &Selection::default());
        assert_eq!(kept.counts, report().counts);
        assert_eq!(kept.findings.len(), 5);
    }
}
