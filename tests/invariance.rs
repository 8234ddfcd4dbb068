//! The answer depends on the bytes alone: threads, chunk sizes, compression, standard input and
//! splits change nothing but time.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Every plain fixture: the case bank, one file a rule, and the small archive.
fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut files = vec![root.join("archive.pgn")];
    for folder in ["cases", "rules"] {
        let entries = fs::read_dir(root.join(folder)).expect("the fixtures are there");
        files.extend(entries.map(|entry| entry.expect("a fixture").path()));
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "pgn"));
    files.sort();
    assert!(files.len() > 100, "only {} fixtures", files.len());
    files
}

fn check(args: &[&str], input: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"));
    command.args([
        "check",
        "--format",
        "jsonl",
        "--games",
        "--fail-on",
        "never",
        "--second-opinion",
    ]);
    command.args(args).arg(input);
    command
}

/// The findings and games that a run prints, without the file's name and without the summary.
fn records(output: std::process::Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("JSON lines are UTF-8");
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    let summary = lines.pop().expect("a summary");
    assert_eq!(summary["type"], "summary");
    for line in &mut lines {
        line.as_object_mut().expect("an object").remove("file");
    }
    lines
}

fn answer(args: &[&str], input: &Path) -> Vec<Value> {
    records(check(args, input).output().expect("the program starts"))
}

#[test]
fn threads_and_chunk_sizes_change_nothing() {
    for file in fixtures() {
        let expected = answer(&["--threads", "1"], &file);
        for (threads, chunk_size) in [("1", "1"), ("2", "7"), ("8", "300"), ("2", "64M")] {
            let args = ["--threads", threads, "--chunk-size", chunk_size];
            assert!(answer(&args, &file) == expected, "{} with {args:?}", file.display());
        }
    }
}

/// Texts in which what stands on the border of two chunks once decided.
const BORDERS: &[&[u8]] = &[
    b"\r[E\"",
    b"[Event \"x\"]\n\n1. e4 *\r[Event \"y\"]\n\n1. d4 *\n",
    b"[Event \"x\"]\n\n1. e4 *\x04[Event \"y\"]\n\n1. d4 *\n",
    b"%[Fake\n\n[Event \"x\"]\n\n1. e4 *\n% a\n[Event \"y\"]\n\n1. d4 *\n",
    b"[Event \"x\"]\n\n1. Sf3 { a\n\n[Event \"y\"]\n } Sf6 2. Sg1 *\n\n[Event \"z\"]\n\n1. e4 *\n",
    b"[Event \"x\"]\n\n1. e4 e50-1 [Event \"y\"]\n\n1. d4 *\n",
    b"<!-- [Event \"x\"]\n[Site \"a\"]\n\n1. e4 * -->\n\n[Event \"y\"]\n\n1. d4 *\n",
    b"[Event \"x\"]\n\n1. e4 * <!-- [Event \"y\"]\n\n1. d4 <!-- x\n\n[Event \"z\"]\n\n1. d4 *\n",
    b"{ a note }\n\n[Event \"x\"]\n\n1. e4 *\n{ b }",
    b"{\n1. e4 e5\n}\n\n[Event \"x\"]\n\n1. d4 *\n",
    b"%\xebe4\n[Event \"x\"]\n\n1. e4 e5 2. \x8af3 *\n%\xeb\n",
];

#[test]
fn what_stands_on_the_border_of_two_chunks_is_the_same_in_one() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("border.pgn");
    for text in BORDERS {
        fs::write(&file, text).expect("room for a file");
        let expected = answer(&["--chunk-size", "64M"], &file);
        for chunk_size in ["1", "2", "3", "17", "40"] {
            let found = answer(&["--chunk-size", chunk_size], &file);
            assert!(found == expected, "{} at {chunk_size}", text.escape_ascii());
        }
    }
}

#[test]
fn very_many_games_in_a_chunk_are_the_same_in_many_chunks() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("many.pgn");
    for game in ["e4 * ", "*\n\n[Event \"x\"]\n\n"] {
        fs::write(&file, game.repeat(25_000)).expect("room for a file");
        let expected = answer(&["--chunk-size", "1K"], &file);
        assert!(expected.len() > 25_000);
        assert!(answer(&["--chunk-size", "64M"], &file) == expected, "{game}");
    }
}

