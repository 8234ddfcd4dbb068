//! How a record goes on behind a move that the board refuses: as if the move had stood, with one
//! spelling put right, with half-moves put in, left out or exchanged, or in no such way.
//!
//! In: the refused move, the half-moves before it, the words behind it. Out: the reading that
//! explains them, where the fault then is, how many half-moves fit, and the near spellings that
//! keep all of them legal.
//!
//! A reading that fits the whole rest goes before one that fits a part, and a fault at the refused
//! move before one a few half-moves earlier. A move that only the king's safety, a lost castling
//! right or the moment for taking en passant forbids looks like any other on a board, and was made,
//! where the rest fits it; any other is taken for a fault of the record first.

mod near;
mod telling;

use std::cell::OnceCell;

use shakmaty::san::San;
use shakmaty::{Bitboard, Chess, Color, Move, MoveList, Position, Role, attacks};

use self::near::near_moves;
pub use self::telling::{course, fix};
use super::evidence::{Budget, Step, play_word};
use super::illegal::Refusal;
use super::interpret::{WordAnywhere, can_mean_more, is_last, plain_move};
use super::{legal_moves, resolve};
use crate::diagnostics::Span;
use crate::pgn::{Dialect, Mark, WrittenMove};
use crate::rules::moves;

/// What explains the half-moves behind a refused move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The illegal position was played on (FIDE Laws 2023, A.5.2).
    Stood(Move),
    /// One of these was meant.
    Slip(Vec<Move>),
    /// Any of these stood before it: a half-move was left out.
    MissingPly(Vec<Move>),
    /// Where the numbers jump, a half-move of each side was left out, such as these.
    MissingMove(Move, Move),
    /// So many half-moves from here on stand there too much: one, or one of each side.
    ExtraPlies(usize),
    /// The half-move and the next one have changed places.
    SwappedPlies,
    /// None of these.
    Lost,
}

impl Reading {
    /// The word that reports and tables use.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Reading::Stood(_) => "stood",
            Reading::Slip(_) => "slip",
            Reading::MissingPly(_) | Reading::MissingMove(..) => "missing_ply",
            Reading::ExtraPlies(_) => "extra_ply",
            Reading::SwappedPlies => "swapped_plies",
            Reading::Lost => "lost",
        }
    }
}

/// What was found of the words behind a refused move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// `None` where nothing follows the move.
    pub reading: Option<Reading>,
    /// Where the fault is: which of the half-moves before; `None` for the refused move itself.
    pub earlier: Option<usize>,
    /// Half-moves behind the refused one that fit the reading.
    pub fitting: u32,
    /// Whether they are all that follow.
    pub whole: bool,
    /// The near spellings, where the fault is, with which every half-move that follows is legal.
    pub slips: Vec<Move>,
    /// Whether something else explains all that follows as well.
    pub doubtful: bool,
}

/// A refused move, and what stands around it.
#[derive(Clone, Copy, Debug)]
pub struct RefusedMove<'a> {
    pub position: &'a Chess,
    /// The word, without `!` and `?`.
    pub word: &'a [u8],
    /// What was read of it.
    pub written: Option<&'a WrittenMove>,
    pub refusal: &'a Refusal,
    /// The half-moves of its line before it, the last ones.
    pub before: &'a [PlayedBefore<'a>],
    /// The words of its line that follow.
    pub rest: &'a [&'a [u8]],
    /// Before which half-move the numbers go wrong, and how: as many as `before` has stand for the
    /// refused one.
    pub numbers: Option<(usize, Numbers)>,
    pub dialect: &'a Dialect,
}

/// What wrong move numbers hint at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// They are ahead: moves are missing.
    Jump,
    /// They come again: moves stand twice.
    Repeat,
}

/// A half-move of the same line that was played before the refused one.
#[derive(Clone, Debug)]
pub struct PlayedBefore<'a> {
    pub position: Chess,
    pub m: Move,
    pub word: &'a [u8],
    pub span: Span,
}

/// Fewer half-moves than these fit many a wrong reading by chance.
const TELLING: u32 = 8;

/// What stands twice, and is left out, is told by fewer.
const LEAST: u32 = 2;

