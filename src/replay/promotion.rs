//! Promotions: the moves of a game come in, and out goes one [`Promotion`] for each, with what the
//! board shows of it (FIDE Laws 2023, 3.7.3.3 to 3.7.3.5).
//!
//! What a queen would have done is found by making her on the board. Why a player took another
//! piece is no more than the first of these that holds, in the order of [`Reason`]:
//!
//! - `avoids_stalemate`: a queen would stalemate (5.2.1), this piece does not;
//! - `mates_only_so`: it mates, and a queen would not;
//! - `seeks_stalemate`: it stalemates, and a queen would not;
//! - `knight_check`: a knight that itself gives check, alone or with a piece behind the pawn;
//! - `knight_fork`: a knight that attacks two or more valuable pieces;
//! - `mates_anyway`: it mates, and a queen would too;
//! - `captured_next`: the next move takes it;
//! - `queen_equivalent`: a rook or bishop that attacks a valuable piece, or that moves later. A
//!   queen on its square attacks all that it attacks and has every move that it has, while no
//!   move or attack of a knight is a queen's;
//! - `unexplained`: none of them.
//!
//! A valuable piece is the opponent's king, a queen or a rook of his, or a knight or bishop that
//! none of his pieces protects. A pinned piece protects too (3.1.3: it attacks all the same).

use shakmaty::{Bitboard, ByColor, Chess, Color, Move, Position, Role, Square};

use super::{PieceSource, Promotion, Reason};

/// What a promotion's row holds and the board does not show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PromotionPlace {
    /// Which game of the chunk, from 0.
    pub game: u32,
    pub ply: u32,
    pub piece_source: PieceSource,
    /// Its ply lies before the first fault.
    pub certified: bool,
}

/// Collects the promotions of one game after another. Costs one comparison a move while no
/// promotion waits for what becomes of it.
#[derive(Debug, Default)]
pub struct Promotions {
    /// Those of the game so far, in order.
    of_game: Vec<Promotion>,
    /// Which of them wait for a later move.
    waiting: Vec<usize>,
    made: ByColor<u8>,
}

impl Promotions {
    /// Takes in a legal move, with the positions around it. Only promotions are kept.
    pub fn promoted(&mut self, before: &Chess, m: Move, after: &Chess, place: PromotionPlace) {
        let Some(mut promotion) = describe(before, m, after, place) else { return };
        let made = self.made.get_mut(promotion.color);
        *made = made.saturating_add(1);
        promotion.nth_of_side = *made;
        self.waiting.push(self.of_game.len());
        self.of_game.push(promotion);
    }

    /// Takes in every legal move, before a promotion that it makes is taken in. One that is not
    /// certified tells nothing of a promotion that is.
    #[inline]
    pub fn played(&mut self, m: Move, certified: bool) {
        if !self.waiting.is_empty() {
            self.played_after(m, certified);
        }
    }

    #[cold]
    fn played_after(&mut self, m: Move, certified: bool) {
        let of_game = &mut self.of_game;
        self.waiting.retain(|&index| {
            let promotion = &mut of_game[index];
            (certified || !promotion.certified) && waits_after(promotion, m)
        });
    }

    /// Whether the game has promotions so far.
    pub fn any(&self) -> bool {
        !self.of_game.is_empty()
    }

    /// Whether later moves may still say something of a promotion.
    pub fn are_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The mover's clock after the move at `ply`, in seconds, where that was a promotion.
    pub fn clock(&mut self, ply: u32, seconds: f64) {
        if let Some(last) = self.of_game.last_mut().filter(|last| last.ply == ply) {
            last.clock_s = Some(seconds);
        }
    }

    /// Ends the game of `plies` half-moves, judged or not, and appends its promotions to `done`.
    pub fn end_game(&mut self, plies: u32, done: &mut Vec<Promotion>) {
        for promotion in &mut self.of_game {
            promotion.last_ply = promotion.ply == plies;
            if promotion.piece != Role::Queen {
                promotion.reason.get_or_insert(Reason::Unexplained);
            }
        }
        done.append(&mut self.of_game);
        self.abandon();
    }

