//! One game at one ply: the board, the move, what was found there, and the moves around.
//!
//! In: a game alone in its report, what was played in it, and a place. Out: a page for a person, or
//! one JSON object. A fault is shown on its own board, in a variation and behind the first fault
//! too, where the finding has it. Where none has, the last certified position stands for all that
//! follow it.

use std::borrow::Cow;

use serde::Serialize;
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{Bitboard, Square};

use super::board::{BoardStyle, Marks, push_beside, push_board};
use super::full::push_finding;
use super::json_lines::{FindingLine, push_object};
use super::look::Look;
use super::main_line::{Word, words};
use super::wrap::{Margins, push_wrapped};
use super::{Counted, Judged, Located};
use crate::diagnostics::{Finding, Severity, Span};
use crate::pgn::{Lexer, TokenKind};
use crate::replay::{GameRecord, GameResult, Trace, Verdict, read_variant_move};
use crate::rules::promotions::PROMOTION_CONTRADICTED;
use crate::source::excerpt_as;

/// Half-moves shown before and behind the one that is looked at.
const AROUND: usize = 6;

/// What of a game is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The first fault by ply: an error, or a promotion that later moves contradict; without one
    /// the first warning, else the end.
    FirstFault,
    Ply(u32),
    /// The finding that stands at this byte, counted from the start of the file, else the last
    /// move of the main line that begins at or before it.
    Byte(u64),
}

/// A game at one ply.
#[derive(Debug)]
pub struct View<'a> {
    judged: Judged<'a>,
    record: &'a GameRecord,
    trace: &'a Trace,
    words: Vec<Word<'a>>,
    /// The outermost ones, each with its parentheses.
    variations: Vec<Span>,
    /// As it was asked for; it may lie behind the end.
    ply: u32,
    /// Which half-move of the text it is: another one where half-moves are missing before it.
    word: u32,
    /// Those of this ply, in file order.
    findings: Vec<Located<'a>>,
    /// The one of them whose board is shown, if it has one.
    chief: Option<usize>,
}

/// The position that is shown.
struct Scene<'v> {
    fen: &'v str,
    marks: Marks,
    /// What it is, for a person.
    caption: String,
    /// For a machine: `start`, `after` or `before` the move.
    moment: &'static str,
}

