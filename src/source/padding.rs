//! What stands behind a compressed stream: another one, padding, or the end.

use std::io::{self, BufRead};

/// What comes next, padding aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    End,
    Something {
        /// NUL bytes before it.
        padding: u64,
    },
}

/// Passes over NUL bytes, with which tapes and block devices fill a file up.
pub(super) fn skip_padding(raw: &mut impl BufRead) -> io::Result<Behind> {
    let mut padding = 0;
    loop {
        let input = raw.fill_buf()?;
        let len = input.len();
        if len == 0 {
            return Ok(Behind::End);
        }
        let nuls = input.iter().position(|&byte| byte != 0);
        raw.consume(nuls.unwrap_or(len));
        padding += nuls.unwrap_or(len) as u64;
        if nuls.is_some() {
            return Ok(Behind::Something { padding });
        }
    }
}
