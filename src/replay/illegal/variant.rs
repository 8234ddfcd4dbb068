//! Why a variant refuses a move. The Laws do not speak of variants, so the rule told is the one
//! that comes nearest, and the sentence says whose rules they are.

use shakmaty::san::{San, SanError};
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{Chess, EnPassantMode, FromSetup, Position, PositionError, Rank, Role, Square};

use super::{Refusal, noun, why_refused};
use crate::replay::EndState;
use crate::replay::ruleset::variant_name;
use crate::replay::variant_board::{resolve_variant, variant_end};
use crate::rules::{moves, promotions};

/// Says why `position` refuses `san`, which may be illegal or ambiguous.
pub fn why_refused_in_variant(position: &VariantPosition, san: San) -> Refusal {
    if let Some(end) = variant_end(position) {
        let rule = match end.state {
            EndState::Stalemate => &moves::MOVE_AFTER_STALEMATE,
            _ => &moves::MOVE_AFTER_CHECKMATE,
        };
        return Refusal::new(rule, format!("the game ended before this move: {}", end.what));
    }
    let name = variant_name(position.variant());
    let refusal = reason(position, san);
    if refusal.rule == &moves::AMBIGUOUS_SAN || refusal.rule == &promotions::MISSING_PROMOTION_PIECE
    {
        return refusal;
    }
    Refusal::new(
        refusal.rule,
        format!("the rules of {name} allow no such move here: {}", refusal.message),
    )
}

fn reason(position: &VariantPosition, san: San) -> Refusal {
    if let San::Put { role, to } = san {
        return why_not_dropped(position, role, to);
    }
    if lacks_promotion_piece(position, san) {
        return Refusal::new(
            &promotions::MISSING_PROMOTION_PIECE,
            "the pawn reaches the last rank, and no piece is named",
        );
    }
    if resolve_variant(position, san) == Err(SanError::AmbiguousSan) {
        return Refusal::new(
            &moves::AMBIGUOUS_SAN,
            format!("more than one {} can make the move", noun(moving(san))),
        );
    }
    let own_rule = |message: String| Refusal::new(&moves::NO_PIECE_CAN_REACH, message);
    if position.variant() == Variant::Antichess
        && let Some(&capture) = position.capture_moves().first()
    {
        let capture = San::from_move(position, capture);
        return own_rule(format!("a capture is possible ({capture}) and must be made"));
    }
    let Some(chess) = as_chess(position) else {
        return own_rule(match san {
            San::Castle(_) => "castling is not possible".to_owned(),
            _ => format!("no {} can make it", noun(moving(san))),
        });
    };
    match crate::replay::resolve(&chess, &san) {
        None => why_refused(&chess, &san),
        Some(_) => own_rule(
            match position.variant() {
                Variant::Atomic if moving(san) == Role::King => "a king may not capture",
                Variant::Atomic => "the player's own king would explode, or stay in check",
                Variant::RacingKings => "it gives check",
                _ => "it is legal in chess only",
            }
            .to_owned(),
        ),
    }
}

fn why_not_dropped(position: &VariantPosition, role: Role, to: Square) -> Refusal {
    let Some(hands) = position.pockets() else {
        return Refusal::new(&moves::UNREADABLE_MOVE, "pieces are not dropped");
    };
    let unreachable = |message: String| Refusal::new(&moves::NO_PIECE_CAN_REACH, message);
    if hands[position.turn()][role] == 0 {
        return unreachable(format!("no {} is in hand", noun(role)));
    }
    if position.us().contains(to) {
        return Refusal::new(&moves::OWN_PIECE_ON_TARGET, format!("{to} is occupied"));
    }
    if position.them().contains(to) {
        return unreachable(format!("{to} is occupied"));
    }
    if role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth) {
        return unreachable("a pawn is not dropped on the first or last rank".to_owned());
    }
    Refusal::new(&moves::CHECK_NOT_ANSWERED, "the king is in check, and the drop does not parry it")
}

fn lacks_promotion_piece(position: &VariantPosition, san: San) -> bool {
    let San::Normal { role: Role::Pawn, file, rank, capture, to, promotion: None } = san else {
        return false;
    };
    let promotion = Some(Role::Queen);
    let queened = San::Normal { role: Role::Pawn, file, rank, capture, to, promotion };
    resolve_variant(position, queened) != Err(SanError::IllegalSan)
}

fn moving(san: San) -> Role {
    match san {
        San::Normal { role, .. } | San::Put { role, .. } => role,
        San::Castle(_) | San::Null => Role::King,
    }
}

/// The same men under the rules of chess, where these can play on from there.
fn as_chess(position: &VariantPosition) -> Option<Chess> {
    let setup = position.to_setup(EnPassantMode::Always);
    Chess::from_setup(setup, position.castles().mode())
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::variant_board::read_variant_move;
    use crate::replay::{Start, read_start};

    fn refused(variant: &str, fen: &str, word: &str) -> (&'static str, String) {
        let Start::Variant(start) = read_start(Some(variant.as_bytes()), Some(fen.as_bytes()))
        else {
            panic!("{variant} {fen}")
        };
        let san = read_variant_move(word.as_bytes()).expect(word).san;
        assert!(resolve_variant(&start.position, san).is_err(), "{word} is legal");
        let refusal = why_refused_in_variant(&start.position, san);
        (refusal.rule.code, refusal.message)
    }

    #[test]
    fn the_sentence_names_the_rules_and_what_they_forbid() {
        for (variant, fen, word, code, says) in [
            (
                "Crazyhouse",
                "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1",
                "N@f3",
                "M310",
                "no knight is in hand",
            ),
            ("Crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "@a8", "M310", "first or last rank"),
            ("Crazyhouse", "4k3/8/8/8/8/8/8/R3K3[Q] w - - 0 1", "Q@a1", "M312", "a1 is occupied"),
            ("Crazyhouse", "4k3/8/8/8/8/8/8/r3K3[Q] w - - 0 1", "Q@h8", "M302", "does not parry"),
            ("Crazyhouse", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "Nf3", "M310", "Crazyhouse"),
            ("Antichess", "8/8/8/3p4/4P3/8/8/N7 w - - 0 1", "Nb3", "M310", "(exd5) and must"),
            ("Atomic", "4k3/8/8/8/8/8/3p4/4KQ2 w - - 0 1", "Kxd2", "M310", "king may not capture"),
            ("Racing Kings", "8/8/8/8/8/8/k6K/7R w - - 0 1", "Rh1", "M312", "Racing Kings"),
            ("Racing Kings", "8/8/8/8/8/8/k6K/1R6 w - - 0 1", "Ra1", "M310", "it gives check"),
            ("Horde", "4k3/8/8/8/8/8/8/PP6 w - - 0 1", "Nf3", "M310", "no knight can make it"),
            ("King of the Hill", "4k3/8/8/4K3/8/8/8/8 b - - 0 1", "Kd7", "M320", "the centre"),
        ] {
            let (told, message) = refused(variant, fen, word);
            assert_eq!(told, code, "{variant} {word}: {message}");
            assert!(message.contains(says), "{variant} {word}: {message}");
        }
    }

    #[test]
    fn an_ambiguous_move_and_a_missing_piece_are_told_as_in_chess() {
        assert_eq!(refused("Crazyhouse", "4k3/8/8/8/8/8/4N3/1N2K3[] w - - 0 1", "Nc3").0, "M316");
        assert_eq!(refused("Antichess", "8/P7/8/8/8/8/8/7n w - - 0 1", "a8").0, "P401");
    }
}
