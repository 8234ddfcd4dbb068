//! What the lexer finds.

use crate::diagnostics::Span;
use crate::replay::GameResult;

/// A stretch of a game. Together the tokens of a game hold every byte of it once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// White space, line ends, NUL and byte order marks.
    Space,
    /// A line that begins with `%`, without its line end.
    Escape,
    /// `;` and the rest of the line, without its line end.
    LineComment,
    /// `{` up to its `}`, or up to the end where there is none.
    Comment {
        closed: bool,
    },
    /// `[Name "Value"]`
    Tag(TagPair),
    /// Digits, dots, or digits with dots.
    MoveNumber,
    /// Something that may stand for a move.
    Word,
    /// `$` with its digits.
    Nag,
    /// `!`, `?` and their runs.
    Suffix,
    RavOpen,
    RavClose,
    /// A `}` outside of a comment.
    CommentClose,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`, and what people write for them; `standard` where it is one
    /// of these four.
    Termination {
        result: GameResult,
        standard: bool,
    },
    /// An HTML tag, a character reference, or the `>` before a line of a quoted mail: white space
    /// in a game's text.
    Markup,
    /// A byte that begins no token.
    Junk,
}

/// The parts of a tag pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagPair {
    pub name: Span,
    /// Between the quotes, of whatever kind, escapes as written; without quotes, what stands
    /// there.
    pub value: Span,
    pub form: TagForm,
}

/// How well a tag pair is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagForm {
    /// As the standard asks for, and nothing in the value needs a closer look: it holds no quote,
    /// backslash, line end, `&` or `<`.
    Plain,
    /// Quotes of some kind stand on both sides, and the closing bracket is there.
    Whole,
    /// The closing bracket is missing, or it is of another kind.
    NoBracket,
    /// One quote is missing, or both.
    Unquoted,
    /// The value never ends; the pair was taken to end with its line.
    Unterminated,
}
