//! Recorded reasons of an end held against the board: whole games come in as text, and out come
//! the codes, the verdict and the rows of the draws table.

use pgn_arbiter::engine::Chunk;
use pgn_arbiter::judge::{ChunkReport, Judge};
use pgn_arbiter::replay::{
    ClaimSource, ClaimVerdict, ExaminerOptions, Profile, RecordedEnd, Verdict,
};
use shakmaty::Color;

use ClaimVerdict::{Contradicted, Supported, SupportedByNextMove, Unverifiable};

/// Out and home with the knights, which repeats the position every four half-moves.
const TWICE: &str = "1. Nf3 Nf6 2. Ng1 Ng8 ";
const THRICE: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 ";

fn judge_by(text: &str, profile: Option<Profile>) -> ChunkReport {
    let chunk = Chunk { bytes: text.into(), last: true, ..Chunk::default() };
    let options = ExaminerOptions { collect: true, profile, ..ExaminerOptions::default() };
    Judge { options, ..Judge::default() }.judge(&chunk)
}

fn judge(text: &str) -> ChunkReport {
    judge_by(text, None)
}

/// The codes that speak of ends: draws, results against the board, moves behind an end.
fn codes(report: &ChunkReport) -> Vec<&'static str> {
    let codes = report.findings.iter().map(|finding| finding.rule.code);
    codes
        .filter(|code| ["D5", "R604", "R606", "M32"].iter().any(|of| code.starts_with(of)))
        .collect()
}

fn message(report: &ChunkReport, code: &str) -> String {
    let found = report.findings.iter().find(|finding| finding.rule.code == code);
    found.map_or_else(String::new, |finding| finding.message.to_string())
}

fn claim(report: &ChunkReport) -> Option<(RecordedEnd, ClaimVerdict)> {
    report.records.games[0].claim.map(|claim| (claim.end, claim.verdict))
}

