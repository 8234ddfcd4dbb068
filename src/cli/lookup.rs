//! Finds one game in an archive and examines it.
//!
//! In: an input, and the number of a game or a byte. Out: the game's chunk, what the examiner found
//! in the game and what it played. Chunks are framed as `check` frames them and given away at
//! once; nothing is read behind the chunk of the game.

use std::ops::ControlFlow;

use rayon::ThreadPoolBuilder;

use crate::diagnostics::{LineCursor, count_line_ends};
use crate::engine::{self, Chunk, ChunkKind, Stream};
use crate::error::{Error, Result};
use crate::judge::{ChunkPlace, ChunkReport, ending, place};
use crate::pgn::framing::{Frame, Framer, PgnCutter};
use crate::replay::{BoardContinuation, Examiner, ExaminerOptions, Output, Trace};
use crate::report::{Counted, Judged};
use crate::source::{self, Hashing, Input, InputKind, Opened, Source};

/// As `check` has it.
const CHUNK_SIZE: usize = 512 * 1024;

/// Which game is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The number of a game, from 1.
    Number(u64),
    /// The game to which a byte belongs: it, or the gap behind it, or the one before the first.
    Byte(u64),
}

/// A game that was found.
#[derive(Debug)]
pub struct FoundGame {
    name: String,
    bytes: Vec<u8>,
    offset: u64,
    column: u64,
    games: u64,
    lines: u64,
    /// Its only record is the game's.
    report: ChunkReport,
    pub trace: Trace,
}

impl FoundGame {
    /// As the formats of reports see it.
    pub fn judged(&self) -> Judged<'_> {
        let place = ChunkPlace {
            source: &self.name,
            offset: self.offset,
            column: self.column,
            games: self.games,
            lines: self.lines,
        };
        Judged { place, bytes: &self.bytes, report: &self.report }
    }
}

/// What stands before a chunk.
#[derive(Clone, Copy, Default)]
struct Before {
    games: u64,
    lines: u64,
}

/// # Errors
///
/// [`Error::Read`] where the input cannot be read as far as the game, [`Error::NoGames`], and
/// [`Error::Usage`] for a game or byte behind the end.
pub fn find(input: &Input, target: Target, options: ExaminerOptions) -> Result<FoundGame> {
    find_in_chunks(input, target, options, CHUNK_SIZE)
}

