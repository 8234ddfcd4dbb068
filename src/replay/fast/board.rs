//! The board of the fast lane: bitboards and nothing else that a legal move does not need.
//!
//! It is small, so that it is copied at every move, and the position before the move is always at
//! hand. Castling rights are the rooks that may still castle, as in Chess960: moving or capturing
//! such a rook takes its bit, moving the king takes all of his side's, and standard chess is no
//! special case. Positions come from shakmaty and go back to it where somebody wants more than the
//! moves.

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, CastlingSide, Chess, Color, FromSetup, Move,
    Position, PositionError, Rank, Role, Setup, Square, attacks,
};

use super::geometry::{between, diagonal, reach, straight};

/// A position of chess. Each side has one king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactBoard {
    by_role: [Bitboard; 6],
    by_color: [Bitboard; 2],
    /// Rooks that may still castle, on both sides.
    castling_rooks: Bitboard,
    /// The square that a pawn has just jumped over, whether it can be captured there or not.
    jumped_over: Option<Square>,
    turn: Color,
    /// Half-moves since the last pawn move or capture.
    halfmove_clock: u32,
}

/// A move that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardMove {
    /// Of a piece, no pawn.
    Piece {
        role: Role,
        from: Square,
        to: Square,
    },
    /// Captures and double steps too.
    Pawn {
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
    EnPassant {
        from: Square,
        to: Square,
    },
    Castle {
        king: Square,
        rook: Square,
    },
}

impl CompactBoard {
    pub fn of(position: &Chess) -> CompactBoard {
        let board = position.board();
        CompactBoard {
            by_role: Role::ALL.map(|role| board.by_role(role)),
            by_color: [board.black(), board.white()],
            castling_rooks: position.castles().castling_rights(),
            jumped_over: position.maybe_ep_square(),
            turn: position.turn(),
            halfmove_clock: position.halfmoves(),
        }
    }

    /// The same position with the number of its next move, to ask it more.
    #[cold]
    pub fn to_position(self, mode: CastlingMode, fullmoves: u32) -> Chess {
        let [pawn, knight, bishop, rook, queen, king] = self.by_role;
        let [black, white] = self.by_color;
        let by_role = ByRole { pawn, knight, bishop, rook, queen, king };
        let board = Board::try_from_bitboards(by_role, ByColor { black, white });
        let setup = Setup {
            board: board.expect("each square holds one piece at the most"),
            turn: self.turn,
            castling_rights: self.castling_rooks,
            ep_square: self.jumped_over,
            halfmoves: self.halfmove_clock,
            fullmoves: NonZeroU32::new(fullmoves).unwrap_or(NonZeroU32::MIN),
            ..Setup::empty()
        };
        Chess::from_setup(setup, mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .expect("legal moves lead from a position to positions")
    }

    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    #[inline(always)]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    #[inline(always)]
    fn role(&self, role: Role) -> Bitboard {
        self.by_role[role as usize - 1]
    }

    #[inline(always)]
    fn role_mut(&mut self, role: Role) -> &mut Bitboard {
        &mut self.by_role[role as usize - 1]
    }

    /// All pieces of one side.
    #[inline(always)]
    pub fn of_color(&self, color: Color) -> Bitboard {
        self.by_color[color as usize]
    }

    #[inline(always)]
    pub fn ours(&self) -> Bitboard {
        self.of_color(self.turn)
    }

    #[inline(always)]
    pub fn theirs(&self) -> Bitboard {
        self.of_color(!self.turn)
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    #[inline(always)]
    pub fn kings(&self) -> Bitboard {
        self.role(Role::King)
    }

    /// Rooks that may still castle, on both sides.
    #[inline(always)]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    /// The pieces of one kind and side.
    #[inline(always)]
    pub fn of_side(&self, role: Role, color: Color) -> Bitboard {
        self.role(role) & self.of_color(color)
    }

    /// The square that a pawn has just jumped over.
    pub fn jumped_over(&self) -> Option<Square> {
        self.jumped_over.filter(|square| !self.occupied().contains(*square))
    }

    /// What stands on a square.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|role| self.role(*role).contains(square))
    }

    /// The king of one side, who is always there.
    #[inline(always)]
    fn king(&self, color: Color) -> Square {
        (self.role(Role::King) & self.of_color(color)).first().unwrap_or(Square::A1)
    }

    /// Whether what the pieces can do leaves room for a dead position: nobody has a rook or a
    /// queen, and there are no pawns, or each one stands before another and no knight jumps.
    #[inline]
    pub fn may_be_dead(&self) -> bool {
        if (self.role(Role::Rook) | self.role(Role::Queen)).any() {
            return false;
        }
        let pawns = self.role(Role::Pawn);
        let white = (pawns & self.of_color(Color::White)).shift(8);
        let black = (pawns & self.of_color(Color::Black)).shift(-8);
        pawns.is_empty() || self.role(Role::Knight).is_empty() && (white | black).is_subset(pawns)
    }

    /// What of one side attacks a square.
    #[inline(always)]
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        self.attackers_through(square, by, self.occupied())
    }

