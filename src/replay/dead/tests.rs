use std::cell::Cell;
use std::collections::HashSet;

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, FromSetup, Move, Piece, PositionError, Role, Setup, Square};

use super::*;

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    let position = fen.into_position(CastlingMode::Standard);
    position.or_else(PositionError::ignore_impossible_check).expect("a position")
}

fn seeded(cases: u32, seed: u64) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_global_rejects: 1 << 20,
        ..ProptestConfig::default()
    }
}

#[test]
fn only_material_with_which_nobody_can_mate_is_bare() {
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
    ];
    for (fen, dead, what) in cases {
        let seen = dead_position(&position(fen));
        assert_eq!(seen, dead.then_some(DeadPosition::BareMaterial), "{what}");
    }
}

/// Positions with walls that stand for ever.
const CLOSED: &[(&str, &str)] = &[
    ("8/4k3/8/p1p1p1p1/P1P1P1P1/8/4K3/8 w - - 0 1", "every second file"),
    // lichess-org/lila, issue 4514
    ("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", "every third file"),
    ("8/4k3/8/1p1p1p1p/1P1P1P1P/8/8/4K3 b - - 0 1", "the other files"),
    ("4k3/8/5p1p/p1p1pPpP/PpPpP1P1/1P1P4/8/4K3 w - - 0 1", "chains across the whole board"),
    ("4k3/8/8/p1p1p1p1/P1P1P1P1/P1P5/8/4K3 w - - 0 1", "doubled pawns behind it"),
    ("8/8/5p1p/p1pkpPpP/PpPpP1P1/1P1P4/8/4K3 b - - 0 1", "a king in check by a pawn"),
    ("8/8/1p1k4/pP1p1p1p/P1KP1P1P/8/8/8 w - - 0 1", "a king that may not capture what checks him"),
    ("4k3/8/8/p2p2p1/P2Pp1P1/4P3/8/4K3 b - - 0 1", "no more en passant"),
    ("4k3/4b3/8/p1p1p1p1/P1P1P1P1/8/4K3/8 w - - 0 1", "a bishop that meets no opposing pawn"),
    ("4k3/2b1b3/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", "two of them, on one colour"),
    ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", "a bishop each, on both colours"),
    (
        "k7/p2B2p1/Pp3pPp/1Pp1pP1P/2PpP3/3P4/8/4K3 w - - 0 1",
        "a bishop that leaves b8 to the king in the corner",
    ),
];

/// Positions with blocked pawns in which a mate is possible, or not ruled out by what is proved.
const OPEN: &[(&str, &str)] = &[
    ("4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1", "a way around on the king's side"),
    ("4k3/8/8/p1p4p/P1P4P/8/8/4K3 w - - 0 1", "a hole in the middle"),
    ("4k3/8/8/p1p1p1p1/P1P1P1P1/7P/8/4K3 w - - 0 1", "a pawn that can move"),
    ("4k3/8/8/p1pPp1p1/P1P1P1P1/8/8/4K3 w - - 0 1", "a pawn that has gone through"),
    ("8/8/8/p1p1p1p1/P1P1P1P1/8/1k6/4K3 w - - 0 1", "a king behind the other's pawns"),
    ("8/8/8/pkp1p1p1/P1P1P1P1/8/8/4K3 b - - 0 1", "a king between pawns that nobody protects"),
    ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/4K3/2B5 w - - 0 1", "a bishop that captures pawns"),
    ("4k3/8/4b3/p1p1p1p1/P1P1P1P1/8/4K3/8 w - - 0 1", "a bishop that pawns can capture, too"),
    ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/4K3/1N6 w - - 0 1", "a knight"),
    ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/4K3/R7 w - - 0 1", "a rook"),
    ("4k3/8/8/pp2p1p1/PP2P1P1/8/8/4K3 w - - 0 1", "pawns that attack each other"),
    ("4k3/8/8/p2p2p1/P2Pp1P1/4P3/8/4K3 b - d3 0 1", "a pawn that can be captured en passant"),
    (
        "kb6/p2B2p1/Pp3pPp/1Pp1pP1P/2PpP3/3P4/8/4K3 w - - 0 1",
        "a bishop that mates a king with his own on b8",
    ),
    // chasolver.org, test vectors: both sides can be helped to a mate.
    ("8/8/6K1/p3p1p1/Pp1pP1Pp/1P1P3P/8/6k1 b - - 0 1", "kings that go around each other's pawns"),
    ("k7/p1p5/P1P5/2P5/2P5/2P5/K1P5/1B6 b - - 0 1", "a bishop that gets out from behind its pawns"),
    ("8/1p4p1/1Pp3p1/k1P3p1/1pP3Pb/1P4p1/6P1/7K w - - 0 1", "a bishop that keeps one square"),
];