impl<'a> View<'a> {
    /// `judged` holds the one game.
    pub fn new(judged: Judged<'a>, trace: &'a Trace, moment: Moment) -> View<'a> {
        let record = &judged.report.records.games[0];
        let words = words(judged.bytes, record, trace);
        let meant = match moment {
            Moment::FirstFault => first_fault(&judged),
            Moment::Ply(_) => None,
            Moment::Byte(offset) => fault_at(&judged, offset),
        };
        let ply = match (&meant, moment) {
            (Some(located), _) => at(located),
            (None, Moment::FirstFault) => record.plies,
            (None, Moment::Ply(ply)) => ply,
            (None, Moment::Byte(offset)) => {
                words.partition_point(|word| judged.offset(word.span) <= offset) as u32
            }
        };
        let findings: Vec<_> = judged.findings().filter(|located| at(located) == ply).collect();
        let is_behind = ply as usize > trace.moves.len() + 1;
        let is_meant = |it: &Located<'_>| {
            meant.as_ref().is_some_and(|meant| std::ptr::eq(meant.finding, it.finding))
        };
        let chief = findings
            .iter()
            .position(is_meant)
            .or_else(|| findings.iter().position(|it| is_fault(it) && it.finding.fen.is_some()))
            .or_else(|| findings.iter().position(|it| is_behind && it.finding.fen.is_some()));
        let variations = variations(judged.bytes, record.span);
        let mut view =
            View { judged, record, trace, words, variations, ply, word: ply, findings, chief };
        view.word = view.word_of_chief().unwrap_or(ply);
        view
    }

    /// Whether there is anything at the ply: a half-move, the start position, or a finding.
    pub fn is_in_game(&self) -> bool {
        self.ply <= self.record.plies || !self.findings.is_empty()
    }

    /// Appends the page for a person.
    pub fn push_text(&self, out: &mut Vec<u8>, style: BoardStyle, look: Look) {
        push_line(out, &self.heading(), look);
        out.push(b'\n');
        match self.scene() {
            Some(scene) => {
                let fen: Fen = scene.fen.parse().unwrap_or_default();
                push_board(out, &fen.as_setup().board, scene.marks, style);
                push_beside(out, fen.as_setup(), style);
                let turn = if fen.as_setup().turn.is_white() { "White" } else { "Black" };
                out.push(b'\n');
                push_line(out, &format!("{}; {turn} to move", scene.caption), look);
                // Left to the terminal to break: it must survive being copied.
                push_line(out, scene.fen, Look::PLAIN);
            }
            None => {
                let why = match self.record.verdict {
                    Verdict::Unjudged => "the rules of the variant are not known",
                    _ => "the start position cannot be played on",
                };
                push_line(out, &format!("there is no board: {why}"), look);
            }
        }
        self.push_moves(out, look);
        for located in &self.findings {
            out.push(b'\n');
            push_finding(out, located, look);
            // It ends with an empty line, for the next one in a report.
            out.pop();
        }
    }

    /// Appends one line of JSON.
    pub fn push_json(&self, out: &mut Vec<u8>) {
        let scene = self.scene();
        let tags = &self.record.tags;
        let document = Document {
            kind: "view",
            file: self.judged.place.source,
            game: self.judged.place.games + 1,
            offset: self.judged.offset(self.record.span),
            length: self.record.span.len(),
            white: self.tag(tags.white),
            black: self.tag(tags.black),
            event: self.tag(tags.event),
            date: self.tag(tags.date),
            result: self.result(),
            verdict: self.record.verdict.as_str(),
            plies: self.record.plies,
            certified_plies: self.certified(),
            ply: self.ply,
            moment: scene.as_ref().map(|scene| scene.moment),
            fen: scene.as_ref().map(|scene| scene.fen),
            label: self.label(self.word),
            caption: scene.as_ref().map(|scene| scene.caption.as_str()),
            fault_squares: scene.iter().flat_map(|it| it.marks.fault).map(name).collect(),
            findings: self.findings.iter().map(FindingLine::new).collect(),
            moves: self
                .around()
                .map(|ply| MoveObject {
                    ply: ply as u32,
                    label: self.label(ply as u32).unwrap_or_default(),
                    certified: ply as u32 <= self.certified(),
                })
                .collect(),
        };
        push_object(out, &document);
        out.push(b'\n');
    }

    fn certified(&self) -> u32 {
        self.trace.moves.len() as u32
    }

    fn scene(&self) -> Option<Scene<'_>> {
        let certified = self.certified();
        let shown = self.ply.min(certified) as usize;
        if let Some(scene) = self.chief.and_then(|at| self.own_scene(&self.findings[at])) {
            return Some(scene);
        }
        let faults = self.findings.iter().filter(|it| is_fault(it) && !self.is_elsewhere(it));
        let fault = faults.map(squares).fold(Bitboard::EMPTY, |all, more| all | more);
        let played = shown.checked_sub(1).map(|at| &self.trace.moves[at]);
        let last_move = played.map_or(Bitboard::EMPTY, |played| {
            let from = played.from.map_or(Bitboard::EMPTY, Bitboard::from_square);
            from | Bitboard::from_square(played.to)
        });
        let fen = played.map(|played| &played.fen).or(self.trace.start.as_ref())?;
        let is_fault = self.ply == certified + 1 && self.ply as usize <= self.words.len();
        let (caption, moment) = match self.label(self.ply) {
            Some(label) if is_fault => (format!("before {label} (ply {})", self.ply), "before"),
            _ if self.ply == 0 => ("the start position".to_owned(), "start"),
            Some(label) if self.ply <= certified => {
                (format!("after {label} (ply {})", self.ply), "after")
            }
            _ => (self.beyond(), if shown == 0 { "start" } else { "after" }),
        };
        Some(Scene { fen, marks: Marks { last_move, fault }, caption, moment })
    }

    /// The board of a finding, where it is none of those of the certified moves.
    fn own_scene<'v>(&self, located: &Located<'v>) -> Option<Scene<'v>> {
        let finding: &'v Finding = located.finding;
        let (fen, label) = (finding.fen.as_deref()?, located.move_label()?);
        if !self.is_elsewhere(located) {
            return None;
        }
        let caption = match self.certified() + 1 {
            _ if !self.is_in_main_line(finding) => format!("in a variation, before {label}"),
            fault if self.ply > fault => {
                format!("before {label} (ply {}), behind the fault at ply {fault}", self.ply)
            }
            _ => format!("before {label} (ply {})", self.ply),
        };
        let marks = Marks { last_move: Bitboard::EMPTY, fault: squares(located) };
        Some(Scene { fen, marks, caption, moment: "before" })
    }

    fn word_of_chief(&self) -> Option<u32> {
        let finding = self.chief.map(|at| self.findings[at].finding)?;
        let at_move = finding.ply.is_some_and(|ply| ply.at_move) && self.is_in_main_line(finding);
        let begins = |word: &Word<'_>| word.span.start <= finding.span.start;
        at_move.then(|| self.words.partition_point(begins) as u32)
    }

    /// Whether a finding speaks of another board than those of the certified moves.
    fn is_elsewhere(&self, located: &Located<'_>) -> bool {
        let Some(fen) = located.finding.fen.as_deref() else { return false };
        let before = match (self.ply as usize).checked_sub(1) {
            None => return false,
            Some(0) => self.trace.start.as_ref(),
            Some(played) => self.trace.moves.get(played - 1).map(|played| &played.fen),
        };
        before.is_none_or(|before| before != fen) || !self.is_in_main_line(located.finding)
    }

    fn is_in_main_line(&self, finding: &Finding) -> bool {
        let at = finding.span.start;
        let before = self.variations.partition_point(|variation| variation.start <= at);
        before.checked_sub(1).is_none_or(|last| self.variations[last].end <= at)
    }

    /// Why another position is shown than the one that was asked for.
    fn beyond(&self) -> String {
        let certified = self.certified();
        let shown = match self.label(certified) {
            Some(label) => format!("after {label} (ply {certified})"),
            None => "the start position".to_owned(),
        };
        let plies = self.words.len();
        if self.ply as usize > plies {
            let all = Counted(plies as u64, "half-move");
            format!("{shown}, the last certified one: the game has {all}, and no ply {}", self.ply)
        } else {
            format!(
                "{shown}, the last certified one: ply {} lies behind the fault at ply {}",
                self.ply,
                certified + 1
            )
        }
    }

    /// `50... b1`
    fn label(&self, ply: u32) -> Option<String> {
        let word = self.words.get((ply as usize).checked_sub(1)?)?;
        Some(format!("{} {}", word.number, word.text))
    }

    /// Plies of the moves around, in which the one that is looked at stands, if there is one.
    fn around(&self) -> impl Iterator<Item = usize> + use<> {
        let (last, middle) = (self.words.len(), self.word as usize);
        let middle = middle.min(last);
        middle.saturating_sub(AROUND).max(1)..=last.min(middle + AROUND)
    }

    /// The game, who played it where and when, and what became of it.
    fn heading(&self) -> String {
        let tags = &self.record.tags;
        let (file, game) = (self.judged.place.source, self.judged.place.games + 1);
        let known = |tag| self.tag(tag).unwrap_or(Cow::Borrowed("?"));
        let (white, black) = (known(tags.white), known(tags.black));
        let (event, date) = (known(tags.event), known(tags.date));
        let result = self.result().unwrap_or(Cow::Borrowed("no result"));
        let (verdict, certified) = (self.record.verdict.as_str(), self.certified());
        let plies = Counted(u64::from(self.record.plies), "half-move");
        format!(
            "{file}, game {game}: {white} – {black}, {event}, {date}, {result}; {verdict}, \
             {certified} of {plies} certified"
        )
    }

    fn push_moves(&self, out: &mut Vec<u8>, look: Look) {
        let around: Vec<usize> = self.around().collect();
        let (Some(&first), Some(&last)) = (around.first(), around.last()) else { return };
        let mut line = String::from(if first > 1 { "… " } else { "" });
        for ply in around {
            let word = &self.words[ply - 1];
            if ply > first {
                line.push(' ');
            }
            let current = ply == self.word as usize;
            line.push_str(if current { "[" } else { "" });
            if !word.black || ply == first || current {
                line.push_str(&word.number);
                line.push(' ');
            }
            line.push_str(&word.text);
            line.push_str(if current { "]" } else { "" });
        }
        line.push_str(if last < self.words.len() { " …" } else { "" });
        out.push(b'\n');
        push_line(out, &line, look);
    }

    fn tag(&self, value: Option<Span>) -> Option<Cow<'a, str>> {
        let value = value?.of(self.judged.bytes);
        Some(excerpt_as(value, self.record.encoding))
    }

    /// As the game ends, else as its tag says.
    fn result(&self) -> Option<Cow<'a, str>> {
        let marker = self.record.marker.map(GameResult::as_str).map(Cow::Borrowed);
        marker.or_else(|| self.tag(self.record.tags.result))
    }
}

