//! One fault of each kind, put into a generated legal game: it is found at its ply, nothing else
//! is, and the games before and after it are untouched.

use pgn_arbiter::diagnostics::Severity;
use pgn_arbiter::engine::Chunk;
use pgn_arbiter::judge::{ChunkReport, Judge};
use pgn_arbiter::replay::{ExaminerOptions, Verdict};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position, Role, Square};

/// A small linear congruential generator: the same games in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// A legal game that has not ended, with the position before each move.
struct Game {
    moves: Vec<(Chess, Move, String)>,
}

impl Game {
    /// Likes captures and promotions, so that there is something to spoil.
    fn random(random: &mut Random) -> Game {
        let mut position = Chess::new();
        let mut moves = Vec::new();
        for _ in 0..30 + random.below(120) {
            let legal = position.legal_moves();
            let rare = |m: &Move| m.is_en_passant() || m.is_castle();
            let wanted: Vec<Move> = match random.below(3) {
                0 if legal.iter().any(rare) => legal.iter().copied().filter(rare).collect(),
                0 => legal.iter().copied().filter(|m| m.is_promotion()).collect(),
                1 => legal.iter().copied().filter(|m| m.is_zeroing()).collect(),
                _ => Vec::new(),
            };
            let pool = if wanted.is_empty() { legal.to_vec() } else { wanted };
            let m = pool[random.below(pool.len())];
            let mut next = position.clone();
            next.play_unchecked(m);
            // The game must be able to go on, with pieces on the board.
            if next.legal_moves().is_empty() || next.board().occupied().count() < 6 {
                break;
            }
            let san = SanPlus::from_move(position.clone(), m).to_string();
            moves.push((position, m, san));
            position = next;
        }
        Game { moves }
    }

    fn words(&self) -> Vec<String> {
        self.moves.iter().map(|(_, _, san)| san.clone()).collect()
    }
}

const TAGS: &str = "[Event \"Generated\"]\n[Site \"Hillford\"]\n[Date \"2001.02.03\"]\n\
    [Round \"1\"]\n[White \"Holm, Ada\"]\n[Black \"Brandt, Kai\"]\n[Result \"1-0\"]\n";

/// Movetext with numbers.
fn movetext(words: &[String]) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        if index % 2 == 0 {
            text += &format!("{}. ", index / 2 + 1);
        }
        text += word;
        text.push(if index % 12 == 11 { '\n' } else { ' ' });
    }
    text
}

fn whole(words: &[String]) -> String {
    format!("{TAGS}\n{}1-0\n\n", movetext(words))
}

fn judge(text: &str) -> ChunkReport {
    let bytes = text.as_bytes().to_vec();
    let chunk = Chunk { bytes, last: true, ..Chunk::default() };
    Judge {
        options: ExaminerOptions { collect: true, ..ExaminerOptions::default() },
        ..Judge::default()
    }
    .judge(&chunk)
}

/// Codes and plies of the errors and warnings of a game.
fn faults(report: &ChunkReport, game: u32) -> Vec<(&'static str, Option<u32>)> {
    let of_game = report.findings.iter().filter(|finding| finding.game == Some(game));
    of_game
        .filter(|finding| finding.rule.severity != Severity::Info)
        .map(|finding| (finding.rule.code, finding.ply.map(|ply| ply.index)))
        .collect()
}

