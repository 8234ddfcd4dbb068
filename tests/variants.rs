//! Games of the variants, as shakmaty plays them: legal ones are certified, a move that is none is
//! found where it stands, and marks and results are held against the board.

use pgn_arbiter::engine::Chunk;
use pgn_arbiter::judge::{ChunkReport, Judge};
use pgn_arbiter::replay::{EndState, ExaminerOptions, Verdict};
use shakmaty::san::SanPlus;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{Move, Outcome, Position};

const VARIANTS: [(Variant, &str); 7] = [
    (Variant::Crazyhouse, "Crazyhouse"),
    (Variant::Antichess, "Antichess"),
    (Variant::Atomic, "Atomic"),
    (Variant::Horde, "Horde"),
    (Variant::KingOfTheHill, "King of the Hill"),
    (Variant::RacingKings, "Racing Kings"),
    (Variant::ThreeCheck, "Three-check"),
];

const HORDE: &str = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";
const RACING_KINGS: &str = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1";

fn judge(text: &str) -> ChunkReport {
    let bytes = text.as_bytes().to_vec();
    let chunk = Chunk { bytes, last: true, ..Chunk::default() };
    Judge {
        options: ExaminerOptions { collect: true, ..ExaminerOptions::default() },
        ..Judge::default()
    }
    .judge(&chunk)
}

fn game(tags: &str, result: &str, movetext: &str) -> String {
    format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
         [Black \"?\"]\n[Result \"{result}\"]\n{tags}\n{movetext} {result}\n\n"
    )
}

/// Code, text and ply of each finding.
fn findings(text: &str) -> Vec<(&'static str, String, Option<u32>)> {
    let report = judge(text);
    let told = report.findings.iter().map(|finding| {
        let token = text[finding.span.range()].to_owned();
        (finding.rule.code, token, finding.ply.map(|ply| ply.index))
    });
    told.collect()
}

/// What a game with one finding tells: its code, its place, its message.
fn only(text: &str) -> (&'static str, String, String) {
    let report = judge(text);
    assert_eq!(report.findings.len(), 1, "{text}\n{:?}", report.findings);
    let finding = &report.findings[0];
    let token = text[finding.span.range()].to_owned();
    (finding.rule.code, token, finding.message.clone().into_owned())
}

/// A small linear congruential generator: the same games in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// A legal game that likes to drop and to promote; each move as it is written, and its position
/// before.
fn playout(random: &mut Random, variant: Variant) -> (Vec<(String, VariantPosition)>, Outcome) {
    let mut position = VariantPosition::new(variant);
    let mut moves = Vec::new();
    for _ in 0..20 + random.below(160) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let rare: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|m| m.is_promotion() || matches!(m, Move::Put { .. }))
            .collect();
        let m = match random.below(3) {
            0 if !rare.is_empty() => rare[random.below(rare.len())],
            _ => legal[random.below(legal.len())],
        };
        let before = position.clone();
        moves.push((SanPlus::from_move_and_play_unchecked(&mut position, m).to_string(), before));
    }
    let ended = position.is_variant_end() || position.legal_moves().is_empty();
    (moves, if ended { position.outcome() } else { Outcome::Unknown })
}

fn movetext<'m>(moves: impl Iterator<Item = &'m str>) -> String {
    let mut text = String::new();
    for (ply, san) in moves.enumerate() {
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += san;
        text.push(if ply % 12 == 11 { '\n' } else { ' ' });
    }
    text.truncate(text.trim_end().len());
    text
}

fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Known(known) => known.as_str(),
        Outcome::Unknown => "*",
    }
}

#[test]
fn legal_games_of_every_variant_are_certified() {
    let mut random = Random(960);
    for (variant, name) in VARIANTS {
        let mut text = String::new();
        let (mut decided, mut plies, mut promotions) = (0, 0, 0);
        for _ in 0..40 {
            let (moves, outcome) = playout(&mut random, variant);
            decided += usize::from(outcome.is_known());
            plies += moves.len();
            promotions += moves.iter().filter(|(san, _)| san.contains('=')).count();
            let words = movetext(moves.iter().map(|(san, _)| san.as_str()));
            text += &game(&format!("[Variant \"{name}\"]\n"), result(outcome), &words);
        }
        let report = judge(&text);
        assert!(report.findings.is_empty(), "{name}: {:?}", report.findings[0]);
        let games = &report.records.games;
        assert!(games.iter().all(|game| game.verdict == Verdict::Certified), "{name}");
        let certified: u32 = games.iter().map(|game| game.certified_plies).sum();
        assert_eq!(certified as usize, plies, "{name}");
        assert_eq!(games.iter().map(|game| game.promotions).sum::<u32>() as usize, promotions);
        let ended = games.iter().filter(|game| game.end_state != EndState::None).count();
        assert_eq!(ended, decided, "{name}");
        assert!(report.records.promotions.is_empty(), "{name}");
    }
}

