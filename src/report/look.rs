//! How text meets a person: in colour or not, and how many columns it may take.
//!
//! Only the formats for people have a look, and files never do: what is kept is the same bytes
//! wherever it was written.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use crate::diagnostics::Severity;

/// The width of a terminal that does not tell it.
const USUAL_WIDTH: usize = 100;

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On a terminal that shows colours, unless the environment forbids it: `NO_COLOR`,
    /// `CLICOLOR=0`, `TERM=dumb`. `CLICOLOR_FORCE` colours pipes too.
    #[default]
    Auto,
    Always,
    Never,
}

/// What text is printed with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    pub colored: bool,
    /// The columns of the terminal; `None` where nothing is wrapped.
    pub width: Option<usize>,
}

impl Look {
    /// No colour and no wrapping, as in files.
    pub const PLAIN: Look = Look { colored: false, width: None };

    /// What becomes standard output now.
    pub fn of_stdout(color: Color) -> Look {
        let stdout = io::stdout();
        let width = width_of(&stdout);
        let choice = match color {
            Color::Auto => AutoStream::choice(&stdout),
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        // A console that must be told to obey escapes is told so here; one that cannot gets none.
        let stream = AutoStream::new(stdout, choice);
        Look { colored: stream.current_choice() == ColorChoice::AlwaysAnsi, width }
    }

    /// Appends `text` in this style.
    pub fn push(self, out: &mut Vec<u8>, style: Style, text: impl Display) {
        self.open(out, style);
        // Writing to memory does not fail.
        let _ = write!(out, "{text}");
        self.close(out, style);
    }

    /// Begins a stretch in this style; [`Look::close`] ends it.
    pub fn open(self, out: &mut Vec<u8>, style: Style) {
        if self.colored {
            let _ = style.write_to(out);
        }
    }

    pub fn close(self, out: &mut Vec<u8>, style: Style) {
        if self.colored {
            let _ = style.write_reset_to(out);
        }
    }
}

/// Headings and codes.
pub const BOLD: Style = Style::new().bold();

/// What frames the text and is not read.
pub const FRAME: Style = Style::new().dimmed();

/// The word of a severity, and the carets under what is at fault.
pub fn severity_style(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Info => AnsiColor::Cyan,
    };
    color.on_default().bold()
}

/// The columns of the terminal to which something is printed; `None` where it is none.
pub fn width_of(stream: &impl IsTerminal) -> Option<usize> {
    stream.is_terminal().then(terminal_width)
}

/// `COLUMNS` where somebody set it, else what the terminal says.
fn terminal_width() -> usize {
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let asked = || terminal_size::terminal_size().map(|(columns, _)| usize::from(columns.0));
    set.filter(|&columns| columns > 0).or_else(asked).unwrap_or(USUAL_WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_colour_is_the_text_alone() {
        let mut out = Vec::new();
        Look::PLAIN.push(&mut out, severity_style(Severity::Error), "error");
        assert_eq!(out, b"error");
    }

    #[test]
    fn a_style_ends_where_its_text_ends() {
        let look = Look { colored: true, width: None };
        for severity in Severity::ALL {
            let mut out = Vec::new();
            look.push(&mut out, severity_style(severity), severity);
            out.push(b'!');
            let text = String::from_utf8(out).unwrap();
            assert!(text.starts_with("\x1b["), "{text:?}");
            assert!(text.ends_with(&format!("{severity}\x1b[0m!")), "{text:?}");
        }
    }

    #[test]
    fn what_was_asked_for_wins_over_the_terminal() {
        assert!(Look::of_stdout(Color::Always).colored);
        assert!(!Look::of_stdout(Color::Never).colored);
    }
}
