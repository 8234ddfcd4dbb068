//! `explain`: what a rule means, from its declaration.

use std::io::Write;

use super::args::ExplainArgs;
use super::exit::Status;
use crate::diagnostics::{Rule, unknown_rule};
use crate::error::Result;
use crate::report::Output;
use crate::rules::{self, RULES};

/// Columns that text is wrapped at.
const WIDTH: usize = 80;

/// Prints the rules that were asked for; one that does not exist fails before anything is printed.
pub fn run(args: &ExplainArgs) -> Result<Status> {
    let mut out = Output::stdout();
    for (at, rule) in wanted(args)?.into_iter().enumerate() {
        if at > 0 {
            out.buffer().push(b'\n');
        }
        push_rule(out.buffer(), rule);
        out.spill()?;
    }
    out.finish()?;
    Ok(Status::Clean)
}

fn wanted(args: &ExplainArgs) -> Result<Vec<&'static Rule>> {
    if args.all {
        return Ok(RULES.to_vec());
    }
    let find = |word: &String| rules::find(word).ok_or_else(|| unknown_rule(word, RULES));
    args.rules.iter().map(find).collect()
}

fn push_rule(out: &mut Vec<u8>, rule: &Rule) {
    push(out, format_args!("{} {} ({})\n", rule.code, rule.name, rule.severity));
    push_wrapped(out, rule.summary, "");
    push(out, format_args!("\n"));
    if rule.basis != "-" {
        push(out, format_args!("Basis: {}\n", rule.basis));
    }
    if let Some(basis) = rule.basis_2018 {
        push(out, format_args!("In the Laws of 2018: {basis}\n"));
    }
    push(out, format_args!("Fix: {}\n", rule.fix.as_str()));
    let sections = [("Why", rule.why), ("Example", rule.example), ("Advice", rule.advice)];
    for (title, text) in sections.into_iter().filter(|(_, text)| !text.is_empty()) {
        push(out, format_args!("\n{title}\n"));
        push_wrapped(out, text, "  ");
    }
}

/// Wraps each line by itself: the lines of an example are its own.
fn push_wrapped(out: &mut Vec<u8>, text: &str, indent: &str) {
    for line in text.lines() {
        let mut used = 0;
        for word in line.split(' ') {
            let cells = word.chars().count();
            if used > 0 && used + 1 + cells > WIDTH {
                out.push(b'\n');
                used = 0;
            }
            let lead = if used == 0 { indent } else { " " };
            push(out, format_args!("{lead}{word}"));
            used += lead.len() + cells;
        }
        out.push(b'\n');
    }
}

fn push(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Writing to memory does not fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::diagnostics::{FixPromise, Severity};

    const RULE: Rule = Rule {
        code: "P401",
        name: "missing-promotion-piece",
        severity: Severity::Error,
        basis: "FIDE 3.7.3.3",
        basis_2018: Some("3.7.5.1"),
        fix: FixPromise::Unsafe,
        summary: "a pawn reaches the last rank and no piece is named",
        why: "A reader that guesses a queen is right nineteen times out of twenty, and the \
              twentieth game is the one that was worth keeping.",
        example: "60. b7 Kh2\n61. b8",
        advice: "Look at the moves that follow.",
    };

    fn explained(rule: &Rule) -> String {
        let mut out = Vec::new();
        push_rule(&mut out, rule);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_rule_is_explained_with_everything_that_its_declaration_says() {
        assert_snapshot!(explained(&RULE), @r"
        P401 missing-promotion-piece (error)
        a pawn reaches the last rank and no piece is named

        Basis: FIDE 3.7.3.3
        In the Laws of 2018: 3.7.5.1
        Fix: unsafe

        Why
          A reader that guesses a queen is right nineteen times out of twenty, and the
          twentieth game is the one that was worth keeping.

        Example
          60. b7 Kh2
          61. b8

        Advice
          Look at the moves that follow.
        ");
    }

    #[test]
    fn a_rule_without_an_article_has_no_line_for_it() {
        let text = explained(&Rule { basis: "-", basis_2018: None, ..RULE });
        assert!(!text.contains("Basis") && !text.contains("2018"), "{text}");
    }

    #[test]
    fn every_rule_can_be_explained_within_the_width() {
        let args = ExplainArgs { rules: Vec::new(), all: true };
        let rules = wanted(&args).unwrap();
        assert_eq!(rules.len(), RULES.len());
        for rule in rules {
            let text = explained(rule);
            let long = text.lines().find(|line| line.chars().count() > WIDTH && line.contains(' '));
            assert!(text.starts_with(rule.code) && long.is_none(), "{long:?}");
        }
    }

    #[test]
    fn a_rule_that_does_not_exist_is_answered_with_the_nearest() {
        let rules = vec!["P401".to_owned(), "mising-promotion-piece".to_owned()];
        let error = wanted(&ExplainArgs { rules, all: false }).unwrap_err();
        assert!(error.to_string().ends_with("did you mean missing-promotion-piece?"), "{error}");
    }
}
