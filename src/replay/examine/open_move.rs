//! Moves that leave something open: the piece of a promotion, or which of several pieces moves.
//!
//! A refused move comes in; out goes what it was, if the rest of its line, the marks and the
//! recorded end show it, and the fix that writes it so. What several readings fit is the queen of
//! FIDE 7.5.2, assumed, for a promotion; else they are named, and nothing is chosen.

use shakmaty::san::San;
use shakmaty::{Chess, Move, Role};

use super::{Ending, Exam};
use crate::diagnostics::{Applicability, Edit, Finding, Fix, FixSource, Ply, Rule, Span};
use crate::pgn::notation::Reading;
use crate::pgn::{Mark, WrittenMove, parse_result};
use crate::replay::evidence::{
    Candidates, Doubts, Exclusion, Ground, Habits, Place, Rest, Ruling, Trial, main_line_words,
    rule_on,
};
use crate::replay::interpret::open_moves;
use crate::replay::{PieceSource, either, noun};
use crate::rules::notation::CHECK_MARK;
use crate::rules::spelling::{Effect, spelled};
use crate::rules::{moves, promotions};

/// What an open move is taken for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    pub m: Move,
    pub source: PieceSource,
}

/// An open move and all that it may be.
struct OpenMove {
    before: Chess,
    span: Span,
    reading: Reading,
    readings: Vec<Move>,
    /// They are the pieces of one promotion.
    pieces: bool,
}

/// Whether a move is refused by this rule for what it leaves open.
pub(super) fn leaves_open(rule: &Rule) -> bool {
    rule == &promotions::MISSING_PROMOTION_PIECE || rule == &moves::AMBIGUOUS_SAN
}

impl Exam<'_, '_, '_> {
    /// Says in the finding what the evidence shows of the open move that it is about; what the
    /// move is then taken for.
    pub(super) fn settle_open_move(
        &mut self,
        finding: Finding,
        in_main_line: bool,
    ) -> (Finding, Option<Settled>) {
        let span = finding.span;
        let before = self.line.position.clone();
        let Some((reading, readings)) = open_moves(&before, span.of(self.bytes), &self.dialect)
        else {
            return (finding, None);
        };
        if readings.len() > Candidates::MOST {
            return (finding, None);
        }
        let trial = self.trial(&before, &readings, reading.mark, span, in_main_line);
        // Behind a guess a mark may be missing on the board that was guessed, and in the text not.
        let guessed = in_main_line && (self.facts.assumed || self.facts.passed);
        let habits = Habits {
            marks_checks: !guessed && self.marks_its_checks(),
            names_origins: finding.rule != &moves::AMBIGUOUS_SAN
                && !self.found.has(&moves::AMBIGUOUS_SAN),
        };
        let ruling = rule_on(&before, &readings, reading.mark, &trial, habits);
        let pieces = finding.rule == &promotions::MISSING_PROMOTION_PIECE;
        let open = OpenMove { before, span, reading, readings, pieces };
        match ruling {
            Ruling::One(index, ground) => {
                let m = open.readings[index];
                let why = self.why(&open, m, ground);
                let title = open.title(m, matches!(ground, Ground::Rest(..)));
                let fix = open.fix(self.bytes, m, FixSource::Inferred, title);
                let settled = Settled { m, source: PieceSource::Inferred };
                (says(finding, &why).fix(fix), Some(settled))
            }
            Ruling::Several(left, doubts) => {
                self.several(&open, left, doubts, finding, in_main_line)
            }
            Ruling::None => {
                let why = self.why_none(&open, &trial);
                (says(finding, &why), None)
            }
        }
    }

    /// Holds readings of a word with this mark against what follows it in its line.
    pub(super) fn trial(
        &mut self,
        before: &Chess,
        readings: &[Move],
        mark: Mark,
        word: Span,
        in_main_line: bool,
    ) -> Trial {
        let game = self.frame.game;
        let tag = self.known.result.and_then(|tag| parse_result(tag.of(self.bytes).trim_ascii()));
        let (profile, behind_marker) = (self.profile(), self.comment_in_gap());
        let mut budget = self.take_budget();
        let rest = Rest {
            bytes: self.bytes,
            text: Span::new(word.end, game.end),
            in_variation: !in_main_line,
            dialect: &self.dialect,
            cut: self.ending != Ending::Whole && game.end == self.bytes.len(),
            result: tag.map(|(result, _)| result),
            tags: &self.known,
            behind_marker,
            profile,
        };
        let mut trial = rest.hold(before, readings, mark, &mut budget);
        self.budget = Some(budget);
        // The kings' walk to the centre is no part of the game.
        if in_main_line
            && let Some(end) = trial.end()
            && self.kings_to_the_centre(end.place.word, false).is_some()
        {
            trial.end_before_last();
        }
        trial
    }

    /// Whether the game marks checks, and was not found to leave one unmarked.
    fn marks_its_checks(&mut self) -> bool {
        if self.found.has(&CHECK_MARK) {
            return false;
        }
        let (bytes, start, end) = (self.bytes, self.movetext_start, self.frame.game.end);
        *self.marks_checks.get_or_insert_with(|| {
            let mut words = main_line_words(bytes, Span::new(start, end));
            words.any(|word| matches!(word.of(bytes).last(), Some(b'+' | b'#')))
        })
    }

    /// Several readings fit, or nothing shows that only one does.
    fn several(
        &mut self,
        open: &OpenMove,
        left: Candidates,
        doubts: Doubts,
        finding: Finding,
        in_main_line: bool,
    ) -> (Finding, Option<Settled>) {
        let left: Vec<Move> = left.iter().map(|index| open.readings[index]).collect();
        let queen = |m: &&Move| open.pieces && m.promotion() == Some(Role::Queen);
        if let Some(&m) = left.iter().find(queen) {
            let others: Vec<String> =
                left.iter().filter(|other| **other != m).map(|m| open.name(*m)).collect();
            let title = match others.as_slice() {
                [] => format!("promote to a queen{}", against_the_others(doubts)),
                others => format!("promote to a queen ({} would fit too)", either(others)),
            };
            let fix = open.fix(self.bytes, m, FixSource::Assumed, title);
            self.facts.assumed |= in_main_line;
            return (finding.fix(fix), Some(Settled { m, source: PieceSource::Assumed }));
        }
        let names: Vec<String> = left.iter().map(|m| open.name(*m)).collect();
        let verb = if open.pieces { "promote to" } else { "write" };
        let open_still = if names.len() == 1 { "" } else { ", which the rest leaves open" };
        let fix = Fix {
            title: format!("{verb} {}{open_still}{}", either(&names), against_the_others(doubts)),
            applicability: Applicability::Display,
            source: FixSource::Inferred,
            edits: Vec::new(),
        };
        (finding.fix(fix), None)
    }

    /// Why it is this move, in a sentence.
    fn why(&self, open: &OpenMove, m: Move, ground: Ground) -> String {
        let only = open.name(m);
        let marked = |mark| if mark == Mark::Mate { "mate" } else { "check" };
        match ground {
            Ground::Mark(mark) => {
                format!("only {only} gives the {} that is marked", marked(mark))
            }
            Ground::Rest(Exclusion { place, own_move: true, .. }, _) if open.pieces => {
                format!("{} can only be played by {only}", self.label(place))
            }
            Ground::Rest(Exclusion { place, .. }, true) => {
                format!("{} is legal only {}", self.label(place), open.condition(&only))
            }
            Ground::Rest(Exclusion { place, .. }, false) => {
                format!("up to {} only {only} keeps the moves legal", self.label(place))
            }
            Ground::LaterMark(Exclusion { place, .. }) => {
                let label = self.label(place);
                format!("{label} has its mark by right only {}", open.condition(&only))
            }
            Ground::Reason(reason) => {
                format!(
                    "only {only} leads to the recorded end, {}",
                    reason.as_str().replace('_', " ")
                )
            }
            Ground::Result => format!("only {only} leads to an end that fits the result"),
            Ground::NoMark => format!("only {only} gives no check, and none is marked"),
        }
    }

    fn why_none(&self, open: &OpenMove, trial: &Trial) -> String {
        let none = if open.pieces {
            "with none of the four pieces is the rest legal; the fault may lie elsewhere"
        } else {
            "with none of them is the rest legal; the fault may lie elsewhere"
        };
        match trial.end() {
            Some(Exclusion { place, .. }) => {
                format!("{none}, at {} at the latest", self.label(place))
            }
            None => none.to_owned(),
        }
    }

    fn label(&self, place: Place) -> String {
        let Place { word, move_number, black } = place;
        self.label_at(Ply { index: 0, move_number, black, at_move: true }, word)
    }

    /// `61. Qe4+`
    pub(super) fn label_at(&self, ply: Ply, word: Span) -> String {
        let dots = if ply.black { "..." } else { "." };
        format!("{}{dots} {}", ply.move_number, self.found.text(word.of(self.bytes)))
    }
}

