use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{Board, CastlingMode, FromSetup, Setup};

use super::*;

/// How often the position stood at the start and after each move.
fn occurrences(start: &str, moves: &str) -> Vec<u32> {
    let fen: Fen = start.parse().expect("fen");
    let mut position: Chess = fen.into_position(CastlingMode::Chess960).expect("position");
    let mut repetitions = Repetitions::default();
    repetitions.start(&position);
    let mut times = vec![1];
    for san in moves.split_whitespace() {
        let san: San = san.trim_end_matches('+').parse().expect("san");
        let m = san.to_move(&position).expect("legal move");
        position.play_unchecked(m);
        times.push(repetitions.played(m, &position));
    }
    times
}

/// After these moves: how often each legal move would make its position stand.
fn replayed(start: &str, moves: &str) -> (Chess, Repetitions) {
    let fen: Fen = start.parse().expect("fen");
    let mut position: Chess = fen.into_position(CastlingMode::Chess960).expect("position");
    let mut repetitions = Repetitions::default();
    repetitions.start(&position);
    for san in moves.split_whitespace() {
        let san: San = san.trim_end_matches('+').parse().expect("san");
        let m = san.to_move(&position).expect("legal move");
        position.play_unchecked(m);
        repetitions.played(m, &position);
    }
    (position, repetitions)
}

#[test]
fn a_move_that_is_not_played_is_counted_as_if_it_were() {
    for moves in ["", "Nf3 Nf6 Ng1", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", "e4 e5 Ke2 Ke7 Ke1", "Nf3 d5"] {
        let (position, repetitions) = replayed(START, moves);
        for m in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(m);
            let told = repetitions.would_stand(m, &after);
            let (_, mut played) = replayed(START, moves);
            assert_eq!(told, played.played(m, &after), "{moves} {m:?}");
        }
    }
}

