//! Where a game may begin, decided from nearby bytes alone, so that chunks, splits and recovery
//! agree.
//!
//! A *candidate* is a tag line that follows an empty line, where the line before that empty line
//! is no tag line; an Event tag (the roster's first) that begins a line, unless the line before it
//! is a tag line; and an Event tag directly behind a termination marker. A candidate
//! is *safe* when no comment that began in the [`LOOKBACK`] bytes before it can still be open:
//! the nearest brace there is no `{`.

use std::ops::Range;

use memchr::{memchr_iter, memrchr, memrchr_iter, memrchr2};

use super::markup;
use super::outcome::parse_result;
use super::san;
use super::space::{may_be_space, spaces_len};
use super::tag;

/// How far back and ahead a decision may look.
pub const LOOKBACK: usize = 64 * 1024;

/// A tag line shows itself within this many bytes: bracket, name, quote.
pub const LONGEST_TAG_START: usize = 320;

/// The first candidate at or after `from`.
pub fn next_candidate(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let at = next_opening(bytes, from)?;
        if is_candidate(bytes, at) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// The next bracket that may open a tag. A comment may hold two of every half-move, as `[%clk`, that
/// do not: they are passed over in blocks of one size, of which the compiler looks at many bytes at
/// once.
fn next_opening(bytes: &[u8], from: usize) -> Option<usize> {
    const BLOCK: usize = 64;
    let text = bytes.get(from..)?;
    let (blocks, _) = text.as_chunks::<BLOCK>();
    let (blocks_behind, _) = text.get(1..)?.as_chunks::<BLOCK>();
    let holds = |(block, behind): (&[u8; BLOCK], &[u8; BLOCK])| {
        block.iter().zip(behind).fold(false, |any, (&byte, &next)| any | may_open(byte, next))
    };
    let pairs = blocks.iter().zip(blocks_behind);
    let passed = pairs.clone().position(holds).unwrap_or(pairs.len());
    let start = from + BLOCK * passed;
    memchr_iter(b'[', &bytes[start..])
        .map(|len| start + len)
        .find(|&at| bytes.get(at + 1).is_some_and(|&next| may_open(bytes[at], next)))
}

/// Whether two bytes may be the first of a tag.
#[inline(always)]
fn may_open(byte: u8, next: u8) -> bool {
    let is_letter = (next | 0x20).wrapping_sub(b'a') < 26;
    (byte == b'[') & (is_letter | (next == b' ') | (next == b'\t'))
}

/// The last safe candidate above 0.
pub fn last_safe_candidate(bytes: &[u8]) -> Option<usize> {
    last_safe_candidate_from(bytes, 1)
}

/// The last safe candidate at `from` or behind it.
pub fn last_safe_candidate_from(bytes: &[u8], from: usize) -> Option<usize> {
    memrchr_iter(b'[', bytes.get(from..)?)
        .map(|at| from + at)
        .find(|&at| is_candidate(bytes, at) && is_safe(bytes, at))
}

/// Whether a tag line opens at the `[` at `at`: a name and a quote follow, or the name is a known
/// one.
pub fn opens_tag_line(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at..bytes.len().min(at + LONGEST_TAG_START)];
    let Some(name) = tag_name(rest) else { return false };
    let blanks = rest[name.end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match &rest[name.end + blanks..] {
        [] | [b'\n' | b'\r', ..] => false,
        [b'"', ..] => true,
        // Straight single quotes may be anybody's.
        [b'\'' | b'`', ..] => KNOWN_NAMES.contains(&&rest[name]),
        after => tag::quote_len(after) > 0 || KNOWN_NAMES.contains(&&rest[name]),
    }
}

/// Names that make a tag line even where the quotes are missing.
const KNOWN_NAMES: [&[u8]; 12] = [
    b"Event",
    b"Site",
    b"Date",
    b"Round",
    b"White",
    b"Black",
    b"Result",
    b"WhiteElo",
    b"BlackElo",
    b"ECO",
    b"FEN",
    b"SetUp",
];

/// Where the name stands in `[ Name`.
fn tag_name(tag: &[u8]) -> Option<Range<usize>> {
    let inside = tag.strip_prefix(b"[")?;
    let start = 1 + inside.iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    let end = start + tag::name_len(&tag[start..]);
    (start < end && end < tag.len()).then_some(start..end)
}

fn opens_event_tag(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at..bytes.len().min(at + LONGEST_TAG_START)];
    tag_name(rest).is_some_and(|name| rest[name].eq_ignore_ascii_case(b"Event"))
        && opens_tag_line(bytes, at)
}

