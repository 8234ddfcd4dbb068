//! Moves: words come in, and are played, refused, or told to be no moves.

use shakmaty::san::San;
use shakmaty::{Chess, Move, Position, Role};

use super::Exam;
use crate::diagnostics::{Finding, Ply, Span};
use crate::pgn::{WrittenMove, is_castling_with_zeros, is_descriptive, parse_result};
use crate::replay::evidence::{MOST_TRIES, main_line_words, mix, play_words};
use crate::replay::illegal::Refusal;
use crate::replay::{
    GameResult, PieceSource, PromotionPlace, StartPosition, Verdict, can_answer_check,
    dead_position, resolve,
};
use crate::rules::draws::{self, AutomaticEnd};
use crate::rules::spelling::{Effect, PlayedMove, check_spelling, is_spelled_plainly};
use crate::rules::{fen_of, moves, promotions, structure};

/// What the certified part of the main line shows.
#[derive(Debug)]
pub(super) struct Facts {
    pub certified_plies: u32,
    /// The last certified move, for findings about the position behind it.
    pub last_move: Span,
    pub moves_key: u64,
    pub first_threefold: Option<(Ply, Span)>,
    pub first_fivefold: Option<u32>,
    pub first_fifty: Option<(Ply, Span)>,
    pub first_seventyfive: Option<u32>,
    pub max_halfmove_clock: u32,
    pub promotions: u32,
    pub underpromotions: u32,
    /// How often the position on the board has stood.
    pub occurrences: u32,
    pub mated: bool,
    pub dead: bool,
    /// How the game ended by itself, while moves still follow.
    pub automatic_end: Option<AutomaticEnd>,
    pub played_on: bool,
    /// A player passed: what is refused behind that may be refused because of it.
    pub passed: bool,
    /// A promotion got the rule book's piece: marks and origins behind it may speak of another.
    pub assumed: bool,
}

impl Facts {
    pub fn new(start: Span) -> Facts {
        Facts {
            certified_plies: 0,
            last_move: start,
            moves_key: 0,
            first_threefold: None,
            first_fivefold: None,
            first_fifty: None,
            first_seventyfive: None,
            max_halfmove_clock: 0,
            promotions: 0,
            underpromotions: 0,
            occurrences: 1,
            mated: false,
            dead: false,
            automatic_end: None,
            played_on: false,
            passed: false,
            assumed: false,
        }
    }
}

