//! A cutter of toy units for the engine's tests: every line is one.

use super::{Cut, Cutter};

/// Empty lines of a chunk that is not cut further.
const MOST_EMPTY: usize = 3;

#[derive(Clone, Debug)]
pub struct LineCutter {
    limit: usize,
    inside: bool,
}

impl LineCutter {
    pub fn new() -> LineCutter {
        LineCutter::with_limit(usize::MAX)
    }

    /// Lines of more bytes than this are overlong.
    pub fn with_limit(limit: usize) -> LineCutter {
        LineCutter { limit, inside: false }
    }
}

impl Cutter for LineCutter {
    /// As if more than the line end told it.
    const LOOKBACK: Option<usize> = Some(5);

    fn last_boundary(window: &[u8], from: usize) -> Option<usize> {
        memchr::memrchr(b'\n', &window[from - 1..]).map(|at| from + at)
    }

    /// Many empty lines are too much.
    fn most_bytes(sample: &[u8]) -> usize {
        let empty = memchr::memmem::find_iter(sample, b"\n\n").count();
        (sample.len() * MOST_EMPTY).checked_div(empty).unwrap_or(usize::MAX)
    }

    fn is_too_much(chunk: &[u8]) -> bool {
        memchr::memmem::find_iter(chunk, b"\n\n").nth(MOST_EMPTY).is_some()
    }

    fn cut(&mut self, buf: &[u8], eof: bool) -> Cut {
        if let Some(at) = memchr::memmem::find_iter(buf, b"\n\n").nth(MOST_EMPTY)
            && !self.inside
        {
            return Cut::At(at + 1);
        }
        let line_end = match self.inside {
            true => memchr::memchr(b'\n', buf),
            false => memchr::memrchr(b'\n', buf),
        };
        match line_end {
            _ if eof && !self.inside => Cut::At(buf.len()),
            Some(at) => {
                self.inside = false;
                Cut::At(at + 1)
            }
            None if eof => Cut::At(buf.len()),
            None if self.inside || buf.len() > self.limit => {
                self.inside = true;
                Cut::Overlong(buf.len())
            }
            None => Cut::More,
        }
    }
}
