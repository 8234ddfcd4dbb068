//! The games of one chunk, read for comparison. Runs on a worker.

use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use super::facts::{Facts, Place};
use super::players::Player;
use super::record::{GROUP, Record};
use crate::diagnostics::{LineCursor, Span, count_line_ends};
use crate::engine::{Chunk, ChunkKind};
use crate::judge::{ending, place};
use crate::pgn::framing::Framer;
use crate::replay::{BoardContinuation, ChunkRecords, Examiner, GameRecord, MoveList, Output};
use crate::rules::structure::UNCLOSED_VARIATION;
use crate::source::decode_as;
use crate::summary::Counts;

/// What can be compared in a chunk. Places count from its start.
#[derive(Debug, Default)]
pub struct ChunkGames {
    /// Games that begin in the chunk, compared or not.
    pub games: u64,
    pub line_ends: u64,
    compared: Vec<Compared>,
    /// The moves of all of them, one behind the other.
    moves: Vec<u8>,
}

#[derive(Debug)]
struct Compared {
    group: [u8; GROUP],
    moves: Range<usize>,
    offset: usize,
    /// From 0.
    game: u64,
    /// From 0.
    line: u64,
    facts: Facts,
}

/// Where a chunk stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before {
    /// Which of the run's texts it is, from 0.
    pub text: u32,
    /// Games of the text before the chunk.
    pub games: u64,
    /// Its line ends before the chunk.
    pub lines: u64,
}

impl ChunkGames {
    /// Reads the games that begin in a range of the text. Compared are those whose main line is
    /// certain to its end: every move of it was played, there is at least one, and no open
    /// parenthesis hides others.
    pub fn read(chunk: &Chunk, range: &Range<u64>) -> ChunkGames {
        let bytes = chunk.bytes.as_slice();
        let mut read = ChunkGames::default();
        if chunk.kind == ChunkKind::OverlongTail {
            read.line_ends = count_line_ends(bytes);
            return read;
        }
        let mut examiner = Examiner::keeping_moves();
        let mut lines = LineCursor::new(bytes, chunk.column);
        let (mut findings, mut records) = (Vec::new(), ChunkRecords::default());
        let mut counts = Counts::default();
        let (framer, _) = Framer::new(bytes, place(chunk), BoardContinuation::default());
        for frame in framer {
            let game = read.games;
            read.games += 1;
            if frame.oversized || !range.contains(&(chunk.offset + frame.game.start as u64)) {
                continue;
            }
            findings.clear();
            records.games.clear();
            records.promotions.clear();
            let mut output =
                Output { findings: &mut findings, records: &mut records, counts: &mut counts };
            examiner.examine(bytes, &frame, ending(chunk, &frame), 0, 0, &mut output);
            let (Some(record), Some(moves)) = (records.games.first(), examiner.moves()) else {
                continue;
            };
            let certain = record.plies > 0
                && record.certified_plies == record.plies
                && !findings.iter().any(|finding| *finding.rule == UNCLOSED_VARIATION);
            if certain {
                let line = lines.line_ends_before(frame.game.start);
                read.take(bytes, record, moves, (game, line));
            }
        }
        read.line_ends = lines.line_ends_before(bytes.len());
        read
    }

    fn take(&mut self, bytes: &[u8], record: &GameRecord, moves: &MoveList, at: (u64, u64)) {
        let player = |tag: Option<Span>| {
            let name = tag.map(|tag| decode_as(tag.of(bytes), record.encoding));
            name.and_then(|name| Player::of(&name))
        };
        let (white, black) = (player(record.tags.white), player(record.tags.black));
        let variant = format!("{:?}", moves.variant);
        let mut group = Xxh3::new();
        let [white_key, black_key] = [&white, &black].map(|it| it.as_ref().map(|it| &it.key));
        for part in [white_key, black_key, Some(&variant), moves.start.as_ref()] {
            group.update(part.map_or(&b""[..], |part| part.as_bytes()));
            group.update(b"\0");
        }
        let start = self.moves.len();
        self.moves.extend_from_slice(moves.codes());
        self.compared.push(Compared {
            group: group.digest128().to_be_bytes(),
            moves: start..self.moves.len(),
            offset: record.span.start,
            game: at.0,
            line: at.1,
            facts: Facts::of(record, bytes, [white.as_ref(), black.as_ref()]),
        });
    }

