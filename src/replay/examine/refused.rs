//! Moves that the board refuses, or that cannot be read: what is told of them, and how the game is
//! read on behind them.

use std::collections::VecDeque;

use shakmaty::{Chess, Move, Position};

use super::Exam;
use super::open_move::{Settled, leaves_open};
use super::options::AfterIllegal;
use crate::diagnostics::{Aftermath, Finding, Ply, Rule, Span};
use crate::pgn::{TimeClass, WrittenMove, is_descriptive};
use crate::replay::aftermath::{
    Explanation, PlayedBefore, Reading, RefusedMove, course, course_from_earlier, fix,
};
use crate::replay::evidence::{MOST_TRIES, main_line_words, play_words, variation_words};
use crate::replay::illegal::{IllegalMove, Refusal};
use crate::replay::interpret::stands_for_move;
use crate::replay::{PieceSource, Verdict, cannot_mate, mix, resolve};
use crate::rules::{fen_of, moves, promotions, structure};

/// Of so many faults of one game it is looked for what explains them; further ones are told, and
/// the game is left there.
const MOST_EXPLAINED: u32 = 32;

/// How the game is read on behind a refused move.
enum ReadOn {
    /// It is not.
    Not,
    /// With this move in its place, where its piece, if it promotes, was taken from.
    With(Move, PieceSource),
    /// With this move before it.
    Before(Move),
    /// With this move in another position, where a fault before it is put right.
    Elsewhere(Box<Chess>, Move),
    /// Without it.
    Without,
}