fn find_in_chunks(
    input: &Input,
    target: Target,
    options: ExaminerOptions,
    chunk_size: usize,
) -> Result<FoundGame> {
    let source = open_text(input)?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .map_err(|error| Error::Usage(format!("cannot start a thread: {error}")))?;
    let mut before = Before::default();
    let mut found = None;
    let sink = |chunk: &Chunk, (frames, line_ends): (Vec<Frame>, u64)| {
        let end = chunk.offset + chunk.bytes.len() as u64;
        let at = match target {
            Target::Number(number) => number
                .checked_sub(before.games + 1)
                .and_then(|at| usize::try_from(at).ok())
                .filter(|&at| at < frames.len()),
            Target::Byte(byte) if byte >= end => None,
            Target::Byte(byte) => {
                let starts = |frame: &Frame| chunk.offset + frame.game.start as u64 <= byte;
                let at = frames.partition_point(starts).saturating_sub(1);
                (at < frames.len()).then_some(at)
            }
        };
        if let Some(at) = at {
            found = Some(examined(&input.name, chunk, &frames, at, before, options));
        } else if let (Target::Byte(_), ChunkKind::OverlongHead, Some(last)) =
            (target, chunk.kind, frames.len().checked_sub(1))
        {
            // The byte may lie in the tail of its last game.
            found = Some(examined(&input.name, chunk, &frames, last, before, options));
            before.games += frames.len() as u64;
            before.lines += line_ends;
            return Ok(ControlFlow::Continue(()));
        } else if chunk.kind != ChunkKind::OverlongTail {
            found = None;
        }
        before.games += frames.len() as u64;
        before.lines += line_ends;
        let reached = match target {
            Target::Number(_) => found.is_some(),
            // A gap before the first game may be a chunk of its own.
            Target::Byte(byte) => byte < end && found.is_some(),
        };
        Ok(if reached { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let stream = Stream {
        name: &input.name,
        bytes: source.bytes(),
        cutter: PgnCutter::new(BoardContinuation::default()),
        chunk_size,
    };
    let end = engine::run(stream, &pool, &framed, sink)?;
    if let (Some(found), true) = (found, end.stopped) {
        return Ok(found);
    }
    if let Some(damage) = end.damage {
        return Err(Error::read(&input.name, damage));
    }
    let (name, games) = (&input.name, Counted(before.games, "game"));
    match target {
        _ if before.games == 0 => Err(Error::NoGames(name.clone())),
        Target::Number(number) => {
            Err(Error::Usage(format!("there is no game {number} in {name}, which has {games}")))
        }
        Target::Byte(byte) => {
            let bytes = Counted(end.bytes, "byte");
            Err(Error::Usage(format!("there is no byte {byte} in {name}, which has {bytes}")))
        }
    }
}

/// Opens a text, or the member of a zip file, named as reports name it: `archive.zip/a.pgn`.
fn open_text(input: &Input) -> Result<Source> {
    if let InputKind::File(path) = &input.kind
        && !path.exists()
        && let Some(archive) = path.ancestors().skip(1).find(|folder| folder.is_file())
        && let Opened::Zip(members) =
            source::open(&Input::file(archive.to_path_buf()), Hashing::Off, 1)?
    {
        let mut names = (0..members.len()).map(|index| members.member_name(index));
        let index = names.position(|name| name == input.name).ok_or_else(|| {
            Error::Usage(format!("there is no archive of that name in it: {}", input.name))
        })?;
        return members.open(index, Hashing::Off);
    }
    match source::open(input, Hashing::Off, 1)? {
        Opened::Text(source) => Ok(source),
        Opened::Zip(members) => Err(Error::Usage(format!(
            "{} is a zip file; name one of its members, as {}:GAME",
            input.name,
            if members.is_empty() { input.name.clone() } else { members.member_name(0) },
        ))),
    }
}

/// The games of a chunk, and its line ends. Runs on a worker.
fn framed(chunk: &Chunk) -> (Vec<Frame>, u64) {
    let frames = match chunk.kind {
        ChunkKind::OverlongTail => Vec::new(),
        ChunkKind::Whole | ChunkKind::OverlongHead => {
            Framer::new(&chunk.bytes, place(chunk), BoardContinuation::default()).0.collect()
        }
    };
    (frames, count_line_ends(&chunk.bytes))
}

fn examined(
    name: &str,
    chunk: &Chunk,
    frames: &[Frame],
    at: usize,
    before: Before,
    options: ExaminerOptions,
) -> FoundGame {
    let mut report = ChunkReport::default();
    let mut examiner = Examiner::tracing(options);
    let lines_before =
        LineCursor::new(&chunk.bytes, chunk.column).line_ends_before(frames[at].game.start);
    let mut output = Output {
        findings: &mut report.findings,
        records: &mut report.records,
        counts: &mut report.counts,
    };
    let ending = ending(chunk, &frames[at]);
    examiner.examine(&chunk.bytes, &frames[at], ending, 0, lines_before, &mut output);
    FoundGame {
        name: name.to_owned(),
        bytes: chunk.bytes.clone(),
        offset: chunk.offset,
        column: chunk.column,
        games: before.games + at as u64,
        lines: before.lines,
        report,
        trace: examiner.trace().cloned().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const FIRST: &str = "[Event \"one\"]\n\n1. e4 e5 *\n\n";
    const SECOND: &str = "[Event \"two\"]\n\n1. d4 {d} d5 2. Bf8 *\n\n";

    fn input(text: &str) -> (tempfile::TempDir, Input) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(&path, text).unwrap();
        (folder, Input::file(path))
    }

    #[test]
    fn a_game_is_found_by_its_number_and_by_its_bytes_at_every_chunk_size() {
        let (_folder, input) = input(&format!("prose\n\n{FIRST}{SECOND}{FIRST}"));
        let second = (7 + FIRST.len()) as u64;
        let third = second + SECOND.len() as u64;
        let table = [
            (Target::Number(1), 1),
            (Target::Number(2), 2),
            (Target::Number(3), 3),
            (Target::Byte(0), 1),
            (Target::Byte(second - 1), 1),
            (Target::Byte(second), 2),
            (Target::Byte(third - 1), 2),
            (Target::Byte(third + FIRST.len() as u64 - 1), 3),
        ];
        for (target, number) in table {
            for chunk_size in [1, 40, 4096] {
                let found =
                    find_in_chunks(&input, target, ExaminerOptions::default(), chunk_size).unwrap();
                let judged = found.judged();
                assert_eq!(judged.place.games + 1, number, "{target:?} {chunk_size}");
                if number == 2 {
                    let located = judged.findings().find(|it| it.finding.rule.code == "M310");
                    let located = located.expect("no bishop reaches f8");
                    assert_eq!((located.game(), located.line), (Some(2), 9), "{chunk_size}");
                    assert_eq!(found.trace.moves.len(), 2);
                }
            }
        }
    }

    #[test]
    fn what_is_not_there_is_answered_with_how_much_there_is() {
        let (_folder, input) = input(&format!("{FIRST}{SECOND}"));
        let told =
            |target| find(&input, target, ExaminerOptions::default()).unwrap_err().to_string();
        assert!(told(Target::Number(3)).starts_with("there is no game 3 in "));
        assert!(told(Target::Number(u64::MAX)).ends_with("which has 2 games"));
        let bytes = FIRST.len() + SECOND.len();
        assert!(told(Target::Byte(bytes as u64)).ends_with(&format!("which has {bytes} bytes")));
    }

    #[test]
    fn a_file_without_games_has_no_place_to_show() {
        let (_folder, input) = input("a letter\n");
        for target in [Target::Number(1), Target::Byte(0)] {
            assert!(matches!(
                find(&input, target, ExaminerOptions::default()),
                Err(Error::NoGames(_))
            ));
        }
    }

    #[test]
    fn the_tail_of_an_oversized_game_belongs_to_it() {
        let long =
            format!("{FIRST}[Event \"long\"]\n\n1. e4 {} *\n\n{SECOND}", "e5 ".repeat(3 << 20));
        let (_folder, input) = input(&long);
        for (byte, number) in [(9_000_000, 2), (long.len() as u64 - 5, 3)] {
            let found = find(&input, Target::Byte(byte), ExaminerOptions::default()).unwrap();
            assert_eq!(found.judged().place.games + 1, number, "{byte}");
        }
    }
}
