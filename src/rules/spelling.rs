//! How a move is spelled, held against the standard.
//!
//! In: a legal move, as it was written and as it was played. Out: a finding for every way in which
//! the two differ. All faults of one word are mended by the same edit: the move as it should be.

use std::borrow::Cow;

use shakmaty::san::San;
use shakmaty::{Bitboard, Chess, File, Move, Position, Rank, Role, Square};

use super::notation::{
    CAPTURE_MARK, CASTLING_STYLE, CHECK_MARK, DRAW_OFFER_MARK, EN_PASSANT_SUFFIX, FIGURINE,
    LOCALIZED_PIECE_LETTERS, LONG_ALGEBRAIC, MATE_MARKED_AS_CHECK, OVERDISAMBIGUATION,
    PIECE_LETTER_CASE, PROMOTION_STYLE, UCI_MOVE,
};
use super::{annotations, moves, structure};
use crate::diagnostics::{
    Applicability, Edit, Finding, Fix, FixSource, GameFindings, Ply, Rule, Span,
};
use crate::pgn::{Mark, Style, WrittenMove};
use crate::replay::{can_answer_check, either, legal_origins, noun};
use crate::source::excerpt;

/// What a legal move does to the opponent's king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    Check,
    Mate,
}

impl Effect {
    /// What the move that led here did.
    #[inline(always)]
    pub fn on(after: &Chess) -> Effect {
        if !after.is_check() {
            Effect::None
        } else if can_answer_check(after) {
            Effect::Check
        } else {
            Effect::Mate
        }
    }

    /// What a legal move does.
    pub fn of(before: &Chess, m: Move) -> Effect {
        let mut after = before.clone();
        after.play_unchecked(m);
        Effect::on(&after)
    }

    pub const fn mark(self) -> &'static str {
        match self {
            Effect::None => "",
            Effect::Check => "+",
            Effect::Mate => "#",
        }
    }
}

/// A legal move and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct PlayedMove<'a> {
    pub bytes: &'a [u8],
    pub m: Move,
    pub effect: Effect,
    /// The position it was played in.
    pub before: &'a Chess,
    /// The word, without `!` and `?`.
    pub span: Span,
    pub ply: Ply,
    /// Whose letters the game is written with, where they are not the standard's.
    pub languages: &'a [&'static str],
}

/// Whether a legal move is written as the standard asks, for certain, as nearly all are. A piece
/// that names its origin is not looked at here.
#[inline(always)]
pub fn is_spelled_plainly(written: &WrittenMove, m: Move, effect: Effect) -> bool {
    let (origin, capture) = match written.san {
        San::Normal { role, file, rank, capture, .. } => {
            (role != Role::Pawn && (file.is_some() || rank.is_some()), capture)
        }
        _ => (false, false),
    };
    mark_fits(written.mark, effect)
        && capture == m.is_capture()
        && written.style.is_standard()
        && !origin
}

#[inline(always)]
fn mark_fits(mark: Mark, effect: Effect) -> bool {
    matches!(
        (mark, effect),
        (Mark::None, Effect::None) | (Mark::Check, Effect::Check) | (Mark::Mate, Effect::Mate)
    )
}

