//! The recorded reason of a game's end: tags and comments come in, and out go the reasons that
//! they name, and whether the board bears them out.
//!
//! [`Claims::read`] looks into the Termination, TerminationDetails and ICCResult tags, the comment
//! behind the last move and the one behind the termination marker. Which words name which reason
//! is a table of its own, `phrases`. [`Board::judge`] holds one reason against the final position.
//! What no board can show (agreement, adjudication, time, resignation) stays unverifiable, and so
//! does every reason where not all moves are certified.

mod engine_data;
mod judgement;
mod near_miss;
mod phrases;
mod words;

use shakmaty::Color;

pub use judgement::{Board, Judgement, judge_position, place};
pub use near_miss::NearMisses;
use phrases::{Players, Wording};

use super::{GameResult, KnownTags};
use crate::diagnostics::Span;

/// How a game ended, as its record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordedEnd {
    Threefold,
    Fivefold,
    FiftyMoves,
    SeventyFiveMoves,
    Stalemate,
    /// Neither side can mate; some servers use it where one of them cannot, or hardly.
    InsufficientMaterial,
    Checkmate,
    /// A player's time ran out, and the opponent cannot mate.
    TimeoutVsInsufficient,
    Agreement,
    /// No reason of the Laws, which have only what comes of it: a repetition, fifty moves, or an
    /// agreement.
    PerpetualCheck,
    /// Somebody, a table of endgames or a score decided.
    Adjudication,
    Timeout,
    Resignation,
    Abandoned,
    RulesInfraction,
    Death,
    Emergency,
}

impl RecordedEnd {
    /// The word that tables use.
    pub const fn as_str(self) -> &'static str {
        match self {
            RecordedEnd::Threefold => "threefold",
            RecordedEnd::Fivefold => "fivefold",
            RecordedEnd::FiftyMoves => "fifty",
            RecordedEnd::SeventyFiveMoves => "seventyfive",
            RecordedEnd::Stalemate => "stalemate",
            RecordedEnd::InsufficientMaterial => "insufficient_material",
            RecordedEnd::Checkmate => "checkmate",
            RecordedEnd::TimeoutVsInsufficient => "timeout_vs_insufficient",
            RecordedEnd::Agreement => "agreement",
            RecordedEnd::PerpetualCheck => "perpetual_check",
            RecordedEnd::Adjudication => "adjudication",
            RecordedEnd::Timeout => "timeout",
            RecordedEnd::Resignation => "resignation",
            RecordedEnd::Abandoned => "abandoned",
            RecordedEnd::RulesInfraction => "rules_infraction",
            RecordedEnd::Death => "death",
            RecordedEnd::Emergency => "emergency",
        }
    }

    /// Whether it can only be a draw.
    pub const fn is_draw(self) -> bool {
        self.is_board_draw() || matches!(self, RecordedEnd::Agreement | RecordedEnd::PerpetualCheck)
    }

    /// Whether it is a draw that a board can show.
    const fn is_board_draw(self) -> bool {
        matches!(
            self,
            RecordedEnd::Threefold
                | RecordedEnd::Fivefold
                | RecordedEnd::FiftyMoves
                | RecordedEnd::SeventyFiveMoves
                | RecordedEnd::Stalemate
                | RecordedEnd::InsufficientMaterial
                | RecordedEnd::TimeoutVsInsufficient
        )
    }

    /// Whether a board can bear it out or contradict it.
    pub const fn is_on_board(self) -> bool {
        self.is_board_draw() || matches!(self, RecordedEnd::Checkmate)
    }
}

/// What the board says of a recorded reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimVerdict {
    Supported,
    /// By a legal move that the player to move may have intended (FIDE Laws 2023, 9.2.1, 9.3.1).
    SupportedByNextMove,
    Contradicted,
    /// Nothing on a board can show it, or the moves are not certain.
    Unverifiable,
}

impl ClaimVerdict {
    pub const ALL: [ClaimVerdict; 4] = [
        ClaimVerdict::Supported,
        ClaimVerdict::SupportedByNextMove,
        ClaimVerdict::Contradicted,
        ClaimVerdict::Unverifiable,
    ];

