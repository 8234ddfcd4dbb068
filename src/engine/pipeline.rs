//! From a stream to answers in its order: one thread reads and cuts, the workers of a pool work,
//! the calling thread hands the answers on. Where the bytes can be read anywhere, the one thread
//! only looks where to cut, and the workers read.
//!
//! Promised: every byte that the reader gives before its end or its damage is in one chunk; every
//! chunk is worked on once; the sink sees them in the order of the stream, whatever the number of
//! workers; and memory is bounded by the number of buffers. A worker that panics is an error.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;

use rayon::ThreadPool;

use super::buffers::Buffers;
use super::chunker::{Chunker, Piece, column_behind};
use super::{Chunk, Cut, Cutter};
use crate::error::{Error, Result};
use crate::source::Bytes;

/// A buffer that has grown beyond this (or beyond twice the chunk size) holds a giant. Nothing
/// else is in flight with it, so that a row of giants takes no more memory than one.
const GIANT: usize = 4 * 1024 * 1024;

/// What to read, and how to cut it.
#[derive(Debug)]
pub struct Stream<'a, R, C> {
    /// For messages.
    pub name: &'a str,
    pub bytes: Bytes<R>,
    pub cutter: C,
    /// Bytes of a chunk, from 1 up; a chunk is longer where the cutter finds no end in it.
    pub chunk_size: usize,
}

/// How a stream came to its end.
#[derive(Debug)]
pub struct StreamEnd {
    /// Bytes that the reader gave; if the sink stopped, those up to the end of its last chunk.
    pub bytes: u64,
    /// Why the reader failed. All bytes before were worked on.
    pub damage: Option<io::Error>,
    /// The sink asked for no more.
    pub stopped: bool,
}

/// Works on a stream.
///
/// `work` runs on the pool, for several chunks at once. `sink` runs on the calling thread and
/// gets each chunk with its answer, in the order of the stream; with `Break` or an error it ends
/// everything as soon as the reader comes back from what it is reading.
///
/// Not to be called from a worker of the same pool, which would wait for itself.
///
/// # Errors
///
/// The sink's own, [`Error::LostWorker`] if `work` or the cutter panics, [`Error::Read`] if there
/// is no thread to read on.
pub fn run<R, C, T>(
    stream: Stream<'_, R, C>,
    pool: &ThreadPool,
    work: &(impl Fn(&Chunk) -> T + Sync),
    sink: impl FnMut(&Chunk, T) -> Result<ControlFlow<()>>,
) -> Result<StreamEnd>
where
    R: Read + Send,
    C: Cutter + Clone,
    T: Send,
{
    let work = |chunk: &Chunk, must_answer: bool| {
        (must_answer || !C::is_too_much(&chunk.bytes)).then(|| work(chunk))
    };
    run_refusing(stream, pool, &work, sink)
}

