//! The end of a game: marker, result, claims, verdict, record.

use shakmaty::ByColor;
use xxhash_rust::xxh3::xxh3_64;

use super::{AfterIllegal, Ending, Exam, Examiner};
use crate::diagnostics::{Finding, Ply, Rule, Severity, Span};
use crate::replay::{AutomaticEnd, ChunkRecords, EndState, GameRecord, GameResult, Verdict};
use crate::rules::bytes;
use crate::rules::draws::CLAIM_CONTRADICTED;
use crate::rules::results::{self, RecordedResult};
use crate::rules::{draws, fen_of, structure, tags};

impl Exam<'_, '_, '_> {
    pub(super) fn close(mut self, lines_before: u64, records: &mut ChunkRecords) -> GameRecord {
        self.leave_variations();
        let end_ply = Ply { index: self.plies, at_move: false, ..self.line.last_move() };
        if !self.frame.oversized {
            self.check_end(end_ply);
        }
        let end_state = self.end_state();
        let mut claim = None;
        if !self.frame.oversized {
            let recorded = self.check_results(end_state, end_ply);
            self.check_ply_count();
            claim = self.check_claims(recorded, end_state, end_ply, &mut records.draws);
        }
        if !(self.examiner.markup.is_empty() && self.examiner.mail_quotes.is_empty()) {
            self.tell_markup();
        }
        self.examiner.promotions.end_game(self.plies, &mut records.promotions);
        let verdict = self.verdict();
        let count = |severity| u32::try_from(self.found.count(severity)).unwrap_or(u32::MAX);
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        let facts = &self.facts;
        GameRecord {
            span: self.frame.game,
            lines_before,
            encoding: self.encoding,
            tags: self.known,
            marker: self.marker.map(|(result, ..)| result),
            plies: self.plies,
            certified_plies: facts.certified_plies,
            verdict,
            errors,
            warnings,
            end_state,
            promotions: facts.promotions,
            underpromotions: facts.underpromotions,
            illegal: self.illegal_moves(),
            first_threefold_ply: facts.first_threefold.map(|draw| draw.ply.index),
            first_fivefold_ply: facts.first_fivefold.map(|draw| draw.ply.index),
            first_fifty_ply: facts.first_fifty.map(|draw| draw.ply.index),
            first_seventyfive_ply: facts.first_seventyfive.map(|draw| draw.ply.index),
            max_halfmove_clock: facts.max_halfmove_clock,
            claim,
            moves_key: facts.moves_key,
            bytes_key: if self.examiner.options.collect {
                xxh3_64(self.frame.game.of(self.bytes))
            } else {
                0
            },
        }
    }

    /// Returns to the main line from variations that are never closed.
    fn leave_variations(&mut self) {
        if let Some((_, open)) = self.examiner.outer.first() {
            // What follows may as well be the game.
            let of_moves = |rule: &Rule| {
                rule.code.starts_with(['M', 'N']) || *rule == structure::WRONG_MOVE_NUMBER
            };
            self.found.retract(open.start, of_moves);
        }
        while let Some((outer, open)) = self.examiner.outer.pop() {
            self.line = outer;
            self.stop.get_or_insert(Verdict::Unreadable);
            let ply = Ply { at_move: false, ..self.line.last_move() };
            self.found.push(Finding::new(&structure::UNCLOSED_VARIATION, open).ply(ply));
        }
    }

    fn check_end(&mut self, end_ply: Ply) {
        let game = self.frame.game;
        if self.plies == 0 && !self.cut_in_tags {
            let first = self.examiner.tags.first().map_or(game, |(span, _)| *span);
            self.found.push(Finding::new(&structure::EMPTY_GAME, first));
        }
        let told = self.found.has(&structure::UNTERMINATED_COMMENT)
            || self.found.has(&structure::SWALLOWED_GAME);
        match self.ending {
            _ if self.marker.is_some() => {}
            Ending::Open => {
                let last = self.half_move.unwrap_or(Span::new(game.end, game.end));
                self.found.push(bytes::truncated(last).ply(end_ply));
                self.stop.get_or_insert(Verdict::Unreadable);
            }
            // That is told of the file as a whole.
            Ending::Damaged => {
                self.stop.get_or_insert(Verdict::Unreadable);
            }
            Ending::Whole if told => {}
            Ending::Whole => {
                let marker = self.marker_to_write();
                self.found.push(structure::missing_marker(game, marker).ply(end_ply));
            }
        }
        if self.frame.glued {
            let (end, next) = (self.frame.gap.start, self.frame.gap.end);
            self.found.push(structure::glued_games(end, next).ply(end_ply));
        }
    }

    /// The illegal moves of each player, where the whole game was looked through for them.
    fn illegal_moves(&self) -> Option<ByColor<u32>> {
        let continued = self.examiner.options.after_illegal == AfterIllegal::Continue;
        let followed = self.line.live && self.start.is_some() && !self.facts.passed;
        (continued && followed || self.stop.is_none()).then_some(self.facts.illegal)
    }

    /// What the Result tag says, unless a fault may be the marker, glued to a move.
    fn marker_to_write(&self) -> Option<&'static str> {
        if self.stop.is_some() {
            return None;
        }
        let tag = self.known.result?;
        let (result, _) = crate::pgn::parse_result(tag.of(self.bytes).trim_ascii())?;
        Some(result.as_str())
    }

    /// How the last certified position ends the game. A move behind a mate or a stalemate is
    /// refused there, so that the position is still the one on the board.
    fn end_state(&self) -> EndState {
        let facts = &self.facts;
        if let Some(end) = self.variant_end() {
            return end.state;
        }
        if self.start.is_none() || facts.certified_plies != self.line.ply {
            return EndState::None;
        }
        if facts.mated {
            EndState::Checkmate
        } else if facts.certified_plies > 0 && self.is_stalemate() {
            EndState::Stalemate
        } else if facts.dead.is_some() {
            EndState::DeadPosition
        } else if facts.occurrences >= 5 {
            EndState::Fivefold
        } else if facts.certified_plies > 0 && facts.halfmove_clock >= 150 {
            EndState::SeventyFive
        } else {
            EndState::None
        }
    }

    /// Returns the recorded result.
    fn check_results(&mut self, end: EndState, end_ply: Ply) -> Option<GameResult> {
        let start = self.examiner.tags.first().map_or(self.frame.game.start, |(s, _)| s.start);
        let record = RecordedResult {
            tag: self.known.result,
            marker: self.marker,
            start: Span::new(start, start),
        };
        results::check_record(self.bytes, &record, end_ply, self.found);
        let recorded = record.result(self.bytes);
        let ply = Ply {
            index: self.facts.certified_plies,
            at_move: self.facts.certified_plies > 0,
            ..self.line.last_move()
        };
        if self.line.variant.is_some() {
            self.check_variant_result(recorded, ply);
            return recorded;
        }
        if end != EndState::None {
            self.catch_up();
        }
        let moved_last = !self.line.turn_behind(self.line.ply);
        let before = &self.line.before;
        let is_open = end == EndState::DeadPosition && !self.dead_position_ends_it();
        results::check_board(
            recorded,
            if is_open { EndState::None } else { end },
            moved_last,
            self.facts.last_move,
            ply,
            || fen_of(before),
            self.found,
        );
        self.check_win_behind_a_draw(recorded, ply);
        recorded
    }

    /// A game that a repetition or a count of moves ended by itself is no win.
    fn check_win_behind_a_draw(&mut self, recorded: Option<GameResult>, ply: Ply) {
        if let Some((end, _)) = self.facts.automatic_end
            && let Some(won @ (GameResult::WhiteWins | GameResult::BlackWins)) = recorded
            && self.stop.is_none()
            && !self.facts.played_on
            && !self.found.has(&results::RESULT_AGAINST_BOARD)
        {
            let message = format!(
                "{}, and the result is recorded as {}",
                draws::automatic_draw(end),
                won.as_str()
            );
            let finding = Finding::new(&results::RESULT_AGAINST_BOARD, self.facts.last_move);
            let finding = finding.ply(ply).message(message).fen(fen_of(&self.line.before));
            self.found.push(finding);
        }
    }

    /// Whether the game was over in its dead position: few look for a closed wall.
    fn dead_position_ends_it(&self) -> bool {
        let dead = self.facts.dead.map(|dead| AutomaticEnd::DeadPosition(dead.seen));
        dead.is_some_and(|end| self.profile().has(end, self.date))
    }

    /// Where a fault ended the reading, the plies behind it are not certain.
    fn check_ply_count(&mut self) {
        if let Some(tag) = self.known.ply_count
            && self.stop.is_none()
        {
            let sure = self.marker.is_some();
            tags::check_ply_count(self.bytes, tag, self.plies, sure, self.found);
        }
    }

    /// Markup of pages and mail: one finding for all of it.
    #[cold]
    fn tell_markup(&mut self) {
        let Examiner { tags, markup, mail_quotes, .. } = &*self.examiner;
        let values: Vec<Span> = tags.iter().map(|(_, pair)| pair.value).collect();
        let bytes = &self.bytes[..self.frame.game.end];
        if let Some(finding) = structure::html_markup(bytes, markup, &values) {
            self.found.push(finding);
        }
        if let Some(finding) = structure::mail_quotes(mail_quotes) {
            self.found.push(finding);
        }
    }

    fn verdict(&self) -> Verdict {
        use crate::rules::results::{RESULT_AGAINST_BOARD, RESULT_CONFLICT};
        match self.stop {
            Some(verdict) => verdict,
            None if self.plies == 0 => Verdict::Unjudged,
            None if self.facts.played_on => Verdict::Contradicted,
            None if [&RESULT_CONFLICT, &RESULT_AGAINST_BOARD, &CLAIM_CONTRADICTED]
                .into_iter()
                .any(|rule| self.found.has(rule)) =>
            {
                Verdict::Contradicted
            }
            None if self.found.count(Severity::Error) + self.found.count(Severity::Warning) > 0 => {
                Verdict::Flawed
            }
            None => Verdict::Certified,
        }
    }
}
