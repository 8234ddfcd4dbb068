//! A chess board as text, and what a variant keeps beside it.
//!
//! Ranks and files are named at the edges. Squares that matter are marked: with backgrounds where
//! colours are wanted, else `(♞)` for the last move and `[♞]` for a fault.

use std::io::Write;

use anstyle::{Ansi256Color, Color, Style};
use shakmaty::{Bitboard, Board, Color as Side, File, Piece, Rank, Role, Setup, Square};

/// How a board is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardStyle {
    /// Letters for the pieces, in capitals for White, as FEN has them.
    pub ascii: bool,
    /// Black at the bottom.
    pub flip: bool,
    /// Escape sequences for a terminal.
    pub color: bool,
}

/// Squares that matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub last_move: Bitboard,
    /// Goes before the last move.
    pub fault: Bitboard,
}

/// Appends ten lines.
pub fn push_board(out: &mut Vec<u8>, board: &Board, marks: Marks, style: BoardStyle) {
    let order = |eight: u32| move |at: u32| if style.flip { eight - at } else { at };
    let files = || (0..8).map(order(7)).map(File::new);
    let names = |out: &mut Vec<u8>| {
        out.extend_from_slice(b"   ");
        for file in files() {
            out.extend_from_slice(&[b' ', file.char() as u8, b' ']);
        }
        out.truncate(out.trim_ascii_end().len());
        out.push(b'\n');
    };
    names(out);
    for rank in (0..8).map(order(7)).rev().map(Rank::new) {
        let name = rank.char();
        // Writing to memory does not fail.
        let _ = write!(out, " {name} ");
        for file in files() {
            let square = Square::from_coords(file, rank);
            push_square(out, square, board.piece_at(square), marks, style);
        }
        let _ = writeln!(out, " {name}");
    }
    names(out);
}

/// Appends what a variant keeps beside the board, in a line each: the pieces in hand, and the
/// checks that each side has still to give. In chess that is nothing.
pub fn push_beside(out: &mut Vec<u8>, setup: &Setup, style: BoardStyle) {
    // Writing to memory does not fail.
    if let Some(pockets) = &setup.pockets {
        let hand = |color: Side| {
            let held = Role::ALL.into_iter().rev().flat_map(|role| {
                let count = usize::from(pockets[color][role]);
                std::iter::repeat_n(glyph(Piece { color, role }, style.ascii), count)
            });
            let held = held.collect::<String>();
            if held.is_empty() { "nothing".to_owned() } else { held }
        };
        let _ = writeln!(out, "in hand: White {}, Black {}", hand(Side::White), hand(Side::Black));
    }
    if let Some(left) = &setup.remaining_checks {
        let (white, black) = (u32::from(left.white), u32::from(left.black));
        let _ = writeln!(out, "checks to give: White {white}, Black {black}");
    }
}

fn push_square(
    out: &mut Vec<u8>,
    square: Square,
    piece: Option<Piece>,
    marks: Marks,
    style: BoardStyle,
) {
    let content = match piece {
        Some(piece) => glyph(piece, style.ascii),
        None if style.color => ' ',
        None if style.ascii => '.',
        None => '·',
    };
    if style.color {
        let style = Style::new().fg_color(Some(BLACK)).bg_color(Some(background(square, marks)));
        let _ = write!(out, "{style} {content} {style:#}");
    } else if marks.fault.contains(square) {
        let _ = write!(out, "[{content}]");
    } else if marks.last_move.contains(square) {
        let _ = write!(out, "({content})");
    } else {
        let _ = write!(out, " {content} ");
    }
}

const BLACK: Color = Color::Ansi256(Ansi256Color(16));

/// A lighter shade for the light squares of each kind.
fn background(square: Square, marks: Marks) -> Color {
    let (light, dark) = if marks.fault.contains(square) {
        (210, 203)
    } else if marks.last_move.contains(square) {
        (229, 186)
    } else {
        (255, 249)
    };
    Color::Ansi256(Ansi256Color(if square.is_light() { light } else { dark }))
}

