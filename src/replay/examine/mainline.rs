//! Moves: words come in, and are played, refused, or told to be no moves.

use shakmaty::san::San;
use shakmaty::{ByColor, Chess, Move, Position, Role};

use super::Exam;
use super::contradiction::MadePromotion;
use super::notation::is_central;

use crate::diagnostics::{Finding, Ply, Span};
use crate::pgn::{WrittenMove, is_castling_with_zeros, parse_result};
use crate::replay::dead::{DeadPosition, dead_position, may_be_dead};
use crate::replay::evidence::mix;
use crate::replay::{
    AutomaticEnd, GameResult, PieceSource, PromotionPlace, StartPosition, Verdict, resolve,
};
use crate::rules::draws;
use crate::rules::spelling::{Effect, PlayedMove, check_spelling, is_spelled_plainly};
use crate::rules::{fen_of, moves, structure};

/// What the certified part of the main line shows.
#[derive(Debug)]
pub(super) struct Facts {
    pub certified_plies: u32,
    /// The last certified move, for findings about the position behind it.
    pub last_move: Span,
    pub moves_key: u64,
    pub first_threefold: Option<Available>,
    pub first_fivefold: Option<Available>,
    pub first_fifty: Option<Available>,
    pub first_seventyfive: Option<Available>,
    pub max_halfmove_clock: u32,
    /// Of the position behind the last certified move.
    pub halfmove_clock: u32,
    pub promotions: u32,
    pub underpromotions: u32,
    /// Those that name no piece, and of which nothing tells it.
    pub open_promotions: u32,
    /// How often the position on the board has stood.
    pub occurrences: u32,
    pub mated: bool,
    pub dead: Option<Dead>,
    /// How the game ended by itself, while moves still follow, and after how many half-moves.
    pub automatic_end: Option<(AutomaticEnd, u32)>,
    pub played_on: bool,
    /// Illegal moves of each side, as far as they were looked for.
    pub illegal: ByColor<u32>,
    /// Faults for which it was looked for what explains them.
    pub explained: u32,
    /// A player passed: what is refused behind that may be refused because of it.
    pub passed: bool,
    /// A promotion got the rule book's piece: marks and origins behind it may speak of another.
    pub assumed: bool,
}

/// Where neither side can mate any more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dead {
    pub seen: DeadPosition,
    pub at: Available,
}

/// A draw that was there from this ply on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Available {
    pub ply: Ply,
    /// The move.
    pub span: Span,
    pub occurrences: u32,
    pub halfmove_clock: u32,
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
            halfmove_clock: 0,
            promotions: 0,
            underpromotions: 0,
            open_promotions: 0,
            occurrences: 1,
            mated: false,
            dead: None,
            automatic_end: None,
            played_on: false,
            illegal: ByColor::default(),
            explained: 0,
            passed: false,
            assumed: false,
        }
    }
}

