//! The steps of the hot loop, each by itself, on the games of `fixtures/archive.pgn`: framing,
//! lexing, moves, repetitions. `cargo bench -- lexer` runs one group.
//!
//! They tell which step a change touches. The games are few and come again and again, so that the
//! processor foresees every branch: what a change is worth is for `scripts/bench` to say, on a whole
//! archive.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pgn_arbiter::engine::{Cut, Cutter};
use pgn_arbiter::pgn::framing::{Frame, Framer, PgnCutter, Place};
use pgn_arbiter::pgn::{Lexer, TokenKind, WrittenMove};
use pgn_arbiter::replay::{BoardContinuation, Repetitions, known_plies, resolve};
use shakmaty::{Chess, Move, Position};

const ARCHIVE: &[u8] = include_bytes!("../fixtures/archive.pgn");

/// As many bytes as a chunk has.
const CHUNK: usize = 512 * 1024;

criterion_group!(steps, framing, lexer, san, repetition);
criterion_main!(steps);

fn framing(criterion: &mut Criterion) {
    let bytes = ARCHIVE.repeat(CHUNK.div_ceil(ARCHIVE.len()));
    let games = |bytes| Framer::new(bytes, Place::WHOLE, BoardContinuation::default()).0.count();
    assert_eq!(games(&bytes), games(ARCHIVE) * bytes.len() / ARCHIVE.len());
    let mut group = criterion.benchmark_group("framing");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("games of a chunk", |bencher| bencher.iter(|| games(&bytes)));
    let cut = |bytes| PgnCutter::new(BoardContinuation::default()).cut(bytes, false);
    assert!(matches!(cut(&bytes), Cut::At(_)));
    group.bench_function("end of a chunk", |bencher| bencher.iter(|| cut(black_box(&bytes))));
    group.finish();
}

fn lexer(criterion: &mut Criterion) {
    let games: Vec<_> = frames().map(|frame| frame.game).collect();
    let tokens = games.iter().map(|&game| Lexer::new(ARCHIVE, game).count() as u64).sum();
    let mut group = criterion.benchmark_group("lexer");
    group.throughput(Throughput::Elements(tokens));
    group.bench_function("tokens", |bencher| {
        bencher.iter(|| {
            for &game in &games {
                for token in Lexer::new(ARCHIVE, game) {
                    black_box(token);
                }
            }
        });
    });
    group.finish();
}

fn san(criterion: &mut Criterion) {
    let games = clean_games();
    let mut group = criterion.benchmark_group("san");
    let asked: Vec<_> = games.iter().flat_map(Game::asked).collect();
    group.throughput(Throughput::Elements(plies(&games)));
    group.bench_function("resolve", |bencher| {
        bencher.iter(|| {
            for (position, written) in &asked {
                black_box(resolve(position, &written.san));
            }
        });
    });
    group.bench_function("shakmaty's to_move", |bencher| {
        bencher.iter(|| {
            for (position, written) in &asked {
                black_box(written.san.to_move(position).ok());
            }
        });
    });
    group.bench_function("read, resolve and play", |bencher| {
        bencher.iter(|| {
            for game in &games {
                black_box(played(&game.words));
            }
        });
    });
    // With the numbers between the moves, checks, mates and repetitions.
    group.bench_function("fast lane", |bencher| {
        let mut repetitions = Repetitions::default();
        bencher.iter(|| {
            games.iter().map(|game| known_plies(game.movetext, &mut repetitions)).sum::<u32>()
        });
    });
    group.finish();
}

fn repetition(criterion: &mut Criterion) {
    let games = clean_games();
    let mut group = criterion.benchmark_group("repetition");
    group.throughput(Throughput::Elements(plies(&games)));
    group.bench_function("played", |bencher| {
        let mut repetitions = Repetitions::default();
        bencher.iter(|| {
            for game in &games {
                repetitions.start(&Chess::default());
                for (m, position) in &game.moves {
                    black_box(repetitions.played(*m, position));
                }
            }
        });
    });
    group.finish();
}

/// A game that the examiner and the fast lane play to its end.
struct Game {
    movetext: &'static [u8],
    words: Vec<&'static [u8]>,
    /// Each with the position behind it.
    moves: Vec<(Move, Chess)>,
}

impl Game {
    /// Each position with the move that is written for it.
    fn asked(&self) -> impl Iterator<Item = (Chess, WrittenMove)> {
        let before = self.moves.iter().map(|(_, position)| position.clone());
        let written = self.words.iter().filter_map(|word| WrittenMove::parse(word));
        std::iter::once(Chess::default()).chain(before).zip(written)
    }
}

fn clean_games() -> Vec<Game> {
    let games: Vec<_> = frames()
        .filter_map(|frame| {
            let tokens = || Lexer::new(ARCHIVE, frame.game);
            let start = tokens().find(|token| token.kind == TokenKind::MoveNumber)?.span.start;
            let movetext = &ARCHIVE[start..frame.game.end];
            let words: Vec<_> = tokens()
                .filter(|token| token.kind == TokenKind::Word)
                .map(|token| token.span.of(ARCHIVE))
                .collect();
            let mut position = Chess::default();
            let mut moves = Vec::new();
            for word in &words {
                let m = resolve(&position, &WrittenMove::parse(word)?.san)?;
                position.play_unchecked(m);
                moves.push((m, position.clone()));
            }
            let known = known_plies(movetext, &mut Repetitions::default());
            (known as usize == words.len()).then_some(Game { movetext, words, moves })
        })
        .collect();
    assert!(games.len() > 20, "only {} clean games", games.len());
    games
}

fn plies(games: &[Game]) -> u64 {
    games.iter().map(|game| game.moves.len() as u64).sum()
}

fn played(words: &[&[u8]]) -> Option<Chess> {
    let mut position = Chess::default();
    for word in words {
        let m = resolve(&position, &WrittenMove::parse(word)?.san)?;
        position.play_unchecked(m);
    }
    Some(position)
}

fn frames() -> impl Iterator<Item = Frame> {
    Framer::new(ARCHIVE, Place::WHOLE, BoardContinuation::default()).0
}
