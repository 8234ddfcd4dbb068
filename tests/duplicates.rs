//! `--duplicates`: what it finds, that nothing but the bytes decides, and what it leaves behind.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn game(white: &str, black: &str, tags: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n{tags}\n{moves}\n\n")
}

const LONG: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
    9. h3 Nb8 10. d4 Nbd7 *";

/// Two archives, whose games meet within and across them.
fn archives(dir: &Path) {
    let first = [
        game("Holm, Ada", "Brandt, Kai", "", LONG),
        game("Weiß, Jörg", "Łuk, Ø", "", "1. d4 d5 2. c4 *"),
        game("Ott", "Lund", "", "1. c4 e5 *"),
        game("Ott", "Lund", "", "1. c4 e5 2. Bf8 *"),
    ];
    let second = [
        game("HOLM,A", "GM Kai Brandt (2650)", "[Date \"2024.01.01\"]\n", LONG),
        game("WEISS, J.", "Luk,O", "", "1. d2-d4 d7-d5 2. c2-c4 e7-e6 *"),
        game("?", "?", "", LONG),
        game("?", "?", "", LONG),
        game("?", "?", "", "1. e4 *"),
        game("?", "?", "", "1. e4 *"),
        game("Lund", "Ott", "", "1. c4 e5 *"),
    ];
    fs::write(dir.join("a.pgn"), first.concat()).expect("room for a file");
    fs::write(dir.join("b.pgn"), second.concat()).expect("room for a file");
}

fn check(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"));
    command.args(["check", "--quiet", "--format", "jsonl", "--games", "--fail-on", "never"]);
    command.args(args).current_dir(dir);
    command
}

fn lines(output: Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("JSON lines are UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

fn run(dir: &Path, args: &[&str]) -> Vec<Value> {
    lines(check(dir, args).output().expect("the program starts"))
}

/// File, game, code and message.
fn told(lines: &[Value]) -> Vec<String> {
    let of_games = lines.iter().filter(|line| line["code"].as_str().is_some_and(is_ours));
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    of_games
        .map(|it| {
            format!(
                "{}:{} {} {}",
                word(&it["file"]),
                it["game"],
                word(&it["code"]),
                word(&it["message"])
            )
        })
        .collect()
}

fn is_ours(code: &str) -> bool {
    code.starts_with('X')
}

#[test]
fn games_are_found_across_inputs_whatever_names_and_notation_they_have() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    archives(dir.path());
    let lines = run(dir.path(), &["--duplicates", "a.pgn", "b.pgn"]);
    assert_eq!(
        told(&lines),
        [
            "a.pgn:2 X902 the moves are the beginning of game 2 of b.pgn, line 7, which has 4 \
             half-moves",
            "b.pgn:1 X901 the same moves and players stand in game 1 of a.pgn, line 1",
            "b.pgn:4 X901 the same moves and players stand in game 3, line 12",
        ]
    );
    let games = lines.iter().filter(|line| line["type"] == "game");
    let other: Vec<_> = games.filter_map(|game| game["duplicate_of"].as_str()).collect();
    let second = fs::read_to_string(dir.path().join("b.pgn")).expect("it was written");
    let at = |start: &str| second.find(start).expect("it is there");
    let expected = [
        format!("b.pgn@{}", at("[White \"WEISS")),
        "a.pgn@0".to_owned(),
        format!("b.pgn@{}", at("[White \"?")),
    ];
    assert_eq!(other, expected);
}

#[test]
fn first_names_that_contradict_each_other_are_told_and_umlauts_are_written_in_many_ways() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let games = [
        game("Holm, Axel", "Müller, Kai", "[Date \"2024.01.01\"]\n", LONG),
        game("Ada Holm", "MUELLER,K", "[Date \"2024.01.02\"]\n", LONG),
        game("Holm,A", "Muller, Kai", "", LONG),
    ];
    fs::write(dir.path().join("a.pgn"), games.concat()).expect("room for a file");
    let first = "the same moves and players stand in game 1, line 1";
    assert_eq!(
        told(&run(dir.path(), &["--duplicates", "a.pgn"])),
        [
            format!("a.pgn:2 X901 {first}; the Date differs; first names differ: Ada, Axel"),
            format!("a.pgn:3 X901 {first}"),
        ]
    );
}

