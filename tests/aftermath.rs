//! How a record goes on behind a move that the board refuses.

use pgn_arbiter::diagnostics::{Applicability, Finding};
use pgn_arbiter::engine::Chunk;
use pgn_arbiter::judge::{ChunkReport, Judge};
use pgn_arbiter::replay::{AfterIllegal, ExaminerOptions, resolve};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shakmaty::san::{San, SanError};
use shakmaty::{ByColor, Chess, Position};

fn judge_with(after_illegal: AfterIllegal, text: &str) -> ChunkReport {
    let chunk = Chunk { bytes: text.as_bytes().to_vec(), last: true, ..Chunk::default() };
    let options = ExaminerOptions { after_illegal, ..ExaminerOptions::default() };
    Judge { options, ..Judge::default() }.judge(&chunk)
}

/// The first finding of a refused move.
fn refused(text: &str) -> Finding {
    let report = judge_with(AfterIllegal::Report, text);
    let mut moves =
        report.findings.into_iter().filter(|finding| finding.rule.code.starts_with("M3"));
    moves.next().unwrap_or_else(|| panic!("nothing is refused in {text}"))
}

fn course(text: &str) -> (&'static str, u32, String) {
    let aftermath = refused(text).aftermath.unwrap_or_else(|| panic!("{text}"));
    let course = aftermath.course.unwrap_or_else(|| panic!("{text}"));
    (course.kind, course.plies, course.message)
}

#[test]
fn one_reading_explains_what_follows() {
    for (text, kind, plies, says) in [
        // The pinned knight was moved, and nobody saw it.
        (
            "1. e4 e5 2. Nf3 d6 3. Bb5+ Nc6 4. O-O Nd4 5. Bxe8 Kxe8 6. Nxd4 exd4 7. d3 *",
            "lost",
            0,
            "nothing explains the 5 half-moves after it",
        ),
        (
            "1. e4 e5 2. Nf3 d6 3. Bb5+ Nc6 4. O-O Nd4 5. c3 Nxb5 6. a4 Nd4 *",
            "stood",
            4,
            "as if the move had stood, and the 4 half-moves after it are legal",
        ),
        // A king that has moved castles.
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Ke2 Nf6 5. Ke1 d6 6. O-O O-O 7. Re1 Re8 *",
            "stood",
            3,
            "as if the move had stood",
        ),
        ("1. e4 e5 2. Nf4 Nc6 3. Nxe5 Nxe5 *", "slip", 3, "with Nf3 in its place"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Kg1 *", "", 0, ""),
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Kg1 Nf6 5. Re1 d6 *",
            "slip",
            3,
            "with O-O in its place",
        ),
        ("1. e4 e5 2. Nc6 Nf3 3. Nf6 Bc4 *", "missing_ply", 3, "put in before it"),
        ("1. e4 e5 2. Nf3 Nf3 Nc6 3. Bb5 a6 4. Ba4 *", "extra_ply", 4, "goes on without it"),
        // Half-moves that stand twice, are missing, or have changed places.
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *",
            "extra_ply",
            4,
            "without it and the half-move after it, and the 4 half-moves after them are legal",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *",
            "missing_ply",
            7,
            "with a move of each side put in before it, where the numbers jump",
        ),
        (
            "1. e4 e5 2. Nc6 Nf3 3. Bb5 a6 4. Ba4 Nf6 *",
            "swapped_plies",
            4,
            "with it and the next half-move exchanged, and the 4 half-moves after them are legal",
        ),
        // A late en passant, and a rook that jumped: nothing stands twice.
        (
            "1. e4 Nf6 2. e5 d5 3. Nf3 Bg4 4. exd6 cxd6 5. d4 e6 6. Be2 Be7 7. O-O O-O *",
            "stood",
            7,
            "as if the move had stood",
        ),
        // A knight that went elsewhere explains more than a pawn that jumps.
        (
            "1. d4 e6 2. e4 exd4 3. Qxd4 Nc6 4. Qd1 Nf6 5. Nc3 Bb4 *",
            "slip",
            6,
            "with e5 for 1... e6",
        ),
        // The fault lies before.
        (
            "1. d4 d5 2. Nf3 Nf6 3. e3 e6 4. Nfd2 Be7 5. Ne5 O-O 6. Nxf7 Rxf7 *",
            "slip",
            3,
            "with Nbd2 for 4. Nfd2, this move and the 3 half-moves after it are legal",
        ),
    ] {
        if kind.is_empty() {
            assert_eq!(refused(text).aftermath.and_then(|it| it.course), None, "{text}");
            continue;
        }
        let told = course(text);
        assert_eq!((told.0, told.1), (kind, plies), "{text}: {}", told.2);
        assert!(told.2.contains(says), "{text}: {}", told.2);
    }
}

