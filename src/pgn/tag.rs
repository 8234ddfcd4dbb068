//! Tag pairs: `[Name "Value"]` (PGN standard 8.1), and what people write instead.

use memchr::{memchr, memchr_iter};

use super::markup;
use super::space::space_len;
use super::token::{TagForm, TagPair};
use crate::diagnostics::Span;

/// Tag names longer than this are not taken for names.
const LONGEST_NAME: usize = 255;

/// A value goes on over no more line ends than this.
const MOST_LINES: usize = 8;

/// Reads the tag pair whose `[` stands at `start`; gives the pair and where it ends.
///
/// `None` where no name follows the bracket. A value that is not closed on its line may go on
/// over line ends, but not over an empty line, a line that begins with `[` or more than a few
/// lines; then the pair ends with its first line, and the bracket there, if there is one, closes
/// it. A quote inside the value counts as text unless `]`, another tag or the end of the line
/// follows it. Typographic quotes, single ones and `&quot;` are quotes too, on one line.
pub fn read(bytes: &[u8], start: usize) -> Option<(TagPair, usize)> {
    let name_start = skip_blanks(bytes, start + 1);
    let name_end = name_start + name_len(&bytes[name_start..]);
    if name_end == name_start || name_end - name_start > LONGEST_NAME {
        return None;
    }
    let mut name = Span::new(name_start, name_end);
    let mut open = skip_blanks(bytes, name.end);
    // White space between tokens may hold a line end (PGN standard 7).
    if let Some(quote) = next_line(bytes, open, b'"') {
        open = quote;
    } else if let Some(end) = more_words(bytes, open) {
        name.end = end;
        open = skip_blanks(bytes, end);
    }
    let (value, form, end) = match bytes.get(open) {
        Some(b'"') => read_quoted(bytes, open + 1),
        _ => match quote_len(&bytes[open..]) {
            0 => read_unquoted(bytes, open),
            len => read_on_line(bytes, open + len),
        },
    };
    Some((TagPair { name, value, form }, end))
}

/// Length of the tag name at the start of `bytes`; 0 if there is none, and more than
/// [`LONGEST_NAME`] if it is too long for one. Letters of any alphabet are taken, though the
/// standard allows `A` to `Z`, digits and `_` only.
pub(super) fn name_len(bytes: &[u8]) -> usize {
    if !matches!(bytes.first(), Some(b'a'..=b'z' | b'A'..=b'Z' | 0x80..)) {
        return 0;
    }
    let bytes = &bytes[..bytes.len().min(LONGEST_NAME + 1)];
    let mut at = 0;
    loop {
        let rest = &bytes[at..];
        at += rest.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(rest.len());
        match bytes.get(at) {
            Some(0x80..) if space_len(&bytes[at..]) == 0 && quote_len(&bytes[at..]) == 0 => at += 1,
            _ => return at,
        }
    }
}

/// Bytes of a tag name, with those that the standard does not allow but people use.
const NAME: [bool; 256] = {
    let mut name = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        name[byte] = (byte as u8).is_ascii_alphanumeric()
            || matches!(byte as u8, b'_' | b'+' | b'#' | b'=' | b':' | b'-' | b'/' | b'.');
        byte += 1;
    }
    name
};

fn is_name_byte(byte: u8) -> bool {
    NAME[usize::from(byte)]
}

/// Length of the quote at the start of `bytes`, of whatever kind; 0 if there is none. Single bytes
/// are those of Windows-1252.
pub fn quote_len(bytes: &[u8]) -> usize {
    match *bytes {
        [b'\'', b'\'', ..] => 2,
        [b'"' | b'\'' | b'`' | 0x84 | 0x91..=0x94 | 0xAB | 0xBB, ..] => 1,
        [0xC2, 0xAB | 0xBB, ..] => 2,
        [0xE2, 0x80, 0x98..=0x9F, ..] => 3,
        [b'&', ..] => match markup::reference(bytes) {
            Some(('"' | '\'' | '“' | '”' | '„' | '‘' | '’' | '«' | '»', len)) => len,
            _ => 0,
        },
        _ => 0,
    }
}

/// Length of the quote at the end of `text`; 0 if there is none.
fn closing_quote_len(text: &[u8]) -> usize {
    // The longest is a character reference.
    for len in (1..=text.len().min(8)).rev() {
        let quote = &text[text.len() - len..];
        if quote_len(quote) != len {
            continue;
        }
        if len > 1 || quote[0] < 0x80 || !ends_with_utf8(text) {
            return len;
        }
    }
    0
}

/// Whether the last byte is the tail of a character of UTF-8.
fn ends_with_utf8(text: &[u8]) -> bool {
    (2..=text.len().min(4)).any(|len| {
        let tail = &text[text.len() - len..];
        tail[0] >= 0xC0 && std::str::from_utf8(tail).is_ok()
    })
}