/// What a word costs that has to be interpreted, where a plain move costs 1.
const INTERPRETED: usize = 32;

impl<'a> RefusedMove<'a> {
    /// Explains what follows, if something does, within the budget of the game.
    pub fn explain(&self, budget: &mut Budget) -> Explanation {
        let here = self.before.len();
        let words = self.line();
        let mut replay = Replay { refused: self, words: &words, budget };
        let mut slips = replay.slips(here, &legal_moves(self.position));
        self.keep_those_that_fit_the_marks(&mut slips);
        let following = u32::try_from(self.rest.len()).unwrap_or(u32::MAX);
        let mut explained = Explanation {
            reading: None,
            earlier: None,
            fitting: following,
            whole: true,
            slips: Vec::new(),
            doubtful: false,
        };
        if self.rest.is_empty() {
            return Explanation { fitting: 0, slips, ..explained };
        }
        let stood =
            self.refusal.attempt.map(|m| (m, replay.plays(played(self.position, m), here + 1)));
        let stood_whole = stood.filter(|(_, played)| played.whole).map(|(m, _)| m);
        let missing = replay.with_a_move_before();
        let without = replay.plays(self.position.clone(), here + 1);
        let explanations = u32::from(!slips.is_empty())
            + u32::from(stood_whole.is_some())
            + u32::from(missing.whole)
            + u32::from(without.whole);
        explained.doubtful = explanations > 1;

        let looks_legal = self.refusal.looks_legal();
        let wrong_side = self.refusal.rule == &moves::WRONG_SIDE_TO_MOVE;
        // Where the numbers go wrong, something is missing or stands twice, and no spelling is to
        // blame.
        explained.doubtful |= self.numbers.is_some();
        let hinted = self.numbers.map_or(here, |(place, _)| place);
        let told = replay.fault_of_numbers(hinted);
        if told.is_some() && hinted < here {
            return Explanation { reading: told, earlier: Some(hinted), ..explained };
        }
        let reading = match stood_whole {
            _ if told.is_some() => told,
            Some(m) if looks_legal => Some(Reading::Stood(m)),
            _ if missing.whole && wrong_side => Some(Reading::MissingPly(missing.moves.clone())),
            _ if !slips.is_empty() => Some(Reading::Slip(slips.clone())),
            _ if missing.whole => Some(Reading::MissingPly(missing.moves.clone())),
            _ if without.whole && replay.stands_twice(here, 1) => Some(Reading::ExtraPlies(1)),
            _ => replay.rarer_fault(here),
        };
        if let Some(reading) = reading {
            // A fault before this move may explain it as well as one in it.
            let slip = matches!(reading, Reading::Slip(_));
            explained.doubtful |=
                slip && !explained.doubtful && replay.earlier_faults().next().is_some();
            // The next half-move is part of the fault.
            let taken =
                u32::from(matches!(reading, Reading::ExtraPlies(2) | Reading::SwappedPlies));
            let fitting = following.saturating_sub(taken);
            return Explanation { reading: Some(reading), fitting, slips, ..explained };
        }
        // The nearest, and whether there is another.
        let earlier: Vec<_> = replay.earlier_faults().take(2).collect();
        let another = earlier.len() > 1;
        if let Some((index, reading)) = earlier.into_iter().next() {
            let slips = match &reading {
                Reading::Slip(moves) => moves.clone(),
                _ => Vec::new(),
            };
            return Explanation {
                reading: Some(reading),
                earlier: Some(index),
                slips,
                doubtful: explained.doubtful || stood_whole.is_some() || another,
                ..explained
            };
        }
        if let Some(m) = stood_whole {
            return Explanation { reading: Some(Reading::Stood(m)), ..explained };
        }
        if without.whole {
            return Explanation { reading: Some(Reading::ExtraPlies(1)), ..explained };
        }
        for count in [1, 2] {
            // Another fault may follow.
            let fitting = replay.fits_without_twins(here, count);
            if fitting >= LEAST {
                let reading = Some(Reading::ExtraPlies(count));
                return Explanation { reading, fitting, whole: false, ..explained };
            }
        }
        let stood_fits = stood.map_or(0, |(_, played)| played.plies);
        let most = stood_fits.max(missing.fitting).max(without.plies);
        let reading = match stood {
            Some((m, _)) if stood_fits == most && most > 0 && (looks_legal || most >= TELLING) => {
                Reading::Stood(m)
            }
            _ if most < TELLING => Reading::Lost,
            _ if missing.fitting == most => Reading::MissingPly(missing.moves),
            _ => Reading::ExtraPlies(1),
        };
        Explanation { reading: Some(reading), fitting: most, whole: false, ..explained }
    }