/// The first fault by ply, else the first warning.
fn first_fault<'a>(judged: &Judged<'a>) -> Option<Located<'a>> {
    let warning = |it: &Located<'_>| it.finding.rule.severity == Severity::Warning;
    let fault = judged.findings().filter(is_fault).min_by_key(at);
    fault.or_else(|| judged.findings().find(warning))
}

/// The finding that stands at a byte: a fault before anything else, the shortest before others.
fn fault_at<'a>(judged: &Judged<'a>, offset: u64) -> Option<Located<'a>> {
    let holds = |it: &Located<'_>| {
        let start = judged.offset(it.finding.span);
        (start..start + it.finding.span.len() as u64).contains(&offset)
    };
    let findings = judged.findings().filter(|it| it.finding.ply.is_some() && holds(it));
    findings.min_by_key(|it| (!is_fault(it), it.finding.span.len()))
}

/// The outermost variations of a game; one that is never closed ends with it.
fn variations(bytes: &[u8], game: Span) -> Vec<Span> {
    let mut open = 0;
    let mut depth = 0u32;
    let mut variations = Vec::new();
    for token in Lexer::new(bytes, game) {
        match token.kind {
            TokenKind::RavOpen => {
                if depth == 0 {
                    open = token.span.start;
                }
                depth += 1;
            }
            TokenKind::RavClose if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    variations.push(Span::new(open, token.span.end));
                }
            }
            _ => {}
        }
    }
    if depth > 0 {
        variations.push(Span::new(open, game.end));
    }
    variations
}

