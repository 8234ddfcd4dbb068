//! Games of variants: which rules a game is played by, and its words under those rules.
//!
//! Legal moves are certified, their marks and numbers verified as in chess. Repetitions, the
//! fifty-move count and bare material are not judged, and promotions are counted only.

use std::borrow::Cow;

use shakmaty::san::San;
use shakmaty::variant::VariantPosition;
use shakmaty::{Move, Position, Role};

use super::Exam;
use crate::diagnostics::{Applicability, Finding, Fix, FixSource, Ply, Rule, Span};
use crate::pgn::{Mark, WrittenMove, is_move_like};
use crate::replay::evidence::mix;
use crate::replay::illegal::why_refused_in_variant;
use crate::replay::line::Line;
use crate::replay::ruleset::{Ruleset, variant_name};
use crate::replay::start::start_under;
use crate::replay::unnamed::{Shown, unnamed_variant};
use crate::replay::variant_board::{VariantEnd, read_variant_move, resolve_variant, variant_end};
use crate::replay::{FenFaults, GameResult, Start, VariantStart, Verdict, read_start};
use crate::rules::notation::{CAPTURE_MARK, OVERDISAMBIGUATION};
use crate::rules::spelling::{Effect, STYLES, mark_fault, pieces_of_mark, with_giver};
use crate::rules::{fen_of, moves, results, set_up, structure};

