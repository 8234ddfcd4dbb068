//! Near spellings: the legal moves that differ from a refused one by a single slip of the pen.

use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, File, Move, MoveList, Position, Rank, Role};

/// A refused move with more near spellings than this tells nothing.
const MOST: usize = 32;

/// The legal moves whose spelling is one slip away from what was written: another letter, file or
/// rank, the other castling, castling written as the king's move, or one character too many, too
/// few, other or out of its place.
///
/// `word` is the text without its check mark, `san` what was read of it, `legal` all legal moves.
pub fn near_moves(position: &Chess, legal: &MoveList, word: &[u8], san: Option<&San>) -> Vec<Move> {
    let written = plain(word);
    let signs = Signs::of(&written);
    let is_near = |m: Move| {
        san.is_some_and(|san| slips(position, san, m) <= 1)
            || signs.may_be_one_edit_from(m)
                && is_one_edit_away(&written, Spelling::of(m, legal).text())
    };
    let mut near: Vec<Move> = legal.iter().copied().filter(|&m| is_near(m)).collect();
    near.sort_by_key(|m| (m.role(), m.to(), m.from(), m.promotion()));
    if near.len() > MOST { Vec::new() } else { near }
}

/// The signs of a text.
struct Signs(u128);

impl Signs {
    fn of(text: &[u8]) -> Signs {
        Signs(text.iter().filter(|byte| byte.is_ascii()).fold(0, |all, byte| all | 1 << byte))
    }

    fn lack(&self, sign: char) -> u32 {
        u32::from(self.0 >> (sign as u32 & 127) & 1 == 0)
    }

    /// Whether the spelling of a move has at most one more; its origin not counted.
    fn may_be_one_edit_from(&self, m: Move) -> bool {
        let letter = if m.role() == Role::Pawn { 0 } else { self.lack(m.role().upper_char()) };
        let promotion = m.promotion().map_or(0, |piece| self.lack(piece.upper_char()));
        let to = self.lack(m.to().file().char()) + self.lack(m.to().rank().char());
        m.is_castle() || letter + to + promotion <= 1
    }
}

/// A legal move as the standard writes it, without the signs that name no square and no piece.
struct Spelling {
    bytes: [u8; Spelling::LONGEST],
    len: usize,
}

impl Spelling {
    /// `Qa1b2`, `O-O-O`
    const LONGEST: usize = 5;

    fn of(m: Move, legal: &MoveList) -> Spelling {
        let mut spelling = Spelling { bytes: [0; Spelling::LONGEST], len: 0 };
        match San::disambiguate(m, legal) {
            San::Normal { role, file, rank, to, promotion, .. } => {
                let letter = (role != Role::Pawn).then(|| role.upper_char());
                let to = [Some(to.file().char()), Some(to.rank().char())];
                spelling.extend([letter, file.map(File::char), rank.map(Rank::char)]);
                spelling.extend(to);
                spelling.extend([promotion.map(Role::upper_char)]);
            }
            San::Castle(CastlingSide::KingSide) => spelling.extend("O-O".chars().map(Some)),
            San::Castle(CastlingSide::QueenSide) => spelling.extend("O-O-O".chars().map(Some)),
            San::Put { .. } | San::Null => {}
        }
        spelling
    }

    fn extend(&mut self, signs: impl IntoIterator<Item = Option<char>>) {
        for (place, sign) in self.bytes[self.len..].iter_mut().zip(signs.into_iter().flatten()) {
            *place = sign as u8;
            self.len += 1;
        }
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// What is left of a spelling without the signs that name no square and no piece.
fn plain(spelling: &[u8]) -> Vec<u8> {
    spelling.iter().copied().filter(|byte| !matches!(byte, b'x' | b':' | b'=')).collect()
}

/// In how many parts a legal move differs from what was written.
fn slips(position: &Chess, san: &San, m: Move) -> u32 {
    const FAR: u32 = 2;
    let castling = match m {
        Move::Castle { king, rook } => {
            Some(CastlingSide::from_king_side(king.file() < rook.file()))
        }
        _ => None,
    };
    match (*san, castling) {
        (San::Castle(_), Some(_)) => 1,
        // `Kg1`, or the engines' king onto the rook.
        (San::Normal { role: Role::King, to, .. }, Some(wing)) => {
            let lands = to == wing.king_to(position.turn()) || to == m.to();
            if lands { 1 } else { FAR }
        }
        (San::Normal { role, file, rank, to, promotion, .. }, None) => {
            let part = |differs: bool| u32::from(differs);
            let near = part(role != m.role())
                + part(to.file() != m.to().file())
                + part(to.rank() != m.to().rank());
            let (Some(from), 0..FAR) = (m.from(), near) else { return FAR };
            near + part(file.is_some_and(|file| file != from.file()))
                + part(rank.is_some_and(|rank| rank != from.rank()))
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
    use super::*;
    use crate::pgn::WrittenMove;
    use crate::replay::legal_moves;

    fn near(moves: &str, word: &str) -> Vec<String> {
        let mut position = Chess::new();
        for word in moves.split_whitespace() {
            let m = word.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
        }
        let written = WrittenMove::parse(word.as_bytes());
        let legal = legal_moves(&position);
        near_moves(&position, &legal, word.as_bytes(), written.as_ref().map(|written| &written.san))
            .into_iter()
            .map(|m| San::from_move(&position, m).to_string())
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
}
