//! What a move was that leaves something open: its readings come in with all that speaks for or
//! against them, and out goes the one that is left, or those that are.
//!
//! The rest of the line decides first: a reading with which it is not legal is none. Among the
//! others each of these decides where it leaves any: the mark of the move itself, the marks of
//! later moves, the recorded reason of the end and its result, and a mark that a move other than a
//! promotion does not
//! have in a game that writes them. Readings with which a later move is ambiguous come last.

use shakmaty::{Chess, Move, Position};

use super::candidates::Candidates;
use super::gives;
use super::trial::{Exclusion, Trial};
use crate::pgn::Mark;
use crate::replay::RecordedEnd;

/// What decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// The mark of the move.
    Mark(Mark),
    /// This word ruled out the last others; whether nothing else did before it.
    Rest(Exclusion, bool),
    /// The mark of a later move.
    LaterMark(Exclusion),
    /// The recorded reason of the end.
    Reason(RecordedEnd),
    /// The recorded result.
    Result,
    /// The move has no mark.
    NoMark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    One(usize, Ground),
    /// What is left, of which none is shown to be the only one.
    Several(Candidates, Doubts),
    /// With none of them is the rest legal.
    None,
}

/// What speaks against the readings that are not left, and shows nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// With some of them the last move mates against the recorded result, in a game that may leave
    /// a mate unmarked.
    pub mate: bool,
    /// With some of them a later move is ambiguous.
    pub ambiguous: bool,
    /// The rest was not read to its end.
    pub unread: bool,
}

/// What a game says wherever it has to, as far as can be told.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    pub marks_checks: bool,
    pub names_origins: bool,
}

/// Judges the readings of a move that has this mark.
pub fn rule_on(
    before: &Chess,
    readings: &[Move],
    mark: Mark,
    trial: &Trial,
    habits: Habits,
) -> Ruling {
    if trial.legal.is_empty() {
        return Ruling::None;
    }
    let all = Candidates::all(readings.len());
    let that = |fits: &dyn Fn(&Chess) -> bool| {
        let fitting = readings.iter().enumerate().filter(|(_, m)| {
            let mut after = before.clone();
            after.play_unchecked(**m);
            fits(&after)
        });
        fitting.fold(Candidates::NONE, |all, (index, _)| all.or(Candidates::one(index)))
    };
    let mut left = all;
    let mut ground = None;
    let mut narrow = |to: Candidates, why: &dyn Fn(Candidates) -> Option<Ground>| {
        let narrowed = left.and(to);
        if !narrowed.and(trial.legal).is_empty() {
            if narrowed.len() == 1 && left.len() > 1 {
                ground = why(left.without(narrowed));
            }
            let narrows = narrowed != left;
            left = narrowed;
            return narrows;
        }
        false
    };
    let mut doubts = Doubts { unread: !trial.whole, ..Doubts::default() };
    if mark != Mark::None {
        narrow(that(&|after| gives(after, mark)), &|_| Some(Ground::Mark(mark)));
    }
    narrow(trial.legal, &|others| {
        let rules_out = |it: &&Exclusion| !it.candidates.and(others).is_empty();
        let last = trial.exclusions.iter().rev().find(rules_out)?;
        Some(Ground::Rest(*last, others.without(last.candidates).is_empty()))
    });
    for lacking in &trial.unmarked {
        narrow(all.without(lacking.candidates), &|_| Some(Ground::LaterMark(*lacking)));
    }
    for &(reason, fitting) in &trial.reasons {
        narrow(fitting, &|_| Some(Ground::Reason(reason)));
    }
    narrow(trial.undrawn, &|_| Some(Ground::Result));
    // Where checks are not marked, a mate against the result is found in sound records too.
    let shows = |ground| habits.marks_checks.then_some(ground);
    doubts.mate = narrow(trial.unmated, &|_| shows(Ground::Result)) && !habits.marks_checks;
    // Who drops the piece of a promotion may drop what stands behind it.
    let pieces = readings.iter().all(|m| m.is_promotion());
    if mark == Mark::None && habits.marks_checks && !trial.bare_check && !pieces {
        narrow(that(&|after| !after.is_check()), &|_| Some(Ground::NoMark));
    }
    // Who leaves out one thing may leave out another: this narrows, and shows nothing.
    if habits.names_origins && !trial.all_ambiguous {
        for lacking in &trial.ambiguous {
            doubts.ambiguous |= narrow(all.without(lacking.candidates), &|_| None);
        }
    }
    // What was not read to its end may still rule it out.
    match (left.iter().next(), ground) {
        (Some(index), Some(ground)) if left.len() == 1 && trial.whole => Ruling::One(index, ground),
        _ => Ruling::Several(left, doubts),
    }
}
