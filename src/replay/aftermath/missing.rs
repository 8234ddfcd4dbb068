//! Half-moves that may have been left out of a line.
//!
//! In: a place of the line. Out: the legal moves that can be put in there so that all that follows
//! is legal, with the sides changed.
//!
//! Where no piece of a side can make the first, the second or the third word behind any such move,
//! none is tried. Nothing is lost: up to the second word the side that has the choice moves one piece
//! of its own, and up to the third one the other side moves one, to the square that the first word
//! names; all other pieces stand where they stood, if they were not captured.

use shakmaty::{Bitboard, Color, Move, MoveList, Rank, Role, Square, attacks};

use super::Reading;
use super::line_word::LineWord;
use super::trial::{Played, Replay, Start};
use crate::replay::fast::{CompactBoard, NamedMove, reach};
use crate::replay::legal_moves;

/// A half-move put in before the refused one.
pub struct Missing {
    /// Those with which the most half-moves fit.
    pub moves: Vec<Move>,
    /// Of those that follow the refused one.
    pub fitting: u32,
    pub whole: bool,
}

impl Replay<'_, '_> {
    /// Each legal move of the side to move, and then the refused one by the other side.
    pub fn with_a_move_before(&mut self) -> Missing {
        let mut best = Missing { moves: Vec::new(), fitting: 0, whole: false };
        let Some(written) = self.refused.written else { return best };
        let here = self.refused.before.len();
        let start = self.at(here);
        let named = NamedMove::from(written.san);
        if start.board.is_out_of_reach(&named, !start.board.turn()) {
            return best;
        }
        for missing in legal_moves(self.refused.position) {
            let after = start.behind(missing);
            let Some(m) = after.board.find(&named) else { continue };
            let after = after.behind(after.board.full_move(m));
            let Played { whole, plies } = self.plays(&after, here + 1);
            if best.moves.is_empty() || (whole, plies) > (best.whole, best.fitting) {
                best = Missing { moves: Vec::new(), fitting: plies, whole };
            }
            if (whole, plies) == (best.whole, best.fitting) {
                best.moves.push(missing);
            }
        }
        best.moves.sort_by_key(|m| (m.role() != Role::Pawn, m.role(), m.to(), m.from()));
        best
    }

    /// A half-move of each side that can be put in so that all that follows is legal.
    pub fn move_to_put_in(&mut self, place: usize) -> Option<Reading> {
        let start = self.at(place);
        legal_moves(&start.position(self.refused)).into_iter().find_map(|one| {
            let after = start.behind(one);
            let other = match self.dies_at_once(&after, place) {
                true => None,
                false => {
                    let legal = legal_moves(&after.position(self.refused));
                    self.missing_plies(&after, place, &legal).next()
                }
            };
            Some(Reading::MissingMove(one, other?))
        })
    }

    /// Whether no move of the side to move makes the word at a place legal for the other side.
    fn none_can_be_missing(&self, start: &Start, place: usize) -> bool {
        self.words.get(place).is_some_and(|next| {
            next.is_plain() && start.board.is_out_of_reach(&next.named, !start.board.turn())
        })
    }

