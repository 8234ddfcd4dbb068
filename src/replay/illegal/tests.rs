//! Rulings as an arbiter would give them: position, move, code, and words that the sentence holds.

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, FromSetup, PositionError};

use super::{Refusal, why_refused};

type Ruling = (&'static str, &'static str, &'static str, &'static str);

fn position(fen: &str, mode: CastlingMode) -> Chess {
    let setup = fen.parse::<Fen>().expect("a FEN that parses").into_setup();
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn refusal(fen: &str, san: &str, mode: CastlingMode) -> Refusal {
    let position = position(fen, mode);
    let written: San = san.parse().expect("a token that parses");
    assert!(written.to_move(&position).is_err(), "{san} is legal in {fen}");
    why_refused(&position, &written)
}

fn assert_rulings(mode: CastlingMode, rulings: &[Ruling]) {
    let mut wrong = String::new();
    for &(code, fen, san, words) in rulings {
        let Refusal { rule, message, .. } = refusal(fen, san, mode);
        if rule.code != code || !message.contains(words) {
            wrong.push_str(&format!(
                "\n{san} in {fen}\n  said {} {message}\n  not  {code} {words}",
                rule.code
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_pinned_piece_is_named_with_its_king_and_the_pinning_piece() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M301",
                "r1bqkbnr/ppp2ppp/2np4/1B2p3/3PP3/5N2/PPP2PPP/RNBQK2R b KQkq - 0 4",
                "Nxd4",
                "the knight on c6 is pinned to the king on e8 by the bishop on b5",
            ),
            (
                "M301",
                "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1",
                "Rd2",
                "the rook on e2 is pinned to the king on e1 by the rook on e8",
            ),
            (
                "M301",
                "7k/6p1/8/8/8/2Q5/8/K7 b - - 0 1",
                "g6",
                "pinned to the king on h8 by the queen on c3",
            ),
            // The check is parried, and another one let in.
            ("M301", "4k3/8/8/b7/8/5n2/3N4/4K3 w - - 0 1", "Nxf3", "by the bishop on a5"),
            // A promotion does not free a pinned pawn, whatever it is written to become.
            ("M301", "7k/K1P4r/8/8/8/8/8/8 w - - 0 1", "c8=K", "the pawn on c7"),
        ],
    );
}

#[test]
fn en_passant_that_uncovers_a_check_leaves_the_king_in_check() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M301",
                "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 40",
                "dxe3",
                "the pawn on d4 and the pawn on e4 would both leave, and the rook on h4 would attack \
             the king on a4",
            ),
            // Only the pawn taken stands on the line.
            (
                "M301",
                "4k3/1b6/8/3pP3/8/5K2/8/8 w - d6 0 1",
                "exd6",
                "the pawn on d5 would both leave, and the bishop on b7 would attack the king on f3",
            ),
            // Only the capturing pawn stands on the line.
            (
                "M301",
                "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
                "exd6",
                "the pawn on e5 is pinned to the king on e1 by the rook on e8",
            ),
        ],
    );
}

#[test]
fn a_check_that_still_stands_is_named_with_its_piece() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M302",
                "4k3/8/8/8/1b6/8/8/4K1N1 w - - 0 1",
                "Nf3",
                "the bishop on b4 gives check to the king on e1, and the knight on g1 does not parry \
             it by going to f3",
            ),
            ("M302", "4r2k/8/8/8/8/8/P7/4K3 w - - 0 1", "a3", "the rook on e8 gives check"),
            (
                "M302",
                "4r2k/8/8/8/8/5n2/8/4K2B w - - 0 1",
                "Bxf3",
                "the knight on f3 and the rook on e8 give check to the king on e1 together, so that \
             only the king can move",
            ),
            ("M302", "r6k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "exd6", "the rook on a8 gives check"),
        ],
    );
}

