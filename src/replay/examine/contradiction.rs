//! Promotions whose piece a later move contradicts: the first refused move of the main line comes
//! in, and out goes the one earlier promotion, with the one other piece, that makes it and the
//! whole rest legal.
//!
//! The game is then read again with that piece, uncertified from the promotion on. The later move
//! keeps its finding, an error: as it is written, nobody can play the score through.

use shakmaty::san::San;
use shakmaty::{Chess, Move, Role};

use super::{Exam, FirstReading};
use crate::diagnostics::{Applicability, Edit, Finding, Fix, FixSource, Ply, Span};
use crate::pgn::{Mark, WrittenMove};
use crate::replay::decision::Decision;
use crate::replay::evidence::{Candidates, Trial};
use crate::replay::{Interpretation, Verdict, interpret, noun, resolve};
use crate::rules::spelling::{Effect, spelled, with_piece};
use crate::rules::{fen_of, promotions};

/// A promotion that was played, for the case that a later move contradicts it.
#[derive(Debug)]
pub(super) struct MadePromotion {
    pub span: Span,
    pub ply: Ply,
    pub before: Chess,
    pub m: Move,
}

/// What a first reading found out.
#[derive(Debug)]
pub(super) struct Contradiction {
    /// The promotion's word.
    pub word: Span,
    piece: Role,
    /// That of the promotion and that of the move that contradicts it.
    findings: [Finding; 2],
}

/// Promotions that are held against the rest. More than this in one game are no slip of one.
const MOST_PROMOTIONS: usize = 8;

impl Exam<'_, '_, '_> {
    /// Whether a refused move of the main line contradicts a promotion before it. `refused` is
    /// what is found of it, `written` how it reads.
    pub(super) fn contradicts_promotion(
        &mut self,
        refused: &Finding,
        written: Option<&WrittenMove>,
    ) -> bool {
        if self.examiner.made.is_empty()
            || self.contradiction.is_some()
            || self.kings_to_the_centre(refused.span, false).is_some()
        {
            return false;
        }
        let made = std::mem::take(&mut self.examiner.made);
        self.contradiction = self.only_other_piece(&made, refused, written);
        self.examiner.made = made;
        self.contradiction.is_some()
    }

    fn only_other_piece(
        &mut self,
        made: &[MadePromotion],
        refused: &Finding,
        written: Option<&WrittenMove>,
    ) -> Option<Contradiction> {
        let mut only = None;
        for promotion in made.iter().rev().take(MOST_PROMOTIONS) {
            let readings = pieces(promotion.m);
            let trial = self.trial(&promotion.before, &readings, Mark::None, promotion.span, true);
            // That the piece moves shows that it was there. One that fits without a move leaves
            // open what the fault is, and so does a rest that was not read to its end.
            if trial.legal != trial.legal.and(trial.moved) || !trial.whole {
                return None;
            }
            for index in trial.legal.iter() {
                if only.is_some() || needs_another_slip(&trial, index) {
                    return None;
                }
                only = Some((promotion, readings[index]));
            }
        }
        let (promotion, m) = only?;
        if written.is_some_and(|it| self.letter_may_be_wrong(it.san, refused.span)) {
            return None;
        }
        self.contradiction_at(promotion, m, refused)
    }

    /// Whether the refused move and all behind it are legal too with another piece letter: then
    /// that may be the slip.
    fn letter_may_be_wrong(&mut self, san: San, refused: Span) -> bool {
        let San::Normal { role: written, file, rank, capture, to, promotion } = san else {
            return false;
        };
        let position = self.line.position.clone();
        [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King]
            .into_iter()
            .filter(|role| *role != written)
            .filter_map(|role| {
                resolve(&position, &San::Normal { role, file, rank, capture, to, promotion })
            })
            .any(|m| !self.trial(&position, &[m], Mark::None, refused, true).legal.is_empty())
    }

    fn contradiction_at(
        &self,
        made: &MadePromotion,
        m: Move,
        refused: &Finding,
    ) -> Option<Contradiction> {
        let (piece, named) = (m.promotion()?, made.m.promotion()?);
        let (was, named) = (noun(piece), noun(named));
        let word = made.span.of(self.bytes);
        let Interpretation::Move(written, _) = interpret(&made.before, word, &self.dialect) else {
            return None;
        };
        let (effect, effect_named) =
            (Effect::of(&made.before, m), Effect::of(&made.before, made.m));
        if has_mark(effect_named, written.mark) && !has_mark(effect, written.mark) {
            return None;
        }
        let san = spelled(Some(&written), &made.before, m, effect);
        let finding = Finding::new(&promotions::PROMOTION_CONTRADICTED, made.span)
            .ply(made.ply)
            .fen(fen_of(&made.before))
            .message(format!(
                "a {named} is named, and {} shows a {was}, with which alone the rest is legal",
                self.label_at(refused.ply?, refused.span)
            ))
            .fix(Fix {
                title: format!("promote to a {was}, with which alone the rest is legal"),
                applicability: Applicability::Unsafe,
                source: FixSource::Inferred,
                edits: vec![Edit { span: made.span, content: san.into_bytes() }],
            });
        let mut refused = refused.clone();
        refused.message = format!(
            "{}; it is legal if {} made a {was} (P404)",
            refused.message,
            self.label_at(made.ply, made.span)
        )
        .into();
        Some(Contradiction { word: made.span, piece, findings: [finding, refused] })
    }

    /// Asks for the game to be read again, with what this reading found out.
    pub(super) fn read_again(&mut self) {
        let dialect = self.dialect_settled.then(|| Decision {
            dialect: self.dialect,
            languages: std::mem::take(&mut self.languages),
        });
        self.again = Some(FirstReading { dialect, contradiction: self.contradiction.take() });
    }

    /// Tells the contradiction at the promotion; the move with the piece that it was.
    #[cold]
    pub(super) fn contradicted(&mut self, m: Move) -> Move {
        let Some(Contradiction { piece, findings, .. }) = &self.contradiction else { return m };
        let m = with_piece(m, *piece);
        for finding in findings.clone() {
            self.found.push(finding);
        }
        self.stop.get_or_insert(Verdict::Illegal);
        m
    }
}

/// The promotion with each piece. The named one is among them, so that the marks of later moves
/// that it explains speak against the others.
fn pieces(m: Move) -> Vec<Move> {
    let pieces = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    pieces.into_iter().map(|piece| with_piece(m, piece)).collect()
}

/// Whether with this piece a mark is wrong, or a move ambiguous, that was none so far.
fn needs_another_slip(trial: &Trial, index: usize) -> bool {
    let piece = Candidates::one(index);
    let slips = trial.unmarked.iter().chain(&trial.ambiguous);
    trial.all_ambiguous || slips.into_iter().any(|slip| !slip.candidates.and(piece).is_empty())
}

fn has_mark(effect: Effect, mark: Mark) -> bool {
    match mark {
        Mark::None => true,
        Mark::Check | Mark::DoubleCheck => effect != Effect::None,
        Mark::Mate => effect == Effect::Mate,
    }
}