    /// The words of the line from the first half-move before the refused one on.
    fn line(&self) -> Vec<LineWord<'a>> {
        let before = self.before.iter().map(|before| before.word);
        let words = before.chain([self.word]).chain(self.rest.iter().copied());
        words.map(|word| LineWord::new(word, self.dialect)).collect()
    }

    /// Where the game stands if the half-move with this index is put right so: behind the refused
    /// move; where that is exchanged with the next one, or both stand there too much, behind both.
    pub fn read_with(&self, index: usize, reading: &Reading) -> Option<Chess> {
        let mut position = match self.before.get(index) {
            Some(first) => first.position.clone(),
            None => self.position.clone(),
        };
        let words = self.before.iter().map(|before| before.word);
        let next = self.rest.first().copied().filter(|_| index == self.before.len());
        let mut words: Vec<&[u8]> = words.chain([self.word]).chain(next).skip(index).collect();
        match reading {
            Reading::Slip(moves) => {
                position = played(&position, *moves.first()?);
                words.remove(0);
            }
            Reading::MissingPly(moves) => position = played(&position, *moves.first()?),
            Reading::ExtraPlies(count) => drop(words.drain(..(*count).min(words.len()))),
            Reading::SwappedPlies if words.len() > 1 => words.swap(0, 1),
            Reading::MissingMove(one, other) => {
                position = played(&played(&position, *one), *other);
                // Nothing but the refused move is read with them.
                words.truncate(self.before.len() + 1 - index);
            }
            _ => return None,
        }
        for word in words {
            let m = resolve(&position, &WrittenMove::parse(word)?.san)?;
            position.play_unchecked(m);
        }
        Some(position)
    }

    /// Of several moves, those that capture, or give the check or the mate, as it is written, if
    /// there are any.
    fn keep_those_that_fit_the_marks(&self, moves: &mut Vec<Move>) {
        let takes = |m: &Move| m.is_capture();
        if self.word.contains(&b'x') && moves.iter().any(takes) {
            moves.retain(takes);
        }
        let mark = self.written.map_or(Mark::None, |written| written.mark);
        let gives = |m: &Move| {
            let after = played(self.position, *m);
            match mark {
                Mark::None => true,
                Mark::Check | Mark::DoubleCheck => after.is_check(),
                Mark::Mate => after.is_checkmate(),
            }
        };
        if moves.iter().any(gives) {
            moves.retain(gives);
        }
    }
}

/// A half-move put in before the refused one.
struct Missing {
    /// Those with which the most half-moves fit.
    moves: Vec<Move>,
    /// Of those that follow the refused one.
    fitting: u32,
    whole: bool,
}

/// A word of the line, read once for all that is tried.
#[derive(Debug)]
struct LineWord<'a> {
    word: &'a [u8],
    form: Form,
    /// What it is wherever it stands, once that was asked.
    anywhere: OnceCell<Option<WordAnywhere>>,
}

/// In which form a word stands.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// In the standard's form, and nothing else.
    Plain(San),
    /// Likewise, and a small `b` may be a bishop.
    SmallBishop(San, Option<San>),
    /// In the standard's form, and it may lack its piece.
    Promotion(San),
    Other,
}

impl Form {
    fn of(word: &[u8], dialect: &Dialect) -> Form {
        let plain = if dialect.is_standard() { WrittenMove::parse(word) } else { None };
        let Some(written) = plain else { return Form::Other };
        let san = written.san;
        if !can_mean_more(word, &written) {
            return Form::Plain(san);
        }
        match san {
            San::Normal { file, to, promotion: None, .. } if word[0] == b'b' && !is_last(to) => {
                let capture = word[1] == b'x';
                let has_target = capture || file.is_some();
                let bishop = has_target.then_some(San::Normal {
                    role: Role::Bishop,
                    file: None,
                    rank: None,
                    capture,
                    to,
                    promotion: None,
                });
                Form::SmallBishop(san, bishop)
            }
            san => Form::Promotion(san),
        }
    }

