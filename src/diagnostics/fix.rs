//! What could be done about a finding.

use super::Span;

/// How far a fix may be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// For a person to read; never applied.
    Display,
    /// A guess or a deletion.
    Unsafe,
    /// The same moves, tag values and comments.
    Safe,
}

impl Applicability {
    pub const fn as_str(self) -> &'static str {
        match self {
            Applicability::Display => "display",
            Applicability::Unsafe => "unsafe",
            Applicability::Safe => "safe",
        }
    }
}

/// What a fix rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FixSource {
    /// The text says it.
    Certain,
    /// Only this reading keeps the rest of the game legal.
    Inferred,
    /// The rule book's default.
    Assumed,
}

impl FixSource {
    pub const fn as_str(self) -> &'static str {
        match self {
            FixSource::Certain => "certain",
            FixSource::Inferred => "inferred",
            FixSource::Assumed => "assumed",
        }
    }
}

/// Replaces the bytes of `span` by `content`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub content: Vec<u8>,
}

/// One way to mend a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    pub applicability: Applicability,
    pub source: FixSource,
    pub edits: Vec<Edit>,
}

impl Fix {
    /// A finding whose mend takes more edits than this has none: they would take more memory than
    /// the game, and nobody reads them.
    pub const MOST_EDITS: usize = 1000;

    /// A fix that replaces one stretch, certain of its meaning.
    pub fn safe(title: impl Into<String>, span: Span, content: impl Into<Vec<u8>>) -> Fix {
        Fix {
            title: title.into(),
            applicability: Applicability::Safe,
            source: FixSource::Certain,
            edits: vec![Edit { span, content: content.into() }],
        }
    }
}
