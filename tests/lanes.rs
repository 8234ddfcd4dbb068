//! The fast lane and the examiner say the same of every game: of the fixtures, of random legal
//! games in chess and Chess960, of games that were damaged, and of whole archives.
//!
//! `PGN_ARBITER_ARCHIVES` names archives to be held against both, parted as in `PATH`.
//! `PGN_ARBITER_FUZZ_SECONDS` says how long the random games go on, from the seed in
//! `PGN_ARBITER_FUZZ_SEED`; without them a few hundred are made from a seed that does not change.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pgn_arbiter::engine::Chunk;
use pgn_arbiter::judge::{ChunkReport, Judge};
use pgn_arbiter::replay::{AfterIllegal, ExaminerOptions, Lane};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, Setup};

/// Judges a text in both lanes, with everything that tables want, and fails where they differ.
fn judge(bytes: &[u8], after_illegal: AfterIllegal, what: &str) -> ChunkReport {
    let options =
        ExaminerOptions { collect: true, lane: Lane::Both, after_illegal, ..Default::default() };
    let chunk = Chunk { bytes: bytes.to_vec(), last: true, ..Chunk::default() };
    let report = Judge { options, ..Judge::default() }.judge(&chunk);
    // Games are framed in other ways there, too.
    let [fast, alone] = [Lane::Fast, Lane::Examiner].map(|lane| {
        let options = ExaminerOptions { lane, ..options };
        let mut report = Judge { options, ..Judge::default() }.judge(&chunk);
        report.counts.lanes = Default::default();
        let spans: Vec<_> = report.records.games.iter().map(|game| game.span).collect();
        format!("{spans:?} {:?} {:?} {:?}", report.counts, report.findings, report.line_ends)
    });
    assert_eq!(fast, alone, "{what}");
    if let Some(difference) = report.records.lane_differences.first() {
        let game = String::from_utf8_lossy(difference.game.of(bytes));
        panic!("{what}: {difference}\n{game}");
    }
    report
}

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let folders = fs::read_dir(&root).expect("the fixtures are there");
    let mut files: Vec<PathBuf> = folders
        .flat_map(|entry| {
            let path = entry.expect("a fixture").path();
            match fs::read_dir(&path) {
                Ok(files) => files.map(|file| file.expect("a fixture").path()).collect(),
                Err(_) => vec![path],
            }
        })
        .filter(|path| path.extension().is_some_and(|ending| ending == "pgn"))
        .collect();
    files.sort();
    assert!(files.len() > 100, "only {} fixtures", files.len());
    files
}

#[test]
fn the_lanes_agree_on_every_fixture() {
    for file in fixtures() {
        let bytes = fs::read(&file).expect("a fixture");
        for after_illegal in [AfterIllegal::Report, AfterIllegal::Continue] {
            judge(&bytes, after_illegal, &file.display().to_string());
        }
    }
}

#[test]
fn the_lanes_agree_on_the_archives_of_the_environment() {
    let Some(archives) = std::env::var_os("PGN_ARBITER_ARCHIVES") else { return };
    for archive in std::env::split_paths(&archives) {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"))
            .args(["check", "--lane", "both", "--format", "summary", "--fail-on", "never"])
            .arg("--quiet")
            .arg(&archive)
            .output()
            .expect("the program starts");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {told}", archive.display());
    }
}