#[test]
fn one_near_spelling_that_keeps_the_rest_legal_is_offered_as_a_guess_and_several_to_choose_from() {
    let fix = |text: &str| refused(text).fix.unwrap_or_else(|| panic!("{text}"));
    let only = fix("1. e4 e5 2. Nf4 Nc6 3. Bb5 a6 4. Nxe5 *");
    assert_eq!(only.applicability, Applicability::Unsafe);
    assert_eq!(only.edits[0].content, b"Nf3");
    let several = fix("1. e4 e5 2. Bh4 d6 *");
    assert_eq!(several.applicability, Applicability::Display);
    assert!(several.edits.is_empty(), "{several:?}");
    assert!(several.title.starts_with("write h4 or Bc4, "), "{}", several.title);
    // The move may have stood as well.
    let doubtful = fix("1. e4 e5 2. Ke2 Qg5 3. Ke3 a6 4. a3 *");
    assert_eq!(doubtful.applicability, Applicability::Display);
}

#[test]
fn kings_in_the_centre_are_held_against_the_result() {
    let told = |result: &str, kings: &str| {
        let text = format!("[Result \"{result}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. {kings} {result}\n");
        let report = judge_with(AfterIllegal::Report, &text);
        let mut kings = report.findings.into_iter().filter(|it| it.rule.code == "M324");
        let finding = kings.next().unwrap_or_else(|| panic!("{text}"));
        (finding.fix.unwrap().applicability, finding.message.into_owned())
    };
    assert_eq!(told("1-0", "Ke4 Kd5").0, Applicability::Unsafe);
    assert_eq!(told("1/2-1/2", "Ke4 Ke5").0, Applicability::Unsafe);
    let (applicability, message) = told("0-1", "Ke4 Kd5");
    assert_eq!(applicability, Applicability::Display);
    assert!(message.contains("is told 1-0, and Result says 0-1"), "{message}");
}

#[test]
fn a_right_that_the_start_position_does_not_give_was_not_lost_by_a_move() {
    let game = |rights: &str| {
        format!(
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w {rights} - 0 1\"]\n\n\
             1. Ke2 Ke7 2. Ke1 Ke8 3. O-O *\n"
        )
    };
    assert_eq!(refused(&game("-")).message, "the start position gives no right to castle there");
    assert!(refused(&game("K")).message.contains("has moved before"));
}

#[test]
fn the_laws_of_the_day_say_what_an_illegal_move_costs() {
    let ruling = |tags: &str| {
        let text = format!("{tags}\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ a6 4. Qxe8 *\n");
        refused(&text).aftermath.and_then(|it| it.ruling)
    };
    assert_eq!(
        ruling("[Date \"2019.05.01\"]\n[TimeControl \"180+2\"]\n").as_deref(),
        Some(
            "White has moved since, so that the move stands unless it was claimed before (FIDE 2018 \
             B.4, A.4.2); if it was, for this first illegal move White gets one minute more, and \
             the next one loses (FIDE 2018 7.5.5, B.2)"
        )
    );
    let blitz = ruling("[Event \"Blitz Open\"]\n[Date \"2016.05.01\"]\n").unwrap();
    assert!(blitz.contains("loses the game"), "{blitz}");
    assert_eq!(ruling("[Date \"1950.01.01\"]\n"), None);
}

