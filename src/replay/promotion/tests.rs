use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};

use super::*;

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("fen");
    fen.into_position(CastlingMode::Standard).expect("position")
}

/// The promotions of a game that goes on for `unread` plies behind its moves.
fn promotions(start: &str, moves: &str, unread: u32) -> Vec<Promotion> {
    let mut before = position(start);
    let (mut collector, mut done) = (Promotions::default(), Vec::new());
    let mut ply = 0;
    for san in moves.split_whitespace() {
        let san: San = san.trim_end_matches(['+', '#']).parse().expect("san");
        let m = san.to_move(&before).expect("legal move");
        let mut after = before.clone();
        after.play_unchecked(m);
        ply += 1;
        collector.played(m, true);
        collector.promoted(&before, m, &after, place(ply));
        before = after;
    }
    collector.end_game(ply + unread, &mut done);
    done
}

fn place(ply: u32) -> PromotionPlace {
    PromotionPlace { game: 0, ply, piece_source: PieceSource::Explicit, certified: true }
}

fn first(start: &str, moves: &str) -> Promotion {
    promotions(start, moves, 0).remove(0)
}

#[test]
fn each_reason_is_found_where_no_earlier_one_holds() {
    use Reason::*;
    let stalemate_net = "8/5P1k/5K2/8/8/8/8/8 w - - 0 1";
    let cornered = "8/P7/8/8/8/8/5K1p/7k w - - 0 1";
    let taken_or_not = "2r5/5P1k/8/8/8/8/8/K7 w - - 0 1";
    let far_away = "8/P7/8/8/8/1k6/8/6K1 w - - 0 1";
    let cases = [
        (stalemate_net, "f8=R", AvoidsStalemate, "a rook leaves the king a square"),
        (stalemate_net, "f8=B", AvoidsStalemate, "so does a bishop"),
        (stalemate_net, "f8=N+", AvoidsStalemate, "more than the check that the knight gives"),
        ("6nr/5Ppk/7p/8/8/8/8/6K1 w - - 0 1", "f8=N#", MatesOnlySo, "smothered"),
        (cornered, "a8=R", SeeksStalemate, "a queen would mate"),
        ("8/P7/8/3P4/8/8/5K1p/7k w - - 0 1", "a8=R", Unexplained, "a queen stalemates as well"),
        (cornered, "a8=B#", MatesAnyway, "as a queen would on the diagonal"),
        ("6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1", "a8=R#", MatesAnyway, "the back rank"),
        ("rkr5/pPp5/8/8/8/8/8/KR5B w - - 0 1", "bxa8=N#", MatesAnyway, "the rook mates"),
        ("rR6/1P6/1k6/8/8/8/8/R1R4K w - - 0 1", "bxa8=N#", KnightCheck, "before mates_anyway"),
        ("8/5P2/6k1/8/8/8/8/K7 w - - 0 1", "f8=N+ Kf7", KnightCheck, "a knight's own check"),
        ("8/5P2/5kq1/8/8/8/8/K7 w - - 0 1", "f8=N Qg1+", Unexplained, "one target is no fork"),
        ("8/5P2/4q1r1/8/8/8/8/K2k4 w - - 0 1", "f8=N Kd2", KnightFork, "queen and rook"),
        (taken_or_not, "f8=R Rxf8", CapturedNext, "before queen_equivalent"),
        (taken_or_not, "f8=R Kg7", QueenEquivalent, "it attacks a rook"),
        (far_away, "a8=R Kb4 Kf1 Kb5 Rb8+", QueenEquivalent, "it moves later"),
        (far_away, "a8=B Kb4 Kf1 Kb5 Bh1", QueenEquivalent, "a bishop moves later"),
        (far_away, "a8=N Kb4 Nb6", Unexplained, "no move of a knight is a queen's"),
        (far_away, "a8=R Kb4 Kf1 Kb5", Unexplained, "nothing is seen of it"),
        (far_away, "a8=R", Unexplained, "the last move"),
        ("8/1P6/8/k7/8/8/8/6K1 w - - 0 1", "b8=R Ka6 Kf1 Ka7 Ke1 Kxb8", Unexplained, "late"),
    ];
    for (start, moves, reason, what) in cases {
        assert_eq!(first(start, moves).reason, Some(reason), "{moves}: {what}");
    }
}