/// Holds a legal move against the way it is written.
#[inline(never)]
pub fn check_spelling(
    written: &WrittenMove,
    played: &PlayedMove<'_>,
    found: &mut GameFindings<'_>,
) {
    let (origin, capture) = match written.san {
        San::Normal { role, file, rank, capture, .. } if role != Role::Pawn => {
            ((file.is_some() || rank.is_some()).then_some((role, file, rank)), capture)
        }
        San::Normal { capture, .. } => (None, capture),
        _ => (None, false),
    };
    let mark_fits = mark_fits(written.mark, played.effect);
    let capture_fits = capture == played.m.is_capture();
    let other_pieces = pieces_of_mark(played.m, written.mark, |m| Effect::of(played.before, m));
    let word = Word { written, played, other_pieces };
    // Engines write no marks.
    if !(mark_fits || written.style.has(Style::UCI) && written.mark == Mark::None) {
        let (rule, message) = mark_fault(written.mark, played.effect);
        found.push(word.finding(rule, with_giver(message, written.mark, &word.other_pieces)));
    }
    if !capture_fits {
        let message = if played.m.is_capture() {
            "the move captures and is written without x"
        } else {
            "the move captures nothing and is written with x"
        };
        word.push((&CAPTURE_MARK, message), found);
    }
    if let Some((role, file, rank)) = origin
        && says_too_much(played.before, role, file, rank, played.m.to())
    {
        if file.is_some() && rank.is_some() && found.has(&LONG_ALGEBRAIC) {
            word.gather(&LONG_ALGEBRAIC, found);
        } else {
            let message = "the origin square is given more closely than the position needs";
            word.push((&OVERDISAMBIGUATION, message), found);
        }
    }
    if !written.style.is_standard() {
        word.check_style(mark_fits, found);
    }
}

/// Faults of style that leave no doubt of the move, each with what to write instead.
pub const STYLES: [(Style, &Rule, &str); 11] = [
    (Style::CASTLING, &CASTLING_STYLE, "castling is written with the letter O and hyphens"),
    (Style::PROMOTION, &PROMOTION_STYLE, "a promotion is written with = and a capital letter"),
    (Style::CAPTURE, &CAPTURE_MARK, "a capture is written with x"),
    (Style::LETTER_CASE, &PIECE_LETTER_CASE, "pieces have capital letters, files small ones"),
    (Style::FIGURINE, &FIGURINE, "a piece is written with its letter, not with a symbol"),
    (Style::EN_PASSANT, &EN_PASSANT_SUFFIX, "a capture in passing is written as any other"),
    (Style::DRAW_OFFER, &DRAW_OFFER_MARK, "a draw offer hangs on the move"),
    (Style::SYMBOL, &annotations::ANNOTATION_SYMBOL, "an evaluation symbol hangs on the move"),
    (Style::PAWN_LETTER, &OVERDISAMBIGUATION, "a pawn's move is written without a letter"),
    (Style::INCOMPLETE, &moves::INCOMPLETE_SAN, "the move lacks a part, and only one move fits"),
    (Style::PUNCTUATION, &structure::UNKNOWN_TOKEN, "punctuation hangs on the move"),
];

pub fn mark_fault(mark: Mark, effect: Effect) -> (&'static Rule, &'static str) {
    match (mark, effect) {
        (Mark::None, Effect::Mate) => (&MATE_MARKED_AS_CHECK, "the move mates and is not marked"),
        (_, Effect::Mate) => (&MATE_MARKED_AS_CHECK, "the move mates and is marked as check"),
        (Mark::None, _) => (&CHECK_MARK, "the move gives check and is not marked"),
        (Mark::Mate, Effect::Check) => (&CHECK_MARK, "the move is marked as mate and gives check"),
        (Mark::Mate, _) => (&CHECK_MARK, "the move is marked as mate and gives no check"),
        (_, Effect::None) => (&CHECK_MARK, "the move is marked as check and gives none"),
        (_, Effect::Check) => (&CHECK_MARK, "a check is marked with one +"),
    }
}

/// The pieces that would give the check or the mate that a promotion is marked with, where the one
/// that it names does not: then the letter may be the slip, and not the mark.
#[cold]
pub fn pieces_of_mark(m: Move, mark: Mark, effect_of: impl Fn(Move) -> Effect) -> Vec<Role> {
    let gives = |piece: Role| {
        let effect = effect_of(with_piece(m, piece));
        if mark == Mark::Mate { effect == Effect::Mate } else { effect != Effect::None }
    };
    match m.promotion() {
        Some(named) if mark != Mark::None && !gives(named) => {
            let pieces = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
            pieces.into_iter().filter(|piece| gives(*piece)).collect()
        }
        _ => Vec::new(),
    }
}

