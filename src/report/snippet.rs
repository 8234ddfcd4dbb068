//! The source line under a finding, with a caret under the token.
//!
//! A long line is cut to a window around the token, so that what is printed does not grow with
//! what is judged, and fits the terminal where there is one.

use std::borrow::Cow;

use memchr::memchr2;

use super::located::Located;
use super::look::{FRAME, Look, severity_style};
use super::visible::push_visible;
use crate::source::{TextEncoding, decode_as};

/// Bytes shown at most before the token, of the token, and behind it.
const BEFORE: usize = 48;
const TOKEN: usize = 64;
const BEHIND: usize = 32;

/// Columns of the line number.
const GUTTER: usize = 5;

const CUT: &str = "…";

/// Appends two lines: the source with its line number, and the carets.
pub fn push_snippet(out: &mut Vec<u8>, located: &Located<'_>, look: Look) {
    let number = located.line.to_string();
    let gutter = GUTTER.max(number.len());
    let window = Window::around(located, look.width.map(|width| width.saturating_sub(gutter + 3)));
    push_gutter(out, &number, gutter, look);
    let cells = push_visible(out, window.cut_before.as_bytes()) + push_visible(out, &window.before);
    let carets = push_visible(out, &window.token).max(1);
    push_visible(out, &window.behind);
    push_visible(out, window.cut_behind.as_bytes());
    out.push(b'\n');
    push_gutter(out, "", gutter, look);
    push_times(out, b' ', cells);
    let style = severity_style(located.finding.rule.severity);
    look.open(out, style);
    push_times(out, b'^', carets);
    look.close(out, style);
    out.push(b'\n');
}

fn push_gutter(out: &mut Vec<u8>, number: &str, gutter: usize, look: Look) {
    look.open(out, FRAME);
    push_times(out, b' ', gutter - number.len());
    out.extend_from_slice(number.as_bytes());
    out.extend_from_slice(b" | ");
    look.close(out, FRAME);
}

/// What is shown of a line.
#[derive(Debug)]
struct Window<'a> {
    cut_before: &'static str,
    before: Cow<'a, [u8]>,
    token: Cow<'a, [u8]>,
    behind: Cow<'a, [u8]>,
    cut_behind: &'static str,
}

