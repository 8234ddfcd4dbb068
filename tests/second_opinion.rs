//! Our reading of sound games against pgn-reader and shakmaty, which share no code with it.

use std::ops::ControlFlow;

use pgn_arbiter::engine::Chunk;
use pgn_arbiter::judge::{ChunkReport, Judge};
use pgn_arbiter::replay::{EndState, ExaminerOptions, Verdict};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role};

fn judge(text: &[u8]) -> ChunkReport {
    let chunk = Chunk { bytes: text.to_vec(), last: true, ..Chunk::default() };
    Judge {
        options: ExaminerOptions { collect: true, ..ExaminerOptions::default() },
        ..Judge::default()
    }
    .judge(&chunk)
}

/// What pgn-reader and shakmaty make of a game.
#[derive(Debug, Default)]
struct Witness {
    plies: u32,
    /// Every move was legal.
    legal: bool,
    promotions: u32,
    threefold: Option<u32>,
    max_clock: u32,
    position: Chess,
}

/// Replays each game and counts whole positions, which shakmaty compares as FIDE 9.2.3 does.
struct Replay;

struct Game {
    witness: Witness,
    seen: Vec<Chess>,
}

impl Visitor for Replay {
    type Tags = Option<Fen>;
    type Movetext = Game;
    type Output = Witness;

