//! Workflow commands, which GitHub shows beside the lines of a change.
//!
//! Columns count characters. A token that runs over lines is marked by its lines alone: GitHub
//! knows columns within one line only.

use std::io::Write;

use super::text_places::TextPlaces;
use super::visible::push_visible;
use super::{Format, Judged, Located, Output};
use crate::diagnostics::Severity;
use crate::error::Result;

/// The format `github`.
#[derive(Clone, Debug)]
pub struct GitHub {
    min_severity: Severity,
    places: TextPlaces,
}

impl GitHub {
    pub fn new(min_severity: Severity) -> GitHub {
        GitHub { min_severity, places: TextPlaces::default() }
    }
}

impl Format for GitHub {
    fn chunk(&mut self, judged: &Judged<'_>, out: &mut Output) -> Result<()> {
        let least = self.min_severity;
        let shown = || judged.findings().filter(|it| it.finding.rule.severity >= least);
        let spans = shown().map(|located| located.finding.span);
        let offsets = spans.flat_map(|span| [span.start, span.end]).collect();
        let places = self.places.of_chunk(&judged.place, judged.bytes, offsets);
        for located in shown() {
            let span = located.finding.span;
            let (start, end) = (places.at(span.start), places.at(span.end));
            let buffer = out.buffer();
            buffer.extend_from_slice(command(located.finding.rule.severity).as_bytes());
            push_property(buffer, " file=", located.file());
            // Writing to memory does not fail.
            let _ = write!(buffer, ",line={}", start.line);
            if start.line == end.line {
                let _ = write!(buffer, ",col={},endColumn={}", start.column, end.column);
            } else {
                let _ = write!(buffer, ",endLine={}", end.line);
            }
            let rule = located.finding.rule;
            push_property(buffer, ",title=", &format!("{} {}", rule.code, rule.name));
            buffer.extend_from_slice(b"::");
            push_message(buffer, &located);
            buffer.push(b'\n');
            out.spill()?;
        }
        Ok(())
    }
}

fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "::error",
        Severity::Warning => "::warning",
        Severity::Info => "::notice",
    }
}

/// The message, and on lines of their own the game and the article: the annotation shows nothing
/// else of a finding.
fn push_message(out: &mut Vec<u8>, located: &Located<'_>) {
    push_escaped(out, &located.finding.message, &['%', '\r', '\n']);
    if let Some(game) = located.game() {
        let _ = write!(out, "%0Agame {game}");
        if let Some(label) = located.move_label() {
            out.extend_from_slice(b", move ");
            push_escaped(out, &label, &['%', '\r', '\n']);
        }
    }
    if located.finding.rule.basis != "-" {
        out.extend_from_slice(b"%0A");
        push_escaped(out, located.finding.rule.basis, &['%', '\r', '\n']);
    }
}

fn push_property(out: &mut Vec<u8>, name: &str, value: &str) {
    out.extend_from_slice(name.as_bytes());
    push_escaped(out, value, &['%', '\r', '\n', ':', ',']);
}

/// Logs are shown on terminals too, so nothing in them may steer one.
fn push_escaped(out: &mut Vec<u8>, text: &str, special: &[char]) {
    let mut rest = text;
    while let Some(at) = rest.find(special) {
        push_visible(out, &rest.as_bytes()[..at]);
        let _ = write!(out, "%{:02X}", rest.as_bytes()[at]);
        rest = &rest[at + 1..];
    }
    push_visible(out, rest.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_value_or_a_line_is_escaped() {
        let mut out = Vec::new();
        push_property(&mut out, " file=", "a,b:100%\r\n\x1b[2J.pgn");
        assert_eq!(String::from_utf8(out).unwrap(), " file=a%2Cb%3A100%25%0D%0A␛[2J.pgn");
        let mut out = Vec::new();
        push_escaped(&mut out, "50%: a, b\nc", &['%', '\r', '\n']);
        assert_eq!(out, b"50%25: a, b%0Ac");
    }
}
