//! Every rule, declared once; one file per family.

use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Position};

use crate::diagnostics::Rule;

pub mod annotations;
pub mod bytes;
pub mod characters;
pub mod draws;
pub mod duplicates;
pub mod mixed_encodings;
pub mod moves;
pub mod notation;
pub mod promotions;
pub mod results;
pub mod set_up;
pub mod spelling;
pub mod structure;
pub mod tags;

/// All rules, in the order of their codes.
pub static RULES: &[&Rule] = &[
    &bytes::BYTE_ORDER_MARK,
    &bytes::BYTE_ORDER_MARK_INSIDE,
    &bytes::UTF16_TEXT,
    &bytes::UTF16_WITHOUT_MARK,
    &characters::LATIN1_TEXT,
    &characters::MIXED_ENCODINGS,
    &bytes::CONTROL_CHARACTER,
    &bytes::CR_LINE_ENDS,
    &bytes::MIXED_LINE_ENDS,
    &bytes::UNICODE_SPACE,
    &bytes::TRUNCATED_ARCHIVE,
    &bytes::TRUNCATED_COMPRESSION,
    &bytes::MISLABELLED_COMPRESSION,
    &bytes::OVERLONG_LINE,
    &characters::FOREIGN_CODE_PAGE,
    &characters::TWICE_DECODED_TEXT,
    &structure::UNKNOWN_TOKEN,
    &structure::TEXT_BETWEEN_GAMES,
    &structure::GAMES_GLUED,
    &structure::NO_BLANK_LINE_AFTER_TAGS,
    &structure::BLANK_LINE_IN_TAGS,
    &structure::BLANK_LINE_IN_MOVETEXT,
    &structure::MISSING_TERMINATION_MARKER,
    &structure::UNTERMINATED_COMMENT,
    &structure::SWALLOWED_GAME,
    &structure::NESTED_COMMENT,
    &structure::STRAY_COMMENT_CLOSE,
    &structure::UNCLOSED_VARIATION,
    &structure::STRAY_VARIATION_CLOSE,
    &structure::VARIATION_TOO_DEEP,
    &structure::ESCAPE_LINE,
    &structure::EMPTY_GAME,
    &structure::WRONG_MOVE_NUMBER,
    &structure::OVERSIZED_GAME,
    &structure::HTML_MARKUP,
    &structure::MOVES_IN_LINE_COMMENT,
    &tags::MISSING_ROSTER_TAG,
    &tags::DUPLICATE_TAG,
    &tags::CONFLICTING_TAGS,
    &tags::TAG_NAME_CASE,
    &tags::TAG_NAME_CHARACTERS,
    &tags::UNESCAPED_QUOTE,
    &tags::BAD_ESCAPE,
    &tags::NEWLINE_IN_TAG_VALUE,
    &tags::MISSING_BRACKET,
    &tags::UNQUOTED_TAG_VALUE,
    &tags::SMART_QUOTE,
    &tags::UNTERMINATED_TAG,
    &tags::OVERLONG_TAG,
    &tags::INVALID_DATE,
    &tags::INVALID_ELO,
    &tags::FEN_WITHOUT_SETUP,
    &tags::SETUP_WITHOUT_FEN,
    &tags::ILLEGAL_POSITION,
    &tags::IMPOSSIBLE_CASTLING_RIGHT,
    &tags::IMPOSSIBLE_EN_PASSANT,
    &tags::FEN_FIELDS_MISSING,
    &tags::FEN_MOVE_NUMBER_ZERO,
    &tags::VARIANT_TAG_MISSING,
    &tags::UNSUPPORTED_VARIANT,
    &tags::PLY_COUNT_MISMATCH,
    &moves::KING_LEFT_IN_CHECK,
    &moves::CHECK_NOT_ANSWERED,
    &moves::KING_INTO_CHECK,
    &moves::CASTLING_RIGHT_LOST,
    &moves::CASTLING_OUT_OF_CHECK,
    &moves::CASTLING_THROUGH_CHECK,
    &moves::CASTLING_INTO_CHECK,
    &moves::CASTLING_BLOCKED,
    &moves::EN_PASSANT_UNAVAILABLE,
    &moves::NO_PIECE_CAN_REACH,
    &moves::PATH_BLOCKED,
    &moves::OWN_PIECE_ON_TARGET,
    &moves::PAWN_PUSH_BLOCKED,
    &moves::PAWN_TAKES_NOTHING,
    &moves::WRONG_SIDE_TO_MOVE,
    &moves::AMBIGUOUS_SAN,
    &moves::UNREADABLE_MOVE,
    &moves::NULL_MOVE,
    &moves::NULL_MOVE_IN_VARIATION,
    &moves::MOVE_AFTER_CHECKMATE,
    &moves::MOVE_AFTER_STALEMATE,
    &moves::MOVE_AFTER_DEAD_POSITION,
    &moves::MOVE_AFTER_AUTOMATIC_DRAW,
    &moves::BOARD_RESET_KINGS,
    &moves::ILLEGAL_VARIATION_MOVE,
    &moves::INCOMPLETE_SAN,
    &promotions::MISSING_PROMOTION_PIECE,
    &promotions::INVALID_PROMOTION_PIECE,
    &promotions::PROMOTION_OFF_LAST_RANK,
    &promotions::PROMOTION_CONTRADICTED,
    &draws::UNCLAIMED_THREEFOLD,
    &draws::UNCLAIMED_FIFTY_MOVES,
    &draws::AUTOMATIC_DRAW_REACHED,
    &draws::CLAIM_SUPPORTED,
    &draws::CLAIM_SUPPORTED_BY_NEXT_MOVE,
    &draws::CLAIM_CONTRADICTED,
    &results::RESULT_CONFLICT,
    &results::RESULT_MISSING,
    &results::RESULT_STYLE,
    &results::RESULT_AGAINST_BOARD,
    &results::OFF_BOARD_RESULT,
    &results::FLAG_FALL_WITHOUT_MATING_MATERIAL,
    &notation::CHECK_MARK,
    &notation::CAPTURE_MARK,
    &notation::OVERDISAMBIGUATION,
    &notation::CASTLING_STYLE,
    &notation::PROMOTION_STYLE,
    &notation::PIECE_LETTER_CASE,
    &notation::FIGURINE,
    &notation::LOCALIZED_PIECE_LETTERS,
    &notation::LONG_ALGEBRAIC,
    &notation::UCI_MOVE,
    &notation::EN_PASSANT_SUFFIX,
    &notation::DRAW_OFFER_MARK,
    &notation::MATE_MARKED_AS_CHECK,
    &annotations::NAG_OUT_OF_RANGE,
    &annotations::ANNOTATION_SYMBOL,
    &duplicates::DUPLICATE_GAME,
    &duplicates::PREFIX_GAME,
];

/// The rule with this code or name, in any case.
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| {
        rule.code.eq_ignore_ascii_case(code_or_name) || rule.name.eq_ignore_ascii_case(code_or_name)
    })
}

/// A position as findings print it: with an en passant square only where a capture is legal.
pub(crate) fn fen_of(position: &impl Position) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
