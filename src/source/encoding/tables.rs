//! The upper halves of the single-byte sets, as two libraries keep them.

use std::sync::LazyLock;

use encoding_rs::{
    Encoding, IBM866, KOI8_U, MACINTOSH, WINDOWS_1251, WINDOWS_1252, X_MAC_CYRILLIC,
};
use oem_cp::code_table::{DECODING_TABLE_CP437, DECODING_TABLE_CP850};

use super::TextEncoding;

/// The characters of the bytes 0x80 to 0xFF.
pub(super) type UpperHalf = [char; 128];

/// The upper half of a set; that of Windows-1252 for what is no single-byte set, or an unknown
/// one. The five bytes that Windows-1252 leaves open are the control characters of ISO 8859-1.
pub(super) fn characters(encoding: TextEncoding) -> &'static UpperHalf {
    static LATIN1: LazyLock<UpperHalf> = LazyLock::new(|| upper_half(WINDOWS_1252));
    static WINDOWS1251: LazyLock<UpperHalf> = LazyLock::new(|| upper_half(WINDOWS_1251));
    static KOI8: LazyLock<UpperHalf> = LazyLock::new(|| upper_half(KOI8_U));
    static CP866: LazyLock<UpperHalf> = LazyLock::new(|| upper_half(IBM866));
    static MAC_ROMAN: LazyLock<UpperHalf> = LazyLock::new(|| upper_half(MACINTOSH));
    static MAC_CYRILLIC: LazyLock<UpperHalf> = LazyLock::new(|| upper_half(X_MAC_CYRILLIC));
    match encoding {
        TextEncoding::Windows1251 => &WINDOWS1251,
        TextEncoding::Koi8R => &KOI8,
        TextEncoding::Cp437 => &DECODING_TABLE_CP437,
        TextEncoding::Cp850 => &DECODING_TABLE_CP850,
        TextEncoding::Cp866 => &CP866,
        TextEncoding::MacRoman => &MAC_ROMAN,
        TextEncoding::MacCyrillic => &MAC_CYRILLIC,
        TextEncoding::Latin1
        | TextEncoding::Undecided
        | TextEncoding::Ascii
        | TextEncoding::Utf8
        | TextEncoding::TwiceDecoded
        | TextEncoding::TwiceDecodedCyrillic
        | TextEncoding::MisreadCyrillic => &LATIN1,
    }
}

fn upper_half(set: &'static Encoding) -> UpperHalf {
    std::array::from_fn(|index| {
        let byte = [index as u8 | 0x80];
        let (text, _) = set.decode_without_bom_handling(&byte);
        text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_every_set_is_a_character() {
        for encoding in [
            TextEncoding::Latin1,
            TextEncoding::Windows1251,
            TextEncoding::Koi8R,
            TextEncoding::Cp437,
            TextEncoding::Cp850,
            TextEncoding::Cp866,
            TextEncoding::MacRoman,
            TextEncoding::MacCyrillic,
        ] {
            let mut all = characters(encoding).to_vec();
            assert!(!all.contains(&char::REPLACEMENT_CHARACTER), "{encoding:?}");
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), 128, "{encoding:?}");
        }
    }
}