    fn san(&self) -> Option<&San> {
        match self {
            Form::Plain(san) | Form::SmallBishop(san, _) | Form::Promotion(san) => Some(san),
            Form::Other => None,
        }
    }
}

impl<'a> LineWord<'a> {
    fn new(word: &'a [u8], dialect: &Dialect) -> LineWord<'a> {
        LineWord { word, form: Form::of(word, dialect), anywhere: OnceCell::new() }
    }

    /// Whether no move by the other side can make it a legal move of this one.
    fn is_out_of_reach(&self, position: &Chess, by: Color) -> bool {
        matches!(&self.form, Form::Plain(san) if is_out_of_reach(position, by, san))
    }
}

/// Whether this side has no piece that could make the move on an empty board.
fn is_out_of_reach(position: &Chess, by: Color, san: &San) -> bool {
    let board = position.board();
    let (role, file, rank, to) = match *san {
        San::Normal { role, file, rank, to, .. } => (role, file, rank, to),
        San::Castle(wing) => return !position.castles().has(by, wing),
        San::Put { .. } | San::Null => return true,
    };
    let mut origins = match role {
        Role::Pawn => attacks::pawn_attacks(!by, to) | Bitboard::from_file(to.file()),
        Role::Knight => attacks::knight_attacks(to),
        Role::Bishop => attacks::bishop_attacks(to, Bitboard::EMPTY),
        Role::Rook => attacks::rook_attacks(to, Bitboard::EMPTY),
        Role::Queen => attacks::queen_attacks(to, Bitboard::EMPTY),
        Role::King => attacks::king_attacks(to),
    };
    if role == Role::Pawn {
        let from = file.unwrap_or(to.file());
        let back = by.fold_wb(-8, 8);
        let behind = to.offset(back);
        let double = behind.and_then(|square| square.offset(back));
        origins &= Bitboard::from_file(from);
        if from == to.file() {
            let pushes = behind.into_iter().chain(double);
            origins &= pushes.fold(Bitboard::EMPTY, Bitboard::with);
        }
    } else if let Some(file) = file {
        origins &= Bitboard::from_file(file);
    }
    if let Some(rank) = rank {
        origins &= Bitboard::from_rank(rank);
    }
    (origins & board.by_piece(role.of(by))).is_empty()
}

/// Replays the line from one place after another, within bounds. Places count the half-moves before
/// the refused one, which has the last.
struct Replay<'r, 'a> {
    refused: &'r RefusedMove<'a>,
    words: &'r [LineWord<'a>],
    budget: &'r mut Budget,
}

/// What became of words that were played one after another.
#[derive(Clone, Copy, Debug, Default)]
struct Played {
    plies: u32,
    /// All of them.
    whole: bool,
    /// A promotion that lacks its piece ended what can be told.
    open: bool,
}

