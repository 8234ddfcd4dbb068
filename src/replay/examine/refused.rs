//! Moves that the board refuses, or that cannot be read: what is told of them, and how the game is
//! read on behind them.

use shakmaty::san::San;
use shakmaty::{Chess, Color, File, Move, Position, Square};

use super::open_move::{Settled, leaves_open};
use super::options::AfterIllegal;
use super::{Ending, Exam};
use crate::diagnostics::{Aftermath, Applicability, Finding, FixSource, Ply, Rule, Span};
use crate::pgn::{Dialect, TimeClass, WrittenMove, is_descriptive};
use crate::replay::aftermath::{
    Explanation, Numbers, PlayedBefore, Reading, RefusedMove, course, fix,
};
use crate::replay::evidence::{Budget, MOST_TRIES, main_line_words, play_words, variation_words};
use crate::replay::fast::CompactBoard;
use crate::replay::illegal::{IllegalMove, Refusal};
use crate::replay::interpret::stands_for_move;
use crate::replay::line::written_number;
use crate::replay::{PieceSource, Profile, StartPosition, Verdict, cannot_mate, mix, resolve};
use crate::rules::spelling::Effect;
use crate::rules::{fen_of, moves, promotions, structure};

/// Of so many faults of one game it is looked for what explains them; further ones are told, and
/// the game is left there.
const MOST_EXPLAINED: u32 = 16;

/// How the game is read on behind a refused move.
enum ReadOn {
    /// It is not.
    Not,
    /// With this move in its place, where its piece, if it promotes, was taken from.
    With(Move, PieceSource),
    /// With this move before it.
    Before(Move),
    /// From this position behind it, where a fault is put right; the word that was read with it.
    From(Box<Chess>, Option<Span>),
    /// Without it.
    Without,
}

/// An explanation that passed over trials, which are counted once the game asks for more.
#[derive(Debug)]
pub(super) struct Uncounted<'a> {
    /// What there was before it.
    budget: Budget,
    position: Chess,
    word: &'a [u8],
    written: Option<WrittenMove>,
    refusal: Refusal,
    before: Vec<PlayedBefore<'a>>,
    words: Vec<&'a [u8]>,
    numbers: Option<(usize, Numbers)>,
}

impl Uncounted<'_> {
    /// What is left of the budget behind it.
    fn count(mut self, dialect: &Dialect) -> Budget {
        let refused = RefusedMove {
            position: &self.position,
            word: self.word,
            written: self.written.as_ref(),
            refusal: &self.refusal,
            before: &self.before,
            rest: &self.words,
            numbers: self.numbers,
            dialect,
        };
        refused.explain_counting_all(&mut self.budget);
        self.budget
    }
}

