//! Faults in how games are put together: comments, variations, gaps, termination markers.

use crate::diagnostics::{
    Applicability, Edit, Finding, Fix, FixPromise, FixSource, Ply, Rule, Severity, Span,
};
use crate::pgn::framing::{CutComment, LONGEST_STRETCH};

pub static UNKNOWN_TOKEN: Rule = Rule {
    code: "S101",
    name: "unknown-token",
    severity: Severity::Warning,
    basis: "PGN 7",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "text in the movetext that is no PGN token; most readers skip it silently",
    why: "",
    example: "",
    advice: "",
};

pub static TEXT_BETWEEN_GAMES: Rule = Rule {
    code: "S102",
    name: "text-between-games",
    severity: Severity::Warning,
    basis: "PGN 8",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "prose, mail headers or markup outside any game",
    why: "",
    example: "",
    advice: "",
};

pub static GAMES_GLUED: Rule = Rule {
    code: "S103",
    name: "games-glued",
    severity: Severity::Warning,
    basis: "PGN 8",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a tag section begins on the line on which the game before it ends, or the numbering restarts at 1 and what follows replays from the start position",
    why: "",
    example: "",
    advice: "",
};

pub static NO_BLANK_LINE_AFTER_TAGS: Rule = Rule {
    code: "S104",
    name: "no-blank-line-after-tags",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "movetext follows the tags without an empty line",
    why: "",
    example: "",
    advice: "",
};

pub static BLANK_LINE_IN_TAGS: Rule = Rule {
    code: "S105",
    name: "blank-line-in-tags",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "an empty line inside the tag section",
    why: "",
    example: "",
    advice: "",
};

pub static BLANK_LINE_IN_MOVETEXT: Rule = Rule {
    code: "S106",
    name: "blank-line-in-movetext",
    severity: Severity::Warning,
    basis: "PGN 8.2",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "an empty line inside the movetext; it does not end the game",
    why: "",
    example: "",
    advice: "",
};

pub static MISSING_TERMINATION_MARKER: Rule = Rule {
    code: "S107",
    name: "missing-termination-marker",
    severity: Severity::Warning,
    basis: "PGN 8.2.6",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "the movetext has no 1-0, 0-1, 1/2-1/2 or * (said only where S108, B011, R603 and R605 do not say it)",
    why: "",
    example: "",
    advice: "",
};

pub static UNTERMINATED_COMMENT: Rule = Rule {
    code: "S108",
    name: "unterminated-comment",
    severity: Severity::Error,
    basis: "PGN 5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a brace is never closed; reading resumes at the next tag section",
    why: "",
    example: "",
    advice: "",
};

pub static SWALLOWED_GAME: Rule = Rule {
    code: "S109",
    name: "swallowed-game",
    severity: Severity::Warning,
    basis: "PGN 5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a whole game lies inside a comment that was closed too late: tags after an empty line stand in the comment, and what follows the closing brace does not go on with the outer game; it is split out, and the late brace belongs to this finding",
    why: "",
    example: "",
    advice: "",
};

pub static NESTED_COMMENT: Rule = Rule {
    code: "S110",
    name: "nested-comment",
    severity: Severity::Warning,
    basis: "PGN 5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a brace inside a brace comment; comments do not nest",
    why: "",
    example: "",
    advice: "",
};

pub static STRAY_COMMENT_CLOSE: Rule = Rule {
    code: "S111",
    name: "stray-comment-close",
    severity: Severity::Warning,
    basis: "PGN 5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a closing brace without its opening",
    why: "",
    example: "",
    advice: "",
};

pub static UNCLOSED_VARIATION: Rule = Rule {
    code: "S112",
    name: "unclosed-variation",
    severity: Severity::Error,
    basis: "PGN 8.2.5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a variation is never closed",
    why: "",
    example: "",
    advice: "",
};

pub static STRAY_VARIATION_CLOSE: Rule = Rule {
    code: "S113",
    name: "stray-variation-close",
    severity: Severity::Warning,
    basis: "PGN 8.2.5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a closing parenthesis without its opening",
    why: "",
    example: "",
    advice: "",
};

pub static EMPTY_GAME: Rule = Rule {
    code: "S116",
    name: "empty-game",
    severity: Severity::Info,
    basis: "PGN 8",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a game without moves",
    why: "",
    example: "",
    advice: "",
};

