//! Text as its plain words: lower case, no accents, one space between them, no punctuation.

use deunicode::deunicode_char;

/// The words of a short text, in ASCII.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    buffer: [u8; Words::MOST],
    len: usize,
}

impl Words {
    /// The longest phrase with two long names beside it; what is longer is prose.
    const MOST: usize = 192;

    /// `None` where the text is too long to be a phrase.
    pub fn of(text: &[u8]) -> Option<Words> {
        let mut words = Words { buffer: [0; Words::MOST], len: 0 };
        let mut gap = false;
        if text.is_ascii() {
            words.add(text, &mut gap)?;
            return Some(words);
        }
        let mut letter = |letter: char| {
            let plain = if letter.is_ascii() { None } else { deunicode_char(letter) };
            words.add(plain.unwrap_or(letter.encode_utf8(&mut [0; 4])).as_bytes(), &mut gap)
        };
        match std::str::from_utf8(text) {
            Ok(text) => text.chars().try_for_each(&mut letter)?,
            // Single bytes are taken for the standard's own set, ISO 8859-1.
            Err(_) => text.iter().try_for_each(|&byte| letter(char::from(byte)))?,
        }
        Some(words)
    }

    fn add(&mut self, text: &[u8], gap: &mut bool) -> Option<()> {
        for &byte in text {
            if !byte.is_ascii_alphanumeric() {
                *gap = true;
                continue;
            }
            if *gap && self.len > 0 {
                self.push(b' ')?;
            }
            *gap = false;
            self.push(byte.to_ascii_lowercase())?;
        }
        Some(())
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    fn push(&mut self, byte: u8) -> Option<()> {
        *self.buffer.get_mut(self.len)? = byte;
        self.len += 1;
        Some(())
    }
}

/// The words behind a beginning of whole words.
pub fn strip_words<'a>(text: &'a [u8], beginning: &[u8]) -> Option<&'a [u8]> {
    match text.strip_prefix(beginning)? {
        [] => Some(&[]),
        [b' ', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// Whether the words are those of a pattern, where each `*` stands for one or more words.
pub fn fits(text: &[u8], pattern: &[u8]) -> bool {
    // Nearly all of a table's phrases are told apart so.
    if text.first() != pattern.first() && pattern.first() != Some(&b'*') {
        return false;
    }
    let Some(star) = pattern.iter().position(|&byte| byte == b'*') else { return text == pattern };
    let Some(rest) = text.strip_prefix(&pattern[..star]) else { return false };
    let behind = &pattern[star + 1..];
    !rest.is_empty() && (behind.is_empty() || (1..rest.len()).any(|at| fits(&rest[at..], behind)))
}

/// Whether words that fit a pattern stand behind one or more others.
pub fn ends_with_words(text: &[u8], pattern: &[u8]) -> bool {
    let spaces = text.iter().enumerate().filter(|&(_, &byte)| byte == b' ');
    spaces.map(|(at, _)| &text[at + 1..]).any(|words| fits(words, pattern))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Option<String> {
        Words::of(text.as_bytes()).map(|words| String::from_utf8_lossy(words.as_bytes()).into())
    }

    #[test]
    fn punctuation_and_case_do_not_count() {
        for (text, expected) in [
            ("  3-Fold   Repetition. ", "3 fold repetition"),
            ("Müller_2 won\non time", "muller 2 won on time"),
            ("...", ""),
        ] {
            assert_eq!(plain(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(plain(&"prose ".repeat(40)), None);
        assert_eq!(plain(&"é".repeat(200)), None);
    }

    #[test]
    fn accents_do_not_count_in_utf_8_and_in_the_standards_own_set() {
        let latin1 = b"50-Z\xdcGE-Regel";
        let words = Words::of(latin1).expect("it is short");
        assert_eq!(words.as_bytes(), b"50 zuge regel");
        for text in ["50-Züge-Regel", "50\u{2011}ZÜGE\u{a0}REGEL", "50-Zu\u{308}ge-Regel"] {
            assert_eq!(plain(text).as_deref(), Some("50 zuge regel"), "{text}");
        }
    }

    #[test]
    fn a_star_stands_for_words_that_are_there() {
        for (text, pattern, expected) in [
            ("adjudication syzygytb", "adjudication *", true),
            ("adjudication", "adjudication *", false),
            (
                "ran out of time and b has no material",
                "ran out of time and * has no material",
                true,
            ),
            ("ran out of time and has no material", "ran out of time and * has no material", false),
            ("stalemate", "stalemate", true),
            ("stalemates", "stalemate", false),
        ] {
            assert_eq!(fits(text.as_bytes(), pattern.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn only_whole_words_are_stripped() {
        assert_eq!(strip_words(b"draw by time", b"draw by"), Some(&b"time"[..]));
        assert_eq!(strip_words(b"drawer", b"draw"), None);
    }
}