#[test]
fn a_queen_has_no_reason_and_would_do_what_she_does() {
    let queen = first("6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1", "a8=Q#");
    assert_eq!(queen.reason, None);
    assert_eq!(queen.san(), "a8=Q#");
    assert!(queen.gives_mate && queen.queen_would_mate);
    assert!(queen.gives_check && queen.queen_would_check);
    assert!(!queen.gives_stalemate && !queen.queen_would_stalemate);
    assert_eq!(queen.legal_replies, 0);
    let queen = first("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f8=Q");
    assert!(queen.gives_stalemate && queen.queen_would_stalemate);
}

#[test]
fn a_row_holds_what_the_board_before_the_move_shows() {
    let start = "3qk3/2P5/8/3pP3/8/8/8/QQ2K3 w - d6 3 41";
    let row = first(start, "cxd8=N Kxd8");
    assert_eq!((row.color, row.from, row.to), (Color::White, Square::C7, Square::D8));
    assert_eq!((row.piece, row.capture), (Role::Knight, Some(Role::Queen)));
    assert_eq!((row.move_number, row.queens_before, row.legal_replies), (41, 2, 5));
    assert_eq!(row.san(), "cxd8=N");
    assert_eq!(row.fen_before(), start);
    assert_eq!(row.captured_next, Some(true));
    assert!(!row.gives_check && row.queen_would_check && !row.last_ply);
}

#[test]
fn the_fen_has_an_en_passant_square_only_where_a_capture_is_legal() {
    let row = first("4k3/2P5/8/3p4/8/8/8/4K3 w - d6 0 41", "c8=Q+");
    assert_eq!(row.fen_before(), "4k3/2P5/8/3p4/8/8/8/4K3 w - - 0 41");
}

#[test]
fn a_discovered_check_is_told_from_the_new_piece_s_own() {
    // The pawn leaves the line from h7 to the king.
    let cases = [
        ("8/2k2P1R/8/8/8/8/8/K7 w - - 0 1", "f8=B+", true, false),
        ("8/2k2P1R/8/8/8/8/8/K7 w - - 0 1", "f8=N+", true, false),
        ("8/3k1P1R/8/8/8/8/8/K7 w - - 0 1", "f8=N+", true, true),
        ("8/3k1P2/8/8/8/8/8/K7 w - - 0 1", "f8=N+", false, false),
    ];
    for (start, san, discovered, double) in cases {
        let row = first(start, san);
        assert!(row.gives_check, "{start}");
        assert_eq!((row.discovered_check, row.double_check), (discovered, double), "{start}");
        assert_eq!(row.queen_would_check, discovered, "{start}");
        let own = !discovered || double;
        assert_eq!(row.reason == Some(Reason::KnightCheck), own, "{start}");
    }
}

#[test]
fn a_fork_counts_king_queens_rooks_and_unprotected_minor_pieces() {
    let cases = [
        ("8/5P2/4b1n1/8/8/8/8/K2k4 w - - 0 1", "f8=N", 2, "both minor pieces hang"),
        ("8/5P2/4b1n1/7p/8/8/8/K2k4 w - - 0 1", "f8=N", 2, "a pawn protects nothing beside it"),
        ("8/5P1p/4b1n1/8/8/8/8/K2k4 w - - 0 1", "f8=N", 1, "the pawn protects the knight"),
        ("8/5P2/3kb1n1/8/8/8/8/K7 w - - 0 1", "f8=N", 1, "the king protects the bishop"),
        ("8/3k1P2/4r3/7p/8/8/8/K7 w - - 0 1", "f8=N+", 2, "king and rook"),
        ("8/3p1P1p/4p1p1/8/8/8/8/K2k4 w - - 0 1", "f8=N", 0, "pawns are not valuable"),
        ("3R4/5P2/4b3/8/8/8/8/K1k5 w - - 0 1", "f8=N", 1, "nothing protects the bishop"),
        ("3R4/5P2/4b3/8/3n4/8/8/K2k4 w - - 0 1", "f8=N", 0, "a pinned knight does"),
    ];
    for (start, san, forks, what) in cases {
        assert_eq!(first(start, san).forks, forks, "{what}");
    }
}

