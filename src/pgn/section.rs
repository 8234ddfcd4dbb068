//! Tag sections as nearly all games have them: pairs in the standard's own form, one on a line.
//!
//! In: the bytes from a game's first bracket on. Out: where each pair stands, as far as the form
//! goes, so that nobody cuts these bytes into tokens. What is told is what the [lexer](super::Lexer)
//! would tell; anything else ends the section, and the lexer goes on behind it.

use super::token::{TagForm, TagPair};
use crate::diagnostics::Span;

/// Pairs of a section; what stands behind them is left to the lexer.
const MOST_PAIRS: usize = 28;

/// Longer values are left to the lexer.
const LONGEST_VALUE: usize = 240;

/// Longer names are left to the lexer.
const LONGEST_NAME: usize = 32;

/// The pairs `[Name "Value"]` that begin a game, each on a line of its own: names of the
/// standard's characters, values that need no closer look, and not a blank more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PlainSection {
    start: usize,
    end: usize,
    /// Lengths of each name and value.
    lengths: [(u8, u8); MOST_PAIRS],
    pairs: u8,
    /// Length of the line ends between them.
    line_end: u8,
}

impl PlainSection {
    /// A section without pairs, which leaves all to the lexer.
    pub const fn empty(start: usize) -> PlainSection {
        let lengths = [(0, 0); MOST_PAIRS];
        PlainSection { start, end: start, lengths, pairs: 0, line_end: 0 }
    }

    /// Reads the section that begins at `start`. There is none unless a line begins there.
    pub fn read(bytes: &[u8], start: usize) -> PlainSection {
        let mut section = PlainSection::empty(start);
        if start > 0 && !matches!(bytes[start - 1], b'\n' | b'\r') {
            return section;
        }
        let mut at = start;
        while usize::from(section.pairs) < MOST_PAIRS
            && let Some((name, value)) = lengths(&bytes[at..])
        {
            let end = at + name + value + BESIDE;
            let line_end = match &bytes[end..] {
                [b'\n', ..] => 1,
                [b'\r', b'\n', ..] => 2,
                _ => break,
            };
            if section.pairs > 0 && line_end != section.line_end {
                break;
            }
            section.line_end = line_end;
            section.lengths[usize::from(section.pairs)] = (name as u8, value as u8);
            section.pairs += 1;
            section.end = end;
            at = end + usize::from(line_end);
        }
        // All values at once: what a value must not hold stands only where a line begins or ends.
        let lines = usize::from(section.pairs);
        let marks = lines + usize::from(section.line_end) * lines.saturating_sub(1);
        if count_marks(&bytes[start..section.end]) == marks {
            section
        } else {
            PlainSection::empty(start)
        }
    }

    /// Behind the last bracket.
    pub fn end(&self) -> usize {
        self.end
    }

    pub fn is_empty(&self) -> bool {
        self.pairs == 0
    }

    /// The pairs, each with all that belongs to it.
    pub fn pairs(&self) -> impl Iterator<Item = (Span, TagPair)> + '_ {
        let mut at = self.start;
        self.lengths[..usize::from(self.pairs)].iter().map(move |&(name, value)| {
            let name = Span::new(at + 1, at + 1 + usize::from(name));
            let value = Span::new(name.end + 2, name.end + 2 + usize::from(value));
            let span = Span::new(at, value.end + 2);
            at = span.end + usize::from(self.line_end);
            (span, TagPair { name, value, form: TagForm::Plain })
        })
    }
}

impl std::fmt::Debug for PlainSection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.pairs().map(|(span, _)| span)).finish()
    }
}

/// Brackets, blank and quotes.
const BESIDE: usize = 5;

/// Lengths of name and value of the pair at the start of `text`, which may hold in its value what
/// belongs to no value.
#[inline]
fn lengths(text: &[u8]) -> Option<(usize, usize)> {
    let (b'[', inside) = text.split_first()? else { return None };
    if !inside.first()?.is_ascii_alphabetic() {
        return None;
    }
    let name = inside.iter().take(LONGEST_NAME).position(|&byte| !IN_NAME[usize::from(byte)])?;
    let value = inside[name..].strip_prefix(b" \"")?;
    let len = quote_place(value)?;
    (value.get(len + 1) == Some(&b']')).then_some((name, len))
}

/// Where the first quote stands in the next bytes: sixteen of them at once, since nearly all values
/// are shorter, and no processor foresees how long the next one is.
#[inline]
fn quote_place(text: &[u8]) -> Option<usize> {
    const EACH: u128 = u128::from_le_bytes([1; 16]);
    let (words, _) = text[..text.len().min(LONGEST_VALUE)].as_chunks::<16>();
    for (index, word) in words.iter().enumerate() {
        let differs = u128::from_le_bytes(*word) ^ (EACH * b'"' as u128);
        let equal = differs.wrapping_sub(EACH) & !differs & (EACH << 7);
        if equal != 0 {
            return Some(16 * index + equal.trailing_zeros() as usize / 8);
        }
    }
    None
}