#[test]
fn a_king_that_steps_into_an_attack_is_told_by_what() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M303",
                "4k3/8/8/8/8/8/r7/7K w - - 0 1",
                "Kg2",
                "the king would stand on g2, which the rook on a2 attacks",
            ),
            (
                "M303",
                "8/8/8/8/8/6k1/8/6K1 w - - 0 1",
                "Kg2",
                "the king would stand on g2, beside the king on g3",
            ),
            // It stays on the line of the check.
            ("M303", "4r2k/8/8/8/8/8/4K3/8 w - - 0 1", "Ke1", "which the rook on e8 attacks"),
            ("M303", "7k/8/8/8/8/2b5/3q4/4K3 w - - 0 1", "Kxd2", "which the bishop on c3 attacks"),
            // A guard is named before the other king.
            ("M303", "8/8/8/8/8/6k1/r7/6K1 w - - 0 1", "Kf2", "which the rook on a2 attacks"),
        ],
    );
}

#[test]
fn a_lost_castling_right_is_told_with_what_lost_it() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M304",
                "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1",
                "O-O",
                "the right to castle with the rook on h1 is lost: that rook has moved before",
            ),
            (
                "M304",
                "r3k2r/8/8/8/8/8/8/R3K2R b KQ - 0 1",
                "O-O-O",
                "the rook on a8 is lost: the king or that rook has moved before",
            ),
            (
                "M304",
                "rnbqk2r/ppppppbp/5np1/8/8/5NP1/PPPPPPBP/RNBQK3 w Qkq - 4 4",
                "O-O",
                "no white rook stands on h1 to castle with",
            ),
            ("M304", "r3k2r/8/8/8/8/8/8/R4K1R w kq - 0 1", "O-O", "the king on f1 has left e1"),
        ],
    );
}

#[test]
fn castling_out_of_through_and_into_check_are_three_rules() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M305",
                "4k3/8/8/8/1b6/8/8/4K2R w K - 0 1",
                "O-O",
                "the king on e1 is in check from the bishop on b4",
            ),
            ("M305", "r3k2r/8/3N4/8/8/8/8/4K3 b kq - 0 1", "O-O-O", "the knight on d6"),
            ("M305", "4k3/8/8/8/8/8/3p4/R3K3 w Q - 0 1", "O-O-O", "the pawn on d2"),
            (
                "M306",
                "r2qkbnr/p1pp1ppp/bpn1p3/8/4P3/5NP1/PPPP1PBP/RNBQK2R w KQkq - 2 5",
                "O-O",
                "the king would pass f1, which the bishop on a6 attacks",
            ),
            ("M306", "r3k3/8/8/8/8/8/3R4/4K3 b q - 0 1", "O-O-O", "pass d8, which the rook on d2"),
            ("M306", "4k3/8/8/8/8/8/6p1/4K2R w K - 0 1", "O-O", "pass f1, which the pawn on g2"),
            (
                "M307",
                "4k3/8/8/2b5/8/8/8/4K2R w K - 0 1",
                "O-O",
                "the king would stand on g1, which the bishop on c5 attacks",
            ),
            (
                "M307",
                "r3k3/8/8/8/8/8/2R5/4K3 b q - 0 1",
                "O-O-O",
                "stand on c8, which the rook on c2",
            ),
            (
                "M307",
                "4k3/8/8/8/8/7n/8/4K2R w K - 0 1",
                "O-O",
                "stand on g1, which the knight on h3",
            ),
        ],
    );
}

#[test]
fn castling_over_a_piece_is_told_with_that_piece() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M308",
                START,
                "O-O",
                "the bishop on f1 stands between the king on e1 and the rook on h1",
            ),
            (
                "M308",
                "r3k3/8/8/8/8/8/8/RN2K3 w Q - 0 1",
                "O-O-O",
                "the knight on b1 stands between",
            ),
            ("M308", "r2qk3/8/8/8/8/8/8/4K3 b q - 0 1", "O-O-O", "the queen on d8 stands between"),
        ],
    );
}