pub static WRONG_MOVE_NUMBER: Rule = Rule {
    code: "S117",
    name: "wrong-move-number",
    severity: Severity::Warning,
    basis: "PGN 8.2.2",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "a move number that does not fit the ply (a hint of lost moves); not said after the first fault of a game",
    why: "",
    example: "",
    advice: "",
};

pub static OVERSIZED_GAME: Rule = Rule {
    code: "S118",
    name: "oversized-game",
    severity: Severity::Error,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a game beyond the stated size limit; it is passed through, not judged",
    why: "",
    example: "",
    advice: "",
};

/// The first empty line in a stretch of white space: where it begins and where the next line does.
pub fn empty_line(bytes: &[u8], space: Span) -> Option<Span> {
    let text = space.of(bytes);
    let mut line_start = None;
    let mut at = 0;
    while at < text.len() {
        let len = match &text[at..] {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => {
                at += 1;
                continue;
            }
        };
        if let Some(start) = line_start {
            return Some(Span::new(space.start + start, space.start + at + len));
        }
        at += len;
        line_start = Some(at);
    }
    None
}

pub fn blank_line_in_tags(empty: Span) -> Finding {
    Finding::new(&BLANK_LINE_IN_TAGS, empty).fix(Fix::safe("delete the empty line", empty, ""))
}

pub fn blank_line_in_movetext(empty: Span) -> Finding {
    Finding::new(&BLANK_LINE_IN_MOVETEXT, empty).fix(Fix::safe("delete the empty line", empty, ""))
}

/// A comment that was cut off where the next game begins, or at the end.
pub fn cut_comment(comment: &CutComment, end: usize) -> Finding {
    let open = Span::new(comment.open, comment.open + 1);
    match comment.late_close {
        Some(_) => Finding::new(&SWALLOWED_GAME, open)
            .message("the comment is closed inside another game, which it would swallow"),
        None => Finding::new(&UNTERMINATED_COMMENT, open)
            .message("the comment is never closed; reading goes on with the next game"),
    }
    .fix(Fix {
        title: "close the comment where the game ends".to_owned(),
        applicability: Applicability::Unsafe,
        source: FixSource::Assumed,
        edits: [Some((Span::new(end, end), &b" }"[..]))]
            .into_iter()
            .chain([comment.late_close.map(|close| (Span::new(close, close + 1), &b""[..]))])
            .flatten()
            .map(|(span, content)| Edit { span, content: content.to_vec() })
            .collect(),
    })
}

pub fn oversized_game(start: Span) -> Finding {
    Finding::new(&OVERSIZED_GAME, start).message(format!(
        "the game is longer than {} MiB; it is passed through and not judged",
        LONGEST_STRETCH / (1024 * 1024)
    ))
}

/// Text between games, or before the first one.
pub fn text_between_games(text: Span) -> Finding {
    Finding::new(&TEXT_BETWEEN_GAMES, text)
}

/// A game that begins on the line on which the one before it ends.
pub fn glued_games(end: usize, next: usize) -> Finding {
    Finding::new(&GAMES_GLUED, Span::new(end, next.max(end)))
        .message("the next game begins on the line on which this one ends")
        .fix(Fix::safe("put an empty line between them", Span::new(end, next), "\n\n"))
}

/// A game without a termination marker; `result` is what its Result tag says.
pub fn missing_marker(game: Span, result: Option<&'static str>) -> Finding {
    let end = Span::new(game.end, game.end);
    let finding = Finding::new(&MISSING_TERMINATION_MARKER, end);
    match result {
        Some(result) => finding.fix(Fix::safe(
            format!("write the Result tag's {result}"),
            end,
            format!(" {result}"),
        )),
        None => finding,
    }
}

/// A number before a legal move that does not fit its place.
pub fn wrong_move_number(bytes: &[u8], number: Span, ply: Ply) -> Finding {
    let dots = if ply.black { "..." } else { "." };
    Finding::new(&WRONG_MOVE_NUMBER, number).ply(Ply { at_move: false, ..ply }).message(format!(
        "the move is number {}{dots} and is written as {}",
        ply.move_number,
        String::from_utf8_lossy(number.of(bytes))
    ))
}