impl Exam<'_, '_, '_> {
    /// The start position, by the Variant tag or, without one, by what the game shows.
    pub(super) fn read_start(&mut self, movetext: Span) -> Start {
        let bytes = self.bytes;
        let fen = set_up::told_fen(bytes, &self.known).map(|fen| fen.of(bytes));
        let named = self.known.variant.map(|variant| variant.of(bytes));
        let start = read_start(named, fen);
        if named.is_none_or(|name| name.trim_ascii().is_empty())
            && !matches!(start, Start::Variant(_))
            && let Some(shown) = unnamed_variant(bytes, self.known.event, fen, movetext)
        {
            let name = variant_name(shown.variant);
            let says = match shown.shown {
                Shown::Drop => "the drop is a move of",
                Shown::StartPosition => "the start position is illegal in chess, and legal in",
                Shown::Moves => "the moves are illegal in chess, and legal by the rules of",
                Shown::FirstMoves => {
                    "the first moves are illegal in chess, and legal by the rules of"
                }
            };
            self.variant_not_named(shown.evidence, name, format!("{says} {name}"));
            return start_under(Ruleset::Variant(shown.variant), fen);
        }
        start
    }

    /// What the start position shows of its FEN.
    pub(super) fn check_start(&mut self, faults: Option<&FenFaults>) {
        let (Some(faults), Some(fen)) = (faults, self.known.fen) else { return };
        set_up::check_fen(fen, faults, self.found);
        if let Some(rules) = faults.unnamed_rules
            && !self.found.has(&crate::rules::tags::VARIANT_TAG_MISSING)
        {
            self.variant_not_named(fen, rules.name, rules.evidence.to_owned());
        }
    }

    fn variant_not_named(&mut self, evidence: Span, name: &str, why: String) {
        let message = match self.known.variant.map(|tag| self.found.text(tag.of(self.bytes))) {
            Some(tag) if !tag.is_empty() => format!("{why}, and the Variant tag says \"{tag}\""),
            _ => format!("{why}, and there is no Variant tag"),
        };
        let start = self.frame.game.start;
        let tags = &self.examiner.tags;
        self.found.push(
            set_up::variant_tag_missing(self.bytes, start, &self.known, tags, evidence, name)
                .message(message),
        );
    }

    pub(super) fn begin_variant(&mut self, start: VariantStart) {
        self.check_start(start.faults.as_deref());
        // Equal moves in two variants are two games.
        let name = variant_name(start.position.variant());
        let fen = self.known.fen.map_or(&b""[..], |fen| fen.of(self.bytes));
        self.facts.moves_key =
            xxhash_rust::xxh3::xxh3_64_with_seed(fen, xxhash_rust::xxh3::xxh3_64(name.as_bytes()));
        if let Some(kept) = &mut self.examiner.kept {
            kept.begin(start.position.variant(), &start.position, true);
        }
        self.line = Line::of_variant(start.position);
    }

    /// Never a part of the loop over words, which is slower the more it holds: 6 % were measured.
    #[inline(never)]
    pub(super) fn variant_word(&mut self, span: Span) {
        let word = span.of(self.bytes);
        let in_main_line = self.examiner.outer.is_empty();
        let written = read_variant_move(word);
        if written.is_none() && !is_move_like(word) {
            self.at_ply(&structure::UNKNOWN_TOKEN, span);
            return;
        }
        let legal = self
            .line
            .variant
            .as_ref()
            .filter(|_| self.line.live)
            .zip(written)
            .map(|(board, written)| resolve_variant(&board.position, written.san));
        if word == b"0-0" && span.end == self.frame.game.end && !matches!(legal, Some(Ok(_))) {
            self.marker = Some((GameResult::OffBoard, false, span));
            return;
        }
        self.plies += u32::from(in_main_line);
        if !self.line.live {
            return;
        }
        let passed = in_main_line && self.facts.passed;
        match (written, legal) {
            (Some(written), _) if written.san == San::Null => {
                self.pass_in_variant(span, in_main_line);
            }
            (Some(written), Some(Ok(m))) => self.play_in_variant(&written, m, span, in_main_line),
            _ if passed => self.line.live = false,
            (Some(written), _) => self.refuse_in_variant(written.san, span, in_main_line),
            (None, _) => self.unreadable_in_variant(span, in_main_line),
        }
    }

    fn play_in_variant(&mut self, written: &WrittenMove, m: Move, span: Span, in_main_line: bool) {
        let ply = self.line.next_move();
        if let Some(number) = self.line.take_wrong_number() {
            self.found.push(structure::wrong_move_number(self.bytes, number, ply));
        }
        self.line.play_variant(m);
        self.check_variant_notation(written, m, span, ply);
        if !in_main_line || self.stop.is_some() {
            return;
        }
        if let Some(kept) = &mut self.examiner.kept
            && let Some(board) = &self.line.variant
        {
            kept.played(ply, span, m, &board.before, &board.position);
        }
        self.facts.certified_plies = ply.index;
        self.facts.last_move = span;
        if self.examiner.options.collect {
            self.facts.moves_key = mix(self.facts.moves_key, m);
        }
        if let Some(piece) = m.promotion() {
            self.facts.promotions += 1;
            self.facts.underpromotions += u32::from(piece != Role::Queen);
        }
    }

    /// Holds the move that was just played against the way it is written.
    fn check_variant_notation(&mut self, written: &WrittenMove, m: Move, span: Span, ply: Ply) {
        let Some(board) = &self.line.variant else { return };
        let (before, after) = (&board.before, &board.position);
        let effect = effect_on(after);
        let mut faults: Vec<(&'static Rule, Cow<'static, str>)> = Vec::new();
        let mut other_pieces = Vec::new();
        // A win by the variant's own rule is marked in one way here and in another there.
        let mark_fits = matches!(
            (written.mark, effect),
            (Mark::None, Effect::None) | (Mark::Check, Effect::Check) | (Mark::Mate, Effect::Mate)
        );
        if !mark_fits && !after.variant_outcome().is_known() {
            let (rule, message) = mark_fault(written.mark, effect);
            let effect_of = |m| effect_of(before, m);
            other_pieces = pieces_of_mark(m, written.mark, effect_of);
            faults.push((rule, with_giver(message, written.mark, &other_pieces)));
        }
        if let San::Normal { role, file, rank, capture, .. } = written.san {
            if capture != m.is_capture() {
                faults.push((
                    &CAPTURE_MARK,
                    if m.is_capture() {
                        "the move captures and is written without x".into()
                    } else {
                        "the move captures nothing and is written with x".into()
                    },
                ));
            }
            let needed = match San::from_move(before, m) {
                San::Normal { file, rank, .. } => {
                    usize::from(file.is_some()) + usize::from(rank.is_some())
                }
                _ => 0,
            };
            let given = usize::from(file.is_some()) + usize::from(rank.is_some());
            if role != Role::Pawn && given > needed {
                faults.push((
                    &OVERDISAMBIGUATION,
                    "the origin square is given more closely than the position needs".into(),
                ));
            }
        }
        if !written.style.is_standard() {
            let told = STYLES.into_iter().filter(|(style, ..)| written.style.has(*style));
            faults.extend(told.map(|(_, rule, message)| (rule, message.into())));
        }
        if faults.is_empty() {
            return;
        }
        let san = standard_san(span.of(self.bytes), before, m, effect);
        let mut fix = Fix::safe(format!("write {san}"), span, san.as_str());
        if !other_pieces.is_empty() {
            fix.applicability = Applicability::Unsafe;
            fix.source = FixSource::Assumed;
        }
        for (rule, message) in faults {
            self.found.push(
                Finding::new(rule, span)
                    .ply(ply)
                    .message(message)
                    .fen(fen_of(before))
                    .fix(fix.clone()),
            );
        }
    }

    fn pass_in_variant(&mut self, span: Span, in_main_line: bool) {
        let rule = if in_main_line { &moves::NULL_MOVE } else { &moves::NULL_MOVE_IN_VARIATION };
        self.push_at_next_move(Finding::new(rule, span));
        if in_main_line {
            self.stop.get_or_insert(Verdict::Illegal);
            self.facts.passed = true;
        }
        self.line.pass();
    }

    fn refuse_in_variant(&mut self, san: San, span: Span, in_main_line: bool) {
        let Some(board) = &self.line.variant else { return };
        let refusal = why_refused_in_variant(&board.position, san);
        let finding = if in_main_line {
            self.stop.get_or_insert(if refusal.rule == &moves::AMBIGUOUS_SAN {
                Verdict::Unreadable
            } else {
                Verdict::Illegal
            });
            Finding::new(refusal.rule, span).message(refusal.message)
        } else {
            Finding::new(&moves::ILLEGAL_VARIATION_MOVE, span)
                .message(format!("in a variation: {}", refusal.message))
        };
        self.push_at_next_move(finding);
        self.line.live = false;
    }

    fn unreadable_in_variant(&mut self, span: Span, in_main_line: bool) {
        self.push_at_next_move(Finding::new(&moves::UNREADABLE_MOVE, span).message(format!(
            "\"{}\" stands for a move and cannot be read as one",
            self.found.text(span.of(self.bytes))
        )));
        self.line.live = false;
        if in_main_line {
            self.stop.get_or_insert(Verdict::Unreadable);
        }
    }

    fn push_at_next_move(&mut self, finding: Finding) {
        let Some(board) = &self.line.variant else { return };
        let ply = self.line.next_move();
        self.found.push(finding.ply(ply).fen(fen_of(&board.position)));
    }

    /// How the last certified position ends a variant game.
    pub(super) fn variant_end(&self) -> Option<VariantEnd> {
        let board = self.line.variant.as_ref()?;
        let certified = self.facts.certified_plies;
        (certified > 0 && certified == self.line.ply).then(|| variant_end(&board.position))?
    }

    /// Holds the recorded result against the end that the board shows.
    pub(super) fn check_variant_result(&mut self, recorded: Option<GameResult>, ply: Ply) {
        let (Some(board), Some(end)) = (&self.line.variant, self.variant_end()) else { return };
        let Some(recorded) = recorded else { return };
        if end.result.is_none_or(|result| result == recorded) {
            return;
        }
        self.found.push(
            Finding::new(&results::RESULT_AGAINST_BOARD, self.facts.last_move)
                .ply(ply)
                .message(format!(
                    "{}, and the result is recorded as {}",
                    end.what,
                    recorded.as_str()
                ))
                .fen(fen_of(&board.before)),
        );
    }
}

/// What the last move did to the king of the side to move, where that side has one to lose.
fn effect_on(after: &VariantPosition) -> Effect {
    if !after.is_check() {
        Effect::None
    } else if after.legal_moves().is_empty() {
        Effect::Mate
    } else {
        Effect::Check
    }
}

fn effect_of(before: &VariantPosition, m: Move) -> Effect {
    let mut after = before.clone();
    after.play_unchecked(m);
    effect_on(&after)
}

/// The move as the standard writes it; a pawn's drop with or without its letter, as it was.
fn standard_san(word: &[u8], before: &VariantPosition, m: Move, effect: Effect) -> String {
    let letter = if word.starts_with(b"P@") { "P" } else { "" };
    format!("{letter}{}{}", San::from_move(before, m), effect.mark())
}
