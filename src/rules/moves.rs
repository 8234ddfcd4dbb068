//! Moves that break the Laws, or cannot be read.

use super::promotions;
use crate::diagnostics::{
    Applicability, Edit, Finding, Fix, FixPromise, FixSource, Rule, Severity, Span,
};
use crate::replay::{GameResult, either};

/// What the findings of these rules may say beside their message, in a sentence for `explain`.
pub const COURSE_AND_RULING: &str = "\"course\" says how the record goes on: as if the move had \
    stood (stood), with one spelling put right (slip), with half-moves put in (missing_ply), left \
    out (extra_ply) or exchanged (swapped_plies), or in no such way (lost). \"ruling\" says what \
    the Laws of the game's date prescribe, if the move was completed.";

/// The rules whose findings may say what stands behind the fault, and what follows from it.
pub static WITH_AFTERMATH: [&Rule; 19] = [
    &KING_LEFT_IN_CHECK,
    &CHECK_NOT_ANSWERED,
    &KING_INTO_CHECK,
    &CASTLING_RIGHT_LOST,
    &CASTLING_OUT_OF_CHECK,
    &CASTLING_THROUGH_CHECK,
    &CASTLING_INTO_CHECK,
    &CASTLING_BLOCKED,
    &EN_PASSANT_UNAVAILABLE,
    &NO_PIECE_CAN_REACH,
    &PATH_BLOCKED,
    &OWN_PIECE_ON_TARGET,
    &PAWN_PUSH_BLOCKED,
    &PAWN_TAKES_NOTHING,
    &WRONG_SIDE_TO_MOVE,
    &UNREADABLE_MOVE,
    &ILLEGAL_VARIATION_MOVE,
    &promotions::INVALID_PROMOTION_PIECE,
    &promotions::PROMOTION_OFF_LAST_RANK,
];

pub static KING_LEFT_IN_CHECK: Rule = Rule {
    code: "M301",
    name: "king-left-in-check",
    severity: Severity::Error,
    basis: "FIDE 3.9.2, 3.10.2",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a pinned piece leaves the line that it guards",
    why: "No move may leave the own king attacked. Either the score is wrong or an illegal move \
        stood; a reader that does not look goes on from a position that cannot be.",
    example: "1. e4 e5 2. Nf3 d6 3. Bb5+ Nc6 4. O-O Nd4 *\n\
        the knight on c6 is pinned to the king on e8 by the bishop on b5",
    advice: "See whether another piece goes to that square, or whether the pin was lifted by a \
        move that is missing. A move that was really played stays as it is.",
};

pub static CHECK_NOT_ANSWERED: Rule = Rule {
    code: "M302",
    name: "check-not-answered",
    severity: Severity::Error,
    basis: "FIDE 3.9.2",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the king is in check and the move does not parry it",
    why: "A check must be met at once: by the king, by a capture, by a piece between. A score that \
        goes on as if nothing had happened has lost a move, or a piece stands elsewhere.",
    example: "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ a6 *\n\
        3... a6 leaves the king on e8 in check by the queen on f7",
    advice: "Look for a move left out before this one, and for a slip in the move that gives the \
        check.",
};

pub static KING_INTO_CHECK: Rule = Rule {
    code: "M303",
    name: "king-into-check",
    severity: Severity::Error,
    basis: "FIDE 3.9.2",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the king steps onto an attacked square, or beside the other king",
    why: "The king may not go where it could be taken. A slip of one square is easily made, and \
        the rest may stand with the square beside it.",
    example: "1. e4 d5 2. Ke2 d4 3. Ke3 *\n\
        the pawn on d4 attacks e3",
    advice: "Try the squares around it. If one of them alone keeps the rest of the game legal, it \
        is probably the one.",
};

pub static CASTLING_RIGHT_LOST: Rule = Rule {
    code: "M304",
    name: "castling-right-lost",
    severity: Severity::Error,
    basis: "FIDE 3.8.2.1",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the king or that rook has moved before",
    why: "The right is gone for good once either has moved, even if it came back. The board alone \
        does not show that, so a reader without that memory lets the move pass.",
    example: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Ke2 Nf6 5. Ke1 d6 6. O-O *\n\
        the king went to e2 and back",
    advice: "Look at the move that lost the right: if that one is the slip, castling is sound.",
};

