//! `explain`: what a rule means, from its declaration.

use serde::Serialize;

use super::args::{ExplainArgs, ExplainFormat};
use super::exit::Status;
use crate::diagnostics::{Rule, Selection, Severity};
use crate::error::Result;
use crate::report::{Output, course_and_ruling, markdown, push_explanation};
use crate::rules::{self, RULES};

/// What stands before the rules where all of them are one page; docs/rules.md is that page.
const INTRODUCTION: &str = "\
# Rules

What each rule means, why it matters and what to do: `pgn-arbiter explain --all --format markdown`.
**error**: the score cannot be certified. **warning**: a defect whose meaning is certain. **info**:
a fact; nothing is wrong. *Fix* says what a fix may do at most: **safe** keeps moves, tag values
and comments, **unsafe** guesses or deletes, **on request** would change sound games too.
";

/// Prints the rules that were asked for; one that does not exist fails before anything is printed.
pub fn run(args: &ExplainArgs) -> Result<Status> {
    let rules = wanted(args)?;
    let mut out = Output::stdout();
    match args.format {
        ExplainFormat::Text => {
            let look = out.look(args.color.into());
            for (at, rule) in rules.into_iter().enumerate() {
                if at > 0 {
                    out.buffer().push(b'\n');
                }
                push_explanation(out.buffer(), rule, look);
                out.spill()?;
            }
        }
        ExplainFormat::Json => push_json(out.buffer(), &rules),
        ExplainFormat::Markdown => push_markdown(out.buffer(), &rules, args.all),
    }
    out.finish()?;
    Ok(Status::Clean)
}

fn wanted(args: &ExplainArgs) -> Result<Vec<&'static Rule>> {
    if args.all {
        return Ok(RULES.to_vec());
    }
    let mut wanted = Vec::new();
    for word in &args.rules {
        for rule in named(word)? {
            if !wanted.contains(&rule) {
                wanted.push(rule);
            }
        }
    }
    Ok(wanted)
}

/// The rule of a code or a name, or all whose codes begin with the word, as `--select` has it.
fn named(word: &str) -> Result<Vec<&'static Rule>> {
    if let Some(rule) = rules::find(word) {
        return Ok(vec![rule]);
    }
    let selection = Selection::parse(&[word.to_owned()], &[], RULES)?;
    Ok(RULES.iter().copied().filter(|rule| selection.allows(rule)).collect())
}

fn push_markdown(out: &mut Vec<u8>, rules: &[&Rule], introduced: bool) {
    let introduction = introduced.then(|| INTRODUCTION.to_owned());
    let rules = rules.iter().map(|rule| markdown(rule, 2));
    let parts: Vec<String> = introduction.into_iter().chain(rules).collect();
    out.extend_from_slice(parts.join("\n").as_bytes());
}

/// A rule as JSON; what it does not have is left out.
#[derive(Serialize)]
struct RuleObject {
    code: &'static str,
    name: &'static str,
    severity: Severity,
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    basis_2018: Option<&'static str>,
    fix: &'static str,
    summary: &'static str,
    why: &'static str,
    example: &'static str,
    advice: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    course_and_ruling: Option<&'static str>,
}

/// A list, however many rules there are.
fn push_json(out: &mut Vec<u8>, rules: &[&'static Rule]) {
    let object = |rule: &&'static Rule| RuleObject {
        code: rule.code,
        name: rule.name,
        severity: rule.severity,
        basis: Some(rule.basis).filter(|&basis| basis != "-"),
        basis_2018: rule.basis_2018,
        fix: rule.fix.as_str(),
        summary: rule.summary,
        why: rule.why,
        example: rule.example,
        advice: rule.advice,
        course_and_ruling: course_and_ruling(rule),
    };
    let objects: Vec<RuleObject> = rules.iter().map(object).collect();
    serde_json::to_writer_pretty(&mut *out, &objects)
        .expect("memory takes every byte and every key is text");
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::args::{Command, CommandLine};

    fn asked(words: &str) -> Result<Vec<&'static Rule>> {
        let words = ["pgn-arbiter", "explain"].into_iter().chain(words.split_whitespace());
        match CommandLine::try_parse_from(words).unwrap().command {
            Command::Explain(args) => wanted(&args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn rules_come_in_the_order_that_they_were_asked_for_in() {
        let codes = |words| asked(words).unwrap().iter().map(|rule| rule.code).collect::<Vec<_>>();
        assert_eq!(codes("P401 king-into-check"), ["P401", "M303"]);
        assert_eq!(codes("--all").len(), RULES.len());
        assert_eq!(codes("p4 P401"), ["P401", "P402", "P403", "P404"]);
        assert_eq!(codes("P402 P4"), ["P402", "P401", "P403", "P404"]);
    }

    #[test]
    fn a_rule_that_does_not_exist_is_answered_with_the_nearest() {
        let error = asked("P401 mising-promotion-piece").unwrap_err();
        assert!(error.to_string().ends_with("did you mean missing-promotion-piece?"), "{error}");
    }

    #[test]
    fn json_is_a_list_of_all_that_a_rule_declares() {
        let mut out = Vec::new();
        push_json(&mut out, RULES);
        let rules: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(rules.as_array().unwrap().len(), RULES.len());
        for (object, rule) in rules.as_array().unwrap().iter().zip(RULES) {
            assert_eq!(object["code"], rule.code);
            assert_eq!(object["severity"], rule.severity.as_str());
            assert_eq!(object["advice"], rule.advice);
            assert_eq!(object.get("basis").is_none(), rule.basis == "-", "{}", rule.code);
        }
    }

    #[test]
    fn only_the_page_of_all_rules_is_introduced() {
        let mut some = Vec::new();
        push_markdown(&mut some, &RULES[..2], false);
        let some = String::from_utf8(some).unwrap();
        assert!(some.starts_with(&format!("## {}", RULES[0].code)), "{some}");
        let mut page = Vec::new();
        push_markdown(&mut page, RULES, true);
        let page = String::from_utf8(page).unwrap();
        assert!(page.starts_with("# Rules\n"));
        assert_eq!(page.matches("\n## ").count(), RULES.len());
    }
}