/// The move taken for the fault is that of another ply, which happens to be illegal there.
#[test]
fn a_move_that_is_illegal_is_found_at_its_ply() {
    let mut random = Random(61);
    for (variant, name) in VARIANTS {
        let mut found = 0;
        for _ in 0..20 {
            let (moves, _) = playout(&mut random, variant);
            let at = random.below(moves.len());
            let (word, _) = &moves[random.below(moves.len())];
            let bare: SanPlus = word.parse().expect("a SAN");
            // Only the capture mark may be wrong, and then the move stands.
            let fits = |m: &Move| {
                let san = SanPlus::from_move(moves[at].1.clone(), *m).san.to_string();
                san.replace('x', "") == bare.san.to_string().replace('x', "")
            };
            let legal = moves[at].1.legal_moves();
            let named = bare.san.to_move(&moves[at].1);
            if legal.iter().any(fits) || named != Err(shakmaty::san::SanError::IllegalSan) {
                continue;
            }
            let words = movetext(
                moves
                    .iter()
                    .enumerate()
                    .map(|(ply, (san, _))| if ply == at { word } else { san })
                    .map(String::as_str),
            );
            let text = game(&format!("[Variant \"{name}\"]\n"), "*", &words);
            let report = judge(&text);
            let finding = &report.findings[0];
            assert_eq!(report.findings.len(), 1, "{text}");
            assert_eq!(finding.ply.map(|ply| ply.index as usize), Some(at + 1), "{text}");
            assert_eq!(&text[finding.span.range()], word, "{text}");
            assert!(finding.fen.is_some());
            assert_eq!(report.records.games[0].certified_plies as usize, at);
            assert_eq!(report.records.games[0].plies as usize, moves.len());
            found += 1;
        }
        assert!(found >= 5, "{name}: {found}");
    }
}

#[test]
fn variations_of_a_variant_are_replayed_by_its_rules() {
    let crazyhouse = "[Variant \"Crazyhouse\"]\n";
    let sound = "1. e4 d5 2. exd5 Qxd5 3. Nc3 (3. P@d6 exd6 (3... cxd6)) 3... Qa5";
    assert_eq!(findings(&game(crazyhouse, "*", sound)), []);
    let faulty = sound.replace("P@d6", "N@d6");
    let text = game(crazyhouse, "*", &faulty);
    assert_eq!(findings(&text), [("M325", "N@d6".to_owned(), Some(5))]);
}

