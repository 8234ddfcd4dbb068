//! Every rule is documented, and its fixture shows it.
//!
//! The declarations are tested as they stand; the fixtures are judged by the built program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pgn_arbiter::diagnostics::{FixPromise, Rule};
use pgn_arbiter::rules::moves::WITH_AFTERMATH;
use pgn_arbiter::rules::{self, RULES};
use serde_json::Value;

/// What a fixture cannot avoid to show beside its own rule.
const ALSO: &[(&str, &[&str])] = &[
    // The second kind of text is one that has a finding itself.
    ("B006", &["B005"]),
    // The dead position is a fact before it is played on from.
    ("M322", &["D503"]),
    // The kings' walk is illegal first.
    ("M324", &["M312"]),
    // Who repeats five times has repeated three times.
    ("M323", &["D501", "D503"]),
    // The score as it is written cannot be played through.
    ("P404", &["M310"]),
    // PGN has no moves for a game that nobody came to.
    ("R605", &["S116"]),
];

#[test]
fn codes_and_names_are_unique_and_codes_rise_within_their_family() {
    let codes: BTreeSet<&str> = RULES.iter().map(|rule| rule.code).collect();
    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(codes.len(), RULES.len());
    assert_eq!(names.len(), RULES.len());
    for pair in RULES.windows(2) {
        let same_family = pair[0].code[..1] == pair[1].code[..1];
        assert!(!same_family || pair[0].code < pair[1].code, "{} {}", pair[0].code, pair[1].code);
    }
}

#[test]
fn families_stand_together() {
    let mut letters: Vec<&str> = RULES.iter().map(|rule| &rule.code[..1]).collect();
    letters.dedup();
    let families: BTreeSet<&str> = letters.iter().copied().collect();
    assert_eq!(letters.len(), families.len(), "{letters:?}");
}

#[test]
fn the_letter_of_a_code_tells_the_files_that_declare_it() {
    let families: [(&str, &[&str]); 10] = [
        ("B0", &["bytes", "characters"]),
        ("S1", &["structure"]),
        ("T2", &["tags"]),
        ("M3", &["moves"]),
        ("P4", &["promotions"]),
        ("D5", &["draws"]),
        ("R6", &["results"]),
        ("N7", &["notation"]),
        ("A8", &["annotations"]),
        ("X9", &["duplicates"]),
    ];
    for (letter, files) in families {
        let mut declared: Vec<String> = files.iter().flat_map(|file| codes_in(file)).collect();
        assert!(files.iter().all(|file| codes_in(file).is_sorted()), "{files:?}");
        declared.sort();
        let listed: Vec<&str> =
            RULES.iter().map(|rule| rule.code).filter(|code| code.starts_with(letter)).collect();
        assert_eq!(declared, listed, "{files:?}");
    }
    assert!(RULES.iter().all(|rule| rule.code.len() == 4));
}

/// The codes that a file of rules declares, in its order.
fn codes_in(file: &str) -> Vec<String> {
    let path = root().join(format!("src/rules/{file}.rs"));
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .lines()
        .filter_map(|line| line.trim().strip_prefix("code: \""))
        .map(|rest| rest.trim_end_matches("\",").to_owned())
        .collect()
}

#[test]
fn a_rule_is_found_by_code_and_by_name_in_any_case() {
    for rule in RULES {
        assert_eq!(rules::find(&rule.code.to_lowercase()), Some(*rule));
        assert_eq!(rules::find(&rule.name.to_uppercase()), Some(*rule));
    }
    assert_eq!(rules::find("X999"), None);
}

#[test]
fn names_are_words_in_lower_case_with_dashes() {
    for rule in RULES {
        // Behind its letters a word may have a number: `latin1`.
        let plain = |word: &str| {
            let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
            !letters.is_empty() && letters.bytes().all(|b| b.is_ascii_lowercase())
        };
        assert!(rule.name.split('-').all(plain), "{}: {}", rule.code, rule.name);
    }
}

#[test]
fn every_text_is_there_and_no_line_of_it_is_long() {
    for rule in RULES {
        for (field, text) in texts(rule) {
            assert!(!text.is_empty(), "{} has no {field}", rule.code);
            assert_eq!(text, text.trim(), "{} {field}", rule.code);
            assert!(!text.contains("  "), "{} {field} has two spaces", rule.code);
            for line in text.lines() {
                assert!(line.chars().count() <= 255, "{} {field}: {line}", rule.code);
            }
        }
    }
}

#[test]
fn a_summary_is_one_line_that_can_stand_behind_a_colon() {
    for rule in RULES {
        assert!(!rule.summary.ends_with('.'), "{}", rule.code);
        assert!(rule.summary.chars().count() <= 100, "{}: {}", rule.code, rule.summary);
        assert!(!rule.summary.contains('\n'), "{}", rule.code);
    }
}

#[test]
fn why_and_advice_are_whole_sentences() {
    for rule in RULES {
        for text in [rule.why, rule.advice] {
            assert!(text.ends_with('.'), "{}: {text}", rule.code);
            assert!(!text.contains('\n'), "{}: {text}", rule.code);
        }
    }
}

#[test]
fn an_older_number_is_given_only_where_it_differs() {
    for rule in RULES {
        assert_ne!(rule.basis_2018, Some(rule.basis), "{}", rule.code);
        assert!(rule.basis_2018.is_none() || rule.basis.contains("FIDE"), "{}", rule.code);
        // The PGN standard has one edition.
        assert!(rule.basis_2018.is_none_or(|basis| !basis.contains("PGN")), "{}", rule.code);
    }
}

