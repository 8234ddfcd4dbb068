//! What a record leaves open is decided by the rest of it, and a guess is labelled.

use std::time::{Duration, Instant};

use pgn_arbiter::diagnostics::Finding;
use pgn_arbiter::engine::Chunk;
use pgn_arbiter::judge::{ChunkReport, Judge};
use pgn_arbiter::replay::{ExaminerOptions, PieceSource, Reason, Verdict};
use shakmaty::Role;

/// A pawn before its promotion, and kings.
const LONE_PAWN: &str = "8/P6k/8/8/8/8/6K1/8 w - - 0 60";

fn judge(fen: &str, result: &str, moves: &str) -> ChunkReport {
    let tags = "[Event \"Evidence\"]\n[Site \"Hillford\"]\n[Date \"2024.05.11\"]\n[Round \"1\"]\n\
        [White \"Holm, Ada\"]\n[Black \"Brandt, Kai\"]\n";
    let start =
        if fen.is_empty() { String::new() } else { format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n") };
    let text = format!("{tags}[Result \"{result}\"]\n{start}\n{moves} {result}\n");
    let chunk = Chunk { bytes: text.into_bytes(), last: true, ..Chunk::default() };
    Judge {
        options: ExaminerOptions { collect: true, ..ExaminerOptions::default() },
        ..Judge::default()
    }
    .judge(&chunk)
}

fn of_code<'a>(report: &'a ChunkReport, code: &str) -> Vec<&'a Finding> {
    report.findings.iter().filter(|finding| finding.rule.code == code).collect()
}

/// The one finding of a code.
fn only<'a>(report: &'a ChunkReport, code: &str) -> &'a Finding {
    match of_code(report, code).as_slice() {
        [finding] => finding,
        other => panic!("{code}: {other:?} in {:?}", report.findings),
    }
}

/// What a finding's fix writes, and what that rests on; a title where it writes nothing.
fn offered(finding: &Finding) -> Option<(String, &'static str)> {
    let fix = finding.fix.as_ref()?;
    let text = match fix.edits.as_slice() {
        [edit] => String::from_utf8_lossy(&edit.content).into_owned(),
        _ => fix.title.clone(),
    };
    let source =
        if fix.edits.is_empty() { fix.applicability.as_str() } else { fix.source.as_str() };
    Some((text, source))
}

#[test]
fn the_piece_of_a_promotion_is_the_one_that_alone_fits_what_is_written() {
    let stalemated = "8/5P1k/5K2/8/8/8/8/8 w - - 0 60";
    let two_pawns = "8/PP5k/8/8/8/8/6K1/8 w - - 0 60";
    for (fen, result, moves, piece, message) in [
        (
            LONE_PAWN,
            "1-0",
            "60. a8 Kg6 61. Qe4+ Kf6",
            "=Q",
            "61. Qe4+ can only be played by a queen",
        ),
        (
            LONE_PAWN,
            "1-0",
            "60. a8 Kg6 61. Nb6 Kf6",
            "=N",
            "61. Nb6 can only be played by a knight",
        ),
        // A knight forbids the first square, a queen and a rook the second.
        (
            "8/P2k4/8/8/8/8/6K1/8 w - - 0 60",
            "*",
            "60. a8 Kc7 61. Kf2 Kb8",
            "=B",
            "up to 61... Kb8 only a bishop keeps the moves legal",
        ),
        (
            "8/P1k5/8/8/8/8/6K1/8 w - - 0 60",
            "*",
            "60. a8+ Kd6",
            "=N",
            "only a knight gives the check that is marked",
        ),
        (stalemated, "1-0", "60. f8", "=R", "only a rook leads to an end that fits the result"),
        // The second promotion has no piece either, and does not hide what the first one was.
        (
            two_pawns,
            "1-0",
            "60. a8 Kg6 61. b8=N Kh5 62. Qe4 Kh6",
            "=Q",
            "62. Qe4 can only be played by a queen",
        ),
        // Another line and a nested one say nothing.
        (
            LONE_PAWN,
            "1-0",
            "60. a8 (60. a8=R Kg6 61. Ra1) 60... Kg6 61. Bd5 (61. Qe4+) 61... Kf6",
            "=B",
            "61. Bd5 can only be played by a bishop",
        ),
    ] {
        let report = judge(fen, result, moves);
        let finding = only(&report, "P401");
        assert_eq!(offered(finding), Some((piece.to_owned(), "inferred")), "{moves}");
        assert!(finding.message.ends_with(message), "{moves}: {}", finding.message);
    }
}

