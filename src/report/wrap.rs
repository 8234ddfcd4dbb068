//! Text of several words on lines of a given width.

use super::visible::push_visible;

/// Where a text begins and how far its lines may go, in terminal cells.
#[derive(Clone, Copy, Debug)]
pub struct Margins {
    /// What stands on the first line already; a space is put behind it.
    pub used: usize,
    /// Spaces before each line that is begun.
    pub indent: usize,
    /// `None` for one endless line.
    pub width: Option<usize>,
}

/// Appends `text`, broken only at spaces: a word that is too long stays whole, so that a path or
/// a URL can be copied. What a terminal would obey is made visible.
pub fn push_wrapped(out: &mut Vec<u8>, text: &[u8], margins: Margins) {
    let Margins { used, indent, width } = margins;
    let Some(width) = width else {
        push_spaces(out, if used == 0 { indent } else { 1 });
        push_visible(out, text);
        return;
    };
    let mut column = used;
    let mut word = Vec::new();
    for part in text.split(|&byte| byte == b' ') {
        word.clear();
        let cells = push_visible(&mut word, part);
        column = push_break(out, cells, Margins { used: column, indent, width: Some(width) });
        out.extend_from_slice(&word);
        column += cells;
    }
}

/// Appends what stands before a word of so many cells: a space, or a line end and the indent where
/// the word does not fit. Returns the column in which the word begins.
pub fn push_break(out: &mut Vec<u8>, cells: usize, margins: Margins) -> usize {
    let Margins { used, indent, width } = margins;
    if used > 0 && width.is_none_or(|width| used + 1 + cells <= width) {
        out.push(b' ');
        return used + 1;
    }
    if used > 0 {
        out.push(b'\n');
    }
    push_spaces(out, indent);
    indent
}

fn push_spaces(out: &mut Vec<u8>, count: usize) {
    out.resize(out.len() + count, b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, used: usize, indent: usize, width: Option<usize>) -> String {
        let mut out = Vec::new();
        push_wrapped(&mut out, text.as_bytes(), Margins { used, indent, width });
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_end_before_the_width_and_go_on_behind_the_indent() {
        let table = [
            (0, 2, Some(10), "one two three", "  one two\n  three"),
            (4, 2, Some(8), "one two", " one\n  two"),
            (9, 2, Some(8), "one two", "\n  one\n  two"),
            (0, 0, Some(4), "a word-that-is-long b", "a\nword-that-is-long\nb"),
            (4, 2, None, "one two", " one two"),
            (0, 2, None, "one two", "  one two"),
        ];
        for (used, indent, width, text, expected) in table {
            assert_eq!(wrapped(text, used, indent, width), expected, "{text} {width:?}");
        }
    }

    #[test]
    fn cells_are_counted_and_not_bytes() {
        assert_eq!(wrapped("éé éé 王王 x", 0, 0, Some(5)), "éé éé\n王王\nx");
        assert_eq!(wrapped("\x1b[31m x", 0, 0, Some(6)), "␛[31m\nx");
    }
}