pub static CASTLING_OUT_OF_CHECK: Rule = Rule {
    code: "M305",
    name: "castling-out-of-check",
    severity: Severity::Error,
    basis: "FIDE 3.8.2.2",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "castling while in check",
    why: "A king in check may not castle. A reader that tests only the squares between king and \
        rook lets it pass.",
    example: "1. d4 e6 2. Nf3 b6 3. g3 Bb7 4. Bg2 Bb4+ 5. O-O *\n\
        the bishop on b4 gives check to the king on e1",
    advice: "See whether the check was really given, and whether the answer to it is missing.",
};

pub static CASTLING_THROUGH_CHECK: Rule = Rule {
    code: "M306",
    name: "castling-through-check",
    severity: Severity::Error,
    basis: "FIDE 3.8.2.2",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the king crosses an attacked square",
    why: "The king may not pass an attacked square, though the rook may. A reader that tests only \
        where the king lands lets it pass.",
    example: "[FEN \"4k3/8/8/8/6b1/8/8/R3K3 w Q - 0 30\"]\n\n\
        30. O-O-O *\n\
        the king would pass d1, which the bishop on g4 attacks",
    advice: "Look at the attacker: it may stand elsewhere. Castling on the other side may have \
        been meant.",
};

pub static CASTLING_INTO_CHECK: Rule = Rule {
    code: "M307",
    name: "castling-into-check",
    severity: Severity::Error,
    basis: "FIDE 3.8.2.2",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the king lands on an attacked square",
    why: "It would put the own king into check. A reader that tests only the square between lets \
        it pass.",
    example: "[FEN \"4k3/8/8/8/8/4b3/8/R3K3 w Q - 0 30\"]\n\n\
        30. O-O-O *\n\
        the king would land on c1, which the bishop on e3 attacks",
    advice: "Look at the attacker: it may stand elsewhere. Castling on the other side may have \
        been meant.",
};

pub static CASTLING_BLOCKED: Rule = Rule {
    code: "M308",
    name: "castling-blocked",
    severity: Severity::Error,
    basis: "FIDE 3.8.2.2",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a piece stands between king and rook",
    why: "Every square between the two must be empty, b1 and b8 included. A move that cleared one \
        of them may be missing.",
    example: "1. e4 e5 2. Nf3 Nc6 3. O-O *\n\
        the bishop still stands on f1",
    advice: "Look for a missing move of the piece between, or for castling on the other side.",
};

pub static EN_PASSANT_UNAVAILABLE: Rule = Rule {
    code: "M309",
    name: "en-passant-unavailable",
    severity: Severity::Error,
    basis: "FIDE 3.7.3.2",
    basis_2018: Some("FIDE 3.7.4.2"),
    fix: FixPromise::Unsafe,
    summary: "en passant a move too late, or where no pawn has just made a double step",
    why: "Only the move right after the double step may take it so. The board does not show when \
        that step was made; a reader has to remember it.",
    example: "1. e4 d6 2. e5 d5 3. exd6 *\n\
        the pawn came to d5 from d6 by a single step",
    advice: "See whether moves were exchanged, or the double step was written as two single ones.",
};

pub static NO_PIECE_CAN_REACH: Rule = Rule {
    code: "M310",
    name: "no-piece-can-reach",
    severity: Severity::Error,
    basis: "FIDE 3.2-3.7",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "no piece of that kind moves like that to the square",
    why: "The letter, the square or an earlier move is wrong. A reader that skips the move goes on \
        with the wrong side to play.",
    example: "1. e4 e5 2. Nd3 Nc6 *\n\
        no white knight is a knight's move from d3",
    advice: "See which piece can go there: the letter may be missing, or may be that of another \
        language.",
};

