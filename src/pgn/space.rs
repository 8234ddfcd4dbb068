//! White space between tokens, as archives have it.

/// Length of the white space character at the start of `bytes`; 0 if there is none. Control
/// characters, NUL among them, the byte order mark and Unicode's spaces count too.
#[inline]
pub fn space_len(bytes: &[u8]) -> usize {
    match *bytes {
        [0..=b' ' | 0x7F, ..] => 1,
        [0xC2, 0xA0, ..] => 2,
        [0xEF, 0xBB, 0xBF, ..]
        | [0xE2, 0x80, 0x80..=0x8B | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// Length of the white space at the start of `bytes`.
pub fn spaces_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match space_len(&bytes[at..]) {
            0 => return at,
            len => at += len,
        }
    }
}

/// Whether a byte may be part of white space.
pub fn may_be_space(byte: u8) -> bool {
    matches!(
        byte,
        0..=b' ' | 0x7F | 0x80..=0x8B | 0xA0 | 0xA8 | 0xA9 | 0xAF | 0xBB | 0xBF | 0xC2 | 0xE2 | 0xE3 | 0xEF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unicode_spaces_are_as_long_as_their_bytes() {
        for space in
            [" ", "\t", "\0", "\u{7f}", "\u{a0}", "\u{2009}", "\u{2028}", "\u{3000}", "\u{feff}"]
        {
            assert_eq!(space_len(space.as_bytes()), space.len(), "{space:?}");
            assert!(space.bytes().all(may_be_space), "{space:?}");
        }
        assert_eq!(spaces_len("\u{a0} \r\n\u{feff}é".as_bytes()), 8);
    }
}
