//! From a written move to the one legal move that it names.

use shakmaty::san::San;
use shakmaty::{Bitboard, Chess, File, Move, MoveList, Position, Rank, Role, Square, attacks};

/// The one legal move that `san` names in `position`, or `None` where none or several fit.
///
/// Same answer as [`San::to_move`], without move lists: candidates come from the target square,
/// and each is held against the king's safety by looking from his square once. The capture mark
/// is not looked at, except that a pawn move with a file and another target file is a capture.
///
/// `position` has one king a side.
#[inline]
pub fn resolve(position: &Chess, san: &San) -> Option<Move> {
    match *san {
        San::Normal { role: Role::Pawn, file, rank, to, promotion, .. } => {
            resolve_pawn(position, file, rank, to, promotion)
        }
        San::Normal { role, file, rank, to, promotion: None, .. } => {
            only_one(legal_origins(position, role, to) & origin_mask(file, rank))
                .map(|from| normal(position, role, from, to))
        }
        San::Castle(side) => position.castling_moves(side).first().copied(),
        San::Normal { .. } | San::Put { .. } | San::Null => None,
    }
}

/// The legal moves. Behind an illegal move a king may stand attacked while it is the other side's
/// turn; no move takes him (FIDE Laws 2023, 1.4.1).
pub fn legal_moves(position: &Chess) -> MoveList {
    let mut legal = position.legal_moves();
    let occupied = position.board().occupied();
    legal.retain(|m| {
        m.capture() != Some(Role::King) && !(m.is_en_passant() && occupied.contains(m.to()))
    });
    legal
}

/// Where a legal move of this piece (no pawn) to this square can begin.
#[inline]
pub fn legal_origins(position: &Chess, role: Role, to: Square) -> Bitboard {
    // No king is taken (FIDE Laws 2023, 1.4.1): behind an illegal move one may be attacked.
    if (position.us() | position.board().kings()).contains(to) {
        return Bitboard::EMPTY;
    }
    let occupied = position.board().occupied();
    let reach = match role {
        Role::Knight => attacks::knight_attacks(to),
        Role::Bishop => attacks::bishop_attacks(to, occupied),
        Role::Rook => attacks::rook_attacks(to, occupied),
        Role::Queen => attacks::queen_attacks(to, occupied),
        Role::King => attacks::king_attacks(to),
        Role::Pawn => Bitboard::EMPTY,
    };
    let mut legal = Bitboard::EMPTY;
    for from in reach & position.our(role) {
        let king = if role == Role::King { Some(to) } else { None };
        if keeps_king_safe(position, king, from, to, None) {
            legal.add(from);
        }
    }
    legal
}

fn resolve_pawn(
    position: &Chess,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    let us = position.turn();
    let last_rank = to.rank() == us.fold_wb(Rank::Eighth, Rank::First);
    if last_rank
        != matches!(promotion, Some(Role::Queen | Role::Rook | Role::Bishop | Role::Knight))
        || (!last_rank && promotion.is_some())
    {
        return None;
    }
    let back = us.fold_wb(-8, 8);
    let one_back = to.offset(back)?;
    let from = match file {
        Some(file) if file != to.file() => {
            if file.distance(to.file()) != 1 {
                return None;
            }
            Square::from_coords(file, one_back.rank())
        }
        _ => {
            if position.board().occupied().contains(to) {
                return None;
            }
            if position.board().occupied().contains(one_back) {
                one_back
            } else if to.rank() == us.fold_wb(Rank::Fourth, Rank::Fifth) {
                one_back.offset(back)?
            } else {
                return None;
            }
        }
    };
    if !position.our(Role::Pawn).contains(from) || rank.is_some_and(|rank| rank != from.rank()) {
        return None;
    }
    if (position.us() | position.board().kings()).contains(to) {
        return None;
    }
    if from.file() != to.file() && !position.them().contains(to) {
        let captured = Square::from_coords(to.file(), from.rank());
        return (position.maybe_ep_square() == Some(to)
            && keeps_king_safe(position, None, from, to, Some(captured)))
        .then_some(Move::EnPassant { from, to });
    }
    keeps_king_safe(position, None, from, to, None).then(|| Move::Normal {
        role: Role::Pawn,
        from,
        capture: position.board().role_at(to),
        to,
        promotion,
    })
}

/// Whether the mover's king is attacked by nobody once the piece has moved. `king` is where he
/// then stands, if it is he who moves.
#[inline]
fn keeps_king_safe(
    position: &Chess,
    king: Option<Square>,
    from: Square,
    to: Square,
    en_passant: Option<Square>,
) -> bool {
    let board = position.board();
    let us = position.turn();
    let Some(king) = king.or_else(|| board.king_of(us)) else { return true };
    let mut occupied = board.occupied().without(from).with(to);
    let mut gone = Bitboard::from_square(to);
    if let Some(captured) = en_passant {
        occupied.discard(captured);
        gone.add(captured);
    }
    (board.attacks_to(king, !us, occupied) & !gone).is_empty()
}

fn origin_mask(file: Option<File>, rank: Option<Rank>) -> Bitboard {
    file.map_or(Bitboard::FULL, Bitboard::from_file)
        & rank.map_or(Bitboard::FULL, Bitboard::from_rank)
}

fn only_one(squares: Bitboard) -> Option<Square> {
    squares.single_square()
}

fn normal(position: &Chess, role: Role, from: Square, to: Square) -> Move {
    Move::Normal { role, from, capture: position.board().role_at(to), to, promotion: None }
}

