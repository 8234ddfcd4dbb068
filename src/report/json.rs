//! One JSON document: `{"findings":[...],"games":[...],"summary":{...}}`.
//!
//! A second opinion stands among the findings, behind the gravest one of its game. All objects
//! are those of the JSON lines, one on each line, so that nothing grows with what is
//! found: games, which stand behind the findings, wait in a file of their own.

use std::io::{Read, Seek, Write};

use serde::Serialize;
use tempfile::SpooledTempFile;

use super::json_lines::{FindingLine, GameLine, OpinionLine, SummaryLine, push_object};
use super::summary::RunSummary;
use super::{Format, Judged, Output};
use crate::diagnostics::Severity;
use crate::error::{Error, Result};

/// Games that wait in memory before a file is made for them.
const IN_MEMORY: usize = 1 << 20;

/// The format `json`.
#[derive(Debug)]
pub struct Json {
    min_severity: Severity,
    any: bool,
    /// Where games are asked for: those of the chunks so far.
    games: Option<SpooledTempFile>,
    any_game: bool,
}

impl Json {
    pub fn new(min_severity: Severity, games: bool) -> Json {
        let games = games.then(|| SpooledTempFile::new(IN_MEMORY));
        Json { min_severity, any: false, games, any_game: false }
    }
}

impl Format for Json {
    fn begin(&mut self, out: &mut Output) -> Result<()> {
        out.buffer().extend_from_slice(b"{\"findings\":[");
        Ok(())
    }

    fn chunk(&mut self, judged: &Judged<'_>, out: &mut Output) -> Result<()> {
        for located in judged.findings() {
            if located.finding.rule.severity >= self.min_severity {
                push_element(out.buffer(), &mut self.any, &FindingLine::new(&located));
                if let Some(opinion) = located.opinion {
                    let line = OpinionLine::new(&located, opinion);
                    push_element(out.buffer(), &mut self.any, &line);
                }
                out.spill()?;
            }
        }
        if let Some(file) = &mut self.games {
            let mut lines = Vec::new();
            for (record, game) in judged.report.records.games.iter().zip(judged.place.games + 1..) {
                push_element(&mut lines, &mut self.any_game, &GameLine::new(judged, record, game));
            }
            file.write_all(&lines).map_err(waiting)?;
        }
        Ok(())
    }

    fn end(&mut self, run: &RunSummary, out: &mut Output) -> Result<()> {
        out.buffer().extend_from_slice(b"\n],\n");
        if let Some(file) = &mut self.games {
            out.buffer().extend_from_slice(b"\"games\":[");
            file.rewind().map_err(waiting)?;
            while file.take(IN_MEMORY as u64).read_to_end(out.buffer()).map_err(waiting)? > 0 {
                out.spill()?;
            }
            out.buffer().extend_from_slice(b"\n],\n");
        }
        out.buffer().extend_from_slice(b"\"summary\":");
        push_object(out.buffer(), &SummaryLine::new(run));
        out.buffer().extend_from_slice(b"}\n");
        out.spill()
    }
}

fn push_element(out: &mut Vec<u8>, any: &mut bool, element: &impl Serialize) {
    out.extend_from_slice(if *any { b",\n" } else { b"\n" });
    *any = true;
    push_object(out, element);
}

fn waiting(source: std::io::Error) -> Error {
    Error::write(std::env::temp_dir(), source)
}
