//! One line a finding: `a.pgn:88:17: error[M303] king-into-check: message`.

use std::io::Write;

use super::visible::push_visible;
use super::{Format, Judged, Located, Output};
use crate::diagnostics::Severity;
use crate::error::Result;

/// The format `concise`.
#[derive(Clone, Copy, Debug)]
pub struct Concise {
    pub min_severity: Severity,
}

impl Format for Concise {
    fn chunk(&mut self, judged: &Judged<'_>, out: &mut Output) -> Result<()> {
        for located in judged.findings() {
            if located.finding.rule.severity >= self.min_severity {
                push_headline(out.buffer(), &located);
                out.spill()?;
            }
        }
        Ok(())
    }
}

/// Appends the line; the format `full` begins with it too.
pub fn push_headline(out: &mut Vec<u8>, located: &Located<'_>) {
    let (rule, line, column) = (located.finding.rule, located.line, located.column);
    push_visible(out, located.file().as_bytes());
    // Writing to memory does not fail.
    let _ = write!(out, ":{line}:{column}: {}[{}] {}: ", rule.severity, rule.code, rule.name);
    push_visible(out, located.finding.message.as_bytes());
    out.push(b'\n');
}
