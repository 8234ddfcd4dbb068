//! A line of play: the main line or a variation, with its position and its move numbers.

use shakmaty::variant::VariantPosition;
use shakmaty::{Chess, Color, Move, Position};

use super::variant_board::VariantBoard;
use crate::diagnostics::{Ply, Span};

/// Where a line stands.
#[derive(Clone, Debug)]
pub struct Line {
    pub position: Chess,
    /// The position before the last move: where a variation of that move begins.
    pub before: Chess,
    /// Where the game is one of a variant, its board: the two positions of chess then mean nothing.
    pub variant: Option<Box<VariantBoard>>,
    /// Half-moves from the start of the game.
    pub ply: u32,
    /// Whether its moves are still judged: no fault came before.
    pub live: bool,
    start_number: u32,
    start_black: bool,
    /// How far the last move number was off. Numbers that go on from it are not told of again.
    number_offset: i64,
    /// A move number that does not fit. It is told of only if the move behind it is legal: before
    /// a fault it says nothing that the fault does not.
    wrong_number: Option<Span>,
}

impl Default for Line {
    fn default() -> Line {
        Line::new(&Chess::new())
    }
}

impl Line {
    pub fn new(position: &Chess) -> Line {
        Line {
            position: position.clone(),
            before: position.clone(),
            variant: None,
            ply: 0,
            live: true,
            start_number: position.fullmoves().get(),
            start_black: position.turn() == Color::Black,
            number_offset: 0,
            wrong_number: None,
        }
    }

    pub fn of_variant(position: VariantPosition) -> Line {
        Line {
            start_number: position.fullmoves().get(),
            start_black: position.turn() == Color::Black,
            variant: Some(Box::new(VariantBoard::new(position))),
            ..Line::default()
        }
    }

    /// The variation that replaces the last move of this line.
    pub fn variation(&self) -> Line {
        Line {
            position: self.before.clone(),
            before: self.before.clone(),
            variant: self.variant.as_ref().map(|board| Box::new(board.variation())),
            ply: self.ply.saturating_sub(1),
            live: self.live,
            wrong_number: None,
            ..*self
        }
    }

    /// The next move's place.
    pub fn next_move(&self) -> Ply {
        let (move_number, black) = self.number_of(self.ply);
        Ply { index: self.ply + 1, move_number, black, at_move: true }
    }

    /// The last move's place, for what is said of it.
    pub fn last_move(&self) -> Ply {
        let (move_number, black) = self.number_of(self.ply.saturating_sub(1));
        Ply { index: self.ply, move_number, black, at_move: self.ply > 0 }
    }

    /// Who has the move after so many half-moves.
    pub fn turn_behind(&self, played: u32) -> Color {
        Color::from_white(!self.number_of(played).1)
    }

    /// Number and side of the move that comes after `played` half-moves.
    pub fn number_of(&self, played: u32) -> (u32, bool) {
        let half_moves = u64::from(played) + u64::from(self.start_black);
        let number = u64::from(self.start_number) + half_moves / 2;
        (u32::try_from(number).unwrap_or(u32::MAX), half_moves % 2 == 1)
    }

    /// Whether it is one of chess, judged so far, and no number waits for its move.
    pub fn is_regular(&self) -> bool {
        self.live && self.variant.is_none() && self.wrong_number.is_none()
    }

    /// The number that the text has before the next move, if it goes on from the last one; whether
    /// it is another one than that of the move.
    pub fn next_number(&self) -> (u32, bool) {
        let number = i64::from(self.number_of(self.ply).0) + self.number_offset;
        (u32::try_from(number).unwrap_or(u32::MAX), self.number_offset != 0)
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, m: Move) {
        self.before.clone_from(&self.position);
        self.position.play_unchecked(m);
        self.ply += 1;
    }

    /// Plays a legal move of a variant game.
    pub fn play_variant(&mut self, m: Move) {
        if let Some(board) = &mut self.variant {
            board.play(m);
            self.ply += 1;
        }
    }

    /// Passes the turn, if the player to move is not in check.
    pub fn pass(&mut self) {
        if let Some(board) = &mut self.variant {
            if board.pass() {
                self.ply += 1;
            } else {
                self.live = false;
            }
            return;
        }
        match self.position.clone().swap_turn() {
            Ok(position) => {
                self.before = std::mem::replace(&mut self.position, position);
                self.ply += 1;
            }
            Err(_) => self.live = false,
        }
    }

    /// Goes on from another position of the same game, which some half-moves lead to.
    pub fn go_on_from(&mut self, position: Chess) {
        let half_moves = |position: &Chess| {
            let black = u32::from(position.turn() == Color::Black);
            position.fullmoves().get().saturating_mul(2).saturating_add(black)
        };
        let (from, to) = (half_moves(&self.position), half_moves(&position));
        self.ply = self.ply.saturating_add(to).saturating_sub(from);
        self.before = position.clone();
        self.position = position;
    }

    /// Holds a move number against the place of the next move.
    #[inline]
    pub fn number(&mut self, bytes: &[u8], span: Span) {
        if !self.live {
            return;
        }
        let text = span.of(bytes);
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return;
        }
        let written = written_number(text);
        let (number, black) = self.number_of(self.ply);
        let for_black = text.len() - digits >= 3;
        if written == u64::from(number) && (black || !for_black) {
            self.number_offset = 0;
            return;
        }
        let offset = i64::try_from(written).map_or(i64::MAX, |it| it - i64::from(number));
        if offset != self.number_offset || offset == 0 {
            self.number_offset = offset;
            self.wrong_number.get_or_insert(span);
        }
    }

    /// The wrong number before the next move, if there is one; asked once.
    #[inline]
    pub fn take_wrong_number(&mut self) -> Option<Span> {
        self.wrong_number.take()
    }
}

/// The number that a text begins with, 0 where there is none.
#[inline]
pub fn written_number(text: &[u8]) -> u64 {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number: u64, digit| {
        number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    fn line(fen: &str) -> Line {
        Line::new(&fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap())
    }

    fn is_wrong(line: &mut Line, text: &str) -> bool {
        line.number(text.as_bytes(), Span::new(0, text.len()));
        line.take_wrong_number().is_some()
    }

    #[test]
    fn numbers_go_on_from_the_start_position() {
        let mut line = line("4k3/8/8/8/8/8/8/4K3 b - - 0 40");
        assert!(!is_wrong(&mut line, "40..."));
        assert!(is_wrong(&mut line, "41."));
        line.pass();
        assert!(!is_wrong(&mut line, "41."));
        assert!(is_wrong(&mut line, "41..."));
        assert_eq!(line.next_move().move_number, 41);
    }

    #[test]
    fn numbers_that_go_on_from_a_wrong_one_are_wrong_only_once() {
        let mut line = line("4k3/8/8/8/8/8/8/4K3 w - - 0 8");
        assert!(is_wrong(&mut line, "1."));
        line.pass();
        assert!(!is_wrong(&mut line, "1..."));
        line.pass();
        assert!(!is_wrong(&mut line, "2."));
        assert!(is_wrong(&mut line, "4."));
        assert!(!is_wrong(&mut line, "9."));
    }

    #[test]
    fn dots_without_digits_and_huge_numbers_are_harmless() {
        let mut line = Line::default();
        assert!(!is_wrong(&mut line, "..."));
        assert!(is_wrong(&mut line, "99999999999999999999999."));
    }
}