impl<'a> Exam<'_, 'a, '_> {
    /// A move that can be read and not be played. `written` is there where it says enough.
    pub(super) fn refuse(
        &mut self,
        written: Option<&WrittenMove>,
        refusal: Refusal,
        span: Span,
        in_main_line: bool,
    ) {
        if in_main_line && self.facts.passed {
            self.line.live = false;
            return;
        }
        let mut refusal = refusal;
        if refusal.rule == &moves::CASTLING_RIGHT_LOST
            && let Some(written) = written
            && self.never_had_the_right(written)
        {
            refusal.message = "the start position gives no right to castle there".to_owned();
        }
        let ply = self.line.next_move();
        let number = self.line.take_wrong_number().filter(|_| in_main_line);
        let restarts = number.is_some_and(|number| self.restarts(number));
        if let Some(number) = number {
            let ply = Ply { at_move: false, ..ply };
            self.found.push(if restarts {
                structure::restarted_numbering(number).ply(ply)
            } else {
                structure::wrong_move_number(self.bytes, number, ply)
            });
        }
        let fen = fen_of(&self.line.position);
        // What a move leaves open has its own rule everywhere: it breaks no other.
        let open = leaves_open(refusal.rule);
        let finding = if in_main_line {
            Finding::new(refusal.rule, span).message(refusal.message.clone())
        } else {
            let rule = if open { refusal.rule } else { &moves::ILLEGAL_VARIATION_MOVE };
            Finding::new(rule, span).message(format!("in a variation: {}", refusal.message))
        };
        let mut finding = finding.ply(ply).fen(fen);
        if in_main_line && self.stop.is_none() {
            if !open && self.contradicts_promotion(&finding, written) {
                self.read_again();
                return;
            }
            self.stop = Some(if finding.rule == &moves::AMBIGUOUS_SAN {
                Verdict::Unreadable
            } else {
                Verdict::Illegal
            });
        }
        let kings = if in_main_line { self.kings_to_the_centre(span, false) } else { None };
        let mut read_on = ReadOn::Not;
        if open {
            let settled;
            (finding, settled) = self.settle_open_move(finding, in_main_line);
            match settled {
                Some(Settled { m, source }) => {
                    let source = if number.is_some() { PieceSource::Assumed } else { source };
                    read_on = ReadOn::With(m, source);
                }
                None if in_main_line && finding.rule == &promotions::MISSING_PROMOTION_PIECE => {
                    self.facts.open_promotions += 1;
                }
                None => {}
            }
            // Where the numbers go wrong, half-moves may be missing that tell it otherwise.
            if number.is_some()
                && let Some(fix) = &mut finding.fix
            {
                fix.applicability = Applicability::Display;
                fix.source = FixSource::Assumed;
                fix.edits.clear();
                fix.title += ", if nothing is missing where the numbers go wrong";
            }
        } else if !restarts && kings.is_none() {
            (finding, read_on) = self.explain(finding, written, &refusal, in_main_line);
        }
        self.found.push(finding);
        if let Some(kings) = kings {
            self.found.push(kings.ply(ply));
        }
        self.read_on(read_on, written, in_main_line);
    }

    /// Whether king and rook stand where they castle from, in a game whose start position says
    /// that they may not.
    fn never_had_the_right(&self, written: &WrittenMove) -> bool {
        let San::Castle(wing) = written.san else { return false };
        let us = self.line.position.turn();
        let king = Square::from_coords(File::E, us.backrank());
        let corner = if wing.is_king_side() { File::H } else { File::A };
        let rook = Square::from_coords(corner, us.backrank());
        let board = self.line.position.board();
        let at_home =
            board.piece_at(king) == Some(us.king()) && board.piece_at(rook) == Some(us.rook());
        let denied =
            |start: &StartPosition| start.set_up && !start.position.castles().has(us, wing);
        at_home && self.start.as_ref().is_some_and(denied)
    }

    pub(super) fn unreadable(&mut self, span: Span, in_main_line: bool) {
        if in_main_line && self.facts.passed {
            self.line.live = false;
            return;
        }
        let ply = self.line.next_move();
        let number = self.line.take_wrong_number().filter(|_| in_main_line);
        if let Some(number) = number {
            self.found.push(structure::wrong_move_number(self.bytes, number, ply));
        }
        let word = span.of(self.bytes);
        let text = self.found.text(word);
        let message = if is_descriptive(word) {
            format!("\"{text}\" is in English descriptive notation, which is not read here")
        } else {
            format!("\"{text}\" stands for a move and cannot be read as one")
        };
        let refusal = Refusal::new(&moves::UNREADABLE_MOVE, message.clone());
        let finding = Finding::new(&moves::UNREADABLE_MOVE, span);
        let finding = finding.ply(ply).message(message).fen(fen_of(&self.line.position));
        if in_main_line {
            self.stop.get_or_insert(Verdict::Unreadable);
        }
        let (finding, read_on) = self.explain(finding, None, &refusal, in_main_line);
        self.found.push(finding);
        self.read_on(read_on, None, in_main_line);
    }