pub static PATH_BLOCKED: Rule = Rule {
    code: "M311",
    name: "path-blocked",
    severity: Severity::Error,
    basis: "FIDE 3.5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a bishop, rook or queen would have to jump",
    why: "These pieces may not pass over others. A blocked line often means that the move that \
        opened it is missing.",
    example: "1. d4 e6 2. Bg5 f6 3. Bxd8 *\n\
        the pawn on f6 stands between g5 and d8",
    advice: "Find out how the piece between got there, or when it left.",
};

pub static OWN_PIECE_ON_TARGET: Rule = Rule {
    code: "M312",
    name: "own-piece-on-target",
    severity: Severity::Error,
    basis: "FIDE 3.1",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the square holds a piece of the same colour",
    why: "No two pieces of one side share a square. The one that stands there should have left \
        before, or another square was meant.",
    example: "1. e4 e5 2. Bd2 *\n\
        the own pawn still stands on d2",
    advice: "Look for a missing move of the piece on that square, and at the squares beside it.",
};

pub static PAWN_PUSH_BLOCKED: Rule = Rule {
    code: "M313",
    name: "pawn-push-blocked",
    severity: Severity::Error,
    basis: "FIDE 3.7.1",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a pawn pushed onto or across an occupied square, or two squares from elsewhere",
    why: "A pawn goes straight ahead onto empty squares only, and two of them only from its own \
        second rank.",
    example: "1. e4 e5 2. e5 *\n\
        the pawn on e4 stands before the black pawn on e5",
    advice: "See whether a capture was meant, and the file of the pawn left out.",
};

pub static PAWN_TAKES_NOTHING: Rule = Rule {
    code: "M314",
    name: "pawn-takes-nothing",
    severity: Severity::Error,
    basis: "FIDE 3.7.3",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a pawn captures on an empty square",
    why: "A pawn goes diagonally only to take. The piece that it took is missing from the score's \
        board, so an earlier move is wrong or lost.",
    example: "1. e4 e5 2. exd5 Qxd5 *\n\
        nothing stands on d5: Black moved the e-pawn, not the d-pawn",
    advice: "Find out which piece should stand there, and correct the move that should have \
        brought it.",
};

pub static WRONG_SIDE_TO_MOVE: Rule = Rule {
    code: "M315",
    name: "wrong-side-to-move",
    severity: Severity::Error,
    basis: "FIDE 1.2",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the move is legal for the other side only; a move is missing before it",
    why: "A half-move was lost or stands twice, and from here on each side plays the other's \
        moves.",
    example: "1. e4 e5 2. Nc6 Nf3 *\n\
        it is White's turn, and only Black's knight can go to c6",
    advice: "Restore the missing half-move from another copy; the move numbers help to find it.",
};

pub static AMBIGUOUS_SAN: Rule = Rule {
    code: "M316",
    name: "ambiguous-san",
    severity: Severity::Error,
    basis: "PGN 8.2.3.4",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "two pieces can make the move",
    why: "A reader that picks one without a word changes the game, and fails, if at all, many \
        moves later. Pieces that are pinned do not count: they cannot make the move.",
    example: "1. d4 d5 2. Nf3 Nf6 3. Nd2 *\n\
        the knights on b1 and f3 can both go to d2",
    advice: "Add the file of origin, or the rank where the files are the same. Where one choice \
        alone keeps the rest legal it is offered, as a guess.",
};

pub static UNREADABLE_MOVE: Rule = Rule {
    code: "M317",
    name: "unreadable-move",
    severity: Severity::Error,
    basis: "PGN 8.2.3",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a token that stands for a move and is none",
    why: "A move was written there and cannot be read. A reader that skips it replays the rest \
        from the wrong position, often without noticing.",
    example: "1. e4 e5 2. Nf9 Nc6 *\n\
        there is no square f9",
    advice: "Read the source: a misread letter or a torn line is the likely cause.",
};

pub static NULL_MOVE: Rule = Rule {
    code: "M318",
    name: "null-move",
    severity: Severity::Error,
    basis: "PGN 8.2.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a null move in the main line; the replay goes on",
    why: "Chess has no pass. Programs write one for a move that nobody knows, and behind it \
        neither repetitions nor the fifty-move count are certain.",
    example: "1. e4 -- 2. d4 d5 *\n\
        Black passes at move 1",
    advice: "Put the lost move in, if another copy has it. Keep analysis in a variation.",
};

