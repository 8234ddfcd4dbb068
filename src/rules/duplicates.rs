//! Games that stand twice in the inputs of a run, or begin longer ones. Looked for only where that
//! is asked for.

use crate::diagnostics::{Finding, FixPromise, Rule, Severity, Span};
use crate::duplicates::{Differences, Kind};

pub static DUPLICATE_GAME: Rule = Rule {
    code: "X901",
    name: "duplicate-game",
    severity: Severity::Info,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the same moves and players stand earlier in the archive",
    why: "A game that stands twice counts twice. Players are the same where names differ in letter \
        case, accents, titles or initials only. Two players may repeat a short draw on another \
        day: the message tells which of Date, Round, Result and first names differ.",
    example: "[White \"Holm, Ada\"]\n[Black \"Brandt, Kai\"]…1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n\
        …[White \"HOLM,A\"]\n[Black \"Kai Brandt\"]…1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\
        the second game repeats the first",
    advice: "Keep the one with the better tags and comments. Found with --duplicates; \
        games.duplicate_of names the other one.",
};

pub static PREFIX_GAME: Rule = Rule {
    code: "X902",
    name: "prefix-game",
    severity: Severity::Info,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the moves are the beginning of a longer game of the same players",
    why: "A broadcast that broke off leaves half a game beside the whole one, which may stand \
        anywhere in the inputs. Below 20 half-moves, games whose Date, Round or Result differ are \
        two games.",
    example: "[White \"Holm, Ada\"]\n[Black \"Brandt, Kai\"]…1. e4 e5 2. Nf3 *\n\n\
        …[White \"Holm, Ada\"]\n[Black \"Brandt, Kai\"]…1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\
        the first game stops where the second one goes on",
    advice: "Keep the longer one, after a look at both results. Found with --duplicates; \
        games.duplicate_of names the longer one.",
};

/// The rule that tells what a game is to another.
pub fn rule_of(kind: Kind) -> &'static Rule {
    match kind {
        Kind::Repeats => &DUPLICATE_GAME,
        Kind::Begins => &PREFIX_GAME,
    }
}

/// A game that repeats or begins another one, which `other` names.
pub fn repeated(
    kind: Kind,
    first: Span,
    other: &str,
    plies: u32,
    differences: Differences,
) -> Finding {
    let mut message = match kind {
        Kind::Repeats => format!("the same moves and players stand in {other}"),
        Kind::Begins => {
            format!("the moves are the beginning of {other}, which has {plies} half-moves")
        }
    };
    if differences.any() {
        message.push_str(&format!("; {differences}"));
    }
    Finding::new(rule_of(kind), first).message(message)
}
