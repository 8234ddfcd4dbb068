//! Moves as the standard spells them: the first bytes of a word come in, and out goes what it
//! says. Anything else is left to the [reader of all spellings](crate::pgn::WrittenMove), which
//! says the same of these.

use shakmaty::{Bitboard, CastlingSide, File, Rank, Role, Square};

use crate::rules::spelling::Effect;

/// A piece's move as it is written, but for the letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceMove {
    /// The squares that it may come from: all, a file or a rank, or one.
    pub origin: Bitboard,
    pub capture: bool,
    pub to: Square,
}

/// A pawn's move as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PawnMove {
    /// The file that a capture names.
    pub captures_from: Option<File>,
    pub to: Square,
    /// There is one on the last rank, and nowhere else.
    pub promotion: Option<Role>,
}

/// No move is longer: `Qa1xb2+`, `fxg8=Q#`.
const LONGEST: usize = 7;

/// A word that was read: what it says, what its mark says, and its length.
type Read<T> = Option<(T, Effect, usize)>;

/// Reads the move of a piece at the start of `text`.
#[inline(always)]
pub fn read_piece(text: &[u8]) -> Read<PieceMove> {
    let bytes = first_bytes(text);
    let word = u64::from_le_bytes(bytes);
    // Most say the square and nothing else.
    if byte(word, 3) <= b' '
        && let Some(to) = square(byte(word, 1), byte(word, 2))
    {
        let it = PieceMove { origin: Bitboard::FULL, capture: false, to };
        return Some((it, Effect::None, 3));
    }
    read(bytes, piece)
}

/// Reads the move of a pawn at the start of `text`.
#[inline(always)]
pub fn read_pawn(text: &[u8]) -> Read<PawnMove> {
    let bytes = first_bytes(text);
    let word = u64::from_le_bytes(bytes);
    if byte(word, 2) <= b' '
        && let Some(to) = square(byte(word, 0), byte(word, 1))
        && !is_last_rank(to)
    {
        let it = PawnMove { captures_from: None, to, promotion: None };
        return Some((it, Effect::None, 2));
    }
    read(bytes, pawn)
}

/// Reads castling at the start of `text`.
pub fn read_castling(text: &[u8]) -> Read<CastlingSide> {
    read(first_bytes(text), castling)
}

#[inline(always)]
fn first_bytes(text: &[u8]) -> [u8; 8] {
    match text.first_chunk::<8>() {
        Some(bytes) => *bytes,
        None => padded(text),
    }
}

/// Reads a word with the reader of its kind, its mark aside. It ends before the first byte that can
/// be no part of one.
#[inline(always)]
fn read<T>(bytes: [u8; 8], body: impl Fn(u64, usize) -> Option<T>) -> Read<T> {
    let word = u64::from_le_bytes(bytes);
    // Nearly always a blank or a line end.
    let mut end = first_blank(word);
    let mut is_sure = false;
    loop {
        let (effect, len) = split_mark(word, end);
        match body(word, len) {
            Some(it) if end <= LONGEST => return Some((it, effect, end)),
            _ if is_sure => return None,
            _ => end = first_end(bytes)?,
        }
        is_sure = true;
    }
}

/// The last bytes of a game.
#[cold]
fn padded(text: &[u8]) -> [u8; 8] {
    let mut bytes = [b' '; 8];
    for (byte, &from) in bytes.iter_mut().zip(text) {
        *byte = from;
    }
    bytes
}

/// Which byte is the first one below `!`; 8 if none is. Bytes lie in the order of the text from the
/// lowest up.
#[inline(always)]
fn first_blank(word: u64) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let below = word.wrapping_sub(ONES * 0x21) & !word & HIGH;
    below.trailing_zeros() as usize / 8
}

/// Which byte is the first one that ends a word without being blank, as the lexer has it; `None`
/// where that needs a closer look.
#[inline(never)]
fn first_end(bytes: [u8; 8]) -> Option<usize> {
    let end = bytes.iter().position(|&byte| {
        !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'=' | b'-'))
    })?;
    matches!(bytes[end], b'!' | b'?' | b'{' | b')' | b'$' | b'*').then_some(end)
}

#[inline(always)]
fn byte(word: u64, at: usize) -> u8 {
    (word >> (8 * at)) as u8
}

/// The mark at the end of a word, and the length of what stands before it.
#[inline(always)]
fn split_mark(word: u64, len: usize) -> (Effect, usize) {
    match byte(word, len.saturating_sub(1)) {
        b'+' => (Effect::Check, len - 1),
        b'#' => (Effect::Mate, len - 1),
        _ => (Effect::None, len),
    }
}

/// The piece that a letter stands for, if one does.
#[inline(always)]
pub fn role(letter: u8) -> Option<Role> {
    ROLES[usize::from(letter)]
}

static ROLES: [Option<Role>; 256] = {
    let mut roles = [None; 256];
    roles[b'N' as usize] = Some(Role::Knight);
    roles[b'B' as usize] = Some(Role::Bishop);
    roles[b'R' as usize] = Some(Role::Rook);
    roles[b'Q' as usize] = Some(Role::Queen);
    roles[b'K' as usize] = Some(Role::King);
    roles
};

/// What stands behind the letter of a piece: `f3`, `xf3`, `bd7`, `1xa3`, `a1xb2`.
#[inline(always)]
fn piece(word: u64, len: usize) -> Option<PieceMove> {
    if !(3..=6).contains(&len) {
        return None;
    }
    let to = square(byte(word, len - 2), byte(word, len - 1))?;
    let capture = byte(word, len - 3) == b'x';
    let origin = match len - usize::from(capture) {
        3 => Bitboard::FULL,
        4 => match byte(word, 1) {
            file @ b'a'..=b'h' => Bitboard::from_file(File::new(u32::from(file - b'a'))),
            rank @ b'1'..=b'8' => Bitboard::from_rank(Rank::new(u32::from(rank - b'1'))),
            _ => return None,
        },
        5 => square(byte(word, 1), byte(word, 2))?.into(),
        _ => return None,
    };
    Some(PieceMove { origin, capture, to })
}

/// `e4`, `exd5`, `e8=Q`, `exd8=N`
#[inline(always)]
fn pawn(word: u64, len: usize) -> Option<PawnMove> {
    let is_capture = byte(word, 1) == b'x';
    let at = if is_capture { 2 } else { 0 };
    let to = square(byte(word, at), byte(word, at + 1))?;
    // Whoever leaves the piece out, or names one too early, is looked at more closely.
    let promotion = match (len.checked_sub(at + 2)?, is_last_rank(to)) {
        (0, false) => None,
        (2, true) if byte(word, at + 2) == b'=' => Some(match byte(word, at + 3) {
            b'Q' => Role::Queen,
            b'R' => Role::Rook,
            b'B' => Role::Bishop,
            b'N' => Role::Knight,
            _ => return None,
        }),
        _ => return None,
    };
    let captures_from = is_capture.then(|| File::new(u32::from(byte(word, 0) - b'a') & 7));
    Some(PawnMove { captures_from, to, promotion })
}

/// `O-O`, `O-O-O`
#[inline(always)]
fn castling(word: u64, len: usize) -> Option<CastlingSide> {
    match &word.to_le_bytes()[..len] {
        b"O-O" => Some(CastlingSide::KingSide),
        b"O-O-O" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

#[inline(always)]
fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    (file < 8 && rank < 8).then(|| Square::new(u32::from(rank) * 8 + u32::from(file)))
}

#[inline(always)]
fn is_last_rank(square: Square) -> bool {
    matches!(square.rank(), Rank::First | Rank::Eighth)
}
