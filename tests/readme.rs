//! The README and docs/rules.md repeat what the program declares, for those who read it on a web
//! page. This keeps them true.

use std::fmt::Write;
use std::process::Command;
use std::{env, fs};

use pgn_arbiter::rules::RULES;

/// With `UPDATE_README=1` in the environment the tables are written instead of compared.
#[test]
fn the_readme_shows_what_the_program_declares() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = fs::read_to_string(path).expect("the README can be read");
    let declared = with_section(&readme, "rules", &rules_table());
    if env::var_os("UPDATE_README").is_some() {
        fs::write(path, declared).expect("the README can be written");
    } else if readme != declared {
        panic!("the README is behind; run `UPDATE_README=1 cargo test --test readme`");
    }
}

/// With `UPDATE_README=1` in the environment the page is written instead of compared.
#[test]
fn the_page_of_the_rules_is_what_the_program_explains() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rules.md");
    let mut explain = Command::new(env!("CARGO_BIN_EXE_pgn-arbiter"));
    explain.args(["explain", "--all", "--format", "markdown"]);
    let page = explain.output().expect("the program starts").stdout;
    if env::var_os("UPDATE_README").is_some() {
        fs::write(path, page).expect("the page can be written");
    } else if fs::read(path).expect("the page can be read") != page {
        panic!("docs/rules.md is behind; run `UPDATE_README=1 cargo test --test readme`");
    }
}

/// The text with this between the comments that mark the section.
fn with_section(text: &str, name: &str, content: &str) -> String {
    let begin = format!("<!-- {name}: written by tests/readme.rs -->\n");
    let end = format!("<!-- end of {name} -->\n");
    let (before, rest) = text.split_once(&begin).expect("the README marks the section's begin");
    let (_, after) = rest.split_once(&end).expect("the README marks the section's end");
    format!("{before}{begin}{content}{end}{after}")
}

fn rules_table() -> String {
    let mut table = String::from(
        "| Code | Name | Severity | Basis | Fix | What it says |\n|---|---|---|---|---|---|\n",
    );
    for rule in RULES {
        // A bar would end the cell.
        let summary = rule.summary.replace('|', "\\|");
        writeln!(
            table,
            "| {} | {} | {} | {} | {} | {summary} |",
            rule.code,
            rule.name,
            rule.severity.as_str(),
            rule.basis,
            rule.fix.as_str(),
        )
        .expect("a string takes all text");
    }
    table
}
