//! The program as it is run: what it prints, what it writes, how it ends.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const SOUND: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n\
    [White \"Ott, Jana\"]\n[Black \"Lund, Per\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";

/// No bishop can reach f8.
const ILLEGAL: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"2\"]\n\
    [White \"Ott, Jana\"]\n[Black \"Lund, Per\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bf8 1-0\n\n";

const PROSE: &str = "A letter about the games.\n\n";

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"));
        command.current_dir(self.0.path()).args(words.split_whitespace());
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).stdin(Stdio::null()).output().unwrap()
    }

    /// Standard output, of a run that did its job.
    fn printed(&self, words: &str) -> String {
        let output = self.run(words);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{words}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn status(&self, words: &str) -> i32 {
        self.run(words).status.code().unwrap()
    }

    fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }
}

fn archive(games: usize) -> String {
    let game = |n: usize| match n % 7 {
        2 => ILLEGAL.to_owned(),
        5 => format!("{SOUND}{PROSE}"),
        _ => SOUND.to_owned(),
    };
    (0..games).map(game).collect()
}

#[test]
fn the_status_says_whether_anything_weighs_as_much_as_was_asked_for() {
    let folder = Folder::new();
    folder.write("sound.pgn", SOUND);
    folder.write("prose.pgn", format!("{SOUND}{PROSE}{SOUND}"));
    folder.write("illegal.pgn", ILLEGAL);
    let table = [
        ("check sound.pgn", 0),
        ("check prose.pgn", 0),
        ("check prose.pgn --fail-on warning", 1),
        ("check prose.pgn --fail-on warning --ignore S102", 0),
        ("check illegal.pgn", 1),
        ("check illegal.pgn --fail-on never", 0),
        ("check illegal.pgn --ignore M", 0),
        ("check illegal.pgn sound.pgn", 1),
        ("check missing.pgn", 2),
        ("check missing.pgn illegal.pgn --fail-on never", 2),
        ("check .", 1),
        ("check", 2),
        ("check sound.pgn --select nonsense", 2),
        ("check sound.pgn --chunk-size 0", 2),
        ("check sound.pgn --output no/such/folder", 2),
        ("explain M303", 0),
        ("explain M3O3", 2),
    ];
    for (words, status) in table {
        assert_eq!(folder.status(words), status, "{words}");
    }
}

