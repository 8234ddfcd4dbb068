//! The tag section, and the position and the rules that the moves begin with.

use shakmaty::variant::Variant;

use super::{Exam, Examiner};
use crate::diagnostics::{Finding, Fix, GameFindings, Span};
use crate::pgn::{Lexer, TagDate, TagPair, TokenKind};
use crate::replay::line::Line;
use crate::replay::{Start, Verdict};
use crate::rules::{set_up, structure, tags};

impl Exam<'_, '_, '_> {
    /// A game that is too long to be judged: only its tags are read.
    pub(super) fn pass_through(&mut self) {
        for token in Lexer::new(self.bytes, self.frame.game) {
            match token.kind {
                TokenKind::Tag(pair) => self.examiner.tags.push((token.span, pair)),
                TokenKind::Space
                | TokenKind::Escape
                | TokenKind::LineComment
                | TokenKind::Markup
                | TokenKind::Comment { .. } => {}
                _ => break,
            }
        }
        let start = self.frame.game.start;
        self.check_tags(start);
        self.found.push(structure::oversized_game(Span::new(start, start)));
        self.line.live = false;
        self.stop = Some(Verdict::Unjudged);
    }

    /// Takes over the tag pairs that the framing found, and gives where the lexer begins. Where
    /// bytes are to be looked at, it begins with the game.
    pub(super) fn take_plain_tags(&mut self) -> usize {
        let section = &self.frame.section;
        if section.is_empty() || self.strange.any() {
            return self.frame.game.start;
        }
        self.examiner.tags.extend(section.pairs());
        self.seen.last_tag = Some(section.end());
        section.end()
    }

    pub(super) fn tag(&mut self, span: Span, pair: TagPair) {
        if let Some(empty) = self.seen.empty_line.take() {
            self.found.push(structure::blank_line_in_tags(empty));
        }
        self.seen.last_tag = Some(span.end);
        self.seen.markup = false;
        self.examiner.tags.push((span, pair));
    }

    /// Reads the tag section, and where and by which rules the movetext behind it begins.
    pub(super) fn read_tags(&mut self, movetext: Span) {
        self.seen.movetext = true;
        let start = self.frame.game.start;
        self.check_tags(start);
        let value = |span: Option<Span>| span.map(|span| span.of(self.bytes));
        let date = |span: Option<Span>| value(span).and_then(TagDate::parse);
        self.date = date(self.known.date).or_else(|| date(self.known.utc_date));
        match self.read_start(movetext) {
            Start::Position(start) => {
                self.check_start(start.faults.as_deref());
                self.line = Line::new(&start.position);
                if let Some(kept) = &mut self.examiner.kept {
                    kept.begin(Variant::Chess, &start.position, start.set_up);
                }
                self.begin_facts(&start);
                self.start = Some(start);
            }
            Start::Variant(start) => self.begin_variant(*start),
            Start::Unplayable(reason) => {
                let fen = self.known.fen.unwrap_or_default();
                self.found.push(Finding::new(&tags::ILLEGAL_POSITION, fen).message(reason));
                self.line.live = false;
                self.stop = Some(Verdict::Unreadable);
            }
            Start::UnknownVariant => {
                let variant = self.known.variant.unwrap_or_default();
                let finding = tags::unsupported_variant(self.bytes, variant, self.found);
                self.found.push(finding);
                self.line.live = false;
                self.stop = Some(Verdict::Unjudged);
            }
        }
    }

    pub(super) fn check_tags(&mut self, start: usize) {
        let Examiner { tags, other_tags, markup, .. } = &mut *self.examiner;
        let known = &mut self.known;
        if self.cut_in_tags {
            // What is missing was cut off.
            let mut list = Vec::new();
            let mut unsaid = GameFindings::new(&mut list, self.game);
            tags::check_tags(self.bytes, start, tags, other_tags, markup, known, &mut unsaid);
            return;
        }
        tags::check_tags(self.bytes, start, tags, other_tags, markup, known, self.found);
        // Markup between the tags was met first.
        markup.sort_unstable();
        set_up::check_set_up(self.bytes, known, tags, self.found);
    }

    pub(super) fn begin_movetext(&mut self, first: Span) {
        self.movetext_start = first.start;
        self.read_tags(Span::new(first.start, self.frame.game.end));
        if let Some(end) = self.seen.last_tag
            && self.seen.empty_line.is_none()
            && !self.seen.markup
        {
            self.found.push(
                Finding::new(&structure::NO_BLANK_LINE_AFTER_TAGS, first).fix(Fix::safe(
                    "insert an empty line",
                    Span::new(end, end),
                    "\n",
                )),
            );
        }
    }
}