    /// The same with other squares in the way of lines.
    #[inline(always)]
    fn attackers_through(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.role(Role::Queen);
        let steps = (attacks::pawn_attacks(!by, square) & self.role(Role::Pawn))
            | (reach(Role::Knight, square) & self.role(Role::Knight))
            | (reach(Role::King, square) & self.role(Role::King));
        let lines = (straight(square) & (self.role(Role::Rook) | queens))
            | (diagonal(square) & (self.role(Role::Bishop) | queens));
        let mut attackers = steps & self.of_color(by);
        for from in lines & self.of_color(by) {
            if (between(square, from) & occupied).is_empty() {
                attackers.add(from);
            }
        }
        attackers
    }

    /// Where pieces of the side to move (no pawns) stand that reach a square, whatever that does to
    /// their own king.
    #[inline(always)]
    pub fn reaching(&self, role: Role, to: Square, from: Bitboard) -> Bitboard {
        let mut reaching = Bitboard::EMPTY;
        for from in reach(role, to) & self.role(role) & self.ours() & from {
            if (between(to, from) & self.occupied()).is_empty() {
                reaching.add(from);
            }
        }
        reaching
    }

    /// Where pieces of the side to move (no pawns) stand that can legally go to a square.
    pub fn legal_origins(&self, role: Role, to: Square) -> Bitboard {
        let reaching = self.reaching(role, to, Bitboard::FULL);
        reaching.into_iter().filter(|&from| self.is_legal(role, from, to)).collect()
    }

    /// Where the pawn stands that a push to an empty square comes from.
    #[inline(always)]
    pub fn pushed_from(&self, to: Square) -> Option<Square> {
        let pawns = self.role(Role::Pawn) & self.ours();
        let near = self.back(to.into());
        if self.occupied().contains(to) {
            return None;
        }
        if pawns.intersects(near) {
            return near.first();
        }
        let jumps = Bitboard::from_rank(self.turn.fold_wb(Rank::Fourth, Rank::Fifth));
        let is_free = jumps.contains(to) && self.occupied().is_disjoint(near);
        (self.back(near) & pawns).first().filter(|_| is_free)
    }

    /// Squares one rank nearer to the side to move. No pawn comes from beyond the board: there is
    /// the last rank, where none stands.
    #[inline(always)]
    fn back(&self, squares: Bitboard) -> Bitboard {
        Bitboard(squares.0.rotate_left(self.turn.fold_wb(56, 8)))
    }

    /// The pawns that can capture on a square, if there is something to capture.
    #[inline(always)]
    pub fn pawns_attacking(&self, to: Square) -> Bitboard {
        attacks::pawn_attacks(!self.turn, to) & self.role(Role::Pawn) & self.ours()
    }

    /// Whether a pawn has just jumped over this square.
    #[inline(always)]
    pub fn was_jumped_over(&self, square: Square) -> bool {
        self.jumped_over == Some(square) && !self.occupied().contains(square)
    }