fn is_candidate(bytes: &[u8], at: usize) -> bool {
    // Nearly every bracket is a tag in the middle of a section or a `[%clk`: cheap tests first.
    if !bytes.get(at + 1).is_some_and(|&next| may_open(bytes[at], next)) {
        return false;
    }
    if bytes[at..].starts_with(b"[Event \"")
        && (bytes[..at].ends_with(b"\n\n") || bytes[..at].ends_with(b"\r\n\r\n"))
    {
        return true;
    }
    let floor = at.saturating_sub(LOOKBACK);
    let Some(line_start) = blank_line_start(bytes, floor, at) else {
        return begins_section_inside_line(bytes, floor, at);
    };
    if line_start == floor {
        // The start, or so much white space that it counts as an empty line.
        return opens_tag_line(bytes, at);
    }
    let before = previous_line(bytes, floor, line_start);
    if !is_blank(&bytes[before.0..before.1]) {
        return opens_event_tag(bytes, at) && !is_tag_line(bytes, before.0, before.1);
    }
    if !opens_tag_line(bytes, at) {
        return false;
    }
    opens_event_tag(bytes, at) || !follows_tag_line(bytes, floor, before.0)
}

/// Whether the last line with text before `line_start` is a tag line.
fn follows_tag_line(bytes: &[u8], floor: usize, mut line_start: usize) -> bool {
    while line_start > floor {
        let (start, end) = previous_line(bytes, floor, line_start);
        if !is_blank(&bytes[start..end]) {
            return is_tag_line(bytes, start, end);
        }
        line_start = start;
    }
    false
}

/// Whether an Event tag begins a tag section though text comes before it on its line: a
/// termination marker, or what stands before the markup of a page.
fn begins_section_inside_line(bytes: &[u8], floor: usize, at: usize) -> bool {
    if !opens_event_tag(bytes, at) {
        return false;
    }
    let before = &bytes[floor..at];
    ends_with_marker(before)
        || before.ends_with(b">") && {
            let text = &before[..markup::text_end(before)];
            text.len() < before.len() && !text.ends_with(b"]")
        }
}

/// A line that begins with a tag, or on which a tag section begins behind other text.
fn is_tag_line(bytes: &[u8], start: usize, end: usize) -> bool {
    let text = start + markup::blank_len(&bytes[start..end]);
    (bytes.get(text) == Some(&b'[') && opens_tag_line(bytes, text))
        || memchr_iter(b'[', &bytes[start..end])
            .any(|at| begins_section_inside_line(bytes, start, start + at))
}

fn is_safe(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[at.saturating_sub(LOOKBACK)..at];
    memrchr2(b'{', b'}', before).is_none_or(|brace| before[brace] == b'}')
}

/// The start of the line in which `at` stands, if only blanks come before it there.
fn blank_line_start(bytes: &[u8], floor: usize, at: usize) -> Option<usize> {
    // Brackets in the middle of long lines must not cost a look at the whole line each.
    let blank = bytes[floor..at]
        .iter()
        .rev()
        .take_while(|byte| may_be_space(**byte) && !is_line_end(**byte));
    let start = at - blank.count();
    if start == floor || is_line_end(bytes[start - 1]) {
        return is_blank(&bytes[start..at]).then_some(start);
    }
    // Markup before a tag leaves it the first thing on its line.
    if !matches!(bytes[start - 1], b'>' | b';') {
        return None;
    }
    let near = at.saturating_sub(LONGEST_INDENT).max(floor);
    let start = memrchr2(b'\n', b'\r', &bytes[near..at]).map(|end| near + end + 1);
    let start = start.or_else(|| (near == floor).then_some(floor))?;
    is_blank(&bytes[start..at]).then_some(start)
}