#[test]
fn compression_and_standard_input_change_nothing() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for file in fixtures() {
        let expected = answer(&[], &file);
        let bytes = fs::read(&file).expect("a fixture");
        let packed = dir.path().join("packed.pgn.zst");
        // Two frames with a skippable one between them.
        let (first, second) = bytes.split_at(bytes.len() / 2);
        let mut frames = zstd::encode_all(first, 3).expect("a frame");
        frames.extend([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
        frames.extend(zstd::encode_all(second, 3).expect("a frame"));
        fs::write(&packed, frames).expect("room for a file");
        assert!(answer(&[], &packed) == expected, "{} as zstd", file.display());

        let mut child = check(&[], Path::new("-"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let writer = std::thread::spawn(move || stdin.write_all(&bytes));
        let output = child.wait_with_output().expect("the program ends");
        writer.join().expect("the writer ends").expect("the program reads all");
        assert!(records(output) == expected, "{} on standard input", file.display());
    }
}

#[test]
fn all_splits_together_give_what_one_run_gives() {
    let is_utf16 = |file: &PathBuf| file.to_string_lossy().contains("utf16");
    // An offset in the decoded text is no place in a file of UTF-16, which is refused here.
    for file in fixtures().into_iter().filter(|file| !is_utf16(file)) {
        let expected = answer(&[], &file);
        let len = fs::metadata(&file).expect("a fixture").len();
        for parts in [2, 5] {
            let mut together = Vec::new();
            for part in 0..parts {
                let split = format!("{}-{}", len * part / parts, len * (part + 1) / parts);
                together.extend(answer(&["--split", &split, "--chunk-size", "50"], &file));
            }
            assert!(together == expected, "{} in {parts} parts", file.display());
        }
    }
}

/// What the program makes of standard input, which it reads in order.
fn answer_of_stream(args: &[&str], bytes: &[u8]) -> Vec<Value> {
    let mut child = check(args, Path::new("-"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|threads| {
        threads.spawn(move || stdin.write_all(bytes));
        records(child.wait_with_output().expect("the program ends"))
    })
}

#[test]
fn a_file_that_is_read_anywhere_is_the_same_as_one_read_in_order() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("all.pgn");
    let mut text = Vec::new();
    for fixture in fixtures().iter().cycle().take(300) {
        let bytes = fs::read(fixture).expect("a fixture");
        // What would decide how the whole is decoded.
        if !bytes.contains(&0) && !bytes.starts_with(b"\xff\xfe") {
            text.extend(bytes);
            text.extend(b"\n\n");
        }
    }
    // Behind it a game that is longer than a window, very many short ones, and one comment that
    // hides where the next game begins.
    text.extend(b"[Event \"long\"]\n\n1. e4 ");
    text.extend(b"{ well played } ".repeat(20_000));
    text.extend(b"e5 *\n\n");
    text.extend(b"*\n\n[Event \"x\"]\n\n".repeat(20_000));
    text.extend(b"1. e4 { open\n\n");
    text.extend(fs::read(&fixtures()[0]).expect("a fixture").repeat(6));
    fs::write(&file, &text).expect("room for a file");
    let expected = answer_of_stream(&["--threads", "1"], &text);
    for (threads, chunk_size) in
        [("1", "512K"), ("2", "512K"), ("3", "72K"), ("4", "100000"), ("2", "300K"), ("2", "64M")]
    {
        let args = ["--threads", threads, "--chunk-size", chunk_size];
        assert!(answer(&args, &file) == expected, "{args:?}");
    }
}

#[test]
fn a_game_longer_than_is_held_is_the_same_read_anywhere_and_in_order() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("long.pgn");
    let short = b"[Event \"x\"]\n\n1. e4 e5 *\n\n".repeat(20_000);
    let long = b"[Event \"long\"]\n\n1. e4 ";
    let text = [&short, &long[..], &b"e5 Nf3 ".repeat(1_400_000), b"*\n\n", &short].concat();
    fs::write(&file, &text).expect("room for a file");
    let expected = answer_of_stream(&["--threads", "1"], &text);
    assert!(expected.iter().any(|line| line["code"] == "S118"), "it is told");
    for (threads, chunk_size) in [("2", "100K"), ("3", "512K")] {
        let args = ["--threads", threads, "--chunk-size", chunk_size];
        assert!(answer(&args, &file) == expected, "{args:?}");
    }
}