/// The same for work that sees for itself whether a chunk is too much for one answer: it gives
/// none, unless it must, and gets the chunk again in parts.
///
/// # Errors
///
/// As of [`run`].
pub fn run_refusing<R, C, T>(
    stream: Stream<'_, R, C>,
    pool: &ThreadPool,
    work: &(impl Fn(&Chunk, bool) -> Option<T> + Sync),
    mut sink: impl FnMut(&Chunk, T) -> Result<ControlFlow<()>>,
) -> Result<StreamEnd>
where
    R: Read + Send,
    C: Cutter + Clone,
    T: Send,
{
    let Stream { name, bytes, cutter, chunk_size } = stream;
    let giant = GIANT.max(chunk_size.saturating_mul(2));
    let stop = AtomicBool::new(false);
    let lost = |offset| Error::LostWorker { source_name: name.to_owned(), offset };
    let anywhere = match &bytes {
        Bytes::Anywhere(bytes) => Some(Arc::clone(bytes)),
        Bytes::InOrder(_) => None,
    };
    // One worker and one reader are faster than one worker that reads.
    let alone = pool.current_num_threads() == 1;
    // As it was before the first byte.
    let fresh_cutter = cutter.clone();
    let answer_of = |piece: Piece| {
        let was_cut_here = piece.unread == 0;
        let (chunk, damage) = match &anywhere {
            Some(bytes) if !was_cut_here => piece.read(&**bytes),
            _ => (piece.chunk, None),
        };
        if let Some(bytes) = &anywhere {
            bytes.count(chunk.bytes.len() as u64);
        }
        let is_empty = !was_cut_here && chunk.bytes.is_empty();
        let result = if is_empty { None } else { work(&chunk, was_cut_here) };
        Answer { chunk, damage, result }
    };
    // The scope waits for all workers, the inner one for the reading thread.
    pool.in_place_scope(|workers| {
        thread::scope(|threads| {
            let (queue, answers) = mpsc::channel::<Pending<T>>();
            let (give_back, free) = mpsc::channel();
            let buffers = Buffers::new(pool.current_num_threads(), free);
            let (stop, answer_of) = (&stop, &answer_of);
            let spawn = move |piece: Piece, answer: SyncSender<Answer<T>>| {
                workers.spawn(move |_| {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    // The scope would carry the panic into the calling thread; a sender that is
                    // dropped says as much, and in its turn.
                    if let Ok(result) = catch_unwind(AssertUnwindSafe(|| answer_of(piece))) {
                        // Nobody listens after a stop.
                        let _ = answer.send(result);
                    }
                });
            };
            let feeder = thread::Builder::new()
                .name("reader".to_owned())
                .spawn_scoped(threads, move || {
                    feed(
                        Chunker::new(bytes, cutter, chunk_size, alone),
                        buffers,
                        giant,
                        &queue,
                        spawn,
                    )
                })
                .map_err(|error| Error::read(name, error))?;

            let mut at = 0;
            let mut each = |chunk: &Chunk, result: T| {
                at = chunk.offset + chunk.bytes.len() as u64;
                sink(chunk, result)
            };
            let mut hand_on = |pending: Pending<T>| {
                let Answer { chunk, damage, result } =
                    pending.answer.recv().map_err(|_| lost(pending.offset))?;
                let flow = match result {
                    Some(result) => each(&chunk, result)?,
                    None => in_parts(&chunk, fresh_cutter.clone(), |part| {
                        let result = catch_unwind(AssertUnwindSafe(|| work(part, true)));
                        each(part, result.ok().flatten().ok_or_else(|| lost(part.offset))?)
                    })?,
                };
                let fits = chunk.bytes.capacity() <= giant;
                // The reading thread may have come to its end.
                let _ = give_back.send(if fits { chunk.bytes } else { Vec::new() });
                Ok(match (flow, damage) {
                    (ControlFlow::Break(()), _) => ControlFlow::Break(None),
                    (_, Some(damage)) => ControlFlow::Break(Some(damage)),
                    (ControlFlow::Continue(()), None) => ControlFlow::Continue(()),
                })
            };
            let mut end = Ok(ControlFlow::Continue(()));
            for pending in &answers {
                end = hand_on(pending);
                if !matches!(end, Ok(ControlFlow::Continue(()))) {
                    stop.store(true, Ordering::Relaxed);
                    break;
                }
            }
            // Without these the reading thread comes to its end, wherever it waits.
            drop(answers);
            drop(give_back);
            let fed = feeder.join();
            match end? {
                ControlFlow::Break(damage) => {
                    let stopped = damage.is_none();
                    Ok(StreamEnd { bytes: at, damage, stopped })
                }
                ControlFlow::Continue(()) => {
                    let (bytes, damage) = fed.map_err(|_| lost(at))?;
                    Ok(StreamEnd { bytes, damage, stopped: false })
                }
            }
        })
    })
}

/// A chunk that was handed to the workers.
struct Pending<T> {
    offset: u64,
    answer: Receiver<Answer<T>>,
}

/// What a worker gives back.
struct Answer<T> {
    chunk: Chunk,
    /// Why its bytes are not all that were to be read.
    damage: Option<io::Error>,
    /// `None` where the chunk is too much for one answer, or holds nothing.
    result: Option<T>,
}

/// Cuts a chunk that is too much into parts and gives them out one by one, so that never more
/// than one answer is held.
fn in_parts<C: Cutter>(
    chunk: &Chunk,
    mut cutter: C,
    mut each: impl FnMut(&Chunk) -> Result<ControlFlow<()>>,
) -> Result<ControlFlow<()>> {
    if chunk.offset > 0 {
        cutter.begin_inside();
    }
    let mut part = Chunk { offset: chunk.offset, column: chunk.column, ..Chunk::default() };
    let mut rest = &chunk.bytes[..];
    while !rest.is_empty() {
        let len = match cutter.cut(rest, true) {
            Cut::At(len) if (1..rest.len()).contains(&len) => len,
            _ => rest.len(),
        };
        let (bytes, behind) = rest.split_at(len);
        rest = behind;
        part.bytes.clear();
        part.bytes.extend_from_slice(bytes);
        part.last = chunk.last && rest.is_empty();
        part.damaged = chunk.damaged && rest.is_empty();
        if each(&part)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        part.offset += len as u64;
        part.column = column_behind(part.column, bytes);
    }
    Ok(ControlFlow::Continue(()))
}