    /// Adds to a finding what explains the words behind it, and says how to go on with them.
    fn explain(
        &mut self,
        finding: Finding,
        written: Option<&WrittenMove>,
        refusal: &Refusal,
        in_main_line: bool,
    ) -> (Finding, ReadOn) {
        if self.facts.explained >= MOST_EXPLAINED || !can_be_explained(refusal.rule) {
            return (finding, ReadOn::Not);
        }
        self.facts.explained += u32::from(in_main_line);
        let mut budget = self.take_budget();
        let span = finding.span;
        let rest = Span::new(span.end, self.frame.game.end);
        let around = if in_main_line { self.main_line_around(span) } else { None };
        let (words_before, words_behind) = match around {
            Some((before, behind)) => (before.to_vec(), behind.to_vec()),
            None if in_main_line => {
                let before = Span::new(self.movetext_start, span.start);
                let words = |part| main_line_words(self.bytes, part).collect();
                (words(before), words(rest))
            }
            None => (Vec::new(), variation_words(self.bytes, rest).collect()),
        };
        let words: Vec<&'a [u8]> = self.moves_of(words_behind.into_iter());
        let before = self.played_before(&words_before);
        let refused = RefusedMove {
            position: &self.line.position,
            word: span.of(self.bytes),
            written,
            refusal,
            before: &before,
            rest: &words,
            numbers: self.wrong_numbers(&before),
            dialect: &self.dialect,
        };
        let whole_budget = budget.clone();
        let explanation = refused.explain(&mut budget);
        let fix = fix(&refused, &explanation, span);
        let course = course(&refused, &explanation);
        let illegal = in_main_line && is_illegal(refusal, &explanation);
        let ruling = illegal.then(|| self.ruling(refusal, !words.is_empty())).flatten();
        let read_on = match self.examiner.options.after_illegal {
            AfterIllegal::Continue if in_main_line => {
                let mut next = main_line_words(self.bytes, rest);
                let next = next.find(|it| stands_for_move(it.of(self.bytes), &self.dialect));
                read_on(&refused, &explanation, next)
            }
            _ => ReadOn::Not,
        };
        if illegal {
            *self.facts.illegal.get_mut(self.line.position.turn()) += 1;
        }
        self.uncounted = budget.is_estimate().then(|| {
            let position = self.line.position.clone();
            let (word, written, refusal) = (span.of(self.bytes), written.copied(), refusal.clone());
            let numbers = refused.numbers;
            let budget = whole_budget;
            Box::new(Uncounted { budget, position, word, written, refusal, before, words, numbers })
        });
        self.budget = Some(budget);
        let told = course.is_some() || ruling.is_some();
        let finding = Finding { fix: fix.map(Box::new), ..finding };
        (finding.aftermath(told.then_some(Aftermath { course, ruling })), read_on)
    }

    /// What may still go into evidence. What the last explanation left out is counted now.
    pub(super) fn take_budget(&mut self) -> Budget {
        let budget = self.budget.take();
        match self.uncounted.take() {
            Some(uncounted) => uncounted.count(&self.dialect),
            None => budget.unwrap_or_else(|| Budget::of_game(self.frame.game.len())),
        }
    }

