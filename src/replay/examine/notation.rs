//! Words in other notations than the standard's: moves, several moves run together, and remarks.

use shakmaty::san::San;
use shakmaty::{Move, Position, Role, Square};

use super::contradiction::MadePromotion;
use super::{Exam, FirstReading};
use crate::diagnostics::{Finding, Span};
use crate::pgn::notation as reader;
use crate::pgn::{
    Lexer, Mark, Remark, Style, TokenKind, WrittenMove, parse_result, word_reference_len,
};
use crate::replay::GameResult;
use crate::replay::decision::decide_for;
use crate::replay::evidence::main_line_words;
use crate::replay::interpret::{
    Interpretation, RunPart, first_move_len, interpret, interpret_reading, number_len,
    stands_for_move,
};
use crate::rules::notation::{CHECK_MARK, MATE_MARKED_AS_CHECK, UCI_MOVE};
use crate::rules::spelling::Effect;
use crate::rules::{annotations, moves, promotions, spelling, structure};

impl Exam<'_, '_, '_> {
    /// A word that the standard notation alone does not explain.
    #[cold]
    pub(super) fn other_word(&mut self, span: Span, in_main_line: bool) {
        let told = self.found.len();
        let live = self.line.live;
        self.interpret_word(span, in_main_line);
        // Character references are told, unless what is told of the word mends them.
        if live && span.of(self.bytes).contains(&b'&') && self.found.len() == told {
            let mut at = span.start;
            while at < span.end {
                let len = word_reference_len(&self.bytes[at..span.end]);
                if len > 0 {
                    self.examiner.markup.push(Span::new(at, at + len));
                }
                at += len.max(1);
            }
        }
    }

    fn interpret_word(&mut self, span: Span, in_main_line: bool) {
        let mut rest = Some(span);
        while let Some(span) = rest {
            rest = self.interpret_part(span, in_main_line);
        }
    }

    /// Gives what is still to be read, behind moves that are run together.
    fn interpret_part(&mut self, span: Span, in_main_line: bool) -> Option<Span> {
        let word = span.of(self.bytes);
        if !self.line.live {
            self.plies += u32::from(in_main_line && stands_for_move(word, &self.dialect));
            if in_main_line && let Some(marker) = hanging_result(self.bytes, span) {
                self.marker = Some(marker);
            }
            return None;
        }
        let meaning = interpret(&self.line.position, word, &self.dialect);
        if in_main_line && self.settle_dialect(&meaning, span) {
            return None;
        }
        match meaning {
            Interpretation::Move(written, m) => {
                self.plies += u32::from(in_main_line);
                self.play_other(&written, m, span, in_main_line);
            }
            Interpretation::Run(parts) => self.run(&parts, span, in_main_line),
            Interpretation::BrokenRun(parts, end) => {
                if !parts.is_empty() {
                    self.run(&parts, Span::new(span.start, span.start + end), in_main_line);
                }
                return self.rest_of_run(Span::new(span.start + end, span.end), in_main_line);
            }
            Interpretation::Null(_) => {
                self.plies += u32::from(in_main_line);
                self.pass(span, in_main_line);
            }
            Interpretation::Refused { written, refusal } => {
                self.plies += u32::from(in_main_line);
                if refusal.rule == &promotions::MISSING_PROMOTION_PIECE
                    && let Some((written, m, end)) = self.piece_apart(span)
                {
                    self.skip_to = end;
                    self.play_other(&written, m, Span::new(span.start, end), in_main_line);
                    return None;
                }
                self.refuse(written.as_ref(), refusal, span, in_main_line);
            }
            Interpretation::Unreadable => {
                self.plies += u32::from(in_main_line);
                self.unreadable(span, in_main_line);
            }
            Interpretation::Remark(remark) => self.remark(remark, span),
            Interpretation::Unknown => self.at_ply(&structure::UNKNOWN_TOKEN, span),
        }
        None
    }

    /// At the first word that does not fit the standard's letters: whether the game is to be read
    /// again, in another dialect.
    fn settle_dialect(&mut self, meaning: &Interpretation, span: Span) -> bool {
        let doubtful = match meaning {
            Interpretation::Move(written, _) => written.style.has(Style::LOCALIZED),
            Interpretation::BrokenRun(..)
            | Interpretation::Refused { .. }
            | Interpretation::Unreadable => true,
            Interpretation::Run(_)
            | Interpretation::Null(_)
            | Interpretation::Remark(_)
            | Interpretation::Unknown => false,
        };
        if !doubtful || self.dialect_settled {
            return false;
        }
        self.dialect_settled = true;
        let Some(start) = &self.start else { return false };
        debug_assert!(self.movetext_start <= span.start);
        let words = self.main_line().iter().map(|word| word.of(self.bytes));
        self.again = decide_for(&start.position, words)
            .map(|dialect| FirstReading { dialect: Some(dialect), contradiction: None });
        self.again.is_some()
    }

    /// A number: mostly that of a move, and sometimes a move itself.
    #[inline]
    pub(super) fn number(&mut self, span: Span) {
        let text = span.of(self.bytes);
        let plain = matches!(text.last(), Some(b'.' | b'0'..=b'9'));
        if plain && (text.len() < 4 || !reader::is_numeric_move(text)) {
            self.line.number(self.bytes, span);
        } else {
            self.odd_number(span);
        }
    }

    #[cold]
    fn odd_number(&mut self, span: Span) {
        let in_main_line = self.examiner.outer.is_empty();
        if let Some(reading) = reader::read_numeric(span.of(self.bytes))
            && self.line.variant.is_none()
        {
            if !self.line.live {
                self.plies += u32::from(in_main_line && self.found.has(&UCI_MOVE));
                return;
            }
            match interpret_reading(&self.line.position, &reading) {
                Interpretation::Move(written, m) => {
                    self.plies += u32::from(in_main_line);
                    self.play_other(&written, m, span, in_main_line);
                    return;
                }
                // Where moves were written so before, it is one that cannot be played.
                Interpretation::Refused { written, refusal } if self.found.has(&UCI_MOVE) => {
                    self.plies += u32::from(in_main_line);
                    self.refuse(written.as_ref(), refusal, span, in_main_line);
                    return;
                }
                _ => {}
            }
        }
        self.line.number(self.bytes, span);
        if !span.of(self.bytes).last().is_some_and(u8::is_ascii_digit) {
            let ply = self.ply_before();
            self.found.push(structure::number_without_dot(self.bytes, span).ply(ply));
        }
    }

    /// A line that a `;` makes a comment, though it goes on with the moves.
    #[cold]
    pub(super) fn line_comment(&mut self, span: Span) {
        if !self.line.live || self.line.variant.is_some() {
            return;
        }
        let text = Span::new(span.start + 1, span.end);
        let mut first = None;
        for token in Lexer::movetext(self.bytes, text) {
            match token.kind {
                TokenKind::Word => {
                    let word = token.span.of(self.bytes);
                    if !stands_for_move(word, &self.dialect) {
                        return;
                    }
                    first.get_or_insert(word);
                }
                TokenKind::Space
                | TokenKind::MoveNumber
                | TokenKind::Nag
                | TokenKind::Suffix
                | TokenKind::LineComment
                | TokenKind::Termination { .. } => {}
                _ => return,
            }
        }
        let position = &self.line.position;
        let goes_on = first.is_some_and(|word| {
            matches!(
                interpret(position, word, &self.dialect),
                Interpretation::Move(..) | Interpretation::Run(_)
            )
        });
        if goes_on {
            self.at_ply(&structure::MOVES_IN_LINE_COMMENT, span);
        }
    }

    /// Several moves without anything between them, all legal.
    fn run(&mut self, parts: &[RunPart], span: Span, in_main_line: bool) {
        let ply = self.line.next_move();
        let inside = |part: &Span| Span::new(span.start + part.start, span.start + part.end);
        let finding = structure::run_together(self.bytes, span, parts, self.found);
        self.found.push(finding.ply(ply));
        for part in parts {
            match part {
                RunPart::Number(number) => self.line.number(self.bytes, inside(number)),
                RunPart::Move(place, written, m) => {
                    self.plies += u32::from(in_main_line);
                    self.play_other(written, *m, inside(place), in_main_line);
                }
                RunPart::Result(place, result, standard) => {
                    self.marker = Some((*result, *standard, inside(place)));
                }
            }
        }
    }

    /// The piece of a promotion that stands apart from its move, `e8 =Q` or `e8 (♕)`: the move
    /// with it, and where it ends.
    fn piece_apart(&self, word: Span) -> Option<(WrittenMove, Move, usize)> {
        const NEAR: usize = 24;
        let end = self.frame.game.end.min(word.end + NEAR);
        let near = &self.bytes[word.end..end];
        let mut joined = word.of(self.bytes).to_vec();
        let mut at = 0;
        // The sign, and the piece with what hangs on it.
        for _ in 0..2 {
            at += near[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let part = near[at..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
            joined.extend_from_slice(&near[at..at + part]);
            at += part;
            if let Interpretation::Move(written, m) =
                interpret(&self.line.position, &joined, &self.dialect)
                && m.is_promotion()
            {
                let style = written.style | Style::PROMOTION;
                return Some((WrittenMove { style, ..written }, m, word.end + at));
            }
        }
        None
    }

    /// What stands behind the legal moves of a run: a move that is not legal, and more, which is
    /// still to be read.
    fn rest_of_run(&mut self, rest: Span, in_main_line: bool) -> Option<Span> {
        let start = rest.start + number_len(rest.of(self.bytes));
        let rest = Span::new(start, rest.end);
        let len = first_move_len(rest.of(self.bytes), &self.dialect);
        let first = Span::new(start, start + len);
        if first.is_empty() {
            return None;
        }
        if first.end == rest.end {
            return Some(first);
        }
        // It reads as one move, so nothing of it is left.
        self.interpret_part(first, in_main_line);
        // A promotion that lacks its piece does not end what can be read.
        let behind = Span::new(first.end, rest.end);
        let start = behind.start + number_len(behind.of(self.bytes));
        Some(Span::new(start, behind.end))
    }

    /// Words that say something of the move before them.
    fn remark(&mut self, remark: Remark, span: Span) {
        if remark == Remark::Check && self.goes_on_with_check(span) {
            return;
        }
        let ply = self.ply_before();
        let finding = match remark {
            Remark::EnPassant => spelling::apart_en_passant(span),
            Remark::Check => {
                let pieces = self.pieces_of_words(span);
                spelling::apart_check(self.bytes, span, self.missing_mark(), &pieces)
            }
            Remark::DrawOffer => spelling::apart_draw_offer(self.bytes, span),
            Remark::Symbol(glyph) => annotations::symbol(self.bytes, span, glyph),
        };
        self.found.push(finding.ply(ply));
    }

    /// The `ch` of `dis ch` is told with its first word.
    fn goes_on_with_check(&mut self, span: Span) -> bool {
        let pieces = self.pieces_of_words(span);
        let (bytes, move_end) = (self.bytes, self.facts.last_move.end);
        let Some(last) = self.found.last_of(&CHECK_MARK) else { return false };
        let goes_on = last.span.start >= move_end
            && last.span.end < span.start
            && bytes[last.span.end..span.start].trim_ascii().is_empty();
        if goes_on {
            spelling::extend_apart_check(bytes, last, span.end, &pieces);
        }
        goes_on
    }

    /// The pieces that would give the check or the mate that stands behind a promotion in words, if
    /// the one that it names does not.
    fn pieces_of_words(&self, span: Span) -> Vec<Role> {
        let in_main_line = self.examiner.outer.is_empty() && self.line.live;
        let made = self.examiner.made.last().filter(|it| it.span == self.facts.last_move);
        let Some(MadePromotion { before, m, .. }) = made.filter(|_| in_main_line) else {
            return Vec::new();
        };
        let text = String::from_utf8_lossy(span.of(self.bytes)).to_ascii_lowercase();
        let mates = ["mat", "#", "‡"].iter().any(|mate| text.contains(mate));
        let mark = if mates { Mark::Mate } else { Mark::Check };
        spelling::pieces_of_mark(*m, mark, |m| Effect::of(before, m))
    }

    /// The mark that the last move lacks, if that was told of it: the word behind it has told too.
    fn missing_mark(&mut self) -> Option<(Effect, usize)> {
        let last = self.facts.last_move;
        let in_main_line = self.examiner.outer.is_empty();
        if !in_main_line || !self.line.live || !self.line.position.is_check() {
            return None;
        }
        let mate = self.line.position.is_checkmate();
        let rule = if mate { &MATE_MARKED_AS_CHECK } else { &CHECK_MARK };
        let bare = !last.of(self.bytes).ends_with(b"+");
        let effect = if mate { Effect::Mate } else { Effect::Check };
        (bare && self.found.take_back(rule, last)).then_some((effect, last.end))
    }

    pub(super) fn suffix(&mut self, span: Span) {
        if let Some(finding) = annotations::suffix(self.bytes, span) {
            let ply = self.ply_before();
            self.found.push(finding.ply(ply));
        }
    }

    /// The kings' walk to the centre that an electronic board recorded: nothing but one or two
    /// moves of kings to the four squares is left. By chance they may be `legal`.
    pub(super) fn kings_to_the_centre(&self, span: Span, legal: bool) -> Option<Finding> {
        let rest = Span::new(span.start, self.frame.game.end);
        let mut last = span;
        let mut squares = Vec::new();
        for word in main_line_words(self.bytes, rest).take(3) {
            let San::Normal { role: Role::King, to, capture: false, .. } =
                WrittenMove::parse(word.of(self.bytes))?.san
            else {
                return None;
            };
            if !is_central(to) {
                return None;
            }
            squares.push(to);
            last = word;
        }
        let told = match squares.as_slice() {
            [_] => None,
            [one, other] => Some(result_of_kings(*one, *other)),
            _ => return None,
        };
        let tag = self.known.result.and_then(|tag| parse_result(tag.of(self.bytes).trim_ascii()));
        let against = told.zip(tag).filter(|(told, (tag, _))| told != tag && is_known(*tag));
        let kings = Span::new(span.start, last.end);
        Some(moves::kings_to_the_centre(kings, legal, against.map(|(told, (tag, _))| (told, tag))))
    }
}

/// One of the four squares in the middle, where the kings tell an electronic board the result.
pub(super) fn is_central(square: Square) -> bool {
    matches!(square, Square::D4 | Square::E4 | Square::D5 | Square::E5)
}

/// What two kings on these squares tell: both on light ones that White won, both on dark ones that
/// Black won, else a draw.
fn result_of_kings(one: Square, other: Square) -> GameResult {
    match (one.is_light(), other.is_light()) {
        (true, true) => GameResult::WhiteWins,
        (false, false) => GameResult::BlackWins,
        _ => GameResult::Draw,
    }
}

fn is_known(result: GameResult) -> bool {
    matches!(result, GameResult::WhiteWins | GameResult::BlackWins | GameResult::Draw)
}

/// A result that hangs on a word of a game that is no longer followed.
fn hanging_result(bytes: &[u8], span: Span) -> Option<(GameResult, bool, Span)> {
    let word = span.of(bytes);
    let marker = [&b"1/2-1/2"[..], b"1-0", b"0-1"]
        .into_iter()
        .find(|marker| word.len() > marker.len() + 1 && word.ends_with(marker))?;
    let (result, standard) = parse_result(marker)?;
    Some((result, standard, Span::new(span.end - marker.len(), span.end)))
}
