//! Dead positions as users see them: the page that describes them, and the findings of a game.

use pgn_arbiter::engine::Chunk;
use pgn_arbiter::judge::{ChunkReport, Judge};
use pgn_arbiter::replay::{EndState, cannot_mate, dead_position};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, PositionError};

const PAGE: &str = include_str!("../docs/dead-positions.md");

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .expect("a position")
}

#[test]
fn the_positions_of_the_page_are_what_it_says() {
    let (detected, others) = PAGE.split_once("## What is not detected").expect("both parts");
    for (part, dead) in [(detected, true), (others, false)] {
        let fens: Vec<&str> = part
            .lines()
            .filter_map(|line| line.strip_prefix("| `"))
            .filter_map(|line| line.split('`').next())
            .collect();
        assert!(fens.len() >= 8, "{fens:?}");
        for fen in fens {
            let position = position(fen);
            assert_eq!(dead_position(&position).is_some(), dead, "{fen}");
            let both = Color::ALL.into_iter().all(|color| cannot_mate(&position, color));
            assert_eq!(both, dead, "{fen}");
        }
    }
}

/// A game from a set-up position, judged.
fn judge(fen: &str, movetext: &str) -> ChunkReport {
    let text = format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.05.11\"]\n[Round \"?\"]\n[White \"?\"]\n\
         [Black \"?\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{movetext} 1/2-1/2\n"
    );
    let chunk = Chunk { bytes: text.into_bytes(), last: true, ..Chunk::default() };
    Judge::default().judge(&chunk)
}

/// Code, ply and message of each finding.
fn told(report: &ChunkReport) -> Vec<(&'static str, Option<u32>, &str)> {
    let findings = report.findings.iter();
    findings.map(|it| (it.rule.code, it.ply.map(|ply| ply.index), it.message.as_ref())).collect()
}

const BEHIND_A_WALL: &str = "behind a wall of pawns that nothing can break, neither side can mate \
    by any series of legal moves: the game is drawn";

#[test]
fn a_pawn_move_that_closes_the_wall_ends_the_game() {
    let report = judge("4k3/8/6p1/p1p1p3/P1P1P1P1/8/8/4K3 w - - 0 40", "40. Kd2 g5");
    assert_eq!(told(&report), [("D503", Some(2), BEHIND_A_WALL)]);
    assert_eq!(report.records.games[0].end_state, EndState::DeadPosition);
}

#[test]
fn a_capture_that_closes_the_wall_ends_the_game_and_the_next_move_is_too_late() {
    let report =
        judge("4k3/8/8/p1p1p1p1/P1P1P1P1/4n3/4K3/8 b - - 0 40", "40... Nd1 41. Kxd1 Kd8 42. Kc2");
    let played_on = "play goes on in a position in which neither side can mate";
    let expected = [("D503", Some(2), BEHIND_A_WALL), ("M322", Some(3), played_on)];
    assert_eq!(told(&report), expected);
}

#[test]
fn a_wall_that_a_capture_en_passant_opens_does_not_end_the_game() {
    let report =
        judge("4k3/8/8/p2p2p1/P3p1P1/4P3/3P4/4K3 w - - 0 40", "40. d4 exd3 41. Kd2 Ke7 42. Kxd3");
    assert_eq!(told(&report), []);
}

#[test]
fn a_promotion_that_leaves_too_little_to_mate_ends_the_game() {
    let bare = "with the material left, neither side can mate by any series of legal moves: the game is \
         drawn";
    let report = judge("8/4P2k/8/8/8/8/3K4/8 w - - 0 60", "60. e8=N");
    assert_eq!(told(&report), [("D503", Some(1), bare)]);
    let report = judge("8/4P2k/8/8/8/8/3K4/8 w - - 0 60", "60. e8=Q");
    assert_eq!(told(&report), []);
}