#[test]
fn several_promotions_are_counted_for_each_side_and_stay_in_order() {
    let start = "8/PP6/8/2k5/8/4K3/6pp/8 w - - 0 1";
    let rows = promotions(start, "a8=R g1=Q+ Kd2 h1=N b8=Q", 0);
    let shape: Vec<_> =
        rows.iter().map(|row| (row.ply, row.color, row.nth_of_side, row.queens_before)).collect();
    assert_eq!(
        shape,
        [
            (1, Color::White, 1, 0),
            (2, Color::Black, 1, 0),
            (4, Color::Black, 2, 1),
            (5, Color::White, 2, 0),
        ]
    );
    assert_eq!(
        rows.iter().map(|row| row.last_ply).collect::<Vec<_>>(),
        [false, false, false, true]
    );
}

#[test]
fn a_rook_waits_for_its_move_while_others_promote() {
    let start = "8/PP6/8/2k5/8/4K3/6pp/8 w - - 0 1";
    let rows = promotions(start, "a8=R g1=R Kd2 Kb6 b8=R+ Kc5 Ra5+", 0);
    let reasons: Vec<_> = rows.iter().map(|row| row.reason).collect();
    let (moved, still) = (Some(Reason::QueenEquivalent), Some(Reason::Unexplained));
    assert_eq!(reasons, [moved, still, moved]);
}

#[test]
fn the_last_certified_promotion_is_not_the_last_ply_where_unread_moves_follow() {
    let start = "8/P7/8/8/8/1k6/8/6K1 w - - 0 1";
    let (last, cut_off) = (promotions(start, "a8=R", 0), promotions(start, "a8=R", 7));
    assert!(last[0].last_ply && !cut_off[0].last_ply);
    assert_eq!((last[0].captured_next, cut_off[0].captured_next), (None, None));
}

#[test]
fn a_clock_goes_to_the_promotion_of_its_ply() {
    let before = position("8/P7/8/8/8/1k6/8/6K1 w - - 0 1");
    let m = "a8=Q".parse::<San>().expect("san").to_move(&before).expect("legal move");
    let mut after = before.clone();
    after.play_unchecked(m);
    let (mut collector, mut done) = (Promotions::default(), Vec::new());
    collector.clock(6, 20.0);
    collector.promoted(&before, m, &after, place(7));
    collector.clock(7, 12.5);
    collector.clock(8, 30.0);
    collector.end_game(8, &mut done);
    assert_eq!(done[0].clock_s, Some(12.5));
}

#[test]
fn a_game_that_was_abandoned_leaves_nothing_to_the_next() {
    let before = position("8/P7/8/8/8/1k6/8/6K1 w - - 0 1");
    let m = "a8=R".parse::<San>().expect("san").to_move(&before).expect("legal move");
    let mut after = before.clone();
    after.play_unchecked(m);
    let (mut collector, mut done) = (Promotions::default(), Vec::new());
    collector.promoted(&before, m, &after, place(1));
    collector.abandon();
    collector.promoted(&before, m, &after, place(1));
    collector.end_game(1, &mut done);
    assert_eq!(done.iter().map(|row| row.nth_of_side).collect::<Vec<_>>(), [1]);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        rng_seed: RngSeed::Fixed(3733),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// shakmaty's own SAN and outcomes as a second opinion, in games full of promotions.
    #[test]
    fn random_promotions_are_what_shakmaty_says(
        lots in prop::collection::vec(any::<prop::sample::Index>(), 60),
    ) {
        let mut before = position("1n3k1n/P1P2P1P/2b5/8/8/5B2/p1p2p1p/1N3K1N w - - 0 1");
        for lot in lots {
            let moves = before.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = *lot.get(&moves);
            let mut after = before.clone();
            after.play_unchecked(m);
            let row = describe(&before, m, &after, place(1));
            prop_assert_eq!(row.is_some(), m.is_promotion());
            if let (Some(row), Move::Normal { role, from, capture, to, .. }) = (row, m) {
                prop_assert_eq!(row.san(), SanPlus::from_move(before.clone(), m).to_string());
                prop_assert_eq!(row.gives_mate, after.is_checkmate());
                prop_assert_eq!(row.gives_stalemate, after.is_stalemate());
                prop_assert_eq!(usize::from(row.legal_replies), after.legal_moves().len());
                let promotion = Some(Role::Queen);
                let queen = Move::Normal { role, from, capture, to, promotion };
                let queened = before.clone().play(queen).expect("legal move");
                prop_assert_eq!(row.queen_would_check, queened.is_check());
                prop_assert_eq!(row.queen_would_mate, queened.is_checkmate());
                prop_assert_eq!(row.queen_would_stalemate, queened.is_stalemate());
            }
            before = after;
        }
    }
}