/// The end of a name of several words, such as `White Elo`, if a value in quotes follows it and
/// closes the tag on its line.
fn more_words(bytes: &[u8], start: usize) -> Option<usize> {
    if !bytes.get(start).is_some_and(|byte| is_name_byte(*byte)) {
        return None;
    }
    let line = &bytes[start..start + line_len(&bytes[start..])];
    let quote = memchr(b'"', &line[..line.len().min(LONGEST_NAME)])?;
    let words = line[..quote].trim_ascii_end();
    let is_word = |byte: &u8| is_name_byte(*byte) || matches!(byte, b' ' | b'\t');
    if !words.iter().all(is_word) {
        return None;
    }
    let value = &line[quote + 1..];
    let close = memchr(b'"', value)?;
    (value[close + 1..].trim_ascii_start().first() == Some(&b']')).then_some(start + words.len())
}

/// Length of the white space at the start of a line.
fn spaces_len_in_line(line: &[u8]) -> usize {
    let mut at = 0;
    while !matches!(line.get(at), None | Some(b'\n' | b'\r')) {
        match space_len(&line[at..]) {
            0 => break,
            len => at += len,
        }
    }
    at
}

fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// Where the next line begins with `byte`, blanks aside, if a line ends at `at`.
fn next_line(bytes: &[u8], at: usize, byte: u8) -> Option<usize> {
    let len = match bytes.get(at..)? {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => return None,
    };
    let next = skip_blanks(bytes, at + len);
    (bytes.get(next) == Some(&byte)).then_some(next)
}

pub(super) fn line_len(bytes: &[u8]) -> usize {
    memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len())
}

/// Bytes of a value that need a closer look.
const TELLING: [bool; 256] = {
    let mut telling = [false; 256];
    let bytes = b"\"\\\n\r&<";
    let mut index = 0;
    while index < bytes.len() {
        telling[bytes[index] as usize] = true;
        index += 1;
    }
    telling
};

fn read_quoted(bytes: &[u8], start: usize) -> (Span, TagForm, usize) {
    let mut at = start;
    let mut lines = 0;
    let mut form = TagForm::Plain;
    while let Some(len) = bytes[at..].iter().position(|&byte| TELLING[usize::from(byte)]) {
        let here = at + len;
        if bytes[here] != b'"' {
            form = TagForm::Whole;
        }
        match bytes[here] {
            b'\\' if matches!(bytes.get(here + 1), Some(b'"' | b'\\')) => at = here + 2,
            b'\\' | b'&' | b'<' => at = here + 1,
            b'"' => {
                let value = Span::new(start, here);
                let after = skip_blanks(bytes, here + 1);
                if let Some(bracket) = next_line(bytes, after, b']') {
                    return (value, form, bracket + 1);
                }
                match bytes.get(after) {
                    Some(b']') => return (value, form, after + 1),
                    None | Some(b'\n' | b'\r' | b'[') => {
                        return (value, TagForm::NoBracket, here + 1);
                    }
                    Some(b')' | b'}') if ends_line(bytes, after + 1) => {
                        return (value, TagForm::NoBracket, after + 1);
                    }
                    Some(_) => {
                        form = TagForm::Whole;
                        at = here + 1;
                    }
                }
            }
            _ => {
                let pair = bytes[here] == b'\r' && bytes.get(here + 1) == Some(&b'\n');
                at = here + 1 + usize::from(pair);
                lines += 1;
                let next = at + spaces_len_in_line(&bytes[at..]);
                if lines > MOST_LINES
                    || matches!(bytes.get(next), None | Some(b'\n' | b'\r' | b'['))
                {
                    break;
                }
            }
        }
    }
    read_on_line(bytes, start)
}

fn ends_line(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(skip_blanks(bytes, at)), None | Some(b'\n' | b'\r'))
}

/// A value that begins behind a quote and does not end at `"`: at another quote before a bracket
/// or the end of the line, else at the last bracket of the line.
fn read_on_line(bytes: &[u8], start: usize) -> (Span, TagForm, usize) {
    let line = &bytes[start..start + line_len(&bytes[start..])];
    let before = |end: usize| line[..end].trim_ascii_end();
    for bracket in memchr_iter(b']', line) {
        let text = before(bracket);
        let quote = closing_quote_len(text);
        if quote > 0 {
            let value = Span::new(start, start + text.len() - quote);
            return (value, TagForm::Whole, start + bracket + 1);
        }
    }
    // Markup may stand behind the pair; a reference may be the quote.
    let mut text = before(line.len());
    loop {
        if let Some(inside) = text.strip_suffix(b"]") {
            let value = Span::new(start, start + inside.trim_ascii_end().len());
            return (value, TagForm::Unquoted, start + text.len());
        }
        let quote = closing_quote_len(text);
        if quote > 0 {
            let value = Span::new(start, start + text.len() - quote);
            return (value, TagForm::NoBracket, start + text.len());
        }
        let Some(len) = markup::last_markup_len(text) else { break };
        text = before(text.len() - len);
    }
    let end = start + line.len();
    (Span::new(start, end), TagForm::Unterminated, end)
}

