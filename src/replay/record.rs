//! What is known of a game after it was judged: the row of the games table, and its promotions.

use shakmaty::fen::Fen;
use shakmaty::{ByColor, Chess, Color, EnPassantMode, Role, Square};

use super::claim::{ClaimSource, ClaimVerdict, RecordedEnd};
use crate::diagnostics::Span;
use crate::source::TextEncoding;

/// What the judge says of a game as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Every ply legal, nothing contradicts.
    Certified,
    /// Certified, with warnings.
    Flawed,
    /// Legal, but the result or the claim does not fit the board, or play went on behind a draw
    /// that ends a game by itself.
    Contradicted,
    /// A move of the main line breaks the Laws, or follows a mate or a stalemate.
    Illegal,
    /// A move of the main line cannot be read, or the start position cannot be played on.
    Unreadable,
    /// Unknown variant, oversized, or no moves.
    Unjudged,
}

impl Verdict {
    pub const ALL: [Verdict; 6] = [
        Verdict::Certified,
        Verdict::Flawed,
        Verdict::Contradicted,
        Verdict::Illegal,
        Verdict::Unreadable,
        Verdict::Unjudged,
    ];

    /// The word that reports and tables use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Certified => "certified",
            Verdict::Flawed => "flawed",
            Verdict::Contradicted => "contradicted",
            Verdict::Illegal => "illegal",
            Verdict::Unreadable => "unreadable",
            Verdict::Unjudged => "unjudged",
        }
    }
}

/// How the last certified position ends the game by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EndState {
    Checkmate,
    Stalemate,
    DeadPosition,
    Fivefold,
    SeventyFive,
    /// A variant's own rule ended it, as a king that explodes does in atomic chess.
    VariantEnd,
    #[default]
    None,
}

impl EndState {
    /// The word that tables use.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndState::Checkmate => "checkmate",
            EndState::Stalemate => "stalemate",
            EndState::DeadPosition => "dead_position",
            EndState::Fivefold => "fivefold",
            EndState::SeventyFive => "seventyfive",
            EndState::VariantEnd => "variant_end",
            EndState::None => "none",
        }
    }
}

/// A game's result, as the termination marker or the Result tag gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    WhiteWins,
    BlackWins,
    Draw,
    /// `*`
    Unknown,
    /// `0-0`, `1/2-0` and the like: no play on the board gives it.
    OffBoard,
}

impl GameResult {
    /// The standard's spelling; `0-0` for what has none.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
            GameResult::OffBoard => "0-0",
        }
    }
}

/// The tags that the tables and the replay need, as the raw stretch between the quotes (escapes
/// as written). The first of several tags of one name counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownTags {
    pub event: Option<Span>,
    pub site: Option<Span>,
    pub date: Option<Span>,
    pub round: Option<Span>,
    pub white: Option<Span>,
    pub black: Option<Span>,
    pub result: Option<Span>,
    pub white_elo: Option<Span>,
    pub black_elo: Option<Span>,
    pub white_title: Option<Span>,
    pub black_title: Option<Span>,
    pub eco: Option<Span>,
    pub variant: Option<Span>,
    pub fen: Option<Span>,
    pub set_up: Option<Span>,
    pub time_control: Option<Span>,
    pub termination: Option<Span>,
    /// `TerminationDetails`, in which matches of engines give the reason behind `Termination`.
    pub termination_details: Option<Span>,
    pub icc_result: Option<Span>,
    /// `UTCDate`, which online servers write beside or instead of Date.
    pub utc_date: Option<Span>,
    pub ply_count: Option<Span>,
}

/// One game, judged. Spans and lines count from the start of the chunk.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// From the first tag or token to the termination marker; the gap behind it is not in it.
    pub span: Span,
    /// Line ends in the chunk before `span.start`.
    pub lines_before: u64,
    /// The character set of its bytes.
    pub encoding: TextEncoding,
    pub tags: KnownTags,
    /// The termination marker's result; `None` where there is no marker.
    pub marker: Option<GameResult>,
    /// Half-moves of the main line that the text holds, judged or not.
    pub plies: u32,
    /// Half-moves before the first fault.
    pub certified_plies: u32,
    pub verdict: Verdict,
    pub errors: u32,
    pub warnings: u32,
    pub end_state: EndState,
    /// Certified ones, as [`Promotion::certified`] says of each.
    pub promotions: u32,
    pub underpromotions: u32,
    /// Illegal moves of each player; `None` where the game was not read on behind the first one.
    pub illegal: Option<ByColor<u32>>,
    /// The first ply at which the position stood the third time; likewise below.
    pub first_threefold_ply: Option<u32>,
    pub first_fivefold_ply: Option<u32>,
    /// The first ply after which the halfmove clock read 100 or more.
    pub first_fifty_ply: Option<u32>,
    /// The first ply after which the halfmove clock read 150 or more.
    pub first_seventyfive_ply: Option<u32>,
    pub max_halfmove_clock: u32,
    /// The recorded reason of the end; of several, the one that tells most.
    pub claim: Option<GameClaim>,
    /// Hash of the certified moves (and of the start position where it is a set-up one).
    pub moves_key: u64,
    /// Hash of the bytes of `span`.
    pub bytes_key: u64,
}

/// A recorded reason of a game's end, judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClaim {
    pub end: RecordedEnd,
    pub verdict: ClaimVerdict,
    /// The reason, or the recorded result, is a draw.
    pub is_draw: bool,
}

