//! Text from archives, made fit for a terminal.
//!
//! In: any bytes. Out: text that moves no cursor, rings no bell and turns no line around: control
//! characters become their pictures (`␛`), a tab becomes four spaces, invisible and
//! direction-changing characters become `<U+202E>`, and bytes that are no UTF-8 become `�`. The
//! width in terminal cells comes back, so that a caret can stand under the right character.

use unicode_width::UnicodeWidthChar;

const TAB: &str = "    ";

/// Appends `text` and returns how many terminal cells it takes.
pub fn push_visible(out: &mut Vec<u8>, text: &[u8]) -> usize {
    if text.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        out.extend_from_slice(text);
        return text.len();
    }
    let mut cells = 0;
    for part in text.utf8_chunks() {
        for character in part.valid().chars() {
            cells += push_character(out, character);
        }
        if !part.invalid().is_empty() {
            cells += push_plain(out, char::REPLACEMENT_CHARACTER);
        }
    }
    cells
}

fn push_character(out: &mut Vec<u8>, character: char) -> usize {
    match character {
        '\t' => {
            out.extend_from_slice(TAB.as_bytes());
            TAB.len()
        }
        '\0'..='\x1f' => push_plain(out, picture(character as u32)),
        '\x7f' => push_plain(out, '\u{2421}'),
        _ if is_invisible(character) => {
            let name = format!("<U+{:04X}>", character as u32);
            out.extend_from_slice(name.as_bytes());
            name.len()
        }
        _ => push_plain(out, character),
    }
}

fn push_plain(out: &mut Vec<u8>, character: char) -> usize {
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    character.width().unwrap_or(0)
}

/// The control pictures of Unicode stand in the order of what they picture.
fn picture(control: u32) -> char {
    char::from_u32(0x2400 + control).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// C1 controls (some terminals obey them), zero-width characters, line separators, direction
/// marks and the byte order mark.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown_and_measured() {
        let table: &[(&[u8], &str, usize)] = &[
            (b"Nf3", "Nf3", 3),
            (b"a\tb", "a    b", 6),
            (b"\x1b[31m", "␛[31m", 5),
            (b"a\r\nb\0\x7f", "a␍␊b␀␡", 6),
            ("\u{9b}1m".as_bytes(), "<U+009B>1m", 10),
            ("a\u{202e}b".as_bytes(), "a<U+202E>b", 10),
            ("\u{feff}[".as_bytes(), "<U+FEFF>[", 9),
            ("é♞王".as_bytes(), "é♞王", 4),
            ("e\u{301}".as_bytes(), "e\u{301}", 1),
            (b"M\xfcller", "M\u{fffd}ller", 6),
        ];
        for &(text, shown, cells) in table {
            let mut out = Vec::new();
            assert_eq!(push_visible(&mut out, text), cells, "{shown}");
            assert_eq!(String::from_utf8(out).unwrap(), shown);
        }
    }
}