#[test]
fn the_times_at_which_the_position_stood_are_told_from_the_last_one_back() {
    let moves = "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Na4 Na5 Nc3 Nc6 Nb1 Nb8";
    let (position, repetitions) = replayed(START, moves);
    let ago: Vec<u32> = repetitions.half_moves_ago(position.turn()).collect();
    assert_eq!(ago, [0, 8, 12]);
    assert!(!repetitions.five_in_a_row(position.turn()));
    let (position, repetitions) = replayed(START, &"Nf3 Nf6 Ng1 Ng8 ".repeat(4));
    assert!(repetitions.five_in_a_row(position.turn()));
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_start_position_counts() {
    let times = occurrences("6k1/8/8/3R4/8/8/r7/6K1 w - - 0 60", "Kf1 Kf8 Kg1 Kg8 Kf1 Kf8 Kg1 Kg8");
    assert_eq!(times, [1, 1, 1, 1, 2, 2, 2, 2, 3]);
}

#[test]
fn a_fifth_occurrence_is_counted_as_such() {
    let times = occurrences(START, &"Nf3 Nf6 Ng1 Ng8 ".repeat(4));
    assert_eq!([times[4], times[8], times[12], times[16]], [2, 3, 4, 5]);
}

#[test]
fn what_stood_before_a_pawn_move_does_not_count() {
    let times =
        occurrences(START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8");
    assert_eq!(times[8..], [3, 1, 1, 1, 1, 2, 2, 2, 2]);
}

#[test]
fn a_double_step_that_nobody_can_take_en_passant_changes_nothing() {
    let times = occurrences(START, "c4 c5 Nc3 Nc6 Nb1 Nb8 Nc3 Nc6 Nb1 Nb8");
    assert_eq!([times[2], times[6], times[10]], [1, 2, 3]);
}

#[test]
fn a_set_up_en_passant_square_that_nobody_can_use_changes_nothing() {
    let start = "rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq e6 0 2";
    let times = occurrences(start, "Nc3 Nc6 Nb1 Nb8 Nc3 Nc6 Nb1 Nb8");
    assert_eq!([times[4], times[8]], [2, 3]);
}

#[test]
fn a_position_with_a_legal_en_passant_capture_is_another_one() {
    let times = occurrences(START, "e4 a6 e5 d5 Be2 Nc6 Bf1 Nb8 Bd3 Nd7 Bf1 Nb8");
    assert_eq!([times[4], times[8], times[12]], [1, 1, 2]);
}

#[test]
fn a_set_up_position_with_a_legal_en_passant_capture_is_another_one() {
    let start = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    let times = occurrences(start, "Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8");
    assert_eq!([times[4], times[8]], [1, 2]);
}

#[test]
fn an_en_passant_capture_by_a_pinned_pawn_is_none() {
    // fxe3 would open the fourth rank between rook and king.
    let start = "8/8/8/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let times = occurrences(start, "e4 Rh6 Rc4 Rh5 Rb4");
    assert_eq!([times[1], times[5]], [1, 2]);
}

#[test]
fn a_rook_that_moved_takes_its_castling_right_with_it() {
    let times = occurrences(START, "Nf3 Nf6 Rg1 Rg8 Rh1 Rh8 Rg1 Rg8 Rh1 Rh8");
    assert_eq!([times[2], times[6], times[10]], [1, 1, 2]);
}

#[test]
fn a_check_takes_no_castling_right_but_the_answer_may() {
    let start = "4k2r/8/8/3N4/8/8/8/4K3 w k - 0 20";
    let times = occurrences(start, "Nc7+ Kd7 Nd5 Ke8 Nc7+ Kd8 Nd5 Ke8 Nc7+");
    assert_eq!([times[1], times[5], times[9]], [1, 1, 2]);
    let times =
        occurrences("4k2r/8/8/8/8/3B1n2/8/R3K3 w Q - 0 20", "Kf2 Nd2 Ke1 Nf3+ Kf2 Nd2 Ke1 Nf3+");
    assert_eq!([times[4], times[8]], [1, 2]);
}

#[test]
fn what_stood_before_castling_does_not_count_in_chess960_either() {
    // The king stays where he is.
    let start = "4k3/8/8/8/8/8/8/6KR w H - 0 1";
    let times = occurrences(start, "O-O Kd8 Kh1 Ke8 Kg1 Kd8 Kh1 Ke8 Kg1");
    assert_eq!(times, [1, 1, 1, 1, 1, 2, 2, 2, 2, 3]);
}

#[test]
fn a_new_game_forgets_the_one_before() {
    let position = Chess::default();
    let mut repetitions = Repetitions::default();
    for _ in 0..3 {
        repetitions.start(&position);
        let mut board = position.clone();
        let times = ["Nf3", "Nf6", "Ng1", "Ng8"].map(|san| {
            let m = san.parse::<San>().expect("san").to_move(&board).expect("legal move");
            board.play_unchecked(m);
            repetitions.played(m, &board)
        });
        assert_eq!(times, [1, 1, 1, 2]);
    }
}

#[test]
fn a_game_longer_than_the_list_of_recent_positions_is_counted_to_its_end() {
    let rounds = 3 * Seen::RECENT as u32;
    let times = occurrences(START, &"Nf3 Nf6 Ng1 Ng8 ".repeat(rounds as usize));
    let expected: Vec<u32> = (0..=4 * rounds).map(|ply| ply / 4 + 1).collect();
    assert_eq!(times, expected);
}

#[test]
fn no_two_keys_are_alike() {
    let mut keys: Vec<u64> = KEYS.iter().flatten().flatten().copied().collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 2 * 6 * 64);
}

/// Castling rights, also of Chess960, and pawns that meet en passant, free or pinned along a rank
/// or a diagonal.
const SET_UP: [&str; 7] = [
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/8/8/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "b7/2p1p3/8/3P4/8/5K2/8/k7 b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/1n6/8/8/1R1K1R2 w BF - 0 1",
];

/// A position to begin a playout from.
fn starts() -> impl Strategy<Value = Chess> {
    let set_up = prop::sample::select(&SET_UP[..]).prop_map(|fen| {
        let fen: Fen = fen.parse().expect("fen");
        fen.into_position(CastlingMode::Chess960).expect("position")
    });
    let shuffled = (0u32..960).prop_map(|number| {
        let board = Board::chess960(number);
        let castling_rights = board.rooks();
        let setup = Setup { board, castling_rights, ..Setup::initial() };
        Chess::from_setup(setup, CastlingMode::Chess960).expect("position")
    });
    prop_oneof![3 => set_up, 1 => shuffled]
}

/// The move that takes back the mover's last one, if the draw of lots says so, or any other.
fn choose(position: &Chess, last: Option<Move>, lot: u16) -> Option<Move> {
    let moves = position.legal_moves();
    let back = last.and_then(|last| {
        moves.iter().find(|m| m.from() == Some(last.to()) && Some(m.to()) == last.from())
    });
    let any = moves.get(usize::from(lot) / 4 % moves.len().max(1));
    if lot.is_multiple_of(4) { any } else { back.or(any) }.copied()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        rng_seed: RngSeed::Fixed(923),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// shakmaty's equality of positions is that of the Laws.
    #[test]
    fn whole_positions_compared_give_the_same_counts(
        start in starts(),
        lots in prop::collection::vec(any::<u16>(), 120),
    ) {
        let mut position = start;
        let mut stood = vec![position.clone()];
        let mut last = [None, None];
        let mut repetitions = Repetitions::default();
        repetitions.start(&position);
        for lot in lots {
            let Some(m) = choose(&position, last[1], lot) else { break };
            last = [Some(m), last[0]];
            position.play_unchecked(m);
            stood.push(position.clone());
            let times = stood.iter().filter(|&earlier| *earlier == position).count();
            prop_assert_eq!(repetitions.played(m, &position) as usize, times);
        }
    }
}