impl OpenMove {
    /// `a queen`, or `Nbd2`
    fn name(&self, m: Move) -> String {
        match m.promotion().filter(|_| self.pieces) {
            Some(piece) => format!("a {}", noun(piece)),
            None => San::from_move(&self.before, m).to_string(),
        }
    }

    fn condition(&self, only: &str) -> String {
        if self.pieces { format!("if the piece is {only}") } else { format!("after {only}") }
    }

    fn title(&self, m: Move, by_rest: bool) -> String {
        let what = match m.promotion().filter(|_| self.pieces) {
            Some(piece) => format!("promote to a {}", noun(piece)),
            None => format!("write {}", self.standard(m)),
        };
        if by_rest {
            format!("{what}, with which alone the rest is legal")
        } else {
            format!("{what}, which alone fits what is written")
        }
    }

    fn fix(&self, bytes: &[u8], m: Move, source: FixSource, title: String) -> Fix {
        // A word of digits has no place for a letter.
        let digits = self.span.of(bytes).iter().all(u8::is_ascii_digit);
        match m.promotion().filter(|_| self.pieces && !digits) {
            Some(piece) => promotions::name_piece(bytes, self.span, piece, source, title),
            None => Fix {
                title,
                applicability: Applicability::Unsafe,
                source,
                edits: vec![Edit { span: self.span, content: self.standard(m).into_bytes() }],
            },
        }
    }

    /// The word as the standard writes this reading.
    fn standard(&self, m: Move) -> String {
        let Reading { mark, style, glyph, .. } = self.reading;
        let san = San::from_move(&self.before, m);
        let written = WrittenMove { san, mark, style, glyph };
        spelled(Some(&written), &self.before, m, Effect::of(&self.before, m))
    }
}

/// Why the readings that are left go before the others, though nothing shows it.
fn against_the_others(doubts: Doubts) -> String {
    let reasons = [
        (doubts.mate, "the others mate against the recorded result"),
        (doubts.ambiguous, "the others need a move that is ambiguous"),
        (doubts.unread, "the rest was not followed to its end"),
    ];
    let reasons: Vec<&str> =
        reasons.into_iter().filter(|(speaks, _)| *speaks).map(|(_, why)| why).collect();
    if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) }
}

fn says(finding: Finding, more: &str) -> Finding {
    let message = format!("{}; {more}", finding.message);
    finding.message(message)
}
