//! The source line under a finding, with a caret under the token.
//!
//! A long line is cut to a window around the token, so that what is printed does not grow with
//! what is judged.

use memchr::memchr2;

use super::located::Located;
use super::visible::push_visible;
use crate::source::{TextEncoding, decode_as};

/// Bytes shown before the token, of the token, and behind it.
const BEFORE: usize = 48;
const TOKEN: usize = 64;
const BEHIND: usize = 32;

/// Columns of the line number.
const GUTTER: usize = 5;

const CUT: &str = "…";

/// Appends two lines: the source with its line number, and the carets.
pub fn push_snippet(out: &mut Vec<u8>, located: &Located<'_>) {
    let number = located.line.to_string();
    push_times(out, b' ', GUTTER.saturating_sub(number.len()));
    out.extend_from_slice(number.as_bytes());
    out.extend_from_slice(b" | ");
    let (before, whole) = located.line_before();
    let encoding = located.encoding;
    let from = character_from(before, before.len().saturating_sub(BEFORE), encoding);
    let mut cells = 0;
    if from > 0 || !whole {
        cells += push_visible(out, CUT.as_bytes());
    }
    cells += push_text(out, &before[from..], encoding);

    let rest = located.from_token();
    // One byte more than is shown, to know whether something is cut.
    let near = &rest[..rest.len().min(TOKEN + BEHIND + 1)];
    let line = &near[..memchr2(b'\n', b'\r', near).unwrap_or(near.len())];
    let token_end = character_to(line, located.finding.span.len().min(TOKEN), encoding);
    let end = character_to(line, token_end + BEHIND, encoding);
    let carets = push_text(out, &line[..token_end], encoding).max(1);
    push_text(out, &line[token_end..end], encoding);
    if end < line.len() {
        push_visible(out, CUT.as_bytes());
    }
    out.push(b'\n');
    push_times(out, b' ', GUTTER.max(number.len()));
    out.extend_from_slice(b" | ");
    push_times(out, b' ', cells);
    push_times(out, b'^', carets);
    out.push(b'\n');
}

/// UTF-8 goes as it is: what is broken in it is shown as such.
fn push_text(out: &mut Vec<u8>, bytes: &[u8], encoding: TextEncoding) -> usize {
    match encoding.is_single_byte() {
        true => push_visible(out, decode_as(bytes, encoding).as_bytes()),
        false => push_visible(out, bytes),
    }
}

/// Padding by a format string took longer than all the rest of the report.
fn push_times(out: &mut Vec<u8>, byte: u8, times: usize) {
    out.resize(out.len() + times, byte);
}

/// The next place at or behind `at` where a character begins.
fn character_from(text: &[u8], at: usize, encoding: TextEncoding) -> usize {
    if encoding.is_single_byte() {
        return at;
    }
    (at..text.len()).take(4).find(|&at| !is_continuation(text[at])).unwrap_or(at)
}

/// The next place at or before `at` where a character begins; the text's end at most.
fn character_to(text: &[u8], at: usize, encoding: TextEncoding) -> usize {
    let Some(&byte) = text.get(at) else { return text.len() };
    if encoding.is_single_byte() || !is_continuation(byte) {
        return at;
    }
    (at.saturating_sub(3)..at).rev().find(|&at| !is_continuation(text[at])).unwrap_or(at)
}

/// A byte of a UTF-8 character that is not its first.
fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::diagnostics::{Finding, Span};
    use crate::judge::{ChunkPlace, ChunkReport};
    use crate::report::Judged;
    use crate::rules::moves;

    fn snippet(text: &[u8], token: &[u8], column: u64) -> String {
        snippet_of(text, token, column, TextEncoding::Utf8)
    }

    fn snippet_of(text: &[u8], token: &[u8], column: u64, encoding: TextEncoding) -> String {
        let start = memchr::memmem::find(text, token).unwrap();
        let mut report = ChunkReport::default();
        let span = Span::new(start, start + token.len());
        report.findings.push(Finding::new(&moves::UNREADABLE_MOVE, span));
        let place = ChunkPlace { source: "a.pgn", offset: 0, column, games: 0, lines: 87 };
        let judged = Judged { place, bytes: text, report: &report };
        let mut out = Vec::new();
        let located = judged.findings().next().unwrap();
        push_snippet(&mut out, &Located { encoding, ..located });
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_caret_stands_under_every_character_of_the_token() {
        assert_snapshot!(snippet(b"\n49. Kf2 Ke4 50. Kg1 b1\n0-1\n", b"b1", 0), @r"
           89 | 49. Kf2 Ke4 50. Kg1 b1
              |                     ^^
        ");
    }

    #[test]
    fn tabs_wide_characters_and_escapes_do_not_move_the_caret_away() {
        assert_snapshot!(snippet("\t{é王} \x1b[2J Qq9\tx".as_bytes(), b"Qq9", 0), @r"
           88 |     {é王} ␛[2J Qq9    x
              |                ^^^
        ");
    }

    #[test]
    fn a_line_is_shown_in_the_character_set_of_its_game() {
        let russian = b"\xd2\xe0\xeb\xfc \xcaf9 \xd1\xed";
        assert_snapshot!(snippet_of(russian, b"\xcaf9", 0, TextEncoding::Windows1251), @"
           88 | Таль Кf9 Сн
              |      ^^^
        ");
        let dos = [&[0x81; 60][..], b"Qq9", &[0x81; 60]].concat();
        let shown = snippet_of(&dos, b"Qq9", 0, TextEncoding::Cp437);
        let line = format!("   88 | …{}Qq9{}…", "ü".repeat(48), "ü".repeat(32));
        assert_eq!(shown.lines().next(), Some(line.as_str()));
        assert!(shown.trim_end().ends_with(" ^^^"), "{shown}");
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides_of_the_token() {
        let text = format!("{}Qq9{}\n", "é ".repeat(60), " ♞".repeat(60));
        assert_snapshot!(snippet(text.as_bytes(), b"Qq9", 0), @"
           88 | …é é é é é é é é é é é é é é é é Qq9 ♞ ♞ ♞ ♞ ♞ ♞ ♞ ♞…
              |                                  ^^^
        ");
    }

    #[test]
    fn a_token_of_many_lines_is_marked_to_the_end_of_the_first() {
        assert_snapshot!(snippet(b"1. e4 {open\n1. d4\n", b"{open\n1. d4\n", 0), @r"
           88 | 1. e4 {open
              |       ^^^^^
        ");
    }

    #[test]
    fn an_endless_token_is_cut() {
        let text = [&b"1. e4 {"[..], &[b'x'; 500]].concat();
        let printed = snippet(&text, &text[6..], 0);
        assert!(printed.lines().all(|line| line.chars().count() < 130), "{printed}");
        assert!(printed.lines().next().unwrap().ends_with('…'));
    }

    #[test]
    fn a_line_that_began_before_the_chunk_is_shown_as_cut() {
        assert_snapshot!(snippet(b"Kg1 b1", b"b1", 300), @r"
           88 | …Kg1 b1
              |      ^^
        ");
    }

    #[test]
    fn an_empty_token_and_broken_text_have_a_caret_too() {
        assert_snapshot!(snippet(b"", b"", 0), @r"
           88 | 
              | ^
        ");
        for at in 0..8 {
            let mut text = vec![0x80; 200];
            text[100 + at] = b'Q';
            assert!(snippet(&text, b"Q", 0).contains('^'));
        }
    }
}
