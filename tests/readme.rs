//! The README repeats the rules for those who read it on a web page. This keeps it true.

use std::fmt::Write;
use std::{env, fs};

use pgn_arbiter::rules::RULES;

const BEGIN: &str = "<!-- rules: written by tests/readme.rs -->\n";
const END: &str = "<!-- end of rules -->\n";

/// With `UPDATE_README=1` in the environment the table is written instead of compared.
#[test]
fn the_readme_shows_every_rule_as_it_is_declared() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = fs::read_to_string(path).expect("the README can be read");
    let (before, rest) = readme.split_once(BEGIN).expect("the README marks where rules begin");
    let (shown, after) = rest.split_once(END).expect("the README marks where rules end");
    let declared = rules_table();
    if env::var_os("UPDATE_README").is_some() {
        fs::write(path, format!("{before}{BEGIN}{declared}{END}{after}"))
            .expect("the README can be written");
    } else {
        assert_eq!(shown, declared, "run `UPDATE_README=1 cargo test --test readme` to renew it");
    }
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
