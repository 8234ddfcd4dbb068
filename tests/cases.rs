//! The case bank: faults and borders on which other programs went wrong, each with the findings
//! that its file must give.
//!
//! A case passes when every expected finding is there (by game, label, severity and, where the
//! case gives one, ply) and no other error or warning is. Facts must be there; further facts do
//! no harm. Lines do not decide. A label stands for one or more codes (`labels.tsv`).

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Cases that do not pass yet, and why. One that passes must leave this list.
const KNOWN_OPEN: &[(&str, &str)] = &[];

#[test]
fn every_case_gives_the_findings_it_names_but_those_known_to_be_open() {
    let labels = labels();
    let mut wrong = Vec::new();
    for case in cases() {
        let id = case["id"].as_str().unwrap();
        let open = KNOWN_OPEN.iter().find(|(known, _)| *known == id);
        match (differences(&case, &labels), open) {
            (None, None) | (Some(_), Some(_)) => {}
            (Some(difference), None) => {
                wrong.push(format!("{id} {}:\n{difference}", case["slug"].as_str().unwrap()));
            }
            (None, Some((_, reason))) => {
                wrong.push(format!("{id} passes and is listed as open ({reason})"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_listed_as_open_is_a_case_and_stands_once() {
    let cases = cases();
    let known: Vec<&str> = cases.iter().map(|case| case["id"].as_str().unwrap()).collect();
    for (id, _) in KNOWN_OPEN {
        assert!(known.contains(id), "{id}");
    }
    assert!(KNOWN_OPEN.windows(2).all(|pair| pair[0].0 < pair[1].0));
}

#[test]
fn every_case_names_a_file_that_is_there_and_labels_that_are_known() {
    let labels = labels();
    for case in cases() {
        assert!(folder().join(case["file"].as_str().unwrap()).is_file(), "{case}");
        for expected in case["diags"].as_array().unwrap() {
            let label = expected["code"].as_str().unwrap();
            assert!(labels.values().any(|known| known == label), "{label}");
        }
    }
}

#[test]
fn every_rule_has_a_label() {
    let labels = labels();
    for rule in pgn_arbiter::rules::RULES {
        assert!(labels.contains_key(rule.code), "{}", rule.code);
    }
}

/// What is missing and what is too much; `None` where the case passes.
fn differences(case: &Value, labels: &BTreeMap<String, String>) -> Option<String> {
    let file = case["file"].as_str().unwrap();
    let mut rest = match findings(file) {
        Ok(findings) => findings,
        Err(trouble) => return Some(trouble),
    };
    let mut lines = Vec::new();
    for expected in case["diags"].as_array().unwrap() {
        match rest.iter().position(|finding| matches(expected, finding, labels)) {
            Some(at) => drop(rest.remove(at)),
            None => lines.push(format!("  missing: {expected}")),
        }
    }
    for finding in rest.iter().filter(|finding| finding["severity"] != "info") {
        lines.push(format!("  not expected: {finding}"));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn matches(expected: &Value, finding: &Value, labels: &BTreeMap<String, String>) -> bool {
    let severity = match expected["severity"].as_str() {
        Some("E") => "error",
        Some("W") => "warning",
        _ => "info",
    };
    let same = |key: &str| expected[key].is_null() || expected[key] == finding[key];
    let code = finding["code"].as_str().unwrap();
    expected["code"] == labels.get(code).map_or(code, String::as_str)
        && finding["severity"] == severity
        && same("game")
        && same("ply")
}

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/cases"))
}

fn cases() -> Vec<Value> {
    let text = fs::read_to_string(folder().join("cases.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Code to label.
fn labels() -> BTreeMap<String, String> {
    fs::read_to_string(folder().join("labels.tsv"))
        .unwrap()
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once('\t'))
        .map(|(code, label)| (code.to_owned(), label.to_owned()))
        .collect()
}

/// The finding records of one case, or why there are none to compare.
fn findings(file: &str) -> Result<Vec<Value>, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"))
        .args(["check", "--format", "jsonl", "--fail-on", "never", file])
        .current_dir(folder())
        .output()
        .unwrap();
    if output.status.code() != Some(0) {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("  {}: {}", output.status, stderr.trim()));
    }
    let records: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).map_err(|error| format!("  {error}: {line}")))
        .collect::<Result<_, _>>()?;
    // Without its last record the program did not come to an end, and silence is no clean game.
    if records.last().is_none_or(|record| record["type"] != "summary") {
        return Err("  no summary record at the end".to_owned());
    }
    Ok(records.into_iter().filter(|record| record["type"] == "finding").collect())
}