    /// Forgets the game, which another reader takes over.
    pub fn abandon(&mut self) {
        self.of_game.clear();
        self.waiting.clear();
        self.made = ByColor::default();
    }
}

/// What the positions around a legal move show, if it is a promotion. What later moves tell, and
/// `nth_of_side`, stay open.
fn describe(before: &Chess, m: Move, after: &Chess, place: PromotionPlace) -> Option<Promotion> {
    let Move::Normal { role, from, capture, to, promotion: Some(piece) } = m else { return None };
    let color = before.turn();
    let checkers = after.checkers();
    let gives_check = checkers.any();
    let legal_replies = after.legal_moves().len();
    let ends = legal_replies == 0;
    let (gives_mate, gives_stalemate) = (ends && gives_check, ends && !gives_check);
    let forks = valuable_targets(after, color, to).count();

    let (queen_would_check, queen_would_mate, queen_would_stalemate) = if piece == Role::Queen {
        (gives_check, gives_mate, gives_stalemate)
    } else {
        let mut queened = before.clone();
        queened.play_unchecked(Move::Normal {
            role,
            from,
            capture,
            to,
            promotion: Some(Role::Queen),
        });
        (queened.is_check(), queened.is_checkmate(), queened.is_stalemate())
    };

    let knight = piece == Role::Knight;
    let reason = if piece == Role::Queen {
        None
    } else if queen_would_stalemate && !gives_stalemate {
        Some(Reason::AvoidsStalemate)
    } else if gives_mate && !queen_would_mate {
        Some(Reason::MatesOnlySo)
    } else if gives_stalemate && !queen_would_stalemate {
        Some(Reason::SeeksStalemate)
    } else if knight && checkers.contains(to) {
        Some(Reason::KnightCheck)
    } else if knight && forks >= 2 {
        Some(Reason::KnightFork)
    } else if gives_mate {
        Some(Reason::MatesAnyway)
    } else {
        None
    };

    let queens = before.board().by_piece(color.queen()).count();
    Some(Promotion {
        game: place.game,
        ply: place.ply,
        move_number: before.fullmoves().get(),
        color,
        from,
        to,
        piece,
        piece_source: place.piece_source,
        certified: place.certified,
        capture,
        gives_check,
        discovered_check: checkers.without(to).any(),
        double_check: checkers.more_than_one(),
        gives_mate,
        gives_stalemate,
        queen_would_check,
        queen_would_mate,
        queen_would_stalemate,
        forks: narrow(forks),
        captured_next: None,
        last_ply: false,
        nth_of_side: 0,
        queens_before: narrow(queens),
        legal_replies: u16::try_from(legal_replies).unwrap_or(u16::MAX),
        reason,
        before: before.clone(),
        clock_s: None,
    })
}

/// What the piece on `square` attacks of the opponent's valuable pieces.
fn valuable_targets(position: &Chess, color: Color, square: Square) -> Bitboard {
    let board = position.board();
    let attacked = board.attacks_from(square) & board.by_color(!color);
    let minor = attacked & (board.knights() | board.bishops());
    let unprotected = minor
        .into_iter()
        .filter(|&target| board.attacks_to(target, !color, board.occupied()).is_empty());
    (attacked & (board.kings() | board.rooks_and_queens())) | unprotected.collect::<Bitboard>()
}

/// Takes in the next move after a promotion, then the ones after it; says whether the reason
/// still depends on what comes.
fn waits_after(promotion: &mut Promotion, m: Move) -> bool {
    let captured = m.is_capture() && m.to() == promotion.to;
    let at_once = promotion.captured_next.is_none();
    if at_once {
        promotion.captured_next = Some(captured);
    }
    if promotion.reason.is_some() || promotion.piece == Role::Queen {
        return false;
    }
    promotion.reason = if captured {
        Some(if at_once { Reason::CapturedNext } else { Reason::Unexplained })
    } else if promotion.piece == Role::Knight {
        Some(Reason::Unexplained)
    } else if promotion.forks > 0 || m.from() == Some(promotion.to) {
        Some(Reason::QueenEquivalent)
    } else {
        None
    };
    promotion.reason.is_none()
}

/// A count of pieces, which no board lets pass 64.
fn narrow(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests;
