//! Known faults, as the program is run: written once, left out from then on, told when they are new.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn game(round: usize, moves: &str) -> String {
    format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.01\"]\n[Round \"{round}\"]\n\
         [White \"Ott, Jana\"]\n[Black \"Lund, Per\"]\n[Result \"*\"]\n\n{moves} *\n\n"
    )
}

/// Every third game has an error, another third a warning.
fn archive(games: usize) -> String {
    let moves = ["1. e4 e5 2. Bf8", "1. e4 e5 2. Nf3+", "1. d4 d5"];
    (0..games).map(|round| game(round, moves[round % 3])).collect()
}

struct Folder(TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            fs::write(folder.path(name), text).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, words: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"));
        command.current_dir(self.0.path()).args(words.split_whitespace());
        command.stdin(Stdio::null()).output().unwrap()
    }

    /// Status and standard output.
    fn checked(&self, words: &str) -> (i32, String) {
        let output = self.run(words);
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    }
}

#[test]
fn what_a_baseline_knows_does_not_fail_and_what_is_new_does() {
    let old = archive(30);
    let new = format!("{}{old}", game(99, "1. e4 e5 2. Qh9"));
    let folder = Folder::with(&[("old.pgn", &old), ("new.pgn", &new)]);
    assert_eq!(folder.checked("baseline write old.pgn -o known.json --quiet"), (0, String::new()));
    let (status, text) = folder.checked("check old.pgn --baseline known.json --quiet");
    assert_eq!((status, text.as_str()), (0, ""));
    let (status, text) = folder.checked("check new.pgn --baseline known.json --format concise");
    assert_eq!((status, text.lines().count()), (1, 1), "{text}");
    assert!(text.contains("M317"), "{text}");
    let (_, summary) = folder.checked("check new.pgn --baseline known.json --format summary");
    assert!(summary.contains("  20 known faults left out\n"), "{summary}");
    let note = folder.run("check new.pgn --baseline known.json").stderr;
    assert!(String::from_utf8(note).unwrap().contains("1 error, 0 warnings, 0 facts; 20 known"));
}

#[test]
fn a_baseline_depends_on_no_thread_chunk_order_or_line_end() {
    let text = archive(40);
    let turned: String = (0..2).rev().map(|half| archive_half(&text, half)).collect();
    let folder = Folder::with(&[
        ("a.pgn", &text),
        ("b.pgn", &text.replace('\n', "\r\n")),
        ("c.pgn", &turned),
    ]);
    let mut written = Vec::new();
    for (input, how) in [
        ("a.pgn", ""),
        ("a.pgn", "--threads 1 --chunk-size 1"),
        ("a.pgn", "--threads 7 --chunk-size 700"),
        ("b.pgn", ""),
        ("c.pgn", ""),
    ] {
        assert_eq!(folder.checked(&format!("baseline write {input} -o k.json {how}")).0, 0);
        written.push(fs::read_to_string(folder.path("k.json")).unwrap());
    }
    assert!(written.iter().all(|json| *json == written[0]));
    assert_eq!(written[0].lines().count(), 4 + 27 + 2 + 1, "{}", written[0]);
}

fn archive_half(text: &str, half: usize) -> &str {
    let middle = text[text.len() / 2..].find("[Event").unwrap() + text.len() / 2;
    if half == 0 { &text[..middle] } else { &text[middle..] }
}

#[test]
fn the_new_faults_depend_on_no_thread_and_no_chunk() {
    let fault = game(1, "1. e4 e5 2. Bf8");
    let folder =
        Folder::with(&[("one.pgn", &fault), ("five.pgn", &fault.repeat(5)), ("rest.pgn", "*\n")]);
    assert_eq!(folder.checked("baseline write one.pgn -o k.json").0, 0);
    let words = "check five.pgn --baseline k.json --format jsonl --quiet";
    let expected = folder.checked(words);
    assert_eq!(expected.1.matches("\"code\"").count(), 4, "the first one is known");
    assert!(expected.1.contains("\"known_faults\":1,"), "{}", expected.1);
    for how in ["--chunk-size 1", "--threads 1", "--chunk-size 300 --threads 6"] {
        assert_eq!(folder.checked(&format!("{words} {how}")), expected, "{how}");
    }
}

#[test]
fn rules_that_are_left_out_are_in_no_baseline() {
    let folder = Folder::with(&[("a.pgn", &archive(30))]);
    assert_eq!(folder.checked("baseline write a.pgn -o k.json --ignore N").0, 0);
    let (status, text) = folder.checked("check a.pgn --baseline k.json --format concise --quiet");
    assert_eq!(status, 0, "the errors are known");
    assert_eq!(text.matches("N701").count(), 10, "{text}");
}

#[test]
fn a_baseline_that_cannot_be_used_is_told_before_anything_is_judged() {
    let folder = Folder::with(&[
        ("a.pgn", &archive(3)),
        ("pgn.json", "[Event \"?\"]"),
        ("later.json", "{\"type\": \"pgn-arbiter baseline\", \"version\": 99}"),
    ]);
    let table = [
        ("missing.json", "cannot read missing.json"),
        ("pgn.json", "cannot use the baseline pgn.json: it is no baseline"),
        ("later.json", "it has version 99, and this program reads version 1"),
    ];
    for (name, reason) in table {
        let output = folder.run(&format!("check a.pgn --baseline {name}"));
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(output.stdout.is_empty());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_baseline_is_no_place_for_an_input_and_an_input_that_is_missing_fails() {
    let folder = Folder::with(&[("a.pgn", &archive(3))]);
    assert_eq!(folder.checked("baseline write a.pgn -o a.pgn").0, 2);
    assert_eq!(fs::read_to_string(folder.path("a.pgn")).unwrap(), archive(3));
    assert_eq!(folder.checked("baseline write a.pgn missing.pgn -o k.json").0, 2);
}

#[test]
fn a_baseline_goes_to_standard_output_where_it_is_asked_for() {
    let folder = Folder::with(&[("a.pgn", &archive(6))]);
    folder.run("baseline write a.pgn -o known.json --quiet");
    let (status, printed) = folder.checked("baseline write a.pgn -o - --quiet");
    assert_eq!(status, 0);
    assert_eq!(printed, fs::read_to_string(folder.path("known.json")).unwrap());
    assert!(!folder.path("-").exists());
    let clash = folder.run("baseline write a.pgn -o - --summary-json -");
    assert_eq!(clash.status.code(), Some(2));
    let error = String::from_utf8(clash.stderr).unwrap();
    assert!(error.contains("the baseline goes to standard output"), "{error}");
}

#[test]
fn an_input_is_no_baseline() {
    let folder = Folder::with(&[("a.pgn", &archive(1))]);
    let output = folder.run("check a.pgn --baseline a.pgn");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, "pgn-arbiter: error: --baseline a.pgn is an input, and no baseline\n");
}