#[test]
fn two_promotions_without_pieces_are_told_apart_by_later_moves() {
    let report =
        judge("8/PP5k/8/8/8/8/6K1/8 w - - 0 60", "1-0", "60. a8 Kg6 61. b8 Kh5 62. Qe4 Kh6");
    let offers: Vec<_> = of_code(&report, "P401").into_iter().map(offered).collect();
    let queen = |source| Some(("=Q".to_owned(), source));
    assert_eq!(offers, [queen("inferred"), queen("assumed")]);
    let sources: Vec<_> = report
        .records
        .promotions
        .iter()
        .map(|it| (it.ply, it.san(), it.piece_source, it.certified))
        .collect();
    assert_eq!(
        sources,
        [
            (1, "a8=Q".to_owned(), PieceSource::Inferred, false),
            (3, "b8=Q".to_owned(), PieceSource::Assumed, false),
        ]
    );
    assert_eq!(report.records.games[0].promotions, 0);
}

#[test]
fn where_several_pieces_fit_the_queen_is_assumed_and_the_others_are_named() {
    let shielded = "8/1PK5/8/8/8/8/P6k/8 w - - 0 60";
    for (fen, result, moves, others) in [
        (LONE_PAWN, "*", "60. a8 Kg6 61. Kf3", "a rook, a bishop or a knight"),
        (LONE_PAWN, "1-0", "60. a8 Kg6", "a rook"),
        // The king uncovers a check.
        (shielded, "1-0", "60. b8 Kg1 61. a3 Kh2 62. Kc6+ Kg1", "a bishop"),
        (shielded, "1-0", "60. b8 Kg1 61. a3 Kh2 62. Kc6 Kg1", "a rook, a bishop or a knight"),
    ] {
        let report = judge(fen, result, moves);
        let fix = only(&report, "P401").fix.as_ref().unwrap();
        assert_eq!(fix.title, format!("promote to a queen ({others} would fit too)"), "{moves}");
        assert_eq!(fix.source.as_str(), "assumed", "{moves}");
    }
}

#[test]
fn where_the_numbers_go_wrong_nothing_is_inferred() {
    let of = |moves| offered(only(&judge(LONE_PAWN, "*", moves), "P401"));
    assert_eq!(of("60. a8 Kg6 61. Qe4+ Kf6"), Some(("=Q".to_owned(), "inferred")));
    let (title, applicability) = of("61. a8 Kg6 62. Qe4+ Kf6").unwrap();
    assert_eq!(applicability, "display");
    assert!(title.ends_with("if nothing is missing where the numbers go wrong"), "{title}");
}

#[test]
fn a_missing_mark_says_nothing_of_a_promotion_that_lost_its_piece() {
    let fen = "5k2/P7/8/8/8/8/6K1/7R w - - 0 60";
    let of = |moves| offered(only(&judge(fen, "*", moves), "P401"));
    let assumed = Some(("=Q".to_owned(), "assumed"));
    assert_eq!(of("60. Rf1+ Ke7 61. Rh1 Kf8 62. a8 Ke7"), assumed);
    assert_eq!(of("60. Rf1 Ke7 61. Re1+ Kf8 62. Rh1 Ke7 63. Kf3 Kf8 64. a8 Ke7"), assumed);
    assert_eq!(of("60. Rg1 Ke7 61. Rh1 Kf8 62. a8 Ke7"), assumed);
    // A check behind it that is not marked.
    assert_eq!(of("60. Rf1+ Ke7 61. Rh1 Kf8 62. a8 Ke7 63. Re1 Kd7"), assumed);
}

#[test]
fn a_mate_that_is_marked_is_not_held_against_the_result() {
    // The game went on, or the result is wrong: the queen was real.
    let fen = "5R2/1p2P2k/3B3p/p5p1/8/P2p3P/6P1/7K w - - 0 40";
    let report = judge(fen, "1/2-1/2", "40. e8 h5 41. Rh8+ Kg7 42. Be5+");
    assert_eq!(offered(only(&report, "P401")), Some(("=Q".to_owned(), "assumed")));
}

