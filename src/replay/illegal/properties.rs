//! What holds for every refusal, in positions of random games and of random boards.

use proptest::prelude::*;
use shakmaty::san::San;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, File, FromSetup, Move, Piece, Position,
    PositionError, Rank, Role, Setup, Square, attacks, fen::Fen,
};

use super::why_refused;

/// Games begin here; the last four are Chess960.
const STARTS: [(&str, CastlingMode); 7] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", CastlingMode::Standard),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        CastlingMode::Standard,
    ),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", CastlingMode::Standard),
    ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", CastlingMode::Chess960),
    ("rkr5/8/8/8/8/8/8/RKR5 w KQkq - 0 1", CastlingMode::Chess960),
    ("4k1rr/8/8/8/8/8/8/rR1K2RR w KQk - 0 1", CastlingMode::Chess960),
    ("r1k3r1/8/2q5/8/8/2Q5/8/1R3K1R b KQkq - 0 1", CastlingMode::Chess960),
];

fn played() -> impl Strategy<Value = Chess> {
    (0..STARTS.len(), prop::collection::vec(any::<u16>(), 0..120)).prop_map(|(start, choices)| {
        let (fen, mode) = STARTS[start];
        let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
        let mut position = Chess::from_setup(setup, mode).expect("a position");
        for choice in choices {
            let moves = position.legal_moves();
            let Some(index) = usize::from(choice).checked_rem(moves.len()) else {
                break;
            };
            position.play_unchecked(moves[index]);
        }
        position
    })
}

fn thrown_together() -> impl Strategy<Value = Chess> {
    let piece = (0..64_u32, 0..6_usize, any::<bool>());
    (prop::collection::vec(piece, 2..24), 0..64_u32, 0..64_u32, any::<bool>(), 0..=64_u32)
        .prop_filter_map("a position to play on from", |(pieces, white, black, turn, passed)| {
            let mut setup = Setup::empty();
            for (square, role, white) in pieces {
                let piece = Piece { color: Color::from_white(white), role: Role::ALL[role] };
                if piece.role != Role::King {
                    setup.board.set_piece_at(Square::new(square), piece);
                }
            }
            setup.board.set_piece_at(Square::new(white), Color::White.king());
            setup.board.set_piece_at(Square::new(black), Color::Black.king());
            setup.turn = Color::from_white(turn);
            setup.ep_square = (passed < 64).then(|| Square::new(passed));
            Chess::from_setup(setup, CastlingMode::Standard)
                .or_else(PositionError::ignore_invalid_ep_square)
                .or_else(PositionError::ignore_too_much_material)
                .or_else(PositionError::ignore_impossible_check)
                .ok()
        })
}

/// Every piece to every square without an origin, and the origins asked for.
fn tokens(origins: &[(usize, u32, u32, usize)]) -> Vec<San> {
    let mut tokens = vec![
        San::Castle(CastlingSide::KingSide),
        San::Castle(CastlingSide::QueenSide),
        San::Null,
        San::Put { role: Role::Queen, to: Square::E4 },
    ];
    let promotions = [None, Some(Role::Queen), Some(Role::King), Some(Role::Pawn)];
    for role in Role::ALL {
        for to in Bitboard::FULL {
            for capture in [false, true] {
                tokens.push(San::Normal {
                    role,
                    file: None,
                    rank: None,
                    capture,
                    to,
                    promotion: None,
                });
            }
            for &(kind, file, rank, promotion) in origins {
                tokens.push(San::Normal {
                    role,
                    file: (file < 8).then(|| File::new(file)),
                    rank: (rank < 8).then(|| Rank::new(rank)),
                    capture: kind == 0,
                    to,
                    promotion: promotions[promotion],
                });
            }
        }
    }
    tokens
}

/// What a token's squares allow, worked out from the list of all legal moves.
fn origins_that_fit(moves: &[Move], san: &San) -> usize {
    let &San::Normal { role, file, rank, capture, to, .. } = san else {
        return 0;
    };
    let takes = file.map_or(capture, |file| file != to.file());
    let mut origins = Bitboard::EMPTY;
    for m in moves {
        let Some(from) = m.from() else { continue };
        if !m.is_castle()
            && m.role() == role
            && m.to() == to
            && file.is_none_or(|file| file == from.file())
            && rank.is_none_or(|rank| rank == from.rank())
            && (role != Role::Pawn || takes == (from.file() != to.file()))
        {
            origins.add(from);
        }
    }
    origins.count()
}