#[test]
fn of_several_obstacles_to_castling_the_lasting_one_is_told() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            // No right, and in check.
            ("M304", "4k3/8/8/8/1b6/8/8/4K2R w - - 0 1", "O-O", "has moved"),
            // In check, and a bishop in the way.
            ("M305", "4k3/8/8/8/1b6/8/8/4KB1R w K - 0 1", "O-O", "in check"),
            // A knight in the way, and f1 attacked.
            ("M308", "4k3/8/8/8/2b5/8/8/4K1NR w K - 0 1", "O-O", "the knight on g1"),
            // Both f1 and g1 attacked: the king comes by f1 first.
            ("M306", "4k3/8/8/2bb4/2b5/8/8/4K2R w K - 0 1", "O-O", "the bishop on c4"),
        ],
    );
}

#[test]
fn in_chess960_both_ways_of_castling_must_be_free() {
    assert_rulings(
        CastlingMode::Chess960,
        &[
            // K means the outer rook of two.
            (
                "M308",
                "1k6/8/8/8/8/8/8/4K1RR w K - 0 1",
                "O-O",
                "the rook on g1 stands between the king on e1 and the rook on h1",
            ),
            (
                "M308",
                "4k3/8/8/8/8/8/8/RK1N4 w Q - 0 1",
                "O-O-O",
                "the knight on d1 stands in the way of the rook on a1 to d1",
            ),
            (
                "M308",
                "4k3/8/8/8/8/8/8/RKN5 w Q - 0 1",
                "O-O-O",
                "the knight on c1 stands in the way of the king on b1 to c1",
            ),
            (
                "M306",
                "4k3/8/8/8/8/8/5r2/3K3R w K - 0 1",
                "O-O",
                "pass f1, which the rook on f2 attacks",
            ),
            (
                "M306",
                "4k3/8/8/8/8/2b5/8/2R2K2 w Q - 0 1",
                "O-O-O",
                "pass e1, which the bishop on c3",
            ),
            // A king that still has a right has not castled, wherever it stands.
            ("M304", "r3k2r/8/8/8/8/8/8/R5KR w Qkq - 0 1", "O-O", "that rook has moved before"),
            // Of two such squares, the one that the king comes to first.
            (
                "M306",
                "3r3k/8/8/8/8/2b5/8/2R2K2 w Q - 0 1",
                "O-O-O",
                "pass e1, which the bishop on c3",
            ),
            // The castling rook was the king's shield.
            (
                "M307",
                "4k3/8/8/8/8/8/8/rR1K4 w Q - 0 1",
                "O-O-O",
                "the king would stand on c1, which the rook on a1 attacks once the rook on b1 has left",
            ),
            ("M307", "4k3/8/8/8/8/8/8/rRK5 w Q - 0 1", "O-O-O", "once the rook on b1 has left"),
            ("M305", "1r2k3/8/8/8/8/8/8/1K5R w K - 0 1", "O-O", "in check from the rook on b8"),
            (
                "M304",
                "4k3/8/8/8/8/8/8/RK5R w Q - 0 1",
                "O-O",
                "the right to castle king-side is lost: that rook has moved before",
            ),
            ("M304", "4k3/8/8/8/8/8/8/RK6 w Q - 0 1", "O-O", "no white rook stands king-side of"),
            (
                "M304",
                "4k3/8/8/8/8/8/K7/R7 w - - 0 1",
                "O-O",
                "the king on a2 has left its own rank",
            ),
        ],
    );
}

#[test]
fn en_passant_wants_a_double_step_on_the_move_before() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M309",
                "r1bqkbnr/1pp1pppp/p1n5/3pP3/8/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 4",
                "exd6",
                "the pawn on e5 can take on d6 en passant only right after a double step of the pawn \
             on d5",
            ),
            ("M309", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", "dxe3", "the pawn on e4"),
            // The double step was another pawn's.
            ("M309", "4k3/8/8/1pPp4/8/8/8/4K3 w - b6 0 1", "cxd6", "the pawn on d5"),
            // Without its file, the pawn is still one that takes.
            ("M309", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "xd6", "the pawn on e5"),
        ],
    );
}

