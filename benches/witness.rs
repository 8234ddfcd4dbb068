//! Holds our reading of whole archives against pgn-reader's and shakmaty's, game by game.
//!
//! Of every game in standard notation the list of moves must be the one that pgn-reader reads, and
//! the first move that we refuse the first one that shakmaty refuses. Games with other faults are
//! counted and left out: there pgn-reader skips what it does not know.
//!
//! Usage: `witness FILE...`; prints a line for each file, each difference, and fails if there is
//! any. `scripts/witness` builds and runs it.

use std::ops::{AddAssign, ControlFlow};
use std::path::PathBuf;
use std::process::ExitCode;

use pgn_arbiter::engine::{self, Chunk, Stream};
use pgn_arbiter::error::{Error, Result};
use pgn_arbiter::judge::{ChunkReport, Judge};
use pgn_arbiter::pgn::framing::PgnCutter;
use pgn_arbiter::replay::{
    BoardContinuation, ExaminerOptions, GameRecord, Start, Verdict, mix, read_start,
};
use pgn_arbiter::source::{self, Hashing, Input, Opened};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position};

fn main() -> ExitCode {
    let mut differences = 0;
    for path in std::env::args().skip(1) {
        match compare(&Input::file(PathBuf::from(&path))) {
            Ok(tally) => {
                differences += tally.different;
                println!(
                    "{path}: {} games alike, {} different, {} with other faults or variants",
                    tally.alike, tally.different, tally.left_out
                );
            }
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Default)]
struct Tally {
    alike: u64,
    different: u64,
    left_out: u64,
    /// The first games that differ.
    examples: Vec<String>,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.alike += other.alike;
        self.different += other.different;
        self.left_out += other.left_out;
        self.examples.extend(other.examples);
    }
}

fn compare(input: &Input) -> Result<Tally> {
    let pool = rayon::ThreadPoolBuilder::new().build().expect("threads for the machine's cores");
    let Opened::Text(source) = source::open(input, Hashing::Off, pool.current_num_threads())?
    else {
        return Err(Error::Usage(format!("{}: unpack the zip file first", input.name)));
    };
    let stream = Stream {
        name: &input.name,
        bytes: source.bytes(),
        cutter: PgnCutter::new(BoardContinuation::default()),
        chunk_size: 512 * 1024,
    };
    let judge = Judge {
        options: ExaminerOptions { collect: true, ..ExaminerOptions::default() },
        ..Judge::default()
    };
    let mut tally = Tally::default();
    let work = |chunk: &Chunk| compare_chunk(chunk, &judge.judge(chunk));
    engine::run(stream, &pool, &work, |_, chunk: Tally| {
        for example in &chunk.examples {
            println!("{example}");
        }
        tally += chunk;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(tally)
}

fn compare_chunk(chunk: &Chunk, report: &ChunkReport) -> Tally {
    let mut tally = Tally::default();
    let mut findings = report.findings.iter().peekable();
    for (index, record) in report.records.games.iter().enumerate() {
        let mut plain = !matches!(record.verdict, Verdict::Unjudged | Verdict::Unreadable);
        let mut plays_on = false;
        while let Some(finding) = findings.next_if(|it| it.game.is_none_or(|it| it <= index as u32))
        {
            // Games that end by themselves go on for shakmaty, and tags are not its concern.
            plays_on |= matches!(finding.rule.code, "M322" | "M323");
            plain &= match finding.rule.code.as_bytes()[0] {
                b'M' => {
                    matches!(&finding.rule.code[..3], "M30" | "M31" | "M32")
                        && !matches!(finding.rule.code, "M317" | "M318" | "M324" | "M326")
                }
                b'N' => matches!(finding.rule.code, "N701" | "N702" | "N703" | "N704" | "N713"),
                b'S' => !matches!(finding.rule.code, "S101" | "S106" | "S108" | "S109"),
                b'P' => false,
                _ => true,
            };
        }
        if !plain {
            tally.left_out += 1;
            continue;
        }
        let game = record.span.of(&chunk.bytes);
        let witness = read(game, record, &chunk.bytes);
        let ours = (record.moves_key, record.certified_plies);
        let same = match witness {
            None => {
                tally.left_out += 1;
                continue;
            }
            Some(witness) => {
                (witness.key, witness.plies) == ours || plays_on && witness.key == ours.0
            }
        };
        if same {
            tally.alike += 1;
        } else {
            tally.different += 1;
            if tally.examples.len() < 3 {
                let text = String::from_utf8_lossy(game);
                tally.examples.push(format!("different at byte {}:\n{text}", chunk.offset));
            }
        }
    }
    tally
}

/// What pgn-reader and shakmaty make of a game up to the first move that is refused.
struct Witness {
    position: Chess,
    plies: u32,
    key: u64,
    stopped: bool,
}

fn read(game: &[u8], record: &GameRecord, bytes: &[u8]) -> Option<Witness> {
    let value = |span: Option<pgn_arbiter::diagnostics::Span>| span.map(|span| span.of(bytes));
    let fen = value(record.tags.fen);
    let Start::Position(start) = read_start(value(record.tags.variant), fen) else { return None };
    let key = fen.map_or(0, xxhash_rust::xxh3::xxh3_64);
    let witness = Witness { position: start.position, plies: 0, key, stopped: false };
    let text = [game, b"\n\n"].concat();
    let mut replay = Replay(Some(witness));
    Reader::new(text.as_slice()).read_game(&mut replay).ok().flatten()
}

struct Replay(Option<Witness>);

impl Visitor for Replay {
    type Tags = ();
    type Movetext = Witness;
    type Output = Witness;

    fn begin_tags(&mut self) -> ControlFlow<Witness, ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<Witness> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Witness, Witness> {
        ControlFlow::Continue(self.0.take().expect("one game is read"))
    }

    fn begin_variation(&mut self, _: &mut Witness) -> ControlFlow<Witness, pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(true))
    }

    fn san(&mut self, witness: &mut Witness, san: SanPlus) -> ControlFlow<Witness> {
        if witness.stopped {
            return ControlFlow::Continue(());
        }
        match san.san.to_move(&witness.position) {
            Ok(m) => {
                witness.key = mix(witness.key, m);
                witness.position.play_unchecked(m);
                witness.plies += 1;
            }
            Err(_) => witness.stopped = true,
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, witness: Witness) -> Witness {
        witness
    }
}