#[test]
fn the_other_game_can_be_shown_by_what_the_record_calls_it() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    archives(dir.path());
    let lines = run(dir.path(), &["--duplicates", "a.pgn", "b.pgn"]);
    for other in lines.iter().filter_map(|line| line["duplicate_of"].as_str()) {
        let mut show = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"));
        let output =
            show.args(["show", other]).current_dir(dir.path()).output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn nothing_else_of_the_answer_changes_and_nothing_is_looked_for_unasked() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    archives(dir.path());
    let plain = run(dir.path(), &["a.pgn", "b.pgn"]);
    assert!(told(&plain).is_empty());
    let mut lines = run(dir.path(), &["--duplicates", "a.pgn", "b.pgn"]);
    lines.retain(|line| !line["code"].as_str().is_some_and(is_ours));
    for line in &mut lines {
        line.as_object_mut().expect("an object").remove("duplicate_of");
    }
    let (summary, lines) = lines.split_last().expect("a summary");
    assert_eq!(lines, &plain[..plain.len() - 1]);
    assert_eq!(summary["codes"]["X901"], 2);
    let games = &plain[plain.len() - 1]["games"];
    assert_eq!(&summary["games"], games, "games are counted once");
}

#[test]
fn threads_chunks_memory_and_packing_change_nothing() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    archives(dir.path());
    // Enough games for several runs on disk, and for more than one chunk.
    let many: String = (0..3_000)
        .map(|n| {
            let moves = ["1. e4 e5 *", "1. e4 *", "1. e4 e5 2. Nf3 Nc6 3. Bb5 *"][n % 3];
            game(&format!("Player{}", n % 400), "Lund", "", moves)
        })
        .collect();
    fs::write(dir.path().join("c.pgn"), many).expect("room for a file");
    let files = ["a.pgn", "b.pgn", "c.pgn"];
    let with = |args: &[&str]| {
        let args = [&["--duplicates"], args, &files].concat();
        let mut lines = run(dir.path(), &args);
        lines.pop();
        lines
    };
    let expected = with(&["--threads", "1"]);
    assert!(told(&expected).len() > 1_000, "{}", told(&expected).len());
    for args in [
        &["--threads", "3", "--chunk-size", "1"][..],
        &["--chunk-size", "100"],
        &["--chunk-size", "64M"],
        &["--duplicates-memory", "0"],
        &["--duplicates-memory", "4K", "--chunk-size", "3K"],
        &["--duplicates-memory", "200K"],
    ] {
        assert!(with(args) == expected, "{args:?}");
    }
    for file in files {
        let bytes = fs::read(dir.path().join(file)).expect("it was written");
        let packed = zstd::encode_all(&bytes[..], 1).expect("a frame");
        fs::write(dir.path().join(file), packed).expect("room for a file");
    }
    let unlabelled: Vec<Value> =
        with(&[]).into_iter().filter(|line| line["code"] != "B013").collect();
    assert!(unlabelled == expected, "packed");
}

#[test]
fn standard_input_is_compared_though_it_can_be_read_only_once() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    archives(dir.path());
    let expected = told(&run(dir.path(), &["--duplicates", "a.pgn", "b.pgn"]));
    let mut child = check(dir.path(), &["--duplicates", "a.pgn", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let bytes = fs::read(dir.path().join("b.pgn")).expect("it was written");
    child.stdin.take().expect("a pipe").write_all(&bytes).expect("the program reads all");
    let found = told(&lines(child.wait_with_output().expect("the program ends")));
    let renamed: Vec<String> = expected.iter().map(|line| line.replace("b.pgn", "-")).collect();
    assert_eq!(found, renamed);
}

#[test]
fn members_of_zip_files_are_compared() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = fs::File::create(dir.path().join("a.zip")).expect("room for a file");
    let mut zip = zip::ZipWriter::new(file);
    for name in ["b.pgn", "c.pgn"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("a member");
        zip.write_all(game("Ott", "Lund", "", LONG).as_bytes()).expect("room for it");
    }
    zip.finish().expect("the archive can be finished");
    let expected =
        ["a.zip/c.pgn:1 X901 the same moves and players stand in game 1 of a.zip/b.pgn, line 1"];
    assert_eq!(told(&run(dir.path(), &["--duplicates", "a.zip"])), expected);
    let stdin = fs::File::open(dir.path().join("a.zip")).expect("it was written");
    let output = check(dir.path(), &["--duplicates", "-"]).stdin(stdin).output();
    let found = told(&lines(output.expect("the program starts")));
    assert_eq!(found, expected.map(|line| line.replace("a.zip", "-")));
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_compared_and_its_ending_still_counts() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    archives(dir.path());
    let script = "mkfifo p.pgn.gz && { cat a.pgn > p.pgn.gz & exec \"$@\" p.pgn.gz b.pgn; }";
    let output = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_pgn-arbiter")])
        .args(["check", "--quiet", "--format", "jsonl", "--fail-on", "never", "--duplicates"])
        .current_dir(dir.path())
        .output();
    let lines = lines(output.expect("a shell"));
    assert_eq!(told(&lines).len(), 3);
    assert!(lines.iter().any(|line| line["code"] == "B013"), "it is no gzip stream");
}