impl Exam<'_, '_, '_> {
    /// A move that can be read and not be played. `written` is there where it says enough.
    pub(super) fn refuse(
        &mut self,
        written: Option<&WrittenMove>,
        refusal: Refusal,
        span: Span,
        in_main_line: bool,
    ) {
        if in_main_line && self.facts.passed {
            self.line.live = false;
            return;
        }
        let ply = self.line.next_move();
        let mut restarts = false;
        if in_main_line
            && let Some(number) = self.line.take_wrong_number()
            && self.restarts(number)
        {
            restarts = true;
            let ply = Ply { at_move: false, ..ply };
            self.found.push(structure::restarted_numbering(number).ply(ply));
        }
        let fen = fen_of(&self.line.position);
        // What a move leaves open has its own rule everywhere: it breaks no other.
        let open = leaves_open(refusal.rule);
        let finding = if in_main_line {
            Finding::new(refusal.rule, span).message(refusal.message.clone())
        } else {
            let rule = if open { refusal.rule } else { &moves::ILLEGAL_VARIATION_MOVE };
            Finding::new(rule, span).message(format!("in a variation: {}", refusal.message))
        };
        let mut finding = finding.ply(ply).fen(fen);
        if in_main_line && self.stop.is_none() {
            if !open && self.contradicts_promotion(&finding, written) {
                self.read_again();
                return;
            }
            self.stop = Some(if finding.rule == &moves::AMBIGUOUS_SAN {
                Verdict::Unreadable
            } else {
                Verdict::Illegal
            });
        }
        let kings = if in_main_line { self.kings_to_the_centre(span, false) } else { None };
        let mut read_on = ReadOn::Not;
        if open {
            let settled;
            (finding, settled) = self.settle_open_move(finding, in_main_line);
            match settled {
                Some(Settled { m, source }) => read_on = ReadOn::With(m, source),
                None if in_main_line && finding.rule == &promotions::MISSING_PROMOTION_PIECE => {
                    self.facts.open_promotions += 1;
                }
                None => {}
            }
        } else if !restarts && kings.is_none() {
            (finding, read_on) = self.explain(finding, written, &refusal, in_main_line);
        }
        self.found.push(finding);
        if let Some(kings) = kings {
            self.found.push(kings.ply(ply));
        }
        self.read_on(read_on, written, in_main_line);
    }

    pub(super) fn unreadable(&mut self, span: Span, in_main_line: bool) {
        if in_main_line && self.facts.passed {
            self.line.live = false;
            return;
        }
        let ply = self.line.next_move();
        let word = span.of(self.bytes);
        let text = self.found.text(word);
        let message = if is_descriptive(word) {
            format!("\"{text}\" is in English descriptive notation, which is not read here")
        } else {
            format!("\"{text}\" stands for a move and cannot be read as one")
        };
        let refusal = Refusal::new(&moves::UNREADABLE_MOVE, message.clone());
        let finding = Finding::new(&moves::UNREADABLE_MOVE, span);
        let finding = finding.ply(ply).message(message).fen(fen_of(&self.line.position));
        if in_main_line {
            self.stop.get_or_insert(Verdict::Unreadable);
        }
        let (finding, read_on) = self.explain(finding, None, &refusal, in_main_line);
        self.found.push(finding);
        self.read_on(read_on, None, in_main_line);
    }

    /// Adds to a finding what explains the words behind it, and says how to go on with them.
    fn explain(
        &mut self,
        finding: Finding,
        written: Option<&WrittenMove>,
        refusal: &Refusal,
        in_main_line: bool,
    ) -> (Finding, ReadOn) {
        if self.facts.explained >= MOST_EXPLAINED || !can_be_explained(refusal.rule) {
            return (finding, ReadOn::Not);
        }
        self.facts.explained += u32::from(in_main_line);
        let span = finding.span;
        let rest = Span::new(span.end, self.frame.game.end);
        let words: Vec<&[u8]> = if in_main_line {
            self.moves_of(main_line_words(self.bytes, rest))
        } else {
            self.moves_of(variation_words(self.bytes, rest))
        };
        let position = &self.line.position;
        let refused = RefusedMove {
            position,
            word: span.of(self.bytes),
            written,
            refusal,
            rest: &words,
            dialect: &self.dialect,
        };
        let explanation = refused.explain();
        let before = match explanation.reading {
            Some(Reading::Lost) if in_main_line => self.played_before(span),
            _ => Vec::new(),
        };
        if let Some(fault) = refused.explain_by_earlier(&before) {
            let (course, fix) = course_from_earlier(&before[fault.index], &fault, words.len());
            let aftermath = Aftermath { course: Some(course), ruling: None };
            let finding = Finding { fix: fix.map(Box::new), ..finding }.aftermath(Some(aftermath));
            let continues = self.examiner.options.after_illegal == AfterIllegal::Continue;
            let read_on = if continues {
                ReadOn::Elsewhere(Box::new(fault.position), fault.m)
            } else {
                ReadOn::Not
            };
            return (finding, read_on);
        }
        let fix = fix(position, &explanation, written, span);
        let course = course(position, &explanation, words.len());
        let illegal = in_main_line && is_illegal(refusal.rule, &explanation);
        let ruling = illegal.then(|| self.ruling(refusal)).flatten();
        if illegal {
            *self.facts.illegal.get_mut(self.line.position.turn()) += 1;
        }
        let read_on = match self.examiner.options.after_illegal {
            AfterIllegal::Continue if in_main_line => read_on(&explanation, refusal),
            _ => ReadOn::Not,
        };
        let told = course.is_some() || ruling.is_some();
        let finding = Finding { fix: fix.map(Box::new), ..finding };
        (finding.aftermath(told.then_some(Aftermath { course, ruling })), read_on)
    }

    /// The last half-moves of the main line before a place.
    fn played_before(&self, place: Span) -> Vec<PlayedBefore<'_>> {
        /// A fault further back has mostly come to light before.
        const MOST_BEFORE: usize = 16;
        let Some(start) = &self.start else { return Vec::new() };
        let mut position = start.position.clone();
        let mut before = VecDeque::new();
        let movetext = Span::new(self.movetext_start, place.start);
        for span in main_line_words(self.bytes, movetext) {
            let word = span.of(self.bytes);
            // Whatever else stands there, the half-moves cannot be counted on.
            let Some(m) = WrittenMove::parse(word)
                .and_then(|written| resolve(&position, &written.san))
                .filter(|_| self.dialect.is_standard())
            else {
                return Vec::new();
            };
            if before.len() == MOST_BEFORE {
                before.pop_front();
            }
            before.push_back(PlayedBefore { position: position.clone(), m, word, span });
            position.play_unchecked(m);
        }
        before.into()
    }

    fn moves_of(&self, words: impl Iterator<Item = Span>) -> Vec<&[u8]> {
        words
            .map(|word| word.of(self.bytes))
            .filter(|word| stands_for_move(word, &self.dialect))
            .collect()
    }

    /// What the Laws of the day prescribe, if the refused move was played.
    fn ruling(&self, refusal: &Refusal) -> Option<String> {
        let position = &self.line.position;
        let by = position.turn();
        let penalty = IllegalMove {
            by,
            nth: self.facts.illegal.get(by) + 1,
            date: self.date,
            class: self.time_class(),
            opponent_cannot_mate: cannot_mate(position, !by),
        }
        .penalty();
        let mates = refusal.attempt.is_some_and(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            after.is_checkmate()
        });
        let mate = mates.then_some("a mate by an illegal move mates nobody (FIDE 5.1.1)");
        match (penalty, mate) {
            (Some(penalty), Some(mate)) => Some(format!("{penalty}; {mate}")),
            (penalty, mate) => penalty.or_else(|| mate.map(str::to_owned)),
        }
    }

    /// By the TimeControl tag; without one, by what the Event names.
    fn time_class(&self) -> TimeClass {
        let text = |span: Option<Span>| {
            span.map(|span| String::from_utf8_lossy(span.of(self.bytes))).unwrap_or_default()
        };
        match TimeClass::of_time_control(&text(self.known.time_control)) {
            TimeClass::Unknown => TimeClass::of_event(&text(self.known.event)),
            class => class,
        }
    }

    fn read_on(&mut self, how: ReadOn, written: Option<&WrittenMove>, in_main_line: bool) {
        let mut source = PieceSource::Explicit;
        let m = match how {
            ReadOn::With(m, piece) => {
                source = piece;
                Some(m)
            }
            ReadOn::Before(missing) => {
                self.line.play(missing);
                written.and_then(|written| resolve(&self.line.position, &written.san))
            }
            ReadOn::Without => return,
            ReadOn::Elsewhere(position, m) => {
                self.line.position = *position;
                Some(m)
            }
            ReadOn::Not => None,
        };
        match m {
            Some(m) => {
                let ply = self.line.next_move();
                self.line.play(m);
                if in_main_line && self.examiner.options.collect {
                    self.facts.moves_key = mix(self.facts.moves_key, m);
                    self.uncertified(m, ply, source);
                }
            }
            None => self.line.live = false,
        }
    }

    /// Whether the numbering begins again at 1 and all that follows can be played from the start
    /// position: then it is another game.
    fn restarts(&self, number: Span) -> bool {
        let digits = number.of(self.bytes).iter().take_while(|byte| byte.is_ascii_digit());
        digits.eq(b"1") && self.plays_on(Chess::new(), Span::new(number.start, self.frame.game.end))
    }

    /// Whether the main line in this stretch can be played from a position, up to the next
    /// promotion without a piece.
    pub(super) fn plays_on(&self, position: Chess, movetext: Span) -> bool {
        let words = main_line_words(self.bytes, movetext).map(|word| word.of(self.bytes));
        let mut tries = MOST_TRIES;
        play_words(position, words, &self.dialect, &mut tries).whole
    }
}

