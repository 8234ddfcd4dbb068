//! `show` as it is run: where it finds its game, and what it says where there is none.

use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

const TEXT: &str = "[White \"Ott\"]\n\n1. e4 e5 *\n\n[White \"Lund\"]\n\n1. e4 e5 2. Bf8 *\n\n";

fn show(folder: &TempDir, words: &str, input: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"));
    command.current_dir(folder.path()).arg("show").args(words.split_whitespace());
    command.stdin(input).output().unwrap()
}

fn shown(folder: &TempDir, words: &str, input: Stdio) -> serde_json::Value {
    let output = show(folder, words, input);
    assert_eq!(output.status.code(), Some(0), "{words}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(folder: &TempDir, words: &str) -> String {
    let output = show(folder, words, Stdio::null());
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

fn folder(names: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        fs::write(folder.path().join(name), TEXT).unwrap();
    }
    folder
}

#[test]
fn files_packed_files_and_standard_input_show_the_same() {
    let folder = folder(&["a.pgn"]);
    let packed = File::create(folder.path().join("a.pgn.gz")).unwrap();
    let mut packed = GzEncoder::new(packed, Compression::fast());
    packed.write_all(TEXT.as_bytes()).unwrap();
    packed.finish().unwrap();
    for place in [":1", ":2", ":2:1", "@60"] {
        let show = |name: &str, input| {
            let mut view = shown(&folder, &format!("{name}{place} --format json"), input);
            let at = view["game"].clone();
            view["file"] = "".into();
            for finding in view["findings"].as_array_mut().unwrap() {
                assert_eq!(finding["game"], at);
                finding["file"] = "".into();
            }
            view
        };
        let expected = show("a.pgn", Stdio::null());
        assert_eq!(show("a.pgn.gz", Stdio::null()), expected, "{place}");
        let input = File::open(folder.path().join("a.pgn")).unwrap();
        assert_eq!(show("-", input.into()), expected, "{place}");
    }
}

#[test]
fn a_name_with_a_colon_is_a_file_where_there_is_one() {
    let folder = folder(&["a:1", "b", "b:2"]);
    let view = shown(&folder, "a:1:2 --format json --flip --ascii", Stdio::null());
    assert_eq!((&view["file"], &view["game"]), (&"a:1".into(), &2.into()));
    assert!(refused(&folder, "a:1").contains("a:1 is a file; say which game of it"));
    let reason = refused(&folder, "b:2:1");
    assert!(reason.contains("may mean game 1 of b:2 or ply 1 of game 2 of b; give"), "{reason}");
}

#[test]
fn what_cannot_be_shown_is_told() {
    let folder = folder(&["a.pgn"]);
    fs::write(folder.path().join("letter.txt"), "a letter\n").unwrap();
    let table = [
        ("a.pgn:3", "there is no game 3 in a.pgn, which has 2 games"),
        ("a.pgn:0", "games count from 1"),
        ("a.pgn@999", "there is no byte 999 in a.pgn, which has"),
        ("a.pgn", "names no place"),
        ("missing.pgn:1", "cannot read missing.pgn"),
        ("letter.txt:1", "no game found in letter.txt"),
        (".:1", "cannot read ."),
    ];
    for (words, reason) in table {
        let error = refused(&folder, words);
        assert!(error.contains(reason), "{words}: {error}");
    }
}

#[test]
fn later_faults_are_shown_where_check_tells_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[White \"Ott\"]\n\n1. e4 e5 2. Ke3 Nf6 3. Nc3 Bg4 4. Nf3 (4. Nh6) Nc6 5. Rh3 *\n";
    fs::write(folder.path().join("a.pgn"), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"))
        .current_dir(folder.path())
        .args(["check", "a.pgn", "--format", "jsonl", "--after-illegal", "continue"])
        .args(["--select", "M"])
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let findings: Vec<serde_json::Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|it: &serde_json::Value| it["type"] == "finding")
        .collect();
    assert_eq!(findings.len(), 4, "{told}");
    for finding in findings {
        for place in [format!(":1:{}", finding["ply"]), format!("@{}", finding["offset"])] {
            let words = format!("a.pgn{place} --after-illegal continue --format json");
            let view = shown(&folder, &words, Stdio::null());
            let same = |it: &serde_json::Value| it["offset"] == finding["offset"];
            assert!(view["findings"].as_array().unwrap().iter().any(same), "{words}: {view}");
            assert_eq!(view["fen"], finding["fen"], "{words}");
        }
    }
    assert_eq!(
        shown(&folder, "a.pgn:1:6 --format json", Stdio::null())["findings"].as_array(),
        Some(&vec![])
    );
}

#[test]
fn nothing_that_is_written_into_a_file_has_colours() {
    let folder = folder(&["a.pgn"]);
    let text = show(&folder, "a.pgn:2", Stdio::null()).stdout;
    assert!(!text.contains(&0x1B));
    assert!(String::from_utf8(text).unwrap().contains("[♝]"));
}

#[test]
fn what_a_finding_quotes_marks_no_square() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[Opening \"e4\"]\n[Opening \"d4\"]\n\n1. e4 e5 2. Bf8 *\n";
    fs::write(folder.path().join("a.pgn"), text).unwrap();
    let tags = shown(&folder, "a.pgn:1:0 --format json", Stdio::null());
    assert_eq!(tags["fault_squares"], serde_json::json!([]));
    let moves = shown(&folder, "a.pgn:1:3 --format json", Stdio::null());
    assert_eq!(moves["fault_squares"].as_array().map(|all| all.contains(&"f8".into())), Some(true));
}
