//! What can be put right in a line so that all that follows is legal: another spelling, half-moves
//! that have changed places, or that stand there twice.

use shakmaty::Move;

use super::hurdles::Hurdles;
use super::line_word::LineWord;
use super::near::{most_near, near_moves};
use super::trial::{Replay, Start};
use super::{LEAST, Numbers, Reading};
use crate::pgn::WrittenMove;

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
}
