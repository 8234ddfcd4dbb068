//! Pieces of a stream that can be worked on alone.

/// A piece of the stream that begins and ends at certain boundaries.
#[derive(Debug, Default)]
pub struct Chunk {
    pub bytes: Vec<u8>,
    /// Where it begins in the (decompressed) stream.
    pub offset: u64,
    /// Bytes of its first line that lie in chunks before it.
    pub column: u64,
    pub kind: ChunkKind,
    /// Nothing follows it in the stream.
    pub last: bool,
    /// It is the last because the reader failed behind it.
    pub damaged: bool,
}

/// What a chunk holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChunkKind {
    /// Whole units.
    #[default]
    Whole,
    /// The beginning of a unit that is too long to be held; its units before that are whole.
    OverlongHead,
    /// More of it, to be counted and passed through.
    OverlongTail,
}

/// What a [`Cutter`] says of the bytes read so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A chunk ends before this offset (above 0), and the next one begins there.
    At(usize),
    /// There is no certain boundary yet: read on and ask again.
    More,
    /// The unit at the start is too long to be held. This many bytes (above 0) go out as
    /// `OverlongHead`, or as `OverlongTail` if that is what the last one was; the rest stays.
    Overlong(usize),
}

/// Knows where units begin. The engine itself knows nothing of what is in the stream.
///
/// The engine hands over all bytes since the last cut, at its start `buf[0]`. After `Overlong`
/// the cutter is in the middle of a long unit and says `At` where that ends, which may be 0.
///
/// A cutter that has [`Cutter::LOOKBACK`] also finds cuts in the middle of a stream whose bytes
/// before that nobody has read.
pub trait Cutter: Send {
    /// How many bytes before a boundary tell that it is one; `None` where all since the last cut
    /// are needed.
    const LOOKBACK: Option<usize> = None;

    /// `eof` says that nothing follows; then `More` is not allowed and `At(buf.len())` ends it.
    fn cut(&mut self, buf: &[u8], eof: bool) -> Cut;

    /// The last boundary at or behind `from` that a window, which begins anywhere, shows for
    /// certain. [`Cutter::LOOKBACK`] bytes stand in it before `from`.
    fn last_boundary(_window: &[u8], _from: usize) -> Option<usize> {
        None
    }

    /// The next bytes to be cut begin at a boundary found elsewhere, and not at the start.
    fn begin_inside(&mut self) {}

    /// How many bytes that are like these make no chunk that is [too much](Cutter::is_too_much).
    fn most_bytes(_sample: &[u8]) -> usize {
        usize::MAX
    }

    /// Whether a chunk that was cut by a window holds so much that it must be cut again.
    fn is_too_much(_chunk: &[u8]) -> bool {
        false
    }
}