/// Whether the player to move, who is in check, has a legal move. The king's own steps come first:
/// they answer most checks.
pub fn can_answer_check(position: &Chess) -> bool {
    let Some(king) = position.board().king_of(position.turn()) else { return true };
    for to in attacks::king_attacks(king) & !position.us() {
        if keeps_king_safe(position, Some(to), king, to, None) {
            return true;
        }
    }
    !position.legal_moves().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::fast::{CompactBoard, NamedMove};
    use shakmaty::{CastlingMode, fen::Fen};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap()
    }

    /// Every way to name a move without leaving the board.
    fn spellings() -> Vec<San> {
        let mut all = vec![
            San::Castle(shakmaty::CastlingSide::KingSide),
            San::Castle(shakmaty::CastlingSide::QueenSide),
        ];
        for to in Square::ALL {
            for role in Role::ALL {
                let files = [None].into_iter().chain(File::ALL.map(Some));
                for file in files {
                    for rank in [None].into_iter().chain(Rank::ALL.map(Some)) {
                        if role == Role::Pawn && rank.is_some() {
                            continue;
                        }
                        for promotion in [None, Some(Role::Knight)] {
                            let capture =
                                role == Role::Pawn && file.is_some_and(|f| f != to.file());
                            all.push(San::Normal { role, file, rank, capture, to, promotion });
                        }
                    }
                }
            }
        }
        all
    }

    /// The same move with the other capture mark, which shakmaty is strict about.
    fn other_mark(mut san: San) -> San {
        if let San::Normal { role, capture, .. } = &mut san
            && *role != Role::Pawn
        {
            *capture ^= true;
        }
        san
    }

    const POSITIONS: [&str; 10] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
        "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        "1k6/8/8/8/8/8/8/4K1RR w K - 0 1",
        "nrbbkrqn/pppppppp/8/8/8/8/PPPPPPPP/1R2KR2 w KQkq - 0 1",
        "4k3/8/8/8/7b/8/3N1P2/1N2K3 w - - 0 1",
        "4r1k1/8/8/8/8/2N5/4N3/4K3 w - - 0 1",
    ];

    #[test]
    fn every_spelling_names_the_move_that_shakmaty_finds() {
        let spellings = spellings();
        for fen in POSITIONS {
            let position = position(fen);
            for san in &spellings {
                let found = san.to_move(&position).or_else(|_| other_mark(*san).to_move(&position));
                assert_eq!(resolve(&position, san), found.ok(), "{san:?} in {fen}");
            }
        }
    }

    /// Moves that are neither good nor the same each time.
    fn played_at_random(mut position: Chess, seed: usize, mut show: impl FnMut(&Chess)) {
        let mut state = seed;
        for _ in 0..60 {
            show(&position);
            let legal = legal_moves(&position);
            if legal.is_empty() {
                return;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            position.play_unchecked(legal[(state >> 33) % legal.len()]);
        }
    }

    #[test]
    fn the_fast_board_finds_and_plays_what_this_one_does() {
        let spellings = spellings();
        for (seed, fen) in POSITIONS.iter().enumerate() {
            let mut skipped = 0;
            played_at_random(position(fen), seed, |position| {
                let board = CompactBoard::of(position);
                skipped = (skipped + 1) % 13;
                for san in spellings.iter().skip(skipped).step_by(13) {
                    let m = board.find(&NamedMove::from(*san));
                    let found = resolve(position, san);
                    assert_eq!(m.map(|m| board.full_move(m)), found, "{san:?} in {position:?}");
                    if let (Some(m), Some(found)) = (m, found) {
                        let (mut board, mut position) = (board, position.clone());
                        board.play(m);
                        position.play_unchecked(found);
                        assert_eq!(board, CompactBoard::of(&position), "{san:?}");
                    }
                }
            });
        }
    }

    #[test]
    fn the_fast_board_has_the_same_legal_moves() {
        for (seed, fen) in POSITIONS.iter().cycle().take(200).enumerate() {
            played_at_random(position(fen), seed, |position| {
                let board = CompactBoard::of(position);
                let mut legal = legal_moves(position).to_vec();
                let mut found = Vec::new();
                board.each_legal_move(|m| found.push(board.full_move(m)));
                let key = |m: &Move| (m.role(), m.from(), m.to(), m.promotion(), m.is_castle());
                legal.sort_by_key(key);
                found.sort_by_key(key);
                assert_eq!(found, legal, "{position:?}");
                assert!(board.most_legal_moves() >= legal.len(), "{position:?}");
            });
        }
    }

    #[test]
    fn what_is_out_of_reach_is_illegal_behind_every_move() {
        let spellings = spellings();
        let mut out_of_reach = 0;
        for (seed, fen) in POSITIONS.iter().enumerate() {
            let mut skipped = 0;
            played_at_random(position(fen), seed, |position| {
                let board = CompactBoard::of(position);
                skipped = (skipped + 1) % 499;
                for san in spellings.iter().skip(skipped).step_by(499) {
                    let named = NamedMove::from(*san);
                    if !board.is_out_of_reach(&named, !board.turn()) {
                        continue;
                    }
                    out_of_reach += 1;
                    board.each_legal_move(|m| {
                        let mut after = board;
                        after.play(m);
                        assert_eq!(after.find(&named), None, "{san:?} behind {m:?}");
                    });
                }
            });
        }
        assert!(out_of_reach > 1000);
    }

    #[test]
    fn a_check_that_nobody_can_answer_is_mate() {
        let mate = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        assert!(!can_answer_check(&mate));
        let check = position("rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2");
        assert!(can_answer_check(&check));
    }
}
