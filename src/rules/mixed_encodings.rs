//! Whether a file holds both UTF-8 and single-byte text.
//!
//! In: the sets of each game, in file order, and the words that show them. Out: one finding a file,
//! on the file as a whole, at the first word of the second kind.

use super::characters::MIXED_ENCODINGS;
use crate::diagnostics::{Finding, Span};
use crate::source::TextEncoding;

/// What one file has shown so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct MixedEncodings {
    first: Option<TextEncoding>,
    told: bool,
}

impl MixedEncodings {
    /// Takes in a game, or one kind of text in it. Text in ASCII is of both kinds.
    pub fn game(&mut self, encoding: TextEncoding, word: Span) -> Option<Finding> {
        if encoding == TextEncoding::Ascii || self.told {
            return None;
        }
        let first = *self.first.get_or_insert(encoding);
        self.told = first.is_single_byte() != encoding.is_single_byte();
        self.told.then(|| {
            Finding::new(&MIXED_ENCODINGS, word).message(format!(
                "text in {} stands here, and text in {} before it",
                encoding.name(),
                first.name()
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TextEncoding::{Ascii, Cp850, Latin1, TwiceDecoded, Undecided, Utf8};

    /// Which game is the first of the second kind, and what is said there.
    fn told(games: &[TextEncoding]) -> Vec<(usize, String)> {
        let mut mixed = MixedEncodings::default();
        let findings = games.iter().enumerate().filter_map(|(at, &encoding)| {
            let finding = mixed.game(encoding, Span::new(at, at + 1))?;
            assert_eq!(finding.game, None);
            Some((finding.span.start, finding.message.into_owned()))
        });
        findings.collect()
    }

    #[test]
    fn the_first_game_of_the_second_kind_is_told_and_no_other() {
        let message = |here: &str, before: &str| {
            format!("text in {here} stands here, and text in {before} before it")
        };
        assert_eq!(
            told(&[Ascii, Utf8, Ascii, Latin1, Utf8, Cp850]),
            [(3, message("ISO 8859-1", "UTF-8"))]
        );
        assert_eq!(
            told(&[Undecided, Cp850, TwiceDecoded]),
            [(2, message("UTF-8 decoded twice", "an unknown character set"))]
        );
    }

    #[test]
    fn sets_of_one_kind_are_not_mixed() {
        assert_eq!(told(&[Ascii, Ascii]), []);
        assert_eq!(told(&[Utf8, Ascii, TwiceDecoded]), []);
        assert_eq!(told(&[Latin1, Cp850, Undecided, Ascii]), []);
    }
}
