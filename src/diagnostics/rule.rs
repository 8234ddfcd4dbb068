//! What a rule is: declared once, read by `explain`, the reports and the documentation.

use std::fmt;

use serde::{Serialize, Serializer};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A fact; nothing is wrong.
    Info,
    /// A defect whose meaning is certain.
    Warning,
    /// The score cannot be certified.
    Error,
}

impl Severity {
    pub const ALL: [Severity; 3] = [Severity::Info, Severity::Warning, Severity::Error];

    /// The word that reports and tables use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What a rule's fix may do, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FixPromise {
    /// The fault needs a person.
    None,
    /// The meaning stays the same.
    Safe,
    /// A guess or a deletion.
    Unsafe,
    /// Sound games would change too: done only when asked for.
    OnRequest,
}

impl FixPromise {
    /// The word that `explain` and the documentation use.
    pub const fn as_str(self) -> &'static str {
        match self {
            FixPromise::None => "none",
            FixPromise::Safe => "safe",
            FixPromise::Unsafe => "unsafe",
            FixPromise::OnRequest => "on request",
        }
    }
}

/// One rule. The declaration is the only place where its code, name and texts stand.
#[derive(Debug)]
pub struct Rule {
    /// `M303`: a letter for the family and three digits. Never given a second meaning.
    pub code: &'static str,
    /// `king-into-check`
    pub name: &'static str,
    pub severity: Severity,
    /// The article of the FIDE Laws of 2023, the clause of the PGN standard, or `-`.
    pub basis: &'static str,
    /// The article's number in the FIDE Laws of 2018, where it differs.
    pub basis_2018: Option<&'static str>,
    pub fix: FixPromise,
    /// What it says, in one line without a full stop.
    pub summary: &'static str,
    /// Why it matters to a person who keeps or counts games.
    pub why: &'static str,
    /// A piece of PGN that shows it, with a word about what is wrong there.
    pub example: &'static str,
    /// What to do about it.
    pub advice: &'static str,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.code == other.code
    }
}

impl Eq for Rule {}