/// What is said of a wrong mark, with the pieces that would give it.
pub fn with_giver(message: &'static str, mark: Mark, pieces: &[Role]) -> Cow<'static, str> {
    if pieces.is_empty() {
        return message.into();
    }
    let pieces = with_article(pieces);
    if mark == Mark::Mate {
        format!("{message}, where {pieces} would mate").into()
    } else {
        format!("{message}, which {pieces} would give").into()
    }
}

/// `a queen or a rook`
fn with_article(pieces: &[Role]) -> String {
    let names: Vec<String> = pieces.iter().map(|piece| format!("a {}", noun(*piece))).collect();
    either(&names)
}

/// A promotion to another piece.
pub fn with_piece(m: Move, piece: Role) -> Move {
    match m {
        Move::Normal { role, from, capture, to, promotion: Some(_) } => {
            Move::Normal { role, from, capture, to, promotion: Some(piece) }
        }
        m => m,
    }
}

struct Word<'a> {
    written: &'a WrittenMove,
    played: &'a PlayedMove<'a>,
    /// Those of [`pieces_of_mark`].
    other_pieces: Vec<Role>,
}

impl Word<'_> {
    #[cold]
    fn check_style(&self, mark_fits: bool, found: &mut GameFindings<'_>) {
        let style = self.written.style;
        for (which, rule, message) in STYLES {
            // `ed` says that it captures.
            let told = which == Style::CAPTURE && style.has(Style::INCOMPLETE)
                || which == Style::PAWN_LETTER && style.has(Style::LONG)
                || which == Style::LETTER_CASE && style.has(Style::UCI);
            if style.has(which) && !told {
                self.push((rule, message), found);
            }
        }
        if style.has(Style::CHECK_WORD) && mark_fits {
            self.push((&CHECK_MARK, "a check is written with +, a mate with #"), found);
        }
        for (which, rule) in [
            (Style::LOCALIZED, &LOCALIZED_PIECE_LETTERS),
            (Style::LONG, &LONG_ALGEBRAIC),
            (Style::UCI, &UCI_MOVE),
        ] {
            if style.has(which) {
                self.gather(rule, found);
            }
        }
    }

    fn push(&self, (rule, message): (&'static Rule, &'static str), found: &mut GameFindings<'_>) {
        found.push(self.finding(rule, message.into()));
    }

    /// What is said once of a game.
    fn gather(&self, rule: &'static Rule, found: &mut GameFindings<'_>) {
        if found.has(rule) {
            // Of the others only the edits are kept.
            let fix = self.fix(rule, |_| String::new());
            return found.gather(Finding::new(rule, self.played.span).fix(fix));
        }
        let word = found.text(self.played.span.of(self.played.bytes));
        let PlayedMove { before, m, effect, .. } = *self.played;
        let should_be = spelled(Some(self.written), before, m, effect);
        let message = match self.played.languages {
            _ if rule != &LOCALIZED_PIECE_LETTERS => {
                format!("\"{word}\" is {should_be} in the standard's notation")
            }
            [] => format!("\"{word}\" is {should_be}, with letters that only look like Latin ones"),
            languages => {
                let names = listed(languages);
                format!("\"{word}\" is {should_be}: the game is written in {names}")
            }
        };
        found.gather(self.finding(rule, message.into()));
    }

    fn finding(&self, rule: &'static Rule, message: Cow<'static, str>) -> Finding {
        let fix = self.fix(rule, |should_be| format!("write {should_be}"));
        Finding::new(rule, self.played.span)
            .ply(self.played.ply)
            .message(message)
            .fen(super::fen_of(self.played.before))
            .fix(fix)
    }

    fn fix(&self, rule: &Rule, title: impl Fn(&str) -> String) -> Fix {
        let PlayedMove { before, m, effect, .. } = *self.played;
        let should_be = spelled(Some(self.written), before, m, effect);
        let guessed = self.written.style.has(Style::INCOMPLETE)
            || self.written.style.has(Style::LOCALIZED)
            || rule == &structure::UNKNOWN_TOKEN;
        let mut fix = Fix::safe(title(&should_be), self.played.span, should_be);
        if guessed {
            fix.applicability = Applicability::Unsafe;
            fix.source = FixSource::Inferred;
        }
        // It takes the letter's word against the mark's.
        if !self.other_pieces.is_empty() {
            fix.applicability = Applicability::Unsafe;
            fix.source = FixSource::Assumed;
        }
        fix
    }
}

