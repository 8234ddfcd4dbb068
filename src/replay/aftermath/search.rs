//! What can be put right in a line so that all that follows is legal.

use shakmaty::{Bitboard, Color, Move, MoveList, Rank, Role, Square, attacks};

use super::hurdles::Hurdles;
use super::line_word::LineWord;
use super::near::{most_near, near_moves};
use super::trial::{Played, Replay, Start};
use super::{LEAST, Numbers, Reading};
use crate::pgn::WrittenMove;
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
    /// The near spellings at the refused move with which all that follows is legal.
    pub fn slips_here(&mut self) -> Vec<Move> {
        let here = self.refused.before.len();
        self.slips(&self.at(here), here)
    }

    /// The same at another place.
    fn slips(&mut self, start: &Start, place: usize) -> Vec<Move> {
        let (word, san, m) = match self.refused.before.get(place) {
            Some(before) => {
                let written = WrittenMove::parse(before.word);
                (before.word, written.map(|it| it.san), Some(before.m))
            }
            None => (self.refused.word, self.refused.written.map(|it| it.san), None),
        };
        let word = word.trim_ascii_end();
        let end = word.iter().rposition(|byte| !matches!(byte, b'+' | b'#')).map_or(0, |at| at + 1);
        let board = start.board;
        let mut near = near_moves(&board, &word[..end], san.as_ref());
        near.retain(|&slip| {
            Some(slip) != m && self.all_fit(&start.behind(board.full_move(slip)), place + 1)
        });
        near.into_iter().map(|slip| board.full_move(slip)).collect()
    }

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

    /// Half-moves that have changed places, stand twice or are missing where the numbers jump.
    pub fn rarer_fault(&mut self, place: usize) -> Option<Reading> {
        let words = self.words;
        let [first, second, rest @ ..] = &words[place..] else { return None };
        // Some must be left for these to mean anything.
        if rest.len() < LEAST as usize {
            return None;
        }
        let start = self.at(place);
        if self.plays_words(&start, [second, first].into_iter().chain(rest)).whole {
            return Some(Reading::SwappedPlies);
        }
        if self.stands_twice(place, 2) && self.all_fit(&start, place + 2) {
            return Some(Reading::ExtraPlies(2));
        }
        self.fault_of_numbers(place)
    }

    /// How many half-moves fit where those that stand twice are left out.
    pub fn fits_without_twins(&mut self, place: usize, count: usize) -> u32 {
        if !self.stands_twice(place, count) {
            return 0;
        }
        self.plays(&self.at(place), place + count).plies
    }

    /// Whether so many words from a place on stand right before it too.
    pub fn stands_twice(&self, place: usize, count: usize) -> bool {
        let words = |from: usize| self.words.get(from..from + count);
        place.checked_sub(count).and_then(words).zip(words(place)).is_some_and(|(ones, others)| {
            ones.iter().zip(others).all(|(one, other)| one.bare().eq(other.bare()))
        })
    }

    /// A move of each side that is missing, or stands twice, as the numbers at a place hint.
    pub fn fault_of_numbers(&mut self, place: usize) -> Option<Reading> {
        let (_, numbers) = self.refused.numbers.filter(|(hinted, _)| *hinted == place)?;
        match numbers {
            Numbers::Jump => self.move_to_put_in(place),
            Numbers::Repeat => {
                self.all_fit(&self.at(place), place + 2).then_some(Reading::ExtraPlies(2))
            }
        }
    }

    /// A half-move of each side that can be put in so that all that follows is legal.
    fn move_to_put_in(&mut self, place: usize) -> Option<Reading> {
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

    /// The places before the refused move at which something put right makes all that follows legal,
    /// the nearest first.
    pub fn earlier_faults(&mut self) -> impl Iterator<Item = (usize, Reading)> {
        let here = self.refused.before.len();
        let mut hurdles = self.hurdles();
        (0..here).rev().filter_map(move |place| {
            let start = self.at(place);
            let m = self.refused.before[place].m;
            if let Some(hurdles) = &mut hurdles {
                let next = self.words.get(place + 1).filter(|_| place + 1 < here);
                hurdles.go_back(&start.board, m, next.map(|next| &next.named));
            }
            if self.all_fit(&start, place + 1) {
                return Some((place, Reading::ExtraPlies(1)));
            }
            if hurdles.as_ref().is_none_or(|it| it.may_fall(&start.board, m)) {
                let slips = self.slips(&start, place);
                if !slips.is_empty() {
                    return Some((place, Reading::Slip(slips)));
                }
            } else {
                self.budget.pass_over(most_near(&start.board, m) * (here - place));
            }
            if let Some(missing) = self.missing_at(&start, place) {
                return Some((place, missing));
            }
            self.rarer_fault(place).map(|reading| (place, reading))
        })
    }

    /// What stands in the way of the refused move, where that can be told.
    fn hurdles(&self) -> Option<Hurdles> {
        let here = self.refused.before.len();
        let is_plain = self.words[..=here].iter().all(LineWord::is_plain);
        let refused = self.words.get(here).filter(|_| self.passes_over && is_plain)?;
        Hurdles::of(&self.refused.board_at(here), &refused.named)
    }

    /// Half-moves that can be put in at a place before the refused move.
    fn missing_at(&mut self, start: &Start, place: usize) -> Option<Reading> {
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
