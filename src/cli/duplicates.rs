//! `--duplicates`: a pass of its own over all inputs, before the one that judges.
//!
//! In: the inputs of a run. Out: which of their games repeat others or begin longer ones; and,
//! where the second pass meets such a game, its finding. What can be read only once is kept for
//! the second pass. An input that cannot be read is passed over here: the second pass tells of it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use rayon::ThreadPool;

use super::plan::Plan;
use crate::diagnostics::{Selection, Span};
use crate::duplicates::{ChunkGames, Place, Repeat, Repeats, Search};
use crate::engine::{self, Chunk, ChunkKind, Progress, Stream};
use crate::error::{Error, Result};
use crate::judge::{ChunkReport, Duplicate};
use crate::pgn::Lexer;
use crate::pgn::framing::PgnCutter;
use crate::replay::BoardContinuation;
use crate::rules::duplicates::{repeated, rule_of};
use crate::source::{self, Hashing, Input, InputKind, Opened, Source};

/// What is known of duplicates, if they were looked for.
#[derive(Debug, Default)]
pub struct Duplicates {
    repeats: Option<Repeats>,
    /// The files as the first pass found them.
    files: Vec<(PathBuf, Option<Stamp>)>,
}

/// By what a file is known to be the same: its length and the time of its last change.
type Stamp = (u64, Option<SystemTime>);

fn stamp(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().map(|file| (file.len(), file.modified().ok()))
}

impl Duplicates {
    /// Reads all inputs, where the plan asks for it.
    ///
    /// # Errors
    /// [`Error::Temporary`] where there is no room for games, or for an input that can be read
    /// only once; [`Error::Read`] where such an input breaks off; [`Error::LostWorker`].
    pub fn look_for(
        plan: &Plan,
        pool: &ThreadPool,
        inputs: &mut [Input],
        progress: &Progress,
    ) -> Result<Duplicates> {
        let Some(memory) = plan.duplicates else { return Ok(Duplicates::default()) };
        let mut files = Vec::new();
        let mut pass = Pass { plan, pool, progress, search: Search::new(memory) };
        for input in inputs {
            if input.size().is_none() {
                input.spool()?;
            }
            if let InputKind::File(path) = &input.kind {
                files.push((path.clone(), stamp(path)));
            }
            match source::open(input, Hashing::Off, plan.threads) {
                Ok(Opened::Text(source)) => pass.read(&input.name, source)?,
                Ok(Opened::Zip(archive)) => {
                    for index in 0..archive.len() {
                        if let Ok(source) = archive.open(index, Hashing::Off) {
                            pass.read(&archive.member_name(index), source)?;
                        }
                    }
                }
                Err(_) => {}
            }
        }
        let repeats = Some(pass.search.finish().map_err(Error::temporary)?);
        Ok(Duplicates { repeats, files })
    }

    /// Files that are no longer what the first pass read, so that what was told of their games may
    /// be wrong. Asked when the second pass is done.
    pub fn changed(&self) -> impl Iterator<Item = (String, Error)> {
        let changed = self.files.iter().filter(|(path, before)| stamp(path) != *before);
        changed.map(|(path, _)| {
            let name = path.display().to_string();
            let why = "the file changed between the two readings that --duplicates takes: what is \
                       told of repeated games may be wrong; run again when it is at rest";
            (name.clone(), Error::read(name, io::Error::other(why)))
        })
    }

    /// The second pass comes to this text.
    pub fn begin_text(&mut self, name: &str) {
        if let Some(repeats) = &mut self.repeats {
            repeats.begin_text(name);
        }
    }

    /// Adds what is known of the games in a chunk, in their places.
    pub fn tell(
        &mut self,
        chunk: &Chunk,
        judged: &mut ChunkReport,
        selection: &Selection,
    ) -> Result<()> {
        let Some(repeats) = &mut self.repeats else { return Ok(()) };
        let told_before = judged.findings.len();
        for (game, record) in judged.records.games.iter().enumerate() {
            let offset = chunk.offset + record.span.start as u64;
            let Some(repeat) = repeats.at(offset).map_err(Error::temporary)? else { continue };
            let Repeat { text, kind, other, plies, differences, .. } = repeat;
            let (name, game) = (repeats.name_of(other), game as u32);
            judged.duplicates.push(Duplicate { game, of: format!("{name}@{}", other.offset) });
            if selection.allows(rule_of(kind)) {
                let first = first_token(&chunk.bytes, record.span);
                let named = named((other.text != text).then_some(name), other);
                let mut finding = repeated(kind, first, &named, plies, differences);
                finding.game = Some(game);
                judged.counts.finding(&finding);
                judged.findings.push(finding);
            }
        }
        if judged.findings.len() > told_before {
            // Stable, and quick for what is sorted in two parts.
            judged.findings.sort_by_key(|finding| finding.span.start);
        }
        Ok(())
    }
}

/// The first pass.
struct Pass<'a> {
    plan: &'a Plan,
    pool: &'a ThreadPool,
    progress: &'a Progress,
    search: Search,
}

impl Pass<'_> {
    /// Damage is told by the second pass; the games before it are compared.
    fn read(&mut self, name: &str, source: Source) -> Result<()> {
        let Pass { plan, pool, progress, search } = self;
        progress.file(name, source.meter.clone());
        search.begin_text(name);
        let range = plan.split.clone().unwrap_or(0..u64::MAX);
        let work = |chunk: &Chunk| ChunkGames::read(chunk, &range);
        let sink = |chunk: &Chunk, games: ChunkGames| {
            search.take(&games, chunk.offset).map_err(Error::temporary)?;
            progress.games(games.games);
            let end = chunk.offset + chunk.bytes.len() as u64;
            let behind = end >= range.end && chunk.kind == ChunkKind::Whole;
            Ok(if behind { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let stream = Stream {
            name,
            bytes: source.bytes(),
            cutter: PgnCutter::new(BoardContinuation::default()),
            chunk_size: plan.chunk_size,
        };
        engine::run(stream, pool, &work, sink).map(|_end| ())
    }
}

/// The first tag of a game, or what else it begins with.
fn first_token(bytes: &[u8], game: Span) -> Span {
    Lexer::new(bytes, game).next().map_or(game, |token| token.span)
}

/// `game 12, line 300`, with `of a.pgn` where that is another text.
fn named(name: Option<&str>, Place { game, line, .. }: Place) -> String {
    match name {
        Some(name) => format!("game {game} of {name}, line {line}"),
        None => format!("game {game}, line {line}"),
    }
}
