//! The values of tags as the text that tables hold.

use std::borrow::Cow;

use crate::source::decode;

/// A tag's value from the stretch between its quotes: `\"` and `\\` undone (PGN standard 7),
/// decoded.
pub fn tag_value(raw: &[u8]) -> Cow<'_, str> {
    if memchr::memchr(b'\\', raw).is_none() {
        return decode(raw);
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
    Cow::Owned(decode(&value).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_quotes_and_backslashes_are_escaped() {
        assert_eq!(tag_value(br#"The \"Immortal\" \\ Game"#), r#"The "Immortal" \ Game"#);
        assert_eq!(tag_value(br"C:\Games\"), r"C:\Games\");
        assert_eq!(tag_value(b"\\\"\xfc"), "\"ü");
    }
}
