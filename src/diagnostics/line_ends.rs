//! Which kinds of line ends a text uses, and where each comes first.
//!
//! In: the bytes of one chunk after another. Out: the place at which a second kind comes up, and
//! at the end whether there was one kind only.

use memchr::{memchr, memchr_iter};

use super::Span;

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    Lf,
    CrLf,
    Cr,
}

impl LineEnd {
    pub const fn as_str(self) -> &'static str {
        match self {
            LineEnd::Lf => "LF",
            LineEnd::CrLf => "CRLF",
            LineEnd::Cr => "CR",
        }
    }
}

/// The first line end of each kind in a chunk, in the order of their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstLineEnds {
    pub ends: Vec<(LineEnd, Span)>,
}

impl FirstLineEnds {
    /// `cut_before` and `cut_behind`: the chunk begins or ends in the middle of something, maybe
    /// between CR and LF; a half that stands there is not counted.
    pub fn of(bytes: &[u8], cut_before: bool, cut_behind: bool) -> FirstLineEnds {
        let start = usize::from(cut_before && bytes.first() == Some(&b'\n'));
        let end = bytes.len() - usize::from(cut_behind && bytes.last() == Some(&b'\r'));
        let text = bytes.get(start..end).unwrap_or(&[]);
        let mut ends = Vec::new();
        let mut push = |kind, at: usize, len| {
            ends.push((kind, Span::new(start + at, start + at + len)));
        };
        let Some(first_cr) = memchr(b'\r', text) else {
            if let Some(at) = memchr(b'\n', text) {
                push(LineEnd::Lf, at, 1);
            }
            return FirstLineEnds { ends };
        };
        if is_all_pairs(text) {
            push(LineEnd::CrLf, first_cr, 2);
            return FirstLineEnds { ends };
        }
        let is_pair = |at: usize| text.get(at + 1) == Some(&b'\n');
        let counts = Counts::of(text);
        if counts.pairs > 0 {
            let mut pairs = memchr_iter(b'\r', &text[first_cr..]).map(|len| first_cr + len);
            if let Some(at) = pairs.find(|&at| is_pair(at)) {
                push(LineEnd::CrLf, at, 2);
            }
        }
        if counts.cr > counts.pairs {
            let mut lone = memchr_iter(b'\r', &text[first_cr..]).map(|len| first_cr + len);
            if let Some(at) = lone.find(|&at| !is_pair(at)) {
                push(LineEnd::Cr, at, 1);
            }
        }
        if counts.lf > counts.pairs {
            let follows_cr = |at: usize| at > 0 && text[at - 1] == b'\r';
            if let Some(at) = memchr_iter(b'\n', text).find(|&at| !follows_cr(at)) {
                push(LineEnd::Lf, at, 1);
            }
        }
        ends.sort_by_key(|(_, span)| span.start);
        FirstLineEnds { ends }
    }
}

/// Whether every CR has its LF behind it, and every LF its CR before.
fn is_all_pairs(text: &[u8]) -> bool {
    // Blocks of one size, of which the compiler looks at many bytes at once.
    const BLOCK: usize = 64;
    let is_half = |(&byte, &next): (&u8, &u8)| (byte == b'\r') != (next == b'\n');
    let Some((first, behind)) = text.split_first() else { return true };
    let (blocks, rest) = text[..behind.len()].as_chunks::<BLOCK>();
    let (next_blocks, next_rest) = behind.as_chunks::<BLOCK>();
    let has_half = |(block, nexts): (&[u8; BLOCK], &[u8; BLOCK])| {
        block.iter().zip(nexts).fold(false, |any, pair| any | is_half(pair))
    };
    *first != b'\n'
        && text.last() != Some(&b'\r')
        && !blocks.iter().zip(next_blocks).any(has_half)
        && !rest.iter().zip(next_rest).any(is_half)
}

/// Sums first, places only of what is there: a file of CRLF is looked through at full speed.
#[derive(Default)]
struct Counts {
    lf: u64,
    cr: u64,
    pairs: u64,
}

