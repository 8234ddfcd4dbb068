//! Tag pairs: `[Name "Value"]` (PGN standard 8.1), and what people write instead.

use memchr::memchr;

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
/// over line ends, but not over an empty line, a line that begins with `[` or more than a few lines; then the pair ends
/// with its first line. A quote inside the value counts as text unless `]`, another tag or the
/// end of the line follows it.
pub fn read(bytes: &[u8], start: usize) -> Option<(TagPair, usize)> {
    let name_start = skip_blanks(bytes, start + 1);
    let name_len = bytes[name_start..]
        .iter()
        .take(LONGEST_NAME + 1)
        .position(|byte| !is_name_byte(*byte))
        .unwrap_or(bytes.len() - name_start);
    if name_len == 0 || name_len > LONGEST_NAME || !bytes[name_start].is_ascii_alphabetic() {
        return None;
    }
    let name = Span::new(name_start, name_start + name_len);
    let mut open = skip_blanks(bytes, name.end);
    // White space between tokens may hold a line end (PGN standard 7).
    if let Some(quote) = next_line(bytes, open, b'"') {
        open = quote;
    }
    let (value, form, end) = if bytes.get(open) == Some(&b'"') {
        read_quoted(bytes, open + 1)
    } else {
        read_unquoted(bytes, open)
    };
    Some((TagPair { name, value, form }, end))
}

/// Bytes of a tag name, with those that the standard does not allow but people use.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-' | b'/')
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

fn line_len(bytes: &[u8]) -> usize {
    memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len())
}

fn read_quoted(bytes: &[u8], start: usize) -> (Span, TagForm, usize) {
    let mut at = start;
    let mut lines = 0;
    let unterminated = || {
        let end = start + line_len(&bytes[start..]);
        (Span::new(start, end), TagForm::Unterminated, end)
    };
    while let Some(len) =
        bytes[at..].iter().position(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r'))
    {
        let here = at + len;
        match bytes[here] {
            b'\\' if matches!(bytes.get(here + 1), Some(b'"' | b'\\')) => at = here + 2,
            b'\\' => at = here + 1,
            b'"' => {
                let after = skip_blanks(bytes, here + 1);
                if let Some(bracket) = next_line(bytes, after, b']') {
                    return (Span::new(start, here), TagForm::Whole, bracket + 1);
                }
                match bytes.get(after) {
                    Some(b']') => {
                        return (Span::new(start, here), TagForm::Whole, after + 1);
                    }
                    None | Some(b'\n' | b'\r' | b'[') => {
                        return (Span::new(start, here), TagForm::NoBracket, here + 1);
                    }
                    Some(_) => at = here + 1,
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
                    return unterminated();
                }
            }
        }
    }
    unterminated()
}

fn read_unquoted(bytes: &[u8], start: usize) -> (Span, TagForm, usize) {
    let line_end = start + line_len(&bytes[start..]);
    match memchr(b']', &bytes[start..line_end]) {
        Some(len) => {
            let text = bytes[start..start + len].trim_ascii_end();
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
            ("[Event \"a\"]\n", "Event", "a", Whole, "\n"),
            ("[Event\"a\" ][", "Event", "a", Whole, "["),
            ("[ Event  \"\"]", "Event", "", Whole, ""),
            (r#"[White "a \"b\" \\"]x"#, "White", r#"a \"b\" \\"#, Whole, "x"),
            ("[White \"a \"b\" c\"]", "White", "a \"b\" c", Whole, ""),
            ("[White \"a]b\"]", "White", "a]b", Whole, ""),
            ("[White \"a\"\n[Black", "White", "a", NoBracket, "\n[Black"),
            ("[White \"a,\nb\"]", "White", "a,\nb", Whole, ""),
            ("[White \"a,\r\nb\"]", "White", "a,\r\nb", Whole, ""),
            ("[White \"a]\n[Black \"b\"]", "White", "a]", Unterminated, "\n[Black \"b\"]"),
            ("[White \"a\\\n\n1. e4", "White", "a\\", Unterminated, "\n\n1. e4"),
            ("[White Smith, J ]\n", "White", "Smith, J", Unquoted, "\n"),
            ("[White", "White", "", Unterminated, ""),
            ("[Round\n\"1\"\n]x", "Round", "1", Whole, "x"),
        ] {
            assert_eq!(read_str(text), Some((name, value, form, rest)), "{text:?}");
        }
    }

    #[test]
    fn brackets_without_a_name_are_no_tags() {
        for text in ["[", "[]", "[%clk 0:01]", "[1]", "[\"a\"]", "[ ]"] {
            assert_eq!(read_str(text), None, "{text:?}");
        }
    }
}