#[test]
fn a_square_out_of_reach_is_told_with_who_was_meant() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M310",
                "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5",
                "Kg1",
                "the king on e1 cannot reach g1 in one move; O-O would be legal",
            ),
            ("M310", START, "Ne5", "no knight can reach e5 in one move"),
            ("M310", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "Qe4", "there is no white queen"),
            ("M310", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e5", "the pawn on e2 cannot reach e5"),
            ("M310", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e3", "the pawn on e4 cannot reach e3"),
            (
                "M310",
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                "d4",
                "there is no white pawn on the d-file",
            ),
            (
                "M310",
                "4k3/8/8/8/8/8/1R6/R3K3 w Q - 0 1",
                "Rbd1",
                "the rook on b2 cannot reach d1 in one move; the rook on a1 could",
            ),
            (
                "M310",
                "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
                "Rh1d1",
                "there is no white rook on h1; the rook on a1 could",
            ),
            (
                "M310",
                "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1",
                "N5c3",
                "on rank 5; the knight on b1 could",
            ),
            ("M310", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", "the pawn on e4 could take there"),
            ("M310", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "dxe4", "the pawn on e3 could go there"),
            ("M310", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Ka1", "the king on e1 cannot reach a1"),
        ],
    );
}

#[test]
fn a_line_piece_that_would_jump_is_told_over_what() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            ("M311", START, "Ra5", "the pawn on a2 stands between the rook on a1 and a5"),
            ("M311", START, "Bb5", "the pawn on e2 stands between the bishop on f1 and b5"),
            ("M311", START, "Qd4", "the pawn on d2 stands between the queen on d1 and d4"),
            // The nearest one, from either end of the line.
            ("M311", "4k3/8/8/8/8/8/8/q1N1N2K b - - 0 1", "Qg1", "the knight on c1 stands between"),
            ("M311", "4k3/8/8/8/8/8/8/K1N1N2q b - - 0 1", "Qb1", "the knight on e1 stands between"),
            // Not even a king is jumped over or taken from afar.
            ("M311", "4k3/4r3/8/8/8/8/8/4R1K1 w - - 0 1", "Rxe8", "the rook on e7 stands between"),
        ],
    );
}

#[test]
fn a_square_that_ones_own_piece_holds_is_told_with_that_piece() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            ("M312", START, "Nd2", "d2 is held by White's own pawn"),
            (
                "M312",
                "4k3/8/8/8/3b4/8/5n2/4K3 b - - 0 1",
                "Bxf2",
                "f2 is held by Black's own knight",
            ),
            ("M312", START, "Kd1", "d1 is held by White's own queen"),
            ("M312", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke1", "the king on e1 stands there already"),
            (
                "M312",
                "4k3/8/8/4N3/3P4/8/8/4K3 w - - 0 1",
                "dxe5",
                "e5 is held by White's own knight",
            ),
            ("M312", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kh1", "own rook; O-O would be legal"),
        ],
    );
}

#[test]
fn a_pawn_that_cannot_be_pushed_is_told_why() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M313",
                "4k3/8/8/4n3/4P3/8/8/4K3 w - - 0 1",
                "e5",
                "the pawn on e4 is blocked by the knight on e5",
            ),
            (
                "M313",
                "4k3/8/8/8/8/4n3/4P3/K7 w - - 0 1",
                "e4",
                "the pawn on e2 cannot pass the knight on e3",
            ),
            (
                "M313",
                "4k3/8/8/8/8/4N3/4P3/K7 w - - 0 1",
                "e4",
                "the pawn on e2 cannot pass the knight on e3",
            ),
            (
                "M313",
                "4k3/4p3/8/4N3/8/8/8/4K3 b - - 0 1",
                "e5",
                "the pawn on e7 is blocked by the knight on e5",
            ),
            (
                "M313",
                "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1",
                "e5",
                "the pawn on e3 has left its own rank and may go one square only, not to e5",
            ),
            (
                "M313",
                "4k3/8/8/4p3/3PP3/8/8/4K3 w - - 0 1",
                "e5",
                "blocked by the pawn on e5; the pawn on d4 could take there",
            ),
            // Its own file is no capture, whatever mark stands there.
            ("M313", "4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "exe5", "blocked by the pawn on e5"),
            // A promotion is blocked like any other push.
            ("M313", "4n1k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=Q", "blocked by the knight on e8"),
        ],
    );
}

