//! Near spellings: the legal moves that differ from a refused one by a single slip of the pen.

use shakmaty::san::San;
use shakmaty::{Bitboard, CastlingSide, Role};

use crate::replay::fast::{BoardMove, CompactBoard};

/// A refused move with more near spellings than this tells nothing.
const MOST_NEAR: usize = 32;

/// The legal moves whose spelling is one slip away from what was written: another letter, file or
/// rank, the other castling, castling written as the king's move, or one character too many, too
/// few, other or out of its place.
///
/// `word` is the text without its check mark, `san` what was read of it.
pub fn near_moves(board: &CompactBoard, word: &[u8], san: Option<&San>) -> Vec<BoardMove> {
    let written = Spelling::of_word(word);
    let signs = written.as_ref().map(|it| Signs::of(it.text())).unwrap_or_default();
    let mut near = Vec::new();
    board.each_legal_move(|m| {
        let is_near = san.is_some_and(|san| slips(board, san, m) <= 1)
            || signs.may_be_one_edit_from(m)
                && written.as_ref().is_some_and(|written| {
                    is_one_edit_away(written.text(), Spelling::of_move(m, board).text())
                });
        if is_near {
            near.push(m);
        }
    });
    near.sort_by_key(|m| (m.role(), m.to(), m.from(), m.promotion()));
    if near.len() > MOST_NEAR { Vec::new() } else { near }
}

/// No more near spellings of a legal move there are: each names the same piece or the same square.
pub fn most_near(board: &CompactBoard, m: BoardMove) -> usize {
    let same_square = board.attackers(m.to(), board.turn()).count() + 1;
    match m.role() {
        Role::Pawn | Role::King => MOST_NEAR,
        role => MOST_NEAR.min(board.most_moves_of(role) + same_square),
    }
}

/// Which files, ranks and pieces a text names, a bit for each.
#[derive(Default)]
struct Signs {
    files: u8,
    ranks: u8,
    pieces: u8,
}

impl Signs {
    fn of(text: &[u8]) -> Signs {
        let mut signs = Signs::default();
        for &byte in text {
            match byte {
                b'a'..=b'h' => signs.files |= 1 << (byte - b'a'),
                b'1'..=b'8' => signs.ranks |= 1 << (byte - b'1'),
                b'A'..=b'Z' => {
                    signs.pieces |=
                        Role::from_char(char::from(byte)).map_or(0, |role| 1 << role as u8);
                }
                _ => {}
            }
        }
        signs
    }

    /// Whether the spelling of a move has at most one more; its origin not counted.
    fn may_be_one_edit_from(&self, m: BoardMove) -> bool {
        let lacks = |signs: u8, sign: u32| u32::from(signs >> sign & 1 == 0);
        let (role, to) = (m.role(), m.to());
        let square = lacks(self.files, to.file().into()) + lacks(self.ranks, to.rank().into());
        let letter = if role == Role::Pawn { 0 } else { lacks(self.pieces, role as u32) };
        let promotion = m.promotion().map_or(0, |piece| lacks(self.pieces, piece as u32));
        letter + square + promotion <= 1 || m.castling_side().is_some()
    }
}

/// A spelling without the signs that name no square and no piece.
struct Spelling {
    bytes: [u8; Spelling::LONGEST],
    len: usize,
}

impl Spelling {
    /// One more than `Qa1b2` and `O-O-O`.
    const LONGEST: usize = 6;

    /// `None` where it is more than one sign longer than any move.
    fn of_word(word: &[u8]) -> Option<Spelling> {
        let mut spelling = Spelling { bytes: [0; Spelling::LONGEST], len: 0 };
        for &byte in word.iter().filter(|byte| !matches!(byte, b'x' | b':' | b'=')) {
            *spelling.bytes.get_mut(spelling.len)? = byte;
            spelling.len += 1;
        }
        Some(spelling)
    }

    /// A legal move as the standard writes it.
    fn of_move(m: BoardMove, board: &CompactBoard) -> Spelling {
        let mut spelling = Spelling { bytes: [0; Spelling::LONGEST], len: 0 };
        let (from, to) = (m.from(), m.to());
        match m {
            BoardMove::Castle { .. } => {
                let is_short = m.castling_side() == Some(CastlingSide::KingSide);
                let text = if is_short { "O-O" } else { "O-O-O" };
                text.chars().for_each(|sign| spelling.push(sign));
                return spelling;
            }
            BoardMove::Piece { role, .. } => {
                spelling.push(role.upper_char());
                let others = board.legal_origins(role, to).without(from);
                let on_file = others.intersects(Bitboard::from(from.file()));
                let on_rank = others.intersects(Bitboard::from(from.rank()));
                if others.any() && (!on_file || on_rank) {
                    spelling.push(from.file().char());
                }
                if on_file {
                    spelling.push(from.rank().char());
                }
            }
            BoardMove::Pawn { .. } | BoardMove::EnPassant { .. } => {
                if from.file() != to.file() {
                    spelling.push(from.file().char());
                }
            }
        }
        spelling.push(to.file().char());
        spelling.push(to.rank().char());
        m.promotion().into_iter().for_each(|piece| spelling.push(piece.upper_char()));
        spelling
    }

