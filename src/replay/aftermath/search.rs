//! What can be put right in a line so that all that follows is legal.

use shakmaty::{Bitboard, Move, MoveList, Rank, Role};

use super::hurdles::Hurdles;
use super::line_word::LineWord;
use super::near::{MOST_NEAR, near_moves};
use super::trial::{Played, Replay, Start};
use super::{LEAST, Numbers, Reading};
use crate::pgn::WrittenMove;
use crate::replay::fast::{NamedMove, reach};
use crate::replay::legal_moves;

/// A half-move put in before the refused one.
pub struct Missing {
    /// Those with which the most half-moves fit.
    pub moves: Vec<Move>,
    /// Of those that follow the refused one.
    pub fitting: u32,
    pub whole: bool,
}

/// The near spellings at a place with which all that follows is legal.
struct Slips {
    moves: Vec<Move>,
    /// How many legal moves there are.
    legal: usize,
}

impl Replay<'_, '_> {
    /// The near spellings at the refused move with which all that follows is legal.
    pub fn slips_here(&mut self) -> Vec<Move> {
        let here = self.refused.before.len();
        self.slips(&self.at(here), here).moves
    }

    fn slips(&mut self, start: &Start, place: usize) -> Slips {
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
        let (mut near, legal) = near_moves(&board, &word[..end], san.as_ref());
        near.retain(|&slip| {
            Some(slip) != m && self.all_fit(&start.behind(board.full_move(slip)), place + 1)
        });
        Slips { moves: near.into_iter().map(|slip| board.full_move(slip)).collect(), legal }
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
            let legal = legal_moves(&after.position(self.refused));
            let other = if self.none_can_be_missing(&after, place) {
                self.budget.take(legal.len());
                None
            } else {
                self.missing_plies(&after, place, &legal).next()
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
            let legal = if hurdles.as_ref().is_none_or(|it| it.may_fall(&start.board, m)) {
                let slips = self.slips(&start, place);
                if !slips.moves.is_empty() {
                    return Some((place, Reading::Slip(slips.moves)));
                }
                Some(slips.legal)
            } else {
                self.budget.pass_over(MOST_NEAR * (here - place));
                None
            };
            if let Some(missing) = self.missing_at(&start, place, legal) {
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

    /// Half-moves that can be put in at a place before the refused move; `legal` says how many
    /// there are to try, where they were counted.
    fn missing_at(&mut self, start: &Start, place: usize, legal: Option<usize>) -> Option<Reading> {
        if self.none_can_be_missing(start, place) {
            // Each of them would be tried with one word.
            match legal {
                Some(legal) => {
                    self.budget.take(legal);
                }
                None => self.budget.pass_over(start.board.most_legal_moves()),
            }
            return None;
        }
        if self.passes_over && self.no_two_follow(start, place) {
            self.budget.pass_over(2 * start.board.most_legal_moves());
            return None;
        }
        let legal = legal_moves(&start.position(self.refused));
        let missing: Vec<Move> = self.missing_plies(start, place, &legal).collect();
        (!missing.is_empty()).then_some(Reading::MissingPly(missing))
    }

    /// Whether behind no move of the side to move the words at a place and behind it are legal, the
    /// second one being this side's: it has no piece that one move brings into reach of it.
    fn no_two_follow(&self, start: &Start, place: usize) -> bool {
        let Some([first, second]) = self.words.get(place..place + 2) else { return false };
        let us = start.board.turn();
        let Some((role, origins)) = second.named.origins(us) else { return false };
        let pieces = start.board.of_side(role, us);
        let brings = |from| reach(role, from).intersects(origins);
        let pawns = start.board.of_side(Role::Pawn, us);
        let promotes = pawns.intersects(Bitboard::from(us.fold_wb(Rank::Seventh, Rank::Second)));
        first.is_plain()
            && second.is_plain()
            && !matches!(role, Role::Pawn | Role::King | Role::Rook)
            && !promotes
            && pieces.is_disjoint(origins)
            && !pieces.into_iter().any(brings)
    }
}
