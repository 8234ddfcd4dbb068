//! What a rule means, from its declaration: as text for a terminal, and as a section of Markdown.

use std::fmt::Write as _;

use super::look::{BOLD, Look, severity_style};
use super::wrap::{Margins, push_break, push_wrapped};
use crate::diagnostics::Rule;
use crate::rules::moves::{COURSE_AND_RULING, WITH_AFTERMATH};

/// Columns that text is wrapped at; lines that are longer are harder to read.
const WIDTH: usize = 80;

/// Appends the rule as text, wrapped at 80 columns or at the terminal's width where that is less.
pub fn push_explanation(out: &mut Vec<u8>, rule: &Rule, look: Look) {
    let look = Look { width: Some(look.width.map_or(WIDTH, |width| width.min(WIDTH))), ..look };
    look.push(out, BOLD, rule.code);
    out.push(b' ');
    look.push(out, BOLD, rule.name);
    let used = rule.code.len() + 1 + rule.name.len();
    let severity = rule.severity.as_str().len() + "()".len();
    push_break(out, severity, Margins { used, indent: 2, width: look.width });
    out.push(b'(');
    look.push(out, severity_style(rule.severity), rule.severity);
    out.extend_from_slice(b")\n");
    push_lines(out, rule.summary, 0, look);
    out.push(b'\n');
    for (title, text) in facts(rule) {
        out.extend_from_slice(title.as_bytes());
        out.push(b':');
        let margins = Margins { used: title.len() + 1, indent: 2, width: look.width };
        push_wrapped(out, text.as_bytes(), margins);
        out.push(b'\n');
    }
    for (title, text) in sections(rule) {
        out.push(b'\n');
        look.push(out, BOLD, title);
        out.push(b'\n');
        push_lines(out, text, 2, look);
    }
}

/// The rule as Markdown under a heading of this level; 0 for what stands below the heading alone.
pub fn markdown(rule: &Rule, level: usize) -> String {
    let mut text = String::new();
    if level > 0 {
        let hashes = "#".repeat(level);
        // Writing to memory does not fail, here and below.
        let _ = write!(text, "{hashes} {} {}\n\n", rule.code, rule.name);
    }
    let _ = write!(text, "**{}**: {}.\n\n", rule.severity, escaped(rule.summary));
    for (title, fact) in facts(rule) {
        let _ = writeln!(text, "- {title}: {}", escaped(fact));
    }
    for (title, section) in sections(rule) {
        // The example is PGN, in which every character counts.
        let _ = match title {
            "Example" => write!(text, "\n**{title}**\n\n```text\n{section}\n```\n"),
            _ => write!(text, "\n**{title}.** {}\n", escaped(section)),
        };
    }
    text
}

fn facts(rule: &Rule) -> impl Iterator<Item = (&'static str, &'static str)> {
    let basis = Some(rule.basis).filter(|&basis| basis != "-").map(|basis| ("Basis", basis));
    let older = rule.basis_2018.map(|basis| ("In the Laws of 2018", basis));
    basis.into_iter().chain(older).chain([("Fix", rule.fix.as_str())])
}

fn sections(rule: &Rule) -> impl Iterator<Item = (&'static str, &'static str)> {
    let course_and_ruling = course_and_ruling(rule).unwrap_or_default();
    [
        ("Why", rule.why),
        ("Example", rule.example),
        ("Advice", rule.advice),
        ("What its findings say", course_and_ruling),
    ]
    .into_iter()
    .filter(|(_, text)| !text.is_empty())
}

/// What the findings of a rule say beside their message, where they do.
pub fn course_and_ruling(rule: &Rule) -> Option<&'static str> {
    WITH_AFTERMATH.iter().any(|other| *rule == **other).then_some(COURSE_AND_RULING)
}

/// Each line is wrapped by itself: the lines of an example are its own.
fn push_lines(out: &mut Vec<u8>, text: &str, indent: usize, look: Look) {
    for line in text.lines() {
        if !line.is_empty() {
            let margins = Margins { used: 0, indent, width: look.width };
            push_wrapped(out, line.as_bytes(), margins);
        }
        out.push(b'\n');
    }
}

/// Prose with nothing in it that Markdown would take for its own.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::diagnostics::{FixPromise, Severity};
    use crate::rules::RULES;

    const RULE: Rule = Rule {
        code: "P401",
        name: "missing-promotion-piece",
        severity: Severity::Error,
        basis: "FIDE 3.7.3.3",
        basis_2018: Some("3.7.5.1"),
        fix: FixPromise::Unsafe,
        summary: "a pawn reaches the last rank and no piece is named",
        why: "A reader that guesses a queen is right nineteen times out of twenty, and the \
              twentieth game (`*`) is the one that was worth keeping.",
        example: "60. b7 Kh2\n\n61. b8 *",
        advice: "Look at the moves that follow.",
    };

    fn explained(rule: &Rule, look: Look) -> String {
        let mut out = Vec::new();
        push_explanation(&mut out, rule, look);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_rule_is_explained_with_everything_that_its_declaration_says() {
        assert_snapshot!(explained(&RULE, Look::PLAIN), @r"
        P401 missing-promotion-piece (error)
        a pawn reaches the last rank and no piece is named

        Basis: FIDE 3.7.3.3
        In the Laws of 2018: 3.7.5.1
        Fix: unsafe

        Why
          A reader that guesses a queen is right nineteen times out of twenty, and the
          twentieth game (`*`) is the one that was worth keeping.

        Example
          60. b7 Kh2

          61. b8 *

        Advice
          Look at the moves that follow.
        ");
    }

    #[test]
    fn markdown_says_the_same_and_escapes_what_it_would_take_for_its_own() {
        assert_snapshot!(markdown(&RULE, 2), @r"
        ## P401 missing-promotion-piece

        **error**: a pawn reaches the last rank and no piece is named.

        - Basis: FIDE 3.7.3.3
        - In the Laws of 2018: 3.7.5.1
        - Fix: unsafe

        **Why.** A reader that guesses a queen is right nineteen times out of twenty, and the twentieth game (\`\*\`) is the one that was worth keeping.

        **Example**

        ```text
        60. b7 Kh2

        61. b8 *
        ```

        **Advice.** Look at the moves that follow.
        ");
    }

    #[test]
    fn a_rule_without_an_article_has_no_line_for_it() {
        let rule = Rule { basis: "-", basis_2018: None, ..RULE };
        for text in [explained(&rule, Look::PLAIN), markdown(&rule, 0)] {
            assert!(!text.contains("Basis") && !text.contains("2018"), "{text}");
        }
    }

    #[test]
    fn every_rule_fits_the_width_of_its_reader() {
        for width in [None, Some(40), Some(200)] {
            for rule in RULES {
                let text = explained(rule, Look { width, colored: false });
                let most = width.unwrap_or(WIDTH).min(WIDTH);
                let long = text
                    .lines()
                    .find(|line| line.chars().count() > most && line.trim_start().contains(' '));
                // The heading is one piece.
                let long = long.filter(|line| !line.starts_with(rule.code));
                assert!(text.starts_with(rule.code) && long.is_none(), "{long:?}");
            }
        }
    }

    #[test]
    fn headings_are_bold_where_there_are_colours() {
        let text = explained(&RULE, Look { width: None, colored: true });
        for heading in ["P401", "Why", "Example", "Advice"] {
            assert!(text.contains(&format!("\x1b[1m{heading}\x1b[0m")), "{heading}: {text:?}");
        }
    }
}