fn glyph(piece: Piece, ascii: bool) -> char {
    if ascii {
        return piece.char();
    }
    let (white, black) = match piece.role {
        Role::King => ('♔', '♚'),
        Role::Queen => ('♕', '♛'),
        Role::Rook => ('♖', '♜'),
        Role::Bishop => ('♗', '♝'),
        Role::Knight => ('♘', '♞'),
        Role::Pawn => ('♙', '♟'),
    };
    if piece.color.is_white() { white } else { black }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn drawn(style: BoardStyle) -> String {
        let mut board = Board::new();
        let pawn = board.remove_piece_at(Square::E2).unwrap();
        board.set_piece_at(Square::E4, pawn);
        let marks = Marks {
            last_move: Bitboard::from_square(Square::E2) | Square::E4,
            fault: Bitboard::from_square(Square::E4) | Square::G8,
        };
        let mut out = Vec::new();
        push_board(&mut out, &board, marks, style);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_last_move_stands_in_parentheses_and_the_fault_in_brackets() {
        assert_snapshot!(drawn(BoardStyle::default()), @"
           a  b  c  d  e  f  g  h
        8  ♜  ♞  ♝  ♛  ♚  ♝ [♞] ♜  8
        7  ♟  ♟  ♟  ♟  ♟  ♟  ♟  ♟  7
        6  ·  ·  ·  ·  ·  ·  ·  ·  6
        5  ·  ·  ·  ·  ·  ·  ·  ·  5
        4  ·  ·  ·  · [♙] ·  ·  ·  4
        3  ·  ·  ·  ·  ·  ·  ·  ·  3
        2  ♙  ♙  ♙  ♙ (·) ♙  ♙  ♙  2
        1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖  1
           a  b  c  d  e  f  g  h
        ");
    }

    #[test]
    fn pieces_are_letters_where_asked_for() {
        let text = drawn(BoardStyle { ascii: true, ..BoardStyle::default() });
        assert!(text.is_ascii(), "{text}");
        assert!(text.contains(" 4  .  .  .  . [P] .  .  .  4\n"), "{text}");
    }

    #[test]
    fn a_flipped_board_is_the_board_turned_around() {
        let seen = |flip| drawn(BoardStyle { flip, ..BoardStyle::default() });
        let turn = |text: &str| {
            let squares = text.replace(['(', '[', ')', ']', ' '], "");
            squares.lines().rev().map(|line| line.chars().rev().collect()).collect::<Vec<String>>()
        };
        let flipped: Vec<String> =
            seen(true).replace(['(', '[', ')', ']', ' '], "").lines().map(str::to_owned).collect();
        assert_eq!(flipped, turn(&seen(false)));
    }

    #[test]
    fn pieces_in_hand_stand_in_a_line_of_their_own() {
        let beside = |fen: &str, ascii| {
            let fen: shakmaty::fen::Fen = fen.parse().unwrap();
            let mut out = Vec::new();
            push_beside(&mut out, fen.as_setup(), BoardStyle { ascii, ..BoardStyle::default() });
            String::from_utf8(out).unwrap()
        };
        let hands = "4k3/8/8/8/8/8/8/4K3[PQPn] w - - 0 1";
        assert_eq!(beside(hands, false), "in hand: White ♕♙♙, Black ♞\n");
        assert_eq!(beside(hands, true), "in hand: White QPP, Black n\n");
        let empty = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1";
        assert_eq!(beside(empty, true), "in hand: White nothing, Black nothing\n");
        let checks = "4k3/8/8/8/8/8/8/4K3 w - - 3+1 0 1";
        assert_eq!(beside(checks, true), "checks to give: White 3, Black 1\n");
        assert_eq!(beside("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true), "");
    }

    #[test]
    fn colours_stand_in_the_place_of_brackets() {
        let text = drawn(BoardStyle { color: true, ..BoardStyle::default() });
        assert!(text.contains("48;5;210m ♙ ") || text.contains("48;5;203m ♙ "), "{text:?}");
        assert!(!text.contains("[♙]") && !text.contains("(♙)"), "{text:?}");
    }
}
