//! One line a finding: `a.pgn:88:17: error[M303] king-into-check: message -> rewrite`.
//!
//! The rewrite is what the token becomes when the finding's fix is done, where the fix touches
//! nothing else. One that is not safe says so.

use std::io::Write;

use super::look::{BOLD, Look, severity_style};
use super::visible::push_visible;
use super::wrap::{Margins, push_wrapped};
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
    let _ = write!(out, ":{line}:{column}: ");
    used += out.len() - place;
    look.push(out, severity_style(rule.severity), rule.severity);
    out.push(b'[');
    look.push(out, BOLD, rule.code);
    let _ = write!(out, "] {}:", rule.name);
    used += rule.severity.as_str().len() + rule.code.len() + rule.name.len() + "[] :".len();
    let margins = Margins { used, indent: 4, width: look.width };
    push_wrapped(out, located.finding.message.as_bytes(), margins);
}

fn push_rewrite(out: &mut Vec<u8>, located: &Located<'_>) {
    let (Some(fix), Some(rewrite)) = (&located.finding.fix, located.rewrite()) else { return };
    out.extend_from_slice(b" -> ");
    if rewrite.is_empty() {
        out.extend_from_slice(b"nothing");
    }
    push_visible(out, &rewrite);
    if fix.applicability != Applicability::Safe {
        let _ = write!(out, " ({})", fix.applicability.as_str());
    }
}