#[test]
fn the_recorded_reason_of_the_end_leaves_the_pieces_with_which_the_board_shows_it() {
    let open =
        |pieces| Some((format!("promote to {pieces}, which the rest leaves open"), "display"));
    let assumed = || Some(("=Q".to_owned(), "assumed"));
    let stalemating = "8/5P1k/7P/6K1/8/8/8/8 w - - 0 60";
    let mating = "7k/5P1p/7K/8/8/8/8/8 w - - 0 60";
    let dead = "7k/5P2/6K1/8/8/8/8/8 w - - 0 60";
    for (fen, result, moves, offer, others) in [
        (stalemating, "1/2-1/2", "60. f8 {Stalemate}", assumed(), "a rook"),
        (stalemating, "1/2-1/2", "60. f8 {Draw by stalemate}", assumed(), "a rook"),
        (mating, "1-0", "60. f8 {White wins by checkmate}", assumed(), "a rook"),
        (
            dead,
            "1/2-1/2",
            "60. f8 {Draw by insufficient material}",
            open("a bishop or a knight"),
            "",
        ),
        // Only one stalemates.
        (
            "8/5P1k/5K2/8/8/8/8/8 w - - 0 60",
            "1/2-1/2",
            "60. f8 {Stalemate}",
            Some(("=Q".to_owned(), "inferred")),
            "",
        ),
        // The record contradicts itself, or the board contradicts it with every piece.
        (stalemating, "1-0", "60. f8 {Stalemate}", assumed(), "a rook, a bishop or a knight"),
        (LONE_PAWN, "*", "60. a8 {Stalemate}", assumed(), "a rook, a bishop or a knight"),
        // A remark on another move is no reason of the end.
        (
            LONE_PAWN,
            "*",
            "60. a8 {insufficient material} Kg6 61. Kf3",
            assumed(),
            "a rook, a bishop or a knight",
        ),
    ] {
        let report = judge(fen, result, moves);
        let finding = only(&report, "P401");
        assert_eq!(offered(finding), offer, "{moves}");
        if !others.is_empty() {
            let title = format!("promote to a queen ({others} would fit too)");
            assert_eq!(finding.fix.as_ref().unwrap().title, title, "{moves}");
        }
    }
    let report = judge("8/5P1k/5K2/8/8/8/8/8 w - - 0 60", "1/2-1/2", "60. f8 {Stalemate}");
    let message = &only(&report, "P401").message;
    assert!(message.ends_with("only a queen leads to the recorded end, stalemate"), "{message}");
}

#[test]
fn a_reason_in_a_tag_or_behind_the_marker_is_evidence_too() {
    let dead = "7k/5P2/6K1/8/8/8/8/8 w - - 0 60";
    let open = "promote to a bishop or a knight, which the rest leaves open";
    for (tag, comment) in [
        ("[Termination \"Insufficient material\"]\n", ""),
        ("", " {Draw by insufficient material}"),
    ] {
        let text = format!("[Result \"*\"]\n[FEN \"{dead}\"]\n{tag}\n60. f8 *{comment}\n");
        let chunk = Chunk { bytes: text.into_bytes(), last: true, ..Chunk::default() };
        let report = Judge::default().judge(&chunk);
        assert_eq!(offered(only(&report, "P401")), Some((open.to_owned(), "display")));
    }
}

#[test]
fn a_mate_against_the_result_forbids_to_assume_a_queen_and_shows_no_other_piece() {
    let others = "(the others mate against the recorded result)";
    for (fen, moves) in [
        ("7k/5P2/6K1/8/8/8/8/8 w - - 0 60", "60. f8"),
        ("8/8/8/8/8/6k1/5p2/7K b - - 0 60", "60... f1"),
    ] {
        let report = judge(fen, "1/2-1/2", moves);
        let title = format!("promote to a bishop or a knight, which the rest leaves open {others}");
        assert_eq!(offered(only(&report, "P401")), Some((title, "display")), "{fen}");
        assert!(of_code(&report, "R604").is_empty() && report.records.promotions.is_empty());
        assert_eq!(report.counts.open_promotions, 1);
    }
}

