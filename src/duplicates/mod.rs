//! Which games stand twice in an archive, or begin a longer one.
//!
//! In: every chunk of every text of a run, in order ([`ChunkGames`], read on the workers). Out:
//! the games that repeat others, in the order of the archive, for a second pass over the same
//! texts to meet them in ([`Repeats`]). Two games are the same if the moves, the start position,
//! the rules and both players are, whatever else the tags say. Memory is bounded: what does not
//! fit is sorted on disk, in files that have no name and vanish with the process.

mod chunk_games;
mod facts;
mod players;
mod record;
mod runs;
mod search;
mod sort;

use std::io;

pub use chunk_games::{Before, ChunkGames};
pub use facts::{Differences, Place};
pub use players::{FirstName, Player};
pub use search::{Kind, NO_COINCIDENCE, Repeat};
use sort::{Sorted, Sorter};

/// Takes in the games of a run.
#[derive(Debug)]
pub struct Search {
    texts: Vec<String>,
    records: Sorter,
    repeats: Sorter,
    before: Before,
    buffer: Vec<u8>,
}

impl Search {
    /// `memory`: bytes that games and answers may take before they go to disk.
    pub fn new(memory: usize) -> Search {
        // Most games repeat no other, and the answer for one that does is short.
        let for_repeats = memory / 8;
        Search {
            texts: Vec::new(),
            records: Sorter::new(memory - for_repeats),
            repeats: Sorter::new(for_repeats),
            before: Before::default(),
            buffer: Vec::new(),
        }
    }

    /// The chunks that follow are those of this text.
    pub fn begin_text(&mut self, name: &str) {
        self.before = Before { text: self.texts.len() as u32, ..Before::default() };
        self.texts.push(name.to_owned());
    }

    /// Adds the games of the text's next chunk, which begins at `offset`.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn take(&mut self, games: &ChunkGames, offset: u64) -> io::Result<()> {
        for record in games.records(self.before, offset) {
            self.buffer.clear();
            record.write(&mut self.buffer);
            self.records.push(&self.buffer)?;
        }
        self.before.games += games.games;
        self.before.lines += games.line_ends;
        Ok(())
    }

    /// Compares them.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn finish(self) -> io::Result<Repeats> {
        let sorted = search::search(self.records.finish()?, self.repeats)?;
        let mut repeats = Repeats { texts: self.texts, sorted, next: None, text: None, from: 0 };
        repeats.advance()?;
        Ok(repeats)
    }
}

/// The games that repeat others or begin longer ones, to be asked for in the order of the archive.
#[derive(Debug)]
pub struct Repeats {
    texts: Vec<String>,
    sorted: Sorted,
    next: Option<Repeat>,
    /// The text that is being read, if the first pass read it too.
    text: Option<u32>,
    /// Texts before this one are done with.
    from: usize,
}

impl Repeats {
    /// The games asked for from now on are those of this text. Texts come in the order of the
    /// first pass; one that it did not meet has no repeats.
    pub fn begin_text(&mut self, name: &str) {
        let found = self.texts.iter().skip(self.from).position(|text| text == name);
        let found = found.map(|at| self.from + at);
        self.from = found.map_or(self.from, |text| text + 1);
        self.text = found.map(|text| text as u32);
    }

    /// What the game at this offset is to another one.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn at(&mut self, offset: u64) -> io::Result<Option<Repeat>> {
        let Some(text) = self.text else { return Ok(None) };
        while let Some(next) = self.next {
            if (next.text, next.offset) > (text, offset) {
                break;
            }
            self.advance()?;
            if (next.text, next.offset) == (text, offset) {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// The name of the text in which a game stands.
    pub fn name_of(&self, place: Place) -> &str {
        self.texts.get(place.text as usize).map_or("", String::as_str)
    }

    fn advance(&mut self) -> io::Result<()> {
        self.next = match self.sorted.next()? {
            Some(bytes) => Some(
                Repeat::read(bytes).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?,
            ),
            None => None,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Chunk;

    const GAME: &str = "[White \"Ott\"]\n[Black \"Lund\"]\n\n1. e4 e5 2. Nf3 *\n\n";

    fn repeats(texts: &[(&str, &str)]) -> Repeats {
        let mut search = Search::new(1 << 20);
        for (name, text) in texts {
            search.begin_text(name);
            let chunk = Chunk { bytes: text.as_bytes().into(), last: true, ..Chunk::default() };
            search.take(&ChunkGames::read(&chunk, &(0..u64::MAX)), 0).unwrap();
        }
        search.finish().unwrap()
    }

    #[test]
    fn a_game_is_met_where_it_stands_in_the_second_pass() {
        let twice = GAME.repeat(2);
        let mut repeats = repeats(&[("a", GAME), ("b", "1. d4 *\n"), ("c", &twice)]);
        repeats.begin_text("a");
        assert_eq!(repeats.at(0).unwrap(), None);
        repeats.begin_text("unreadable before");
        assert_eq!(repeats.at(0).unwrap(), None);
        repeats.begin_text("c");
        let first = repeats.at(0).unwrap().unwrap();
        assert_eq!((repeats.name_of(first.other), first.kind), ("a", Kind::Repeats));
        let second = repeats.at(GAME.len() as u64).unwrap().unwrap();
        assert_eq!(second.other, Place { text: 0, offset: 0, game: 1, line: 1 });
        assert_eq!(repeats.at(u64::MAX).unwrap(), None);
    }

    #[test]
    fn games_that_nobody_asks_for_are_passed_over() {
        let mut repeats = repeats(&[("a", &GAME.repeat(3)), ("a", GAME)]);
        repeats.begin_text("a");
        assert_eq!(repeats.at(5).unwrap(), None);
        assert!(repeats.at(2 * GAME.len() as u64).unwrap().is_some());
        repeats.begin_text("a");
        assert!(repeats.at(0).unwrap().is_some(), "the second text of that name");
    }
}