    /// Where the move numbers last went wrong, if among these half-moves or right behind them.
    fn wrong_numbers(&self, before: &[PlayedBefore<'_>]) -> Option<(usize, Numbers)> {
        // Behind half-moves that were put in or left out, the numbers are off by these.
        if self.facts.explained > 1 {
            return None;
        }
        let finding = self.found.all_of(&structure::WRONG_MOVE_NUMBER).last()?;
        let place = before.partition_point(|it| it.span.start < finding.span.start);
        if place == 0 && !before.is_empty() {
            return None;
        }
        let written = written_number(finding.span.of(self.bytes));
        let due = u64::from(finding.ply?.move_number);
        let numbers = if written > due { Numbers::Jump } else { Numbers::Repeat };
        Some((place, numbers))
    }

    /// The words of the main line.
    pub(super) fn main_line(&self) -> &[Span] {
        let movetext = Span::new(self.movetext_start, self.frame.game.end);
        self.main_line.get_or_init(|| main_line_words(self.bytes, movetext).collect())
    }

    /// The words of the main line before and behind one of them, where the text is the same whether
    /// it is read as a whole or in two parts.
    fn main_line_around(&self, word: Span) -> Option<(&[Span], &[Span])> {
        let stands_apart =
            self.bytes.get(word.end).is_none_or(|next| matches!(next, b' ' | b'\n' | b'!' | b'?'));
        let is_whole = self.ending == Ending::Whole
            && self.frame.cut_comment.is_none()
            && self.frame.late_close.is_none();
        let words = self.main_line();
        let at = words.binary_search_by_key(&word.start, |it| it.start).ok()?;
        let found = stands_apart && is_whole && words[at] == word;
        found.then(|| (&words[..at], &words[at + 1..]))
    }

    /// The last of the half-moves with these words.
    fn played_before(&self, spans: &[Span]) -> Vec<PlayedBefore<'a>> {
        /// A fault further back has mostly come to light before.
        const MOST_BEFORE: usize = 16;
        let Some(start) = self.start.as_ref().filter(|_| self.dialect.is_standard()) else {
            return Vec::new();
        };
        let mut board = CompactBoard::of(&start.position);
        let mut before = Vec::with_capacity(MOST_BEFORE);
        let first = spans.len().saturating_sub(MOST_BEFORE);
        let mut number = start.position.fullmoves().get();
        for (index, &span) in spans.iter().enumerate() {
            let word = span.of(self.bytes);
            // Whatever else stands there, the half-moves cannot be counted on.
            let Some(m) =
                WrittenMove::parse(word).and_then(|written| board.find(&written.san.into()))
            else {
                return Vec::new();
            };
            if index >= first {
                before.push(PlayedBefore { board, number, m, word, span });
            }
            board.play(m);
            number += u32::from(board.turn() == Color::White);
        }
        before
    }

    fn moves_of(&self, words: impl Iterator<Item = Span>) -> Vec<&'a [u8]> {
        words
            .map(|word| word.of(self.bytes))
            .filter(|word| stands_for_move(word, &self.dialect))
            .collect()
    }

    /// What the Laws of the day prescribe, if the refused move was played.
    /// `answered` says that the opponent has moved since.
    fn ruling(&self, refusal: &Refusal, answered: bool) -> Option<String> {
        // Servers and programs let no illegal move stand, and behind the end nothing is at stake.
        if self.profile() != Profile::Fide || self.facts.automatic_end.is_some() {
            return None;
        }
        let position = &self.line.position;
        let by = position.turn();
        let penalty = IllegalMove {
            by,
            nth: self.facts.illegal.get(by) + 1,
            date: self.date,
            class: self.time_class(),
            answered,
            opponent_cannot_mate: cannot_mate(position, !by),
        }
        .penalty();
        let mates = refusal.attempt.is_some_and(|m| Effect::of(position, m) == Effect::Mate);
        let mate = mates.then_some("a mate by an illegal move mates nobody (FIDE 5.1.1)");
        match (penalty, mate) {
            (Some(penalty), Some(mate)) => Some(format!("{penalty}; {mate}")),
            (penalty, mate) => penalty.or_else(|| mate.map(str::to_owned)),
        }
    }

    /// By the TimeControl tag; without one, by what the Event names.
    pub(super) fn time_class(&self) -> TimeClass {
        let text = |span: Option<Span>| {
            span.map(|span| String::from_utf8_lossy(span.of(self.bytes))).unwrap_or_default()
        };
        match TimeClass::of_time_control(&text(self.known.time_control)) {
            TimeClass::Unknown => TimeClass::of_event(&text(self.known.event)),
            class => class,
        }
    }

    fn read_on(&mut self, how: ReadOn, written: Option<&WrittenMove>, in_main_line: bool) {
        let mut source = PieceSource::Explicit;
        let m = match how {
            ReadOn::With(m, piece) => {
                source = piece;
                Some(m)
            }
            ReadOn::Before(missing) => {
                self.line.play(missing);
                written.and_then(|written| resolve(&self.line.position, &written.san))
            }
            ReadOn::Without => return,
            ReadOn::From(position, read) => {
                self.line.go_on_from(*position);
                if let Some(word) = read {
                    self.skip_to = word.end;
                    self.plies += 1;
                }
                return;
            }
            ReadOn::Not => None,
        };
        match m {
            Some(m) => {
                let ply = self.line.next_move();
                self.line.play(m);
                if in_main_line && self.examiner.options.collect {
                    self.facts.moves_key = mix(self.facts.moves_key, m);
                    self.uncertified(m, ply, source);
                }
            }
            None => self.line.live = false,
        }
    }

    /// Whether the numbering begins again at 1 and all that follows can be played from the start
    /// position: then it is another game.
    fn restarts(&self, number: Span) -> bool {
        let digits = number.of(self.bytes).iter().take_while(|byte| byte.is_ascii_digit());
        digits.eq(b"1") && self.plays_on(Chess::new(), Span::new(number.start, self.frame.game.end))
    }

    /// Whether the main line in this stretch can be played from a position, up to the next
    /// promotion without a piece.
    pub(super) fn plays_on(&self, position: Chess, movetext: Span) -> bool {
        let words = main_line_words(self.bytes, movetext).map(|word| word.of(self.bytes));
        let mut tries = MOST_TRIES;
        play_words(position, words, &self.dialect, &mut tries).whole
    }
}