    /// Their records, in their places. `offset` is the chunk's.
    pub fn records(&self, before: Before, offset: u64) -> impl Iterator<Item = Record<'_>> {
        self.compared.iter().map(move |game| Record {
            group: &game.group,
            moves: &self.moves[game.moves.clone()],
            place: Place {
                text: before.text,
                offset: offset + game.offset as u64,
                game: before.games + game.game + 1,
                line: before.lines + game.line + 1,
            },
            facts: game.facts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> ChunkGames {
        let chunk = Chunk { bytes: text.to_vec(), last: true, ..Chunk::default() };
        ChunkGames::read(&chunk, &(0..u64::MAX))
    }

    fn group(text: &[u8]) -> [u8; GROUP] {
        read(text).compared[0].group
    }

    #[test]
    fn games_that_are_certain_to_their_end_are_compared() {
        let table = [
            ("1. e4 e5 1-0", 1),
            ("1. e4 e5", 1),
            ("1. e4+ e5 1-0", 1),
            ("1. e4 {never closed", 1),
            ("1. e4 (1. d4) 1... e5 *", 1),
            ("*", 0),
            ("1. e4 e5 2. Bf8 *", 0),
            ("1. e4 (1. d4 d5 *", 0),
            ("1. e4 -- 2. d4 *", 0),
            ("[Variant \"Unheard-of\"]\n\n1. e4 *", 0),
            ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *", 0),
        ];
        for (text, compared) in table {
            assert_eq!(read(text.as_bytes()).compared.len(), compared, "{text}");
        }
    }

    #[test]
    fn names_are_decoded_from_the_set_of_their_game() {
        let tags = |white: &[u8]| {
            [b"[White \"", white, b"\"]\n[Black \"Lund, A\"]\n\n1. e4 e5 2. Nf3 *\n"].concat()
        };
        let utf8 = group(&tags("Müller, Karsten".as_bytes()));
        assert_eq!(group(&tags(b"M\xfcller, Karsten")), utf8, "ISO 8859-1");
        assert_eq!(group(&tags(b"Muller, K.")), utf8);
        assert_ne!(group(&tags(b"Meller, K.")), utf8);
    }

    #[test]
    fn colours_and_rules_part_the_groups() {
        let game = |white, black, more: &str| {
            group(format!("[White \"{white}\"]\n[Black \"{black}\"]\n{more}\n1. e4 *\n").as_bytes())
        };
        let one = game("Ott", "Lund", "");
        assert_ne!(one, game("Lund", "Ott", ""));
        assert_ne!(one, game("Ott", "Lund", "[Variant \"Atomic\"]\n"));
        assert_eq!(one, game("OTT", "Lund", "[Variant \"Standard\"]\n"));
        assert_ne!(game("", "", ""), one);
    }

    #[test]
    fn a_record_knows_its_place() {
        let text = "[Event \"a\"]\n\n1. e4 *\n\n1. Bf8 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n";
        let read = read(text.as_bytes());
        let before = Before { text: 2, games: 10, lines: 100 };
        let places: Vec<_> = read.records(before, 1_000).map(|record| record.place).collect();
        let second = text.find("[Event \"b").unwrap() as u64;
        assert_eq!(
            places,
            [
                Place { text: 2, offset: 1_000, game: 11, line: 101 },
                Place { text: 2, offset: 1_000 + second, game: 13, line: 107 },
            ]
        );
        assert_eq!((read.games, read.line_ends), (3, 9));
    }
}