/// `A, B or C`
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// `e.p.` that stands apart from its move.
pub fn apart_en_passant(span: Span) -> Finding {
    Finding::new(&EN_PASSANT_SUFFIX, span)
        .message("a capture in passing is written as any other")
        .fix(Fix::safe("delete it", span, ""))
}

/// `ch`, `dis ch` or `mate` that stands apart from its move. `mark` is what the move lacks, and
/// where; `pieces` would give what is said, where the move is a promotion to another.
pub fn apart_check(
    bytes: &[u8],
    span: Span,
    mark: Option<(Effect, usize)>,
    pieces: &[Role],
) -> Finding {
    let mut fix = Fix::safe("delete it", span, "");
    if let Some((effect, at)) = mark {
        fix.title = format!("write {} behind the move in its place", effect.mark());
        let mark = Edit { span: Span::new(at, at), content: effect.mark().into() };
        fix.edits.insert(0, mark);
    }
    if !pieces.is_empty() {
        fix.applicability = Applicability::Unsafe;
        fix.source = FixSource::Assumed;
    }
    Finding::new(&CHECK_MARK, span).message(apart(bytes, span, pieces)).fix(fix)
}

/// Takes another word into what [`apart_check`] said.
pub fn extend_apart_check(bytes: &[u8], finding: &mut Finding, end: usize, pieces: &[Role]) {
    finding.span.end = end;
    finding.message = apart(bytes, finding.span, pieces).into();
    if let Some(deletion) = finding.fix.as_mut().and_then(|fix| fix.edits.last_mut()) {
        deletion.span.end = end;
    }
}

fn apart(bytes: &[u8], span: Span, pieces: &[Role]) -> String {
    let words = excerpt(span.of(bytes));
    if pieces.is_empty() {
        format!("\"{words}\" stands apart; a check is written as + behind the move, a mate as #")
    } else {
        format!("the move gives no \"{words}\", which {} would give", with_article(pieces))
    }
}

/// `(=)` that stands apart from its move.
pub fn apart_draw_offer(bytes: &[u8], span: Span) -> Finding {
    let comment = [b"{", span.of(bytes), b"}"].concat();
    Finding::new(&DRAW_OFFER_MARK, span)
        .message("a draw offer stands behind the move")
        .fix(Fix::safe("make it a comment", span, comment))
}

/// A move in place of a word, with what hangs on that word in the standard's form.
pub fn spelled(written: Option<&WrittenMove>, before: &Chess, m: Move, effect: Effect) -> String {
    let mut text = standard_san(before, m, effect);
    if let Some(glyph) = written.and_then(|written| written.glyph) {
        text.push_str(&format!(" ${glyph}"));
    }
    if written.is_some_and(|written| written.style.has(Style::DRAW_OFFER)) {
        text.push_str(" {(=)}");
    }
    text
}

/// The move as the standard writes it.
pub fn standard_san(before: &Chess, m: Move, effect: Effect) -> String {
    format!("{}{}", San::from_move(before, m), effect.mark())
}

/// Whether less of the origin square would do: the file goes before the rank, and both are only
/// given where one alone is not enough (PGN standard 8.2.3.4). Pieces that are pinned do not
/// count.
fn says_too_much(
    before: &Chess,
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
) -> bool {
    let origins = legal_origins(before, role, to);
    let alone = |mask: Option<Bitboard>| mask.is_some_and(|mask| !(origins & mask).more_than_one());
    !origins.more_than_one()
        || (file.is_some()
            && rank.is_some()
            && (alone(file.map(Bitboard::from_file)) || alone(rank.map(Bitboard::from_rank))))
}
