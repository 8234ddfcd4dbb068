//! What is told of the half-moves behind a refused move: the sentence that explains them, and what
//! could be written instead.

use shakmaty::{Chess, Move, Position};

use super::{Explanation, Reading, RefusedMove};
use crate::diagnostics::{Course, Fix, Span};
use crate::pgn::WrittenMove;
use crate::replay::illegal::either;
use crate::rules::moves;
use crate::rules::spelling::{Effect, spelled, standard_san};

/// How the record goes on, where something follows.
pub fn course(refused: &RefusedMove<'_>, explanation: &Explanation) -> Option<Course> {
    let reading = explanation.reading.as_ref()?;
    let (kind, plies) = (reading.as_str(), explanation.fitting);
    let message = match explanation.earlier.and_then(|index| refused.before.get(index)) {
        Some(before) => {
            let is_last = explanation.earlier == refused.before.len().checked_sub(1);
            let position = before.position(refused.position.castles().mode());
            from_earlier(before.word, &position, reading, refused.rest.len(), is_last)
        }
        None => from_here(refused, explanation, reading),
    };
    Some(Course { kind, plies, message })
}

/// `is_last` says that the refused move comes right after.
fn from_earlier(
    word: &[u8],
    position: &Chess,
    reading: &Reading,
    following: usize,
    is_last: bool,
) -> String {
    let dots = position.turn().fold_wb(".", "...");
    let place = format!("{}{dots} {}", position.fullmoves(), String::from_utf8_lossy(word));
    let legal = match following {
        0 => "this move is legal".to_owned(),
        1 => "this move and the one after it are legal".to_owned(),
        _ => format!("this move and the {following} half-moves after it are legal"),
    };
    let behind = match following {
        1 => "the half-move after them is legal".to_owned(),
        _ => format!("the {following} half-moves after them are legal"),
    };
    match reading {
        Reading::ExtraPlies(2) if is_last => format!("without {place} and this move, {behind}"),
        Reading::SwappedPlies if is_last => {
            format!("with {place} and this move exchanged, {behind}")
        }
        Reading::Slip(moves) => format!("with {} for {place}, {legal}", named(position, moves)),
        Reading::MissingPly(moves) => {
            format!("with {} put in before {place}, {legal}", named(position, moves))
        }
        Reading::MissingMove(..) => {
            format!(
                "with a move of each side put in before {place}, where the numbers jump, {legal}"
            )
        }
        Reading::ExtraPlies(1) => format!("without {place}, {legal}"),
        Reading::ExtraPlies(_) => format!("without {place} and the half-move after it, {legal}"),
        Reading::SwappedPlies => {
            format!("with {place} and the half-move after it exchanged, {legal}")
        }
        Reading::Stood(_) | Reading::Lost => legal,
    }
}

fn from_here(refused: &RefusedMove<'_>, explanation: &Explanation, reading: &Reading) -> String {
    let (position, following) = (refused.position, refused.rest.len());
    let fitting = explanation.fitting;
    let pair = matches!(reading, Reading::ExtraPlies(2) | Reading::SwappedPlies);
    let it = if pair { "them" } else { "it" };
    let legal = match (explanation.whole, fitting) {
        (true, 1) => format!("and the half-move after {it} is legal"),
        (true, _) => format!("and the {fitting} half-moves after {it} are legal"),
        (false, 1) => format!("and the next one of {following} half-moves is legal"),
        (false, _) => format!("and the next {fitting} of {following} half-moves are legal"),
    };
    let how = match reading {
        Reading::Stood(_) => "as if the move had stood".to_owned(),
        Reading::Slip(moves) => format!("with {} in its place", named(position, moves)),
        Reading::MissingPly(moves) => format!("with {} put in before it", named(position, moves)),
        Reading::MissingMove(..) => {
            "with a move of each side put in before it, where the numbers jump".to_owned()
        }
        Reading::ExtraPlies(1) => "without it".to_owned(),
        Reading::ExtraPlies(_) => "without it and the half-move after it".to_owned(),
        Reading::SwappedPlies => "with it and the next half-move exchanged".to_owned(),
        Reading::Lost => {
            return match (fitting, following) {
                (0, 1) => "nothing explains the half-move after it, which is not legal".to_owned(),
                (0, _) => format!("nothing explains the {following} half-moves after it"),
                _ => format!(
                    "nothing explains the {following} half-moves after it, of which at most \
                     {fitting} can be legal"
                ),
            };
        }
    };
    format!("the record goes on {how}, {legal}")
}

/// What could be written instead: the near spelling that keeps the rest legal, which is a guess,
/// unless something else explains the rest too; several are for a person to choose from. A word
/// too much can be deleted.
pub fn fix(refused: &RefusedMove<'_>, explanation: &Explanation, span: Span) -> Option<Fix> {
    let Explanation { reading, earlier, slips, doubtful, .. } = explanation;
    let follows = reading.is_some();
    match earlier.and_then(|index| refused.before.get(index)) {
        Some(before) => {
            let written = WrittenMove::parse(before.word);
            let position = before.position(refused.position.castles().mode());
            let names = spellings(written.as_ref(), &position, slips);
            moves::near_spellings(before.span, &names, follows, *doubtful)
        }
        None if *reading == Some(Reading::ExtraPlies(1)) => {
            explanation.whole.then(|| moves::superfluous(span, *doubtful))
        }
        None => {
            let names = spellings(refused.written, refused.position, slips);
            moves::near_spellings(span, &names, follows, *doubtful)
        }
    }
}

fn spellings(written: Option<&WrittenMove>, position: &Chess, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&m| spelled(written, position, m, Effect::of(position, m))).collect()
}

/// `Nbd2 or Nfd2`, or, where they are many, how many they are.
fn named(position: &Chess, moves: &[Move]) -> String {
    /// More names than these are no help.
    const MOST_NAMES: usize = 4;
    if moves.len() > MOST_NAMES {
        let side = position.turn().fold_wb("White", "Black");
        return format!("any of {} moves of {side}", moves.len());
    }
    let san = |m: &Move| standard_san(position, *m, Effect::of(position, *m));
    either(&moves.iter().map(san).collect::<Vec<_>>())
}