/// One draw of a game: recorded as the reason of its end, or on the board and not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRecord {
    /// Which game of the chunk, from 0.
    pub game: u32,
    /// Where it is recorded, in the chunk, and what the board says of it.
    pub recorded: Option<(ClaimSource, Span, ClaimVerdict)>,
    pub rule: RecordedEnd,
    /// The first ply after which it was on the board.
    pub first_available_ply: Option<u32>,
    /// Half-moves behind that ply.
    pub plies_played_on: Option<u32>,
    /// Who had the move there, if it was to be claimed: not where it ended the game by itself.
    pub could_claim: Option<Color>,
    /// How often the position stood: the last certified one, or without a record the one at the
    /// first available ply. `None` in variants; likewise below.
    pub occurrences: Option<u32>,
    /// The halfmove clock of that position.
    pub halfmove_clock: Option<u32>,
}

/// Where the piece of a promotion was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceSource {
    /// The move names it.
    Explicit,
    /// Only this piece keeps the rest of the game legal.
    Inferred,
    /// The queen of FIDE 7.5.2.
    Assumed,
}

impl PieceSource {
    pub const fn as_str(self) -> &'static str {
        match self {
            PieceSource::Explicit => "explicit",
            PieceSource::Inferred => "inferred",
            PieceSource::Assumed => "assumed",
        }
    }
}

/// Why somebody may have underpromoted, by what the board shows. The first that holds counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    AvoidsStalemate,
    MatesOnlySo,
    SeeksStalemate,
    KnightCheck,
    KnightFork,
    MatesAnyway,
    CapturedNext,
    QueenEquivalent,
    Unexplained,
}

impl Reason {
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::AvoidsStalemate => "avoids_stalemate",
            Reason::MatesOnlySo => "mates_only_so",
            Reason::SeeksStalemate => "seeks_stalemate",
            Reason::KnightCheck => "knight_check",
            Reason::KnightFork => "knight_fork",
            Reason::MatesAnyway => "mates_anyway",
            Reason::CapturedNext => "captured_next",
            Reason::QueenEquivalent => "queen_equivalent",
            Reason::Unexplained => "unexplained",
        }
    }
}

/// One promotion that was played in the main line, behind a fault too.
#[derive(Clone, Debug)]
pub struct Promotion {
    /// Which game of the chunk, from 0.
    pub game: u32,
    pub ply: u32,
    pub move_number: u32,
    pub color: Color,
    pub from: Square,
    pub to: Square,
    pub piece: Role,
    pub piece_source: PieceSource,
    /// Its ply lies before the first fault.
    pub certified: bool,
    pub capture: Option<Role>,
    pub gives_check: bool,
    /// A piece other than the promoted one gives check.
    pub discovered_check: bool,
    pub double_check: bool,
    pub gives_mate: bool,
    pub gives_stalemate: bool,
    pub queen_would_check: bool,
    pub queen_would_mate: bool,
    pub queen_would_stalemate: bool,
    /// Opposing king, queens and rooks, and unprotected minor pieces, that the new piece attacks.
    pub forks: u8,
    /// The new piece is captured by the next move; `None` where there is none that is as certain
    /// as the promotion.
    pub captured_next: Option<bool>,
    pub last_ply: bool,
    /// Which promotion of this player in the game it is, from 1.
    pub nth_of_side: u8,
    /// Queens that the player had before.
    pub queens_before: u8,
    pub legal_replies: u16,
    /// For an underpromotion only.
    pub reason: Option<Reason>,
    /// The position before the move.
    pub before: Chess,
    /// The mover's clock after the move, in seconds, from `[%clk]`.
    pub clock_s: Option<f64>,
}

impl Promotion {
    /// The move in standard SAN, with its check or mate mark.
    pub fn san(&self) -> String {
        text(|out| self.append_san(out))
    }

    /// The position before the move, in FEN.
    pub fn fen_before(&self) -> String {
        text(|out| self.append_fen(out))
    }

    /// Appends the move as [`Promotion::san`] gives it.
    pub fn append_san(&self, out: &mut Vec<u8>) {
        if self.capture.is_some() {
            out.extend_from_slice(&[file_letter(self.from), b'x']);
        }
        let rank = b'1' + self.to.rank() as u8;
        let piece = self.piece.upper_char() as u8;
        out.extend_from_slice(&[file_letter(self.to), rank, b'=', piece]);
        if self.gives_mate {
            out.push(b'#');
        } else if self.gives_check {
            out.push(b'+');
        }
    }

    /// Appends the position as [`Promotion::fen_before`] gives it.
    pub fn append_fen(&self, out: &mut Vec<u8>) {
        Fen::from_position(&self.before, EnPassantMode::Legal).append_ascii_to(out);
    }
}

/// What is appended, which is ASCII.
fn text(append: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    append(&mut out);
    String::from_utf8(out).unwrap_or_default()
}

fn file_letter(square: Square) -> u8 {
    b'a' + square.file() as u8
}

/// What a worker makes of one chunk: games, promotions and draws in file order.
#[derive(Clone, Debug, Default)]
pub struct ChunkRecords {
    pub games: Vec<GameRecord>,
    pub promotions: Vec<Promotion>,
    pub draws: Vec<DrawRecord>,
    /// Where both ways through a game were asked for and did not agree: a defect of this program.
    pub lane_differences: Vec<LaneDifference>,
}

/// A game of which the fast lane and the examiner do not say the same.
#[derive(Clone, Debug)]
pub struct LaneDifference {
    /// The game, in the chunk.
    pub game: Span,
    /// What is said in the fast lane, and what the examiner alone says.
    pub fast: String,
    pub examiner: String,
}