/// What stops a game: an error, or a promotion whose piece is shown by a later move to be another.
fn is_fault(located: &Located<'_>) -> bool {
    let rule = located.finding.rule;
    rule.severity == Severity::Error || *rule == PROMOTION_CONTRADICTED
}

/// What is wrong with the tags is shown at the start position.
fn at(located: &Located<'_>) -> u32 {
    located.finding.ply.map_or(0, |ply| ply.index)
}

/// The squares that a finding speaks of, and the one to which its move goes. What it quotes from
/// the file names none.
fn squares(located: &Located<'_>) -> Bitboard {
    let said = located.finding.message.split('"').step_by(2);
    let words = said.flat_map(|text| text.split(|letter: char| !letter.is_ascii_alphanumeric()));
    let mut squares: Bitboard = words.filter_map(|word| word.parse::<Square>().ok()).collect();
    let at_move = located.finding.ply.is_some_and(|ply| ply.at_move);
    let written = at_move.then(|| read_variant_move(located.token().as_bytes())).flatten();
    if let Some(San::Normal { to, .. } | San::Put { to, .. }) = written.map(|it| it.san) {
        squares |= Bitboard::from_square(to);
    }
    squares
}

fn name(square: Square) -> String {
    square.to_string()
}

fn push_line(out: &mut Vec<u8>, text: &str, look: Look) {
    push_wrapped(out, text.as_bytes(), Margins { used: 0, indent: 0, width: look.width });
    out.push(b'\n');
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    file: &'a str,
    game: u64,
    offset: u64,
    length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Cow<'a, str>>,
    verdict: &'static str,
    plies: u32,
    certified_plies: u32,
    ply: u32,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moment: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    caption: Option<&'a str>,
    fault_squares: Vec<String>,
    findings: Vec<FindingLine<'a>>,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct MoveObject {
    ply: u32,
    #[serde(rename = "move")]
    label: String,
    certified: bool,
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::judge::{ChunkPlace, ChunkReport};
    use crate::pgn::framing::{Framer, Place};
    use crate::replay::{
        AfterIllegal, BoardContinuation, Ending, Examiner, ExaminerOptions, Output,
    };

    const PLACE: ChunkPlace<'static> =
        ChunkPlace { source: "a.pgn", offset: 1_000, column: 0, games: 6, lines: 20 };

    fn examined(text: &str, options: ExaminerOptions) -> (ChunkReport, Trace) {
        let bytes = text.as_bytes();
        let (mut framer, _) = Framer::new(bytes, Place::WHOLE, BoardContinuation::default());
        let frame = framer.next().expect("the text holds a game");
        let mut report = ChunkReport::default();
        let mut examiner = Examiner::tracing(options);
        let mut output = Output {
            findings: &mut report.findings,
            records: &mut report.records,
            counts: &mut report.counts,
        };
        examiner.examine(bytes, &frame, Ending::Whole, 0, 0, &mut output);
        (report, examiner.trace().unwrap().clone())
    }

    fn moment(ply: Option<u32>) -> Moment {
        ply.map_or(Moment::FirstFault, Moment::Ply)
    }

    fn text(game: &str, ply: Option<u32>) -> String {
        text_on(game, ply, Look::PLAIN)
    }

    fn text_on(game: &str, ply: Option<u32>, look: Look) -> String {
        let (report, trace) = examined(game, ExaminerOptions::default());
        let judged = Judged { place: PLACE, bytes: game.as_bytes(), report: &report };
        let mut out = Vec::new();
        let style = BoardStyle { ascii: true, ..BoardStyle::default() };
        View::new(judged, &trace, moment(ply)).push_text(&mut out, style, look);
        String::from_utf8(out).unwrap()
    }

    fn json(game: &str, ply: Option<u32>) -> serde_json::Value {
        json_at(game, moment(ply), ExaminerOptions::default())
    }

    fn json_at(game: &str, moment: Moment, options: ExaminerOptions) -> serde_json::Value {
        let (report, trace) = examined(game, options);
        let judged = Judged { place: PLACE, bytes: game.as_bytes(), report: &report };
        let mut out = Vec::new();
        View::new(judged, &trace, moment).push_json(&mut out);
        assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 1);
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn a_fault_is_shown_on_the_board_before_it_with_its_squares() {
        assert_snapshot!(text(
            "[White \"Ott\"]\n[Black \"Lund\"]\n\n1. e4 e5 2. Bf8 Nc6 1-0",
            None
        ));
    }

    #[test]
    fn without_a_ply_an_error_goes_before_a_warning_and_a_warning_before_the_end() {
        let ply = |game: &str| json(game, None)["ply"].as_u64().unwrap();
        assert_eq!(ply("1. e4+ e5 2. Bf8 *"), 3);
        assert_eq!(ply("[Result \"*\"]\n\n1. e4 e5+ 2. Nf3 *"), 0, "a tag is missing");
        let roster = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                      [White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n";
        assert_eq!(ply(&format!("{roster}1. e4 e5+ 2. Nf3 *")), 2);
        assert_eq!(ply(&format!("{roster}1. e4 e5 2. Nf3 *")), 3);
    }

    #[test]
    fn behind_the_last_certified_ply_the_board_stands_still_and_says_so() {
        let game = "1. e4 e5 2. Bf8 Nc6 1-0";
        let caption = |ply| json(game, Some(ply))["caption"].as_str().unwrap().to_owned();
        assert_eq!(caption(0), "the start position");
        assert_eq!(caption(1), "after 1. e4 (ply 1)");
        assert_eq!(caption(3), "before 2. Bf8 (ply 3)");
        assert_eq!(
            caption(4),
            "after 1... e5 (ply 2), the last certified one: ply 4 lies behind the fault at ply 3"
        );
        assert_eq!(
            caption(9),
            "after 1... e5 (ply 2), the last certified one: the game has 4 half-moves, and no ply 9"
        );
        assert_eq!(json(game, Some(4))["fen"], json(game, Some(2))["fen"]);
    }

    #[test]
    fn a_fault_in_a_variation_is_shown_in_the_variation() {
        let view = json("1. e4 e5 (1... c5 2. Bf8) 2. Nf3 *", None);
        assert_eq!(view["caption"], "in a variation, before 2. Bf8");
        assert!(view["fen"].as_str().unwrap().starts_with("rnbqkbnr/pp1ppppp/8/2p5/4P3"));
        assert!(view["fault_squares"].as_array().unwrap().iter().any(|square| square == "f8"));
    }

    #[test]
    fn numbers_go_on_from_the_start_position() {
        let game = "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 40\"]\n\n40... Ke7 41. Kd2 Kd6 *";
        let labels: Vec<_> = json(game, Some(1))["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["move"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(labels, ["40... Ke7", "41. Kd2", "41... Kd6"]);
    }

    #[test]
    fn a_game_without_a_position_is_shown_without_a_board() {
        for (tag, reason) in [
            ("[Variant \"Unheard-of\"]", "the rules of the variant are not known"),
            ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]", "the start position cannot be played on"),
        ] {
            let game = format!("{tag}\n\n1. e4 e5 *");
            let reason = format!("there is no board: {reason}\n");
            assert!(text(&game, Some(1)).contains(&reason), "{tag}");
            let view = json(&game, Some(1));
            assert!(view.get("fen").is_none() && view["move"] == "1. e4", "{view}");
        }
    }

    #[test]
    fn a_variant_game_is_shown_by_its_own_rules_with_pieces_in_hand() {
        let game = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. @d6 N@f6 1-0";
        assert_snapshot!(text(game, None));
        let view = json(game, Some(7));
        assert_eq!(view["move"], "4. P@d6");
        let fen = "rnb1kbnr/ppp1pppp/3P4/q7/8/2N5/PPPP1PPP/R1BQKBNR[p] b KQkq - 0 4";
        assert_eq!(view["fen"], fen);
        let fault = json(game, None);
        assert_eq!((&fault["ply"], &fault["fault_squares"][0]), (&8.into(), &"f6".into()));
        assert_eq!(fault["caption"], "before 4... N@f6 (ply 8)");
    }

    #[test]
    fn every_variant_has_its_board_at_every_certified_ply() {
        for (name, moves, fen) in [
            ("Antichess", "1. e3 b5 2. Bxb5 *", "rnbqkbnr/p1pppppp/8/1B6/8/4P3/PPPP1PPP/RNBQK1NR"),
            ("Atomic", "1. e4 d5 2. exd5 *", "rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR"),
            (
                "Horde",
                "1. f6 gxf6 2. gxf6 *",
                "rnbqkbnr/pppppp1p/5P2/1PP5/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP",
            ),
            (
                "King of the Hill",
                "1. e3 e6 2. Ke2 *",
                "rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPPKPPP/RNBQ1BNR",
            ),
            ("Racing Kings", "1. Kh3 Ka3 2. Kh4 *", "8/8/8/8/7K/k7/1rbnNBR1/qrbnNBRQ"),
            (
                "Three-check",
                "1. e4 d5 2. Bb5+ *",
                "rnbqkbnr/ppp1pppp/8/1B1p4/4P3/8/PPPP1PPP/RNBQK1NR",
            ),
        ] {
            let game = format!("[Variant \"{name}\"]\n\n{moves}");
            let view = json(&game, Some(3));
            let shown = view["fen"].as_str().expect(name);
            assert_eq!(shown.split(' ').next(), Some(fen), "{name}");
            assert_eq!(view["certified_plies"], 3, "{name}");
            assert!(text(&game, Some(0)).contains("the start position; White to move"), "{name}");
        }
        let checks = text("[Variant \"Three-check\"]\n\n1. e4 d5 2. Bb5+ *", Some(3));
        assert!(checks.contains("\nchecks to give: White 2, Black 3\n"), "{checks}");
    }

    #[test]
    fn a_byte_belongs_to_the_last_move_of_the_main_line_before_it() {
        let game = "1. e4 {best} e5 (1... c5 2. Nf3) 2. Bf8 Nc6 *";
        let plies = ["1.", "e4", "{best}", "e5", "c5", "Bf8", "Nc6", "*"].map(|token| {
            let at = Moment::Byte(1_000 + game.find(token).unwrap() as u64);
            json_at(game, at, ExaminerOptions::default())["ply"].as_u64().unwrap()
        });
        assert_eq!(plies, [0, 1, 1, 2, 2, 3, 4, 4]);
    }

    #[test]
    fn a_byte_of_a_fault_shows_the_board_of_that_fault() {
        let game = "1. e4 e5 (1... c5 2. Nf3 Nc6 3. Bf8) (1... d5 2. exd5+) 2. Nf3 *";
        for (token, caption, ply, board) in [
            ("Bf8", "in a variation, before 3. Bf8", 5, "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2"),
            ("exd5+", "in a variation, before 2. exd5+", 3, "rnbqkbnr/ppp1pppp/8/3p4/4P3/8"),
        ] {
            let at = Moment::Byte(1_000 + game.find(token).unwrap() as u64);
            let view = json_at(game, at, ExaminerOptions::default());
            assert_eq!((&view["caption"], &view["ply"]), (&caption.into(), &ply.into()));
            assert!(view["fen"].as_str().unwrap().starts_with(board), "{view}");
            assert_eq!(view["findings"].as_array().unwrap().len(), 1, "{view}");
        }
    }

    #[test]
    fn a_contradicted_promotion_is_shown_before_the_move_that_contradicts_it() {
        let game = "[FEN \"8/P6k/8/8/8/8/6K1/8 w - - 0 60\"]\n\n60. a8=R Kg6 61. Qe4+ Kf6 1-0";
        let codes = |view: &serde_json::Value| {
            let findings = view["findings"].as_array().unwrap().iter();
            findings.map(|it| it["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let view = json(game, None);
        assert_eq!(view["caption"], "before 60. a8=R (ply 1)");
        assert_eq!(view["fen"], "8/P6k/8/8/8/8/6K1/8 w - - 0 60");
        assert_eq!(view["fault_squares"], serde_json::json!(["a8"]));
        assert_eq!(codes(&view), ["P404"]);
        let later = json(game, Some(3));
        assert_eq!(later["caption"], "before 61. Qe4+ (ply 3), behind the fault at ply 1");
        assert_eq!(later["fen"], "R7/8/6k1/8/8/8/6K1/8 w - - 1 61");
        assert_eq!(codes(&later), ["M310"]);
        // No finding has a board there.
        let between = json(game, Some(2));
        assert_eq!(between["fen"], view["fen"]);
        assert_eq!(between["fault_squares"], serde_json::json!([]));
    }

    #[test]
    fn faults_that_are_found_behind_the_first_one_are_shown_on_their_boards() {
        let options =
            ExaminerOptions { after_illegal: AfterIllegal::Continue, ..Default::default() };
        let game = "1. e4 e5 2. Ke3 Nf6 3. Nc3 Bc9 4. Nf3 Nc6 *";
        let at = Moment::Byte(1_000 + game.find("Bc9").unwrap() as u64);
        for moment in [Moment::Ply(6), at] {
            let view = json_at(game, moment, options);
            assert_eq!(view["caption"], "before 3... Bc9 (ply 6), behind the fault at ply 3");
            assert_eq!(view["moment"], "before");
            assert_eq!(view["fen"], view["findings"][0]["fen"]);
            assert_eq!(json_at(game, moment, ExaminerOptions::default())["moment"], "after");
        }
        assert_eq!(json_at(game, Moment::FirstFault, options)["ply"], 3);
    }

    #[test]
    fn the_word_of_a_fault_is_marked_where_a_half_move_is_missing_before_it() {
        let options =
            ExaminerOptions { after_illegal: AfterIllegal::Continue, ..Default::default() };
        let game = "1. e4 e5 2. Nf6 3. Nc3 Nc6 4. Bc4 Bc5 5. d3 d6 6. O-O O-O 7. Bc9 *";
        let at = Moment::Byte(1_000 + game.find("Bc9").unwrap() as u64);
        let view = json_at(game, at, options);
        assert!(view["move"].as_str().unwrap().ends_with("Bc9"), "{view}");
        assert_eq!(view["caption"], "before 7. Bc9 (ply 13), behind the fault at ply 3");
        assert_eq!(view["fen"], view["findings"][0]["fen"]);
    }

    #[test]
    fn all_but_the_position_fits_a_narrow_terminal() {
        let game = "[Event \"The Open of a long name\"]\n[White \"Ott, Jana\"]\n\n\
            1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 Bg1 7. Bb3 d6 8. c3 *";
        let plain = text(game, None);
        let words = |text: &str| {
            let kept = text.lines().filter(|line| !line.contains(" | "));
            kept.flat_map(str::split_whitespace).map(str::to_owned).collect::<Vec<_>>()
        };
        for width in [40, 60] {
            let text = text_on(game, None, Look { colored: false, width: Some(width) });
            for line in text.lines().filter(|line| !line.contains('/')) {
                assert!(line.chars().count() <= width, "{line}");
            }
            assert_eq!(words(&text), words(&plain));
        }
    }

    #[test]
    fn no_text_lets_a_terminal_escape_through() {
        let game = "[White \"\x1b[2J\"]\n\n1. e4 \x1b[31me5 Qh\x079 *";
        for ply in 0..5 {
            let text = text(game, Some(ply));
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        }
    }
}