impl<'a> Window<'a> {
    /// The widest that takes no more than `room` cells.
    fn around(located: &Located<'a>, room: Option<usize>) -> Window<'a> {
        let widest = Window::widest(located);
        let Some(room) = room else { return widest };
        let room = room.saturating_sub(2 * CUT.chars().count());
        let token = prefix_within(&widest.token, room * 2 / 3);
        let context = room - cells(token);
        let reserved = cells(&widest.behind).min(context * 2 / 5);
        let before = suffix_within(&widest.before, context - reserved);
        let rest = if token.len() < widest.token.len() { b"" } else { &*widest.behind };
        let behind = prefix_within(rest, context - cells(before));
        let is_cut = |part: &[u8], whole: &[u8]| part.len() < whole.len();
        let cut_behind = is_cut(token, &widest.token) || is_cut(behind, &widest.behind);
        Window {
            cut_before: if is_cut(before, &widest.before) { CUT } else { widest.cut_before },
            before: before.to_vec().into(),
            token: token.to_vec().into(),
            behind: behind.to_vec().into(),
            cut_behind: if cut_behind { CUT } else { widest.cut_behind },
        }
    }

    /// All that is shown where there is room, as UTF-8.
    fn widest(located: &Located<'a>) -> Window<'a> {
        let encoding = located.encoding;
        let (text, whole) = located.line_before();
        let from = character_from(text, text.len().saturating_sub(BEFORE), encoding);
        let rest = located.from_token();
        // One byte more than is shown, to know whether something is cut.
        let near = &rest[..rest.len().min(TOKEN + BEHIND + 1)];
        let line = &near[..memchr2(b'\n', b'\r', near).unwrap_or(near.len())];
        let token_end = character_to(line, located.finding.span.len().min(TOKEN), encoding);
        let end = character_to(line, token_end + BEHIND, encoding);
        Window {
            cut_before: if from > 0 || !whole { CUT } else { "" },
            before: as_utf8(&text[from..], encoding),
            token: as_utf8(&line[..token_end], encoding),
            behind: as_utf8(&line[token_end..end], encoding),
            cut_behind: if end < line.len() { CUT } else { "" },
        }
    }
}

/// How much of a terminal's line this takes.
fn cells(text: &[u8]) -> usize {
    push_visible(&mut Vec::new(), text)
}

/// The longest beginning of whole characters that takes no more than `room` cells.
fn prefix_within(text: &[u8], room: usize) -> &[u8] {
    let mut ends = (0..=text.len()).rev().map(|end| character_to(text, end, TextEncoding::Utf8));
    &text[..ends.find(|&end| cells(&text[..end]) <= room).unwrap_or(0)]
}

/// The longest end of whole characters that takes no more than `room` cells.
fn suffix_within(text: &[u8], room: usize) -> &[u8] {
    let mut starts = (0..=text.len()).map(|start| character_from(text, start, TextEncoding::Utf8));
    &text[starts.find(|&start| cells(&text[start..]) <= room).unwrap_or(text.len())..]
}

/// UTF-8 goes as it is: what is broken in it is shown as such.
fn as_utf8(bytes: &[u8], encoding: TextEncoding) -> Cow<'_, [u8]> {
    if !encoding.is_single_byte() {
        return Cow::Borrowed(bytes);
    }
    match decode_as(bytes, encoding) {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
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
        snippet_in(text, token, column, Look::PLAIN)
    }

    fn snippet_in(text: &[u8], token: &[u8], column: u64, look: Look) -> String {
        snippet_as(text, token, column, look, TextEncoding::Utf8)
    }

    fn snippet_of(text: &[u8], token: &[u8], column: u64, encoding: TextEncoding) -> String {
        snippet_as(text, token, column, Look::PLAIN, encoding)
    }

    fn snippet_as(
        text: &[u8],
        token: &[u8],
        column: u64,
        look: Look,
        encoding: TextEncoding,
    ) -> String {
        let start = memchr::memmem::find(text, token).unwrap();
        let mut report = ChunkReport::default();
        let span = Span::new(start, start + token.len());
        report.findings.push(Finding::new(&moves::UNREADABLE_MOVE, span));
        let place = ChunkPlace { source: "a.pgn", offset: 0, column, games: 0, lines: 87 };
        let judged = Judged { place, bytes: text, report: &report };
        let mut out = Vec::new();
        let located = judged.findings().next().unwrap();
        push_snippet(&mut out, &Located { encoding, ..located }, look);
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
    fn both_lines_fit_the_terminal_and_the_caret_stays_under_its_token() {
        let long = format!("{}\tQq9 {}\n", "1. é王 ".repeat(20), "\x1b\u{202e}x".repeat(40));
        let endless = format!("1. e4 {{{}", "x".repeat(500));
        for width in 12..160 {
            let look = Look { width: Some(width), colored: false };
            for (text, token) in [(&long, "Qq9"), (&endless, &endless[6..])] {
                let printed = snippet_in(text.as_bytes(), token.as_bytes(), 0, look);
                let lines: Vec<&str> = printed.lines().collect();
                let cells = |text: &str| super::cells(text.as_bytes());
                assert!(lines.iter().all(|line| cells(line) <= width), "{width}: {printed}");
                let (before, _) = lines[0].split_once(&token[..1]).expect(&printed);
                let (spaces, _) = lines[1].split_once('^').expect(&printed);
                assert_eq!(cells(before), cells(spaces), "{width}: {printed}");
            }
        }
    }

    #[test]
    fn the_carets_have_the_colour_of_the_severity() {
        let look = Look { width: None, colored: true };
        let printed = snippet_in(b"Qq9 x", b"Qq9", 0, look);
        assert!(printed.ends_with("\x1b[1m\x1b[31m^^^\x1b[0m\n"), "{printed:?}");
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