    /// The word that reports and tables use.
    pub const fn as_str(self) -> &'static str {
        match self {
            ClaimVerdict::Supported => "supported",
            ClaimVerdict::SupportedByNextMove => "supported_by_next_move",
            ClaimVerdict::Contradicted => "contradicted",
            ClaimVerdict::Unverifiable => "unverifiable",
        }
    }
}

/// What kind of text records a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimSource {
    Tag,
    Comment,
}

impl ClaimSource {
    pub const fn as_str(self) -> &'static str {
        match self {
            ClaimSource::Tag => "tag",
            ClaimSource::Comment => "comment",
        }
    }
}

/// A reason that the record gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub end: RecordedEnd,
    /// The result that its words imply.
    pub result: Option<GameResult>,
    /// The player of whom they speak: who won or lost, ran out of time, was stalemated.
    pub player: Option<Color>,
    pub source: ClaimSource,
    /// The tag's value, or the words in the comment.
    pub span: Span,
}

impl Claim {
    /// Whether it is a draw, by its words or by the recorded result.
    pub fn is_draw(&self, recorded: Option<GameResult>) -> bool {
        let result = self.result.or(recorded);
        self.end.is_draw() || result == Some(GameResult::Draw)
    }
}

/// The reasons that one game's record gives, each once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claims {
    list: [Option<Claim>; Claims::SOURCES],
}

impl Claims {
    /// Three tags, the last comment and the one behind the marker.
    const SOURCES: usize = 5;

    /// Whether there is any text that could name a reason.
    pub fn may_be_in(tags: &KnownTags, comments: [Option<Span>; 2]) -> bool {
        tags.termination.is_some()
            || tags.termination_details.is_some()
            || tags.icc_result.is_some()
            || comments.iter().any(Option::is_some)
    }

    /// Reads the reasons in the tags, and in comments that stand behind the last move.
    pub fn read(bytes: &[u8], tags: &KnownTags, comments: [Option<Span>; 2]) -> Claims {
        Claims::read_as(bytes, tags, comments, Wording::Phrase)
    }

    /// The same, with comments of one word: a remark, too, tells which of several positions stood
    /// there.
    pub fn read_with_remarks(
        bytes: &[u8],
        tags: &KnownTags,
        comments: [Option<Span>; 2],
    ) -> Claims {
        Claims::read_as(bytes, tags, comments, Wording::Remark)
    }

    fn read_as(
        bytes: &[u8],
        tags: &KnownTags,
        comments: [Option<Span>; 2],
        wording: Wording,
    ) -> Claims {
        let values = [tags.termination_details, tags.termination, tags.icc_result];
        let in_tags = values.into_iter().flatten();
        let in_comments = comments.into_iter().flatten();
        let mut claims = Claims::default();
        let players = Players { bytes, tags };
        for value in in_tags {
            claims.add(phrases::read_tag(bytes, value, &players));
        }
        for comment in in_comments {
            claims.add(phrases::read_comment(bytes, comment, &players, wording));
        }
        claims.settle();
        claims
    }

    pub fn iter(&self) -> impl Iterator<Item = &Claim> {
        self.list.iter().flatten()
    }

    /// The one that tells most: the first that a board can show, else the first.
    pub fn chief(&self) -> Option<&Claim> {
        self.iter().find(|claim| claim.end.is_on_board()).or_else(|| self.iter().next())
    }

    fn add(&mut self, claim: Option<Claim>) {
        let Some(claim) = claim else { return };
        if let Some(known) = self.list.iter_mut().flatten().find(|known| known.end == claim.end) {
            known.result = known.result.or(claim.result);
            known.player = known.player.or(claim.player);
        } else if let Some(room) = self.list.iter_mut().find(|room| room.is_none()) {
            *room = Some(claim);
        }
    }

    /// An adjudication beside another reason is how that reason was put into effect.
    fn settle(&mut self) {
        if self.iter().count() > 1 {
            for claim in &mut self.list {
                if claim.is_some_and(|claim| claim.end == RecordedEnd::Adjudication) {
                    *claim = None;
                }
            }
        }
    }
}

/// Who won by a result.
pub fn winner(result: GameResult) -> Option<Color> {
    match result {
        GameResult::WhiteWins => Some(Color::White),
        GameResult::BlackWins => Some(Color::Black),
        GameResult::Draw | GameResult::Unknown | GameResult::OffBoard => None,
    }
}
