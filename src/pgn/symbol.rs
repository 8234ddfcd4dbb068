//! Evaluation symbols that people put behind moves (PGN standard 8.2.3.8 and 10), and the numeric
//! annotation glyphs that stand for them.

/// Symbols with their glyphs, longer ones before those that they end with. The six suffixes of
/// the standard are not among them.
const SYMBOLS: [(&str, u8); 34] = [
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("=∞", 44),
    ("+--", 20),
    ("--+", 21),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("+−", 18),
    ("−+", 19),
    ("+–", 18),
    ("–+", 19),
    ("+/−", 16),
    ("−/+", 17),
    ("±", 16),
    ("∓", 17),
    ("⩲", 14),
    ("⩱", 15),
    ("∞", 13),
    ("□", 7),
    ("⊙", 22),
    ("⨀", 22),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("⇆", 132),
    ("⊕", 138),
    ("∆", 140),
    ("Δ", 140),
    ("△", 140),
    ("⌓", 142),
];

/// Symbols that stand by themselves only, since behind a move they mean something else.
const ALONE: [(&str, u8); 5] = [("=", 10), ("N", 146), ("TN", 146), ("D", 220), ("(D)", 220)];

/// The symbol that a word ends with: its characters and its glyph.
pub fn at_end(word: &[char]) -> Option<(usize, u8)> {
    // As nearly all words end, and no symbol does.
    if word.last().is_none_or(char::is_ascii_alphanumeric) {
        return None;
    }
    SYMBOLS.iter().find_map(|&(symbol, glyph)| {
        let len = symbol.chars().count();
        let start = word.len().checked_sub(len)?;
        (start > 0 && word[start..].iter().copied().eq(symbol.chars())).then_some((len, glyph))
    })
}

/// The `N` of a novelty that a word ends with, behind a square or a mark.
pub fn novelty_at_end(word: &[char]) -> Option<(usize, u8)> {
    let len = match word {
        [.., before, 'T', 'N'] if before.is_ascii_digit() || matches!(before, '+' | '#' | 'O') => 2,
        [.., before, 'N'] if before.is_ascii_digit() || matches!(before, '+' | '#' | 'O') => 1,
        _ => return None,
    };
    Some((len, 146))
}

/// The glyph of a word that is nothing but a symbol.
pub fn glyph(word: &str) -> Option<u8> {
    SYMBOLS.iter().chain(&ALONE).find(|(symbol, _)| *symbol == word).map(|(_, glyph)| *glyph)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_symbol_at_the_end_of_a_word_counts() {
        let end = |word: &str| at_end(&word.chars().collect::<Vec<_>>());
        assert_eq!(end("Nf3+/-"), Some((3, 16)));
        assert_eq!(end("Nf3+-"), Some((2, 18)));
        assert_eq!(end("Nf3=∞"), Some((2, 44)));
        assert_eq!(end("Nf3⩲"), Some((1, 14)));
        assert_eq!(end("Nf3+"), None);
        assert_eq!(end("±"), None);
    }

    #[test]
    fn a_symbol_alone_has_its_glyph() {
        assert_eq!(glyph("+-"), Some(18));
        assert_eq!(glyph("="), Some(10));
        assert_eq!(glyph("+"), None);
        assert_eq!(glyph("e4"), None);
    }
}
