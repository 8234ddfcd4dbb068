//! Cuts a game into tokens without loss: every byte stands in exactly one token.

use memchr::{memchr, memchr2};

use super::markup::{mail_quote_len, markup_len, without_references, word_reference_len};
use super::outcome::parse_result;
use super::san::is_castling_with_zeros;
use super::space::{space_len, spaces_len};
use super::tag;
use super::token::{TagPair, Token, TokenKind};
use crate::diagnostics::Span;
use crate::replay::GameResult;

/// The tokens of `bytes[start..end]`, one after another.
///
/// It begins in the tag section and leaves it at the first token that is neither space, comment,
/// escape line, markup nor tag pair. Behind that, a `[` is junk unless it opens a tag pair at the start
/// of a line. Bytes before `start` are looked at only to know whether `start` begins a line.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    in_tags: bool,
    /// Open parentheses, as far as they were seen.
    depth: u32,
}

/// What a byte can begin, or be part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Digit,
    Word,
    High,
    Dot,
    Star,
    Dollar,
    Suffix,
    RavOpen,
    RavClose,
    CommentOpen,
    CommentClose,
    Semicolon,
    Percent,
    TagOpen,
    /// What may begin markup.
    Angle,
    Junk,
}

const CLASS: [Class; 256] = {
    let mut class = [Class::Word; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            0..=b' ' | 0x7F => Class::Space,
            b'0'..=b'9' => Class::Digit,
            b'.' => Class::Dot,
            b'*' => Class::Star,
            b'$' => Class::Dollar,
            b'!' | b'?' => Class::Suffix,
            b'(' => Class::RavOpen,
            b')' => Class::RavClose,
            b'{' => Class::CommentOpen,
            b'}' => Class::CommentClose,
            b';' => Class::Semicolon,
            b'%' => Class::Percent,
            b'[' => Class::TagOpen,
            b'<' | b'>' | b'&' => Class::Angle,
            b']' => Class::Junk,
            0x80..=0xFF => Class::High,
            _ => Class::Word,
        };
        byte += 1;
    }
    class
};

