//! The values of tags as the text that tables hold.

use std::borrow::Cow;

use crate::source::{TextEncoding, decode_as};

/// A tag's value from the stretch between its quotes: `\"` and `\\` undone (PGN standard 7),
/// decoded from its game's character set.
pub fn tag_value(raw: &[u8], encoding: TextEncoding) -> Cow<'_, str> {
    if memchr::memchr(b'\\', raw).is_none() {
        return decode_as(raw, encoding);
    }
    let mut value = Vec::with_capacity(raw.len());
    let mut rest = raw.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        match rest.peek() {
            Some(&escaped @ (b'"' | b'\\')) if byte == b'\\' => {
                value.push(escaped);
                rest.next();
            }
            _ => value.push(byte),
        }
    }
    Cow::Owned(decode_as(&value, encoding).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_quotes_and_backslashes_are_escaped() {
        let value = |raw| tag_value(raw, TextEncoding::Ascii);
        assert_eq!(value(br#"The \"Immortal\" \\ Game"#), r#"The "Immortal" \ Game"#);
        assert_eq!(value(br"C:\Games\"), r"C:\Games\");
    }

    #[test]
    fn a_value_is_text_whatever_its_game_was_written_in() {
        assert_eq!(tag_value(b"\\\"\xfc", TextEncoding::Latin1), "\"ü");
        assert_eq!(tag_value(b"M\x81ller", TextEncoding::Cp437), "Müller");
        assert_eq!(tag_value("MÃ¼ller".as_bytes(), TextEncoding::TwiceDecoded), "Müller");
        assert_eq!(tag_value(b"\xd2\xe0\xeb\xfc", TextEncoding::Windows1251), "Таль");
    }
}
