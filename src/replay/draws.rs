//! Dead positions: a position comes in, and out goes whether no series of legal moves lets either
//! side mate (FIDE Laws 2023, 5.2.2).
//!
//! Only what the bare material makes certain is called dead. A wall of pawns can be dead too, but
//! to know that takes a search, and an arbiter's ruling.

use shakmaty::{Bitboard, Chess, Color, Position};

/// Whether the material left lets neither side mate, however both play: king against king, king
/// and one minor piece against king, or kings with bishops of one square colour only, however
/// many and whosever they are.
///
/// Not dead, since helpmates exist: two knights, a knight against any minor piece, bishops on
/// both colours.
///
/// ```
/// use pgn_arbiter::replay::dead_position;
/// use shakmaty::{CastlingMode, Chess, fen::Fen};
///
/// let fen: Fen = "8/8/4k3/8/3N4/8/4K3/8 b - - 0 80".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// assert!(dead_position(&position));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn dead_position(position: &Chess) -> bool {
    let board = position.board();
    // Nearly every position of a game ends here.
    if (board.pawns() | board.rooks_and_queens()).any() {
        return false;
    }
    let (knights, bishops) = (board.knights(), board.bishops());
    if knights.any() {
        return !knights.more_than_one() && bishops.is_empty();
    }
    bishops.is_subset(Bitboard::DARK_SQUARES) || bishops.is_subset(Bitboard::LIGHT_SQUARES)
}

/// Whether no series of legal moves lets this side mate, as far as the material makes it certain
/// (FIDE Laws 2023, 6.9).
pub fn cannot_mate(position: &Chess, color: Color) -> bool {
    position.has_insufficient_material(color)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Color, FromSetup, Piece, PositionError, Role, Setup, Square};

    use super::*;

    #[test]
    fn only_material_with_which_nobody_can_mate_is_dead() {
        let cases = [
            ("7k/8/8/8/8/8/4K3/8 w - - 0 1", true, "bare kings"),
            ("7k/8/8/8/8/2N5/4K3/8 w - - 0 1", true, "a knight"),
            ("7k/8/8/8/8/3b4/4K3/8 w - - 0 1", true, "a bishop"),
            ("7k/8/6b1/8/8/1B6/4K3/8 w - - 0 1", true, "a bishop each, on one colour"),
            ("7k/8/B7/8/8/1B6/4K3/8 w - - 0 1", true, "two bishops on one colour"),
            ("7k/8/2b3b1/1B6/8/1B6/4K3/8 w - - 0 1", true, "four bishops on one colour"),
            ("7k/8/7b/8/8/1B6/4K3/8 w - - 0 1", false, "a bishop each, on both colours"),
            ("7k/8/8/8/8/3BB3/4K3/8 w - - 0 1", false, "the bishop pair"),
            ("7k/8/6n1/8/8/2N5/4K3/8 w - - 0 1", false, "a knight each"),
            ("7k/8/6n1/8/8/3B4/4K3/8 w - - 0 1", false, "bishop against knight"),
            ("7k/8/8/8/8/2NB4/4K3/8 w - - 0 1", false, "bishop and knight"),
            ("7k/8/8/8/8/2NN4/4K3/8 w - - 0 1", false, "two knights"),
            ("7k/8/8/8/8/3P4/4K3/8 w - - 0 1", false, "a pawn"),
            ("7k/8/8/8/8/3r4/4K3/8 w - - 0 1", false, "a rook"),
            ("7k/8/8/8/8/3q4/4K3/8 w - - 0 1", false, "a queen"),
            // Certain to be drawn, but not by its material.
            ("8/4k3/8/p1p1p1p1/P1P1P1P1/8/4K3/8 w - - 0 1", false, "a wall of pawns"),
        ];
        for (fen, dead, what) in cases {
            let fen: Fen = fen.parse().expect("fen");
            let position: Chess = fen.into_position(CastlingMode::Standard).expect("position");
            assert_eq!(dead_position(&position), dead, "{what}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 4096,
            rng_seed: RngSeed::Fixed(22),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        /// shakmaty asks for each side whether it can mate; both must be unable to.
        #[test]
        fn shakmaty_calls_the_same_material_insufficient(
            pieces in prop::collection::vec((0u32..64, 0usize..9, any::<bool>()), 0..5),
        ) {
            // Minor pieces three times as often: they decide.
            const ROLES: [Role; 9] = [
                Role::Pawn, Role::Rook, Role::Queen,
                Role::Knight, Role::Knight, Role::Knight,
                Role::Bishop, Role::Bishop, Role::Bishop,
            ];
            let mut setup = Setup::empty();
            for (square, role, white) in pieces {
                let color = Color::from_white(white);
                let piece = Piece { color, role: ROLES[role] };
                setup.board.set_piece_at(Square::new(square), piece);
            }
            setup.board.set_piece_at(Square::A1, Color::White.king());
            setup.board.set_piece_at(Square::H8, Color::Black.king());
            let position = Chess::from_setup(setup, CastlingMode::Standard)
                .or_else(PositionError::ignore_too_much_material)
                .or_else(PositionError::ignore_impossible_check);
            prop_assume!(position.is_ok());
            let position = position.expect("assumed");
            prop_assert_eq!(dead_position(&position), position.is_insufficient_material());
        }
    }
}