    /// The rook that may still castle on one side of a player's king.
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        let rooks = self.castling_rooks & back_rank(color);
        match side {
            CastlingSide::KingSide => rooks.last().filter(|rook| *rook > king),
            CastlingSide::QueenSide => rooks.first().filter(|rook| *rook < king),
        }
    }

    /// The king and the rook that castle, if that is legal.
    #[inline(never)]
    pub fn castling(&self, side: CastlingSide) -> Option<(Square, Square)> {
        let us = self.turn;
        let king = self.king(us);
        let rook = self.castling_rook(us, side)?;
        let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
        let path = (between(rook, rook_to).with(rook_to) | between(king, king_to).with(king_to))
            .without(king)
            .without(rook);
        if path.intersects(self.occupied()) {
            return None;
        }
        let behind = self.occupied().without(king);
        let is_attacked = |square, occupied| self.attackers_through(square, !us, occupied).any();
        let passes = between(king, king_to).with(king);
        if passes.into_iter().any(|square| is_attacked(square, behind))
            || is_attacked(king_to, behind.without(rook).with(rook_to))
        {
            return None;
        }
        Some((king, rook))
    }

    /// Whether a move of a piece or a pawn, which is not in passing, leaves the mover's king
    /// unattacked.
    #[inline(always)]
    pub fn keeps_king_safe(&self, role: Role, from: Square, to: Square) -> bool {
        let king = if role == Role::King { to } else { self.king(self.turn) };
        let occupied = self.occupied().without(from).with(to);
        self.attackers_through(king, !self.turn, occupied).without(to).is_empty()
    }

    /// The same of a capture in passing.
    #[inline(never)]
    pub fn keeps_king_safe_in_passing(&self, from: Square, to: Square) -> bool {
        let captured = captured_in_passing(from, to);
        let occupied = self.occupied().without(from).without(captured).with(to);
        let attackers = self.attackers_through(self.king(self.turn), !self.turn, occupied);
        attackers.without(captured).is_empty()
    }

    /// Whether a piece or a pawn that reaches a square may go there.
    fn is_legal(&self, role: Role, from: Square, to: Square) -> bool {
        !self.kings().contains(to) && self.keeps_king_safe(role, from, to)
    }

    /// What gives check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), !self.turn)
    }

    /// Plays a move of a piece. Says whether it can be undone by others: nothing was captured and
    /// no right was lost.
    #[inline(always)]
    pub fn play_piece(&mut self, role: Role, from: Square, to: Square) -> bool {
        let us = self.turn;
        let captures = self.take_from(to, !us);
        self.step(us, role, from, to);
        let left = if role == Role::King { back_rank(us) } else { from.into() };
        let lost = self.castling_rooks & left.with(to);
        self.castling_rooks ^= lost;
        self.halfmove_clock = if captures { 0 } else { self.halfmove_clock + 1 };
        self.jumped_over = None;
        self.turn = !us;
        !captures && lost.is_empty()
    }

    /// Plays a push or a capture of a pawn, but none in passing.
    #[inline(always)]
    pub fn play_pawn(&mut self, from: Square, to: Square, promotion: Option<Role>) {
        let us = self.turn;
        if self.take_from(to, !us) {
            self.castling_rooks.discard(to);
        }
        self.step(us, Role::Pawn, from, to);
        if let Some(piece) = promotion {
            self.role_mut(Role::Pawn).discard(to);
            self.role_mut(piece).add(to);
        }
        // On the file there is a square between only if it jumps; on a diagonal there is none.
        self.jumped_over = between(from, to).first();
        self.halfmove_clock = 0;
        self.turn = !us;
    }

    #[inline(never)]
    pub fn play_in_passing(&mut self, from: Square, to: Square) {
        let us = self.turn;
        self.take_from(captured_in_passing(from, to), !us);
        self.step(us, Role::Pawn, from, to);
        self.jumped_over = None;
        self.halfmove_clock = 0;
        self.turn = !us;
    }

    #[inline(never)]
    pub fn play_castling(&mut self, king: Square, rook: Square) {
        let us = self.turn;
        let side = CastlingSide::from_king_side(rook > king);
        let moves = [(Role::King, king, side.king_to(us)), (Role::Rook, rook, side.rook_to(us))];
        // They may change places.
        for (role, from, _) in moves {
            self.role_mut(role).discard(from);
            self.by_color[us as usize].discard(from);
        }
        for (role, _, to) in moves {
            self.role_mut(role).add(to);
            self.by_color[us as usize].add(to);
        }
        self.castling_rooks &= !back_rank(us);
        self.halfmove_clock += 1;
        self.jumped_over = None;
        self.turn = !us;
    }

    #[inline(always)]
    fn step(&mut self, color: Color, role: Role, from: Square, to: Square) {
        let squares = Bitboard::from(from) | to;
        *self.role_mut(role) ^= squares;
        self.by_color[color as usize] ^= squares;
    }

    /// Takes what one side has on a square; says whether it had anything there.
    #[inline(always)]
    fn take_from(&mut self, square: Square, color: Color) -> bool {
        let is_there = self.of_color(color).contains(square);
        if is_there {
            for role in &mut self.by_role {
                role.discard(square);
            }
            self.by_color[color as usize].discard(square);
        }
        is_there
    }

    /// Whether the pawn that has just jumped can be captured in passing.
    #[inline(always)]
    pub fn can_capture_in_passing(&self) -> bool {
        let Some(to) = self.jumped_over else { return false };
        let mut pawns = self.pawns_attacking(to).into_iter();
        pawns.any(|from| self.keeps_king_safe_in_passing(from, to))
    }

    /// Whether the side to move, in check by these, has a legal move.
    #[inline(never)]
    pub fn can_answer(&self, checkers: Bitboard) -> bool {
        let king = self.king(self.turn);
        let flees = |to| self.is_legal(Role::King, king, to);
        if (reach(Role::King, king) & !self.ours()).into_iter().any(flees) {
            return true;
        }
        let Some(checker) = checkers.single_square() else { return false };
        let ways = between(king, checker).with(checker);
        ways.into_iter().any(|to| self.can_go_to(to)) || self.can_capture_in_passing()
    }

    /// Whether a piece other than the king can legally go to a square.
    fn can_go_to(&self, to: Square) -> bool {
        let by_piece = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .any(|role| self.legal_origins(role, to).any());
        let is_legal = |from| self.is_legal(Role::Pawn, from, to);
        let by_pawn = || {
            if self.theirs().contains(to) {
                self.pawns_attacking(to).into_iter().any(is_legal)
            } else {
                self.pushed_from(to).is_some_and(is_legal)
            }
        };
        by_piece || by_pawn()
    }

    /// Whether the side to move has no legal move; asked where it is not in check.
    #[inline(never)]
    pub fn is_stalemate(&self) -> bool {
        let is_free = |from: Square| {
            let Some(role) = self.role_at(from) else { return false };
            if role == Role::Pawn {
                return self.pawn_can_move(from);
            }
            // A piece that can go far along a line can also go one step.
            let near = match role {
                Role::Bishop | Role::Rook | Role::Queen => {
                    reach(Role::King, from) & reach(role, from)
                }
                _ => reach(role, from),
            };
            (near & !self.ours()).into_iter().any(|to| self.is_legal(role, from, to))
        };
        !self.ours().into_iter().any(is_free)
            && !self.can_capture_in_passing()
            && [CastlingSide::KingSide, CastlingSide::QueenSide]
                .into_iter()
                .all(|side| self.castling(side).is_none())
    }

    fn pawn_can_move(&self, from: Square) -> bool {
        let ahead = from.offset(self.turn.fold_wb(8, -8));
        let pushes = ahead.filter(|to| !self.occupied().contains(*to));
        let captures = attacks::pawn_attacks(self.turn, from) & self.theirs();
        captures.into_iter().chain(pushes).any(|to| self.is_legal(Role::Pawn, from, to))
    }

    /// A move as shakmaty has it.
    pub fn full_move(&self, m: BoardMove) -> Move {
        match m {
            BoardMove::Piece { role, from, to } => {
                Move::Normal { role, from, capture: self.role_at(to), to, promotion: None }
            }
            BoardMove::Pawn { from, to, promotion } => {
                Move::Normal { role: Role::Pawn, from, capture: self.role_at(to), to, promotion }
            }
            BoardMove::EnPassant { from, to } => Move::EnPassant { from, to },
            BoardMove::Castle { king, rook } => Move::Castle { king, rook },
        }
    }
}

/// Where the pawn stands that is captured in passing.
fn captured_in_passing(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}

#[inline(always)]
fn back_rank(color: Color) -> Bitboard {
    Bitboard::from_rank(color.backrank())
}