/// Puts a fault into the game at a ply (from 1) and says what must be found, or gives up.
type Spoil = fn(&Game, usize) -> Option<(String, &'static str, u32)>;

/// Another word for the move at the ply; the finding stands there.
fn word(
    game: &Game,
    ply: usize,
    word: Option<String>,
    code: &'static str,
) -> Option<(String, &'static str, u32)> {
    let mut words = game.words();
    let word = word?;
    if words[ply - 1] == word {
        return None;
    }
    words[ply - 1] = word;
    Some((whole(&words), code, ply as u32))
}

/// Text put in behind the move at the ply.
fn behind(
    game: &Game,
    ply: usize,
    text: &str,
    code: &'static str,
) -> Option<(String, &'static str, u32)> {
    let mut words = game.words();
    words[ply - 1] += text;
    Some((whole(&words), code, ply as u32))
}

fn san(game: &Game, ply: usize) -> (&Chess, Move, &str) {
    let (position, m, san) = &game.moves[ply - 1];
    (position, *m, san)
}

fn piece_letter(san: &str) -> Option<char> {
    san.chars().next().filter(|letter| "NBRQK".contains(*letter))
}

fn figurine(letter: char) -> char {
    ['♔', '♕', '♖', '♗', '♘']["KQRBN".find(letter).unwrap()]
}

fn long(m: Move, san: &str) -> String {
    let sign = if m.is_capture() { "x" } else { "-" };
    let piece = piece_letter(san).map(String::from).unwrap_or_default();
    let promotion = m.promotion().map_or(String::new(), |role| format!("={}", role.upper_char()));
    let mark = san.trim_start_matches(|letter| !matches!(letter, '+' | '#'));
    format!("{piece}{}{sign}{}{promotion}{mark}", m.from().unwrap(), m.to())
}

const SPOILS: &[(&str, Spoil)] = &[
    ("a knight that jumps too far", |game, ply| {
        let (position, _, _) = san(game, ply);
        let legal = position.legal_moves();
        let square = position.board().occupied().into_iter().next()?;
        // A knight's move to a square that no knight reaches, and that is empty.
        let target = Square::ALL.into_iter().find(|to| {
            *to != square
                && !position.board().occupied().contains(*to)
                && legal.iter().all(|m| m.role() != Role::Knight || m.to() != *to)
                && (shakmaty::attacks::knight_attacks(*to) & position.board().knights()).is_empty()
        })?;
        // With the other side's knight gone too, nothing but M310 can be said.
        word(game, ply, Some(format!("N{target}")), "M310")
    }),
    ("no square of that name", |game, ply| word(game, ply, Some("Nf9".into()), "M317")),
    ("a null move", |game, ply| {
        let (position, _, _) = san(game, ply);
        if position.is_check() { None } else { word(game, ply, Some("--".into()), "M318") }
    }),
    ("a check mark too many", |game, ply| {
        let (_, _, san) = san(game, ply);
        let plain = !san.ends_with(['+', '#']);
        plain.then(|| behind(game, ply, "+", "N701")).flatten()
    }),
    ("a check mark too few", |game, ply| {
        let (_, _, san) = san(game, ply);
        san.strip_suffix('+').and_then(|less| word(game, ply, Some(less.to_owned()), "N701"))
    }),
    ("a check in words", |game, ply| {
        let (_, _, san) = san(game, ply);
        san.strip_suffix('+').and_then(|less| word(game, ply, Some(format!("{less}ch")), "N701"))
    }),
    ("a check in words behind the move", |game, ply| {
        let (_, _, san) = san(game, ply);
        let less = san.strip_suffix('+')?;
        word(game, ply, Some(format!("{less} dis ch")), "N701")
    }),
    ("a capture without x", |game, ply| {
        let (_, _, san) = san(game, ply);
        san.contains('x').then(|| word(game, ply, Some(san.replace('x', "")), "N702")).flatten()
    }),
    ("a capture with a colon", |game, ply| {
        let (_, _, san) = san(game, ply);
        san.contains('x').then(|| word(game, ply, Some(san.replace('x', ":")), "N702")).flatten()
    }),
    ("an origin that is not needed", |game, ply| {
        let (_, m, san) = san(game, ply);
        let letter = piece_letter(san).filter(|letter| *letter != 'K')?;
        let rest = &san[1..];
        let short = rest.trim_start_matches('x').trim_end_matches(['+', '#']);
        (short.len() == 2)
            .then(|| word(game, ply, Some(format!("{letter}{}{rest}", m.from()?.file())), "N703"))
            .flatten()
    }),
    ("castling with zeros", |game, ply| {
        let (_, m, san) = san(game, ply);
        m.is_castle().then(|| word(game, ply, Some(san.replace('O', "0")), "N704")).flatten()
    }),
    ("a promotion in parentheses", |game, ply| {
        let (_, m, san) = san(game, ply);
        let letter = m.promotion()?.upper_char();
        word(game, ply, Some(san.replace(&format!("={letter}"), &format!("({letter})"))), "N705")
    }),
    ("a promotion without its piece", |game, ply| {
        let (_, m, san) = san(game, ply);
        let letter = m.promotion()?.upper_char();
        word(game, ply, Some(san.replace(&format!("={letter}"), "")), "P401")
    }),
    ("a promotion to a king", |game, ply| {
        let (_, m, san) = san(game, ply);
        let letter = m.promotion()?.upper_char();
        word(game, ply, Some(san.replace(&format!("={letter}"), "=K")), "P402")
    }),
    ("a promotion off the last rank", |game, ply| {
        let (_, m, san) = san(game, ply);
        let pawn = m.role() == Role::Pawn && !m.is_promotion();
        pawn.then(|| word(game, ply, Some(format!("{}=Q", san.trim_end_matches('+'))), "P403"))
            .flatten()
    }),
    ("a small piece letter", |game, ply| {
        let (_, _, san) = san(game, ply);
        // A small b may be a file.
        let letter = piece_letter(san).filter(|letter| *letter != 'B')?;
        word(game, ply, Some(format!("{}{}", letter.to_ascii_lowercase(), &san[1..])), "N706")
    }),
    ("a figurine", |game, ply| {
        let (_, _, san) = san(game, ply);
        let letter = piece_letter(san)?;
        word(game, ply, Some(format!("{}{}", figurine(letter), &san[1..])), "N707")
    }),
    ("long algebraic", |game, ply| {
        let (_, m, san) = san(game, ply);
        // Of pieces that capture, the standard allows the whole origin.
        let plain = !(m.is_castle() || m.is_capture() && m.role() != Role::Pawn);
        plain.then(|| word(game, ply, Some(long(m, san)), "N709")).flatten()
    }),
    ("engine notation", |game, ply| {
        let (_, m, _) = san(game, ply);
        let uci = m.to_uci(shakmaty::CastlingMode::Standard).to_string();
        word(game, ply, Some(uci), "N710")
    }),
    ("en passant in words", |game, ply| {
        let (_, m, _) = san(game, ply);
        m.is_en_passant().then(|| behind(game, ply, " e.p.", "N711")).flatten()
    }),
    ("a draw offer", |game, ply| {
        let (_, m, san) = san(game, ply);
        let plain = !m.is_promotion() && !san.ends_with(['+', '#']);
        plain.then(|| behind(game, ply, "=", "N712")).flatten()
    }),
    ("a draw offer in parentheses", |game, ply| behind(game, ply, " (=)", "N712")),
    ("an evaluation", |game, ply| behind(game, ply, " +-", "A802")),
    ("an evaluation that hangs on the move", |game, ply| behind(game, ply, "±", "A802")),
    ("three exclamation marks", |game, ply| behind(game, ply, "!!!", "A802")),
    ("a pawn capture without its rank", |game, ply| {
        let (position, m, san) = san(game, ply);
        let pawn = m.role() == Role::Pawn && m.is_capture() && !m.is_promotion();
        let same = position.legal_moves().into_iter().filter(|other| {
            other.role() == Role::Pawn
                && other.from().map(Square::file) == m.from().map(Square::file)
                && other.to().file() == m.to().file()
        });
        let mark = if san.ends_with('+') { "+" } else { "" };
        (pawn && same.count() == 1)
            .then(|| word(game, ply, Some(format!("{}{mark}", &san[..3])), "M326"))
            .flatten()
    }),
    ("a figurine as a character reference", |game, ply| {
        let (_, _, san) = san(game, ply);
        let letter = piece_letter(san)?;
        let code = figurine(letter) as u32;
        word(game, ply, Some(format!("&#{code};{}", &san[1..])), "N707")
    }),
    ("the sign of a novelty", |game, ply| {
        let (_, m, san) = san(game, ply);
        let plain = !m.is_promotion() && !m.is_castle() && !san.ends_with(['+', '#']);
        plain.then(|| behind(game, ply, "N", "A802")).flatten()
    }),
    ("castling with a dash and zeros", |game, ply| {
        let (_, m, san) = san(game, ply);
        let word_ = san.replace('O', "0").replace('-', "\u{2013}");
        m.is_castle().then(|| word(game, ply, Some(word_), "N704")).flatten()
    }),
    ("squares as digits", |game, ply| {
        let (_, m, _) = san(game, ply);
        if m.is_castle() || m.is_promotion() {
            return None;
        }
        let square =
            |square: Square| format!("{}{}", square.file() as u32 + 1, square.rank() as u32 + 1);
        word(game, ply, Some(square(m.from()?) + &square(m.to())), "N710")
    }),
    ("a comma", |game, ply| behind(game, ply, ",", "S101")),
    ("a token that is none", |game, ply| behind(game, ply, " |", "S101")),
    ("a word that is no move", |game, ply| behind(game, ply, " hello", "S101")),
    ("a closing brace", |game, ply| behind(game, ply, " }", "S111")),
    ("a closing parenthesis", |game, ply| behind(game, ply, " )", "S113")),
    ("a brace in a comment", |game, ply| behind(game, ply, " {a { b}", "S110")),
    ("an empty line", |game, ply| {
        (ply < game.moves.len()).then(|| behind(game, ply, "\n\n", "S106")).flatten()
    }),
    ("a variation that is illegal", |game, ply| behind(game, ply, " (e8=K)", "M325")),
    ("a null move in a variation, which is a fact", |game, ply| {
        let (position, _, _) = san(game, ply);
        if position.is_check() { None } else { behind(game, ply, " (--)", "") }
    }),
];

fn found_alone(
    what: &str,
    game: &Game,
    ply: usize,
    spoil: Spoil,
    before: &str,
    after: &str,
) -> bool {
    let Some((text, code, at)) = spoil(game, ply) else { return false };
    let report = judge(&format!("{before}{text}{after}"));
    assert_eq!(report.records.games.len(), 3, "{what}: {text}");
    let expected = if code.is_empty() { vec![] } else { vec![(code, Some(at))] };
    assert_eq!(faults(&report, 1), expected, "{what}, ply {ply}: {text}");
    for neighbour in [0, 2] {
        assert_eq!(faults(&report, neighbour), [], "{what}: {text}");
        assert_eq!(report.records.games[neighbour as usize].verdict, Verdict::Certified);
    }
    let sound = judge(&whole(&game.words()));
    let (spoiled, sound) = (&report.records.games[1], &sound.records.games[0]);
    // What leaves the move certain leaves every move certain.
    if !matches!(code.as_bytes().first(), Some(b'P')) && !["M310", "M317", "M318"].contains(&code) {
        assert_eq!(spoiled.certified_plies, sound.certified_plies, "{what}: {text}");
        assert_eq!(spoiled.moves_key, sound.moves_key, "{what}: {text}");
    } else {
        assert_eq!(spoiled.certified_plies, at - 1, "{what}: {text}");
    }
    true
}

#[test]
fn every_kind_of_fault_is_found_at_its_ply_and_alone() {
    let mut random = Random(20);
    let neighbours: Vec<String> =
        (0..4).map(|_| whole(&Game::random(&mut random).words())).collect();
    let mut seen = vec![0; SPOILS.len()];
    for _ in 0..60 {
        let game = Game::random(&mut random);
        for (kind, (what, spoil)) in SPOILS.iter().enumerate() {
            // The rare moves are looked for, the others taken by chance.
            let start = random.below(game.moves.len());
            let plies = (0..game.moves.len()).map(|ply| (start + ply) % game.moves.len() + 1);
            let (before, after) = (&neighbours[random.below(4)], &neighbours[random.below(4)]);
            for ply in plies {
                if found_alone(what, &game, ply, *spoil, before, after) {
                    seen[kind] += 1;
                    break;
                }
            }
        }
    }
    for ((what, _), times) in SPOILS.iter().zip(seen) {
        assert!(times >= 3, "{what} was tried {times} times");
    }
}

/// Spoils the text of a game around its moves; what is found, and whether every move stays certain.
type Break = fn(&str) -> String;

const BREAKS: &[(&str, Break, &str, bool)] = &[
    ("a comment that is never closed", |text| at_move(text, 6, "{ a remark "), "S108", false),
    ("a variation that is never closed", |text| at_move(text, 6, "( "), "S112", false),
    ("no marker", |text| text.replace("1-0\n\n", "\n\n"), "S107", true),
    ("no empty line behind the tags", |text| text.replace("]\n\n", "]\n"), "S104", true),
    ("an empty line in the tags", |text| text.replace("[Site", "\n[Site"), "S105", true),
    ("an empty line in the moves", |text| at_move(text, 6, "\n\n"), "S106", true),
    ("glued to the next game", |text| text.replace("1-0\n\n", "1-0 "), "S103", true),
    ("text behind the game", |text| format!("{text}Board two follows.\n\n"), "S102", true),
    ("a number that does not fit", |text| text.replace(" 4. ", " 5. "), "S117", true),
    ("markup of a web page", |text| at_move(text, 6, "<br>\n"), "S119", true),
    ("a glyph out of range", |text| at_move(text, 6, "$400 "), "A801", true),
    ("a tag of the roster missing", |text| text.replace("[Round \"1\"]\n", ""), "T201", true),
    ("a tag twice", |text| text.replace("[Date", "[Round \"1\"]\n[Date"), "T202", true),
    ("a tag with two values", |text| text.replace("[Date", "[Round \"2\"]\n[Date"), "T203", true),
    ("a tag's name in another case", |text| text.replace("[Round", "[ROUND"), "T204", true),
    (
        "a name of other characters",
        |text| text.replace("[Date", "[No:te \"x\"]\n[Date"),
        "T205",
        true,
    ),
    ("a quote in a value", |text| text.replace("Holm, Ada", "Holm \"A\" Ada"), "T206", true),
    ("an escape of nothing", |text| text.replace("Holm, Ada", "Holm\\, Ada"), "T207", true),
    ("a value over two lines", |text| text.replace("Holm, Ada", "Holm,\nAda"), "T208", true),
    ("a bracket missing", |text| text.replace("Ada\"]", "Ada\""), "T209", true),
    ("quotes missing", |text| text.replace("\"1\"", "1"), "T210", true),
    ("typographic quotes", |text| text.replace("\"1\"", "\u{201c}1\u{201d}"), "T211", true),
    ("no date", |text| text.replace("2001.02.03", "3.2.2001"), "T214", true),
    ("no rating", |text| text.replace("[Date", "[WhiteElo \"good\"]\n[Date"), "T215", true),
    (
        "a wrong number of plies",
        |text| text.replace("[Date", "[PlyCount \"7\"]\n[Date"),
        "T225",
        true,
    ),
    ("another result in the tag", |text| text.replace("\"1-0\"", "\"0-1\""), "R601", true),
    ("a result that is not told", |text| text.replace("\"1-0\"", "\"*\""), "R602", true),
    ("a result in another spelling", |text| text.replace("1-0\n\n", "1:0\n\n"), "R603", true),
    ("a zero byte", |text| at_move(text, 6, "\0 "), "B007", true),
    ("a mark inside", |text| at_move(text, 6, "\u{feff} "), "B002", true),
    ("a space of another kind", |text| at_move(text, 6, "\u{a0}"), "B010", true),
    ("a name decoded twice", |text| text.replace("Brandt", "MÃ¼ller"), "B016", true),
];

/// Puts text before the `number`th move of White.
fn at_move(text: &str, number: usize, what: &str) -> String {
    let place = format!(" {number}. ");
    let at = text.find(&place).or_else(|| text.find(&format!("\n{number}. "))).expect(text);
    format!("{} {what}{}", &text[..at], &text[at + 1..])
}

#[test]
fn every_kind_of_broken_text_is_found_alone_and_costs_no_neighbour() {
    let mut random = Random(11);
    for _ in 0..12 {
        let [before, game, after] = [(); 3].map(|()| whole(&Game::random(&mut random).words()));
        let sound = judge(&game);
        for (what, spoil, code, certain) in BREAKS {
            let spoiled = spoil(&game);
            assert_ne!(spoiled, game, "{what}");
            let report = judge(&format!("{before}{spoiled}{after}"));
            assert_eq!(report.records.games.len(), 3, "{what}: {spoiled}");
            // What stands between games is of no game.
            let own = if *code == "S102" { Vec::new() } else { vec![*code] };
            let found: Vec<&str> = faults(&report, 1).iter().map(|(code, _)| *code).collect();
            assert_eq!(found, own, "{what}: {spoiled}");
            assert!(report.counts.codes.contains_key(code), "{what}: {spoiled}");
            for neighbour in [0, 2] {
                assert_eq!(faults(&report, neighbour), [], "{what}: {spoiled}");
                assert_eq!(report.records.games[neighbour as usize].verdict, Verdict::Certified);
            }
            let (ours, sound) = (&report.records.games[1], &sound.records.games[0]);
            assert_eq!(
                (ours.certified_plies, ours.moves_key) == (sound.plies, sound.moves_key),
                *certain,
                "{what}: {spoiled}"
            );
            assert!(report.counts.ledger.balances(), "{what}");
        }
    }
}

/// Letters for knight, bishop, rook, queen and king.
const LANGUAGES: &[(&str, [&str; 5])] = &[
    ("German", ["S", "L", "T", "D", "K"]),
    ("Spanish", ["C", "A", "T", "D", "R"]),
    ("French", ["C", "F", "T", "D", "R"]),
    ("Portuguese", ["C", "B", "T", "D", "R"]),
    ("Romanian", ["C", "N", "T", "D", "R"]),
    ("Dutch", ["P", "L", "T", "D", "K"]),
    ("Czech", ["J", "S", "V", "D", "K"]),
    ("Polish", ["S", "G", "W", "H", "K"]),
    ("Hungarian", ["H", "F", "B", "V", "K"]),
    ("Finnish", ["R", "L", "T", "D", "K"]),
    ("Estonian", ["R", "O", "V", "L", "K"]),
    ("Icelandic", ["R", "B", "H", "D", "K"]),
    ("Russian", ["К", "С", "Л", "Ф", "Кр"]),
    ("Ukrainian", ["К", "С", "Т", "Ф", "Кр"]),
    ("figurines", ["♘", "♗", "♖", "♕", "♔"]),
    ("Latin letters for Cyrillic ones", ["K", "C", "Л", "Ф", "Kp"]),
];

#[test]
fn a_game_in_any_language_reads_as_the_same_game() {
    let mut random = Random(3);
    for (language, letters) in LANGUAGES {
        for _ in 0..12 {
            let game = Game::random(&mut random);
            let translated: Vec<String> = game
                .words()
                .iter()
                .map(|san| {
                    let mut word = String::new();
                    for letter in san.chars() {
                        match "NBRQK".find(letter) {
                            Some(index) => word.push_str(letters[index]),
                            None => word.push(letter),
                        }
                    }
                    word
                })
                .collect();
            let text = whole(&translated);
            let (ours, sound) = (judge(&text), judge(&whole(&game.words())));
            let (ours_game, sound_game) = (&ours.records.games[0], &sound.records.games[0]);
            assert_eq!(ours_game.certified_plies, sound_game.plies, "{language}: {text}");
            assert_eq!(ours_game.moves_key, sound_game.moves_key, "{language}: {text}");
            let rule = if *language == "figurines" { "N707" } else { "N708" };
            assert!(faults(&ours, 0).iter().all(|(code, _)| *code == rule), "{language}: {text}");
        }
    }
}

/// The words of a game in another notation.
type Write = fn(&Game) -> Vec<String>;

const NOTATIONS: &[(&str, Write, &str)] = &[
    (
        "long algebraic",
        |game| {
            let long = |(_, m, san): &(Chess, Move, String)| match m.is_castle() {
                true => san.clone(),
                false => long(*m, san),
            };
            game.moves.iter().map(long).collect()
        },
        "N709",
    ),
    (
        "engine notation",
        |game| {
            let uci = |m: Move| m.to_uci(shakmaty::CastlingMode::Standard).to_string();
            game.moves.iter().map(|(_, m, _)| uci(*m)).collect()
        },
        "N710",
    ),
];

#[test]
fn a_game_in_another_notation_has_one_finding_and_the_same_moves() {
    let mut random = Random(5);
    for (notation, write, rule) in NOTATIONS {
        for _ in 0..20 {
            let game = Game::random(&mut random);
            let text = whole(&write(&game));
            let (ours, sound) = (judge(&text), judge(&whole(&game.words())));
            let (ours_game, sound_game) = (&ours.records.games[0], &sound.records.games[0]);
            assert_eq!(ours_game.moves_key, sound_game.moves_key, "{notation}: {text}");
            assert_eq!(ours_game.certified_plies, sound_game.plies, "{notation}: {text}");
            let codes: Vec<&str> = faults(&ours, 0).iter().map(|(code, _)| *code).collect();
            assert_eq!(codes, [*rule], "{notation}: {text}");
        }
    }
}

/// Two squares in three notations without the piece's letter.
type WriteSquares = fn(Square, Square) -> String;

const SQUARES: &[(&str, WriteSquares)] = &[
    ("engine notation", |from, to| format!("{from}{to}")),
    ("long algebraic", |from, to| format!("{from}-{to}")),
    ("numeric notation", |from, to| {
        let digits = |square: Square| 11 + 10 * (square.file() as u32) + square.rank() as u32;
        format!("{}{}", digits(from), digits(to))
    }),
];

#[test]
fn an_illegal_move_is_found_at_its_ply_in_every_notation() {
    let mut random = Random(13);
    for (notation, write) in SQUARES {
        for _ in 0..60 {
            let game = Game::random(&mut random);
            let ply = 2 + random.below(game.moves.len() - 2);
            let (position, ..) = &game.moves[ply - 1];
            let legal = position.legal_moves();
            let own: Vec<Square> = position.us().into_iter().collect();
            let (from, to) = loop {
                let from = own[random.below(own.len())];
                let to = Square::ALL[random.below(64)];
                // A king onto a rook is castling to an engine, and two squares apart likewise.
                let castling = position.board().role_at(from) == Some(Role::King);
                if from != to
                    && !castling
                    && legal.iter().all(|m| m.from() != Some(from) || m.to() != to)
                {
                    break (from, to);
                }
            };
            // Castling and promotions are left out of what is written in squares alone.
            let words = game.moves[..ply - 1].iter().map(|(_, m, san)| {
                let plain = !m.is_castle() && !m.is_promotion();
                if plain { write(m.from().unwrap(), m.to()) } else { san.clone() }
            });
            let mut words: Vec<String> = words.collect();
            words.push(write(from, to));
            let text = whole(&words);
            let report = judge(&text);
            let errors: Vec<u32> = report
                .findings
                .iter()
                .filter(|finding| finding.rule.severity == Severity::Error)
                .map(|finding| finding.ply.map_or(0, |ply| ply.index))
                .collect();
            assert_eq!(errors, [ply as u32], "{notation}, {from}{to}: {text}");
            assert_eq!(report.records.games[0].certified_plies, ply as u32 - 1, "{text}");
        }
    }
}

#[test]
fn a_game_whose_moves_are_run_together_reads_as_the_same_game() {
    let mut random = Random(9);
    let (mut read, mut games) = (0, 0);
    for _ in 0..20 {
        let game = Game::random(&mut random);
        let mut text = format!("{TAGS}\n");
        for (index, word) in game.words().iter().enumerate() {
            if index % 2 == 0 {
                text += &format!("{}.", index / 2 + 1);
            }
            text += word;
        }
        text += " 1-0\n\n";
        let (ours, sound) = (judge(&text), judge(&whole(&game.words())));
        games += 1;
        read += usize::from(ours.records.games[0].moves_key == sound.records.games[0].moves_key);
    }
    // Digits that stand for a rank and digits that begin a number cannot always be told apart.
    assert!(read * 10 >= games * 9, "{read} of {games}");
}