#[test]
fn a_number_of_threads_that_makes_no_sense_is_refused_with_the_limits() {
    let folder = Folder::new();
    folder.write("sound.pgn", SOUND);
    assert_eq!(folder.status("check sound.pgn --threads 512"), 0);
    for threads in ["0", "513", "100000", "-1"] {
        let output = folder.run(&format!("check sound.pgn --threads={threads}"));
        assert_eq!(output.status.code(), Some(2), "{threads}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("is not in 1..=512"), "{error}");
    }
}

#[test]
fn the_answer_depends_on_the_bytes_alone() {
    let folder = Folder::new();
    let text = archive(60);
    folder.write("a.pgn", &text);
    let formats = [
        "jsonl --games",
        "json --games",
        "sarif",
        "github",
        "full --min-severity info",
        "concise",
        "summary",
    ];
    for format in formats {
        let words = format!("check a.pgn --quiet --format {format}");
        let expected = folder.printed(&words);
        assert!(expected.contains("M3"), "{expected}");
        for how in ["--chunk-size 1", "--chunk-size 500 --threads 1", "--chunk-size 2K --threads 7"]
        {
            assert_eq!(folder.printed(&format!("{words} {how}")), expected, "{format} {how}");
        }
    }
}

/// A game with a thousand tokens that PGN does not know, of which it lists 200.
fn flooded() -> String {
    SOUND.replace("1. f3", &format!("{} 1. f3", "@@ ".repeat(1_000)))
}

#[test]
fn what_is_counted_and_not_listed_depends_on_no_chunk_and_no_selection() {
    let folder = Folder::new();
    folder.write("a.pgn", format!("{}{SOUND}{}", flooded(), flooded()));
    let summary = folder.printed("check a.pgn --quiet --format summary");
    assert!(summary.contains("... and 1,990 more (--all prints them, at most 200 "), "{summary}");
    for how in ["--chunk-size 1", "--chunk-size 3K --threads 2"] {
        let words = format!("check a.pgn --quiet --format summary {how}");
        assert_eq!(folder.printed(&words), summary, "{how}");
    }
    let all = folder.printed("check a.pgn --quiet --format summary --all");
    assert!(all.contains("... and 1,600 more (of one rule in one game at most 200 "), "{all}");
    for selection in ["", "--select S101", "--ignore M"] {
        folder.printed(&format!("check a.pgn -q --format jsonl --summary-json s.json {selection}"));
        assert_eq!(folder.json("s.json")["codes"]["S101"], 2_000, "{selection}");
        assert_eq!(folder.json("s.json")["severities"]["warning"], 2_000, "{selection}");
    }
}

#[test]
fn standard_input_gives_the_same_answer_as_a_file() {
    let folder = Folder::new();
    let text = archive(20);
    folder.write("-.pgn", &text);
    let mut child = folder.command("check - --format concise --quiet");
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let of_file = folder.printed("check ./-.pgn --format concise --quiet");
    let of_stdin = String::from_utf8(output.stdout).unwrap();
    assert_eq!(of_stdin.replace("-:", "./-.pgn:"), of_file);
}

#[test]
fn splits_at_any_byte_add_up_to_the_whole() {
    let folder = Folder::new();
    let text = archive(9);
    folder.write("a.pgn", &text);
    let findings = |words: &str| {
        let printed = folder.printed(&format!("check a.pgn --format jsonl --games -q {words}"));
        let all: Vec<_> = printed.lines().map(str::to_owned).collect();
        all.into_iter().filter(|line| !line.contains("\"summary\"")).collect::<Vec<_>>()
    };
    let whole = findings("");
    assert!(whole.len() > 9, "{whole:?}");
    for cut in (0..text.len()).step_by(37) {
        let mut parts = if cut == 0 { Vec::new() } else { findings(&format!("--split 0-{cut}")) };
        parts.extend(findings(&format!("--split {cut}-")));
        assert_eq!(parts, whole, "{cut}");
    }
}

#[test]
fn an_input_that_cannot_be_read_costs_only_itself() {
    let folder = Folder::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    packed.write_all(archive(30).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    folder.write("broken.pgn.gz", &packed[..packed.len() / 2]);
    folder.write("sound.pgn", SOUND);
    let words = "check missing.pgn broken.pgn.gz sound.pgn -q --format jsonl --summary-json s.json";
    let output = folder.run(words);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors.matches("pgn-arbiter: error: cannot read ").count(), 2, "{errors}");

    let summary = folder.json("s.json");
    assert_eq!(summary["status"], 2);
    let inputs = summary["inputs"].as_array().unwrap();
    let of = |name: &str| inputs.iter().find(|input| input["name"] == name).unwrap();
    assert!(of("missing.pgn")["error"].is_string() && of("broken.pgn.gz")["error"].is_string());
    assert!(of("sound.pgn")["error"].is_null());
    assert_eq!(of("sound.pgn")["games"], 1);
    assert!(of("broken.pgn.gz")["games"].as_u64().unwrap() > 10);
    assert_eq!(summary["ledger"]["balances"], true);
}

#[test]
fn each_archive_in_a_zip_file_is_an_input_of_its_own() {
    let folder = Folder::new();
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in [("x/a.pgn", SOUND.as_bytes()), ("read.me", b"hello"), ("b.pgn", b"\n")] {
        writer.start_file(name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    let packed = writer.finish().unwrap().into_inner();
    folder.write("all.zip", &packed);
    folder.write("cut.zip", &packed[..packed.len() - 60]);
    folder.write("wrong.pgn", &packed);

    let output = folder.run("check all.zip --format jsonl --summary-json s.json");
    assert_eq!(output.status.code(), Some(2), "b.pgn holds no game");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("all.zip: 1 file left aside: read.me"), "{errors}");
    let names = |summary: &serde_json::Value| {
        let inputs = summary["inputs"].as_array().unwrap();
        inputs.iter().map(|input| input["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let summary = folder.json("s.json");
    assert_eq!(names(&summary), ["all.zip/x/a.pgn", "all.zip/b.pgn"]);
    assert_eq!(summary["games"], 1);

    let output = folder.run("check cut.zip -q --format jsonl --summary-json s.json");
    assert_eq!(output.status.code(), Some(2));
    let summary = folder.json("s.json");
    assert_eq!(names(&summary), ["cut.zip/x/a.pgn", "cut.zip/b.pgn", "cut.zip"]);
    assert_eq!((&summary["games"], &summary["codes"]["B012"]), (&1.into(), &1.into()));

    let printed = folder.run("check wrong.pgn -q --format concise --select B013 --fail-on never");
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert!(printed.starts_with("wrong.pgn:1:1: warning[B013]"), "{printed}");
    let split = folder.run("check all.zip --split 0-10");
    let error = String::from_utf8(split.stderr).unwrap();
    assert!(error.contains("--split needs a plain file; all.zip is packed"), "{error}");
}

#[test]
fn a_report_in_a_file_is_the_one_that_would_be_printed() {
    let folder = Folder::new();
    folder.write("a.pgn", archive(8));
    let printed = folder.printed("check a.pgn -q --format full");
    assert_eq!(folder.printed("check a.pgn -q --format full --output report.txt"), "");
    assert_eq!(fs::read_to_string(folder.path("report.txt")).unwrap(), printed);
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 2, "no temporary file stays");
}

#[test]
fn what_a_killed_run_left_is_taken_away_by_the_next_one_to_the_same_file() {
    let folder = Folder::new();
    folder.write("a.pgn", SOUND);
    let files = || fs::read_dir(folder.0.path()).unwrap().count();
    let mut waiting = folder.command("check - -q --output report.txt");
    let mut waiting = waiting.stdin(Stdio::piped()).spawn().unwrap();
    let patience = Instant::now();
    while files() < 2 {
        assert!(patience.elapsed() < Duration::from_secs(60), "it never began to write");
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(folder.status("check a.pgn -q --output report.txt"), 0);
    assert_eq!(files(), 3, "what a living run writes is its own");
    waiting.kill().unwrap();
    waiting.wait().unwrap();
    assert_eq!(files(), 3);
    assert_eq!(folder.status("check a.pgn -q --output report.txt"), 0);
    assert_eq!(files(), 2, "the archive and its report");
}

#[test]
fn an_output_that_would_replace_an_input_is_refused_and_nothing_is_touched() {
    let folder = Folder::new();
    fs::create_dir(folder.path("k")).unwrap();
    folder.write("k/a.pgn", SOUND);
    for words in [
        "check k --output k/a.pgn",
        "check ./k --summary-json k/../k/a.pgn",
        "check k --output r.txt --summary-json ./r.txt",
    ] {
        assert_eq!(folder.status(words), 2, "{words}");
        assert_eq!(fs::read_to_string(folder.path("k/a.pgn")).unwrap(), SOUND);
        assert!(!folder.path("r.txt").exists());
    }
}

#[cfg(unix)]
#[test]
fn standard_input_that_is_an_output_too_is_refused() {
    let folder = Folder::new();
    folder.write("a.pgn", SOUND);
    for (words, status) in [("--output ./a.pgn", 2), ("--output b.txt", 0), ("--output -", 0)] {
        let stdin = fs::File::open(folder.path("a.pgn")).unwrap();
        let mut command = folder.command(&format!("check - {words}"));
        assert_eq!(command.stdin(stdin).output().unwrap().status.code(), Some(status), "{words}");
        assert_eq!(fs::read_to_string(folder.path("a.pgn")).unwrap(), SOUND);
    }
    assert!(folder.path("b.txt").exists() && !folder.path("-").exists());
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_split_and_not_waited_for() {
    let folder = Folder::new();
    let made = Command::new("mkfifo").arg(folder.path("pipe.pgn")).status().unwrap();
    assert!(made.success());
    let output = folder.run("check pipe.pgn --split 0-100");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("--split needs exactly one input, a plain file"), "{error}");
}

#[test]
fn the_summary_counts_what_the_json_lines_say() {
    let folder = Folder::new();
    folder.write("a.pgn", archive(40));
    let lines = folder.printed("check a.pgn -q --format jsonl --summary-json s.json");
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, findings) = lines.split_last().unwrap();
    let mut summary = folder.json("s.json");
    for (code, count) in summary["codes"].as_object().unwrap() {
        let found = findings.iter().filter(|finding| finding["code"] == **code).count();
        assert_eq!(*count, found, "{code}");
    }
    assert_eq!(last["type"], "summary");
    assert!(summary.as_object_mut().unwrap().remove("run").is_some());
    for (field, value) in summary.as_object().unwrap() {
        assert_eq!(&last[field], value, "{field}");
    }
}

#[test]
fn the_summary_counts_promotions_whose_piece_stays_open() {
    let folder = Folder::new();
    let start = "[SetUp \"1\"]\n[FEN \"7k/5P2/6K1/8/8/8/8/8 w - - 0 60\"]\n";
    folder.write("a.pgn", format!("{start}\n60. f8 1/2-1/2\n\n{start}\n60. f8 *\n"));
    let printed = folder.printed("check --format summary a.pgn");
    let rows: Vec<&str> =
        printed.lines().skip_while(|line| *line != "Promotions").take(4).collect();
    let row = rows.last().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    // The second one is taken for a queen.
    assert_eq!(row, "no piece named, left open 1", "{printed}");
}

#[test]
fn the_summary_goes_to_standard_output_where_the_report_does_not() {
    let folder = Folder::new();
    folder.write("a.pgn", archive(8));
    let printed = folder.printed("check a.pgn -q --output report.txt --summary-json -");
    let summary: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(summary["games"], 8);
    assert!(folder.path("report.txt").exists() && !folder.path("-").exists());
    for words in ["check a.pgn --summary-json -", "check a.pgn --output - --summary-json -"] {
        assert_eq!(folder.status(words), 2, "{words}");
    }
}

#[test]
fn pipes_are_coloured_when_asked_and_files_and_machine_formats_never() {
    let folder = Folder::new();
    folder.write("a.pgn", archive(8));
    let colored = |words: &str, variable: Option<(&str, &str)>| {
        let mut command = folder.command(&format!("check a.pgn -q {words}"));
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.envs(variable);
        let printed = command.output().unwrap().stdout;
        assert!(words.contains("--output") || !printed.is_empty(), "{words}");
        printed.contains(&0x1b)
    };
    let force = Some(("CLICOLOR_FORCE", "1"));
    for format in ["full", "concise", "summary"] {
        assert!(!colored(&format!("--format {format}"), None), "{format}");
        assert!(!colored(&format!("--format {format} --color never"), force), "{format}");
        assert!(colored(&format!("--format {format} --color always"), None), "{format}");
        assert!(colored(&format!("--format {format}"), force), "{format}");
        colored(&format!("--format {format} --color always --output report.txt"), None);
        assert!(!fs::read(folder.path("report.txt")).unwrap().contains(&0x1b), "{format}");
    }
    for format in ["jsonl", "json", "sarif", "github"] {
        assert!(!colored(&format!("--format {format} --color always"), force), "{format}");
    }
}

#[test]
fn a_result_of_sarif_means_the_bytes_that_the_json_lines_name() {
    let folder = Folder::new();
    // Characters of several bytes, and a game glued to the line of the one before.
    let text = format!("{}[White \"Müller\"]\n\n1. e4 e5 2. Bf8 1-0", archive(8));
    folder.write("a b.pgn", text);
    let printed = |format: &str| {
        let mut check = folder.command("check -q");
        let output = check.args(["a b.pgn", "--format", format]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let lines = printed("jsonl");
    let log: serde_json::Value = serde_json::from_str(&printed("sarif")).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let findings: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(results.len() + 1, findings.len());
    for (result, finding) in results.iter().zip(&findings) {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b.pgn");
        assert_eq!(place["region"]["byteOffset"], finding["offset"]);
        assert_eq!(place["region"]["byteLength"], finding["length"]);
        assert_eq!(place["region"]["startLine"], finding["line"]);
        assert_eq!(result["ruleId"], finding["code"]);
    }
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 1);
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let folder = Folder::new();
    folder.write("a.pgn", archive(20_000));
    let mut child = folder.command("check a.pgn --format full --min-severity info");
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "the findings before it count");
    assert_eq!(output.stderr, b"", "no counts of a part");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_is_an_error() {
    let folder = Folder::new();
    folder.write("a.pgn", archive(8));
    let full = fs::File::options().write(true).open(Path::new("/dev/full")).unwrap();
    let output = folder.command("check a.pgn -q").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("pgn-arbiter: error: cannot write standard output: "), "{error}");
}

#[cfg(feature = "tables")]
#[test]
fn tables_are_written_whatever_was_found_and_beside_a_report_too() {
    let folder = Folder::new();
    folder.write("a.pgn", archive(8));
    assert_eq!(folder.status("tables a.pgn -o data"), 0);
    assert_eq!(folder.json("data/manifest.json")["games"], 8);
    assert_eq!(folder.status("check a.pgn --tables beside"), 1);
    let (data, beside) = (folder.json("data/manifest.json"), folder.json("beside/manifest.json"));
    assert_eq!(data["tables"], beside["tables"]);
}

#[test]
fn the_length_of_a_word_does_not_deepen_the_stack() {
    let folder = Folder::new();
    let word = "Z0".repeat(2000);
    folder.write("run.pgn", format!("[Event \"?\"]\n\n1. e4 e5 {word} *\n"));
    let output = folder.command("check run.pgn").env("RUST_MIN_STACK", "524288").output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_printed_is_a_failure() {
    let folder = Folder::new();
    for words in ["--help", "--version", "check --help"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = folder.command(words).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"), "{words}");
    }
    assert_eq!(folder.status("--help"), 0);
    assert_eq!(folder.status("--nothing"), 2);
}
