//! The variant of a game that has no Variant tag, by what its text shows.
//!
//! A drop (`N@f3`) shows crazyhouse. The other variants have no words of their own, so that the
//! Event tag must name one (`Rated Atomic game`) and the game must be illegal in chess. The whole
//! main line has to be legal in the variant. It need not be, so that a fault is told where it is,
//! where the Event and something else agree: a first drop that is legal, a start position that
//! chess does not allow, or moves that go on further by rules with a start position of their own.

use memchr::memchr_iter;
use shakmaty::Position;
use shakmaty::san::San;
use shakmaty::variant::{Variant, VariantPosition};

use super::evidence::main_line_words;
use super::ruleset::{Ruleset, variant_in_event};
use super::start::{Start, start_under};
use super::variant_board::{read_variant_move, resolve_variant};
use crate::diagnostics::Span;
use crate::pgn::is_move_like;

/// A variant that the text shows, and the word that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnnamedVariant {
    pub variant: Variant,
    pub evidence: Span,
    pub shown: Shown,
}

/// What shows a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A drop, which is the evidence; in the other cases that is the Event tag.
    Drop,
    /// A start position that chess does not allow.
    StartPosition,
    /// All moves, which chess does not allow.
    Moves,
    /// The moves up to a fault.
    FirstMoves,
}

/// Looks for a variant in a game without a Variant tag.
pub fn unnamed_variant(
    bytes: &[u8],
    event: Option<Span>,
    fen: Option<&[u8]>,
    movetext: Span,
) -> Option<UnnamedVariant> {
    let named = event.and_then(|event| variant_in_event(event.of(bytes)));
    if let Some(evidence) = first_drop(bytes, movetext) {
        let variant = Variant::Crazyhouse;
        let legal_to = legal_to(start_of(variant, fen)?, bytes, movetext);
        return (legal_to == movetext.end || (named == Some(variant) && legal_to >= evidence.end))
            .then_some(UnnamedVariant { variant, evidence, shown: Shown::Drop });
    }
    let variant = named?;
    let legal_in = |variant| Some(legal_to(start_of(variant, fen)?, bytes, movetext));
    let in_chess = legal_in(Variant::Chess);
    if in_chess == Some(movetext.end) {
        return None;
    }
    let in_variant = legal_in(variant)?;
    let starts_elsewhere = matches!(variant, Variant::Horde | Variant::RacingKings);
    let shown = match in_chess {
        None => Shown::StartPosition,
        Some(_) if in_variant == movetext.end => Shown::Moves,
        Some(in_chess) if starts_elsewhere && in_variant > in_chess => Shown::FirstMoves,
        Some(_) => return None,
    };
    Some(UnnamedVariant { variant, evidence: event?, shown })
}

fn start_of(variant: Variant, fen: Option<&[u8]>) -> Option<VariantPosition> {
    let rules = match variant {
        Variant::Chess => Ruleset::FromPosition,
        variant => Ruleset::Variant(variant),
    };
    match start_under(rules, fen) {
        Start::Variant(start) => Some(start.position),
        Start::Position(start) => Some(start.position.into()),
        Start::Unplayable(_) | Start::UnknownVariant => None,
    }
}

/// The first drop of the main line. Only a game with an `@` before a square is looked at closely.
fn first_drop(bytes: &[u8], movetext: Span) -> Option<Span> {
    let text = movetext.of(bytes);
    let may_be_drop = |at| matches!(text.get(at + 1..at + 3), Some([b'a'..=b'h', b'1'..=b'8']));
    if !memchr_iter(b'@', text).any(may_be_drop) {
        return None;
    }
    main_line_words(bytes, movetext).find(|word| {
        read_variant_move(word.of(bytes)).is_some_and(|it| matches!(it.san, San::Put { .. }))
    })
}

