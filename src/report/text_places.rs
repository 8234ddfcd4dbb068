//! Lines and columns as other programs count them: in characters.
//!
//! Our own columns count bytes; SARIF and code hosts count characters. In: chunks in file order.
//! Out: the line and the column, both from 1, of the offsets asked for. A character is a code
//! point of UTF-8, or a byte that is none and continues none. A byte order mark at the start of a
//! file is none either. Time is linear in the bytes.

use crate::diagnostics::LineCursor;
use crate::judge::ChunkPlace;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where a chunk's first byte stands on its line, from what was seen of the chunks before.
#[derive(Clone, Debug, Default)]
pub struct TextPlaces {
    source: String,
    /// The offset behind the last chunk.
    end: u64,
    /// Characters of the last line up to there.
    characters: u64,
}

/// A line and a column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPlace {
    pub line: u64,
    pub column: u64,
}

/// The places of some offsets of one chunk.
#[derive(Debug)]
pub struct ChunkPlaces(Vec<(usize, TextPlace)>);

impl TextPlaces {
    /// The places of these offsets in the chunk, in any order; each may be asked for afterwards.
    /// To be called for every chunk, also where no offset is wanted.
    pub fn of_chunk(
        &mut self,
        place: &ChunkPlace<'_>,
        bytes: &[u8],
        mut offsets: Vec<usize>,
    ) -> ChunkPlaces {
        offsets.sort_unstable();
        offsets.dedup();
        let before = self.before(place);
        let mut lines = LineCursor::new(bytes, 0);
        let mut characters = Characters { bytes, at: 0, count: before };
        if place.offset == 0 && bytes.starts_with(BYTE_ORDER_MARK) {
            characters.at = BYTE_ORDER_MARK.len();
        }
        let places = offsets.into_iter().map(|offset| {
            let line = place.lines + lines.line_ends_before(offset) + 1;
            let column = characters.before(offset, lines.line_start()) + 1;
            (offset, TextPlace { line, column })
        });
        let places = ChunkPlaces(places.collect());
        let last_line = memchr::memrchr2(b'\n', b'\r', bytes).map(|end| end + 1);
        self.characters = characters.before(bytes.len(), last_line);
        self.end = place.offset + bytes.len() as u64;
        if self.source != place.source {
            self.source.clear();
            self.source.push_str(place.source);
        }
        places
    }

    /// Characters of the chunk's first line that lie before it. Where the chunk before was not
    /// seen, its bytes, which are as many unless the text is not ASCII.
    fn before(&self, place: &ChunkPlace<'_>) -> u64 {
        let follows = self.source == place.source && self.end == place.offset;
        if follows && place.column > 0 { self.characters } else { place.column }
    }
}

impl ChunkPlaces {
    /// One of the offsets that were asked for.
    pub fn at(&self, offset: usize) -> TextPlace {
        let found = self.0.binary_search_by_key(&offset, |&(offset, _)| offset);
        self.0[found.expect("the offset is one of those asked for")].1
    }
}

/// Counts the characters of a line up to rising offsets.
#[derive(Debug)]
struct Characters<'a> {
    bytes: &'a [u8],
    at: usize,
    count: u64,
}

impl Characters<'_> {
    /// `line_start`: where the line of `offset` begins, `None` on the chunk's first line.
    fn before(&mut self, offset: usize, line_start: Option<usize>) -> u64 {
        if let Some(start) = line_start.filter(|&start| start > self.at) {
            (self.at, self.count) = (start, 0);
        }
        // An offset inside the byte order mark stands where the text begins.
        let between = self.bytes.get(self.at..offset).unwrap_or_default();
        self.count += count(between);
        self.at = self.at.max(offset);
        self.count
    }
}

/// Adds up over any split, as a decoder's count would not where a split cuts a character.
fn count(text: &[u8]) -> u64 {
    text.iter().map(|&byte| u64::from(byte & 0xC0 != 0x80)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of all offsets of a text that comes in chunks, split before these offsets.
    fn places(text: &[u8], splits: &[usize]) -> Vec<(u64, u64)> {
        let mut state = TextPlaces::default();
        let mut found = Vec::new();
        let mut lines = 0;
        let ends = splits.iter().copied().chain([text.len()]);
        let starts = [0].into_iter().chain(splits.iter().copied());
        for (start, end) in starts.zip(ends) {
            let bytes = &text[start..end];
            let line = text[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let column = (start - line) as u64;
            let place =
                ChunkPlace { source: "a.pgn", offset: start as u64, column, games: 0, lines };
            let last = if end == text.len() { bytes.len() + 1 } else { bytes.len() };
            let chunk = state.of_chunk(&place, bytes, (0..last).rev().collect());
            found.extend((0..last).map(|offset| chunk.at(offset)).map(|it| (it.line, it.column)));
            lines += crate::diagnostics::count_line_ends(bytes);
        }
        found
    }

    #[test]
    fn columns_count_characters_and_begin_anew_on_every_line() {
        let found = places("aé王\nb\r\nc".as_bytes(), &[]);
        let expected = [(0, (1, 1)), (1, (1, 2)), (3, (1, 3)), (6, (1, 4)), (7, (2, 1))];
        for (offset, place) in expected {
            assert_eq!(found[offset], place, "{offset}");
        }
        // Between CR and LF the line has ended, as everywhere in the reports.
        assert_eq!(found[8..], [(2, 2), (3, 1), (3, 1), (3, 2)]);
    }

    #[test]
    fn a_byte_order_mark_is_no_character_at_the_start_and_one_elsewhere() {
        let found = places("\u{feff}ab\n\u{feff}c".as_bytes(), &[]);
        assert_eq!(found[..5], [(1, 1), (1, 1), (1, 1), (1, 1), (1, 2)]);
        assert_eq!((found[6], found[9]), ((2, 1), (2, 2)));
    }

    #[test]
    fn letters_of_single_byte_text_are_one_character_each() {
        let found = places(b"M\xfcller x", &[]);
        assert_eq!(found[7], (1, 8));
    }

    #[test]
    fn a_line_that_began_in_a_chunk_before_goes_on() {
        let text = "[White \"Müller\"] 1-0 [Event \"王é\"]\n[White \"é\"] x".as_bytes();
        let whole = places(text, &[]);
        let cut = text.iter().rposition(|&byte| byte == b'E').unwrap() - 1;
        for splits in [&[cut][..], &[1, cut], &[cut, cut + 12, cut + 13], &[cut, text.len() - 3]] {
            assert_eq!(places(text, splits), whole, "{splits:?}");
        }
    }

    #[test]
    fn another_file_begins_anew_and_a_chunk_that_was_not_seen_counts_its_bytes() {
        let mut state = TextPlaces::default();
        let mut place = ChunkPlace { source: "a", offset: 0, column: 0, games: 0, lines: 0 };
        state.of_chunk(&place, "éé".as_bytes(), Vec::new());
        place.source = "b";
        assert_eq!(state.of_chunk(&place, b"x", vec![1]).at(1).column, 2);
        (place.offset, place.column) = (90, 40);
        assert_eq!(state.of_chunk(&place, b"x", vec![1]).at(1).column, 42);
    }
}