fn read_unquoted(bytes: &[u8], start: usize) -> (Span, TagForm, usize) {
    let line_end = start + line_len(&bytes[start..]);
    match memchr(b']', &bytes[start..line_end]) {
        Some(len) => {
            let text = bytes[start..start + len].trim_ascii_end();
            let text = text.strip_suffix(b"\"").unwrap_or(text);
            (Span::new(start, start + text.len()), TagForm::Unquoted, start + len + 1)
        }
        None => (Span::new(start, line_end), TagForm::Unterminated, line_end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_str(text: &str) -> Option<(&str, &str, TagForm, &str)> {
        read(text.as_bytes(), 0).map(|(pair, end)| {
            (&text[pair.name.range()], &text[pair.value.range()], pair.form, &text[end..])
        })
    }

    #[test]
    fn a_tag_pair_gives_name_and_raw_value() {
        use TagForm::*;
        for (text, name, value, form, rest) in [
            ("[Event \"a\"]\n", "Event", "a", Plain, "\n"),
            ("[Event\"a\" ][", "Event", "a", Plain, "["),
            ("[ Event  \"\"]", "Event", "", Plain, ""),
            (r#"[White "a \"b\" \\"]x"#, "White", r#"a \"b\" \\"#, Whole, "x"),
            ("[White \"a \"b\" c\"]", "White", "a \"b\" c", Whole, ""),
            ("[White \"a]b\"]", "White", "a]b", Plain, ""),
            ("[White \"a\"\n[Black", "White", "a", NoBracket, "\n[Black"),
            ("[White \"a,\nb\"]", "White", "a,\nb", Whole, ""),
            ("[White \"a,\r\nb\"]", "White", "a,\r\nb", Whole, ""),
            ("[White \"a]\n[Black \"b\"]", "White", "a", Unquoted, "\n[Black \"b\"]"),
            ("[White \"a\\\n\n1. e4", "White", "a\\", Unterminated, "\n\n1. e4"),
            ("[White Smith, J ]\n", "White", "Smith, J", Unquoted, "\n"),
            ("[White", "White", "", Unterminated, ""),
            ("[Round\n\"1\"\n]x", "Round", "1", Plain, "x"),
        ] {
            assert_eq!(read_str(text), Some((name, value, form, rest)), "{text:?}");
        }
    }

    #[test]
    fn quotes_of_other_kinds_are_quotes() {
        use TagForm::*;
        for (text, value, form, rest) in [
            ("[White “a”]\n", "a", Whole, "\n"),
            ("[White„a “b” c“ ]x", "a “b” c", Whole, "x"),
            ("[White «a»\n", "a", NoBracket, "\n"),
            ("[White 'O'Neil']", "O'Neil", Whole, ""),
            ("[White ''a'']", "a", Whole, ""),
            ("[White \"a”]\n[Black \"b\"]", "a", Whole, "\n[Black \"b\"]"),
            ("[White “a\"]", "a", Whole, ""),
            ("[White “a]", "a", Unquoted, ""),
            ("[White &quot;a &amp; b&quot;] [", "a &amp; b", Whole, " ["),
            ("[White &#34;a&#34;<br>", "a", NoBracket, "<br>"),
            ("[White “a\n", "a", Unterminated, "\n"),
            ("[White “‘]", "", Whole, ""),
        ] {
            assert_eq!(read_str(text), Some(("White", value, form, rest)), "{text:?}");
        }
        // In Windows-1252; a byte of that value may also end a character of UTF-8.
        let single = read(b"[White \x93M\xFCller\x94]", 0).map(|(pair, _)| pair.value);
        assert_eq!(single, Some(Span::new(8, 14)));
        let utf8 = "[White “Д”]";
        assert_eq!(read_str(utf8), Some(("White", "Д", Whole, "")));
        assert_eq!(read_str("[White “aД]"), Some(("White", "aД", Unquoted, "")));
    }

    #[test]
    fn a_pair_that_lacks_a_part_is_closed_where_its_line_tells() {
        use TagForm::*;
        for (text, value, form, rest) in [
            ("[White \"a\\\"]\n[", "a\\", Whole, "\n["),
            ("[White a\"]", "a", Unquoted, ""),
            ("[White \"a\")\n", "a", NoBracket, "\n"),
            ("[White \"a\" <b>\"]", "a\" <b>", Whole, ""),
            ("[White ]", "", Unquoted, ""),
        ] {
            assert_eq!(read_str(text), Some(("White", value, form, rest)), "{text:?}");
        }
    }

    #[test]
    fn names_are_read_with_what_the_standard_does_not_allow() {
        for (text, name) in [
            ("[White Elo \"1\"]", "White Elo"),
            ("[White.Elo \"1\"]", "White.Elo"),
            ("[Weiß \"1\"]", "Weiß"),
            ("[Écart “1”]", "Écart"),
            ("[White a \"b\" c]", "White"),
        ] {
            assert_eq!(read_str(text).map(|it| it.0), Some(name), "{text:?}");
        }
    }

    #[test]
    fn brackets_without_a_name_are_no_tags() {
        for text in ["[", "[]", "[%clk 0:01]", "[1]", "[\"a\"]", "[ ]"] {
            assert_eq!(read_str(text), None, "{text:?}");
        }
    }
}