/// Whether some piece that the token can mean goes to its square, check or no check.
fn goes_there(position: &Chess, san: &San) -> bool {
    let &San::Normal { role, file, rank, capture, to, .. } = san else {
        return false;
    };
    let (board, us) = (position.board(), position.turn());
    let takes = file.map_or(capture, |file| file != to.file());
    let mut pieces = position.our(role);
    if let Some(file) = file {
        pieces &= Bitboard::from_file(file);
    }
    if let Some(rank) = rank {
        pieces &= Bitboard::from_rank(rank);
    }
    if position.us().contains(to) {
        return false;
    }
    pieces.into_iter().any(|from| {
        if role != Role::Pawn {
            return board.attacks_from(from).contains(to);
        }
        if takes {
            return attacks::pawn_attacks(us, from).contains(to)
                && (position.them().contains(to) || position.maybe_ep_square() == Some(to));
        }
        let free = |square: Square| !board.occupied().contains(square);
        let ahead = |square: Square| square.offset(us.fold_wb(8, -8)).filter(|&next| free(next));
        let one = ahead(from);
        let two = one.filter(|_| from.rank() == us.relative_rank(Rank::Second)).and_then(ahead);
        one == Some(to) || two == Some(to)
    })
}

fn assert_consistent(position: &Chess, san: &San) -> Result<(), TestCaseError> {
    let refusal = why_refused(position, san);
    if san.to_move(position).is_ok() {
        return Ok(());
    }
    let code = refusal.rule.code;
    let said = format!("{san}: {code} {}", refusal.message);
    let moves = position.legal_moves();
    let fitting = origins_that_fit(&moves, san);
    let over = moves.is_empty();

    prop_assert!(refusal.message.starts_with(|first: char| first.is_ascii_lowercase()), "{said}");
    prop_assert!(!refusal.message.ends_with(['.', ' ', ';', ',']), "{said}");
    prop_assert!(!refusal.message.contains("empty square"), "{said}");
    prop_assert_eq!(over, ["M320", "M321"].contains(&code), "{}", said);
    if over {
        prop_assert_eq!(position.is_check(), code == "M320", "{}", said);
        return Ok(());
    }
    match *san {
        San::Null => prop_assert_eq!(code, "M318", "{}", said),
        San::Put { .. } => prop_assert_eq!(code, "M317", "{}", said),
        San::Castle(wing) => {
            let right = position.castles().has(position.turn(), wing);
            prop_assert_eq!(right, !["M304", "M315"].contains(&code), "{}", said);
            prop_assert_eq!(right && position.is_check(), code == "M305", "{}", said);
        }
        San::Normal { role, to, promotion, .. } => {
            prop_assert_eq!(fitting >= 2, code == "M316", "{}", said);
            let misnamed = ["P401", "P402", "P403", "N702"].contains(&code);
            prop_assert_eq!(fitting == 1, misnamed, "{}", said);
            let of_king = ["M301", "M302", "M303"].contains(&code);
            prop_assert_eq!(fitting == 0 && goes_there(position, san), of_king, "{}", said);
            match code {
                "M302" => prop_assert!(position.is_check() && role != Role::King, "{said}"),
                "M301" => prop_assert!(role != Role::King, "{said}"),
                "M303" => prop_assert!(role == Role::King, "{said}"),
                "M311" => {
                    prop_assert!([Role::Bishop, Role::Rook, Role::Queen].contains(&role), "{said}");
                }
                "M312" => prop_assert!(position.us().contains(to), "{said}"),
                "M309" | "M314" => {
                    prop_assert!(
                        role == Role::Pawn && !position.board().occupied().contains(to),
                        "{said}"
                    );
                }
                "M313" => prop_assert!(role == Role::Pawn, "{said}"),
                "M315" => {
                    let other = super::with_turn_swapped(position);
                    let theirs = other.map(|other| origins_that_fit(&other.legal_moves(), san));
                    prop_assert_eq!(theirs, Some(1), "{}", said);
                }
                "P401" => prop_assert!(promotion.is_none(), "{said}"),
                "P402" => prop_assert!(
                    role == Role::Pawn && matches!(promotion, Some(Role::King | Role::Pawn)),
                    "{said}"
                ),
                "P403" => prop_assert!(promotion.is_some(), "{said}"),
                "M310" | "M316" | "N702" => {}
                other => prop_assert!(false, "a code of another kind: {other}, {said}"),
            }
        }
    }
    Ok(())
}

fn origins() -> impl Strategy<Value = Vec<(usize, u32, u32, usize)>> {
    prop::collection::vec((0..2_usize, 0..12_u32, 0..12_u32, 0..4_usize), 3)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn every_refusal_in_a_played_game_fits_the_board(
        position in played(),
        origins in origins(),
    ) {
        for san in tokens(&origins) {
            assert_consistent(&position, &san)?;
        }
    }

    #[test]
    fn every_refusal_on_a_board_thrown_together_fits_it(
        position in thrown_together(),
        origins in origins(),
    ) {
        for san in tokens(&origins) {
            assert_consistent(&position, &san)?;
        }
    }
}
