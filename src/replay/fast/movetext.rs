//! The pass over the movetext.

use memchr::memchr2;
use shakmaty::{Bitboard, Color, Role, Square};

use super::board::{BoardMove, CompactBoard};
use super::pause::{Handover, Look, Pause, Watch};
use super::written::{self, PawnMove, PieceMove};
use crate::diagnostics::Span;
use crate::replay::evidence::mix_squares;
use crate::replay::{GameResult, Repetitions};
use crate::rules::spelling::Effect;

/// A game on its way through the fast lane. What it holds of the moves is true whenever it stops.
#[derive(Clone, Debug)]
pub struct Pass {
    pub board: CompactBoard,
    /// The position before the last move.
    pub before: CompactBoard,
    /// Where the next token begins.
    pub at: usize,
    /// Half-moves played from the start of the game.
    pub ply: u32,
    /// The number of the next move, as the text has it.
    pub number: u32,
    /// The numbers are other ones than those of the moves, and go on from the first.
    pub is_shifted: bool,
    /// The word of the last move, without `!` and `?`.
    pub last_move: Span,
    /// What it did to the opponent's king.
    pub effect: Effect,
    /// How often the position on the board has stood.
    pub occurrences: u32,
    pub max_halfmove_clock: u32,
    pub moves_key: u64,
    pub last_comment: Option<Span>,
    /// The half-move of the last promotion, 0 if there is none.
    pub promoted_at: u32,
    pub watch: Watch,
}

impl Pass {
    /// A pass over the movetext from `at` on, from the start of a game; the first of the boards
    /// stands before the last move, the other one behind it.
    pub fn new([before, board]: [CompactBoard; 2], at: usize, watch: Watch) -> Pass {
        Pass {
            board,
            before,
            at,
            ply: 0,
            number: 1,
            is_shifted: false,
            last_move: Span::new(at, at),
            effect: Effect::None,
            occurrences: 1,
            max_halfmove_clock: board.halfmove_clock(),
            moves_key: 0,
            last_comment: None,
            promoted_at: 0,
            watch,
        }
    }

    /// Goes on until there is something to look at. `text` ends with the game.
    pub fn run(&mut self, text: &[u8], repetitions: &mut Repetitions) -> Pause {
        while let Some(&byte) = text.get(self.at) {
            let pause = match byte {
                b' ' | b'\n' | b'\r' | b'\t' => self.blanks(text),
                b'a'..=b'h' => self.pawn(text, repetitions),
                b'N' | b'B' | b'R' | b'Q' | b'K' => self.piece(byte, text, repetitions),
                b'O' => self.castling(text, repetitions),
                b'0'..=b'9' => self.number(text),
                b'{' => self.comment(text),
                b'$' => self.glyph(text),
                b'!' | b'?' => self.suffix(text),
                b'.' => self.dots(text),
                b'*' => self.marker(text, GameResult::Unknown, 1),
                b'(' => Some(Pause::Odd(Handover::Variation)),
                b'A'..=b'Z' | b'i'..=b'z' | b'-' => Some(Pause::Odd(Handover::Word)),
                _ => Some(Pause::Odd(Handover::Token)),
            };
            if let Some(pause) = pause {
                return pause;
            }
        }
        Pause::End(None)
    }

    #[inline(always)]
    fn blanks(&mut self, text: &[u8]) -> Option<Pause> {
        match text.get(self.at + 1) {
            Some(0..=b' ') => self.more_blanks(text),
            _ => {
                self.at += 1;
                None
            }
        }
    }

    /// Several of them: no more than one line end is a blank like any other.
    #[inline(never)]
    fn more_blanks(&mut self, text: &[u8]) -> Option<Pause> {
        let (mut end, mut line_ends) = (self.at, 0);
        loop {
            match text[end..] {
                [b'\r', b'\n', ..] => {
                    line_ends += 1;
                    end += 2;
                }
                [b'\r' | b'\n', ..] => {
                    line_ends += 1;
                    end += 1;
                }
                [b' ' | b'\t', ..] => end += 1,
                [0..b' ', ..] => return Some(Pause::Odd(Handover::Token)),
                _ => break,
            }
        }
        if line_ends > 1 {
            return Some(Pause::Odd(Handover::EmptyLine));
        }
        self.at = end;
        None
    }