#[test]
fn the_lanes_agree_on_random_games_whole_and_damaged() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let time = number("PGN_ARBITER_FUZZ_SECONDS").map(Duration::from_secs);
    let mut random = Random(number("PGN_ARBITER_FUZZ_SEED").unwrap_or(1));
    let start = Instant::now();
    let files: Vec<Vec<u8>> = fixtures()
        .iter()
        .map(|file| fs::read(file).expect("a fixture"))
        .filter(|bytes| !bytes.is_empty() && bytes.len() < 16 * 1024)
        .collect();
    let (mut games, mut whole) = (0, 0);
    loop {
        let seed = random.0;
        let mut text = random.game();
        if random.rarely(3) {
            text = [text, random.game()].join(random.pick(&["\n", "\n\n", ""]));
        }
        let report = judge(text.as_bytes(), AfterIllegal::Report, &format!("seed {seed}"));
        whole += report.counts.lanes.fast_games;
        let fixture = files[random.below(files.len())].clone();
        for mut bytes in [text.into_bytes(), fixture] {
            for _ in 0..4 {
                random.damage(&mut bytes);
                let after_illegal = random.pick(&[AfterIllegal::Report, AfterIllegal::Continue]);
                judge(&bytes, after_illegal, &format!("seed {seed}, damaged"));
            }
        }
        games += 1;
        if time.map_or(games == 120, |time| start.elapsed() > time) {
            break;
        }
    }
    assert!(whole * 3 > games, "only {whole} of {games} games stayed in the fast lane");
    if time.is_some() {
        println!("{games} games, each damaged 4 times, with as many fixtures");
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// One time in so many.
    fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A legal game with tags, and with what people write between moves.
    fn game(&mut self) -> String {
        let (mut position, fen) = self.start();
        let mut text = String::from("[Event \"Random\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n");
        text += "[Round \"-\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n";
        if let Some(fen) = fen {
            text += &format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
        }
        if self.rarely(4) {
            text += self.pick(&[
                "[Termination \"Threefold repetition\"]\n",
                "[Termination \"Normal\"]\n",
                "[PlyCount \"80\"]\n",
            ]);
        }
        text.push('\n');
        let length = self.pick(&[0, 1, 20, 80, 80, 200, 400]);
        // Pieces that go to and fro repeat positions, and let the clock run.
        let restless = self.rarely(3);
        let mut numbered = false;
        for ply in 0..length {
            let mut moves = position.legal_moves();
            if restless {
                moves.retain(|m| !m.is_zeroing());
            }
            if moves.is_empty() {
                break;
            }
            let promotions = moves.iter().copied().filter(|m| m.is_promotion()).collect::<Vec<_>>();
            let m = match promotions.is_empty() {
                false => self.pick(&promotions),
                true => self.pick(&moves),
            };
            if position.turn() == Color::White {
                text += &format!("{}. ", position.fullmoves());
            } else if ply == 0 || numbered {
                text += &format!("{}... ", position.fullmoves());
            }
            numbered = self.rarely(12);
            let mut san = SanPlus::from_move(position.clone(), m).to_string();
            if self.rarely(60) {
                san = san.replace(['+', '#'], "");
            }
            text += &san;
            if numbered {
                text += self.pick(&[
                    " {a remark}",
                    "!?",
                    " $14",
                    " {[%clk 0:01:02] [%eval 0.1]}",
                    " (1. Nf3)",
                    " ; a line\n",
                ]);
            }
            text.push(self.pick(&[' ', ' ', ' ', '\n']));
            position.play_unchecked(m);
        }
        text += self.pick(&["*", "1-0", "0-1", "1/2-1/2", "{Draw by repetition} 1/2-1/2"]);
        text.push('\n');
        text
    }

    /// The start position of chess, one of Chess960, or one of double Chess960 with few pawns.
    fn start(&mut self) -> (Chess, Option<String>) {
        if self.rarely(2) {
            return (Chess::new(), None);
        }
        let number = |random: &mut Random| random.below(960) as u32;
        let white = shakmaty::Board::chess960(number(self)).to_string();
        let black = shakmaty::Board::chess960(number(self)).to_string();
        let (black, white) = (&black[..8], &white[white.len() - 8..]);
        let pawns = self.pick(&[("pppppppp", "PPPPPPPP"), ("p6p", "P6P"), ("2P5", "5p2")]);
        let fen = format!("{black}/{}/8/8/8/8/{}/{white} w KQkq - 0 1", pawns.0, pawns.1);
        let setup: Setup = fen.parse::<Fen>().expect("a FEN").into();
        match Chess::from_setup(setup, CastlingMode::Chess960) {
            Ok(position) => {
                let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
                (position, Some(fen))
            }
            Err(_) => (Chess::new(), None),
        }
    }

    /// Changes a few bytes of the movetext, or of the tags.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        const BYTES: &[u8] = b"NBRQKOabcdefgh12345678x=+#-().{}$;!?*0 \n\t.[]%\r\x80\xc2\xa0";
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len());
            match self.below(5) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, self.pick(BYTES)),
                2 => bytes[at] = self.pick(BYTES),
                3 => {
                    let other = self.below(bytes.len());
                    bytes.swap(at, other);
                }
                _ => {
                    // A piece of the text stands twice, or not at all.
                    let end = (at + self.below(12)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    if self.rarely(2) {
                        bytes.splice(at..at, piece);
                    } else {
                        bytes.drain(at..end);
                    }
                }
            }
            if bytes.is_empty() {
                bytes.push(b'*');
            }
        }
    }
}
