//! Chunks judged by hand, and every format's answer to them.

use std::time::Duration;

use insta::assert_snapshot;
use shakmaty::ByColor;

use super::*;
use crate::diagnostics::{Applicability, Edit, Finding, Fix, FixSource, Ply, Severity, Span};
use crate::judge::{ChunkPlace, ChunkReport};
use crate::replay::{EndState, GameRecord, KnownTags, Verdict};
use crate::rules::{draws, notation, promotions, structure};
use crate::source::TextEncoding;

const FIRST: &[u8] =
    b"\xef\xbb\xbfjunk\n[Event \"A\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7 1-0\n\n";
const SECOND: &[u8] = b"[Event \"B\"]\n\n49. Kf2\tKe4 50. Kg1 b1 \x1b[31m 0-1\n\n1. e4 *\n";

/// What a run over both chunks comes to.
pub fn run() -> RunSummary {
    let mut summary = RunSummary {
        inputs: vec![
            InputSummary { name: "games/a.pgn".to_owned(), bytes: 120, games: 3, error: None },
            InputSummary {
                name: "b.pgn".to_owned(),
                error: Some("cannot read b.pgn: no such file".to_owned()),
                ..InputSummary::default()
            },
        ],
        status: 2,
        elapsed: Duration::from_micros(412_345),
        threads: 2,
        ..RunSummary::default()
    };
    for (_, report) in chunks() {
        summary.counts += &report.counts;
    }
    summary
}