/// A game from a set-up position with a Termination tag.
fn ended(fen: &str, termination: &str, moves: &str, result: &str) -> String {
    format!(
        "[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"{result}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\
         [Termination \"{termination}\"]\n\n{moves} {result}\n"
    )
}

#[test]
fn a_repetition_is_supported_by_the_board_or_by_a_next_move_or_contradicted() {
    for (moves, verdict, code) in [
        (THRICE, Supported, "D504"),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1", SupportedByNextMove, "D505"),
        (TWICE, Contradicted, "D506"),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6", Contradicted, "D506"),
    ] {
        let report = judge(&format!("{moves} {{Draw by repetition}} 1/2-1/2\n"));
        assert_eq!(claim(&report), Some((RecordedEnd::Threefold, verdict)), "{moves}");
        assert_eq!(codes(&report), [code], "{moves}");
    }
}

#[test]
fn a_fivefold_repetition_knows_no_intended_move() {
    let moves = THRICE.to_owned() + "5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 ";
    let report = judge(&format!("{moves}{{Draw by fivefold repetition}} 1/2-1/2\n"));
    assert_eq!(claim(&report), Some((RecordedEnd::Fivefold, Contradicted)));
    let report = judge(&format!("{moves}Ng8 {{Draw by fivefold repetition}} 1/2-1/2\n"));
    assert_eq!(claim(&report), Some((RecordedEnd::Fivefold, Supported)));
}

#[test]
fn a_repetition_that_was_left_again_is_contradicted_and_its_place_is_told() {
    let report = judge(&format!("{THRICE}5. e4 e5 {{Draw by repetition}} 1/2-1/2\n"));
    assert_eq!(codes(&report), ["D506"]);
    assert_eq!(
        message(&report, "D506"),
        "the comment says \"Draw by repetition\"; the last position stood only once; another one \
         stood three times after Black's move 4, 2 half-moves before the end"
    );
}

#[test]
fn a_position_that_only_looks_the_same_is_told_with_what_it_could_still_do() {
    let castling = "1. Nf3 Nf6 2. Rg1 Rg8 3. Rh1 Rh8 4. Rg1 Rg8 5. Rh1 Rh8";
    let en_passant = "1. e4 a6 2. e5 d5 3. Be2 Nc6 4. Bf1 Nb8 5. Bd3 Nd7 6. Bf1 Nb8";
    for (moves, why) in [
        (castling, "; it stood with other castling rights after Black's move 1"),
        (
            en_passant,
            "; it stood with an en passant capture that was possible after Black's move 2",
        ),
    ] {
        let report = judge(&format!("{moves} {{Draw by repetition}} 1/2-1/2\n"));
        assert!(message(&report, "D506").ends_with(why), "{}", message(&report, "D506"));
    }
}

#[test]
fn fifty_moves_are_counted_from_the_clock_of_the_set_up_position() {
    let rooks = |clock: u32| format!("8/8/4k3/8/8/2R5/2K5/5r2 w - - {clock} 120");
    for (clock, verdict) in [(98, Supported), (97, SupportedByNextMove), (96, Contradicted)] {
        let text = ended(&rooks(clock), "Game drawn by 50-move rule", "120. Rc6+ Kd5", "1/2-1/2");
        assert_eq!(claim(&judge(&text)), Some((RecordedEnd::FiftyMoves, verdict)), "{clock}");
    }
}

#[test]
fn only_a_quiet_move_of_a_piece_can_be_the_hundredth_half_move() {
    // Black, with the last half-move, may go to h7; or can only take a pawn or move one.
    let text = ended("7k/5K2/5R2/8/p7/8/8/8 w - - 98 120", "50-move rule", "120. Rg6", "1/2-1/2");
    let report = judge(&text);
    assert_eq!(claim(&report), Some((RecordedEnd::FiftyMoves, SupportedByNextMove)));
    assert!(message(&report, "D505").contains("120... Kh7"), "{}", message(&report, "D505"));
    let text = ended("7k/5K1P/8/8/p7/6R1/8/8 w - - 98 120", "50-move rule", "120. Rg5", "1/2-1/2");
    let report = judge(&text);
    assert_eq!(claim(&report), Some((RecordedEnd::FiftyMoves, Contradicted)));
    assert!(message(&report, "D506").ends_with("the halfmove clock reads 99, not 100"));
}

#[test]
fn stalemate_and_mate_are_seen_on_the_board() {
    let queen = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    for (fen, words, moves, result, verdict) in [
        (queen, "Game drawn by stalemate", "1. Qg6", "1/2-1/2", Supported),
        (queen, "Black stalemated", "1. Qg6", "1/2-1/2", Supported),
        (queen, "White stalemated", "1. Qg6", "1/2-1/2", Contradicted),
        (queen, "Game drawn by stalemate", "1. Qg4 Kh7", "1/2-1/2", Contradicted),
        (queen, "Anna won by checkmate", "1. Qh5+", "1-0", Contradicted),
        ("7k/8/6K1/6Q1/8/8/8/8 w - - 0 1", "Anna won by checkmate", "1. Qd8#", "1-0", Supported),
        ("7k/8/6K1/6Q1/8/8/8/8 w - - 0 1", "Bert won by checkmate", "1. Qd8#", "1-0", Contradicted),
    ] {
        let report = judge(&ended(fen, words, moves, result));
        assert_eq!(claim(&report).map(|(_, verdict)| verdict), Some(verdict), "{words} {moves}");
        assert_eq!(codes(&report).contains(&"D506"), verdict == Contradicted, "{words} {moves}");
    }
}

#[test]
fn a_mate_goes_before_every_recorded_draw() {
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 99 130";
    let report = judge(&ended(fen, "50-move rule", "130. Ra8#", "1/2-1/2"));
    assert_eq!(claim(&report), Some((RecordedEnd::FiftyMoves, Contradicted)));
}

#[test]
fn insufficient_material_is_held_to_the_rules_of_its_site() {
    let knights = "7k/8/6n1/8/8/2N5/4K3/8 w - - 0 1";
    let queen = "7k/8/8/8/8/8/4K3/3Q4 w - - 0 1";
    let rooks = "r6k/8/8/8/8/8/4K3/3R4 w - - 0 1";
    let bare = "7k/8/6n1/8/8/8/4K3/8 w - - 0 1";
    for (profile, fen, verdict) in [
        (Profile::Fide, bare, Supported),
        (Profile::Fide, knights, Contradicted),
        (Profile::Engine, knights, Contradicted),
        (Profile::ChessCom, bare, Supported),
        (Profile::ChessCom, knights, Unverifiable),
        // It may have been a loss on time.
        (Profile::ChessCom, queen, Unverifiable),
        (Profile::ChessCom, rooks, Contradicted),
        (Profile::Lichess, queen, Unverifiable),
        (Profile::Lichess, knights, Contradicted),
        (Profile::Other, knights, Unverifiable),
        (Profile::Other, queen, Contradicted),
    ] {
        let text = ended(fen, "Game drawn by insufficient material", "1. Ke3", "1/2-1/2");
        let report = judge_by(&text, Some(profile));
        let expected = Some((RecordedEnd::InsufficientMaterial, verdict));
        assert_eq!(claim(&report), expected, "{profile:?} {fen}");
    }
}

#[test]
fn a_timeout_is_held_against_the_material_of_who_has_time_left() {
    let words = "Game drawn by timeout vs insufficient material";
    for (profile, fen, verdict) in [
        // White may have run out of time before he stopped the clock, and Black has a bare king.
        (Profile::Fide, "7k/8/8/8/8/8/4K3/3Q4 b - - 0 1", Supported),
        (Profile::Fide, "r6k/8/8/8/8/8/4K3/3Q4 b - - 0 1", Contradicted),
        (Profile::Lichess, "7k/8/8/8/8/8/4K3/3Q4 b - - 0 1", Contradicted),
        (Profile::Fide, "7k/8/8/8/8/8/3qK3/8 w - - 0 1", Supported),
        // With the pawn's help a knight can mate.
        (Profile::Fide, "7k/p7/8/8/8/2N5/4K3/8 b - - 0 1", Unverifiable),
        (Profile::ChessCom, "7k/p7/8/8/8/2N5/4K3/8 b - - 0 1", Supported),
    ] {
        let white = fen.contains(" w ");
        let moves = if white { "1. Kxd2" } else { "1... Kg8 2. Kf3" };
        let text = ended(fen, words, moves, "1/2-1/2");
        let report = judge_by(&text, Some(profile));
        assert_eq!(claim(&report).map(|(_, verdict)| verdict), Some(verdict), "{profile:?} {fen}");
    }
}

#[test]
fn a_win_behind_a_draw_that_needs_no_claim_is_against_the_board() {
    let five = format!("[Date \"2024.01.01\"]\n\n{}1-0\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(4));
    let report = judge(&five);
    let finding = report.findings.iter().find(|finding| finding.rule.code == "R604").unwrap();
    assert!(finding.message.contains("the fifth time: the game is drawn, and the result is"));
    assert_eq!(report.records.games[0].verdict, Verdict::Contradicted);
    let draw = judge(&five.replace("1-0", "1/2-1/2"));
    assert!(!draw.findings.iter().any(|finding| finding.rule.code == "R604"));
}

#[test]
fn games_by_correspondence_are_not_held_to_laws_for_the_board() {
    let again = "Nf3 Nf6 Ng1 Ng8 ".repeat(5);
    for (tags, expected) in [
        ("[Date \"2024.01.01\"]", true),
        ("[Date \"2024.01.01\"]\n[TimeControl \"1/259200\"]", false),
        ("[Date \"2024.01.01\"]\n[Event \"WC corr ICCF\"]", false),
    ] {
        let report = judge(&format!("{tags}\n\n{again}1/2-1/2\n"));
        let told = report.findings.iter().any(|finding| finding.rule.code == "M323");
        assert_eq!(told, expected, "{tags}");
    }
}

#[test]
fn what_is_not_proved_to_be_dead_is_not_said_to_be_alive() {
    for fen in ["k7/P1K5/8/8/8/8/8/8 w - - 0 1", "8/7p/k4p1P/5p1K/5Pp1/6P1/6P1/8 w - - 0 1"] {
        let m = if fen.starts_with('k') { "1. Kc8" } else { "1. Kh4" };
        let report = judge(&ended(fen, "Dead position", m, "1/2-1/2"));
        assert_eq!(claim(&report).map(|(_, verdict)| verdict), Some(Unverifiable), "{fen}");
    }
}

#[test]
fn lichess_calls_a_draw_on_time_a_time_forfeit() {
    let fen = "7k/8/8/8/8/8/4K3/3Q4 b - - 0 1";
    let text = ended(fen, "Time forfeit", "1... Kg8 2. Kf3 Kh7", "1/2-1/2");
    let report = judge_by(&text, Some(Profile::Lichess));
    assert_eq!(claim(&report), Some((RecordedEnd::TimeoutVsInsufficient, Supported)));
    let report = judge_by(&text, Some(Profile::Fide));
    assert_eq!(claim(&report), Some((RecordedEnd::Timeout, Unverifiable)));
}

#[test]
fn a_draw_on_time_is_contradicted_where_both_could_mate_and_the_clock_knew_whose_time_ran_out() {
    let rooks = "r6k/8/8/8/8/8/4K3/3R4 b - - 0 1";
    let bare = "r6k/8/8/8/8/8/4K3/8 b - - 0 1";
    for (profile, fen, control, verdict) in [
        (Profile::Fide, rooks, "5400+30", Contradicted),
        (Profile::Fide, rooks, "40/5400+30:1800+30", Contradicted),
        // Both flags may have fallen, or the arbiter have ruled.
        (Profile::Fide, rooks, "40/5400+30:1800", Unverifiable),
        (Profile::Fide, rooks, "300", Unverifiable),
        (Profile::Fide, rooks, "?", Unverifiable),
        (Profile::Fide, bare, "5400+30", Unverifiable),
        (Profile::ChessCom, rooks, "180+2", Unverifiable),
        (Profile::Engine, rooks, "10+0.1", Unverifiable),
    ] {
        let tag = format!("[TimeControl \"{control}\"]\n");
        let text = tag + &ended(fen, "Time forfeit", "1... Kg8 2. Kf3", "1/2-1/2");
        let report = judge_by(&text, Some(profile));
        let expected = Some((RecordedEnd::Timeout, verdict));
        assert_eq!(claim(&report), expected, "{profile:?} {fen} {control}");
        let told = if verdict == Contradicted { &["D506"][..] } else { &[] };
        assert_eq!(codes(&report), told, "{profile:?} {fen} {control}");
    }
    let other = format!(
        "[TimeControl \"5400+30\"]\n{}",
        ended(rooks, "Time forfeit", "1... Kg8 2. Kf3 {Draw by agreement}", "1/2-1/2")
    );
    assert_eq!(codes(&judge(&other)), [""; 0], "something else explains it");
}

#[test]
fn a_win_on_time_by_a_bare_king_is_told_but_not_of_engines() {
    let fen = "8/8/4k3/4p3/8/3K4/8/8 w - - 0 60";
    let text = ended(fen, "Anna won on time", "60. Ke4 Kf6", "1-0");
    assert_eq!(codes(&judge(&text)), ["R606"]);
    assert_eq!(codes(&judge_by(&text, Some(Profile::Engine))), [""; 0]);
    let text = ended(fen, "Bert won on time", "60. Ke4 Kf6", "0-1");
    assert_eq!(codes(&judge(&text)), [""; 0]);
}

#[test]
fn what_no_board_can_show_is_unverifiable_and_gives_no_finding() {
    for (words, end) in [
        ("Game drawn by agreement", RecordedEnd::Agreement),
        ("adjudication", RecordedEnd::Adjudication),
        ("TCEC draw rule", RecordedEnd::Adjudication),
    ] {
        let text = format!("[Termination \"{words}\"]\n\n1. e4 e5 1/2-1/2\n");
        let report = judge(&text);
        assert_eq!(claim(&report), Some((end, Unverifiable)));
        assert_eq!(codes(&report), [""; 0], "{words}");
    }
}

#[test]
fn a_reason_that_makes_another_result_is_contradicted() {
    for (words, result) in [
        ("Game drawn by agreement", "1-0"),
        ("Anna won by resignation", "0-1"),
        ("Bert resigns", "1/2-1/2"),
    ] {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let report = judge(&ended(fen, words, "1. e4 e5", result));
        assert_eq!(codes(&report), ["D506"], "{words}");
        assert!(message(&report, "D506").ends_with(&format!("recorded as {result}")));
        assert_eq!(report.records.games[0].verdict.as_str(), "contradicted");
        let report = judge(&ended(fen, words, "1. e4 e5", "*"));
        assert_eq!(codes(&report), [""; 0], "{words}");
    }
}

#[test]
fn a_draw_that_holds_on_the_board_beside_a_won_game_is_contradicted_and_no_more() {
    let report = judge(&format!("{THRICE}{{Draw by repetition}} 1-0\n"));
    assert_eq!(claim(&report), Some((RecordedEnd::Threefold, Contradicted)));
    assert_eq!(codes(&report), ["D506"]);
    assert_eq!(
        message(&report, "D506"),
        "the comment says \"Draw by repetition\", which makes 1/2-1/2, and the result is recorded \
         as 1-0"
    );
    // The result is a finding already.
    let report = judge(&ended("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "Stalemate", "1. Qg6", "1-0"));
    assert_eq!(codes(&report), ["R604"]);
}

#[test]
fn a_message_repeats_what_is_recorded_and_says_of_whom_it_speaks() {
    let knights = "7k/8/6n1/8/8/2N5/4K3/8 w - - 0 1";
    let mated = "7k/8/6K1/6Q1/8/8/8/8 w - - 0 1";
    for (fen, words, moves, result, expected) in [
        (
            knights,
            "Dead position",
            "1. Ke3",
            "1/2-1/2",
            "Termination says \"Dead position\"; White can mate by some series of legal moves",
        ),
        (
            mated,
            "White won by checkmate",
            "1. Kf6 Kh7",
            "1-0",
            "Termination says \"White won by checkmate\"; there is no mate on the board; one legal \
             move would mate: 2. Qg7#",
        ),
        (
            mated,
            "Bert won by checkmate",
            "1. Qd8#",
            "1-0",
            "Termination says \"Bert won by checkmate\" (that is Black); Black is mated",
        ),
    ] {
        let report = judge(&ended(fen, words, moves, result));
        assert_eq!(message(&report, "D506"), expected);
    }
    let text = format!("[TerminationDetails \"3-fold rep\"]\n\n{THRICE}1/2-1/2\n");
    assert!(message(&judge(&text), "D504").starts_with(
        "TerminationDetails says \"3-fold rep\"; the last position stood three times, at the \
             start and after"
    ));
}

#[test]
fn a_score_that_lacks_the_mating_move_is_told_of_the_moves_that_would_mate() {
    let scholar = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 {0.1/5 1s, White mates} 1-0\n";
    let report = judge(scholar);
    assert_eq!(codes(&report), ["D506"]);
    assert_eq!(
        message(&report, "D506"),
        "the comment says \"White mates\"; there is no mate on the board; one legal move would \
         mate: 4. Qxf7#"
    );
    let rooks = ended("7k/R7/1R6/8/8/8/8/2K5 w - - 0 1", "White mates", "1. Kc2 Kg8", "1-0");
    assert!(message(&judge(&rooks), "D506").ends_with("one legal move would mate: 2. Rb8#"));
    let black = ended("7k/R7/1R6/8/8/8/8/2K5 w - - 0 1", "Black mates", "1. Kc2 Kg8", "0-1");
    assert!(message(&judge(&black), "D506").ends_with("there is no mate on the board"));
}

#[test]
fn who_ends_games_without_a_claim_knows_no_intended_move() {
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 {Draw by repetition} 1/2-1/2\n";
    let missing = "the half-move that brings it may be missing from the score";
    for (profile, expected) in [
        (Profile::Fide, false),
        (Profile::Other, false),
        (Profile::ChessCom, true),
        (Profile::Engine, true),
    ] {
        let report = judge_by(moves, Some(profile));
        assert_eq!(codes(&report), ["D505"]);
        assert_eq!(message(&report, "D505").contains(missing), expected, "{profile:?}");
    }
    let rooks = "8/8/4k3/8/8/2R5/2K5/5r2 w - - 97 120";
    for (date, expected) in [("2016.01.01", false), ("2024.01.01", true)] {
        let text = ended(rooks, "Fifty moves", "120. Rc6+ Kd5", "1/2-1/2");
        let report = judge_by(&format!("[Date \"{date}\"]\n{text}"), Some(Profile::Lichess));
        assert_eq!(message(&report, "D505").contains(missing), expected, "{date}");
    }
}

#[test]
fn one_quiet_move_of_many_is_named_as_an_example() {
    let text = ended("8/8/4k3/8/8/2R5/2K5/5r2 w - - 98 120", "Fifty moves", "120. Rc6+", "1/2-1/2");
    let report = judge(&text);
    assert!(
        message(&report, "D505").contains("any legal move but a capture or a pawn move, 120... "),
        "{}",
        message(&report, "D505")
    );
}

#[test]
fn nothing_is_said_of_games_whose_moves_are_not_certain() {
    for moves in
        ["1. Nf3 Nf6 2. Ng1 Ng4 3. Qxd7", "1. Nf3 Nf6 2. -- Ng8", "1. Nf3 Nf6 2. Ng1 Ng8 (2... e5"]
    {
        let report = judge(&format!("{moves} {{Draw by repetition}} 1/2-1/2\n"));
        let found = claim(&report);
        assert!(found.is_none_or(|(_, verdict)| verdict == Unverifiable), "{moves}");
        assert!(!codes(&report).contains(&"D506"), "{moves}");
    }
    let report = judge("[Variant \"Atomic\"]\n\n1. Nf3 Nf6 {Draw by repetition} 1/2-1/2\n");
    assert_eq!(claim(&report), Some((RecordedEnd::Threefold, Unverifiable)));
}

#[test]
fn the_reason_may_stand_before_or_behind_the_marker_and_in_several_places() {
    let line = "1/2-1/2 {Draw by repetition}\n";
    let report = judge(&format!("{THRICE}{line}\n[Event \"b\"]\n\n1. e4 *\n"));
    assert_eq!(claim(&report), Some((RecordedEnd::Threefold, Supported)));
    let text = format!(
        "[Termination \"adjudication\"]\n[TerminationDetails \"3-Fold repetition\"]\n\n\
         {THRICE}{{d=1, 3-Fold repetition}} 1/2-1/2\n"
    );
    let report = judge(&text);
    assert_eq!(claim(&report), Some((RecordedEnd::Threefold, Supported)));
    assert_eq!(codes(&report), ["D504"]);
    assert_eq!(report.records.draws.len(), 1);
}

#[test]
fn a_comment_before_the_last_move_records_no_end() {
    let report = judge("1. Nf3 Nf6 {Draw by repetition} 2. Ng1 1/2-1/2\n");
    assert_eq!(claim(&report), None);
}

#[test]
fn the_draws_table_has_claims_and_draws_that_were_not_claimed() {
    let report = judge(&format!("{THRICE}5. e4 e5 {{Draw by agreement}} 1/2-1/2\n"));
    let [agreed, threefold] = report.records.draws.as_slice() else { panic!("two rows") };
    let (source, span, verdict) = agreed.recorded.expect("a claim");
    assert_eq!(
        (agreed.rule, source, verdict),
        (RecordedEnd::Agreement, ClaimSource::Comment, Unverifiable)
    );
    let text = format!("{THRICE}5. e4 e5 {{Draw by agreement}} 1/2-1/2\n");
    assert_eq!(span.of(text.as_bytes()), b"Draw by agreement");
    assert_eq!((threefold.rule, threefold.recorded), (RecordedEnd::Threefold, None));
    assert_eq!(threefold.first_available_ply, Some(8));
    assert_eq!(threefold.plies_played_on, Some(2));
    assert_eq!(threefold.could_claim, Some(Color::White));
    assert_eq!((threefold.occurrences, threefold.halfmove_clock), (Some(3), Some(8)));
    assert_eq!(codes(&report), ["D501"]);
}

/// The rows without a record: rule, first ply, half-moves behind it, who could claim.
fn unrecorded(report: &ChunkReport) -> Vec<(&'static str, u32, u32, Option<Color>)> {
    let rows = report.records.draws.iter().filter(|draw| draw.recorded.is_none());
    rows.map(|draw| {
        let ply = draw.first_available_ply.expect("it was there");
        (draw.rule.as_str(), ply, draw.plies_played_on.expect("likewise"), draw.could_claim)
    })
    .collect()
}

#[test]
fn the_draws_table_has_every_draw_that_was_on_the_board() {
    let game = |fen: &str, moves: &str| judge(&ended(fen, "Normal", moves, "1/2-1/2"));
    let report = game("7k/8/5K2/6Q1/8/8/8/8 w - - 3 1", "1. Qg6");
    assert_eq!(unrecorded(&report), [("stalemate", 1, 0, None)]);
    assert_eq!(report.records.draws[0].halfmove_clock, Some(4));
    let report = game("8/8/4k3/8/8/8/3p4/3K4 w - - 0 70", "70. Kxd2 Kd5 71. Kd3");
    assert_eq!(unrecorded(&report), [("insufficient_material", 1, 2, None)]);
    let report = game("8/8/4k3/8/8/8/8/3K4 w - - 7 70", "70. Kd2");
    assert_eq!(unrecorded(&report), [("insufficient_material", 0, 1, None)]);
    let wall = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";
    let report = game(wall, "1. Ke2 Kd7");
    assert_eq!(unrecorded(&report), [("insufficient_material", 0, 2, None)]);
    let report = game("8/8/4k3/8/8/2R5/2K5/5r2 w - - 148 120", "120. Rc6+ Kd5");
    assert_eq!(
        unrecorded(&report),
        [("fifty", 1, 1, Some(Color::Black)), ("seventyfive", 2, 0, None)]
    );
    let five = format!("{THRICE}5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 9. e4 1/2-1/2\n");
    let expected = [("threefold", 8, 9, Some(Color::White)), ("fivefold", 16, 1, None)];
    assert_eq!(unrecorded(&judge(&five)), expected);
}

#[test]
fn what_is_recorded_has_no_second_row() {
    for (fen, words, moves, ply) in [
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "Stalemate", "1. Qg6", 1),
        ("8/8/4k3/8/8/8/3p4/3K4 w - - 0 70", "Insufficient material", "70. Kxd2", 1),
        ("8/8/4k3/8/8/2R5/2K5/5r2 w - - 148 120", "75 moves", "120. Rc6+ Kd5", 2),
    ] {
        let report = judge(&ended(fen, words, moves, "1/2-1/2"));
        let [row] = report.records.draws.as_slice() else { panic!("one row for {words}") };
        assert_eq!((row.first_available_ply, row.plies_played_on), (Some(ply), Some(0)));
        assert_eq!((row.recorded.is_some(), row.could_claim), (true, None));
    }
}

#[test]
fn nobody_claims_a_draw_by_which_the_game_was_over() {
    let text = format!("{THRICE}{{Draw by repetition}} 1/2-1/2\n");
    for (profile, claimant) in [(Profile::Fide, Some(Color::White)), (Profile::Engine, None)] {
        let report = judge_by(&text, Some(profile));
        assert_eq!(report.records.draws[0].could_claim, claimant, "{profile:?}");
        let report = judge_by(&format!("{THRICE}1/2-1/2\n"), Some(profile));
        assert_eq!(unrecorded(&report), [("threefold", 8, 0, claimant)], "{profile:?}");
    }
    // The third time comes when neither side could mate any more.
    let bare = "7k/8/8/8/8/8/8/K7 w - - 0 1";
    let walk = "1. Kb1 Kg8 2. Ka1 Kh8 3. Kb1 Kg8 4. Ka1 Kh8";
    let report = judge(&ended(bare, "Normal", walk, "1/2-1/2"));
    assert_eq!(codes(&report), ["D503", "M322"]);
    assert!(unrecorded(&report).contains(&("threefold", 8, 0, None)));
}

#[test]
fn a_draw_that_was_not_claimed_says_who_could_have_claimed_it_and_when() {
    let play = format!("{THRICE}5. e4 e5 1/2-1/2\n");
    assert_eq!(
        message(&judge(&play), "D501"),
        "the position stood for the third time after 4... Ng8 (ply 8): White could have claimed \
         there, Black before making the move; play went on for 2 half-moves"
    );
    // Elsewhere a claim needs the position on the board.
    assert_eq!(
        message(&judge_by(&play, Some(Profile::Lichess)), "D501"),
        "the position stood for the third time after 4... Ng8 (ply 8): White could have claimed \
         there; play went on for 2 half-moves"
    );
    let rooks = "8/8/4k3/8/8/2R5/2K5/5r2 w - - 98 120";
    let report = judge(&ended(rooks, "Normal", "120. Rc6+ Kd5", "1/2-1/2"));
    assert_eq!(
        message(&report, "D502"),
        "fifty moves by each side without a pawn move or capture were complete after 120... Kd5 \
         (ply 2): White could have claimed there, Black before making the move; the score ends \
         there"
    );
}

#[test]
fn a_closed_wall_ends_a_game_only_by_the_laws_and_bare_material_everywhere() {
    let wall = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";
    let bare = "8/8/4k3/8/8/8/3p4/3K4 w - - 0 70";
    for profile in
        [Profile::Fide, Profile::Lichess, Profile::ChessCom, Profile::Engine, Profile::Other]
    {
        let report = judge_by(&ended(wall, "Anna won on time", "1. Ke2 Kd7", "1-0"), Some(profile));
        let told = if profile == Profile::Fide { &["D503", "M322", "R604"][..] } else { &[] };
        assert_eq!(codes(&report), told, "{profile:?}");
        assert_eq!(report.records.games[0].end_state.as_str(), "dead_position");
        let report = judge_by(&ended(bare, "Normal", "70. Kxd2 Kd5 71. Kd3", "1-0"), Some(profile));
        assert_eq!(codes(&report), ["D503", "M322", "R604"], "{profile:?}");
    }
}

#[test]
fn legal_moves_behind_a_draw_contradict_it_and_those_behind_a_mate_are_illegal() {
    let five = "5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 9. e4";
    for (text, verdict) in [
        (format!("[Date \"2024.01.01\"]\n\n{THRICE}{five} 1/2-1/2\n"), "contradicted"),
        (
            ended("8/8/4k3/8/8/8/3p4/3K4 w - - 0 70", "Normal", "70. Kxd2 Kd5", "1/2-1/2"),
            "contradicted",
        ),
        ("1. f3 e5 2. g4 Qh4# 3. Nc3 0-1\n".to_owned(), "illegal"),
    ] {
        let report = judge(&text);
        let game = &report.records.games[0];
        assert_eq!(game.verdict.as_str(), verdict, "{text}");
        assert_eq!(game.certified_plies == game.plies, verdict == "contradicted", "{text}");
    }
}

#[test]
fn automatic_ends_are_those_of_the_profile() {
    let play_on = |head: &str| format!("{head}\n{THRICE}5. Nf3 Nf6 6. Ng1 Ng8 7. e4 1/2-1/2\n");
    for (head, expected) in [
        ("[Site \"Hillford\"]\n[Date \"2024.01.01\"]\n", &["D501"][..]),
        ("[Site \"https://lichess.org/abcd\"]\n[Date \"2024.01.01\"]\n", &["D501"]),
        ("[Site \"Chess.com\"]\n[Date \"2012.01.01\"]\n", &["D501"]),
        ("[Site \"Chess.com\"]\n[Date \"2024.01.01\"]\n", &["D503", "M323"]),
        ("[Site \"https://tcec-chess.com\"]\n", &["D503", "M323"]),
        ("[Site \"freechess.org\"]\n[Date \"2024.01.01\"]\n", &["D501"]),
    ] {
        assert_eq!(codes(&judge(&play_on(head))), expected, "{head}");
    }
    let text = play_on("[Site \"https://tcec-chess.com\"]\n");
    assert_eq!(codes(&judge_by(&text, Some(Profile::Fide))), ["D501"]);
}

#[test]
fn until_2017_the_five_times_had_to_be_on_alternate_moves_in_a_row() {
    let game = |date: &str, moves: &str| format!("[Date \"{date}\"]\n\n{moves} 7. e4 1/2-1/2\n");
    let cycle = |at: u32| format!("{at}. Nf3 Nf6 {}. Ng1 Ng8 ", at + 1);
    let in_a_row: String = (0..4).map(|round| cycle(1 + 2 * round)).collect();
    // Between the third time and the fourth another knight goes out and home.
    let longer = format!(
        "{}{}5. Nc3 Nc6 6. Na4 Na5 7. Nc3 Nc6 8. Nb1 Nb8 {}{}",
        cycle(1),
        cycle(3),
        cycle(9),
        cycle(11)
    );
    for (date, moves, is_over) in [
        ("2014.06.30", &in_a_row, false),
        ("2015.01.01", &in_a_row, true),
        ("2017.07.01", &in_a_row, true),
        ("2015.01.01", &longer, false),
        ("2017.07.01", &longer, true),
        ("????.??.??", &in_a_row, false),
    ] {
        let report = judge(&game(date, moves));
        assert_eq!(codes(&report).contains(&"M323"), is_over, "{date} {moves}");
        assert!(report.records.games[0].first_fivefold_ply.is_some(), "{date}");
    }
}

#[test]
fn a_rest_of_line_comment_may_record_the_end() {
    let report = judge(&format!("{THRICE}; Draw by repetition\n1/2-1/2\n"));
    assert_eq!(claim(&report), Some((RecordedEnd::Threefold, Supported)));
}

#[test]
fn findings_stay_in_the_order_of_the_text_where_a_reason_stands_behind_the_marker() {
    for behind in ["{\u{7}Draw by repetition}", "{Draw by repetition} \u{7} junk"] {
        let report = judge(&format!("{TWICE}1/2-1/2 {behind}\n"));
        assert!(report.findings.is_sorted_by_key(|finding| finding.span.start), "{behind}");
    }
}
