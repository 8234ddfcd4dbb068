//! A finding with all that a person needs to judge it: the source line, the position, the
//! article, and what could be done.

use super::concise::push_headline;
use super::snippet::push_snippet;
use super::visible::push_visible;
use super::{Format, Judged, Located, Output};
use crate::diagnostics::{Fix, FixSource, Severity};
use crate::error::Result;

/// The format `full`.
#[derive(Clone, Copy, Debug)]
pub struct Full {
    pub min_severity: Severity,
}

impl Format for Full {
    fn chunk(&mut self, judged: &Judged<'_>, out: &mut Output) -> Result<()> {
        for located in judged.findings() {
            if located.finding.rule.severity >= self.min_severity {
                push_finding(out.buffer(), &located);
                out.spill()?;
            }
        }
        Ok(())
    }
}

/// Appends a finding and the empty line behind it.
pub fn push_finding(out: &mut Vec<u8>, located: &Located<'_>) {
    push_headline(out, located);
    push_snippet(out, located);
    if let Some(game) = located.game() {
        let game = game.to_string();
        match located.move_label() {
            Some(label) => push_note(out, "game", &[&game, ", move ", &label]),
            None => push_note(out, "game", &[&game]),
        }
    }
    if let Some(fen) = &located.finding.fen {
        push_note(out, "position", &[fen]);
    }
    if located.finding.rule.basis != "-" {
        push_note(out, "basis", &[located.finding.rule.basis]);
    }
    if let Some(opinion) = located.opinion {
        push_note(out, "second opinion", &[&opinion.to_string()]);
    }
    if let Some(fix) = &located.finding.fix {
        push_note(out, "fix", &[&fix.title, " (", fix.applicability.as_str(), grounds(fix), ")"]);
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

fn push_note(out: &mut Vec<u8>, title: &str, texts: &[&str]) {
    out.extend_from_slice(b"      = ");
    out.extend_from_slice(title.as_bytes());
    out.extend_from_slice(b": ");
    for text in texts {
        push_visible(out, text.as_bytes());
    }
    out.push(b'\n');
}
