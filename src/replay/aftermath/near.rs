//! Near spellings: the legal moves that differ from a refused one by a single slip of the pen.

use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, Move, Position, Role};

use crate::replay::legal_moves;

/// A refused move with more near spellings than this tells nothing.
const MOST: usize = 32;

/// The legal moves whose spelling is one slip away from what was written: another letter, file or
/// rank, the other castling, castling written as the king's move, or one character too many, too
/// few, other or out of its place.
///
/// `word` is the text without its check mark, `san` what was read of it.
pub fn near_moves(position: &Chess, word: &[u8], san: Option<&San>) -> Vec<Move> {
    let written = plain(word);
    let mut near: Vec<Move> = legal_moves(position)
        .into_iter()
        .filter(|&m| {
            san.is_some_and(|san| slips(position, san, m) <= 1)
                || is_one_edit_away(
                    &written,
                    &plain(San::from_move(position, m).to_string().as_bytes()),
                )
        })
        .collect();
    near.sort_by_key(|m| (m.role(), m.to(), m.from(), m.promotion()));
    if near.len() > MOST { Vec::new() } else { near }
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
            let (Some(from), false) = (m.from(), matches!(m, Move::Put { .. })) else { return FAR };
            let differs = [
                role != m.role(),
                to.file() != m.to().file(),
                to.rank() != m.to().rank(),
                file.is_some_and(|file| file != from.file()),
                rank.is_some_and(|rank| rank != from.rank()),
                promotion != m.promotion(),
            ];
            differs.into_iter().map(u32::from).sum()
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

    fn near(moves: &str, word: &str) -> Vec<String> {
        let mut position = Chess::new();
        for word in moves.split_whitespace() {
            let m = word.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
        }
        let written = WrittenMove::parse(word.as_bytes());
        near_moves(&position, word.as_bytes(), written.as_ref().map(|written| &written.san))
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