#[test]
fn marks_numbers_and_letters_too_many_are_told_as_in_chess() {
    let crazyhouse = "[Variant \"Crazyhouse\"]\n";
    for (movetext, code, word) in [
        ("1. e4+ e5", "N701", "e4+"),
        ("1. e4 d5 2. exd5 Qd5", "N702", "Qd5"),
        ("1. Ngf3 e5", "N703", "Ngf3"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 d6", "N704", "0-0"),
        ("1. e4 e5 3. Nf3 Nc6", "S117", "3."),
    ] {
        let (told, token, _) = only(&game(crazyhouse, "*", movetext));
        assert_eq!((told, token.as_str()), (code, word), "{movetext}");
    }
    let mate = game(crazyhouse, "0-1", "1. f3 e5 2. g4 Qh4+");
    assert_eq!(only(&mate).0, "N713");
}

#[test]
fn a_win_by_the_variants_own_rule_may_carry_any_mark() {
    let hill = "[Variant \"King of the Hill\"]\n";
    let walk = "1. e3 e6 2. Ke2 Ke7 3. Kf3 a6 4. Kf4 b6 5. Ke5";
    for mark in ["", "#", "+"] {
        assert_eq!(findings(&game(hill, "1-0", &format!("{walk}{mark}"))), [], "{mark}");
    }
}

#[test]
fn the_board_decides_the_result() {
    let hill = "[Variant \"King of the Hill\"]\n";
    let walk = "1. e3 e6 2. Ke2 a6 3. Kf3 a5 4. Kf4 b6 5. Ke4";
    let (code, token, message) = only(&game(hill, "0-1", walk));
    assert_eq!((code, token.as_str()), ("R604", "Ke4"));
    assert!(message.starts_with("the king of White has reached the centre"), "{message}");
    let report = judge(&game(hill, "1-0", walk));
    assert_eq!(report.records.games[0].end_state, EndState::VariantEnd);
    let checks =
        "[Variant \"3check\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1\"]\n";
    assert_eq!(only(&game(checks, "*", "1. Ra8+")).0, "R604");
}

#[test]
fn what_follows_the_end_is_told_with_the_end() {
    let hill = "[Variant \"koth\"]\n";
    let text = game(hill, "1-0", "1. e3 e6 2. Ke2 a6 3. Kf3 a5 4. Kf4 b6 5. Ke4 b5 6. a3");
    let (code, token, message) = only(&text);
    assert_eq!((code, token.as_str()), ("M320", "b5"));
    assert!(message.contains("the king of White has reached the centre"), "{message}");
}

#[test]
fn crazyhouse_without_its_tag_is_known_by_its_drops() {
    let moves = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. P@d6 exd6";
    let (code, token, _) = only(&game("", "*", moves));
    assert_eq!((code, token.as_str()), ("T223", "P@d6"));
    let report = judge(&game("", "*", moves));
    assert_eq!(report.records.games[0].certified_plies, 8);
    // Nothing is in hand: it is no crazyhouse, and the drop cannot be read.
    assert_eq!(findings(&game("", "*", "1. e4 N@f6"))[0].0, "M317");
}

#[test]
fn an_event_names_the_variant_of_moves_that_chess_does_not_allow() {
    let atomic = |movetext| {
        game("", "*", movetext).replace("[Event \"?\"]", "[Event \"Rated Atomic game\"]")
    };
    let (code, token, _) = only(&atomic("1. e4 d5 2. exd5 Qd4"));
    assert_eq!((code, token.as_str()), ("T223", "Rated Atomic game"));
    assert_eq!(findings(&atomic("1. e4 d5 2. exd5 Qxd5")), []);
}

#[test]
fn a_fen_names_its_variant_by_pieces_in_hand_checks_or_a_start_of_its_own() {
    for (fen, movetext, name) in [
        ("4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1", "1. Q@a1 N@a6", "Crazyhouse"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 3+3 0 1", "1. Rh8+ Kd7", "Three-check"),
        (HORDE, "1. f6 gxf6 2. gxf6 exf6", "Horde"),
        (RACING_KINGS, "1. Kh3 Ka3 2. Kh4 Ka4", "Racing Kings"),
    ] {
        let text = game(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"), "*", movetext);
        let (code, token, _) = only(&text);
        assert_eq!((code, token.as_str()), ("T223", fen));
        let report = judge(&text);
        let fix = report.findings[0].fix.as_ref().expect("a fix");
        let content = String::from_utf8(fix.edits[0].content.clone()).expect("text");
        assert!(content.contains(&format!("[Variant \"{name}\"]")), "{content}");
    }
}

#[test]
fn a_fault_behind_the_start_of_horde_or_racing_kings_is_found_at_its_ply() {
    for (fen, event, movetext) in [
        (HORDE, "Rated Horde game", "1. f6 gxf6 2. gxf6 Qd5"),
        // A check, which no side may give.
        (RACING_KINGS, "Rated Racing Kings game", "1. Kh3 Ka3 2. Kh4 Rb6 3. Nxc2"),
    ] {
        let by_fen = game(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"), "*", movetext);
        let by_event =
            game("", "*", movetext).replace("[Event \"?\"]", &format!("[Event \"{event}\"]"));
        for (text, evidence) in [(by_fen, fen), (by_event, event)] {
            let told = findings(&text);
            assert_eq!(told.len(), 2, "{told:?}");
            assert_eq!((told[0].0, told[0].1.as_str()), ("T223", evidence), "{text}");
            let plies = judge(&text).records.games[0].certified_plies;
            assert_eq!(told[1].2, Some(plies + 1), "{text}");
            assert!(plies >= 3, "{told:?}");
        }
    }
}

#[test]
fn a_fault_in_chess_stays_one_whatever_the_event_is_called() {
    let text = game("", "*", "1. e4 e5 2. Qh9").replace("[Event \"?\"]", "[Event \"Horde Cup\"]");
    assert_eq!(findings(&text), [("M317", "Qh9".to_owned(), Some(3))]);
}

#[test]
fn chess960_castling_has_one_spelling_from_every_start() {
    for (fen, movetext) in [
        (
            "nrbbkrqn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKRQN w FBfb - 0 1",
            "1. f3 f6 2. Qf2 Qf7 3. O-O O-O",
        ),
        ("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "1. O-O-O Ke7 2. Kb1 Ke6"),
        ("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "1. O-O Ke7"),
        ("rk6/8/8/8/8/8/8/4K3 b q - 0 1", "1... O-O-O 2. Ke2"),
    ] {
        let tags = format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
        assert_eq!(findings(&game(&tags, "*", movetext)), [], "{fen}");
    }
}
