//! Moves that are legal and written in another way than the standard asks.

use shakmaty::san::San;
use shakmaty::{Bitboard, Chess, File, Move, Rank, Role, Square};

use crate::diagnostics::{Finding, Fix, FixPromise, GameFindings, Ply, Rule, Severity, Span};
use crate::pgn::{Mark, WrittenMove};
use crate::replay::legal_origins;

pub static CHECK_MARK: Rule = Rule {
    code: "N701",
    name: "check-mark",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.5",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "+ or # superfluous, + missing, or # where there is no mate",
    why: "The mark is a test of the score: one that does not fit may mean that a piece stood \
        elsewhere on the writer's board. Strict programs refuse the game.",
    example: "1. e4 e5+ 2. Nf3 Nc6 *\n\
        1... e5 gives no check",
    advice: "Correct the mark. Where many are wrong in one game, look for a slip before the first \
        of them.",
};

pub static CAPTURE_MARK: Rule = Rule {
    code: "N702",
    name: "capture-mark",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "x missing or superfluous",
    why: "The move is certain without it. But an x on an empty square may mean that the writer's \
        board had a piece there.",
    example: "1. e4 d5 2. exd5 Qd5 3. Nc3 *\n\
        2... Qd5 takes the pawn on d5 and has no x",
    advice: "Correct the mark. Where x stands for no capture, see whether a move is missing.",
};

pub static OVERDISAMBIGUATION: Rule = Rule {
    code: "N703",
    name: "overdisambiguation",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.4",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "more of the origin square than is needed",
    why: "Ngf3 and Nf3 are one move and two texts: whoever compares games as text takes them for \
        different ones.",
    example: "1. e4 e5 2. Ngf3 Nc6 *\n\
        the other knight cannot go to f3",
    advice: "Drop what is not needed. A piece that is pinned needs no telling apart.",
};

pub static CASTLING_STYLE: Rule = Rule {
    code: "N704",
    name: "castling-style",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "castling with zeros, lower case or other dashes",
    why: "The standard writes capital letters O. A reader that takes 0-0 for a result, or skips \
        it, loses the move; python-chess does so with some dashes.",
    example: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 *\n\
        zeros stand for the letters",
    advice: "Write O-O or O-O-O.",
};

pub static PROMOTION_STYLE: Rule = Rule {
    code: "N705",
    name: "promotion-style",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a promotion written e8Q, e8(Q), e8/Q, e8=q",
    why: "A reader that expects the equals sign drops the piece or the whole move, and the \
        promotion with it.",
    example: "[FEN \"8/P6k/8/8/8/8/6K1/8 w - - 0 60\"]\n\n\
        60. a8Q Kg6 1-0\n\
        60. a8Q lacks the equals sign",
    advice: "Write a8=Q; the piece stays the same.",
};

pub static MATE_MARKED_AS_CHECK: Rule = Rule {
    code: "N713",
    name: "mate-marked-as-check",
    severity: Severity::Info,
    basis: "PGN 8.2.3.5",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a mating move written with + or with nothing",
    why: "Most over-the-board archives write + for a mate, so it is a fact and no defect. Whoever \
        counts mates by the mark misses these.",
    example: "1. f3 e5 2. g4 Qh4+ 0-1\n\
        2... Qh4 is mate",
    advice: "Nothing needs mending. Count mates by the board; # can be put in safely.",
};

/// What a legal move does to the opponent's king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    Check,
    Mate,
}

impl Effect {
    const fn mark(self) -> &'static str {
        match self {
            Effect::None => "",
            Effect::Check => "+",
            Effect::Mate => "#",
        }
    }
}

/// Holds a legal move against the way it is written. `before` is the position it was played in;
/// `span` is the word, without `!` and `?`.
#[inline]
pub fn check_notation(
    written: &WrittenMove,
    m: Move,
    effect: Effect,
    before: &Chess,
    span: Span,
    ply: Ply,
    found: &mut GameFindings<'_>,
) {
    let (origin, capture) = match written.san {
        San::Normal { role, file, rank, capture, .. } if role != Role::Pawn => {
            ((file.is_some() || rank.is_some()).then_some((role, file, rank)), capture)
        }
        San::Normal { capture, .. } => (None, capture),
        _ => (None, false),
    };
    let mark_fits = matches!(
        (written.mark, effect),
        (Mark::None, Effect::None) | (Mark::Check, Effect::Check) | (Mark::Mate, Effect::Mate)
    );
    let capture_fits = capture == m.is_capture();
    let plain = !(written.castling_style || written.promotion_style);
    if mark_fits && capture_fits && plain && origin.is_none() {
        return;
    }
    let faults = Faults { m, effect, before, span, ply };
    if !mark_fits {
        faults.push(mark_fault(written.mark, effect), found);
    }
    if !capture_fits {
        let message = if m.is_capture() {
            "the move captures and is written without x"
        } else {
            "the move captures nothing and is written with x"
        };
        faults.push((&CAPTURE_MARK, message), found);
    }
    if let Some((role, file, rank)) = origin
        && says_too_much(before, role, file, rank, m.to())
    {
        let message = "the origin square is given more closely than the position needs";
        faults.push((&OVERDISAMBIGUATION, message), found);
    }
    if written.castling_style {
        faults.push((&CASTLING_STYLE, "castling is written with the letter O and hyphens"), found);
    }
    if written.promotion_style {
        faults
            .push((&PROMOTION_STYLE, "a promotion is written with = and a capital letter"), found);
    }
}

fn mark_fault(mark: Mark, effect: Effect) -> (&'static Rule, &'static str) {
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

struct Faults<'a> {
    m: Move,
    effect: Effect,
    before: &'a Chess,
    span: Span,
    ply: Ply,
}

impl Faults<'_> {
    /// Every fault of one token is mended by the same edit: the whole move as it should be.
    fn push(&self, (rule, message): (&'static Rule, &'static str), found: &mut GameFindings<'_>) {
        let san = standard_san(self.before, self.m, self.effect);
        found.push(
            Finding::new(rule, self.span)
                .ply(self.ply)
                .message(message)
                .fen(super::fen_of(self.before))
                .fix(Fix::safe(format!("write {san}"), self.span, san)),
        );
    }
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
