//! The yardstick: what pgn-reader and shakmaty take to replay an archive, without any report.
//!
//! It does the work of pgn-reader's own parallel validation example and nothing more: one thread
//! reads games and parses their moves, three replay them. An archive whose name ends in `.zst` is
//! decompressed by the reading thread. Faulty games are counted and not described. Over the board
//! (17 million plies) it took 0.98 of that example's time, median of seven pairs.
//!
//! Usage: `baseline FILE...`; prints one line of counts for each file. `scripts/bench` runs it
//! in turn with `pgn-arbiter check`.

use std::fs::File;
use std::io::{self, Read};
use std::ops::{AddAssign, ControlFlow};
use std::{env, error, thread};

use crossbeam_channel::{Receiver, Sender};
use pgn_reader::shakmaty::san::San;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// As the example has it, on any number of cores.
const VALIDATORS: usize = 3;
/// Games that may wait between the reader and the validators.
const GAMES_IN_FLIGHT: usize = 128;

fn main() -> Result<(), Box<dyn error::Error>> {
    for path in env::args().skip(1) {
        let tally = validate(open(&path)?)?;
        println!("{path}: {} games, {} moves, {} errors", tally.games, tally.moves, tally.errors);
    }
    Ok(())
}

fn open(path: &str) -> io::Result<Box<dyn Read + Send>> {
    let file = File::open(path)?;
    Ok(if path.ends_with(".zst") { Box::new(zstd::Decoder::new(file)?) } else { Box::new(file) })
}

fn validate(archive: Box<dyn Read + Send>) -> io::Result<Tally> {
    let (sender, receiver) = crossbeam_channel::bounded(GAMES_IN_FLIGHT);
    thread::scope(|scope| {
        let reading = scope.spawn(move || read(archive, &sender));
        let validating: Vec<_> = (0..VALIDATORS)
            .map(|_| {
                let receiver = receiver.clone();
                scope.spawn(move || replay_all(&receiver))
            })
            .collect();
        let mut tally = Tally::default();
        for thread in validating {
            tally += thread.join().expect("a validator does not panic");
        }
        reading.join().expect("the reader does not panic")?;
        Ok(tally)
    })
}

fn read(archive: Box<dyn Read + Send>, games: &Sender<Game>) -> io::Result<()> {
    let mut reader = Reader::new(archive);
    for game in reader.read_games(&mut Collector) {
        if games.send(game?).is_err() {
            break;
        }
    }
    Ok(())
}

fn replay_all(games: &Receiver<Game>) -> Tally {
    let mut tally = Tally::default();
    for game in games {
        tally.games += 1;
        tally.moves += game.moves.len() as u64;
        tally.errors += u64::from(!game.replays());
    }
    tally
}

/// What one file held. `moves` are all that were read, behind a fault too.
#[derive(Default)]
struct Tally {
    games: u64,
    moves: u64,
    errors: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.errors += other.errors;
    }
}

struct Game {
    fen: Option<Vec<u8>>,
    moves: Vec<San>,
}

impl Game {
    /// Whether the start position is sound and every move is legal.
    fn replays(&self) -> bool {
        let Some(mut position) = self.start() else { return false };
        self.moves
            .iter()
            .all(|san| san.to_move(&position).map(|legal| position.play_unchecked(legal)).is_ok())
    }

    fn start(&self) -> Option<Chess> {
        match &self.fen {
            None => Some(Chess::default()),
            Some(fen) => Fen::from_ascii(fen).ok()?.into_position(CastlingMode::Chess960).ok(),
        }
    }
}

/// Keeps a game's FEN and its main line.
struct Collector;

impl Visitor for Collector {
    type Tags = Option<Vec<u8>>;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, fen: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        if name == b"FEN" {
            *fen = Some(value.decode().into_owned());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Self::Tags) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game { fen, moves: Vec::with_capacity(80) })
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        game.moves.push(san.san);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}