impl Counts {
    fn of(text: &[u8]) -> Counts {
        let mut counts = Counts::default();
        // Sums of one byte each, so that the compiler adds many of them at once.
        for (index, block) in text.chunks(255).enumerate() {
            let next = &text[(index * 255 + 1).min(text.len())..];
            let lf: u8 = block.iter().map(|&byte| u8::from(byte == b'\n')).sum();
            let cr: u8 = block.iter().map(|&byte| u8::from(byte == b'\r')).sum();
            let pairs: u8 = block
                .iter()
                .zip(next)
                .map(|(&byte, &next)| u8::from((byte == b'\r') & (next == b'\n')))
                .sum();
            counts.lf += u64::from(lf);
            counts.cr += u64::from(cr);
            counts.pairs += u64::from(pairs);
        }
        counts
    }
}

/// The line ends of a stream, in the order of their places.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineEndHistory {
    /// The first line end, and its offset in the stream.
    first: Option<(LineEnd, u64)>,
    mixed: bool,
}

impl LineEndHistory {
    /// Takes in the first line end of a kind in the next chunk, which begins at `offset`. Gives
    /// the kind of those before it where this one is the first to differ from them.
    pub fn take(&mut self, offset: u64, kind: LineEnd, place: Span) -> Option<LineEnd> {
        let &mut (first, _) = self.first.get_or_insert((kind, offset + place.start as u64));
        let differs = kind != first && !self.mixed;
        self.mixed |= differs;
        differs.then_some(first)
    }

    /// The offset of the first line end, where all of them are CR.
    pub fn only_cr(&self) -> Option<u64> {
        self.first.filter(|&(kind, _)| kind == LineEnd::Cr && !self.mixed).map(|(_, offset)| offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LineEnd::*;

    fn places(text: &[u8]) -> Vec<(LineEnd, usize)> {
        let first = FirstLineEnds::of(text, false, false);
        first.ends.into_iter().map(|(kind, span)| (kind, span.start)).collect()
    }

    #[test]
    fn the_first_line_end_of_each_kind_is_found() {
        assert_eq!(places(b"none"), []);
        assert_eq!(places(b"a\nb\n"), [(Lf, 1)]);
        assert_eq!(places(b"a\r\nb\r\n"), [(CrLf, 1)]);
        assert_eq!(places(b"a\rb\r\r"), [(Cr, 1)]);
        assert_eq!(places(b"a\r\nb\n\r\r\n"), [(CrLf, 1), (Lf, 4), (Cr, 5)]);
        let long = [b"x\r\n".repeat(2_000), b"y\r".to_vec(), b"x\r\n".repeat(2_000)].concat();
        assert_eq!(places(&long), [(CrLf, 1), (Cr, 6_001)]);
    }

    #[test]
    fn a_pair_that_a_chunk_cuts_in_two_is_no_evidence() {
        assert_eq!(FirstLineEnds::of(b"\nb\r\nc\r", true, true).ends, [(CrLf, Span::new(2, 4))]);
        assert_eq!(FirstLineEnds::of(b"\n", true, true).ends, []);
        assert_eq!(FirstLineEnds::of(b"\r", true, true).ends, []);
    }

    #[test]
    fn a_second_kind_is_told_once_wherever_the_chunks_end() {
        let text = b"a\nb\nc\r\nd\re\n";
        for cut in [0, 1, 3, 4, 7, 8] {
            let mut history = LineEndHistory::default();
            let mut told = Vec::new();
            for (offset, part) in [(0, &text[..cut]), (cut, &text[cut..])] {
                for (kind, place) in FirstLineEnds::of(part, false, false).ends {
                    let before = history.take(offset as u64, kind, place);
                    told.extend(before.map(|before| (before, kind, offset + place.start)));
                }
            }
            assert_eq!(told, [(Lf, CrLf, 5)], "{cut}");
            assert_eq!(history.only_cr(), None);
        }
    }

    #[test]
    fn a_file_of_lone_cr_alone_is_known_at_its_end() {
        let mut history = LineEndHistory::default();
        assert_eq!(history.take(10, Cr, Span::new(2, 3)), None);
        assert_eq!(history.take(15, Cr, Span::new(1, 2)), None);
        assert_eq!(history.only_cr(), Some(12));
        assert_eq!(history.take(17, Lf, Span::new(0, 1)), Some(Cr));
        assert_eq!(history.only_cr(), None);
    }
}
