//! Reading PGN: where games begin, what tokens they hold, what moves they write.

pub mod boundary;
mod clock;
mod date;
pub mod framing;
mod lexer;
mod outcome;
mod san;
mod space;
mod tag;
mod token;

pub use clock::read_clock;
pub use date::TagDate;
pub use lexer::Lexer;
pub use outcome::parse_result;
pub use san::{Mark, WrittenMove, is_first_move, is_move_like};
pub use space::space_len;
pub use token::{TagForm, TagPair, Token, TokenKind};