#[test]
fn a_mate_by_an_illegal_move_mates_nobody() {
    let game = |fen: &str, moves: &str| {
        format!("[Date \"2020.01.01\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves}\n")
    };
    // The rook is pinned on the first rank, and mates on the last.
    let text = game("6k1/5ppp/8/8/8/8/8/2KR3r w - - 0 40", "40. Rd8# 1-0");
    let told = refused(&text);
    assert_eq!(told.rule.code, "M301");
    let ruling = told.aftermath.unwrap().ruling.unwrap();
    assert!(ruling.contains("a mate by an illegal move mates nobody (FIDE 5.1.1)"), "{ruling}");
    // It does not mate here.
    let text = game("6k1/5pp1/8/8/8/8/8/2KR3r w - - 0 40", "40. Rd8+ 1-0");
    assert!(!refused(&text).aftermath.unwrap().ruling.unwrap().contains("mates nobody"));
}

#[test]
fn who_cannot_be_mated_draws_by_illegal_moves() {
    let text = "[Date \"2016.01.01\"]\n[TimeControl \"180\"]\n[SetUp \"1\"]\n\
                [FEN \"8/8/4k3/8/3N4/3K3R/8/8 b - - 0 40\"]\n\n40... Kf5 1-0\n";
    let ruling = |text: &str| refused(text).aftermath.unwrap().ruling.unwrap();
    assert!(ruling(text).contains("loses the game"), "{}", ruling(text));
    let text = "[Date \"2016.01.01\"]\n[TimeControl \"180\"]\n[SetUp \"1\"]\n\
                [FEN \"8/8/8/q7/8/4k3/8/3K4 b - - 0 40\"]\n\n40... Ke2 1-0\n";
    assert!(ruling(text).contains("is drawn, for White cannot mate"), "{}", ruling(text));
    // Behind the end of the game nothing is at stake.
    let text = text.replace("q7", "8");
    assert_eq!(refused(&text).aftermath.and_then(|it| it.ruling), None);
}

#[test]
fn a_game_that_is_read_on_tells_later_faults_and_counts_illegal_moves_by_player() {
    let text = "1. e4 e5 2. Nf3 d6 3. Bb5+ Nc6 4. O-O Nd4 5. c3 Nxb5 6. a4 Nd4 7. Ke3 h6 \
                8. d4 exd4 9. Qf9 *";
    let codes = |after_illegal| {
        let report = judge_with(after_illegal, text);
        let found = report.findings.iter().filter(|it| it.rule.code.starts_with("M3"));
        let codes: Vec<_> = found.map(|it| (it.rule.code, it.ply.unwrap().index)).collect();
        (codes, report.records.games[0].illegal)
    };
    assert_eq!(codes(AfterIllegal::Report), (vec![("M301", 8)], None));
    let (told, counted) = codes(AfterIllegal::Continue);
    assert_eq!(told[..2], [("M301", 8), ("M310", 13)]);
    assert_eq!(told.last(), Some(&("M317", 17)));
    assert_eq!(counted, None, "behind what cannot be read nothing is counted");

    let text = "1. e4 e5 2. Nf3 d6 3. Bb5+ Nc6 4. O-O Nd4 5. c3 Nxb5 6. a4 Nd4 *";
    let report = judge_with(AfterIllegal::Continue, text);
    // The check that 4... Nd4 left standing is not given by 5. c3.
    assert!(!report.findings.iter().any(|it| it.rule.code == "N701"));
    assert_eq!(report.records.games[0].illegal, Some(ByColor { white: 0, black: 1 }));
    let clean = judge_with(AfterIllegal::Report, "1. e4 e5 *");
    assert_eq!(clean.records.games[0].illegal, Some(ByColor { white: 0, black: 0 }));
}

#[test]
fn half_moves_that_are_missing_twice_or_exchanged_are_read_over() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *",
        "1. e4 e5 2. Nf3 Nc6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *",
        "1. e4 e5 2. Nc6 Nf3 3. Bb5 a6 4. Ba4 Nf6 *",
        "1. e4 e5 2. Nf3 Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *",
    ] {
        let report = judge_with(AfterIllegal::Continue, text);
        let refused = report.findings.iter().filter(|it| it.rule.code.starts_with("M3")).count();
        assert_eq!(refused, 1, "{text}");
        let illegal = report.records.games[0].illegal;
        assert_eq!(illegal, Some(ByColor { white: 0, black: 0 }), "{text}");
    }
    // What stands twice is known to, though another fault follows; and that one is told too.
    let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Qf9 *";
    let report = judge_with(AfterIllegal::Continue, text);
    let codes = report.findings.iter().map(|it| it.rule.code).filter(|it| it.starts_with("M3"));
    assert_eq!(codes.collect::<Vec<_>>(), ["M312", "M317"]);
}

