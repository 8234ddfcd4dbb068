//! The recorded reasons of a game's end, held against the board, and the draws that were there
//! for the asking and that no record says were asked for.

use shakmaty::Position;

use super::Exam;
use super::mainline::Available;
use crate::diagnostics::{Finding, Ply, Rule, Span};
use crate::replay::claim::{self, Board, Claim, Claims, Judgement, NearMisses};
use crate::replay::evidence::{MOST_TRIES, main_line_words, play_and_show};
use crate::replay::{
    AutomaticEnd, ClaimVerdict, DrawRecord, EndState, GameClaim, GameResult, Profile, RecordedEnd,
    cannot_mate,
};
use crate::rules::{draws, results};

/// The longest comment behind a termination marker that is looked at.
const LONGEST_COMMENT: usize = 256;

impl Exam<'_, '_, '_> {
    /// Whose rules end the game.
    pub(super) fn profile(&self) -> Profile {
        *self.profile.get_or_init(|| {
            let mut tags = self.examiner.tags.iter();
            let link = tags.find(|(_, pair)| pair.name.of(self.bytes) == b"Link");
            let link = link.map(|(_, pair)| pair.value);
            let of_game = || Profile::of_game(self.bytes, &self.known, link);
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
        if !Claims::may_be_in(&self.known, comments)
            && facts.first_threefold.is_none()
            && facts.first_fifty.is_none()
        {
            return None;
        }
        self.judge_claims(comments, recorded, end, end_ply, rows)
    }

    #[inline(never)]
    fn judge_claims(
        &mut self,
        comments: [Option<Span>; 2],
        recorded: Option<GameResult>,
        end: EndState,
        end_ply: Ply,
        rows: &mut Vec<DrawRecord>,
    ) -> Option<GameClaim> {
        let claims = Claims::read(self.bytes, &self.known, comments);
        let mut chief = None;
        for &claim in claims.iter() {
            let (claim, verdict) = self.check_claim(claim, recorded, end, end_ply);
            let is_draw = claim.is_draw(recorded);
            if claims.chief().is_some_and(|it| it.span == claim.span) {
                chief = Some(GameClaim { end: claim.end, verdict, is_draw });
            }
            if is_draw && self.examiner.options.collect {
                rows.push(self.recorded_draw(&claim, verdict));
            }
        }
        let claimed = |ends: [RecordedEnd; 2]| claims.iter().any(|it| ends.contains(&it.end));
        let threefold = claimed([RecordedEnd::Threefold, RecordedEnd::Fivefold]);
        let fifty = claimed([RecordedEnd::FiftyMoves, RecordedEnd::SeventyFiveMoves]);
        if let Some(draw) = self.facts.first_threefold.filter(|_| !threefold) {
            self.unclaimed(RecordedEnd::Threefold, AutomaticEnd::Threefold, draw, rows);
        }
        if let Some(draw) = self.facts.first_fifty.filter(|_| !fifty) {
            self.unclaimed(RecordedEnd::FiftyMoves, AutomaticEnd::FiftyMoves, draw, rows);
        }
        chief
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
        let judgement = self.judge_claim(&claim, end);
        let mut verdict = judgement.verdict;
        if let Some(rule) = rule_of(&claim, verdict) {
            let mut message =
                format!("the recorded reason is {}, and {}", claim.end.noun(), judgement.shown);
            if judgement.lacks_repetition
                && let Some(why) = self.near_misses()
            {
                message += &why;
            }
            self.found.push(Finding::new(rule, claim.span).ply(end_ply).message(message));
        }
        if verdict != ClaimVerdict::Contradicted
            && let Some((said, result)) = claim.result.zip(recorded)
            && said != result
            && !matches!(result, GameResult::Unknown | GameResult::OffBoard)
        {
            verdict = ClaimVerdict::Contradicted;
            self.tell_other_result(&claim, said, result, end_ply);
        }
        if claim.end == RecordedEnd::Timeout {
            self.check_flag_fall(&claim, recorded, end_ply);
        }
        (claim, verdict)
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
                "the recorded reason, {}, makes {}, and the result is recorded as {}",
                claim.end.noun(),
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
        let facts = &self.facts;
        let board = Board {
            line: &self.line,
            repetitions: &self.examiner.repetitions,
            occurrences: facts.occurrences,
            first_threefold: facts.first_threefold.map(|draw| draw.ply.index),
            first_fifty: facts.first_fifty.map(|draw| draw.ply.index),
        };
        board.judge(claim, || self.profile())
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
    /// the time.
    fn check_flag_fall(&mut self, claim: &Claim, recorded: Option<GameResult>, end_ply: Ply) {
        let Some(winner) = recorded.and_then(claim::winner) else { return };
        if self.line.variant.is_some()
            || !self.is_certain()
            || !cannot_mate(&self.line.position, winner)
            || self.found.has(&results::RESULT_AGAINST_BOARD)
            || self.profile() == Profile::Engine
        {
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

    fn recorded_draw(&self, claim: &Claim, verdict: ClaimVerdict) -> DrawRecord {
        let available = match claim.end {
            RecordedEnd::Threefold => self.facts.first_threefold.map(|draw| draw.ply.index),
            RecordedEnd::Fivefold => self.facts.first_fivefold,
            RecordedEnd::FiftyMoves => self.facts.first_fifty.map(|draw| draw.ply.index),
            RecordedEnd::SeventyFiveMoves => self.facts.first_seventyfive,
            _ => None,
        };
        let on_board = self.line.variant.is_none() && self.start.is_some();
        DrawRecord {
            game: self.game,
            recorded: Some((claim.source, claim.span, verdict)),
            rule: claim.end,
            first_available_ply: available,
            plies_played_on: available.map(|ply| self.plies.saturating_sub(ply)),
            could_claim: available.map(|ply| self.line.turn_behind(ply)),
            occurrences: on_board.then_some(self.facts.occurrences),
            halfmove_clock: on_board.then(|| self.line.position.halfmoves()),
        }
    }

    /// A draw that could be had, and that no record names. One that ended the game by itself has
    /// a finding already.
    fn unclaimed(
        &mut self,
        rule: RecordedEnd,
        automatic: AutomaticEnd,
        draw: Available,
        rows: &mut Vec<DrawRecord>,
    ) {
        let Available { ply, span, occurrences, halfmove_clock } = draw;
        let played_on = self.plies.saturating_sub(ply.index);
        let player = self.line.turn_behind(ply.index);
        if self.examiner.options.collect {
            rows.push(DrawRecord {
                game: self.game,
                recorded: None,
                rule,
                first_available_ply: Some(ply.index),
                plies_played_on: Some(played_on),
                could_claim: Some(player),
                occurrences: Some(occurrences),
                halfmove_clock: Some(halfmove_clock),
            });
        }
        if self.facts.automatic_end == Some(automatic) {
            return;
        }
        let (rule, what): (&'static Rule, _) = match automatic {
            AutomaticEnd::Threefold => {
                (&draws::UNCLAIMED_THREEFOLD, "the position stood three times")
            }
            _ => (&draws::UNCLAIMED_FIFTY_MOVES, "fifty moves by each side were made"),
        };
        let word = self.found.text(span.of(self.bytes));
        let dots = if ply.black { "..." } else { "." };
        let side = player.fold_wb("White", "Black");
        let rest = match played_on {
            0 => "with which the score ends".to_owned(),
            1 => "play went on for 1 half-move".to_owned(),
            more => format!("play went on for {more} half-moves"),
        };
        let message = format!(
            "{what}: a draw was first available to {side} after {}{dots} {word} (ply {}), {rest}",
            ply.move_number, ply.index
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
