//! Walls of pawns: a position comes in, and out goes a proof that its pawns stand where they stand
//! for ever, if this can be seen without a search.
//!
//! Only kings, pawns and bishops may be on the board. The proof supposes that no pawn ever moves
//! or is captured, lets every king and bishop walk wherever that leaves a way, and shows that none
//! of them ever gets to break it:
//!
//! - each pawn has a pawn in front of it, and no pawn attacks a pawn;
//! - a king walks over squares without pawns that no opposing pawn attacks; next to none of them
//!   stands an opposing pawn that is not protected by a pawn;
//! - a bishop walks over squares without pawns; next to none of them, on its diagonals, stands an
//!   opposing pawn. So it never stands where such a pawn could capture it either.
//!
//! What stands in the way of a king or a bishop (the other king, its checks, other bishops) is left
//! out, so each can reach less than is thought here, never more. The first move that broke the wall
//! would have to be a pawn's push or capture, or the capture of a pawn; none of them is there.
//! Bishops may be captured by kings and bishops: that takes reach away and gives none.

use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position, Role, Square, attacks};

/// A wall that stands for ever, and where kings and bishops can get at the most.
#[derive(Debug)]
pub struct ClosedWall {
    king: ByColor<Bitboard>,
    bishops: ByColor<Bitboard>,
    /// How many bishops there are.
    count: ByColor<usize>,
}

impl ClosedWall {
    pub fn find(position: &Chess) -> Option<ClosedWall> {
        let board = position.board();
        let pawns = board.pawns();
        // Nearly every position of a game ends here.
        if (board.knights() | board.rooks_and_queens()).any() || !are_blocked(board) {
            return None;
        }
        let guarded = ByColor::new_with(|color| pawn_attacks(board, color));
        // One pawn attacks another where the other attacks it. What is left of en passant is over
        // after this move, and then it is a wall; now it is none.
        if guarded.white.intersects(board.black() & pawns) || position.legal_ep_square().is_some() {
            return None;
        }
        let side = |color: Color| board.by_color(color);
        let in_check = if position.is_check() { Some(king_behind_check(position)?) } else { None };
        let king = ByColor::new_with(|color| {
            let start = in_check.filter(|_| color == position.turn());
            let start = start.unwrap_or_else(|| side(color) & board.kings());
            reach(start, attacks::king_attacks, !(pawns | *guarded.get(!color)))
        });
        let bishops =
            ByColor::new_with(|color| reach(side(color) & board.bishops(), diagonal_steps, !pawns));
        let stands = Color::ALL.into_iter().all(|color| {
            let theirs = side(!color) & pawns;
            let unguarded = theirs & !*guarded.get(!color);
            steps(*king.get(color), attacks::king_attacks).is_disjoint(unguarded)
                && steps(*bishops.get(color), diagonal_steps).is_disjoint(theirs)
        });
        let count = ByColor::new_with(|color| (side(color) & board.bishops()).count());
        stands.then_some(ClosedWall { king, bishops, count })
    }

    /// Whether `color` can never mate. With pawns that stand still, only a bishop gives check. It
    /// does not mate a king that has squares to go which neither the other king nor a bishop of
    /// `color` ever gets to or attacks, unless the king's own bishops stand on all of them.
    pub fn keeps_from_mate(&self, color: Color) -> bool {
        let (king, other) = (*self.king.get(!color), *self.king.get(color));
        let checks = *self.bishops.get(color);
        let safe = king & !(checks | other | steps(other, attacks::king_attacks));
        let own_bishops = *self.bishops.get(!color);
        (king & checks).into_iter().all(|checked| {
            let ways = attacks::king_attacks(checked) & safe;
            !ways.is_subset(own_bishops) || ways.count() > *self.count.get(!color)
        })
    }
}

/// Whether every pawn has a pawn in front of it.
fn are_blocked(board: &Board) -> bool {
    let pawns = board.pawns();
    let white = (board.white() & pawns).shift(8);
    let black = (board.black() & pawns).shift(-8);
    pawns.any() && (white | black).is_subset(pawns)
}

/// Where a king in check may stand after the moves that answer it; `None` where one of them breaks
/// the wall, and at mate. Without this a pawn that closes the wall with check would seem open to
/// capture, though the other king protects it.
fn king_behind_check(position: &Chess) -> Option<Bitboard> {
    let mut squares = Bitboard::EMPTY;
    for m in position.legal_moves() {
        if m.role() == Role::Pawn || m.capture() == Some(Role::Pawn) {
            return None;
        }
        squares |= match m.role() {
            Role::King => Bitboard::from_square(m.to()),
            _ => position.our(Role::King),
        };
    }
    squares.any().then_some(squares)
}

fn pawn_attacks(board: &Board, color: Color) -> Bitboard {
    steps(board.pawns() & board.by_color(color), |square| attacks::pawn_attacks(color, square))
}

/// The squares next to one on its diagonals.
fn diagonal_steps(square: Square) -> Bitboard {
    let own = if square.is_dark() { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
    attacks::king_attacks(square) & own
}

/// All that one step leads to.
fn steps(from: Bitboard, step: impl Fn(Square) -> Bitboard) -> Bitboard {
    from.into_iter().fold(Bitboard::EMPTY, |to, square| to | step(square))
}

/// All that any number of steps over open squares leads to, the start included.
fn reach(start: Bitboard, step: impl Fn(Square) -> Bitboard, open: Bitboard) -> Bitboard {
    let mut reached = start;
    let mut newest = start;
    while newest.any() {
        newest = steps(newest, &step) & open & !reached;
        reached |= newest;
    }
    reached
}
