//! The words of a game that hold a byte above 0x7F.

/// A stretch of ASCII letters and digits and bytes above 0x7F, with at least one of these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub bytes: &'a [u8],
    /// The bytes on both sides, a space where there is none.
    pub before: u8,
    pub behind: u8,
    start: usize,
}

impl<'a> Word<'a> {
    /// The first word behind `at`, which must be the start of the text or the end of a word.
    pub fn next(text: &'a [u8], at: usize) -> Option<Word<'a>> {
        let outside = |&byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric();
        let high = at + text[at..].iter().position(|byte| !byte.is_ascii())?;
        let start = text[at..high].iter().rposition(outside).map_or(at, |before| at + before + 1);
        let end = text[high..].iter().position(outside).map_or(text.len(), |len| high + len);
        let before = start.checked_sub(1).map_or(b' ', |before| text[before]);
        let behind = text.get(end).copied().unwrap_or(b' ');
        Some(Word { bytes: &text[start..end], before, behind, start })
    }

    pub fn start(&self) -> usize {
        self.start
    }

    pub fn end(&self) -> usize {
        self.start + self.bytes.len()
    }

    /// The same word in other bytes.
    pub fn written<'b>(&self, bytes: &'b [u8]) -> Word<'b> {
        Word { bytes, before: self.before, behind: self.behind, start: self.start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_ascii_alone_are_passed_over() {
        let text = b"\xe9t\xe9 \"M\xfcller, J\" 1. \xcaf3 N\xe9";
        let mut words = Vec::new();
        let mut at = 0;
        while let Some(word) = Word::next(text, at) {
            words.push((word.before, word.bytes, word.behind));
            at = word.end();
        }
        let expected: [(u8, &[u8], u8); 4] = [
            (b' ', b"\xe9t\xe9", b' '),
            (b'"', b"M\xfcller", b','),
            (b' ', b"\xcaf3", b' '),
            (b' ', b"N\xe9", b' '),
        ];
        assert_eq!(words, expected);
    }
}