impl Exam<'_, '_, '_> {
    pub(super) fn begin_facts(&mut self, start: &StartPosition) {
        self.examiner.repetitions.start(&start.position);
        self.facts.max_halfmove_clock = start.position.halfmoves();
        self.facts.halfmove_clock = start.position.halfmoves();
        if let Some(fen) = self.known.fen {
            self.facts.moves_key = xxhash_rust::xxh3::xxh3_64(fen.of(self.bytes));
        }
        if start.set_up
            && let Some(seen) = dead_position(&start.position)
        {
            let span = self.known.fen.unwrap_or_default();
            let ply = Ply { at_move: false, ..self.line.last_move() };
            self.is_dead(seen, span, ply);
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
    fn play(&mut self, written: &WrittenMove, mut m: Move, span: Span, in_main_line: bool) {
        let ply = self.line.next_move();
        let contradicted = self.contradiction.as_ref().is_some_and(|it| it.word == span);
        if contradicted {
            m = self.contradicted(m);
        }
        if let Some(number) = self.line.take_wrong_number() {
            self.found.push(structure::wrong_move_number(self.bytes, number, ply));
        }
        self.line.play(m);
        let after = &self.line.position;
        let effect = Effect::on(after);
        // Behind a pass nobody knows whose move it is.
        if !is_spelled_plainly(written, m, effect)
            && !(in_main_line && (self.facts.passed || self.facts.assumed || contradicted))
            && !stood_in_check(&self.line.before)
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
            if self.stop.is_none() {
                self.certify(m, effect, span, ply);
            } else if self.examiner.options.collect {
                let source =
                    if contradicted { PieceSource::Inferred } else { PieceSource::Explicit };
                self.uncertified(m, ply, source);
            }
        }
    }

    /// Takes in a legal move of the main line behind a fault.
    #[cold]
    pub(super) fn uncertified(&mut self, m: Move, ply: Ply, piece_source: PieceSource) {
        self.examiner.promotions.played(m, false);
        self.promoted(m, ply, piece_source, false);
    }

    /// A row for a promotion that was just played.
    fn promoted(&mut self, m: Move, ply: Ply, piece_source: PieceSource, certified: bool) {
        if m.is_promotion() {
            let place = PromotionPlace { game: self.game, ply: ply.index, piece_source, certified };
            let (before, after) = (&self.line.before, &self.line.position);
            self.examiner.promotions.promoted(before, m, after, place);
        }
    }

    /// Takes in a legal move of the main line before which no fault came.
    #[inline(always)]
    fn certify(&mut self, m: Move, effect: Effect, span: Span, ply: Ply) {
        if let Some((end, _)) = self.facts.automatic_end
            && !self.facts.played_on
        {
            self.facts.played_on = true;
            let (rule, message) = draws::played_on(end);
            let fen = fen_of(&self.line.before);
            self.found.push(Finding::new(rule, span).ply(ply).message(message).fen(fen));
            // One that stands there already goes nowhere.
            if !m.from().is_some_and(is_central)
                && let Some(kings) = self.kings_to_the_centre(span, true)
            {
                self.found.push(kings.ply(ply));
            }
        }
        if let Some(kept) = &mut self.examiner.kept {
            kept.played(ply, span, m, &self.line.before, &self.line.position);
        }
        let facts = &mut self.facts;
        facts.certified_plies = ply.index;
        facts.last_move = span;
        facts.mated = effect == Effect::Mate;
        self.facts_of_move(m, span, ply);
        let (facts, position) = (&mut self.facts, &self.line.position);
        facts.occurrences = self.examiner.repetitions.played(m, position);
        let clock = position.halfmoves();
        facts.max_halfmove_clock = facts.max_halfmove_clock.max(clock);
        facts.halfmove_clock = clock;
        // Only a pawn move or a capture makes a position dead.
        let may_die = clock == 0 && may_be_dead(position.board());
        if facts.occurrences >= 3 || clock >= 100 || may_die {
            self.draw_facts(may_die, clock, span, ply);
        }
    }

    /// What a certified move says of promotions, before it and its own.
    #[inline(always)]
    pub(super) fn facts_of_move(&mut self, m: Move, span: Span, ply: Ply) {
        if self.examiner.options.collect {
            self.examiner.promotions.played(m, true);
        }
        if let Some(piece) = m.promotion() {
            self.facts.promotions += 1;
            self.facts.underpromotions += u32::from(piece != Role::Queen);
            let before = self.line.before.clone();
            self.examiner.made.push(MadePromotion { span, ply, before, m });
            if self.examiner.options.collect {
                self.promoted(m, ply, PieceSource::Explicit, true);
            }
        }
    }

    /// Repetitions, the halfmove clock and dead positions. A mate goes before all of them.
    pub(super) fn draw_facts(&mut self, may_die: bool, clock: u32, span: Span, ply: Ply) {
        if self.facts.mated {
            return;
        }
        if clock > 0 {
            self.draws_by_counting(clock, span, ply);
        }
        if may_die
            && self.facts.dead.is_none()
            && let Some(seen) = dead_position(&self.line.position)
        {
            self.is_dead(seen, span, ply);
        }
    }

    #[cold]
    fn is_dead(&mut self, seen: DeadPosition, span: Span, ply: Ply) {
        let occurrences = self.facts.occurrences;
        let halfmove_clock = self.line.position.halfmoves();
        let at = Available { ply, span, occurrences, halfmove_clock };
        self.facts.dead = Some(Dead { seen, at });
        self.ends_by_itself(AutomaticEnd::DeadPosition(seen), span, ply);
    }

    /// The third time or the fifth, fifty moves or 75: who could claim, and what ends the game.
    #[cold]
    fn draws_by_counting(&mut self, clock: u32, span: Span, ply: Ply) {
        let facts = &mut self.facts;
        let occurrences = facts.occurrences;
        let available = Available { ply, span, occurrences, halfmove_clock: clock };
        if occurrences >= 3 {
            facts.first_threefold.get_or_insert(available);
        }
        if clock >= 100 {
            facts.first_fifty.get_or_insert(available);
        }
        if occurrences >= 5 {
            facts.first_fivefold.get_or_insert(available);
        }
        if clock >= 150 {
            facts.first_seventyfive.get_or_insert(available);
        }
        if facts.automatic_end.is_some() {
            return;
        }
        let turn = self.line.position.turn();
        let in_a_row = occurrences >= 5 && self.examiner.repetitions.five_in_a_row(turn);
        let ends = [
            (AutomaticEnd::Fivefold, occurrences >= 5),
            (AutomaticEnd::FivefoldInARow, in_a_row),
            (AutomaticEnd::SeventyFiveMoves, clock >= 150),
            (AutomaticEnd::Threefold, occurrences >= 3),
            (AutomaticEnd::FiftyMoves, clock >= 100),
        ];
        for (end, _) in ends.into_iter().filter(|(_, on_board)| *on_board) {
            self.ends_by_itself(end, span, ply);
        }
    }

    #[cold]
    fn ends_by_itself(&mut self, end: AutomaticEnd, span: Span, ply: Ply) {
        if self.facts.automatic_end.is_none() && self.profile().has(end, self.date) {
            self.facts.automatic_end = Some((end, ply.index));
            self.found.push(
                Finding::new(&draws::AUTOMATIC_DRAW_REACHED, span)
                    .ply(ply)
                    .message(draws::automatic_draw(end))
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
}

/// Whether the king of the player who is not to move is attacked, which only an illegal move before
/// brings about. The check that then stands is no mark of the next move.
fn stood_in_check(before: &Chess) -> bool {
    let (board, turn) = (before.board(), before.turn());
    board.king_of(!turn).is_some_and(|king| board.attacks_to(king, turn, board.occupied()).any())
}

/// Whether the last certified position ends the game by stalemate.
pub(super) fn is_stalemate(position: &Chess) -> bool {
    !position.is_check() && position.legal_moves().is_empty()
}