impl Exam<'_, '_, '_> {
    pub(super) fn begin_facts(&mut self, start: &StartPosition) {
        self.examiner.repetitions.start(&start.position);
        self.facts.max_halfmove_clock = start.position.halfmoves();
        if let Some(fen) = self.known.fen {
            self.facts.moves_key = xxhash_rust::xxh3::xxh3_64(fen.of(self.bytes));
        }
        if start.set_up && dead_position(&start.position) {
            self.facts.dead = true;
            let span = self.known.fen.unwrap_or_default();
            let ply = Ply { at_move: false, ..self.line.last_move() };
            self.ends_by_itself(AutomaticEnd::DeadPosition, span, ply);
        }
    }

    pub(super) fn word(&mut self, span: Span) {
        if self.line.variant.is_some() {
            return self.variant_word(span);
        }
        let word = span.of(self.bytes);
        let in_main_line = self.examiner.outer.is_empty();
        if word.first() == Some(&b'0') && self.is_double_forfeit(span) {
            self.marker = Some((GameResult::OffBoard, false, span));
            return;
        }
        if self.dialect.is_standard()
            && let Some(written) = WrittenMove::parse(word)
        {
            if !self.line.live {
                self.plies += u32::from(in_main_line);
                return;
            }
            if let Some(m) = resolve(&self.line.position, &written.san) {
                self.plies += u32::from(in_main_line);
                self.play(&written, m, span, in_main_line);
                return;
            }
        }
        self.other_word(span, in_main_line);
    }

    /// `0-0` as the last token is castling where that is legal, else a result.
    fn is_double_forfeit(&self, span: Span) -> bool {
        let word = span.of(self.bytes);
        span.end == self.frame.game.end
            && is_castling_with_zeros(word)
            && parse_result(word).is_some()
            && (self.tag_says_off_board()
                || !self.line.live
                || resolve(&self.line.position, &San::Castle(shakmaty::CastlingSide::KingSide))
                    .is_none())
    }

    /// Whether the Result tag has a result that no play gives.
    fn tag_says_off_board(&self) -> bool {
        let tag = self.known.result.and_then(|tag| parse_result(tag.of(self.bytes).trim_ascii()));
        tag.is_some_and(|(result, _)| result == GameResult::OffBoard)
    }

    /// The same for the rarer callers, so that the loop over words takes in one copy only.
    #[cold]
    #[inline(never)]
    pub(super) fn play_other(&mut self, written: &WrittenMove, m: Move, span: Span, main: bool) {
        self.play(written, m, span, main);
    }

    #[inline(always)]
    fn play(&mut self, written: &WrittenMove, m: Move, span: Span, in_main_line: bool) {
        let ply = self.line.next_move();
        if let Some(number) = self.line.take_wrong_number() {
            self.found.push(structure::wrong_move_number(self.bytes, number, ply));
        }
        self.line.play(m);
        let after = &self.line.position;
        let effect = if !after.is_check() {
            Effect::None
        } else if can_answer_check(after) {
            Effect::Check
        } else {
            Effect::Mate
        };
        // Behind a pass nobody knows whose move it is.
        if !is_spelled_plainly(written, m, effect)
            && !(in_main_line && (self.facts.passed || self.facts.assumed))
        {
            let before = &self.line.before;
            let languages = self.languages.as_slice();
            let played = PlayedMove { bytes: self.bytes, m, effect, before, span, ply, languages };
            check_spelling(written, &played, self.found);
        }
        if in_main_line {
            if self.examiner.options.collect {
                self.facts.moves_key = mix(self.facts.moves_key, m);
            }
            self.certify(m, effect, span, ply);
        }
    }

    /// Takes in a legal move of the main line, if no fault came before.
    #[inline(always)]
    fn certify(&mut self, m: Move, effect: Effect, span: Span, ply: Ply) {
        if self.stop.is_some() {
            return;
        }
        if let Some(end) = self.facts.automatic_end
            && !self.facts.played_on
        {
            self.facts.played_on = true;
            let (rule, message) = end.played_on();
            let fen = fen_of(&self.line.before);
            self.found.push(Finding::new(rule, span).ply(ply).message(message).fen(fen));
        }
        if let Some(kept) = &mut self.examiner.kept {
            kept.played(ply, span, m, &self.line.before, &self.line.position);
        }
        let facts = &mut self.facts;
        facts.certified_plies = ply.index;
        facts.last_move = span;
        facts.mated = effect == Effect::Mate;
        if self.examiner.options.collect {
            self.examiner.promotions.played(m);
        }
        if let Some(piece) = m.promotion() {
            facts.promotions += 1;
            facts.underpromotions += u32::from(piece != Role::Queen);
            if self.examiner.options.collect {
                let place = PromotionPlace {
                    game: self.game,
                    ply: ply.index,
                    piece_source: PieceSource::Explicit,
                    certified: true,
                };
                let (before, after) = (&self.line.before, &self.line.position);
                self.examiner.promotions.promoted(before, m, after, place);
            }
        }
        let position = &self.line.position;
        facts.occurrences = self.examiner.repetitions.played(m, position);
        let clock = position.halfmoves();
        facts.max_halfmove_clock = facts.max_halfmove_clock.max(clock);
        if facts.occurrences >= 3 || clock >= 100 || m.is_capture() {
            self.draw_facts(m, clock, span, ply);
        }
    }

    /// Repetitions, the halfmove clock and dead positions. A mate goes before all of them.
    fn draw_facts(&mut self, m: Move, clock: u32, span: Span, ply: Ply) {
        if self.facts.mated {
            return;
        }
        if self.facts.occurrences >= 3 {
            self.facts.first_threefold.get_or_insert((ply, span));
        }
        if clock >= 100 {
            self.facts.first_fifty.get_or_insert((ply, span));
        }
        if self.facts.occurrences >= 5 && self.facts.first_fivefold.is_none() {
            self.facts.first_fivefold = Some(ply.index);
            self.ends_by_itself(AutomaticEnd::Fivefold, span, ply);
        }
        if clock >= 150 && self.facts.first_seventyfive.is_none() {
            self.facts.first_seventyfive = Some(ply.index);
            self.ends_by_itself(AutomaticEnd::SeventyFive, span, ply);
        }
        if m.is_capture() && !self.facts.dead && dead_position(&self.line.position) {
            self.facts.dead = true;
            self.ends_by_itself(AutomaticEnd::DeadPosition, span, ply);
        }
    }

    fn ends_by_itself(&mut self, end: AutomaticEnd, span: Span, ply: Ply) {
        if self.facts.automatic_end.is_none() && end.is_in_force(self.date) {
            self.facts.automatic_end = Some(end);
            self.found.push(
                Finding::new(&draws::AUTOMATIC_DRAW_REACHED, span)
                    .ply(ply)
                    .message(end.message())
                    .fen(fen_of(&self.line.before)),
            );
        }
    }

    pub(super) fn pass(&mut self, span: Span, in_main_line: bool) {
        let ply = self.line.next_move();
        let rule = if in_main_line { &moves::NULL_MOVE } else { &moves::NULL_MOVE_IN_VARIATION };
        self.found.push(Finding::new(rule, span).ply(ply).fen(fen_of(&self.line.position)));
        if in_main_line {
            self.stop.get_or_insert(Verdict::Illegal);
            self.facts.passed = true;
        }
        self.line.pass();
    }

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
        if in_main_line
            && let Some(number) = self.line.take_wrong_number()
            && self.restarts(number)
        {
            let ply = Ply { at_move: false, ..ply };
            self.found.push(structure::restarted_numbering(number).ply(ply));
        }
        let fen = fen_of(&self.line.position);
        let finding = if in_main_line {
            let verdict = if refusal.rule == &moves::AMBIGUOUS_SAN {
                Verdict::Unreadable
            } else {
                Verdict::Illegal
            };
            self.stop.get_or_insert(verdict);
            Finding::new(refusal.rule, span).message(refusal.message)
        } else {
            Finding::new(&moves::ILLEGAL_VARIATION_MOVE, span)
                .message(format!("in a variation: {}", refusal.message))
        };
        let mut finding = finding.ply(ply).fen(fen);
        let mut promoted = None;
        if let Some(written) = written
            && refusal.rule == &promotions::MISSING_PROMOTION_PIECE
            && let Some((m, fix)) = self.name_piece(written, span, in_main_line)
        {
            finding = finding.fix(fix);
            promoted = Some(m);
        }
        self.found.push(finding);
        if in_main_line && let Some(kings) = self.kings_to_the_centre(span) {
            self.found.push(kings.ply(ply));
        }
        // The piece is named or guessed, and what follows is read with it, uncertified.
        match promoted {
            Some(m) => {
                self.line.play(m);
                if in_main_line && self.examiner.options.collect {
                    self.facts.moves_key = mix(self.facts.moves_key, m);
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

    pub(super) fn unreadable(&mut self, span: Span, in_main_line: bool) {
        if in_main_line && self.facts.passed {
            self.line.live = false;
            return;
        }
        let fen = fen_of(&self.line.position);
        let ply = self.line.next_move();
        let word = span.of(self.bytes);
        let text = self.found.text(word);
        let message = if is_descriptive(word) {
            format!("\"{text}\" is in English descriptive notation, which is not read here")
        } else {
            format!("\"{text}\" stands for a move and cannot be read as one")
        };
        let finding = Finding::new(&moves::UNREADABLE_MOVE, span);
        self.found.push(finding.ply(ply).message(message).fen(fen));
        self.line.live = false;
        if in_main_line {
            self.stop.get_or_insert(Verdict::Unreadable);
        }
    }
}

/// Whether the last certified position ends the game by stalemate.
pub(super) fn is_stalemate(position: &Chess) -> bool {
    !position.is_check() && position.legal_moves().is_empty()
}