#[test]
fn a_wall_of_pawns_that_nothing_can_break_is_dead() {
    for (fen, what) in CLOSED {
        let position = position(fen);
        assert_eq!(dead_position(&position), Some(DeadPosition::ClosedWall), "{what}");
        assert!(Color::ALL.into_iter().all(|color| cannot_mate(&position, color)), "{what}");
    }
}

#[test]
fn a_wall_that_something_may_break_is_not_called_dead() {
    for (fen, what) in OPEN {
        assert_eq!(dead_position(&position(fen)), None, "{what}");
    }
}

#[test]
fn a_wall_may_keep_one_side_alone_from_mating() {
    let position = position("kb6/p2B2p1/Pp3pPp/1Pp1pP1P/2PpP3/3P4/8/4K3 w - - 0 1");
    assert!(cannot_mate(&position, Color::Black));
    assert!(!cannot_mate(&position, Color::White));
    let mate = self::position("kb6/p5p1/PpB2pPp/1Pp1pP1P/2PpP3/3P4/8/4K3 b - - 1 1");
    assert!(mate.is_checkmate());
}

#[test]
fn colours_and_wings_make_no_difference() {
    for (fen, what) in CLOSED.iter().chain(OPEN) {
        let position = position(fen);
        let same = |turned: Setup| {
            let turned = Chess::from_setup(turned, CastlingMode::Standard)
                .or_else(PositionError::ignore_impossible_check)
                .expect("a position");
            assert_eq!(dead_position(&turned), dead_position(&position), "{what}");
        };
        let setup = position.to_setup(shakmaty::EnPassantMode::Legal);
        same(setup.clone().into_mirrored());
        let mut board = setup.board.clone();
        board.flip_horizontal();
        let ep_square = setup.ep_square.map(Square::flip_horizontal);
        same(Setup { board, ep_square, ..setup });
    }
}

/// What exploring every legal move from a position shows.
#[derive(Debug, Default)]
struct Explored {
    /// All positions that can be reached were seen.
    whole: bool,
    white_mates: bool,
    black_mates: bool,
    /// A pawn moved or was captured.
    broken: bool,
}

/// Looks at the positions that legal moves lead to, at `limit` of them at the most.
fn explore(start: &Chess, limit: usize) -> Explored {
    let mut explored = Explored { whole: true, ..Explored::default() };
    // Enough to tell positions as long as the pawns stand.
    let key = |position: &Chess| {
        let board = position.board();
        (board.white(), board.kings(), board.bishops(), position.turn())
    };
    let mut seen = HashSet::from([key(start)]);
    let mut open = vec![start.clone()];
    let breaks = |m: &Move| m.role() == Role::Pawn || m.capture() == Some(Role::Pawn);
    while let Some(position) = open.pop() {
        if seen.len() > limit || explored.broken {
            explored.whole = false;
            break;
        }
        let moves = position.legal_moves();
        if moves.is_empty() && position.is_check() {
            explored.white_mates |= position.turn().is_black();
            explored.black_mates |= position.turn().is_white();
        }
        explored.broken |= moves.iter().any(breaks);
        for m in moves {
            let mut next = position.clone();
            next.play_unchecked(m);
            if seen.insert(key(&next)) {
                open.push(next);
            }
        }
    }
    explored
}

/// Blocked pairs of pawns that wander up and down the board from file to file, with gaps, now and
/// then a pawn less or a doubled one; kings and up to `bishops` bishops anywhere.
fn walls(bishops: usize) -> impl Strategy<Value = (Setup, usize)> {
    let files = prop::collection::vec((0u32..3, 0i32..3), 8);
    let bishops = prop::collection::vec((0u32..64, any::<bool>()), 0..=bishops);
    let spoilt = prop::option::weighted(0.3, 0u32..64);
    // Mostly behind the pawns.
    let white_king = prop_oneof![4 => 0u32..16, 1 => 0u32..64];
    let black_king = prop_oneof![4 => 48u32..64, 1 => 0u32..64];
    (2i32..5, files, bishops, spoilt, white_king, black_king, any::<[bool; 2]>()).prop_map(
        |(base, files, bishops, spoilt, white_king, black_king, [white_to_move, chain])| {
            let mut setup = Setup::empty();
            setup.turn = Color::from_white(white_to_move);
            for (square, white) in &bishops {
                let piece = Role::Bishop.of(Color::from_white(*white));
                setup.board.set_piece_at(Square::new(*square), piece);
            }
            setup.board.set_piece_at(Square::new(white_king), Color::White.king());
            setup.board.set_piece_at(Square::new(black_king), Color::Black.king());
            let mut rank = base;
            for (file, (gap, step)) in (0i32..).zip(files) {
                if gap == 0 {
                    continue;
                }
                rank = (rank + step - 1).clamp(1, 5);
                // All of a side's pawns on one colour: bishops of the other do not meet them.
                if chain && (rank + file) % 2 == 0 {
                    rank += if rank < 5 { 1 } else { -1 };
                }
                let white = Square::new((file + 8 * rank).unsigned_abs());
                for (square, color) in
                    [(white, Color::White), (Square::new(u32::from(white) + 8), Color::Black)]
                {
                    if setup.board.piece_at(square).is_none_or(|p| p.role != Role::King) {
                        setup.board.set_piece_at(square, Piece { color, role: Role::Pawn });
                    }
                }
            }
            if let Some(square) = spoilt.map(Square::new) {
                match setup.board.role_at(square) {
                    Some(Role::King) => {}
                    Some(_) => setup.board.discard_piece_at(square),
                    None if (8..56).contains(&u32::from(square)) => {
                        let color = Color::from_white(u32::from(square) < 32);
                        setup.board.set_piece_at(square, Piece { color, role: Role::Pawn });
                    }
                    None => {}
                }
            }
            let bishops = setup.board.bishops().count();
            (setup, bishops)
        },
    )
}

