//! What is told of the half-moves behind a refused move: the sentence that explains them, and what
//! could be written instead.

use shakmaty::{Chess, Move, Position};

use super::{EarlierFault, Explanation, PlayedBefore, Reading};
use crate::diagnostics::{Course, Fix, Span};
use crate::pgn::WrittenMove;
use crate::replay::illegal::either;
use crate::rules::moves;
use crate::rules::spelling::{Effect, spelled, standard_san};

/// How the record goes on where a fault `before` the refused move is put right, and how.
pub fn course_from_earlier(
    before: &PlayedBefore<'_>,
    fault: &EarlierFault,
    following: usize,
) -> (Course, Option<Fix>) {
    let PlayedBefore { position, word, span, .. } = before;
    let written = WrittenMove::parse(word);
    let dots = position.turn().fold_wb(".", "...");
    let place = format!("{}{dots} {}", position.fullmoves(), String::from_utf8_lossy(word));
    let fix = match &fault.reading {
        Reading::Slip(moves) => {
            let names = spellings(written.as_ref(), position, moves);
            moves::near_spellings(*span, &names, true, false)
        }
        _ => None,
    };
    let behind = match following {
        0 => "this move is legal".to_owned(),
        1 => "this move and the one behind it are legal".to_owned(),
        _ => format!("this move and the {following} behind it are legal"),
    };
    let message = match &fault.reading {
        Reading::Slip(moves) => format!("with {} for {place}, {behind}", named(position, moves)),
        Reading::MissingPly(moves) => {
            format!("with {} put in before {place}, {behind}", named(position, moves))
        }
        _ => format!("without {place}, {behind}"),
    };
    let plies = u32::try_from(following).unwrap_or(u32::MAX);
    (Course { kind: fault.reading.as_str(), plies, message }, fix)
}

/// What could be written instead: the near spelling that keeps the rest legal, which is a guess,
/// unless something else explains the rest too; several are for a person to choose from. A word
/// too much can be deleted.
pub fn fix(
    position: &Chess,
    explanation: &Explanation,
    written: Option<&WrittenMove>,
    span: Span,
) -> Option<Fix> {
    let Explanation { reading, slips, doubtful, .. } = explanation;
    if *reading == Some(Reading::ExtraPly) {
        return Some(moves::superfluous(span, *doubtful));
    }
    moves::near_spellings(span, &spellings(written, position, slips), reading.is_some(), *doubtful)
}

fn spellings(written: Option<&WrittenMove>, position: &Chess, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&m| spelled(written, position, m, Effect::of(position, m))).collect()
}

/// `Nbd2 or Nfd2`, or, where they are many, what they are.
fn named(position: &Chess, moves: &[Move]) -> String {
    /// More names than these are no help.
    const MOST_NAMES: usize = 4;
    if moves.len() > MOST_NAMES {
        return format!("some other move of {}", position.turn().fold_wb("White", "Black"));
    }
    let san = |m: &Move| standard_san(position, *m, Effect::of(position, *m));
    either(&moves.iter().map(san).collect::<Vec<_>>())
}

/// How the record goes on, where something follows. `following` are the words that stand for
/// moves.
pub fn course(position: &Chess, explanation: &Explanation, following: usize) -> Option<Course> {
    let reading = explanation.reading.as_ref()?;
    let plies = explanation.fitting;
    let fit = match (explanation.whole, plies) {
        (true, 1) => "and the half-move behind it is legal".to_owned(),
        (true, _) => format!("and the {plies} half-moves behind it are legal"),
        (false, _) => format!("and the next {plies} of {following} half-moves are legal"),
    };
    let message = match reading {
        Reading::Stood(_) => format!("the record goes on as if the move had stood, {fit}"),
        Reading::Slip(moves) => {
            format!("the record goes on with {} in its place, {fit}", named(position, moves))
        }
        Reading::MissingPly(moves) => {
            format!("the record goes on with {} put in before it, {fit}", named(position, moves))
        }
        Reading::ExtraPly => format!("the record goes on without it, {fit}"),
        Reading::Lost => match (plies, following) {
            (0, 1) => "nothing explains the half-move behind it, which is not legal".to_owned(),
            (0, _) => format!("nothing explains the {following} half-moves behind it"),
            _ => format!(
                "nothing explains the {following} half-moves behind it: {plies} of them fit at most"
            ),
        },
    };
    Some(Course { kind: reading.as_str(), plies, message })
}