#[test]
fn behind_a_pair_that_was_left_out_each_side_keeps_its_moves() {
    let start = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Bc4 Bc5 5. O-O Nf6 6. Bxf7+ d6 7. Bb3 h6 *";
    let report = judge_with(AfterIllegal::Continue, start);
    let check = report.findings.iter().find(|it| it.rule.code == "M302").unwrap();
    assert!(check.ply.unwrap().black, "{check:?}");
    assert_eq!(check.course().map(|course| course.kind), Some("stood"));
    assert_eq!(report.records.games[0].illegal, Some(ByColor { white: 0, black: 1 }));
    // The half-moves are exchanged, and no number is wrong.
    let text = "1. e4 e5 2. Nc6 Nf3 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *";
    let report = judge_with(AfterIllegal::Continue, text);
    assert!(!report.findings.iter().any(|it| it.rule.code == "S117"), "{:?}", report.findings);
}

#[test]
fn a_missing_move_is_told_where_the_numbers_jump_and_not_where_it_comes_to_light() {
    let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 5. c3 b5 6. Bb3 Nf6 *";
    let (kind, plies, message) = course(text);
    assert_eq!((kind, plies), ("missing_ply", 2), "{message}");
    assert!(message.contains("put in before 4. c3, where the numbers jump"), "{message}");
}

#[test]
fn no_king_is_taken_behind_an_illegal_move() {
    let text = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ a6 4. Qxe8 d6 5. Qxc8 *";
    let report = judge_with(AfterIllegal::Continue, text);
    let told: Vec<_> = report.findings.iter().filter(|it| it.rule.code.starts_with("M3")).collect();
    assert_eq!(told[0].rule.code, "M302");
    assert!(told[1].message.contains("e8"), "{}", told[1].message);
}

#[test]
fn a_pawn_that_jumps_over_a_piece_is_not_taken_en_passant() {
    // White's queen stands on d6, and Black's rook's pawn jumps over a rook.
    for text in [
        "1. e4 c5 2. Nf3 e6 3. d4 cxd4 4. Nxd4 a6 5. Be2 Qc7 6. O-O Nf6 7. Nc3 Nc6 8. Kh1 Nxd4 \
         9. Qxd4 Bc5 10. Qd6 h5 11. f4 Ng4 12. e5 d5 13. exd6 Qxd6 1/2-1/2",
        "[SetUp \"1\"]\n[FEN \"3r2k1/p4ppp/R7/1P6/8/8/5PPP/6K1 b - - 0 22\"]\n\n\
         22... a5 23. bxa6 h6 24. a7 *",
    ] {
        for after_illegal in [AfterIllegal::Report, AfterIllegal::Continue] {
            let report = judge_with(after_illegal, text);
            assert!(report.findings.iter().any(|it| it.rule.code == "M313"), "{text}");
        }
    }
}

#[test]
fn thousands_of_faults_in_one_game_take_bounded_time() {
    let text = format!("1. e4 e5 {}*\n", "Nf9 Ke3 ".repeat(50_000));
    for after_illegal in [AfterIllegal::Report, AfterIllegal::Continue] {
        let report = judge_with(after_illegal, &text);
        assert_eq!(report.records.games[0].plies, 100_002);
    }
}

/// The moves of a legal game, without marks, and the positions before them.
fn random_game(choices: &[u16]) -> (Vec<String>, Vec<Chess>) {
    let (mut words, mut positions) = (Vec::new(), Vec::new());
    let mut position = Chess::new();
    for &choice in choices {
        let moves = position.legal_moves();
        let Some(at) = usize::from(choice).checked_rem(moves.len()) else { break };
        words.push(San::from_move(&position, moves[at]).to_string());
        positions.push(position.clone());
        position.play_unchecked(moves[at]);
    }
    (words, positions)
}

