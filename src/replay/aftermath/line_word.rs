//! A word of a line, read once for all that is tried on the line.

use std::cell::OnceCell;

use shakmaty::Role;
use shakmaty::san::San;

use crate::pgn::{Dialect, WrittenMove};
use crate::replay::fast::NamedMove;
use crate::replay::interpret::{WordAnywhere, can_mean_more, is_last};

/// A word of the line.
#[derive(Debug)]
pub struct LineWord<'a> {
    pub word: &'a [u8],
    pub form: Form,
    /// In the standard's form, if it is: what it is first taken for.
    pub san: Option<San>,
    pub named: NamedMove,
    /// What it is wherever it stands, once that was asked.
    anywhere: OnceCell<Option<WordAnywhere>>,
}

/// In which form a word stands.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// In the standard's form, and nothing else.
    Plain,
    /// Likewise, and a small `b` may be a bishop: this move of one.
    SmallBishop(San),
    /// In the standard's form, and it may lack its piece.
    Promotion,
    Other,
}

impl Form {
    fn of(word: &[u8], written: &WrittenMove) -> Form {
        if !can_mean_more(word, written) {
            return Form::Plain;
        }
        match written.san {
            San::Normal { file, to, promotion: None, .. } if word[0] == b'b' && !is_last(to) => {
                let capture = word[1] == b'x';
                let bishop = San::Normal {
                    role: Role::Bishop,
                    file: None,
                    rank: None,
                    capture,
                    to,
                    promotion: None,
                };
                let has_target = capture || file.is_some();
                Form::SmallBishop(if has_target { bishop } else { San::Null })
            }
            _ => Form::Promotion,
        }
    }
}

impl<'a> LineWord<'a> {
    pub fn new(word: &'a [u8], dialect: &Dialect) -> LineWord<'a> {
        let written = if dialect.is_standard() { WrittenMove::parse(word) } else { None };
        LineWord {
            word,
            form: written.as_ref().map_or(Form::Other, |written| Form::of(word, written)),
            san: written.map(|written| written.san),
            named: written.map_or(NamedMove::Never, |written| written.san.into()),
            anywhere: OnceCell::new(),
        }
    }

    /// Whether it is what it seems or no move at all.
    pub fn is_plain(&self) -> bool {
        matches!(self.form, Form::Plain)
    }

    /// What is known of it wherever it stands, if that is enough to play it.
    pub fn anywhere(&self, dialect: &Dialect) -> Option<&WordAnywhere> {
        self.anywhere.get_or_init(|| WordAnywhere::of(self.word, dialect)).as_ref()
    }

    /// Its text without white space and marks of check.
    pub fn bare(&self) -> impl Iterator<Item = u8> {
        self.word.trim_ascii_end().iter().copied().filter(|byte| !b"+#".contains(byte))
    }
}