/// Whether it can be looked for what was meant: the game was not over, and the fault is no choice
/// between legal moves.
fn can_be_explained(rule: &Rule) -> bool {
    ![&moves::MOVE_AFTER_CHECKMATE, &moves::MOVE_AFTER_STALEMATE, &moves::AMBIGUOUS_SAN]
        .iter()
        .any(|other| *rule == **other)
}

/// Whether a refused move counts as an illegal move of its player: not what could not be read, and
/// not what explains itself as a fault of the record.
fn is_illegal(rule: &Rule, explanation: &Explanation) -> bool {
    let recorded_wrongly = matches!(
        explanation.reading,
        Some(Reading::Slip(_) | Reading::MissingPly(_) | Reading::ExtraPly)
    );
    rule.basis.starts_with("FIDE 3") && !recorded_wrongly
}

/// The reading that is played on, as far as the board allows it.
fn read_on(explanation: &Explanation, refusal: &Refusal) -> ReadOn {
    let written = |m| ReadOn::With(m, PieceSource::Explicit);
    let made = refusal.attempt.map_or(ReadOn::Not, written);
    match &explanation.reading {
        Some(Reading::Stood(m)) => written(*m),
        Some(Reading::Slip(moves)) => {
            moves.first().map_or(made, |m| ReadOn::With(*m, PieceSource::Inferred))
        }
        Some(Reading::MissingPly(moves)) => moves.first().map_or(made, |m| ReadOn::Before(*m)),
        Some(Reading::ExtraPly) => ReadOn::Without,
        Some(Reading::Lost) | None => made,
    }
}