/// The move with another piece letter, file or rank.
fn slipped(word: &str, (which, by): (u8, u8)) -> String {
    let mut text = word.as_bytes().to_vec();
    let slots: Vec<usize> =
        (0..text.len()).filter(|&at| text[at] != b'x' && text[at] != b'=').collect();
    let at = slots[usize::from(which) % slots.len()];
    let kind: &[u8] = match text[at] {
        b'1'..=b'8' => b"12345678",
        b'a'..=b'h' => b"abcdefgh",
        b'O' | b'-' => return word.to_owned(),
        _ => b"KQRBN",
    };
    text[at] = kind[usize::from(by) % kind.len()];
    String::from_utf8(text).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 192,
        rng_seed: RngSeed::Fixed(31),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// What was written is one slip away from what was meant, and the rest is legal with that. So
    /// it is never another move that is offered alone.
    #[test]
    fn a_slip_of_the_pen_is_never_mended_by_another_move(
        choices in prop::collection::vec(any::<u16>(), 20..90),
        at in any::<prop::sample::Index>(),
        slip in any::<(u8, u8)>(),
    ) {
        let (words, positions) = random_game(&choices);
        let at = at.index(words.len());
        let meant = &words[at];
        let slipped = slipped(meant, slip);
        let illegal = |san: San| {
            resolve(&positions[at], &san).is_none()
                && matches!(san.to_move(&positions[at]), Err(SanError::IllegalSan))
        };
        let last_rank = slipped.ends_with(['1', '8']) && slipped.starts_with(char::is_lowercase);
        prop_assume!(!last_rank && slipped.parse().is_ok_and(illegal));
        let mut written = words.clone();
        written[at] = slipped;
        let text = format!("[Event \"x\"]\n\n{} *\n", written.join(" "));
        let told = refused(&text);
        prop_assert_eq!(told.ply.unwrap().index as usize, at + 1);
        if let Some(fix) = told.fix.filter(|fix| fix.applicability == Applicability::Unsafe) {
            let content = String::from_utf8(fix.edits[0].content.clone()).unwrap();
            prop_assert_eq!(content.trim_end_matches(['+', '#']), meant, "{}", text);
        }
    }

    /// The same in a game that was legal before some of its words were damaged.
    #[test]
    fn a_damaged_game_is_read_to_its_end(
        choices in prop::collection::vec(any::<u16>(), 10..120),
        damage in prop::collection::vec(
            (any::<prop::sample::Index>(), "([NBRQK]?[a-h]?x?[a-h][1-8]|O-O|O-O-O|--|e8|)"),
            1..6,
        ),
    ) {
        let (mut words, _) = random_game(&choices);
        for (at, word) in damage {
            let at = at.index(words.len());
            words[at] = word;
        }
        let text = format!("[Event \"x\"]\n\n{} 1-0\n", words.join(" "));
        for after_illegal in [AfterIllegal::Report, AfterIllegal::Continue] {
            let report = judge_with(after_illegal, &text);
            prop_assert_eq!(report.records.games.len(), 1);
        }
    }

    /// Positions behind illegal moves may be what no game can reach.
    #[test]
    fn whatever_words_follow_they_are_read_to_the_end(
        words in prop::collection::vec("([NBRQK]?[a-h]?x?[a-h][1-8](=[QN])?|O-O|O-O-O|--)", 0..80),
        start in prop::sample::select(vec![
            "",
            "[SetUp \"1\"]\n[FEN \"r3k2r/P6p/8/3pP3/8/8/p6P/R3K2R w KQkq d6 0 1\"]\n",
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2Q b - - 148 90\"]\n",
            "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
             [FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n",
        ]),
    ) {
        let text = format!("[Event \"x\"]\n{start}\n{} 1-0\n", words.join(" "));
        let report = judge_with(AfterIllegal::Continue, &text);
        prop_assert_eq!(report.records.games.len(), 1);
        prop_assert_eq!(report.records.games[0].plies as usize, words.len());
    }
}