#[test]
#[cfg(unix)]
fn a_file_that_changes_between_the_two_readings_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let text = |moves| game("Holm, Ada", "Brandt, Kai", "", moves);
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *";
    let file = home.path().join("a.pgn");
    fs::write(&file, text(moves) + &text(moves)).unwrap();
    let pipe = home.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = check(home.path(), &["--duplicates", "a.pgn", "pipe"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The pipe is opened when the file was read the first time.
    let mut writer = fs::File::options().write(true).open(&pipe).unwrap();
    fs::write(&file, text("1. d4 *") + &text(moves)).unwrap();
    writer.write_all(text("1. c4 *").as_bytes()).unwrap();
    drop(writer);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("a.pgn: the file changed between the two readings"), "{told}");
}

#[test]
fn of_a_split_only_its_own_games_are_compared() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let one = game("Ott", "Lund", "", LONG);
    fs::write(dir.path().join("a.pgn"), one.repeat(3)).expect("room for a file");
    let from = |from: usize| {
        let split = format!("{from}-");
        told(&run(dir.path(), &["--duplicates", "--split", &split, "a.pgn"])).len()
    };
    assert_eq!([0, 1, one.len() + 1].map(from), [2, 1, 0]);
}

#[test]
fn an_input_that_cannot_be_read_costs_only_itself() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    archives(dir.path());
    let whole = fs::read(dir.path().join("a.pgn")).expect("it was written");
    let mut packed = zstd::encode_all(&whole[..], 1).expect("a frame");
    packed.truncate(packed.len() - 5);
    fs::write(dir.path().join("cut.pgn.zst"), packed).expect("room for a file");
    let output = check(dir.path(), &["--duplicates", "none.pgn", "cut.pgn.zst", "a.pgn", "b.pgn"])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stderr.matches("cannot read none.pgn").count(), 1, "told once: {stderr}");
    assert_eq!(stderr.matches("cannot read cut.pgn.zst").count(), 1, "told once: {stderr}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("game 3, line 12"), "{text}");
}

#[cfg(unix)]
#[test]
fn nothing_is_left_in_the_temporary_folder() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let scratch = tempfile::tempdir().expect("a temporary folder");
    archives(dir.path());
    let mut child = check(dir.path(), &["--duplicates", "--duplicates-memory", "0", "a.pgn", "-"])
        .env("TMPDIR", scratch.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(game("Ott", "Lund", "", LONG).as_bytes()).expect("the program reads all");
    // While the program waits for more, and after it was killed.
    let count = || fs::read_dir(scratch.path()).expect("the folder is there").count();
    assert_eq!(count(), 0);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!(count(), 0);
}

#[cfg(unix)]
#[test]
fn without_room_for_temporary_files_the_run_fails_and_says_what_to_do() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    archives(dir.path());
    let small = ["--duplicates", "--duplicates-memory", "0", "--output", "report.txt", "b.pgn"];
    let nowhere = check(dir.path(), &small).env("TMPDIR", "/dev/null/none").output();
    let many: String =
        (0..2_000).map(|n| game(&format!("Ott {n}"), "Lund", "", "1. e4 *")).collect();
    fs::write(dir.path().join("b.pgn"), many).expect("room for a file");
    // A file of this process may be no longer than so many blocks, as if the disk were full.
    let full = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_pgn-arbiter"))
        .args(["check", "--quiet"])
        .args(small)
        .current_dir(dir.path())
        .output();
    for output in [nowhere, full] {
        let output = output.expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("set TMPDIR to a folder with room"), "{stderr}");
        assert!(!dir.path().join("report.txt").exists(), "nothing unfinished has its name");
    }
    let enough = ["--duplicates", "b.pgn"];
    let output = check(dir.path(), &enough).env("TMPDIR", "/dev/null/none").output();
    assert!(output.expect("the program starts").status.success(), "memory was enough");
}