pub static NULL_MOVE_IN_VARIATION: Rule = Rule {
    code: "M319",
    name: "null-move-in-variation",
    severity: Severity::Info,
    basis: "PGN 8.2.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a null move in a variation",
    why: "Annotators show a threat that way. The game is untouched; only who counts or replays \
        side lines has to know it.",
    example: "1. e4 e5 (1... -- 2. d4) 2. Nf3 *\n\
        Black passes in the side line",
    advice: "Nothing needs mending.",
};

pub static MOVE_AFTER_CHECKMATE: Rule = Rule {
    code: "M320",
    name: "move-after-checkmate",
    severity: Severity::Error,
    basis: "FIDE 5.1.1",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "moves follow a mate",
    why: "Mate ends the game. What follows is analysis or the work of a board that went on \
        recording, or a wrong move before made a mate of what was none.",
    example: "1. f3 e5 2. g4 Qh4# 3. Kf2 0-1\n\
        Black has mated with 2... Qh4",
    advice: "Cut the moves behind the mate or make them a comment; compare the result with the \
        board.",
};

pub static MOVE_AFTER_STALEMATE: Rule = Rule {
    code: "M321",
    name: "move-after-stalemate",
    severity: Severity::Error,
    basis: "FIDE 5.2.1",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "moves follow a stalemate",
    why: "Stalemate ends the game as a draw, whether or not anyone saw it. A win that is written \
        behind it is none.",
    example: "[FEN \"7k/5K2/8/6Q1/8/8/8/8 w - - 0 60\"]\n\n\
        60. Qg6 Kg8 1/2-1/2\n\
        after 60. Qg6 Black has no legal move and is not in check",
    advice: "Cut the moves behind the stalemate, or look for the slip in the moves before it.",
};

pub static MOVE_AFTER_DEAD_POSITION: Rule = Rule {
    code: "M322",
    name: "move-after-dead-position",
    severity: Severity::Error,
    basis: "FIDE 5.2.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "moves follow a position in which neither side can mate",
    why: "The game was drawn there, whether or not anyone saw it. A win written behind it, even on \
        time, is none by the Laws. A closed wall of pawns counts only where the FIDE Laws \
        hold: no site looks for it.",
    example: "[FEN \"8/8/4k3/8/8/8/3p4/3K4 w - - 0 70\"]\n\n\
        70. Kxd2 Kd5 71. Kd3 1/2-1/2\n\
        with 70. Kxd2 only the kings are left",
    advice: "Keep the moves if they were played, and count the game as drawn where it was over.",
};

pub static MOVE_AFTER_AUTOMATIC_DRAW: Rule = Rule {
    code: "M323",
    name: "move-after-automatic-draw",
    severity: Severity::Error,
    basis: "FIDE 9.6",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "moves follow a repetition or a count of moves that ended the game by itself",
    why: "Since 2014-07-01 the Laws end a game at the fifth time and after 75 moves without a \
        claim; some sites do so at the third time or after fifty moves. Older games, and sites \
        whose rules do not have it, are not touched.",
    example: "7. Nf3 Nf6 8. Ng1 Ng8 9. e4 e5 1/2-1/2\n\
        8... Ng8 brings the start position for the fifth time",
    advice: "Keep the moves if they were played, and count the game as drawn where it was over. \
        Check the Date and Site tags: they decide whose rules hold, unless --profile does.",
};

pub static BOARD_RESET_KINGS: Rule = Rule {
    code: "M324",
    name: "board-reset-kings",
    severity: Severity::Warning,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the kings' walk to the centre that an electronic board recorded as moves",
    why: "Players at an electronic board set the kings on the four squares in the middle to tell \
        it the result. The board writes that down as moves, mostly impossible ones.",
    example: "1. e4 e5 2. Nf3 Nc6 3. Ke4 Kd5 1-0\n\
        both kings on light squares: White has won",
    advice: "Delete the moves of the kings if the result agrees; the game ended before them.",
};