impl<'r, 'a> Replay<'r, 'a> {
    /// Plays the words from a place on.
    fn plays(&mut self, mut position: Chess, place: usize) -> Played {
        let words: &'r [LineWord<'a>] = self.words;
        self.plays_words(&mut position, words.iter().skip(place))
    }

    fn plays_words(
        &mut self,
        position: &mut Chess,
        words: impl IntoIterator<Item = &'r LineWord<'a>>,
    ) -> Played {
        let mut played = Played::default();
        for word in words {
            if !self.budget.take(1) {
                return played;
            }
            if let Some(san) = word.form.san() {
                if let Some(m) = resolve(position, san) {
                    position.play_unchecked(m);
                    played.plies += 1;
                    continue;
                }
                if matches!(word.form, Form::Plain(_)) {
                    return played;
                }
            }
            if !self.budget.take(INTERPRETED) {
                return played;
            }
            match self.play_otherwise(position, word, &mut played) {
                Step::On => {}
                // No fault here.
                Step::OpenPromotion => return Played { whole: true, open: true, ..played },
                Step::Stop => return played,
            }
        }
        Played { whole: true, ..played }
    }

    /// Plays a word that is no move in the standard's form.
    fn play_otherwise(
        &mut self,
        position: &mut Chess,
        word: &LineWord<'a>,
        played: &mut Played,
    ) -> Step {
        let dialect = self.refused.dialect;
        let tries = &mut self.budget.tries;
        let mut count = |_, _: &Chess| played.plies += 1;
        let LineWord { word, form, anywhere } = word;
        if let Form::SmallBishop(_, bishop) = form {
            return match bishop.and_then(|bishop| resolve(position, &bishop)) {
                Some(m) => {
                    position.play_unchecked(m);
                    count(m, position);
                    Step::On
                }
                None => {
                    WordAnywhere::spend(word, tries);
                    Step::Stop
                }
            };
        }
        if !dialect.is_standard()
            && let Some(m) = plain_move(position, word, dialect)
        {
            position.play_unchecked(m.1);
            count(m.1, position);
            return Step::On;
        }
        match anywhere.get_or_init(|| WordAnywhere::of(word, dialect)) {
            Some(anywhere) => match anywhere.step(position, word, tries) {
                Ok(m) => {
                    position.play_unchecked(m);
                    count(m, position);
                    Step::On
                }
                Err(step) => step,
            },
            None => play_word(position, word, dialect, tries, count),
        }
    }

    fn position(&self, place: usize) -> &'r Chess {
        let refused = self.refused;
        refused.before.get(place).map_or(refused.position, |before| &before.position)
    }

    fn all_fit(&mut self, position: Chess, place: usize) -> bool {
        self.plays(position, place).whole
    }

    /// The near spellings at a place with which all that follows is legal.
    fn slips(&mut self, place: usize, legal: &MoveList) -> Vec<Move> {
        let position = self.position(place);
        let (word, written, m) = match self.refused.before.get(place) {
            Some(before) => {
                let written = WrittenMove::parse(before.word);
                (before.word, written.map(|it| it.san), Some(before.m))
            }
            None => (self.refused.word, self.refused.written.map(|it| it.san), None),
        };
        let word = word.trim_ascii_end();
        let end = word.iter().rposition(|byte| !matches!(byte, b'+' | b'#')).map_or(0, |at| at + 1);
        let mut slips = near_moves(position, legal, &word[..end], written.as_ref());
        slips.retain(|&slip| Some(slip) != m && self.all_fit(played(position, slip), place + 1));
        slips
    }

    /// Each legal move of the side to move, and then the refused one by the other side.
    fn with_a_move_before(&mut self) -> Missing {
        let mut best = Missing { moves: Vec::new(), fitting: 0, whole: false };
        let Some(written) = self.refused.written else { return best };
        let position = self.refused.position;
        if is_out_of_reach(position, !position.turn(), &written.san) {
            return best;
        }
        for missing in legal_moves(position) {
            let after = played(position, missing);
            let Some(m) = resolve(&after, &written.san) else { continue };
            let behind = self.refused.before.len() + 1;
            let Played { whole, plies, .. } = self.plays(played(&after, m), behind);
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
    fn rarer_fault(&mut self, place: usize) -> Option<Reading> {
        let position = self.position(place);
        let words: &'r [LineWord<'a>] = self.words;
        let [first, second, rest @ ..] = &words[place..] else { return None };
        // Some must be left for these to mean anything.
        if rest.len() < LEAST as usize {
            return None;
        }
        let mut swapped = position.clone();
        let pair = self.plays_words(&mut swapped, [second, first]);
        if pair.whole && (pair.open || self.plays_words(&mut swapped, rest).whole) {
            return Some(Reading::SwappedPlies);
        }
        if self.stands_twice(place, 2) && self.all_fit(position.clone(), place + 2) {
            return Some(Reading::ExtraPlies(2));
        }
        self.fault_of_numbers(place)
    }

    /// How many half-moves fit where those that stand twice are left out.
    fn fits_without_twins(&mut self, place: usize, count: usize) -> u32 {
        if !self.stands_twice(place, count) {
            return 0;
        }
        self.plays(self.position(place).clone(), place + count).plies
    }

    /// Whether so many words from a place on stand right before it too.
    fn stands_twice(&self, place: usize, count: usize) -> bool {
        let bare = |it: &LineWord<'a>| {
            it.word.trim_ascii_end().iter().copied().filter(|b| !b"+#".contains(b))
        };
        let words = |from: usize| self.words.get(from..from + count);
        place.checked_sub(count).and_then(words).zip(words(place)).is_some_and(|(ones, others)| {
            ones.iter().zip(others).all(|(one, other)| bare(one).eq(bare(other)))
        })
    }

    /// A move of each side that is missing, or stands twice, as the numbers at a place hint.
    fn fault_of_numbers(&mut self, place: usize) -> Option<Reading> {
        let (_, numbers) = self.refused.numbers.filter(|(hinted, _)| *hinted == place)?;
        match numbers {
            Numbers::Jump => self.move_to_put_in(place),
            Numbers::Repeat => {
                let position = self.position(place).clone();
                self.all_fit(position, place + 2).then_some(Reading::ExtraPlies(2))
            }
        }
    }

    /// A half-move of each side that can be put in so that all that follows is legal.
    fn move_to_put_in(&mut self, place: usize) -> Option<Reading> {
        let position = self.position(place);
        legal_moves(position).into_iter().find_map(|one| {
            let after = played(position, one);
            let other = self.missing_plies(&after, place, &legal_moves(&after)).next()?;
            Some(Reading::MissingMove(one, other))
        })
    }

    /// The legal moves in a position behind which all words from a place on are legal.
    fn missing_plies(
        &mut self,
        position: &Chess,
        place: usize,
        legal: &MoveList,
    ) -> impl Iterator<Item = Move> {
        let next = self.words.get(place);
        let dies = next.is_some_and(|next| next.is_out_of_reach(position, !position.turn()));
        if dies {
            self.budget.take(legal.len());
        }
        let tried = if dies { &[] } else { legal.as_slice() };
        tried.iter().copied().filter(move |&m| self.all_fit(played(position, m), place))
    }

    /// The places before the refused move at which something put right makes all that follows legal,
    /// the nearest first.
    fn earlier_faults(&mut self) -> impl Iterator<Item = (usize, Reading)> {
        (0..self.refused.before.len()).rev().filter_map(|place| {
            let position = self.position(place);
            if self.all_fit(position.clone(), place + 1) {
                return Some((place, Reading::ExtraPlies(1)));
            }
            let legal = legal_moves(position);
            let slips = self.slips(place, &legal);
            if !slips.is_empty() {
                return Some((place, Reading::Slip(slips)));
            }
            let missing: Vec<Move> = self.missing_plies(position, place, &legal).collect();
            if !missing.is_empty() {
                return Some((place, Reading::MissingPly(missing)));
            }
            self.rarer_fault(place).map(|reading| (place, reading))
        })
    }
}

fn played(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_reach_is_illegal_behind_every_move() {
        let lines = ["", "e4 e5 Nf3 Nc6 Bc4 Bc5", "e4 d5 e5 f5", "h4 g5 hxg5 h6 gxh6 Nf6 h7 Rg8"];
        let mut out_of_reach = 0;
        for line in lines {
            let mut position = Chess::new();
            for word in line.split_whitespace() {
                let m = word.parse::<San>().unwrap().to_move(&position).unwrap();
                position.play_unchecked(m);
            }
            let words =
                ["e6", "exf6", "O-O", "Nc6", "Nf3", "Qh5", "Bb4", "Ke2", "hxg8=Q", "Rd1", "d5"];
            for word in words {
                let san = WrittenMove::parse(word.as_bytes()).unwrap().san;
                let legal_behind = legal_moves(&position)
                    .into_iter()
                    .any(|m| resolve(&played(&position, m), &san).is_some());
                let dies = is_out_of_reach(&position, !position.turn(), &san);
                assert!(!(dies && legal_behind), "{word} behind {line}");
                out_of_reach += u32::from(dies);
            }
        }
        assert!(out_of_reach > 8);
    }
}
