//! The buffers that chunks are read into, used again and again.

use std::sync::mpsc::Receiver;

/// The buffers of a run, in a fixed number: who holds none of them waits, and so reading never
/// runs ahead of the sink.
pub(super) struct Buffers {
    spare: Vec<Vec<u8>>,
    free: Receiver<Vec<u8>>,
    count: usize,
}

impl Buffers {
    /// One for each worker to work on, one that is being filled and one in the sink. More would
    /// let answers pile up behind a slow chunk, and an answer may be far larger than its chunk;
    /// but of many workers some always wait for one that is slow, so that each four have one more
    /// (simulated with times that differ by a fifth: 64 workers are then busy for 95 % of the
    /// time, and for 79 % without).
    pub fn new(workers: usize, free: Receiver<Vec<u8>>) -> Buffers {
        let count = workers + workers / 4 + 2;
        // The chunker has its first one of its own.
        Buffers { spare: vec![Vec::new(); count - 1], free, count }
    }

    /// One that was used before, if there is one; `None` once no more come back.
    pub fn take(&mut self) -> Option<Vec<u8>> {
        self.free.try_recv().ok().or_else(|| self.spare.pop()).or_else(|| self.free.recv().ok())
    }

    /// Waits until all but `held` are here; `None` if they will not come.
    pub fn wait_for_all(&mut self, held: usize) -> Option<()> {
        while self.spare.len() + held < self.count {
            self.spare.push(self.free.recv().ok()?);
        }
        Some(())
    }
}