/// Markup before the first tag of a line is looked through no farther than this.
const LONGEST_INDENT: usize = 512;

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The start of the line in which `at` stands, but not below `floor`.
fn line_start(bytes: &[u8], floor: usize, at: usize) -> usize {
    memrchr2(b'\n', b'\r', &bytes[floor..at]).map_or(floor, |end| floor + end + 1)
}

/// Start and end of the line before the one that begins at `line_start`.
fn previous_line(bytes: &[u8], floor: usize, line_start: usize) -> (usize, usize) {
    let mut end = line_start - 1;
    if end > floor && bytes[end] == b'\n' && bytes[end - 1] == b'\r' {
        end -= 1;
    }
    (self::line_start(bytes, floor, end), end)
}

/// Whether a line holds nothing but white space and markup.
fn is_blank(line: &[u8]) -> bool {
    let spaces = spaces_len(line);
    match line.get(spaces) {
        None => true,
        Some(b'<' | b'>' | b'&') => markup::blank_len(line) == line.len(),
        Some(_) => false,
    }
}

/// Whether a termination marker stands at the end of the text, white space and markup aside.
fn ends_with_marker(text: &[u8]) -> bool {
    let end = markup::text_end(text);
    // The longest marker is a draw of 16 bytes.
    let text = &text[end.saturating_sub(17)..end];
    if text.last() == Some(&b'*') {
        return true;
    }
    let word = text
        .iter()
        .rposition(|byte| matches!(byte, 0..=b' ' | b'}' | b')' | b'!' | b'?'))
        .map_or(text, |at| &text[at + 1..]);
    parse_result(word).is_some()
        || memrchr(b'.', word).is_some_and(|dot| parse_result(&word[dot + 1..]).is_some())
        || hangs_on_a_move(word)
}

