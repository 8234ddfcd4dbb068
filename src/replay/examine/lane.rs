//! The examiner's side of the [fast lane](crate::replay::fast): where a game may take it, what is
//! looked at of the moves that it plays, and how the examiner goes on behind it.
//!
//! The fast lane makes no finding. Where a move is written in an unusual way, promotes, or leaves a
//! draw on the board, it pauses; the two positions around the move are set up on the examiner's
//! board, and the code that judges such a move there judges it here.

use shakmaty::{Move, Position};

use super::{Exam, Lane};
use crate::diagnostics::Span;
use crate::pgn::{WrittenMove, read_clock};
use crate::replay::evidence::main_line_words;
use crate::replay::fast::{BoardMove, CompactBoard, Handover, Look, Pass, Pause, Watch};
use crate::rules::spelling::{Effect, PlayedMove, check_spelling};
use crate::summary::Lanes;

/// The fast lane's part of a game.
#[derive(Debug)]
pub(super) struct FastLane {
    /// How often a game may still enter it: setting up its board costs as much as some moves.
    entries: u32,
    /// Why it was first left before the game's end.
    pub left: Option<Handover>,
    is_entered: bool,
    /// Half-moves played in it.
    plies: u32,
    /// The positions before and behind its last move, which the line does not have yet.
    ahead: Option<[CompactBoard; 2]>,
}

/// A game may enter the fast lane so often, and once more for every so many half-moves in it.
const ENTRIES: u32 = 4;
const PLIES_AN_ENTRY: u32 = 12;

impl FastLane {
    pub fn new() -> FastLane {
        FastLane { entries: ENTRIES, left: None, is_entered: false, plies: 0, ahead: None }
    }

    /// Whether it has played the movetext from its first token to its last.
    pub fn went_through(&self) -> bool {
        self.left.is_none() && self.is_entered
    }

    /// Counts the game, at its end.
    pub fn count(&self, lanes: &mut Lanes) {
        lanes.fast_plies += u64::from(self.plies);
        match self.left {
            Some(why) => lanes.handed_over[why as usize] += 1,
            None => lanes.fast_games += 1,
        }
    }
}