#[test]
fn every_rule_has_one_fixture_and_every_fixture_a_rule() {
    let fixtures = fixtures();
    let codes: Vec<&str> = fixtures.iter().map(|name| &name[..4]).collect();
    let mut rules: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
    rules.sort_unstable();
    assert_eq!(codes, rules);
    for name in &fixtures {
        let rule = rules::find(&name[..4]).unwrap();
        let stem = name.split('.').next().unwrap();
        assert_eq!(stem, format!("{}-{}", rule.code, rule.name));
    }
}

/// So an example in the documentation is one that the program was seen to find.
#[test]
fn the_example_of_a_rule_stands_in_its_fixture() {
    for name in fixtures().iter().filter(|name| name.ends_with(".pgn")) {
        let rule = rules::find(&name[..4]).unwrap();
        let bytes = fs::read(fixture_folder().join(name)).unwrap();
        // UTF-16 holds each of these characters with a zero byte; no other fixture holds zeros.
        let bytes: Vec<u8> = bytes.into_iter().filter(|&byte| byte != 0).collect();
        let text = one_line(&String::from_utf8_lossy(&bytes));
        let (pgn, note) = rule.example.rsplit_once('\n').expect(rule.code);
        assert!(!note.is_empty(), "{}", rule.code);
        let mut rest = text.as_str();
        for part in pgn.split('…') {
            let part = one_line(part);
            let at = rest.find(&part);
            rest = &rest[at.unwrap_or_else(|| panic!("{name} lacks {part}"))..];
        }
    }
}

#[test]
fn every_fixture_gives_its_rule() {
    let mut wrong = Vec::new();
    for name in fixtures() {
        let rule = rules::find(&name[..4]).unwrap();
        let found = findings(&name);
        match found.iter().find(|finding| finding["code"] == rule.code) {
            Some(own) => {
                assert_eq!(own["name"], rule.name, "{name}");
                assert_eq!(own["severity"], rule.severity.as_str(), "{name}");
            }
            None => wrong.push(format!("{name} gives {:?}", codes(&found))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_fixture_gives_no_other_rule_but_those_it_cannot_avoid() {
    let mut wrong = Vec::new();
    for name in fixtures() {
        let code = &name[..4];
        let also = ALSO.iter().find(|(of, _)| *of == code).map_or(&[][..], |(_, also)| also);
        let found = findings(&name);
        let codes = codes(&found);
        if let Some(missing) = also.iter().find(|also| !codes.contains(also)) {
            wrong.push(format!("{name} does not give {missing}, and may now be listed without it"));
        }
        for other in codes.iter().filter(|&&other| other != code && !also.contains(&other)) {
            wrong.push(format!("{name} gives {other} too"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_fix_does_more_than_its_rule_promises() {
    for (file, finding) in all_findings() {
        let code = finding["code"].as_str().unwrap();
        let promise = rules::find(code).unwrap().fix;
        let holds = match finding["fix"]["applicability"].as_str() {
            None | Some("display") => true,
            Some("unsafe") => promise != FixPromise::None,
            Some(_) => !matches!(promise, FixPromise::None | FixPromise::Unsafe),
        };
        assert!(holds, "{file}: {finding}");
    }
}

#[test]
fn what_stands_behind_a_fault_is_explained_with_its_rule() {
    let mut told = BTreeSet::new();
    for (file, finding) in all_findings() {
        let code = finding["code"].as_str().unwrap();
        if finding.get("course").is_some() || finding.get("ruling").is_some() {
            let explained = WITH_AFTERMATH.iter().any(|rule| rule.code == code);
            assert!(explained, "{file}: {finding}");
            told.insert(code.to_owned());
        }
    }
    assert!(told.contains("M301") && told.contains("P402"), "{told:?}");
}

#[test]
fn the_findings_of_every_fixture_are_those_recorded() {
    for name in fixtures() {
        let lines: Vec<String> = findings(&name).iter().map(Value::to_string).collect();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name.split('.').next().unwrap(), lines.join("\n"));
        });
    }
}

fn texts(rule: &Rule) -> [(&'static str, &'static str); 5] {
    [
        ("basis", rule.basis),
        ("summary", rule.summary),
        ("why", rule.why),
        ("example", rule.example),
        ("advice", rule.advice),
    ]
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn fixture_folder() -> PathBuf {
    root().join("fixtures/rules")
}

/// File names of all fixtures, sorted.
fn fixtures() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(fixture_folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn codes(findings: &[Value]) -> Vec<&str> {
    findings.iter().filter_map(|finding| finding["code"].as_str()).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The findings of all fixtures and cases, each with its file.
fn all_findings() -> Vec<(String, Value)> {
    let output = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"))
        .args(["check", "--format", "jsonl", "--fail-on", "never", "fixtures"])
        .current_dir(root())
        .output()
        .unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let records = output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let findings = records.filter(|record| record["type"] == "finding");
    findings.map(|it| (it["file"].as_str().unwrap().to_owned(), it)).collect()
}

/// The finding records of one fixture. Run in its folder, so that `file` is its bare name.
fn findings(fixture: &str) -> Vec<Value> {
    // What games are to each other is looked for only where that is asked for.
    let asked = if fixture.starts_with("X9") { &["--duplicates"][..] } else { &[] };
    let output = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"))
        .args(["check", "--format", "jsonl", "--fail-on", "never", fixture])
        .args(asked)
        .current_dir(fixture_folder())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    // What could not be read to its end is told by the status, too.
    let expected = if fixture.starts_with("B012") { 2 } else { 0 };
    assert_eq!(output.status.code(), Some(expected), "{fixture}: {stderr}");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|record: &Value| record["type"] == "finding")
        .collect()
}