/// Whether a word is a move and a marker without anything between them: `Qg20-1`.
fn hangs_on_a_move(word: &[u8]) -> bool {
    [&b"1/2-1/2"[..], b"1-0", b"0-1"]
        .iter()
        .any(|marker| word.strip_suffix(*marker).is_some_and(san::is_move_like))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = next_candidate(text.as_bytes(), from) {
            found.push(at);
            from = at + 1;
        }
        found
    }

    #[test]
    fn a_tag_line_behind_an_empty_line_begins_a_game() {
        assert_eq!(candidates("1. e4 *\n\n[White \"a\"]\n[Black \"b\"]\n"), [9]);
        assert_eq!(candidates("1. e4 *\r\n\r\n[White \"a\"]\r\n"), [11]);
        assert_eq!(candidates("1. e4 *\r\r[White \"a\"]\r"), [9]);
        assert_eq!(candidates("1. e4 *\n \t\0\n\n\u{FEFF}[White \"a\"]\n"), [16]);
    }

    #[test]
    fn an_empty_line_inside_a_tag_section_begins_none_unless_an_event_follows() {
        assert_eq!(candidates("x\n\n[White \"a\"]\n\n[Black \"b\"]\n"), [3]);
        assert_eq!(candidates("x\n\n[White \"a\"]\n\n[Event \"b\"]\n"), [3, 16]);
    }

    #[test]
    fn an_event_tag_behind_a_marker_begins_a_game() {
        assert_eq!(candidates("1. e4 *[Event \"a\"]\n"), [7]);
        assert_eq!(candidates("1. e4 1-0\n[Event \"a\"]\n"), [10]);
        assert_eq!(candidates("1. e4 ½-½ [Event \"a\"]\n"), [12]);
        assert_eq!(candidates("1. e4 e50-1 [Event \"a\"]\n"), [12]);
        assert_eq!(candidates("1. e4 e5 [Event \"a\"]\n"), [0usize; 0]);
        assert_eq!(candidates("1. e4 1-0\n[EventDate \"a\"]\n"), [0usize; 0]);
    }

    #[test]
    fn an_event_tag_that_begins_a_line_begins_a_game_unless_it_is_inside_a_tag_section() {
        assert_eq!(candidates("1. e4 e5\n[Event \"a\"]\n"), [9]);
        assert_eq!(candidates("x\n\n[Site \"a\"]\n[Event \"a\"]\n"), [3]);
    }

    #[test]
    fn a_long_stretch_of_nothing_is_an_empty_line() {
        let mut text = vec![0; 2 * LOOKBACK];
        text.extend_from_slice(b"[White \"a\"]\n");
        assert_eq!(next_candidate(&text, 0), Some(2 * LOOKBACK));
    }

    #[test]
    fn a_candidate_is_found_wherever_it_stands_among_other_brackets() {
        for len in 0..200 {
            let before = &"{ [%clk 0:01] [ a] [1] } ".repeat(9)[..len];
            assert_eq!(candidates(&format!("{before}\n\n[White \"a\"]\n")), [len + 2], "{len}");
            let glued = format!("{before} 1-0[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]");
            assert_eq!(candidates(&glued), [len + 4, len + 26], "{len}");
        }
        assert_eq!(candidates("1. e4 *\n\n["), [0usize; 0]);
    }

    #[test]
    fn what_follows_on_the_next_line_does_not_make_a_tag_line() {
        assert!(!opens_tag_line(b"[Event\n\n[Event \"a\"]", 0));
        assert!(!opens_tag_line(b"[Event", 0));
    }

    #[test]
    fn a_section_that_begins_behind_a_marker_is_one_section() {
        assert_eq!(candidates("1. e4 *[Event \"a\"]\n\n[White \"b\"]\n"), [7]);
        // The same bytes, cut where that section begins.
        assert_eq!(candidates("[Event \"a\"]\n\n[White \"b\"]\n"), [0]);
    }

    #[test]
    fn markup_of_pages_and_mail_counts_as_white_space() {
        let quoted = "[Event &quot;a&quot;]\n[Site &quot;b&quot;]\n";
        assert_eq!(candidates(&format!("1-0\n\n{quoted}")), [5]);
        assert_eq!(candidates(&format!("1-0<br>\n{quoted}")), [8]);
        assert_eq!(candidates(&format!("1-0</p>{quoted}")), [7]);
        assert_eq!(candidates("e4\n<p>&nbsp;</p>\n<pre>[White \"a\"]\n"), [22]);
        assert_eq!(candidates("> e4 *\n>\n> [White \"a\"]\n> [Black \"b\"]\n"), [11]);
        assert_eq!(candidates("e4\n\n<Nf3> [White \"a\"]\n"), [0usize; 0]);
        assert_eq!(candidates("<h1>Games</h1><pre>[Event \"a\"]\n\n[Site \"b\"]\n"), [19]);
        assert_eq!(candidates("Games [Event \"a\"]\n"), [0usize; 0]);
        assert_eq!(candidates("[Site \"b\"]<br>[Event \"a\"]<br>[Round \"c\"]\n"), [0]);
    }

    #[test]
    fn annotations_in_brackets_begin_no_game() {
        assert_eq!(candidates("1. e4\n\n[%clk 0:01]\n\n[see below]\n"), [0usize; 0]);
    }

    #[test]
    fn a_candidate_behind_an_open_brace_is_not_safe() {
        let text = b"1. e4 { a\n\n[White \"a\"]\n\n1. e4 } *\n\n[White \"b\"]\n";
        assert_eq!(last_safe_candidate(text), Some(35));
        assert_eq!(last_safe_candidate(&text[..30]), None);
        let mut far = b"1. e4 { a\n\n".to_vec();
        far.resize(11 + LOOKBACK, b'x');
        far.extend_from_slice(b"\n\n[White \"a\"]\n");
        assert_eq!(last_safe_candidate(&far), Some(11 + LOOKBACK + 2));
    }
}
