//! A cutter of toy units for the engine's tests: every line is one.

use super::{Cut, Cutter};

#[derive(Debug)]
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
    fn cut(&mut self, buf: &[u8], eof: bool) -> Cut {
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
