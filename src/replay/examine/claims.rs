//! The recorded reasons of a game's end, held against the board, and the draws that were there
//! and that no record names.

use shakmaty::{Color, Position};

use super::Exam;
use super::mainline::Available;
use crate::diagnostics::{Finding, Ply, Rule, Span};
use crate::pgn::{TimeClass, TimeControl};
use crate::replay::claim::{self, Board, Claim, Claims, Judgement, NearMisses};
use crate::replay::evidence::{MOST_TRIES, main_line_words, play_and_show};
use crate::replay::{
    AutomaticEnd, ClaimSource, ClaimVerdict, DrawRecord, EndState, GameClaim, GameResult, Profile,
    RecordedEnd, cannot_mate,
};
use crate::rules::{draws, results};

/// The draws that a board can show by itself.
const ON_BOARD: [RecordedEnd; 6] = [
    RecordedEnd::Threefold,
    RecordedEnd::Fivefold,
    RecordedEnd::FiftyMoves,
    RecordedEnd::SeventyFiveMoves,
    RecordedEnd::Stalemate,
    RecordedEnd::InsufficientMaterial,
];

/// The longest comment behind a termination marker that is looked at.
const LONGEST_COMMENT: usize = 256;

impl Exam<'_, '_, '_> {
    /// Whose rules end the game.
    pub(super) fn profile(&self) -> Profile {
        *self.profile.get_or_init(|| {
            let mut tags = self.examiner.tags.iter();
            let link = tags.find(|(_, pair)| pair.name.of(self.bytes) == b"Link");
            let link = link.map(|(_, pair)| pair.value);
            let of_game = || match Profile::of_game(self.bytes, &self.known, link) {
                // The Laws cover play over the board.
                Profile::Fide if self.time_class() == TimeClass::Correspondence => Profile::Other,
                profile => profile,
            };
            self.examiner.options.profile.unwrap_or_else(of_game)
        })
    }

    /// Judges what the record says of the end, and returns what tells most.
    pub(super) fn check_claims(
        &mut self,
        recorded: Option<GameResult>,
        end: EndState,
        end_ply: Ply,
        rows: &mut Vec<DrawRecord>,
    ) -> Option<GameClaim> {
        let comments = [self.comment_at_the_end(), self.comment_behind_marker()];
        let facts = &self.facts;
        let is_drawn = facts.first_threefold.is_some()
            || facts.first_fifty.is_some()
            || facts.dead.is_some()
            || end == EndState::Stalemate;
        if !is_drawn && !Claims::may_be_in(&self.known, comments) {
            return None;
        }
        let claims = Claims::read(self.bytes, &self.known, comments);
        if !is_drawn && claims.iter().next().is_none() {
            return None;
        }
        self.catch_up();
        self.judge_claims(&claims, recorded, end, end_ply, rows)
    }

    #[inline(never)]
    fn judge_claims(
        &mut self,
        claims: &Claims,
        recorded: Option<GameResult>,
        end: EndState,
        end_ply: Ply,
        rows: &mut Vec<DrawRecord>,
    ) -> Option<GameClaim> {
        let mut chief = None;
        for &claim in claims.iter() {
            let is_alone = claims.iter().count() == 1;
            let (claim, verdict) = self.check_claim(claim, is_alone, recorded, end, end_ply);
            let is_draw = claim.is_draw(recorded);
            if claims.chief().is_some_and(|it| it.span == claim.span) {
                chief = Some(GameClaim { end: claim.end, verdict, is_draw });
            }
            if is_draw && self.examiner.options.collect {
                rows.push(self.recorded_draw(&claim, verdict, end));
            }
        }
        for rule in ON_BOARD {
            // Who records the fifth time or 75 moves records the third and fifty, too.
            let is_recorded = claims.iter().any(|claim| {
                claim.end == rule
                    || (rule, claim.end) == (RecordedEnd::Threefold, RecordedEnd::Fivefold)
                    || (rule, claim.end) == (RecordedEnd::FiftyMoves, RecordedEnd::SeventyFiveMoves)
            });
            if !is_recorded && let Some(draw) = self.draw_on_board(rule, end) {
                self.unrecorded(rule, draw, rows);
            }
        }
        chief
    }

    /// Where a draw stood on the board first, whatever the profile and the date.
    fn draw_on_board(&self, rule: RecordedEnd, end: EndState) -> Option<Available> {
        let facts = &self.facts;
        match rule {
            RecordedEnd::Threefold => facts.first_threefold,
            RecordedEnd::Fivefold => facts.first_fivefold,
            RecordedEnd::FiftyMoves => facts.first_fifty,
            RecordedEnd::SeventyFiveMoves => facts.first_seventyfive,
            RecordedEnd::InsufficientMaterial => facts.dead.map(|dead| dead.at),
            RecordedEnd::Stalemate if end == EndState::Stalemate && self.line.variant.is_none() => {
                Some(Available {
                    ply: self.line.last_move(),
                    span: facts.last_move,
                    occurrences: facts.occurrences,
                    halfmove_clock: self.line.position.halfmoves(),
                })
            }
            _ => None,
        }
    }

    /// The last comment of the main line, if no move follows.
    fn comment_at_the_end(&self) -> Option<Span> {
        let comment = self.last_comment?;
        if comment.start < self.facts.last_move.start {
            return None;
        }
        let rest = Span::new(comment.end, self.frame.game.end);
        let is_last = self.stop.is_none() || main_line_words(self.bytes, rest).next().is_none();
        is_last.then_some(comment)
    }

    /// `1/2-1/2 {Draw by repetition}`, as some programs write it.
    fn comment_behind_marker(&self) -> Option<Span> {
        self.marker.and_then(|_| self.comment_in_gap())
    }

    /// The comment with which the gap begins.
    pub(super) fn comment_in_gap(&self) -> Option<Span> {
        let gap = self.frame.gap.of(self.bytes);
        let open = gap.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let text = gap.get(open..)?.strip_prefix(b"{")?;
        let text = &text[..text.len().min(LONGEST_COMMENT)];
        let text = &text[..memchr::memchr(b'}', text)?];
        // Control characters have a finding of their own, which would come too late.
        if text.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()) {
            return None;
        }
        let close = open + 1 + text.len();
        let start = self.frame.gap.start;
        Some(Span::new(start + open, start + close + 1))
    }

    /// Judges one reason. On Lichess a draw where time ran out is one against a side that cannot
    /// mate, so that the reason may be another than its words say.
    fn check_claim(
        &mut self,
        claim: Claim,
        is_alone: bool,
        recorded: Option<GameResult>,
        end: EndState,
        end_ply: Ply,
    ) -> (Claim, ClaimVerdict) {
        let mut claim = claim;
        if claim.end == RecordedEnd::Timeout
            && recorded == Some(GameResult::Draw)
            && self.profile() == Profile::Lichess
        {
            claim.end = RecordedEnd::TimeoutVsInsufficient;
        }
        let on_time_alone = is_alone && claim.end == RecordedEnd::Timeout && claim.result.is_none();
        let judgement = if on_time_alone && recorded == Some(GameResult::Draw) {
            self.judge_draw_on_time()
        } else {
            self.judge_claim(&claim, end)
        };
        let mut verdict = judgement.verdict;
        if verdict != ClaimVerdict::Contradicted
            && let Some((said, result)) = claim.result.zip(recorded)
            && said != result
            && !matches!(result, GameResult::Unknown | GameResult::OffBoard)
        {
            verdict = ClaimVerdict::Contradicted;
            self.tell_other_result(&claim, said, result, end_ply);
        } else if let Some(rule) = rule_of(&claim, verdict) {
            let mut message = format!("{}; {}", self.saying(&claim, recorded), judgement.shown);
            if judgement.lacks_repetition
                && let Some(why) = self.near_misses()
            {
                message += &why;
            }
            if verdict == ClaimVerdict::SupportedByNextMove && self.knows_no_intended_move(&claim) {
                message += "; who ends games without a claim knows no intended moves: the \
                            half-move that brings it may be missing from the score";
            }
            self.found.push(Finding::new(rule, claim.span).ply(end_ply).message(message));
        }
        if claim.end == RecordedEnd::Timeout {
            self.check_flag_fall(&claim, recorded, end_ply);
        }
        (claim, verdict)
    }

    /// `Termination says "Anna won by checkmate" (that is White)`
    fn saying(&self, claim: &Claim, recorded: Option<GameResult>) -> String {
        let is = |tag: Option<Span>| tag == Some(claim.span);
        let place = match claim.source {
            ClaimSource::Comment => "the comment",
            ClaimSource::Tag if is(self.known.termination_details) => "TerminationDetails",
            ClaimSource::Tag if is(self.known.icc_result) => "ICCResult",
            ClaimSource::Tag => "Termination",
        };
        let text = self.found.text(claim.span.of(self.bytes));
        let mut saying = format!("{place} says \"{text}\"");
        if let Some(player) = claim.player {
            let side = player.fold_wb("White", "Black");
            if !text.to_ascii_lowercase().contains(&side.to_ascii_lowercase()) {
                saying += &format!(" (that is {side})");
            }
        }
        let on_time = [RecordedEnd::Timeout, RecordedEnd::TimeoutVsInsufficient];
        let is_drawn = recorded == Some(GameResult::Draw);
        if claim.result.is_none() && on_time.contains(&claim.end) && is_drawn {
            saying += " of a drawn game";
        }
        saying
    }

    fn knows_no_intended_move(&self, claim: &Claim) -> bool {
        let end = match claim.end {
            RecordedEnd::Threefold => AutomaticEnd::Threefold,
            _ => AutomaticEnd::FiftyMoves,
        };
        self.profile().ends_only_what_was_played(end, self.date)
    }

    /// A reason that makes another result than the recorded one, unless the result is a finding
    /// already.
    fn tell_other_result(
        &mut self,
        claim: &Claim,
        said: GameResult,
        recorded: GameResult,
        end_ply: Ply,
    ) {
        if self.found.has(&results::RESULT_AGAINST_BOARD)
            || self.found.has(&results::RESULT_CONFLICT)
        {
            return;
        }
        self.found.push(Finding::new(&draws::CLAIM_CONTRADICTED, claim.span).ply(end_ply).message(
            format!(
                "{}, which makes {}, and the result is recorded as {}",
                self.saying(claim, None),
                said.as_str(),
                recorded.as_str()
            ),
        ));
    }

    fn judge_claim(&self, claim: &Claim, end: EndState) -> Judgement {
        if let Some(variant) = &self.line.variant {
            // Other reasons than these mean what the site means by them.
            let shown = matches!(
                (claim.end, end),
                (RecordedEnd::Checkmate, EndState::Checkmate)
                    | (RecordedEnd::Stalemate, EndState::Stalemate)
            );
            let verdict = if shown { ClaimVerdict::Supported } else { ClaimVerdict::Unverifiable };
            let side = variant.position.turn().fold_wb("White", "Black");
            let shown = format!("{side} has no legal move").into();
            return Judgement { verdict, shown, lacks_repetition: false };
        }
        if !self.is_certain() {
            return Judgement::unverifiable();
        }
        self.board().judge(claim, || self.profile())
    }

    /// A draw of which the record says no more than that a time ran out. By the Laws one of the
    /// players then cannot mate (FIDE Laws 2023, 6.9). Without an increment it is not for a score
    /// to tell: both flags may have fallen, or the arbiter may have ruled (Guidelines III.3.1,
    /// III.5). Other rules than the Laws know looser words for who cannot mate.
    fn judge_draw_on_time(&self) -> Judgement {
        let control = self.known.time_control.map(|tag| tag.of(self.bytes));
        let control = control.and_then(|text| std::str::from_utf8(text).ok());
        let has_increment =
            control.and_then(TimeControl::parse).is_some_and(|control| control.has_increments());
        let is_judged = has_increment
            && self.line.variant.is_none()
            && self.is_certain()
            && self.profile() == Profile::Fide;
        if is_judged { self.board().draw_on_time() } else { Judgement::unverifiable() }
    }

    fn board(&self) -> Board<'_> {
        let facts = &self.facts;
        Board {
            line: &self.line,
            repetitions: &self.examiner.repetitions,
            occurrences: facts.occurrences,
            first_threefold: facts.first_threefold.map(|draw| draw.ply.index),
            first_fifty: facts.first_fifty.map(|draw| draw.ply.index),
        }
    }

    /// Whether the position on the board is the one with which the game ended.
    fn is_certain(&self) -> bool {
        self.start.is_some()
            && self.stop.is_none()
            && self.plies > 0
            && self.facts.certified_plies == self.line.ply
    }

    /// Earlier positions that look like the last one.
    #[cold]
    fn near_misses(&self) -> Option<String> {
        let start = self.start.as_ref()?.position.clone();
        let mut misses = NearMisses::new(&self.line.position);
        misses.look_at(0, &start);
        let movetext = Span::new(self.movetext_start, self.frame.game.end);
        let words = main_line_words(self.bytes, movetext).map(|word| word.of(self.bytes));
        let mut tries = MOST_TRIES;
        play_and_show(start, words, &self.dialect, &mut tries, |ply, position| {
            misses.look_at(ply, position);
        });
        misses.sentence(|ply| claim::place(&self.line, ply))
    }

    /// A win on time by who cannot mate. Programs that run matches of engines ask for nothing but
    /// the time, and nobody but an arbiter for a closed wall.
    fn check_flag_fall(&mut self, claim: &Claim, recorded: Option<GameResult>, end_ply: Ply) {
        let Some(winner) = recorded.and_then(claim::winner) else { return };
        if self.line.variant.is_some()
            || !self.is_certain()
            || self.found.has(&results::RESULT_AGAINST_BOARD)
        {
            return;
        }
        let position = &self.line.position;
        let lost_its_chance = match self.profile() {
            Profile::Engine => false,
            Profile::Fide => cannot_mate(position, winner),
            _ => position.has_insufficient_material(winner),
        };
        if !lost_its_chance {
            return;
        }
        let side = winner.fold_wb("White", "Black");
        self.found.push(
            Finding::new(&results::FLAG_FALL_WITHOUT_MATING_MATERIAL, claim.span)
                .ply(end_ply)
                .message(format!(
                    "{side} won on time and could not have mated by any series of legal moves"
                )),
        );
    }

    fn recorded_draw(&self, claim: &Claim, verdict: ClaimVerdict, end: EndState) -> DrawRecord {
        let available = self.draw_on_board(claim.end, end);
        let on_board = self.line.variant.is_none() && self.start.is_some();
        DrawRecord {
            game: self.game,
            recorded: Some((claim.source, claim.span, verdict)),
            rule: claim.end,
            first_available_ply: available.map(|draw| draw.ply.index),
            plies_played_on: available.map(|draw| self.plies.saturating_sub(draw.ply.index)),
            could_claim: available.and_then(|draw| self.could_claim(claim.end, draw)),
            occurrences: on_board.then_some(self.facts.occurrences),
            halfmove_clock: on_board.then(|| self.line.position.halfmoves()),
        }
    }

    /// Who had the move where a draw could be claimed. Nobody claims what the game ended by.
    fn could_claim(&self, rule: RecordedEnd, draw: Available) -> Option<Color> {
        let is_claimed = matches!(rule, RecordedEnd::Threefold | RecordedEnd::FiftyMoves);
        let is_over = self.facts.automatic_end.is_some_and(|(_, ply)| ply <= draw.ply.index);
        (is_claimed && !is_over).then(|| self.line.turn_behind(draw.ply.index))
    }

    /// A draw that was there, and that no record names. One that ended the game by itself has a
    /// finding already.
    fn unrecorded(&mut self, rule: RecordedEnd, draw: Available, rows: &mut Vec<DrawRecord>) {
        let Available { ply, span, occurrences, halfmove_clock } = draw;
        let played_on = self.plies.saturating_sub(ply.index);
        let could_claim = self.could_claim(rule, draw);
        if self.examiner.options.collect {
            rows.push(DrawRecord {
                game: self.game,
                recorded: None,
                rule,
                first_available_ply: Some(ply.index),
                plies_played_on: Some(played_on),
                could_claim,
                occurrences: Some(occurrences),
                halfmove_clock: Some(halfmove_clock),
            });
        }
        let Some(player) = could_claim else { return };
        let (rule, what) = if rule == RecordedEnd::Threefold {
            (&draws::UNCLAIMED_THREEFOLD, "the position stood for the third time")
        } else {
            (
                &draws::UNCLAIMED_FIFTY_MOVES,
                "fifty moves by each side without a pawn move or capture were complete",
            )
        };
        let word = self.found.text(span.of(self.bytes));
        let dots = if ply.black { "..." } else { "." };
        let side = |color: Color| color.fold_wb("White", "Black");
        // Only the Laws know a claim with a move that is not played yet.
        let before = if self.profile() == Profile::Fide {
            format!(", {} before making the move", side(!player))
        } else {
            String::new()
        };
        let rest = match played_on {
            0 => "the score ends there".to_owned(),
            1 => "play went on for 1 half-move".to_owned(),
            more => format!("play went on for {more} half-moves"),
        };
        let message = format!(
            "{what} after {}{dots} {word} (ply {}): {} could have claimed there{before}; {rest}",
            ply.move_number,
            ply.index,
            side(player),
        );
        self.found.push(Finding::new(rule, span).ply(ply).message(message));
    }
}

/// The rule for a verdict, where it is worth a finding: a mate that was recorded and stands on
/// the board is none.
fn rule_of(claim: &Claim, verdict: ClaimVerdict) -> Option<&'static Rule> {
    match verdict {
        ClaimVerdict::Contradicted => Some(&draws::CLAIM_CONTRADICTED),
        ClaimVerdict::Supported if claim.end.is_draw() => Some(&draws::CLAIM_SUPPORTED),
        ClaimVerdict::SupportedByNextMove => Some(&draws::CLAIM_SUPPORTED_BY_NEXT_MOVE),
        ClaimVerdict::Supported | ClaimVerdict::Unverifiable => None,
    }
}
