//! Where pieces reach on a board, as tables made at compile time.

use shakmaty::{Bitboard, Role, Square, attacks};

/// The squares between two squares on a line, without the two; empty for all other pairs, so that
/// a step and a leap are never blocked.
#[inline(always)]
pub fn between(one: Square, other: Square) -> Bitboard {
    BETWEEN[one as usize][other as usize]
}

/// Where a piece (no pawn) reaches from a square on an empty board, and from where it reaches that
/// square.
#[inline(always)]
pub fn reach(role: Role, square: Square) -> Bitboard {
    REACH[role as usize - 1][square as usize]
}

/// Squares on one rank or file with a square.
#[inline(always)]
pub fn straight(square: Square) -> Bitboard {
    reach(Role::Rook, square)
}

/// Squares on one diagonal with a square.
#[inline(always)]
pub fn diagonal(square: Square) -> Bitboard {
    reach(Role::Bishop, square)
}

static BETWEEN: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut one = 0;
    while one < 64 {
        let mut other = 0;
        while other < 64 {
            table[one][other] = attacks::between(Square::ALL[one], Square::ALL[other]);
            other += 1;
        }
        one += 1;
    }
    table
};

static REACH: [[Bitboard; 64]; 6] = {
    let mut table = [[Bitboard::EMPTY; 64]; 6];
    let mut index = 0;
    while index < 64 {
        let square = Square::ALL[index];
        let straight = attacks::rook_attacks(square, Bitboard::EMPTY);
        let diagonal = attacks::bishop_attacks(square, Bitboard::EMPTY);
        table[Role::Knight as usize - 1][index] = attacks::knight_attacks(square);
        table[Role::Bishop as usize - 1][index] = diagonal;
        table[Role::Rook as usize - 1][index] = straight;
        table[Role::Queen as usize - 1][index] = straight.with_const(diagonal);
        table[Role::King as usize - 1][index] = attacks::king_attacks(square);
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_squares_between_and_leaps_have_none() {
        assert_eq!(between(Square::A1, Square::D4), Bitboard::from(Square::B2) | Square::C3);
        assert_eq!(between(Square::H8, Square::H5), Bitboard::from(Square::H6) | Square::H7);
        assert!(between(Square::G1, Square::F3).is_empty());
        assert!(between(Square::E1, Square::E2).is_empty());
        assert_eq!(reach(Role::Queen, Square::A1).count(), 21);
        assert!(reach(Role::Pawn, Square::A2).is_empty());
    }
}