    fn begin_tags(&mut self) -> ControlFlow<Witness, Option<Fen>> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        tags: &mut Option<Fen>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Witness> {
        if name == b"FEN" {
            *tags = Fen::from_ascii(value.as_bytes()).ok();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Option<Fen>) -> ControlFlow<Witness, Game> {
        let position: Chess =
            fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()).unwrap_or_default();
        let max_clock = position.halfmoves();
        let witness = Witness { legal: true, max_clock, position, ..Witness::default() };
        ControlFlow::Continue(Game { seen: vec![witness.position.clone()], witness })
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Witness> {
        let Game { witness, seen } = game;
        witness.plies += 1;
        match san.san.to_move(&witness.position) {
            Ok(m) if witness.legal => {
                witness.promotions += u32::from(m.is_promotion());
                witness.position.play_unchecked(m);
                witness.max_clock = witness.max_clock.max(witness.position.halfmoves());
                seen.push(witness.position.clone());
                let times = seen.iter().filter(|earlier| **earlier == witness.position).count();
                if times == 3 {
                    witness.threefold.get_or_insert(witness.plies);
                }
            }
            _ => witness.legal = false,
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Witness {
        game.witness
    }
}

fn witnesses(text: &[u8]) -> Vec<Witness> {
    Reader::new(text).read_games(&mut Replay).map(|game| game.expect("bytes in memory")).collect()
}

fn compare(text: &[u8]) -> ChunkReport {
    let report = judge(text);
    let witnesses = witnesses(text);
    assert_eq!(report.records.games.len(), witnesses.len());
    for (record, witness) in report.records.games.iter().zip(&witnesses) {
        let game = String::from_utf8_lossy(record.span.of(text));
        if !matches!(record.verdict, Verdict::Certified | Verdict::Flawed) {
            continue;
        }
        assert!(witness.legal, "{game}");
        assert_eq!(record.certified_plies, witness.plies, "{game}");
        assert_eq!(record.promotions, witness.promotions, "{game}");
        assert_eq!(record.first_threefold_ply, witness.threefold, "{game}");
        assert_eq!(record.max_halfmove_clock, witness.max_clock, "{game}");
        let end = &witness.position;
        assert_eq!(record.end_state == EndState::Checkmate, end.is_checkmate(), "{game}");
        assert_eq!(record.end_state == EndState::Stalemate, end.is_stalemate(), "{game}");
        if end.is_insufficient_material() {
            assert_eq!(record.end_state, EndState::DeadPosition, "{game}");
        }
    }
    report
}

/// A small linear congruential generator: the same games in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// A legal game that likes to promote and to shuffle, so that the rare facts are seen too.
fn random_game(random: &mut Random, fen: Option<&str>) -> String {
    let mut position: Chess = match fen {
        Some(fen) => {
            let fen: Fen = fen.parse().expect("a FEN");
            fen.into_position(CastlingMode::Chess960).expect("a position")
        }
        None => Chess::new(),
    };
    let mut text = String::from(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
         [Black \"?\"]\n[Result \"*\"]\n",
    );
    if let Some(fen) = fen {
        text += &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
        if position.castles().mode().is_chess960() {
            text += "[Variant \"Chess960\"]\n";
        }
    }
    text.push('\n');
    let mut played = Vec::new();
    for ply in 0..20 + random.below(200) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let quiet: Vec<Move> = moves.iter().copied().filter(|m| !m.is_zeroing()).collect();
        let promoting: Vec<Move> = moves.iter().copied().filter(|m| m.is_promotion()).collect();
        let pool = match random.below(4) {
            0 if !promoting.is_empty() => &promoting[..],
            1 | 2 if !quiet.is_empty() => &quiet[..],
            _ => &moves[..],
        };
        // Taking one's last move back makes repetitions.
        let back = moves.iter().copied().find(|m| {
            played.iter().rev().nth(1).is_some_and(|last: &Move| {
                !m.is_zeroing() && m.from() == Some(last.to()) && last.from() == Some(m.to())
            })
        });
        let m = match back {
            Some(back) if random.below(2) == 0 => back,
            _ => pool[random.below(pool.len())],
        };
        played.push(m);
        let number = position.fullmoves();
        if position.turn().is_white() {
            text += &format!("{number}. ");
        } else if ply == 0 {
            text += &format!("{number}... ");
        }
        text += &SanPlus::from_move_and_play_unchecked(&mut position, m).to_string();
        text.push(if random.below(8) == 0 { '\n' } else { ' ' });
    }
    // A result that no board contradicts.
    let result = match position.outcome() {
        shakmaty::Outcome::Known(known) => known.as_str(),
        shakmaty::Outcome::Unknown => "*",
    };
    text.replace("[Result \"*\"]", &format!("[Result \"{result}\"]")) + result + "\n\n"
}

#[test]
fn generated_legal_games_are_certified_and_their_facts_are_shakmatys() {
    let mut random = Random(42);
    let starts = [
        None,
        Some("8/PPPPk3/8/8/8/8/ppppK3/8 w - - 0 1"),
        Some("nrbbkrqn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKRQN w KQkq - 0 1"),
        Some("4k3/8/8/3N4/8/8/8/R3K2R b KQ - 90 70"),
        Some("8/8/4k3/8/3B4/8/2b1K3/8 w - - 0 1"),
    ];
    let mut text = String::new();
    for round in 0..300 {
        text += &random_game(&mut random, starts[round % starts.len()]);
    }
    let report = compare(text.as_bytes());
    let faults: Vec<_> = report
        .findings
        .iter()
        .filter(|finding| finding.rule.severity != pgn_arbiter::diagnostics::Severity::Info)
        // Random games play on in dead positions.
        .filter(|finding| finding.rule.code != "M322")
        .collect();
    assert!(faults.is_empty(), "{:?}", &faults[..faults.len().min(3)]);
    assert!(report.counts.promotions > 100, "promotions were seen");
    assert!(report.counts.draws.threefold > 10, "repetitions were seen");
}

#[test]
fn the_promotions_of_generated_games_say_what_the_board_shows() {
    let mut random = Random(7);
    let mut text = String::new();
    for _ in 0..60 {
        text += &random_game(&mut random, Some("8/PPPPk3/8/8/8/8/ppppK3/8 w - - 0 1"));
    }
    let report = judge(text.as_bytes());
    assert!(report.records.promotions.len() > 60);
    for promotion in &report.records.promotions {
        let fen: Fen = promotion.fen_before().parse().expect("a FEN");
        let mut position: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
        let san = promotion.san().parse::<SanPlus>().expect("a SAN");
        let m = san.san.to_move(&position).expect("a legal move");
        assert_eq!(m.promotion(), Some(promotion.piece));
        assert_eq!(SanPlus::from_move(position.clone(), m).to_string(), promotion.san());
        position.play_unchecked(m);
        assert_eq!(promotion.gives_check, position.is_check());
        assert_eq!(promotion.gives_mate, position.is_checkmate());
        assert_eq!(promotion.reason.is_some(), promotion.piece != Role::Queen);
        let after = Fen::from_position(&position, EnPassantMode::Legal);
        assert_ne!(after.to_string(), promotion.fen_before());
    }
}

#[test]
fn the_sound_games_of_the_archive_read_as_pgn_reader_reads_them() {
    let text = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/archive.pgn"))
        .expect("the archive is there");
    let report = judge(&text);
    // pgn-reader stops the whole file at the open comment: each game is read alone.
    let mut sound = 0;
    for record in &report.records.games {
        // Of what it does not know (`a1Q`), pgn-reader skips the move.
        if record.verdict == Verdict::Certified {
            let mut game = record.span.of(&text).to_vec();
            game.extend_from_slice(b"\n\n");
            compare(&game);
            sound += 1;
        }
    }
    assert!(sound > 20, "only {sound} sound games");
}