pub static ILLEGAL_VARIATION_MOVE: Rule = Rule {
    code: "M325",
    name: "illegal-variation-move",
    severity: Severity::Error,
    basis: "PGN 8.2.5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "an illegal move in a variation",
    why: "The game is untouched, but an opening book or a tree built from the side lines takes \
        over a position that cannot be.",
    example: "1. e4 e5 2. Nf3 (2. Bd3 d5 3. O-O) 2... Nc6 *\n\
        in the side line the knight still stands on g1",
    advice: "Mend the side line if the move that was meant is plain; else make it a comment.",
};

pub static INCOMPLETE_SAN: Rule = Rule {
    code: "M326",
    name: "incomplete-san",
    severity: Severity::Warning,
    basis: "PGN 8.2.3",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a move token that lacks a part, yet only one legal move fits",
    why: "Old scores write ed or exd and leave the rank to the reader. The move is certain as long \
        as all moves before it are.",
    example: "1. e4 d5 2. exd Qxd5 *\n\
        the only pawn that can be taken on the d-file stands on d5",
    advice: "Write the whole move.",
};

/// The kings' moves to the four squares in the middle with which the text ends. Where they are
/// `legal`, players may have made them too. `against` is what they tell, and the Result tag that
/// says something else.
pub fn kings_to_the_centre(
    kings: Span,
    legal: bool,
    against: Option<(GameResult, GameResult)>,
) -> Finding {
    let finding = Finding::new(&BOARD_RESET_KINGS, kings);
    let finding = if let Some((told, tag)) = against {
        finding.message(format!(
            "the kings go to the centre as on an electronic board that is told {}, and Result says {}",
            told.as_str(),
            tag.as_str()
        ))
    } else if legal {
        finding.message(
            "the game was over, and a king goes to the centre: an electronic board may have \
             recorded how it was told the result",
        )
    } else {
        finding
    };
    finding.fix(Fix {
        title: "delete the moves of the kings".to_owned(),
        applicability: match against {
            Some(_) => Applicability::Display,
            None => Applicability::Unsafe,
        },
        source: if legal || against.is_some() { FixSource::Assumed } else { FixSource::Inferred },
        edits: match against {
            Some(_) => Vec::new(),
            None => vec![Edit { span: kings, content: Vec::new() }],
        },
    })
}

/// A word without which all that follows is legal. Where something else explains that too, it is
/// for a person to decide.
pub fn superfluous(word: Span, doubtful: bool) -> Fix {
    let title = "delete it, without which all that follows is legal";
    if doubtful {
        return Fix {
            title: format!("{title}, if nothing else is wrong: more explains the rest"),
            applicability: Applicability::Display,
            source: FixSource::Assumed,
            edits: Vec::new(),
        };
    }
    Fix {
        title: title.to_owned(),
        applicability: Applicability::Unsafe,
        source: FixSource::Inferred,
        edits: vec![Edit { span: word, content: Vec::new() }],
    }
}

/// Near spellings of a refused move with which all that follows is legal: one is a guess that can
/// be written, several are for a person to choose from. Where nothing `follows`, or something else
/// explains what does (`doubtful`), nothing speaks for them but their looks.
pub fn near_spellings(span: Span, names: &[String], follows: bool, doubtful: bool) -> Option<Fix> {
    /// A longer list is no help.
    const MOST: usize = 8;
    let legal = if follows { "which keeps all that follows legal" } else { "which is legal" };
    match names {
        [only] if doubtful => Some(Fix {
            title: format!(
                "write {only}, {legal}, if nothing else is wrong: more explains the rest"
            ),
            applicability: Applicability::Display,
            source: FixSource::Assumed,
            edits: Vec::new(),
        }),
        [only] => Some(Fix {
            title: format!("write {only}, {legal}"),
            applicability: Applicability::Unsafe,
            source: if follows { FixSource::Inferred } else { FixSource::Assumed },
            edits: vec![Edit { span, content: only.clone().into_bytes() }],
        }),
        [] => None,
        several if several.len() > MOST => None,
        several => Some(Fix {
            title: format!("write {}, each of {legal}", either(several)),
            applicability: Applicability::Display,
            source: FixSource::Assumed,
            edits: Vec::new(),
        }),
    }
}
