//! Datasets of runs that did not read all: a killed one leaves nothing under a final name and does
//! not disturb the next; the manifest tells of parts and of damage.
#![cfg(feature = "tables")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(out: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"))
        .args(["check", "--quiet", "--format", "jsonl", "--fail-on", "never", "--output"])
        .arg(out.join("report.jsonl"))
        .arg("--summary-json")
        .arg(out.join("summary.json"))
        .arg("--tables")
        .arg(out.join("tables"))
        .arg("-")
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

/// Names that a reader would open.
fn final_names(out: &Path) -> Vec<String> {
    let mut folders = vec![out.to_path_buf()];
    let mut names = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("a name in UTF-8");
            if name.starts_with('.') {
                continue;
            }
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                names.push(name);
            }
        }
    }
    names.sort();
    names
}

fn has_temporary_files(out: &Path) -> bool {
    let is_hidden = |folder: &Path| {
        fs::read_dir(folder).is_ok_and(|entries| {
            entries.flatten().any(|entry| entry.file_name().as_encoded_bytes().starts_with(b"."))
        })
    };
    is_hidden(out) && is_hidden(&out.join("tables"))
}

#[test]
fn a_killed_run_leaves_nothing_under_a_final_name_and_the_next_one_succeeds() {
    let archive = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/archive.pgn"))
        .expect("the archive is there");
    let dir = tempfile::tempdir().expect("a temporary folder");

    let mut child = start(dir.path());
    let mut stdin = child.stdin.take().expect("a pipe");
    // More than a chunk, so that it is at work; and no end, so that it cannot finish.
    for _ in 0..100 {
        stdin.write_all(&archive).expect("the program reads");
    }
    let patience = Instant::now();
    while !has_temporary_files(dir.path()) {
        assert!(patience.elapsed() < Duration::from_secs(60), "it never began to write");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it is dead");
    drop(stdin);
    assert_eq!(final_names(dir.path()), [""; 0]);

    let mut child = start(dir.path());
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(&archive).expect("the program reads");
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    let names = final_names(dir.path());
    for name in ["manifest.json", "report.jsonl", "summary.json", "part-00000.parquet"] {
        assert!(names.iter().any(|found| found == name), "{name} is not among {names:?}");
    }
    let left = fs::read_dir(dir.path().join("tables")).expect("the dataset");
    let left: Vec<_> = left
        .flatten()
        .map(|entry| entry.file_name())
        .filter(|name| name.as_encoded_bytes().starts_with(b".tmp"))
        .collect();
    assert!(left.is_empty(), "the dataset still holds {left:?}");
}

#[test]
fn the_manifest_tells_of_a_part_and_of_damage() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let archive = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/archive.pgn");
    let source = |words: &[&str], input: &Path| {
        let tables = dir.path().join("tables");
        let mut run = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"));
        run.args(["tables", "--quiet"]).args(words).arg(input).arg("-o").arg(&tables);
        let status = run.stderr(Stdio::null()).status().expect("the program starts");
        let text = fs::read(tables.join("manifest.json")).expect("a manifest");
        let manifest: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        (status.code(), manifest["sources"][0].clone())
    };

    let (status, whole) = source(&[], Path::new(archive));
    assert_eq!((status, &whole["games"]), (Some(0), &40.into()));
    assert!(whole["blake3"].is_string() && whole.get("split").is_none());

    let (status, part) = source(&["--split", "0-5000"], Path::new(archive));
    assert_eq!((status, &part["split"]), (Some(0), &"0-5000".into()));

    let packed =
        zstd::encode_all(&fs::read(archive).expect("the archive")[..], 3).expect("a frame");
    let torn = dir.path().join("torn.pgn.zst");
    fs::write(&torn, &packed[..packed.len() / 2]).expect("room for a file");
    let (status, damaged) = source(&[], &torn);
    assert_eq!(status, Some(2));
    assert!(damaged["error"].is_string(), "{damaged}");
}
