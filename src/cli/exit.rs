//! The exit status.

use std::process::ExitCode;

use crate::diagnostics::Severity;
use crate::summary::Counts;

/// How a run ended. The greater one wins: what could not be done is told before what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Nothing at or above the severity that was asked for.
    Clean = 0,
    /// Findings at or above it.
    Findings = 1,
    /// The job, or a part of it, could not be done.
    Failed = 2,
}

impl Status {
    /// The status of a run that did its job. `fail_on` is `None` for never.
    pub fn of(counts: &Counts, fail_on: Option<Severity>) -> Status {
        match fail_on {
            Some(severity) if counts.at_least(severity) > 0 => Status::Findings,
            _ => Status::Clean,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{draws, moves, notation};

    #[test]
    fn the_status_is_one_when_something_weighs_as_much_as_asked_for() {
        let mut counts = Counts::default();
        let everything = [None, Some(Severity::Error), Some(Severity::Info)];
        for fail_on in everything {
            assert_eq!(Status::of(&counts, fail_on), Status::Clean);
        }
        counts.rule(&draws::UNCLAIMED_THREEFOLD, 1);
        assert_eq!(Status::of(&counts, Some(Severity::Warning)), Status::Clean);
        assert_eq!(Status::of(&counts, Some(Severity::Info)), Status::Findings);
        counts.rule(&notation::CHECK_MARK, 1);
        assert_eq!(Status::of(&counts, Some(Severity::Error)), Status::Clean);
        assert_eq!(Status::of(&counts, Some(Severity::Warning)), Status::Findings);
        counts.rule(&moves::UNREADABLE_MOVE, 1);
        assert_eq!(Status::of(&counts, Some(Severity::Error)), Status::Findings);
        assert_eq!(Status::of(&counts, None), Status::Clean);
    }

    #[test]
    fn what_could_not_be_done_wins() {
        assert_eq!(Status::Findings.max(Status::Failed), Status::Failed);
        assert_eq!(Status::Failed as u8, 2);
    }
}