fn chunks() -> [(&'static [u8], ChunkReport); 2] {
    let text_between = find(FIRST, b"junk");
    let mate = find(FIRST, b"Qxf7");
    let first = report(
        FIRST,
        vec![game(FIRST, b"[Event", b"1-0", 7, 7, Verdict::Flawed)],
        vec![
            Finding::new(&structure::TEXT_BETWEEN_GAMES, text_between)
                .message("\"junk\" stands outside any game"),
            of_game(0, Finding::new(&notation::MATE_MARKED_AS_CHECK, mate))
                .message("the move mates and has no mark")
                .ply(Ply { index: 7, move_number: 4, black: false, at_move: true })
                .fix(Fix::safe("write the mate mark", Span::new(mate.end, mate.end), "#")),
        ],
    );
    let pawn = find(SECOND, b"b1");
    let second = report(
        SECOND,
        vec![
            game(SECOND, b"[Event", b"0-1", 100, 99, Verdict::Illegal),
            game(SECOND, b"1. e4", b"*", 1, 1, Verdict::Certified),
        ],
        vec![
            of_game(0, Finding::new(&promotions::MISSING_PROMOTION_PIECE, pawn))
                .message("the pawn on b2 reaches b1 and no piece is named")
                .ply(Ply { index: 100, move_number: 50, black: true, at_move: true })
                .fen("8/8/8/8/4k3/8/1p6/6K1 b - - 3 50".to_owned())
                .fix(Fix {
                    title: "promote to a queen".to_owned(),
                    applicability: Applicability::Unsafe,
                    source: FixSource::Inferred,
                    edits: vec![Edit {
                        span: Span::new(pawn.end, pawn.end),
                        content: b"=Q".to_vec(),
                    }],
                }),
            of_game(0, Finding::new(&structure::UNKNOWN_TOKEN, find(SECOND, b"\x1b[31m")))
                .message("this is no token of PGN")
                .ply(Ply { index: 100, move_number: 50, black: true, at_move: false }),
            of_game(1, Finding::new(&draws::UNCLAIMED_THREEFOLD, find(SECOND, b"*")))
                .message("the position stood three times"),
        ],
    );
    [(FIRST, first), (SECOND, second)]
}

fn of_game(game: u32, mut finding: Finding) -> Finding {
    finding.game = Some(game);
    finding
}

fn find(text: &[u8], token: &[u8]) -> Span {
    let start = memchr::memmem::find(text, token).unwrap();
    Span::new(start, start + token.len())
}

fn game(
    text: &[u8],
    first: &[u8],
    marker: &[u8],
    plies: u32,
    certified_plies: u32,
    verdict: Verdict,
) -> GameRecord {
    GameRecord {
        span: Span::new(find(text, first).start, find(text, marker).end),
        lines_before: 0,
        encoding: TextEncoding::Utf8,
        tags: KnownTags::default(),
        marker: None,
        plies,
        certified_plies,
        verdict,
        errors: 0,
        warnings: 0,
        end_state: EndState::None,
        promotions: 1,
        underpromotions: 0,
        illegal: Some(ByColor { white: 1, black: 0 }),
        first_threefold_ply: Some(9),
        first_fivefold_ply: None,
        first_fifty_ply: None,
        first_seventyfive_ply: None,
        max_halfmove_clock: 0,
        claim: None,
        moves_key: 0,
        bytes_key: 0,
    }
}

fn report(text: &[u8], games: Vec<GameRecord>, findings: Vec<Finding>) -> ChunkReport {
    let mut report = ChunkReport { findings, ..ChunkReport::default() };
    report.line_ends = crate::diagnostics::count_line_ends(text);
    let ledger = &mut report.counts.ledger;
    ledger.bytes_in = text.len() as u64;
    ledger.bytes_in_games = games.iter().map(|game| game.span.len() as u64).sum();
    ledger.bytes_in_gaps = ledger.bytes_in - ledger.bytes_in_games;
    ledger.games_in = games.len() as u64;
    ledger.games_judged = ledger.games_in;
    for game in &games {
        report.counts.game(game);
    }
    for finding in &report.findings {
        report.counts.finding(finding);
    }
    report.records.games = games;
    report
}

fn written(mut format: impl Format) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report");
    let mut out = Output::file(&path).unwrap();
    format.begin(&mut out).unwrap();
    let mut place = ChunkPlace { source: "games/a.pgn", offset: 0, column: 0, games: 0, lines: 0 };
    for (bytes, report) in &chunks() {
        format.chunk(&Judged { place, bytes, report }, &mut out).unwrap();
        place.offset += bytes.len() as u64;
        place.games += report.records.games.len() as u64;
        place.lines += report.line_ends;
    }
    format.end(&run(), &mut out).unwrap();
    out.finish().unwrap();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn concise_prints_a_line_for_each_fault() {
    assert_snapshot!(written(Concise { min_severity: Severity::Warning, look: Look::PLAIN }));
}

#[test]
fn full_prints_source_position_article_and_fix() {
    assert_snapshot!(written(Full { min_severity: Severity::Info, look: Look::PLAIN }));
}

#[test]
fn full_leaves_out_what_weighs_less_than_asked_for() {
    let errors = written(Full { min_severity: Severity::Error, look: Look::PLAIN });
    assert_eq!(errors.matches(": error[").count(), 1);
    assert!(!errors.contains("warning[") && !errors.contains("info["), "{errors}");
}

#[test]
fn json_lines_hold_every_finding_and_end_with_the_summary() {
    assert_snapshot!(written(JsonLines { min_severity: Severity::Info, games: false }));
}

#[test]
fn a_game_stands_before_its_findings_and_games_without_findings_stand_too() {
    let lines = written(JsonLines { min_severity: Severity::Info, games: true });
    let head = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        (line["type"].as_str().unwrap().to_owned(), line["game"].as_u64())
    };
    let heads: Vec<_> = lines.lines().map(head).collect();
    let expected = [
        ("finding", None),
        ("game", Some(1)),
        ("finding", Some(1)),
        ("game", Some(2)),
        ("finding", Some(2)),
        ("finding", Some(2)),
        ("game", Some(3)),
        ("finding", Some(3)),
        ("summary", Some(0)),
    ];
    let expected = expected.map(|(kind, game)| (kind.to_owned(), game.filter(|&game| game > 0)));
    assert_eq!(heads, expected);
    assert_snapshot!(lines.lines().nth(3).unwrap(), @r#"{"type":"game","file":"games/a.pgn","game":2,"offset":65,"length":45,"plies":100,"certified_plies":99,"verdict":"illegal","moves_key":"0000000000000000","end_state":"none","first_threefold_ply":9,"max_halfmove_clock":0,"illegal_white":1,"illegal_black":0}"#);
}

#[test]
fn the_document_holds_the_objects_of_the_lines() {
    for games in [false, true] {
        let lines = written(JsonLines { min_severity: Severity::Info, games });
        let lines: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let of_kind = |kind| lines.iter().filter(|line| line["type"] == kind).cloned().collect();
        let document = written(Json::new(Severity::Info, games));
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        assert_eq!(document["findings"], serde_json::Value::Array(of_kind("finding")));
        let expected: Vec<serde_json::Value> = of_kind("game");
        assert_eq!(document.get("games"), games.then_some(&expected.into()));
        assert_eq!(&document["summary"], lines.last().unwrap());
    }
}

#[test]
fn github_gets_a_command_for_each_fault() {
    assert_snapshot!(written(GitHub::new(Severity::Info)));
}

/// The log of the example, read as JSON.
fn sarif() -> serde_json::Value {
    serde_json::from_str(&written(Sarif::new(Severity::Info))).unwrap()
}

#[test]
fn sarif_has_a_result_for_each_finding_with_its_rule_and_its_place() {
    let mut results = sarif()["runs"][0]["results"].take();
    for result in results.as_array_mut().unwrap() {
        // It rises with every new rule.
        assert!(result.as_object_mut().unwrap().remove("ruleIndex").is_some());
    }
    assert_snapshot!(serde_json::to_string_pretty(&results).unwrap());
}

#[test]
fn sarif_is_what_its_own_types_read() {
    let log: serde_sarif::sarif::Sarif = serde_json::from_value(sarif()).unwrap();
    let run = &log.runs[0];
    assert_eq!(run.results.as_ref().unwrap().len(), 5);
    let rules = run.tool.driver.rules.as_ref().unwrap();
    for result in run.results.as_ref().unwrap() {
        let rule = &rules[usize::try_from(result.rule_index.unwrap()).unwrap()];
        assert_eq!(Some(&rule.id), result.rule_id.as_ref());
    }
    assert_eq!(rules.len(), crate::rules::RULES.len());
}

#[test]
fn sarif_says_how_the_run_ended_and_what_was_not_read() {
    let run = &sarif()["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_snapshot!(run["invocations"], @r#"[{"executionSuccessful":false,"exitCode":2,"toolExecutionNotifications":[{"level":"error","locations":[{"physicalLocation":{"artifactLocation":{"uri":"b.pgn"}}}],"message":{"text":"cannot read b.pgn: no such file"}}]}]"#);
}

#[test]
fn a_log_or_a_document_without_chunks_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let formats: [Box<dyn Format>; 2] =
        [Box::new(Sarif::new(Severity::Info)), Box::new(Json::new(Severity::Info, true))];
    for mut format in formats {
        let path = folder.path().join("report");
        let mut out = Output::file(&path).unwrap();
        format.begin(&mut out).unwrap();
        format.end(&RunSummary::default(), &mut out).unwrap();
        out.finish().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
    }
}

#[test]
fn the_summary_prints_the_first_faults_and_counts_all() {
    assert_snapshot!(written(GroupedSummary::new(Severity::Warning, 1, Look::PLAIN)));
}

#[test]
fn the_summary_leaves_nothing_out_when_all_is_asked_for() {
    let summary = written(GroupedSummary::new(Severity::Info, u64::MAX, Look::PLAIN));
    assert_eq!(summary.matches("] ").count(), 5, "{summary}");
    assert!(!summary.contains("--all"));
}

#[test]
fn colours_are_all_that_a_coloured_report_has_more() {
    let looks = |look| {
        [
            written(Concise { min_severity: Severity::Info, look }),
            written(Full { min_severity: Severity::Info, look }),
            written(GroupedSummary::new(Severity::Info, u64::MAX, look)),
        ]
    };
    let plain = looks(Look::PLAIN);
    let colored = looks(Look { colored: true, width: None });
    for (plain, colored) in plain.iter().zip(&colored) {
        assert_eq!(anstream::adapter::strip_str(colored).to_string(), *plain);
        assert!(colored.contains("\x1b[1m\x1b[31merror\x1b[0m"), "{colored:?}");
    }
}

#[test]
fn a_report_fits_the_terminal_and_loses_no_word() {
    let written = |look| {
        [
            written(Full { min_severity: Severity::Info, look }),
            written(GroupedSummary::new(Severity::Info, u64::MAX, look)),
        ]
    };
    // Source lines are cut, and in narrow tables a count stands before the name.
    let words = |text: &str| {
        let kept = text.lines().filter(|line| !line.contains(" | "));
        let words = kept.flat_map(str::split_whitespace).map(str::to_owned);
        let mut words: Vec<String> = words.collect();
        words.sort();
        words
    };
    for width in [40, 60, 80] {
        let reports = written(Look { colored: false, width: Some(width) });
        for (report, plain) in reports.iter().zip(written(Look::PLAIN)) {
            for line in report.lines() {
                // A position stays whole, so that it can be copied.
                let whole = line.contains("position:");
                assert!(whole || line.chars().count() <= width, "{width}: {line}");
            }
            assert_eq!(words(report), words(&plain));
        }
    }
}

#[test]
fn no_text_format_lets_a_terminal_escape_through() {
    let texts = [
        written(Concise { min_severity: Severity::Info, look: Look::PLAIN }),
        written(Full { min_severity: Severity::Info, look: Look::PLAIN }),
        written(GroupedSummary::new(Severity::Info, u64::MAX, Look::PLAIN)),
        written(GitHub::new(Severity::Info)),
    ];
    for text in texts {
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    }
}
