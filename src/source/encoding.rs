//! Bytes of an archive as text.

use std::borrow::Cow;

/// The longest piece of a source that a report or a row repeats, in bytes. No token is longer by PGN standard
/// 7; a finding's `length` tells what was left out.
const EXCERPT: usize = 255;

/// UTF-8 as it is; everything else as Windows-1252, which holds the printable characters of
/// ISO 8859-1, the character set of PGN standard 4.1.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| windows_1252(byte)).collect()),
    }
}

/// The beginning of a token: its first 255 bytes, decoded.
pub fn excerpt(bytes: &[u8]) -> Cow<'_, str> {
    let Some(mut end) = (bytes.len() > EXCERPT).then_some(EXCERPT) else {
        return decode(bytes);
    };
    // Steps back over at most three bytes, to where a UTF-8 character begins.
    while end > EXCERPT - 3 && bytes[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    decode(&bytes[..end])
}

fn windows_1252(byte: u8) -> char {
    // The five bytes that Windows-1252 leaves open stay the control characters of ISO 8859-1.
    const FROM_0X80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => FROM_0X80[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_stays_and_single_bytes_are_windows_1252() {
        assert_eq!(decode("Müller €".as_bytes()), "Müller €");
        assert_eq!(decode(b"M\xfcller \x80 \x9f\x81"), "Müller € Ÿ\u{81}");
    }

    #[test]
    fn an_excerpt_never_cuts_a_character() {
        let long = "ü".repeat(200);
        assert_eq!(excerpt(long.as_bytes()), "ü".repeat(127));
        assert_eq!(excerpt(&[b'x'; 256]), "x".repeat(255));
        assert_eq!(excerpt(&[b'x'; 255]), "x".repeat(255));
    }
}
