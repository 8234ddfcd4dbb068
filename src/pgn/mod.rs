//! Reading PGN: where games begin, what tokens they hold, what moves they write.

pub mod boundary;
mod clock;
mod date;
mod dialect;
pub mod framing;
mod language;
mod lexer;
mod markup;
pub mod notation;
mod outcome;
mod remark;
mod san;
pub mod section;
mod space;
mod style;
pub mod symbol;
mod tag;
mod time_control;
mod token;

pub use clock::read_clock;
pub use date::TagDate;
pub use dialect::Dialect;
pub use language::{ENGLISH, Language};
pub use lexer::Lexer;
pub use markup::{is_line_break, markup_len, reference, word_reference_len};
pub use outcome::parse_result;
pub use remark::Remark;
pub use san::{
    Mark, WrittenMove, is_castling_with_zeros, is_descriptive, is_first_move, is_move_like,
};
pub use space::space_len;
pub use style::Style;
pub use time_control::{TimeClass, TimeControl, class_named_in};
pub use token::{TagForm, TagPair, Token, TokenKind};
