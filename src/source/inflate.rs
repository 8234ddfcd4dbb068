//! Reads raw deflate (RFC 1951), as gzip and zip hold it.
//!
//! flate2's own readers drop what they decoded in the call that meets the damage; this one gives
//! it out, and the error after it.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use flate2::{Decompress, FlushDecompress, Status};

use super::packing;

/// Above the window of deflate (32 KiB), so that a decoder never keeps bytes back.
const BLOCK: usize = 256 * 1024;

/// Decodes block after block.
pub(super) struct Inflater {
    inflate: Decompress,
    block: Box<[u8]>,
    /// The part of the block that is still to be given out.
    ready: Range<usize>,
}

/// What follows a block.
pub(super) enum Step {
    More,
    End,
    /// The bytes ended, and nothing was decoded.
    Cut,
    Damaged(String),
}

impl Inflater {
    pub fn new() -> Inflater {
        Inflater {
            inflate: Decompress::new(false),
            block: vec![0; BLOCK].into_boxed_slice(),
            ready: 0..0,
        }
    }

    /// Begins another stream.
    pub fn reset(&mut self) {
        self.inflate.reset(false);
    }

    /// Decodes at most one block. What was decoded before must have been taken.
    pub fn step(&mut self, raw: &mut impl BufRead) -> io::Result<Step> {
        let input = raw.fill_buf()?;
        let at_end = input.is_empty();
        let (in_before, out_before) = (self.inflate.total_in(), self.inflate.total_out());
        let result = self.inflate.decompress(input, &mut self.block, FlushDecompress::None);
        let consumed = (self.inflate.total_in() - in_before) as usize;
        let len = (self.inflate.total_out() - out_before) as usize;
        raw.consume(consumed);
        self.ready = 0..len;
        Ok(match result {
            Ok(Status::StreamEnd) => Step::End,
            Ok(_) if at_end && len == 0 => Step::Cut,
            Ok(_) => Step::More,
            Err(error) => Step::Damaged(error.to_string()),
        })
    }

    /// Bytes taken of the stream.
    pub fn total_in(&self) -> u64 {
        self.inflate.total_in()
    }

    /// What was decoded and not taken.
    pub fn ready(&self) -> &[u8] {
        &self.block[self.ready.clone()]
    }

    pub fn take(&mut self, out: &mut [u8]) -> usize {
        let len = out.len().min(self.ready.len());
        out[..len].copy_from_slice(&self.block[self.ready.start..][..len]);
        self.ready.start += len;
        len
    }
}

/// Reads one stream, and nothing behind it.
pub(super) struct DeflateReader<R> {
    raw: R,
    inflater: Inflater,
    next: Option<Step>,
}

impl<R: BufRead> DeflateReader<R> {
    pub fn new(raw: R) -> DeflateReader<R> {
        DeflateReader { raw, inflater: Inflater::new(), next: Some(Step::More) }
    }
}

impl<R: BufRead> Read for DeflateReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() && self.inflater.ready().is_empty() {
            match self.next.take() {
                Some(Step::More) => self.next = Some(self.inflater.step(&mut self.raw)?),
                Some(Step::Cut) => return Err(packing::cut("the deflate stream ends early")),
                Some(Step::Damaged(why)) => {
                    return Err(packing::damaged(format!("the deflate stream is damaged: {why}")));
                }
                Some(Step::End) | None => return Ok(0),
            }
        }
        Ok(self.inflater.take(out))
    }
}