/// Where the last legal move of the main line ends; the end of the movetext if all are legal.
fn legal_to(mut position: VariantPosition, bytes: &[u8], movetext: Span) -> usize {
    let mut end = movetext.start;
    for word in main_line_words(bytes, movetext) {
        let Some(written) = read_variant_move(word.of(bytes)) else {
            if is_move_like(word.of(bytes)) {
                return end;
            }
            continue;
        };
        let Ok(m) = resolve_variant(&position, written.san) else { return end };
        position.play_unchecked(m);
        end = word.end;
    }
    movetext.end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(event: &str, movetext: &str) -> Option<(Variant, String)> {
        let text = format!("{event}{movetext}");
        let (tag, moves) = text.split_at(event.len());
        let span = Span::new(tag.len(), tag.len() + moves.len());
        let event = (!event.is_empty()).then_some(Span::new(0, event.len()));
        let shown = unnamed_variant(text.as_bytes(), event, None, span)?;
        Some((shown.variant, text[shown.evidence.range()].to_owned()))
    }

    const CRAZYHOUSE: &str = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. P@d6 exd6 *";

    #[test]
    fn a_legal_drop_shows_crazyhouse() {
        assert_eq!(shown("", CRAZYHOUSE), Some((Variant::Crazyhouse, "P@d6".to_owned())));
    }

    #[test]
    fn drops_that_crazyhouse_does_not_allow_show_nothing() {
        assert_eq!(shown("", "1. e4 N@f6 2. e5 *"), None);
        assert_eq!(shown("", &CRAZYHOUSE.replace("exd6 *", "Kd8 Ke3 *")), None);
        assert_eq!(shown("", "1. e4 {N@f3, or mail a@b4.example} e5 *"), None);
    }

    #[test]
    fn a_fault_behind_the_first_drop_leaves_crazyhouse_where_the_event_says_so() {
        let faulty = CRAZYHOUSE.replace("exd6 *", "Kd8 Ke3 *");
        let evidence = Some((Variant::Crazyhouse, "P@d6".to_owned()));
        assert_eq!(shown("rated crazyhouse match", &faulty), evidence);
    }

    #[test]
    fn an_event_shows_a_variant_only_where_chess_does_not_allow_the_game() {
        let atomic = "Rated Atomic game";
        // The two pawns are gone, and the queen has her file.
        let exploded = "1. e4 d5 2. exd5 Qd4 *";
        assert_eq!(shown(atomic, exploded), Some((Variant::Atomic, atomic.to_owned())));
        assert_eq!(shown("Rated game", exploded), None);
        assert_eq!(shown(atomic, "1. e4 d5 2. exd5 Nc6 *"), None);
        assert_eq!(shown(atomic, "1. e4 d5 2. exd5 Qd3 Ke5 *"), None);
    }

    #[test]
    fn horde_and_racing_kings_begin_where_their_rules_say_and_may_have_a_fault() {
        for (event, variant, movetext) in [
            ("Rated Horde game", Variant::Horde, "1. f6 gxf6 2. gxf6 exf6 *"),
            ("Rated Racing Kings game", Variant::RacingKings, "1. Kh3 Ka3 2. Kh4 Ka4 *"),
        ] {
            let evidence = Some((variant, event.to_owned()));
            assert_eq!(shown(event, movetext), evidence);
            assert_eq!(shown(event, &movetext.replace("2.", "2. Qh9")), evidence);
            assert_eq!(shown(event, "1. e4 e5 2. Nf3 Nc6 3. Qh9 *"), None, "{event}");
            assert_eq!(shown(event, "1. Qh9 *"), None, "{event}");
        }
    }

    #[test]
    fn a_start_that_chess_does_not_allow_needs_no_sound_game() {
        let of = |event: &str, movetext: &str| {
            let text = format!("{event}{movetext}");
            let (tag, moves) = (Span::new(0, event.len()), Span::new(event.len(), text.len()));
            let fen = b"4k3/8/8/8/8/8/8/PPPPPPPP w - - 0 1";
            unnamed_variant(text.as_bytes(), Some(tag), Some(fen), moves)
        };
        let horde = of("Horde", "1. a2 Kd8 2. Qh9 *").expect("a variant");
        assert_eq!((horde.variant, horde.shown), (Variant::Horde, Shown::StartPosition));
        assert_eq!(of("Open", "1. a2 Kd8 2. Qh9 *"), None);
    }
}