#[test]
fn a_pawn_that_takes_nothing_is_told_so() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M314",
                "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1",
                "exd5",
                "the pawn on e4 finds nothing to take on d5",
            ),
            (
                "M314",
                "4k3/3p4/8/8/8/8/8/4K3 b - - 0 1",
                "dxc6",
                "the pawn on d7 finds nothing to take on c6",
            ),
            // A knight that passes by cannot be taken en passant.
            ("M314", "4k3/8/8/3nP3/8/8/8/4K3 w - - 0 1", "exd6", "nothing to take on d6"),
            ("M314", "6k1/3P4/8/8/8/8/8/K7 w - - 0 1", "dxc8=Q", "nothing to take on c8"),
        ],
    );
}

#[test]
fn a_move_that_only_the_other_side_has_is_told_with_its_piece() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M315",
                START,
                "Nf6",
                "it is White's move, but only Black's knight on g8 can go to f6: a move may be missing",
            ),
            ("M315", START, "e5", "Black's pawn on e7"),
            // The square holds a piece of the side to move.
            (
                "M315",
                "rnbqkb1r/ppp1pppp/5n2/3P4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 1 3",
                "Nxd5",
                "Black's knight on f6",
            ),
            ("M315", "4k3/8/8/8/8/8/1p6/4K3 w - - 0 1", "b1=Q", "Black's pawn on b2"),
            // The other side would not have the move as it is written either.
            ("M310", "4k3/8/8/8/8/8/1p6/4K3 w - - 0 1", "b1", "there is no white pawn"),
            ("M315", "4k3/8/8/8/8/8/4K3/8 b - - 0 1", "Kd3", "White's king on e2"),
            (
                "M315",
                "r3k2r/5ppp/8/8/8/8/5PPP/5RK1 w kq - 0 1",
                "O-O",
                "it is White's move with the king on g1 and no right to castle, but Black could castle",
            ),
        ],
    );
}

#[test]
fn two_pieces_that_fit_are_both_named() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "M316",
                "rnbqkb1r/ppp1pppp/3p1n2/8/8/3P1N2/PPP1PPPP/RNBQKB1R w KQkq - 0 3",
                "Nd2",
                "more than one knight can go to d2: Nbd2 or Nfd2",
            ),
            ("M316", "4k3/8/8/3Q4/8/8/8/Q2QK3 w - - 0 1", "Qd4", "Qad4, Qd1d4 or Q5d4"),
            ("M316", "4k3/8/8/R7/8/8/8/R3K3 w Q - 0 1", "Raa3", "more than one rook on the a-file"),
            ("M316", "4r3/3P1P2/8/k7/8/8/8/7K w - - 0 1", "xe8=R", "dxe8=R or fxe8=R"),
            // Which piece is asked before what it becomes.
            ("M316", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2=Q", "Nbd2 or Nfd2"),
        ],
    );
}

#[test]
fn after_the_end_of_the_game_every_move_is_refused_for_that() {
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_rulings(
        CastlingMode::Standard,
        &[
            ("M320", mate, "Nc3", "the king on e1 is checkmated"),
            ("M320", mate, "O-O", "the game ended before this move"),
            ("M320", mate, "--", "the game ended before this move"),
            ("M320", "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1", "Kxg8", "the king on h8 is checkmated"),
            ("M321", stalemate, "Kg8", "for Black is stalemated"),
            ("M321", stalemate, "e5", "the game ended before this move"),
            ("M321", "8/8/8/8/8/1qk5/8/K7 w - - 0 1", "Q@a2", "for White is stalemated"),
        ],
    );
}