/// Whether it can be looked for what was meant: the game was not over, and the fault is no choice
/// between legal moves.
fn can_be_explained(rule: &Rule) -> bool {
    ![&moves::MOVE_AFTER_CHECKMATE, &moves::MOVE_AFTER_STALEMATE, &moves::AMBIGUOUS_SAN]
        .iter()
        .any(|other| *rule == **other)
}

/// Whether a refused move counts as an illegal move of its player: not what could not be read, what
/// no hand can make on the board, and what explains itself as a fault of the record.
fn is_illegal(refusal: &Refusal, explanation: &Explanation) -> bool {
    let as_written = matches!(explanation.reading, None | Some(Reading::Stood(_) | Reading::Lost));
    refusal.rule.basis.starts_with("FIDE 3") && refusal.attempt.is_some() && as_written
}

/// The reading that is played on, as far as the board allows it. `next` is the word behind the
/// refused one.
fn read_on(refused: &RefusedMove<'_>, explanation: &Explanation, next: Option<Span>) -> ReadOn {
    let written = |m| ReadOn::With(m, PieceSource::Explicit);
    let made = made_of(refused);
    let Some(reading) = &explanation.reading else { return made };
    let place = explanation.earlier.unwrap_or(refused.before.len());
    let here = explanation.earlier.is_none();
    let skipped = next.filter(|_| here);
    let from = |skipped| match refused.read_with(place, reading) {
        Some(position) => ReadOn::From(Box::new(position), skipped),
        None => made_of(refused),
    };
    match reading {
        _ if !here => from(None),
        Reading::Stood(m) => written(*m),
        Reading::Slip(moves) => {
            moves.first().map_or(made, |m| ReadOn::With(*m, PieceSource::Inferred))
        }
        Reading::MissingPly(moves) => moves.first().map_or(made, |m| ReadOn::Before(*m)),
        Reading::ExtraPlies(1) => ReadOn::Without,
        Reading::MissingMove(..) => from(None),
        Reading::ExtraPlies(_) | Reading::SwappedPlies => from(skipped),
        Reading::Lost => made,
    }
}

/// The refused move, made all the same.
fn made_of(refused: &RefusedMove<'_>) -> ReadOn {
    let attempt = refused.refusal.attempt;
    attempt.map_or(ReadOn::Not, |m| ReadOn::With(m, PieceSource::Explicit))
}
