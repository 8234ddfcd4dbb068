//! Which rules are wanted: from the words of `--select` and `--ignore` to a yes or no for each
//! rule.
//!
//! A word is a code (`M303`), the beginning of codes (`M`, `M3`) or a name (`king-into-check`),
//! in any letter case. Where both lists name a rule, the longer beginning decides, so that
//! `--select M --ignore M3 --select M303` keeps M303; at the same length `--ignore` does.

use super::Rule;
use crate::error::{Error, Result};

/// The rules that are told. The default is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Codes and beginnings of codes; none means all.
    select: Vec<String>,
    ignore: Vec<String>,
}

impl Selection {
    /// Reads the words of both lists. A word that names no rule is an [`Error::Usage`] which
    /// says what may have been meant.
    pub fn parse(select: &[String], ignore: &[String], rules: &[&Rule]) -> Result<Selection> {
        let codes =
            |words: &[String]| words.iter().map(|word| code(word, rules)).collect::<Result<_>>();
        Ok(Selection { select: codes(select)?, ignore: codes(ignore)? })
    }

    /// Whether no rule is left out.
    pub fn is_everything(&self) -> bool {
        self.select.is_empty() && self.ignore.is_empty()
    }

    pub fn allows(&self, rule: &Rule) -> bool {
        let selected = if self.select.is_empty() { Some(0) } else { longest(&self.select, rule) };
        selected.is_some_and(|selected| {
            longest(&self.ignore, rule).is_none_or(|ignored| ignored < selected)
        })
    }
}

/// The rule whose code or name is nearest to a word that names none, as code or name.
pub fn nearest(word: &str, rules: &[&Rule]) -> Option<&'static str> {
    let (upper, lower) = (word.to_ascii_uppercase(), word.to_ascii_lowercase());
    let codes =
        rules.iter().map(|rule| (strsim::damerau_levenshtein(&upper, rule.code), rule.code));
    let names =
        rules.iter().map(|rule| (strsim::damerau_levenshtein(&lower, rule.name), rule.name));
    codes
        .chain(names)
        .min_by_key(|&(distance, _)| distance)
        // More than a third wrong is another word.
        .filter(|&(distance, meant)| distance * 3 <= meant.len())
        .map(|(_, meant)| meant)
}

/// `unknown rule "M3O3"; did you mean M303?`
pub fn unknown_rule(word: &str, rules: &[&Rule]) -> Error {
    let advice = match nearest(word, rules) {
        Some(meant) => format!("did you mean {meant}?"),
        None => "`pgn-arbiter explain --all` names them all".to_owned(),
    };
    Error::Usage(format!("unknown rule \"{}\"; {advice}", word.escape_debug()))
}

fn longest(beginnings: &[String], rule: &Rule) -> Option<usize> {
    beginnings.iter().filter(|code| rule.code.starts_with(*code)).map(String::len).max()
}

fn code(word: &str, rules: &[&Rule]) -> Result<String> {
    if let Some(rule) = rules.iter().find(|rule| rule.name.eq_ignore_ascii_case(word)) {
        return Ok(rule.code.to_owned());
    }
    let upper = word.to_ascii_uppercase();
    if !upper.is_empty() && rules.iter().any(|rule| rule.code.starts_with(&upper)) {
        Ok(upper)
    } else {
        Err(unknown_rule(word, rules))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{self, RULES};

    fn selection(select: &[&str], ignore: &[&str]) -> Result<Selection> {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        Selection::parse(&owned(select), &owned(ignore), RULES)
    }

    #[test]
    fn the_longer_beginning_decides_and_ignore_wins_a_tie() {
        let table: &[(&[&str], &[&str], &str, bool)] = &[
            (&[], &[], "M303", true),
            (&["M"], &[], "M303", true),
            (&["M"], &[], "N701", false),
            (&["m3", "n"], &[], "N701", true),
            (&["king-into-check"], &[], "M303", true),
            (&["King-Into-Check"], &[], "M301", false),
            (&[], &["N"], "N701", false),
            (&[], &["N"], "M303", true),
            (&["M"], &["M303"], "M303", false),
            (&["M"], &["M303"], "M301", true),
            (&["M", "M303"], &["M3"], "M303", true),
            (&["M", "M303"], &["M3"], "M301", false),
            (&["M303"], &["M303"], "M303", false),
            (&["M303"], &["M"], "M303", true),
        ];
        for &(select, ignore, code, allowed) in table {
            let rule = rules::find(code).unwrap();
            let selection = selection(select, ignore).unwrap();
            assert_eq!(selection.allows(rule), allowed, "{select:?} {ignore:?} {code}");
        }
    }

    #[test]
    fn a_word_that_names_no_rule_is_answered_with_the_nearest_one() {
        let table = [
            ("M3O3", "did you mean M303?"),
            ("m1303", "did you mean M303?"),
            ("king-in-check", "did you mean king-into-check?"),
            ("chekc-mark", "did you mean check-mark?"),
            ("banana", "explain --all"),
            ("", "explain --all"),
            ("M303x", "did you mean M303?"),
        ];
        for (word, expected) in table {
            let message = selection(&[word], &[]).unwrap_err().to_string();
            assert!(message.contains(expected), "{word}: {message}");
            let message = selection(&[], &[word]).unwrap_err().to_string();
            assert!(message.contains(expected), "{word}: {message}");
        }
    }
}
