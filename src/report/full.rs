//! A finding with all that a person needs to judge it: the source line, the position, the
//! article, and what could be done.

use super::concise::push_headline;
use super::look::{FRAME, Look};
use super::snippet::push_snippet;
use super::wrap::{Margins, push_wrapped};
use super::{Format, Judged, Located, Output};
use crate::diagnostics::{Fix, FixSource, Severity};
use crate::error::Result;

/// The format `full`.
#[derive(Clone, Copy, Debug)]
pub struct Full {
    pub min_severity: Severity,
    pub look: Look,
}

impl Format for Full {
    fn chunk(&mut self, judged: &Judged<'_>, out: &mut Output) -> Result<()> {
        for located in judged.findings() {
            if located.finding.rule.severity >= self.min_severity {
                push_finding(out.buffer(), &located, self.look);
                out.spill()?;
            }
        }
        Ok(())
    }
}

/// Appends a finding and the empty line behind it.
pub fn push_finding(out: &mut Vec<u8>, located: &Located<'_>, look: Look) {
    push_headline(out, located, look);
    out.push(b'\n');
    // What is said of a file as a whole stands on no line.
    if !located.chunk().is_empty() {
        push_snippet(out, located, look);
    }
    if let Some(game) = located.game() {
        let place = match located.move_label() {
            Some(label) => format!("{game}, move {label}"),
            None => game.to_string(),
        };
        push_note(out, "game", &place, look);
    }
    if let Some(fen) = &located.finding.fen {
        // Left to the terminal to break: it must survive being copied.
        push_note(out, "position", fen, Look { width: None, ..look });
    }
    let rule = located.finding.rule;
    match rule.basis_2018 {
        _ if rule.basis == "-" => {}
        Some(earlier) => {
            push_note(out, "basis", &format!("{} (2018: {earlier})", rule.basis), look);
        }
        None => push_note(out, "basis", rule.basis, look),
    }
    if let Some(course) = located.finding.course() {
        push_note(out, "course", &course.message, look);
    }
    if let Some(ruling) = located.finding.ruling() {
        push_note(out, "ruling", ruling, look);
    }
    if let Some(opinion) = located.opinion {
        push_note(out, "second opinion", &opinion.to_string(), look);
    }
    if let Some(fix) = &located.finding.fix {
        let fix = format!("{} ({}{})", fix.title, fix.applicability.as_str(), grounds(fix));
        push_note(out, "fix", &fix, look);
    }
    out.push(b'\n');
}

/// What a fix rests on, where that is not the text itself.
fn grounds(fix: &Fix) -> &'static str {
    match fix.source {
        FixSource::Certain => "",
        FixSource::Inferred => ", inferred",
        FixSource::Assumed => ", assumed",
    }
}

fn push_note(out: &mut Vec<u8>, title: &str, text: &str, look: Look) {
    const LEAD: &str = "      = ";
    look.push(out, FRAME, LEAD);
    out.extend_from_slice(title.as_bytes());
    out.push(b':');
    let used = LEAD.len() + title.len() + 1;
    push_wrapped(out, text.as_bytes(), Margins { used, indent: LEAD.len(), width: look.width });
    out.push(b'\n');
}