    /// The legal moves in a position behind which all words from a place on are legal.
    fn missing_plies<'s>(
        &'s mut self,
        start: &'s Start,
        place: usize,
        legal: &'s MoveList,
    ) -> impl Iterator<Item = Move> + 's {
        legal.iter().copied().filter(move |&m| self.all_fit(&start.behind(m), place))
    }

    /// Half-moves that can be put in at a place before the refused move.
    pub fn missing_at(&mut self, start: &Start, place: usize) -> Option<Reading> {
        if self.dies_at_once(start, place) {
            return None;
        }
        if self.passes_over && self.none_of_these_is_missing(start, place) {
            return None;
        }
        let legal = legal_moves(&start.position(self.refused));
        let missing: Vec<Move> = self.missing_plies(start, place, &legal).collect();
        (!missing.is_empty()).then_some(Reading::MissingPly(missing))
    }

    /// Whether behind no move that is put in at a place the words there are legal for long.
    fn dies_at_once(&mut self, start: &Start, place: usize) -> bool {
        if self.none_can_be_missing(start, place) {
            // Each of them would be tried with one word.
            if self.passes_over {
                self.budget.pass_over(start.board.most_legal_moves());
            } else {
                let mut legal = 0;
                start.board.each_legal_move(|_| legal += 1);
                self.budget.take(legal);
            }
            return true;
        }
        let dies = self.passes_over && self.no_three_follow(start, place);
        if dies {
            self.budget.pass_over(3 * start.board.most_legal_moves());
        }
        dies
    }

    /// Tries each legal move, in an order that does not matter where none can be put in.
    fn none_of_these_is_missing(&mut self, start: &Start, place: usize) -> bool {
        let Some(next) = self.words.get(place).filter(|next| next.is_plain()) else {
            return false;
        };
        let board = start.board;
        let (mut fitting, mut dying) = (Vec::new(), 0);
        board.each_legal_move(|m| {
            let mut after = board;
            after.play(m);
            match after.find(&next.named) {
                Some(_) => fitting.push(m),
                None => dying += 1,
            }
        });
        let all = self.budget.clone();
        self.budget.take(dying);
        let none =
            !fitting.into_iter().any(|m| self.all_fit(&start.behind(board.full_move(m)), place));
        if !none {
            *self.budget = all;
        }
        none
    }

    /// Whether behind no move of the side to move three words from a place on are legal: this side
    /// has no piece that one move brings into reach of the second word's target, or the other side
    /// none for the third one, and the first one brings none there.
    fn no_three_follow(&self, start: &Start, place: usize) -> bool {
        let Some(words) = self.words.get(place..) else { return false };
        let (first, second, third) = match words {
            [first, second, third, ..] => (first, second, Some(third)),
            [first, second] => (first, second, None),
            _ => return false,
        };
        if !first.is_plain() || !second.is_plain() {
            return false;
        }
        self.brings_none(start, second)
            || third
                .is_some_and(|third| third.is_plain() && has_none_for(&start.board, first, third))
    }

    /// Whether the side to move has no piece that could make this move behind another one.
    fn brings_none(&self, start: &Start, second: &LineWord<'_>) -> bool {
        let board = &start.board;
        let us = board.turn();
        let Some((role, origins)) = second.named.origins(us) else { return false };
        let pieces = board.of_side(role, us);
        let pawns = board.of_side(Role::Pawn, us);
        let promotes = pawns.intersects(Bitboard::from(us.fold_wb(Rank::Seventh, Rank::Second)));
        let castles = matches!(role, Role::King | Role::Rook)
            && board.castling_rooks().intersects(Bitboard::from(us.backrank()));
        let brings = |from: Square| {
            let steps = if role == Role::Pawn { pawn_steps(us, from) } else { reach(role, from) };
            steps.intersects(origins)
        };
        !promotes && !castles && pieces.is_disjoint(origins) && !pieces.into_iter().any(brings)
    }
}

/// Whether the side that is not to move has no piece for the third word, and brings none there with
/// the first one.
fn has_none_for(board: &CompactBoard, first: &LineWord<'_>, third: &LineWord<'_>) -> bool {
    let them = !board.turn();
    let Some((role, origins)) = third.named.origins(them) else { return false };
    let brings = match first.named {
        NamedMove::Piece { role: moved, to, .. } => moved == role && origins.contains(to),
        NamedMove::Pawn { to, promotion, .. } => {
            promotion.unwrap_or(Role::Pawn) == role && origins.contains(to)
        }
        NamedMove::Castle(_) => matches!(role, Role::King | Role::Rook),
        NamedMove::Never => false,
    };
    !brings && board.of_side(role, them).is_disjoint(origins)
}

/// Where a pawn goes with one move, if it may.
fn pawn_steps(color: Color, from: Square) -> Bitboard {
    let ahead = color.fold_wb(8, -8);
    let one = from.offset(ahead);
    let two = one.and_then(|one| one.offset(ahead));
    one.into_iter().chain(two).fold(attacks::pawn_attacks(color, from), Bitboard::with)
}