    /// A move number, or a result.
    #[inline(always)]
    fn number(&mut self, text: &[u8]) -> Option<Pause> {
        let mut end = self.at;
        let mut number = 0;
        while let Some(digit @ b'0'..=b'9') = text.get(end).copied() {
            number = number * 10 + u32::from(digit - b'0');
            end += 1;
            if end - self.at > 4 {
                return Some(Pause::Odd(Handover::Number));
            }
        }
        match text.get(end) {
            Some(b'.') => {}
            Some(b'-' | b'/') => return self.result(text),
            _ => return Some(Pause::Odd(Handover::Number)),
        }
        end += 1;
        let dots = if text.get(end) == Some(&b'.') {
            let more = text[end..].iter().take_while(|byte| **byte == b'.').count();
            end += more;
            1 + more
        } else {
            1
        };
        // Three dots are Black's.
        let fits = dots < 3 || self.board.turn() == Color::Black || self.is_shifted;
        if number != self.number || !fits || is_high(text, end) {
            return Some(Pause::Odd(Handover::Number));
        }
        self.at = end;
        None
    }

    /// Dots that stand apart from their number.
    fn dots(&mut self, text: &[u8]) -> Option<Pause> {
        let dots = text[self.at..].iter().take_while(|byte| **byte == b'.').count();
        if is_high(text, self.at + dots) {
            return Some(Pause::Odd(Handover::Number));
        }
        self.at += dots;
        None
    }

    #[inline(never)]
    fn result(&mut self, text: &[u8]) -> Option<Pause> {
        let result = match &text[self.at..] {
            b"1-0" => GameResult::WhiteWins,
            b"0-1" => GameResult::BlackWins,
            b"1/2-1/2" => GameResult::Draw,
            _ => return Some(Pause::Odd(Handover::Token)),
        };
        self.marker(text, result, text.len() - self.at)
    }

    /// A marker that ends the game.
    fn marker(&mut self, text: &[u8], result: GameResult, len: usize) -> Option<Pause> {
        let span = Span::new(self.at, self.at + len);
        if span.end < text.len() {
            return Some(Pause::Odd(Handover::Token));
        }
        self.at = span.end;
        Some(Pause::End(Some((result, span))))
    }

    #[inline(always)]
    fn comment(&mut self, text: &[u8]) -> Option<Pause> {
        let inside = &text[self.at + 1..];
        let Some(len) = memchr2(b'}', b'{', inside).filter(|len| inside[*len] == b'}') else {
            return Some(Pause::Odd(Handover::Comment));
        };
        let span = Span::new(self.at, self.at + len + 2);
        self.at = span.end;
        self.last_comment = Some(span);
        (self.promoted_at == self.ply && self.ply > 0).then_some(Pause::Comment(span))
    }

    fn glyph(&mut self, text: &[u8]) -> Option<Pause> {
        let digits = text[self.at + 1..].iter().take_while(|byte| byte.is_ascii_digit());
        let (len, number) = digits
            .take(4)
            .fold((0, 0), |(len, number), digit| (len + 1, number * 10 + u32::from(digit - b'0')));
        if !(1..=3).contains(&len) || number > 255 {
            return Some(Pause::Odd(Handover::Token));
        }
        self.at += 1 + len;
        None
    }

    fn suffix(&mut self, text: &[u8]) -> Option<Pause> {
        let len = text[self.at..].iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        if len > 2 {
            return Some(Pause::Odd(Handover::Token));
        }
        self.at += len;
        None
    }

    #[inline(always)]
    fn piece(&mut self, letter: u8, text: &[u8], repetitions: &mut Repetitions) -> Option<Pause> {
        let Some(role) = written::role(letter) else {
            return Some(Pause::Odd(Handover::Word));
        };
        let Some((written, mark, len)) = written::read_piece(&text[self.at..]) else {
            return Some(Pause::Odd(Handover::Word));
        };
        let PieceMove { origin, capture, to } = written;
        let board = &mut self.board;
        let Some(from) = board.find_piece(role, origin, to) else {
            return Some(Pause::Odd(Handover::Move));
        };
        let is_plain = capture == board.theirs().contains(to)
            && (origin == Bitboard::FULL || needs(board, role, origin, to));
        self.before = *board;
        if board.play_piece(role, from, to) {
            self.occurrences = repetitions.moved(board.turn(), role, from, to);
        } else {
            self.cannot_be_undone(repetitions);
        }
        self.played(BoardMove::Piece { role, from, to }, is_plain, mark, len)
    }