/// Runs on the reading thread, until the stream ends or nobody takes any more.
fn feed<T, R: Read, C: Cutter>(
    mut chunker: Chunker<R, C>,
    mut buffers: Buffers,
    giant: usize,
    queue: &Sender<Pending<T>>,
    spawn: impl Fn(Piece, SyncSender<Answer<T>>),
) -> (u64, Option<io::Error>) {
    while let Some(piece) = chunker.next_piece(|| buffers.take()) {
        let is_giant = piece.chunk.bytes.capacity() > giant;
        if is_giant && buffers.wait_for_all(2).is_none() {
            break;
        }
        let (answer, receiver) = mpsc::sync_channel(1);
        let pending = Pending { offset: piece.chunk.offset, answer: receiver };
        spawn(piece, answer);
        if queue.send(pending).is_err() {
            break;
        }
        if is_giant && buffers.wait_for_all(1).is_none() {
            break;
        }
    }
    chunker.finish()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::super::line_cutter::LineCutter;
    use super::super::shelf::Shelf;
    use super::super::{ChunkKind, Cut};
    use super::*;
    use crate::source::ReadAt;

    fn pool(threads: usize) -> ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    fn stream(text: &[u8], chunk_size: usize) -> Stream<'static, &[u8], LineCutter> {
        Stream { name: "toy", bytes: Bytes::InOrder(text), cutter: LineCutter::new(), chunk_size }
    }

    fn numbers(lines: u32) -> Vec<u8> {
        (0..lines).map(|n| format!("{n}\n")).collect::<String>().into_bytes()
    }

    /// Waits as long as the bytes say, which looks random but is the same each time.
    fn dawdle(chunk: &Chunk) {
        let sum: u64 = chunk.bytes.iter().map(|&b| u64::from(b).wrapping_mul(2_654_435_761)).sum();
        thread::sleep(Duration::from_micros(sum % 7 * 100));
    }

    #[test]
    fn answers_come_in_the_order_of_the_stream_at_any_chunk_size_and_thread_count() {
        let text = numbers(400);
        for threads in [1, 2, 7] {
            let pool = pool(threads);
            for chunk_size in [1, 2, 3, 50, 1000, 1 << 20, usize::MAX] {
                let work = |chunk: &Chunk| {
                    dawdle(chunk);
                    String::from_utf8(chunk.bytes.clone()).unwrap()
                };
                let mut bytes = Vec::new();
                let mut units = Vec::new();
                let end = run(stream(&text, chunk_size), &pool, &work, |chunk, lines| {
                    assert_eq!(chunk.offset, bytes.len() as u64);
                    bytes.extend_from_slice(&chunk.bytes);
                    units.extend(lines.lines().map(|line| line.parse::<u32>().unwrap()));
                    Ok(ControlFlow::Continue(()))
                })
                .unwrap();
                assert!(bytes == text, "{threads} {chunk_size}");
                assert!(units.into_iter().eq(0..400), "{threads} {chunk_size}");
                assert_eq!(end.bytes, text.len() as u64);
                assert!(end.damage.is_none() && !end.stopped);
            }
        }
    }

    #[test]
    fn a_panicking_worker_is_an_error_that_says_where_and_never_an_end_of_the_stream() {
        let text = numbers(100);
        for threads in [1, 3] {
            let mut seen = 0;
            let error = run(
                stream(&text, 1),
                &pool(threads),
                &|chunk: &Chunk| assert_ne!(chunk.bytes, b"57\n", "on purpose"),
                |_, ()| {
                    seen += 1;
                    Ok(ControlFlow::Continue(()))
                },
            )
            .unwrap_err();
            let Error::LostWorker { source_name, offset } = error else { panic!("{error}") };
            assert_eq!((source_name.as_str(), offset, seen), ("toy", 10 * 2 + 47 * 3, 57));
        }
    }

    #[test]
    fn a_panicking_cutter_is_an_error_too() {
        #[derive(Clone)]
        struct Broken;
        impl Cutter for Broken {
            fn cut(&mut self, _: &[u8], eof: bool) -> Cut {
                assert!(!eof, "on purpose");
                Cut::At(1)
            }
        }
        let stream = Stream {
            name: "toy",
            bytes: Bytes::InOrder(&b"abc"[..]),
            cutter: Broken,
            chunk_size: 1,
        };
        let end = run(stream, &pool(1), &|_: &Chunk| (), |_, ()| Ok(ControlFlow::Continue(())));
        // The end of the file is known only after the third byte has gone.
        assert!(end.is_ok(), "an empty rest is not asked about");
        let stream = Stream {
            name: "toy",
            bytes: Bytes::InOrder(&b"abc"[..]),
            cutter: Broken,
            chunk_size: 9,
        };
        let end = run(stream, &pool(1), &|_: &Chunk| (), |_, ()| Ok(ControlFlow::Continue(())));
        assert!(matches!(end, Err(Error::LostWorker { offset: 0, .. })), "{end:?}");
    }

    #[test]
    fn an_error_of_the_sink_ends_everything_at_once() {
        for threads in [1, 4] {
            let mut seen = 0;
            let worked = AtomicUsize::new(0);
            let stream = Stream {
                name: "toy",
                bytes: Bytes::InOrder(io::repeat(b'\n')),
                cutter: LineCutter::new(),
                chunk_size: 8,
            };
            let work = |_: &Chunk| worked.fetch_add(1, Ordering::Relaxed);
            let error = run(stream, &pool(threads), &work, |_, _| {
                seen += 1;
                if seen < 5 {
                    return Ok(ControlFlow::Continue(()));
                }
                Err(Error::Usage("the sink is full".to_owned()))
            })
            .unwrap_err();
            assert_eq!(error.to_string(), "the sink is full");
            assert_eq!(seen, 5);
            assert!(worked.into_inner() <= 5 + 2 * threads + 2);
        }
    }

    #[test]
    fn a_break_stops_reading_and_says_how_far_it_came() {
        let text = numbers(10_000);
        let end = run(stream(&text, 1), &pool(2), &|_: &Chunk| (), |chunk, ()| {
            Ok(match chunk.bytes == b"9\n" {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        })
        .unwrap();
        assert!(end.stopped && end.damage.is_none());
        assert_eq!(end.bytes, 20);
    }

    #[test]
    fn damage_is_told_after_all_bytes_before_it_were_worked_on() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::new(io::ErrorKind::InvalidData, "scratched"))
            }
        }
        let text = numbers(500);
        for chunk_size in [1, 100, 1 << 20] {
            let reader = (&text[..]).chain(Failing);
            let stream = Stream {
                name: "toy",
                bytes: Bytes::InOrder(reader),
                cutter: LineCutter::new(),
                chunk_size,
            };
            let mut bytes = Vec::new();
            let end = run(stream, &pool(2), &dawdle, |chunk, ()| {
                bytes.extend_from_slice(&chunk.bytes);
                Ok(ControlFlow::Continue(()))
            })
            .unwrap();
            assert!(bytes == text);
            assert_eq!(end.bytes, text.len() as u64);
            assert_eq!(end.damage.unwrap().to_string(), "scratched");
            assert!(!end.stopped);
        }
    }

    #[test]
    fn no_more_chunks_are_in_flight_than_there_are_buffers_and_a_giant_is_alone() {
        let lines: Vec<u8> = (0..400)
            .flat_map(|n| {
                let len = if n % 100 == 50 { GIANT + 1 } else { 20_000 };
                [vec![b'x'; len], b"\n".to_vec()].concat()
            })
            .collect();
        let threads = 3;
        let in_flight = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        let mut giants = 0;
        let work = |chunk: &Chunk| {
            let now = in_flight.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            thread::sleep(Duration::from_micros(200));
            (chunk.bytes.len() > GIANT).then_some(now)
        };
        let mut total = 0;
        run(stream(&lines, 1 << 16), &pool(threads), &work, |chunk, giant| {
            // Counted down here, so that finished chunks which wait their turn count too.
            in_flight.fetch_sub(1, Ordering::SeqCst);
            total += chunk.bytes.len();
            assert_eq!(chunk.kind, ChunkKind::Whole);
            if let Some(now) = giant {
                assert_eq!(now, 1, "nothing else is worked on with a giant");
                giants += 1;
            }
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
        assert_eq!((total, giants), (lines.len(), 4));
        let most = most.into_inner();
        assert!(most > 1 && most <= 2 * threads + 2, "{most}");
    }

    #[test]
    fn a_panic_of_the_sink_does_not_leave_the_reader_waiting() {
        let text = numbers(1000);
        let run = || {
            run(stream(&text, 1), &pool(2), &|_: &Chunk| (), |_, ()| -> Result<_> {
                panic!("on purpose")
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }

    fn anywhere(shelf: &Arc<Shelf>, chunk_size: usize) -> Stream<'static, io::Empty, LineCutter> {
        let bytes = Bytes::Anywhere(Arc::clone(shelf) as Arc<dyn ReadAt>);
        Stream { name: "toy", bytes, cutter: LineCutter::new(), chunk_size }
    }

    #[test]
    fn bytes_that_can_be_read_anywhere_give_the_answers_of_the_stream() {
        // With a stretch in which every chunk is too much for one answer.
        let text = [numbers(2_000), b"\n".repeat(3_000), numbers(2_000)].concat();
        let work = |chunk: &Chunk| {
            dawdle(chunk);
            String::from_utf8(chunk.bytes.clone()).unwrap()
        };
        for threads in 1..=4 {
            let pool = pool(threads);
            for chunk_size in [1, 2, 9, 50, 300, 1000, 5000, 1 << 20, usize::MAX] {
                let shelf = Arc::new(Shelf::new(&text));
                let mut bytes = Vec::new();
                let end = run(anywhere(&shelf, chunk_size), &pool, &work, |chunk, lines| {
                    assert_eq!(chunk.offset, bytes.len() as u64);
                    assert_eq!(lines.as_bytes(), chunk.bytes);
                    assert!(chunk.bytes.ends_with(b"\n") && !LineCutter::is_too_much(&chunk.bytes));
                    bytes.extend_from_slice(&chunk.bytes);
                    Ok(ControlFlow::Continue(()))
                })
                .unwrap();
                assert!(bytes == text, "{threads} {chunk_size}");
                assert_eq!(end.bytes, text.len() as u64);
                assert_eq!(shelf.counted(), text.len() as u64);
                assert!(end.damage.is_none() && !end.stopped);
            }
        }
    }

    #[test]
    fn what_a_worker_cannot_read_ends_the_stream_behind_all_before_it() {
        let text = numbers(3_000);
        for at in [0, 1, 4_000, 10_000] {
            for chunk_size in [1, 100, 700, 1 << 20] {
                let shelf = Arc::new(Shelf::new(&text).failing_at(at));
                let mut bytes = Vec::new();
                let end = run(anywhere(&shelf, chunk_size), &pool(3), &dawdle, |chunk, ()| {
                    bytes.extend_from_slice(&chunk.bytes);
                    Ok(ControlFlow::Continue(()))
                })
                .unwrap();
                assert!(bytes == text[..at as usize], "{at} {chunk_size}");
                assert_eq!((end.bytes, end.stopped), (at, false));
                assert_eq!(end.damage.unwrap().to_string(), "scratched");
            }
        }
    }

    #[test]
    fn a_file_that_is_cut_off_while_it_is_read_is_damage_and_no_sudden_end() {
        let text: Vec<u8> = (0..20_000).flat_map(|n| format!("{n:06}\n").into_bytes()).collect();
        for threads in [1, 3] {
            let shelf = Arc::new(Shelf::new(&text));
            let mut bytes = Vec::new();
            let end = run(anywhere(&shelf, 2_000), &pool(threads), &dawdle, |chunk, ()| {
                bytes.extend_from_slice(&chunk.bytes);
                shelf.truncate(3_000);
                Ok(ControlFlow::Continue(()))
            })
            .unwrap();
            assert!(bytes == text[..bytes.len()] && end.bytes == bytes.len() as u64);
            // One reader that comes to the new end has seen no other.
            assert_eq!(end.damage.is_some(), threads > 1);
        }
    }

    #[test]
    fn a_worker_lost_in_a_part_of_a_chunk_is_an_error_that_says_where() {
        let text = [b"\n".repeat(100), b"here\n".to_vec(), b"\n".repeat(100)].concat();
        let shelf = Arc::new(Shelf::new(&text));
        let work = |chunk: &Chunk| assert!(!chunk.bytes.contains(&b'h'), "on purpose");
        let mut before = 0;
        let run = run(anywhere(&shelf, 150), &pool(2), &work, |chunk, ()| {
            before += chunk.bytes.len() as u64;
            Ok(ControlFlow::Continue(()))
        });
        let Err(Error::LostWorker { offset, .. }) = run else { panic!("{run:?}") };
        assert!(offset == before && (90..=100).contains(&offset), "{offset} {before}");
    }

    #[test]
    fn no_more_unread_chunks_are_in_flight_than_there_are_buffers() {
        let text = b"a line of some length\n".repeat(20_000);
        let shelf = Arc::new(Shelf::new(&text));
        let (threads, in_flight, most) = (3, AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |_: &Chunk| {
            most.fetch_max(in_flight.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_micros(200));
        };
        run(anywhere(&shelf, 1 << 12), &pool(threads), &work, |_, ()| {
            in_flight.fetch_sub(1, Ordering::SeqCst);
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
        let most = most.into_inner();
        assert!(most > 1 && most <= threads + 2, "{most}");
    }
}