#[test]
fn a_later_move_that_is_ambiguous_with_a_piece_only_speaks_against_it() {
    let fen = "8/P6k/8/8/8/8/6K1/Q7 w - - 0 60";
    let title = "promote to a rook, a bishop or a knight, which the rest leaves open \
        (the others need a move that is ambiguous)";
    let report = judge(fen, "*", "60. a8 Kh6 61. Qa4");
    assert_eq!(offered(only(&report, "P401")), Some((title.to_owned(), "display")));
    // It shows nothing for certain: who left out the piece may have left out the file.
    let fen = "7k/3P1p2/5Pqp/4Q3/4P2K/7P/8/2q5 w - - 0 52";
    let report = judge(fen, "*", "52. d8+ Kh7 53. Qa5");
    let title = "promote to a rook (the others need a move that is ambiguous)";
    assert_eq!(offered(only(&report, "P401")), Some((title.to_owned(), "display")));
}

#[test]
fn where_no_piece_fits_the_fault_is_elsewhere_and_nothing_is_offered() {
    let report = judge(LONE_PAWN, "1-0", "60. a8 Kg6 61. Kf3 Kg2 62. Qa1");
    let finding = only(&report, "P401");
    assert_eq!(offered(finding), None);
    assert!(finding.message.ends_with(
        "with none of the four pieces is the rest legal; the fault may lie elsewhere, \
         at 61... Kg2 at the latest"
    ));
}

#[test]
fn the_kings_walk_to_the_centre_is_no_evidence() {
    let report = judge(LONE_PAWN, "1-0", "60. a8 Kg6 61. Qa1 Kf7 62. Ke4 Kd5");
    assert_eq!(offered(of_code(&report, "P401")[0]), Some(("=Q".to_owned(), "inferred")));
}

#[test]
fn a_variation_has_its_own_rest_and_its_own_code() {
    let report = judge(
        LONE_PAWN,
        "1-0",
        "60. a8=Q (60. a8 Kg6 61. Kf3) (60. a8 Kg6 61. Ra6+) 60... Kg6 61. Qe4+ Kf6",
    );
    let offers: Vec<_> = of_code(&report, "P401").into_iter().map(offered).collect();
    assert_eq!(offers, [Some(("=Q".to_owned(), "assumed")), Some(("=R".to_owned(), "inferred"))]);
    assert!(of_code(&report, "M325").is_empty());
    assert_eq!(report.records.games[0].certified_plies, 4);
}

#[test]
fn an_ambiguous_move_is_the_one_with_which_the_rest_is_legal() {
    for (fen, moves, written, message) in [
        (
            "",
            "1. Nf3 Nf6 2. d3 d6 3. Nd2 g6 4. e4 Bg7 5. Ng5 O-O",
            "Nbd2",
            "5. Ng5 is legal only after Nbd2",
        ),
        (
            "4k3/8/8/8/8/2N1N3/8/K3R3 w - - 0 1",
            "1. Nd5+ Kf7",
            "Ned5+",
            "only Ned5 gives the check that is marked",
        ),
        (
            "4k3/8/8/8/8/2N1N3/8/K3R3 w - - 0 1",
            "1. Nd5 Kf7 2. Kb2 Kg6 3. Nc4 Kf5",
            "Ncd5",
            "3. Nc4 is legal only after Ncd5",
        ),
        // Two captures, of which the rank does not tell.
        (
            "4k3/8/3p4/3pP3/4P3/8/8/4K3 w - - 0 1",
            "1. exd Kd7 2. exd5",
            "exd6",
            "2. exd5 is legal only after exd6",
        ),
    ] {
        let report = judge(fen, "1-0", moves);
        let finding = only(&report, "M316");
        assert_eq!(offered(finding), Some((written.to_owned(), "inferred")), "{moves}");
        assert!(finding.message.ends_with(message), "{moves}: {}", finding.message);
        let record = &report.records.games[0];
        assert_eq!(record.verdict, Verdict::Unreadable);
        assert!(record.certified_plies < record.plies);
    }
}

