//! One line a finding: `a.pgn:88:17: error[M303] king-into-check: message -> rewrite`.
//!
//! The rewrite is what the token becomes when the finding's fix is done, where the fix touches
//! nothing else. One that is not safe says so.

use std::io::Write;

use super::look::{BOLD, Look, severity_style};
use super::visible::push_visible;
use super::wrap::{Margins, push_break, push_wrapped};
use super::{Format, Judged, Located, Output};
use crate::diagnostics::{Applicability, Severity};
use crate::error::Result;

/// The format `concise`.
#[derive(Clone, Copy, Debug)]
pub struct Concise {
    pub min_severity: Severity,
    pub look: Look,
}

impl Format for Concise {
    fn chunk(&mut self, judged: &Judged<'_>, out: &mut Output) -> Result<()> {
        // A line is a line here, however long: that is what other programs read it by.
        let look = Look { width: None, ..self.look };
        for located in judged.findings() {
            if located.finding.rule.severity >= self.min_severity {
                push_headline(out.buffer(), &located, look);
                push_rewrite(out.buffer(), &located);
                out.buffer().push(b'\n');
                out.spill()?;
            }
        }
        Ok(())
    }
}

/// Appends place, rule and message, without a line end; the format `full` begins with it too.
pub fn push_headline(out: &mut Vec<u8>, located: &Located<'_>, look: Look) {
    let (rule, line, column) = (located.finding.rule, located.line, located.column);
    let mut used = push_visible(out, located.file().as_bytes());
    let place = out.len();
    // Writing to memory does not fail.
    let _ = write!(out, ":{line}:{column}:");
    used += out.len() - place;
    let margins = |used| Margins { used, indent: 4, width: look.width };
    let cells = rule.severity.as_str().len() + rule.code.len() + "[]".len();
    used = push_break(out, cells, margins(used)) + cells;
    look.push(out, severity_style(rule.severity), rule.severity);
    out.push(b'[');
    look.push(out, BOLD, rule.code);
    out.push(b']');
    let cells = rule.name.len() + ":".len();
    used = push_break(out, cells, margins(used)) + cells;
    let _ = write!(out, "{}:", rule.name);
    push_wrapped(out, located.finding.message.as_bytes(), margins(used));
}

fn push_rewrite(out: &mut Vec<u8>, located: &Located<'_>) {
    let (Some(fix), Some(rewrite)) = (&located.finding.fix, located.rewrite()) else { return };
    let rewrite = match rewrite.trim_ascii() {
        // A line end more or less is not to be seen; the message says it.
        b"" if located.token().trim().is_empty() => return,
        b"" => b"nothing",
        rewrite => rewrite,
    };
    out.extend_from_slice(b" -> ");
    push_visible(out, rewrite);
    if fix.applicability != Applicability::Safe {
        let _ = write!(out, " ({})", fix.applicability.as_str());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Finding, Fix, Span};
    use crate::judge::{ChunkPlace, ChunkReport};
    use crate::rules::moves;

    #[test]
    fn the_rewrite_is_shown_where_there_is_something_to_see() {
        let table: &[(&[u8], usize, &str, Applicability, &str)] = &[
            (b"e2-e4", 5, "e4", Applicability::Safe, " -> e4"),
            (b"a8", 2, "a8=Q", Applicability::Unsafe, " -> a8=Q (unsafe)"),
            (b"a8", 2, "a8=N", Applicability::Display, " -> a8=N (display)"),
            (b"@@", 2, "", Applicability::Unsafe, " -> nothing (unsafe)"),
            (b"", 0, " 1-0", Applicability::Safe, " -> 1-0"),
            (b"\n\n", 2, "\n", Applicability::Safe, ""),
            (b"x", 1, "\x1b", Applicability::Safe, " -> ␛"),
        ];
        for &(bytes, end, content, applicability, expected) in table {
            let span = Span::new(0, end);
            let fix = Fix { applicability, ..Fix::safe("", span, content) };
            let mut report = ChunkReport::default();
            report.findings.push(Finding::new(&moves::UNREADABLE_MOVE, span).fix(fix));
            let place = ChunkPlace { source: "a", offset: 0, column: 0, games: 0, lines: 0 };
            let judged = Judged { place, bytes, report: &report };
            let mut out = Vec::new();
            push_rewrite(&mut out, &judged.findings().next().unwrap());
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