/// The characters of a name (PGN standard 8.1).
const IN_NAME: [bool; 256] = {
    let mut name = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        name[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    name
};

/// How many bytes end a line, or would need a closer look inside a value, or may begin a tag
/// section there.
fn count_marks(text: &[u8]) -> usize {
    // Sums of one byte each, so that the compiler adds many of them at once.
    fn sum<const LEN: usize>(blocks: &[[u8; LEN]]) -> usize {
        let in_block = |block: &[u8; LEN]| {
            usize::from(block.iter().map(|&byte| u8::from(is_mark(byte))).sum::<u8>())
        };
        blocks.iter().map(in_block).sum()
    }
    let (blocks, rest) = text.as_chunks::<64>();
    let (small_blocks, rest) = rest.as_chunks::<16>();
    let in_rest: u8 = rest.iter().map(|&byte| MARK[usize::from(byte)]).sum();
    sum(blocks) + sum(small_blocks) + usize::from(in_rest)
}

#[inline(always)]
const fn is_mark(byte: u8) -> bool {
    (byte == b'[')
        | (byte == b'\\')
        | (byte == b'\n')
        | (byte == b'\r')
        | (byte == b'&')
        | (byte == b'<')
}

const MARK: [u8; 256] = {
    let mut mark = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        mark[byte] = is_mark(byte as u8) as u8;
        byte += 1;
    }
    mark
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Lexer, TokenKind, boundary};

    fn spans(text: &[u8]) -> Vec<&[u8]> {
        let section = PlainSection::read(text, 0);
        section.pairs().map(|(span, _)| span.of(text)).collect()
    }

    /// Room behind the text, without which the last value is left to the lexer.
    fn with_room(text: &str) -> Vec<u8> {
        format!("{text}\n\n1. e4 e5 2. Nf3 *\n").into_bytes()
    }

    #[test]
    fn pairs_are_found_as_far_as_they_are_plain() {
        let table: &[(&str, &[&str])] = &[
            ("[Event \"a\"]\n[Site \"\"]", &["[Event \"a\"]", "[Site \"\"]"]),
            ("[Event \"a\"]\r\n[Site \"b\"]\r\n", &["[Event \"a\"]", "[Site \"b\"]"]),
            ("[Event \"a\"]\r\n[Site \"b\"]\n[Date \"c\"]", &["[Event \"a\"]"]),
            ("[Event \"Müller\"]\n[Site  \"b\"]", &["[Event \"Müller\"]"]),
            ("[Event \"a\"] \n[Site \"b\"]", &[]),
            ("[Event \"a\"]\n[Si-te \"b\"]", &["[Event \"a\"]"]),
            ("[Event \"a\"]\n[Site \"b\" ]", &["[Event \"a\"]"]),
            ("[Event \"a\"]\n[%clk \"b\"]", &["[Event \"a\"]"]),
            // What is no value ends a section as a whole.
            ("[Event \"a\"]\n[Site \"b & c\"]", &[]),
            ("[Event \"a\"]\n[Site \"b \\\"c\"]", &["[Event \"a\"]"]),
            ("[Event \"a\"]\n[Site \"1-0 [Event \"]", &[]),
            ("[Event \"a\nb\"]", &[]),
        ];
        for (text, expected) in table {
            let bytes = with_room(text);
            let expected: Vec<&[u8]> = expected.iter().map(|it| it.as_bytes()).collect();
            assert_eq!(spans(&bytes), expected, "{text:?}");
        }
    }

    #[test]
    fn a_section_begins_with_its_line() {
        let text = with_room("1-0 [White \"a\"]\n[Black \"b\"]");
        assert!(PlainSection::read(&text, 4).is_empty());
        assert_eq!(PlainSection::read(&text, 16).end(), 27);
    }

    #[test]
    fn a_plain_section_is_what_the_lexer_reads_and_holds_no_candidate() {
        let pairs = [
            "[Event \"a\"]",
            "[Event \"Open de la Ville\"]",
            "[Site \"\"]",
            "[White \"O'Neil, J. (GM) {x} ; %\"]",
            "[WhiteElo \"2100\"]",
            "[Black \"M\u{fc}ller\"]",
            "[Round \"1.2\" ]",
            "[ECO\"B01\"]",
            "[White Elo \"2100\"]",
            "[Result \"1-0 [Event \\\"x\\\"]\"]",
            "[Result \"1-0[Event\"x\"]\"]",
            "[Site \"<br>\"]",
            "[Annotator \"a",
            "% [Event \"b\"]",
            "{ c }",
            "1-0",
        ];
        let ends = ["\n", "\n", "\n", "\n", "\n\n", "\r\n", "\r", " \n", "", "\n ", "\n]"];
        let mut state = 11u64;
        let mut pick = |list: &[&'static str]| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            list[(state >> 33) as usize % list.len()]
        };
        let mut told = 0;
        for round in 0..20_000 {
            let (pairs, ends) = (&pairs[..6 + round % 11], &ends[..1 + round % 7 * 5 / 3]);
            let mut text = String::new();
            for _ in 0..8 {
                text.push_str(pick(pairs));
                text.push_str(pick(ends));
            }
            let bytes = text.as_bytes();
            let section = PlainSection::read(bytes, 0);
            let mut tokens = Lexer::new(bytes, Span::new(0, bytes.len()));
            for (span, pair) in section.pairs() {
                let token = tokens.by_ref().find(|token| token.kind != TokenKind::Space);
                let token = token.expect("a tag pair");
                assert_eq!((token.span, token.kind), (span, TokenKind::Tag(pair)), "{text:?}");
                told += 1;
            }
            let candidate = boundary::next_candidate(bytes, 1).unwrap_or(bytes.len());
            assert!(candidate >= section.end(), "{text:?}");
        }
        assert!(told > 20_000, "only {told} pairs");
    }
}