#[test]
fn an_ambiguous_move_that_stays_so_names_what_fits() {
    let report = judge("", "*", "1. d4 d5 2. Nf3 Nf6 3. Nd2 e6");
    let title = "write Nbd2 or Nfd2, which the rest leaves open";
    assert_eq!(offered(only(&report, "M316")), Some((title.to_owned(), "display")));
    let report = judge("", "*", "1. d4 d5 (1... Nf6 2. Nf3 d5 3. Nd2 e6 4. Ng5) 2. c4");
    assert_eq!(offered(only(&report, "M316")), Some(("Nbd2".to_owned(), "inferred")));
}

#[test]
fn play_goes_on_behind_an_ambiguous_move_and_shows_its_faults_and_promotions() {
    let moves = "1. Nd2 Kh6 2. Nc3 Kg6 3. a8=N Kf7 4. Ncb1+";
    let report = judge("8/P6k/8/8/8/5N2/6K1/1N6 w - - 0 1", "*", moves);
    assert_eq!(offered(only(&report, "M316")), Some(("Nfd2".to_owned(), "inferred")));
    assert_eq!(only(&report, "N701").ply.unwrap().index, 7);
    let promotion = &report.records.promotions[0];
    assert_eq!((promotion.piece, promotion.piece_source), (Role::Knight, PieceSource::Explicit));
    assert_eq!((promotion.certified, promotion.captured_next), (false, Some(false)));
}

#[test]
fn what_is_not_certain_tells_nothing_of_a_promotion_that_is() {
    let report = judge("8/P6k/1n3n2/8/8/8/6K1/8 w - - 0 60", "*", "60. a8=R Nd5 61. Ra1 Nc4");
    assert_eq!(offered(only(&report, "M316")), Some(("Nfd5".to_owned(), "inferred")));
    let promotion = &report.records.promotions[0];
    assert_eq!((promotion.certified, promotion.captured_next), (true, None));
    assert_eq!(promotion.reason, Some(Reason::Unexplained));
}

#[test]
fn a_promotion_that_a_later_move_contradicts_is_told_where_it_stands() {
    let report = judge(LONE_PAWN, "1-0", "60. a8=R Kg6 61. Qe4+ Kf6 62. Qf4+");
    let finding = only(&report, "P404");
    assert_eq!(finding.ply.unwrap().index, 1);
    assert_eq!(offered(finding), Some(("a8=Q".to_owned(), "inferred")));
    assert!(finding.message.contains("61. Qe4+ shows a queen"), "{}", finding.message);
    let later = only(&report, "M310");
    assert_eq!(later.ply.unwrap().index, 3);
    assert!(later.message.ends_with("it is legal if 60. a8=R made a queen (P404)"));
    // What follows is read with the queen, and nothing of it is certain.
    assert_eq!(report.findings.len(), 2);
    let record = &report.records.games[0];
    assert_eq!((record.certified_plies, record.plies), (0, 5));
    assert_eq!((record.verdict, record.promotions), (Verdict::Illegal, 0));
    let promotion = &report.records.promotions[0];
    assert_eq!((promotion.piece, promotion.piece_source), (Role::Queen, PieceSource::Inferred));
    assert_eq!(report.records.promotions.len(), 1);
}

#[test]
fn a_promotion_is_not_contradicted_where_another_slip_explains_the_move() {
    for (fen, moves, code) in [
        // The rook could go there itself: its letter may be wrong.
        (LONE_PAWN, "60. a8=R Kg6 61. Qa4 Kf6", "M310"),
        // A check that nobody saw; the piece does not move.
        ("7k/P6p/8/8/8/8/6K1/8 w - - 0 60", "60. a8=Q+ h6 61. Kf3", "M302"),
        // Either of two.
        ("8/PP5k/8/8/8/8/6K1/8 w - - 0 60", "60. a8=N Kg6 61. b8=N Kf6 62. Qa7", "M310"),
        // The mark of the promotion speaks for the piece that is named.
        ("R7/8/3p4/4p1k1/P3P3/5K2/1r4p1/8 b - - 1 46", "46... g1=N+ 47. Ke3 Rg3+", "M310"),
        // A bishop makes 16. Bxf6 ambiguous.
        (
            "",
            "1. e4 e5 2. f4 f5 3. exf5 exf4 4. Qh5+ g6 5. fxg6 Nf6 6. g7+ Nxh5 7. gxh8=Q Qh4+ \
            8. Kd1 Nf6 9. Bc4 d5 10. Nf3 Bg4 11. Be2 Bxf3 12. Bxf3 Nbd7 13. Re1+ Kf7 14. b3 Rb8 \
            15. Bb2 Bh6 16. Bxf6 Qxe1+ 17. Kxe1 Rxg8 18. Bxh8 c6",
            "M312",
        ),
        // Nothing makes all of the rest legal.
        (LONE_PAWN, "60. a8=R Kg6 61. Qe4+ Kf6 62. Rb1", "M310"),
    ] {
        let report = judge(fen, "*", moves);
        assert!(of_code(&report, "P404").is_empty(), "{moves}");
        only(&report, code);
    }
}