#[test]
fn a_promotion_wants_one_of_four_pieces_on_the_last_rank() {
    let seventh = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 50";
    assert_rulings(
        CastlingMode::Standard,
        &[
            (
                "P401",
                seventh,
                "e8",
                "the pawn on e7 reaches e8, and the piece that it becomes is not named",
            ),
            ("P401", "4k3/8/8/8/8/8/1p6/4K3 b - - 0 50", "b1", "the pawn on b2 reaches b1"),
            ("P401", "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8", "the pawn on e7 reaches d8"),
            ("P402", seventh, "e8=K", "the pawn on e7 cannot become a king on e8"),
            ("P402", seventh, "e8=P", "the pawn on e7 cannot stay a pawn on e8"),
            ("P402", "4k3/8/8/8/8/8/1p6/2R1K3 b - - 0 1", "bxc1=K", "the pawn on b2"),
            ("P403", START, "e4=Q", "the pawn on e2 does not reach the last rank on e4"),
            ("P403", START, "Nf3=R", "the knight on g1 is no pawn and becomes no rook"),
            ("P403", START, "e4=K", "becomes no king"),
            ("P403", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6=Q", "the pawn on e5"),
            // The move without its piece is illegal too, and that comes first.
            ("M313", "4k3/8/8/4n3/4P3/8/8/4K3 w - - 0 1", "e5=Q", "blocked"),
            ("M310", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "Nf3=Q", "there is no white knight"),
        ],
    );
}

#[test]
fn a_piece_whose_king_forbids_it_outweighs_one_that_cannot_go_there() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            // The rook on e2 is pinned, the one on a2 blocked.
            ("M301", "4r2k/8/8/8/8/8/R1N1R3/4K3 w - - 0 1", "Rd2", "the rook on e2 is pinned"),
            // The knight on c3 is pinned; that Black's could go there too is chance.
            ("M301", "4k3/8/5n2/8/1b6/2N5/8/4K3 w - - 0 1", "Nd5", "the knight on c3 is pinned"),
            // Pinned, and blocked besides.
            (
                "M311",
                "4r2k/8/8/8/8/8/1N2R3/4K3 w - - 0 1",
                "Ra2",
                "the knight on b2 stands between",
            ),
            // A pinned one is told with the other that is not.
            (
                "M301",
                "4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1",
                "Nec2",
                "by the rook on e8; the knight on a1 could",
            ),
            // The rook on h5 has no line to d1 at all.
            ("M311", "4k3/8/8/7R/8/8/8/RN5K w - - 0 1", "Rd1", "the knight on b1 stands between"),
        ],
    );
}

#[test]
fn the_square_gone_to_outweighs_the_way() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            // Its own piece stands in front of the pawn.
            ("M312", "4k3/8/8/4N3/4P3/8/8/4K3 w - - 0 1", "e5", "held by White's own knight"),
            // The rook would jump besides.
            ("M312", START, "Rb1", "held by White's own knight"),
            // Two squares away, and held.
            ("M312", START, "Kg1", "held by White's own knight"),
            // Nobody is there to ask.
            (
                "M310",
                "4k3/8/8/4N3/8/8/8/4K3 w - - 0 1",
                "dxe5",
                "there is no white pawn on the d-file",
            ),
            // In check, but a king is judged by where it goes.
            ("M303", "4r2k/8/8/8/8/8/4K3/8 w - - 0 1", "Ke3", "which the rook on e8 attacks"),
            // In check, and the bishop would have to jump.
            ("M311", "4k2r/8/8/8/8/3P4/4B3/7K w - - 0 1", "Ba6", "the pawn on d3 stands between"),
        ],
    );
}

#[test]
fn a_legal_move_with_a_wrong_capture_mark_is_refused_for_its_mark_alone() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            ("N702", START, "Nxf3", "the knight on g1 takes nothing on f3"),
            ("N702", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed5", "the pawn on e4 takes on d5"),
            ("N702", "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rd5", "the x that says so is missing"),
            ("N702", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "exe5", "takes nothing on e5"),
            // With or without its mark, a capture that is illegal is judged by its squares.
            ("M301", "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "Rxd2", "pinned"),
            ("M312", START, "Nxd2", "held by White's own pawn"),
        ],
    );
}

#[test]
fn drops_and_null_moves_are_no_moves_of_chess() {
    assert_rulings(
        CastlingMode::Standard,
        &[
            ("M317", START, "Q@e4", "the drop Q@e4 puts a new piece on the board"),
            ("M317", START, "@e4", "puts a new piece on the board"),
            ("M318", START, "--", "a null move passes the turn"),
        ],
    );
}