    fn push(&mut self, sign: char) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = sign as u8;
            self.len += 1;
        }
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// In how many parts a legal move differs from what was written.
fn slips(board: &CompactBoard, san: &San, m: BoardMove) -> u32 {
    const FAR: u32 = 2;
    match (*san, m.castling_side()) {
        (San::Castle(_), Some(_)) => 1,
        // `Kg1`, or the engines' king onto the rook.
        (San::Normal { role: Role::King, to, .. }, Some(wing)) => {
            let lands = to == wing.king_to(board.turn()) || to == m.to();
            if lands { 1 } else { FAR }
        }
        (San::Normal { role, file, rank, to, promotion, .. }, None) => {
            let part = |differs: bool| u32::from(differs);
            let near = part(role != m.role())
                + part(to.file() != m.to().file())
                + part(to.rank() != m.to().rank());
            if near >= FAR {
                return FAR;
            }
            near + part(file.is_some_and(|file| file != m.from().file()))
                + part(rank.is_some_and(|rank| rank != m.from().rank()))
                + part(promotion != m.promotion())
        }
        _ => FAR,
    }
}

/// Whether one character inserted, deleted or replaced, or two neighbours exchanged, make one
/// spelling the other.
fn is_one_edit_away(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let begins = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[begins..], &long[begins..]);
    match (short, long) {
        ([], [_]) => true,
        ([_, short @ ..], [_, long @ ..]) if short == long => true,
        (short, [_, long @ ..]) if short == long => true,
        ([a, b, short @ ..], [c, d, long @ ..]) => a == d && b == c && short == long,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::pgn::WrittenMove;

    fn near(moves: &str, word: &str) -> Vec<String> {
        let mut position = Chess::new();
        for word in moves.split_whitespace() {
            let m = word.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
        }
        let written = WrittenMove::parse(word.as_bytes());
        let board = CompactBoard::of(&position);
        let san = written.as_ref().map(|written| &written.san);
        near_moves(&board, word.as_bytes(), san)
            .into_iter()
            .map(|m| San::from_move(&position, board.full_move(m)).to_string())
            .collect()
    }

    #[test]
    fn one_slip_leads_to_each_of_them() {
        for (moves, word, expected) in [
            ("", "Nf4", &["f4", "Nf3"][..]),
            ("", "Bf3", &["f3", "Nf3"]),
            ("", "e5", &["e3", "e4"]),
            ("", "Nf9", &["Nf3"]),
            ("", "N3f", &["Nf3"]),
            ("", "Nff3", &["Nf3"]),
            ("e4 e5 Nf3 Nc6 Bc4 Bc5", "O-O-O", &["O-O"]),
            ("e4 e5 Nf3 Nc6 Bc4 Bc5", "Kg1", &["Ng1", "Rg1", "O-O"]),
            ("e4 d5", "dxe5", &["e5", "exd5"]),
        ] {
            let near = near(moves, word);
            assert!(expected.iter().all(|san| near.iter().any(|it| it == san)), "{word}: {near:?}");
        }
    }

    #[test]
    fn two_slips_are_too_far() {
        let near = near("", "Bh4");
        assert!(!near.iter().any(|san| san == "Nf3"), "{near:?}");
        assert!(!is_one_edit_away(b"Nf3", b"Bf4"));
        assert!(!is_one_edit_away(b"Nf3", b"Nf3"));
    }

    #[test]
    fn moves_are_passed_over_only_where_their_spelling_is_further_away() {
        let mut position = Chess::new();
        for word in "e4 e5 Nf3 Nc6 Bb5 Nf6 Nc3 d5 exd5 a6".split_whitespace() {
            let m = word.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
        }
        let board = CompactBoard::of(&position);
        for word in ["Nd4", "bxc6", "exd6", "O-O", "Ke2", "N3d4", "d4N", "Ncd5", "b", "Nxe55", "dc"]
        {
            let written = Spelling::of_word(word.as_bytes()).unwrap();
            board.each_legal_move(|m| {
                let spelled = San::from_move(&position, board.full_move(m)).to_string();
                let spelled = spelled.replace('x', "");
                assert_eq!(Spelling::of_move(m, &board).text(), spelled.as_bytes());
                let near = is_one_edit_away(written.text(), spelled.as_bytes());
                let passed_over = !Signs::of(written.text()).may_be_one_edit_from(m);
                assert!(!(near && passed_over), "{word}: {spelled}");
            });
        }
    }
}
