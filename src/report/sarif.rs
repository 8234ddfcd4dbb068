//! SARIF 2.1.0, which code hosts and editors read.
//!
//! One run. The rules stand before the results, which are written one by one, and what is known
//! only at the end (the exit status, the inputs that could not be read) behind them: memory does
//! not grow with what is found. Regions are given in both ways that SARIF knows: in lines and
//! columns, which count characters (`columnKind`), and in bytes of the decompressed file.

use std::collections::BTreeMap;

use base64::prelude::*;
use serde::Serialize;
use serde_json::Value;
use serde_sarif::sarif;

use super::explanation::{markdown, push_explanation};
use super::json_lines::push_object;
use super::look::Look;
use super::summary::RunSummary;
use super::text_places::{ChunkPlaces, TextPlaces};
use super::uri::uri;
use super::{Format, Judged, Located, Output};
use crate::diagnostics::{Edit, Fix, Rule, Severity, Span};
use crate::error::Result;
use crate::rules::RULES;

/// The schema that the documents follow.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The name of our fingerprints; the number rises when they are made in another way.
const FINGERPRINT: &str = "pgnArbiterFinding/v1";

/// The format `sarif`.
#[derive(Clone, Debug)]
pub struct Sarif {
    min_severity: Severity,
    places: TextPlaces,
    any: bool,
}

impl Sarif {
    pub fn new(min_severity: Severity) -> Sarif {
        Sarif { min_severity, places: TextPlaces::default(), any: false }
    }

    fn shown<'a>(&self, judged: &Judged<'a>) -> impl Iterator<Item = Located<'a>> + use<'a> {
        let least = self.min_severity;
        judged.findings().filter(move |located| located.finding.rule.severity >= least)
    }
}

impl Format for Sarif {
    fn begin(&mut self, out: &mut Output) -> Result<()> {
        push_text(out, &format!("{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{"));
        push_member(out, "tool", &tool());
        push_text(out, ",\"columnKind\":\"unicodeCodePoints\",\"defaultEncoding\":\"UTF-8\"");
        push_text(out, ",\"newlineSequences\":[\"\\r\\n\",\"\\n\",\"\\r\"],\"results\":[");
        out.spill()
    }

    fn chunk(&mut self, judged: &Judged<'_>, out: &mut Output) -> Result<()> {
        let offsets = self.shown(judged).flat_map(|located| offsets(&located)).collect();
        let places = self.places.of_chunk(&judged.place, judged.bytes, offsets);
        for located in self.shown(judged) {
            push_text(out, if self.any { ",\n" } else { "\n" });
            self.any = true;
            push_object(out.buffer(), &result(&located, &places));
            out.spill()?;
        }
        Ok(())
    }

    fn end(&mut self, run: &RunSummary, out: &mut Output) -> Result<()> {
        push_text(out, "\n],");
        push_member(out, "invocations", &[invocation(run)]);
        push_text(out, "}]}\n");
        out.spill()
    }
}

/// Everything in the chunk whose place a result tells.
fn offsets(located: &Located<'_>) -> impl Iterator<Item = usize> + use<> {
    let edits = located.finding.fix.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
    let spans: Vec<Span> = edits.chain([located.finding.span]).collect();
    spans.into_iter().flat_map(|span| [span.start, span.end])
}

fn tool() -> sarif::Tool {
    let driver = sarif::ToolComponent::builder()
        .name(env!("CARGO_PKG_NAME"))
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .short_description(&env!("CARGO_PKG_DESCRIPTION").to_owned())
        .rules(RULES.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>());
    sarif::Tool::builder().driver(driver.build()).build()
}

fn descriptor(rule: &Rule) -> sarif::ReportingDescriptor {
    let mut help = Vec::new();
    push_explanation(&mut help, rule, Look::PLAIN);
    let help = sarif::MultiformatMessageString::builder()
        .text(String::from_utf8_lossy(&help))
        .markdown(markdown(rule, 0))
        .build();
    let level = sarif::ReportingConfiguration::builder()
        .level(Value::from(level_name(rule.severity)))
        .build();
    let mut properties = BTreeMap::from([("fix".to_owned(), rule.fix.as_str().into())]);
    if rule.basis != "-" {
        properties.insert("basis".to_owned(), rule.basis.into());
    }
    sarif::ReportingDescriptor::builder()
        .id(rule.code)
        .name(rule.name)
        .short_description(&sentence(rule.summary))
        .full_description(&rule.why.to_owned())
        .help(help)
        .default_configuration(level)
        .properties(bag(properties))
        .build()
}

/// SARIF wants whole sentences where our words stand behind a colon.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).chain(['.']).collect()
}

fn level_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn level(severity: Severity) -> sarif::ResultLevel {
    match severity {
        Severity::Error => sarif::ResultLevel::Error,
        Severity::Warning => sarif::ResultLevel::Warning,
        Severity::Info => sarif::ResultLevel::Note,
    }
}