#[test]
fn a_mark_that_only_another_piece_gives_is_no_safe_mend_of_the_mark() {
    let check = "the move is marked as check and gives none, which a knight would give";
    for (fen, moves, code, message) in [
        ("8/P1k5/8/8/8/8/6K1/8 w - - 0 60", "60. a8=R+ Kd6", "N701", check),
        // All faults of the word are mended by one edit.
        (
            "8/P1k5/8/8/8/8/6K1/8 w - - 0 60",
            "60. a8R+ Kd6",
            "N705",
            "a promotion is written with = and a capital letter",
        ),
        (
            "7k/5P2/6K1/8/8/8/8/8 w - - 0 60",
            "60. f8=B#",
            "N701",
            "the move is marked as mate and gives no check, where a queen or a rook would mate",
        ),
        (
            "8/P1k5/8/8/8/8/6K1/8 w - - 0 60",
            "60. a8=R dis ch Kd6",
            "N701",
            "the move gives no \"dis ch\", which a knight would give",
        ),
    ] {
        let report = judge(fen, "*", moves);
        let finding = only(&report, code);
        assert_eq!(finding.message, message, "{moves}");
        let fix = finding.fix.as_ref().unwrap();
        assert_eq!(fix.applicability.as_str(), "unsafe", "{moves}");
        assert!(of_code(&report, "P404").is_empty());
    }
    // No piece gives it, or the named one does.
    for (fen, moves) in [
        ("8/P6k/8/8/8/8/6K1/8 w - - 0 60", "60. a8=R+ Kg6"),
        ("k7/2P5/1K6/8/8/8/8/8 w - - 0 60", "60. c8=Q+"),
    ] {
        let report = judge(fen, "*", moves);
        let marks = report.findings.iter().filter(|it| ["N701", "N713"].contains(&it.rule.code));
        let marks: Vec<_> = marks.map(|it| it.fix.as_ref().unwrap().applicability).collect();
        assert_eq!(marks.iter().map(|it| it.as_str()).collect::<Vec<_>>(), ["safe"], "{moves}");
    }
}

#[test]
fn a_mark_that_only_another_piece_gives_is_told_of_variants_too() {
    let report =
        judge("8/P1k5/8/8/8/8/6K1/8 w - - 0 60\"]\n[Variant \"Three-check", "*", "60. a8=R+ Kd6");
    let finding = only(&report, "N701");
    assert!(finding.message.ends_with("which a knight would give"), "{}", finding.message);
    assert_eq!(finding.fix.as_ref().unwrap().applicability.as_str(), "unsafe");
}

#[test]
fn evidence_takes_no_more_time_than_the_bytes_of_a_game_are_worth() {
    let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    let variations = format!("60. a8=Q {} 60... Kg6", "(60. a8 Kg6 61. Kf3 Kf6) ".repeat(4_000));
    let nested = format!("60. a8=Q {}{}", "(60. a8 Kg6 (60... Kh6) ".repeat(900), ")".repeat(900));
    for (fen, moves) in [
        (knights, "Nd2 Ke7 Nb1 Ke8 ".repeat(50_000)),
        (knights, "Nd2 Kd7 ".repeat(50_000)),
        (LONE_PAWN, format!("60. a8 {}", "Kg6 Kf2 Kg7 Kg2 ".repeat(50_000))),
        (LONE_PAWN, variations),
        (LONE_PAWN, nested),
    ] {
        let start = Instant::now();
        let report = judge(fen, "*", &moves);
        assert!(!report.findings.is_empty());
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}: {fen}", start.elapsed());
    }
}