    #[inline(always)]
    fn pawn(&mut self, text: &[u8], repetitions: &mut Repetitions) -> Option<Pause> {
        let Some((written, mark, len)) = written::read_pawn(&text[self.at..]) else {
            return Some(Pause::Odd(Handover::Word));
        };
        let PawnMove { captures_from, to, promotion } = written;
        let board = &mut self.board;
        let from = match captures_from {
            None => board.pushed_from(to),
            Some(file) => {
                let from = board.pawns_attacking(to) & Bitboard::from_file(file);
                from.first().filter(|_| !board.kings().contains(to))
            }
        };
        let Some(from) = from else { return Some(Pause::Odd(Handover::Move)) };
        if captures_from.is_some() && !board.theirs().contains(to) {
            return self.in_passing(from, to, mark, len, repetitions);
        }
        if !board.keeps_king_safe(Role::Pawn, from, to) {
            return Some(Pause::Odd(Handover::Move));
        }
        self.before = *board;
        board.play_pawn(from, to, promotion);
        self.cannot_be_undone(repetitions);
        if promotion.is_some() {
            self.promoted_at = self.ply + 1;
        }
        self.played(BoardMove::Pawn { from, to, promotion }, true, mark, len)
    }

    #[inline(never)]
    fn in_passing(
        &mut self,
        from: Square,
        to: Square,
        mark: Effect,
        len: usize,
        repetitions: &mut Repetitions,
    ) -> Option<Pause> {
        let board = &mut self.board;
        if !board.was_jumped_over(to) || !board.keeps_king_safe_in_passing(from, to) {
            return Some(Pause::Odd(Handover::Move));
        }
        self.before = *board;
        board.play_in_passing(from, to);
        self.cannot_be_undone(repetitions);
        self.played(BoardMove::EnPassant { from, to }, true, mark, len)
    }

    #[inline(never)]
    fn castling(&mut self, text: &[u8], repetitions: &mut Repetitions) -> Option<Pause> {
        let Some((side, mark, len)) = written::read_castling(&text[self.at..]) else {
            return Some(Pause::Odd(Handover::Word));
        };
        let board = &mut self.board;
        let Some((king, rook)) = board.castling(side) else {
            return Some(Pause::Odd(Handover::Move));
        };
        self.before = *board;
        board.play_castling(king, rook);
        self.cannot_be_undone(repetitions);
        self.played(BoardMove::Castle { king, rook }, true, mark, len)
    }

    #[inline(always)]
    fn cannot_be_undone(&mut self, repetitions: &mut Repetitions) {
        let board = &self.board;
        let in_passing = board.can_capture_in_passing();
        repetitions.irreversible(board.turn(), board.castling_rooks(), in_passing);
        self.occurrences = 1;
    }

    /// Behind a move that is on the board: what it does, and whether it is to be looked at.
    #[inline(always)]
    fn played(&mut self, m: BoardMove, is_plain: bool, mark: Effect, len: usize) -> Option<Pause> {
        let board = &self.board;
        self.ply += 1;
        self.number += u32::from(board.turn() == Color::White);
        let clock = board.halfmove_clock();
        self.max_halfmove_clock = self.max_halfmove_clock.max(clock);
        let checkers = board.checkers();
        self.effect = if checkers.is_empty() {
            Effect::None
        } else if board.can_answer(checkers) {
            Effect::Check
        } else {
            Effect::Mate
        };
        self.last_move = Span::new(self.at, self.at + len);
        self.at += len;
        let watch = &self.watch;
        if watch.hash {
            self.moves_key = mixed(self.moves_key, m);
        }
        let look = Look {
            spelling: !is_plain || mark != self.effect,
            promotion: matches!(m, BoardMove::Pawn { promotion: Some(_), .. }),
            draw: match clock {
                0 => watch.dead && board.may_be_dead(),
                _ => self.occurrences >= watch.occurrences || clock >= watch.halfmove_clock,
            },
        };
        (look.spelling || look.promotion || look.draw || watch.every_move)
            .then_some(Pause::Look(look, m))
    }
}

/// Whether no less than this tells the piece.
#[inline(never)]
fn needs(board: &CompactBoard, role: Role, origin: Bitboard, to: Square) -> bool {
    let legal = board.legal_origins(role, to);
    let several_on = |squares: Bitboard| (legal & squares).more_than_one();
    legal.more_than_one()
        && origin
            .single_square()
            .is_none_or(|from| several_on(from.file().into()) && several_on(from.rank().into()))
}

#[inline]
fn mixed(key: u64, m: BoardMove) -> u64 {
    let (from, to, promotion) = match m {
        BoardMove::Piece { from, to, .. } | BoardMove::EnPassant { from, to } => (from, to, None),
        BoardMove::Pawn { from, to, promotion } => (from, to, promotion),
        BoardMove::Castle { king, rook } => (king, rook, None),
    };
    mix_squares(key, from.into(), to, promotion)
}

/// A character beyond ASCII may be a dot, or white space.
fn is_high(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|byte| *byte >= 0x80)
}