impl Exam<'_, '_, '_> {
    /// Whether the game can go on in the fast lane: nothing about it is unusual so far.
    #[inline]
    pub(super) fn may_take_fast_lane(&self) -> bool {
        self.examiner.options.lane != Lane::Examiner
            && self.fast.entries > 0
            && self.examiner.outer.is_empty()
            && self.line.is_regular()
            && self.start.is_some()
            && self.stop.is_none()
            && self.plies == self.line.ply
            && self.marker.is_none()
            && self.examiner.kept.is_none()
            && !self.is_unusual()
    }

    fn is_unusual(&self) -> bool {
        self.strange.any()
            || self.ending != super::Ending::Whole
            || self.frame.cut_comment.is_some()
            || self.frame.late_close.is_some()
            || !self.dialect.is_standard()
            || self.contradiction.is_some()
            || self.facts.automatic_end.is_some()
            || self.facts.passed
            || self.facts.assumed
            || self.examiner.too_deep > 0
    }

    /// Goes through the movetext from `at` on as far as the fast lane knows it, and gives where
    /// the examiner is to read on.
    pub(super) fn take_fast_lane(&mut self, at: usize) -> usize {
        let entered_at = self.line.ply;
        let boards = [&self.line.before, &self.line.position].map(CompactBoard::of);
        let promoted_at = self.examiner.made.last().map_or(0, |made| made.ply.index);
        let (number, is_shifted) = self.line.next_number();
        let mut pass = Pass {
            ply: self.line.ply,
            number,
            is_shifted,
            promoted_at,
            moves_key: self.facts.moves_key,
            occurrences: self.facts.occurrences,
            max_halfmove_clock: self.facts.max_halfmove_clock,
            ..Pass::new(boards, at, self.watch())
        };
        self.fast.entries -= 1;
        self.fast.is_entered = true;
        let text = &self.bytes[..self.frame.game.end];
        let left = loop {
            match pass.run(text, &mut self.examiner.repetitions) {
                Pause::Look(look, m) => {
                    self.look(&pass, look, m);
                    if self.facts.automatic_end.is_some() && self.goes_on_behind(pass.at) {
                        break Some(Handover::EndedByItself);
                    }
                    pass.watch = self.watch();
                }
                Pause::Comment(comment) => {
                    if let Some(seconds) = read_clock(comment.of(self.bytes)) {
                        self.examiner.promotions.clock(pass.ply, seconds);
                    }
                }
                Pause::Odd(why) => break Some(why),
                Pause::End(marker) => {
                    self.marker = marker.map(|(result, span)| (result, true, span)).or(self.marker);
                    break None;
                }
            }
        };
        let plies = pass.ply - entered_at;
        self.fast.plies += plies;
        self.fast.entries = (self.fast.entries + plies / PLIES_AN_ENTRY).min(ENTRIES);
        self.fast.left = self.fast.left.or(left);
        self.take_over(&pass);
        if left.is_some() {
            self.catch_up();
        }
        pass.at
    }

    /// Whether any word stands behind the move that ended the game by itself.
    fn goes_on_behind(&self, at: usize) -> bool {
        let rest = Span::new(at, self.frame.game.end);
        main_line_words(self.bytes, rest).next().is_some()
    }

    /// What the fast lane is to stop for.
    fn watch(&self) -> Watch {
        let facts = &self.facts;
        let next = |first: bool, third: bool, [one, other]: [u32; 2]| match (first, third) {
            (false, _) => one,
            (true, false) => other,
            (true, true) => u32::MAX,
        };
        Watch {
            every_move: self.examiner.promotions.are_waiting(),
            // A fifth time may be in a row where an earlier one was not.
            occurrences: next(facts.first_threefold.is_some(), false, [3, 5]),
            halfmove_clock: next(
                facts.first_fifty.is_some(),
                facts.first_seventyfive.is_some(),
                [100, 150],
            ),
            dead: facts.dead.is_none(),
            hash: self.examiner.options.collect,
        }
    }

    /// Takes over the facts of the moves that were played, and leaves the positions for later.
    fn take_over(&mut self, pass: &Pass) {
        if let Some(comment) = pass.last_comment {
            self.last_comment = Some(comment);
        }
        if pass.ply == self.line.ply {
            return;
        }
        self.plies = pass.ply;
        self.line.ply = pass.ply;
        let facts = &mut self.facts;
        facts.certified_plies = pass.ply;
        facts.last_move = pass.last_move;
        facts.mated = pass.effect == Effect::Mate;
        facts.occurrences = pass.occurrences;
        facts.max_halfmove_clock = pass.max_halfmove_clock;
        facts.halfmove_clock = pass.board.halfmove_clock();
        facts.moves_key = pass.moves_key;
        self.fast.ahead = Some([pass.before, pass.board]);
    }

    /// Sets up the positions around the last move, if the fast lane has played it.
    pub(super) fn catch_up(&mut self) {
        if let Some([before, position]) = self.fast.ahead.take() {
            let start = self.start.as_ref().map(|start| start.position.castles().mode());
            let mode = start.unwrap_or(shakmaty::CastlingMode::Standard);
            let ply = self.line.ply;
            let number = |played| self.line.number_of(played).0;
            let (number_before, number) = (number(ply.saturating_sub(1)), number(ply));
            self.line.before = before.to_position(mode, number_before);
            self.line.position = position.to_position(mode, number);
        }
    }

    /// Whether the last move was a stalemate.
    pub(super) fn is_stalemate(&self) -> bool {
        match &self.fast.ahead {
            Some([_, board]) => board.checkers().is_empty() && board.is_stalemate(),
            None => super::mainline::is_stalemate(&self.line.position),
        }
    }

    /// Looks at the move that was just played.
    #[cold]
    fn look(&mut self, pass: &Pass, look: Look, m: BoardMove) {
        self.take_over(pass);
        self.catch_up();
        let span = pass.last_move;
        let ply = self.line.last_move();
        let m = pass.before.full_move(m);
        if look.spelling {
            self.look_at_spelling(m, pass.effect, span);
        }
        self.facts_of_move(m, span, ply);
        if look.draw {
            let clock = self.facts.halfmove_clock;
            self.draw_facts(clock == 0 && pass.board.may_be_dead(), clock, span, ply);
        }
    }

    fn look_at_spelling(&mut self, m: Move, effect: Effect, span: Span) {
        let Some(written) = WrittenMove::parse(span.of(self.bytes)) else { return };
        let languages = self.languages.as_slice();
        let (bytes, before, ply) = (self.bytes, &self.line.before, self.line.last_move());
        let played = PlayedMove { bytes, m, effect, before, span, ply, languages };
        check_spelling(&written, &played, self.found);
    }
}