impl<'a> Lexer<'a> {
    pub fn new(bytes: &'a [u8], span: Span) -> Lexer<'a> {
        Lexer { bytes: &bytes[..span.end], at: span.start, in_tags: true, depth: 0 }
    }

    /// The tokens of movetext alone, as behind a tag section.
    pub fn movetext(bytes: &'a [u8], span: Span) -> Lexer<'a> {
        Lexer { bytes: &bytes[..span.end], at: span.start, in_tags: false, depth: 0 }
    }

    /// Where the next token begins.
    pub fn position(&self) -> usize {
        self.at
    }

    fn class(&self, at: usize) -> Option<Class> {
        self.bytes.get(at).map(|&byte| CLASS[usize::from(byte)])
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || matches!(self.bytes[self.at - 1], b'\n' | b'\r')
    }

    /// Length of the white space character at `at`.
    fn space_len(&self, at: usize) -> usize {
        space_len(&self.bytes[at..])
    }

    fn space_end(&self, at: usize) -> usize {
        at + spaces_len(&self.bytes[at..])
    }

    /// The end of the markup at `at`; `at` itself if there is none.
    fn markup_end(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        at + if self.at_line_start() {
            markup_len(rest).max(mail_quote_len(rest))
        } else {
            markup_len(rest)
        }
    }

    fn line_end(&self, at: usize) -> usize {
        memchr2(b'\n', b'\r', &self.bytes[at..]).map_or(self.bytes.len(), |len| at + len)
    }

    fn digits_end(&self, at: usize) -> usize {
        self.run_end(at, Class::Digit)
    }

    fn run_end(&self, mut at: usize, class: Class) -> usize {
        while self.class(at) == Some(class) {
            at += 1;
        }
        at
    }

    /// The end of a word that begins at `at`. A promotion piece in parentheses belongs to it.
    #[inline]
    fn word_end(&self, start: usize) -> usize {
        let mut at = start;
        loop {
            match self.class(at) {
                Some(Class::Word | Class::Digit | Class::Dot) => at += 1,
                Some(Class::High | Class::Angle | Class::RavOpen) => {
                    match self.odd_part_len(start, at) {
                        0 => return at,
                        len => at += len,
                    }
                }
                _ => return at,
            }
        }
    }

    /// How much of a word what is neither letter nor digit is; 0 if the word ends before it.
    #[inline(never)]
    fn odd_part_len(&self, start: usize, at: usize) -> usize {
        match self.bytes[at] {
            b'(' if at == start => 0,
            b'(' if self.piece_in_parentheses(at) => 3,
            b'(' => self.remark_in_parentheses(at).unwrap_or(0),
            0x80.. => usize::from(self.space_len(at) == 0),
            _ => word_reference_len(&self.bytes[at..]),
        }
    }

    /// `e8(Q)`, `e8=(Q)`
    fn piece_in_parentheses(&self, at: usize) -> bool {
        matches!(self.bytes[at - 1], b'1' | b'8' | b'=')
            && matches!(self.bytes.get(at + 1..at + 3), Some([piece, b')'])
                if piece.is_ascii_alphabetic())
    }

    /// `(=)`, `(e.p.)` and what else belongs to the move before it, though it stands in
    /// parentheses: its length.
    fn remark_in_parentheses(&self, at: usize) -> Option<usize> {
        const REMARKS: [&[u8]; 5] = [b"(=)", b"(ep)", b"(e.p.)", b"(ch)", b"(D)"];
        let rest = &self.bytes[at..];
        REMARKS.iter().find(|remark| rest.starts_with(remark)).map(|remark| remark.len())
    }

    /// `(1)`: where it ends.
    fn number_in_parentheses(&self, open: usize) -> Option<usize> {
        let digits = self.digits_end(open + 1);
        (digits > open + 1 && digits < open + 5 && self.bytes.get(digits) == Some(&b')'))
            .then_some(digits + 1)
    }

    /// Dots, and ellipses of one character.
    fn dots_end(&self, mut at: usize) -> usize {
        loop {
            match self.bytes[at..] {
                [b'.', ..] => at += 1,
                [0xE2, 0x80, 0xA6, ..] => at += 3,
                _ => return at,
            }
        }
    }

    /// `1)`, `1:` and `1-`, with a word behind: a number, whatever stands for its dot.
    fn other_number_end(&self, sign: usize) -> Option<usize> {
        let mut next = sign + 1;
        while self.class(next) == Some(Class::Space) {
            next += 1;
        }
        let word = self.bytes.get(next).is_some_and(u8::is_ascii_alphabetic)
            || self.class(next) == Some(Class::High);
        // Behind a bracket, which mostly closes a side line, a move must follow.
        let is_move = || {
            let end = self.word_end(next);
            super::san::is_move_like(&self.bytes[next..end])
        };
        (word && (self.bytes[sign] != b')' || self.depth == 0 && is_move())).then_some(sign + 1)
    }

    /// `1 - 0`, `0 : 1`: the result with blanks in it, and where it ends.
    fn spaced_result(&self, start: usize) -> Option<(GameResult, usize)> {
        let near = &self.bytes[start..self.bytes.len().min(start + 8)];
        let (_, behind) = near.split_first()?;
        let gap = behind.iter().take_while(|byte| **byte == b' ').count();
        let sign = behind.get(gap).filter(|sign| gap > 0 && matches!(sign, b'-' | b':'))?;
        let behind = &behind[gap + 1..];
        let gap = gap + 1 + behind.iter().take_while(|byte| **byte == b' ').count();
        let end = start + gap + 2;
        let text = [near[0], *sign, *self.bytes.get(end - 1)?];
        let alone = self.class(end).is_none_or(|class| class == Class::Space);
        let (result, _) = parse_result(&text)?;
        (alone && result != GameResult::OffBoard).then_some((result, end))
    }

    fn number_or_result(&self, start: usize) -> (TokenKind, usize) {
        let digits = self.digits_end(start);
        match self.bytes.get(digits) {
            Some(b' ') if digits == start + 1 && matches!(self.bytes[start], b'0' | b'1') => {
                match self.spaced_result(start) {
                    Some((result, end)) => {
                        (TokenKind::Termination { result, standard: false }, end)
                    }
                    None => (TokenKind::MoveNumber, digits),
                }
            }
            Some(b'.') => {
                // `0.5-0.5`
                if self.bytes[start] == b'0' && self.class(digits + 1) == Some(Class::Digit) {
                    let end = self.word_end(start);
                    if let Some((result, standard)) = parse_result(&self.bytes[start..end]) {
                        return (TokenKind::Termination { result, standard }, end);
                    }
                }
                (TokenKind::MoveNumber, self.dots_end(digits))
            }
            Some(0x80..) if self.dots_end(digits) > digits => {
                (TokenKind::MoveNumber, self.dots_end(digits))
            }
            Some(b')') => (TokenKind::MoveNumber, self.other_number_end(digits).unwrap_or(digits)),
            Some(b'-' | b'/' | b':' | b'&' | 0x80..)
                if self.bytes[digits] != b'&' || word_reference_len(&self.bytes[digits..]) > 0 =>
            {
                let end = self.word_end(start);
                let word = &self.bytes[start..end];
                let trimmed = word.trim_ascii_end();
                let trimmed = trimmed.strip_suffix(b".").unwrap_or(trimmed);
                // Castling first; of `0-0` the examiner knows which one it is.
                if is_castling_with_zeros(trimmed) {
                    return (TokenKind::Word, start + trimmed.len());
                }
                match self.result(trimmed) {
                    Some((result, standard)) => {
                        (TokenKind::Termination { result, standard }, start + trimmed.len())
                    }
                    None if digits < end && self.bytes[digits] >= 0x80 => {
                        (TokenKind::MoveNumber, digits)
                    }
                    None => match self.other_number_end(digits) {
                        Some(end) => (TokenKind::MoveNumber, end),
                        None => (TokenKind::Word, end),
                    },
                }
            }
            // No move has the number 0: castling or, with four, a null move of engines.
            _ if (2..=4).contains(&(digits - start))
                && self.bytes[start..digits].iter().all(|byte| *byte == b'0') =>
            {
                (TokenKind::Word, self.word_end(start))
            }
            _ => (TokenKind::MoveNumber, digits),
        }
    }

    fn word_or_result(&self, start: usize) -> (TokenKind, usize) {
        let end = self.word_end(start);
        match self.result(&self.bytes[start..end]) {
            Some((result, standard)) => (TokenKind::Termination { result, standard }, end),
            None => (TokenKind::Word, end),
        }
    }

    /// A result, also one with character references in it.
    fn result(&self, word: &[u8]) -> Option<(GameResult, bool)> {
        match std::str::from_utf8(word) {
            Ok(text) if text.contains('&') => {
                let (result, _) = parse_result(without_references(text).as_bytes())?;
                Some((result, false))
            }
            _ => parse_result(word),
        }
    }

    #[inline(never)]
    fn rarer(&mut self, class: Class, start: usize) -> (TokenKind, usize) {
        match class {
            Class::High if self.dots_end(start) > start => {
                (TokenKind::MoveNumber, self.dots_end(start))
            }
            Class::High => match self.space_len(start) {
                0 => self.word_or_result(start),
                len => (TokenKind::Space, self.space_end(start + len)),
            },
            Class::Dot => (TokenKind::MoveNumber, self.dots_end(start)),
            Class::Star => {
                (TokenKind::Termination { result: GameResult::Unknown, standard: true }, start + 1)
            }
            Class::Dollar => (TokenKind::Nag, self.digits_end(start + 1)),
            Class::Suffix => (TokenKind::Suffix, self.run_end(start, Class::Suffix)),
            Class::RavOpen if self.number_in_parentheses(start).is_some() => {
                (TokenKind::MoveNumber, self.number_in_parentheses(start).unwrap_or(start + 1))
            }
            Class::RavOpen => match self.remark_in_parentheses(start) {
                Some(len) => (TokenKind::Word, start + len),
                None => {
                    self.depth += 1;
                    (TokenKind::RavOpen, start + 1)
                }
            },
            Class::RavClose => {
                self.depth = self.depth.saturating_sub(1);
                (TokenKind::RavClose, start + 1)
            }
            Class::CommentClose => (TokenKind::CommentClose, start + 1),
            Class::Semicolon => (TokenKind::LineComment, self.line_end(start)),
            Class::Percent if self.at_line_start() => (TokenKind::Escape, self.line_end(start)),
            Class::TagOpen if self.in_tags || self.at_line_start() => {
                match tag::read(self.bytes, start) {
                    Some((pair, end)) => (TokenKind::Tag(pair), end),
                    None => (TokenKind::Junk, start + 1),
                }
            }
            Class::Angle if word_reference_len(&self.bytes[start..]) > 0 => {
                self.word_or_result(start)
            }
            Class::Angle => match self.markup_end(start) {
                end if end > start => (TokenKind::Markup, end),
                _ => (TokenKind::Junk, start + 1),
            },
            _ => (TokenKind::Junk, start + 1),
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    #[inline(always)]
    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        // What nearly every token is, and in a few words, so that the loop around takes it in.
        let (kind, end) = match self.class(start)? {
            Class::Space => (TokenKind::Space, self.space_end(start + 1)),
            Class::Word => (TokenKind::Word, self.word_end(start)),
            Class::Digit => self.number_or_result(start),
            Class::CommentOpen => match memchr(b'}', &self.bytes[start..]) {
                Some(len) => (TokenKind::Comment { closed: true }, start + len + 1),
                None => (TokenKind::Comment { closed: false }, self.bytes.len()),
            },
            class => self.rarer(class, start),
        };
        self.in_tags &= matches!(
            kind,
            TokenKind::Space
                | TokenKind::Escape
                | TokenKind::LineComment
                | TokenKind::Comment { .. }
                | TokenKind::Markup
                | TokenKind::Tag(TagPair { .. })
        );
        self.at = end;
        Some(Token { kind, span: Span::new(start, end) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenKind::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        Lexer::movetext(text.as_bytes(), Span::new(0, text.len()))
            .filter(|token| token.kind != Space)
            .map(|token| (token.kind, &text[token.span.range()]))
            .collect()
    }

    fn termination(result: crate::replay::GameResult, standard: bool) -> TokenKind {
        Termination { result, standard }
    }

    #[test]
    fn moves_numbers_and_results_are_told_apart() {
        use crate::replay::GameResult::*;
        assert_eq!(
            kinds("1.e4 e5 2. Nf3 2... Nc6 0-0 1/2-1/2 1-0. * 0.5-0.5 12 O-O-O+"),
            [
                (MoveNumber, "1."),
                (Word, "e4"),
                (Word, "e5"),
                (MoveNumber, "2."),
                (Word, "Nf3"),
                (MoveNumber, "2..."),
                (Word, "Nc6"),
                (Word, "0-0"),
                (termination(Draw, true), "1/2-1/2"),
                (termination(WhiteWins, true), "1-0"),
                (MoveNumber, "."),
                (termination(Unknown, true), "*"),
                (termination(Draw, false), "0.5-0.5"),
                (MoveNumber, "12"),
                (Word, "O-O-O+"),
            ]
        );
    }

    #[test]
    fn a_promotion_piece_in_parentheses_belongs_to_its_move() {
        assert_eq!(
            kinds("e8(Q)+ (Qb3) e8=(R)"),
            [(Word, "e8(Q)+"), (RavOpen, "("), (Word, "Qb3"), (RavClose, ")"), (Word, "e8=(R)")]
        );
    }

    #[test]
    fn numbers_are_known_in_every_form() {
        assert_eq!(
            kinds("1)e4 e5 2) Nf3 3\u{2026}Nc6 \u{2026}a6 4: d4 5- c4 6.\u{2026} d5"),
            [
                (MoveNumber, "1)"),
                (Word, "e4"),
                (Word, "e5"),
                (MoveNumber, "2)"),
                (Word, "Nf3"),
                (MoveNumber, "3\u{2026}"),
                (Word, "Nc6"),
                (MoveNumber, "\u{2026}"),
                (Word, "a6"),
                (MoveNumber, "4:"),
                (Word, "d4"),
                (MoveNumber, "5-"),
                (Word, "c4"),
                (MoveNumber, "6.\u{2026}"),
                (Word, "d5"),
            ]
        );
        assert_eq!(kinds("(2. f4 3) Nf6")[4..], [(RavClose, ")"), (Word, "Nf6")]);
    }

    #[test]
    fn results_are_known_with_blanks_and_references_in_them() {
        use crate::replay::GameResult::*;
        assert_eq!(
            kinds("1 - 0 1 : 0 0 -1 1&ndash;0 1-O 1 e4"),
            [
                (termination(WhiteWins, false), "1 - 0"),
                (termination(WhiteWins, false), "1 : 0"),
                (termination(BlackWins, false), "0 -1"),
                (termination(WhiteWins, false), "1&ndash;0"),
                (termination(WhiteWins, false), "1-O"),
                (MoveNumber, "1"),
                (Word, "e4"),
            ]
        );
        assert_eq!(kinds("1 - e4")[0], (MoveNumber, "1"));
    }

    #[test]
    fn remarks_in_parentheses_are_no_variations() {
        assert_eq!(
            kinds("Nf3(=) exd6 (e.p.) (=) (D)"),
            [(Word, "Nf3(=)"), (Word, "exd6"), (Word, "(e.p.)"), (Word, "(=)"), (Word, "(D)")]
        );
    }

    #[test]
    fn comments_end_at_their_brace_and_escapes_with_their_line() {
        assert_eq!(
            kinds("e4{a ; b}!? ; c } d\n% e {\n} e5 {open"),
            [
                (Word, "e4"),
                (Comment { closed: true }, "{a ; b}"),
                (Suffix, "!?"),
                (LineComment, "; c } d"),
                (Escape, "% e {"),
                (CommentClose, "}"),
                (Word, "e5"),
                (Comment { closed: false }, "{open"),
            ]
        );
    }

    #[test]
    fn markup_ends_a_word_and_a_mail_quote_stands_only_at_the_start_of_a_line() {
        assert_eq!(
            kinds("e4<br>\n> e5 > &nbsp;Nf3 <Nc6"),
            [
                (Word, "e4"),
                (Markup, "<br>"),
                (Markup, "> "),
                (Word, "e5"),
                (Junk, ">"),
                (Markup, "&nbsp;"),
                (Word, "Nf3"),
                (Junk, "<"),
                (Word, "Nc6"),
            ]
        );
    }

    #[test]
    fn every_byte_stands_in_one_token() {
        // A small generator of nasty text; the alphabet holds every class of byte.
        let alphabet =
            b"1209.-/*$!?(){};%<>&[]\"\\ \n\r\tabNQO=+#\xEF\xBB\xBF\xC2\xA0\x00\xE2\x80\x93";
        let mut state = 1u64;
        for _ in 0..20_000 {
            let bytes: Vec<u8> = (0..24)
                .map(|_| {
                    state =
                        state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    alphabet[(state >> 33) as usize % alphabet.len()]
                })
                .collect();
            let mut at = 0;
            for token in Lexer::new(&bytes, Span::new(0, bytes.len())) {
                assert_eq!(token.span.start, at, "{bytes:?}");
                assert!(token.span.end > at, "{bytes:?}");
                at = token.span.end;
            }
            assert_eq!(at, bytes.len());
        }
    }
}