fn result(located: &Located<'_>, places: &ChunkPlaces) -> sarif::Result {
    let finding = located.finding;
    let index = RULES.iter().position(|rule| *rule == finding.rule);
    let file = uri(located.file());
    let physical = sarif::PhysicalLocation::builder()
        .artifact_location(artifact(&file))
        .region(region(located, finding.span, places))
        .build();
    let mut location = sarif::Location::builder().physical_location(physical).build();
    location.logical_locations = located.game().map(|game| {
        let name = format!("game {game}");
        vec![sarif::LogicalLocation::builder().name(name).kind("game").build()]
    });
    let print = located.identity().to_string();
    let mut result = sarif::Result::builder()
        .rule_id(finding.rule.code)
        .level(level(finding.rule.severity))
        .message(&*finding.message)
        .locations(vec![location])
        .partial_fingerprints(BTreeMap::from([(FINGERPRINT.to_owned(), print)]))
        .properties(bag(properties(located)))
        .build();
    result.rule_index = index.and_then(|index| i64::try_from(index).ok());
    // The format knows no fix without a change.
    let fix = finding.fix.as_deref().filter(|fix| !fix.edits.is_empty());
    result.fixes = fix.map(|fix| vec![sarif_fix(located, fix, &file, places)]);
    result
}

/// What SARIF has no member for, under the names of the JSON lines.
fn properties(located: &Located<'_>) -> BTreeMap<String, Value> {
    let finding = located.finding;
    // A fix without edits, which SARIF does not know, is for a person to choose from.
    let suggestion = finding.fix.as_deref().filter(|fix| fix.edits.is_empty());
    let members = [
        ("game", located.game().map(Value::from)),
        ("ply", finding.ply.map(|ply| ply.index.into())),
        ("move", located.move_label().map(Value::from)),
        ("token", Some(located.token().into())),
        ("fen", finding.fen.as_deref().map(Value::from)),
        ("course", finding.course().map(|course| course.kind.into())),
        ("course_plies", finding.course().map(|course| course.plies.into())),
        ("ruling", finding.ruling().map(Value::from)),
        ("suggestion", suggestion.map(|fix| fix.title.as_str().into())),
    ];
    let known = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    known.collect()
}

fn sarif_fix(located: &Located<'_>, fix: &Fix, file: &str, places: &ChunkPlaces) -> sarif::Fix {
    let replacements = fix.edits.iter().map(|edit| replacement(located, edit, places));
    let change = sarif::ArtifactChange::builder()
        .artifact_location(artifact(file))
        .replacements(replacements.collect::<Vec<_>>())
        .build();
    let properties = BTreeMap::from([
        ("applicability".to_owned(), fix.applicability.as_str().into()),
        ("source".to_owned(), fix.source.as_str().into()),
    ]);
    sarif::Fix::builder()
        .description(fix.title.as_str())
        .artifact_changes(vec![change])
        .properties(bag(properties))
        .build()
}

fn replacement(located: &Located<'_>, edit: &Edit, places: &ChunkPlaces) -> sarif::Replacement {
    let region = region(located, edit.span, places);
    let mut replacement = sarif::Replacement::builder().deleted_region(region).build();
    if !edit.content.is_empty() {
        // SARIF 3.57: a region in bytes asks for `binary`, one in lines and columns for `text`.
        let mut content =
            sarif::ArtifactContent::builder().binary(BASE64_STANDARD.encode(&edit.content)).build();
        content.text = std::str::from_utf8(&edit.content).ok().map(str::to_owned);
        replacement.inserted_content = Some(content);
    }
    replacement
}

fn region(located: &Located<'_>, span: Span, places: &ChunkPlaces) -> sarif::Region {
    let (start, end) = (places.at(span.start), places.at(span.end));
    // No file has as many bytes as an `i64` can count.
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    sarif::Region::builder()
        .start_line(number(start.line))
        .start_column(number(start.column))
        .end_line(number(end.line))
        .end_column(number(end.column))
        .byte_offset(number(located.absolute(span)))
        .byte_length(number(span.len() as u64))
        .build()
}

fn artifact(uri: &str) -> sarif::ArtifactLocation {
    sarif::ArtifactLocation::builder().uri(uri).build()
}

fn invocation(run: &RunSummary) -> sarif::Invocation {
    let failures = run.inputs.iter().filter_map(|input| {
        let message = input.error.as_deref()?;
        let physical = sarif::PhysicalLocation::builder()
            .artifact_location(artifact(&uri(&input.name)))
            .build();
        let location = sarif::Location::builder().physical_location(physical).build();
        let notification = sarif::Notification::builder()
            .level(Value::from("error"))
            .message(message)
            .locations(vec![location]);
        Some(notification.build())
    });
    sarif::Invocation::builder()
        .execution_successful(run.status < 2)
        .exit_code(i64::from(run.status))
        .tool_execution_notifications(failures.collect::<Vec<_>>())
        .build()
}

fn bag(properties: BTreeMap<String, Value>) -> sarif::PropertyBag {
    sarif::PropertyBag::builder().additional_properties(properties).build()
}

fn push_text(out: &mut Output, text: &str) {
    out.buffer().extend_from_slice(text.as_bytes());
}

fn push_member(out: &mut Output, name: &str, value: &impl Serialize) {
    push_text(out, &format!("\"{name}\":"));
    push_object(out.buffer(), value);
}