fn check_walls(cases: u32, seed: u64, bishops: usize, limit: usize, enough: u32) {
    let confirmed = Cell::new(0);
    let strategy = walls(bishops);
    TestRunner::new(seeded(cases, seed))
        .run(&strategy, |(setup, present)| {
            prop_assume!((bishops == 0) == (present == 0));
            let position = Chess::from_setup(setup, CastlingMode::Standard);
            prop_assume!(position.is_ok());
            let position = position.expect("assumed");
            prop_assume!(position.board().pawns().any());
            let cannot = Color::ALL.map(|color| cannot_mate(&position, color));
            let dead = dead_position(&position);
            prop_assert_eq!(dead.is_some(), cannot == [true, true]);
            // A side without bishops cannot mate as long as the wall stands.
            if (dead.is_none() && (present == 0 || cannot == [false, false]))
                || Color::ALL.into_iter().any(|c| position.has_insufficient_material(c))
            {
                return Ok(());
            }
            let explored = explore(&position, limit);
            confirmed.set(confirmed.get() + u32::from(explored.whole));
            prop_assert!(!explored.broken, "{explored:?}");
            let [black, white] = cannot;
            prop_assert!(!(white && explored.white_mates), "{explored:?}");
            prop_assert!(!(black && explored.black_mates), "{explored:?}");
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(confirmed.get() >= enough, "only {} walls were explored", confirmed.get());
}

#[test]
fn no_move_breaks_a_closed_wall_and_no_king_is_mated_behind_it() {
    check_walls(1000, 1, 0, 10_000, 150);
}

#[test]
fn bishops_behind_a_closed_wall_mate_nobody() {
    check_walls(1000, 2, 2, 12_000, 15);
}

/// Few pieces around a king in his corner: one board in some hundred is a mate.
fn cornered() -> impl Strategy<Value = Setup> {
    let near = (0u32..4, 0u32..4).prop_map(|(file, rank)| Square::new(file + 8 * rank));
    let pieces = prop::collection::vec((near, 0usize..6, any::<bool>()), 1..6);
    (0u32..3, pieces).prop_map(|(king, pieces)| {
        let mut setup = Setup::empty();
        setup.turn = Color::Black;
        for (square, role, white) in pieces {
            let color = Color::from_white(white);
            let role = if role == 5 { Role::Knight } else { Role::ALL[role] };
            if role != Role::Pawn || u32::from(square) > 7 {
                setup.board.set_piece_at(square, Piece { color, role });
            }
        }
        setup.board.set_piece_at(Square::C2, Color::White.king());
        setup.board.set_piece_at(Square::new(king % 2 + 8 * (king / 2)), Color::Black.king());
        setup
    })
}

#[test]
fn nobody_has_mated_who_is_said_not_to_be_able_to() {
    let (mates, told) = (Cell::new(0), Cell::new(0));
    TestRunner::new(seeded(20_000, 5))
        .run(&cornered(), |setup| {
            if let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard)
                .or_else(PositionError::ignore_impossible_check)
            {
                let cannot = cannot_mate(&position, Color::White);
                mates.set(mates.get() + u32::from(position.is_checkmate()));
                told.set(told.get() + u32::from(cannot));
                prop_assert!(!(cannot && position.is_checkmate()));
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(mates.get() > 200 && told.get() > 200, "{} mates, {} told", mates.get(), told.get());
}

proptest! {
    #![proptest_config(seeded(4096, 22))]

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
        let bare = dead_position(&position) == Some(DeadPosition::BareMaterial);
        prop_assert_eq!(bare, position.is_insufficient_material());
    }
}
