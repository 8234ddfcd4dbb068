//! Faults in how games are put together: comments, variations, gaps, termination markers.

use memchr::{memchr_iter, memchr2};

use crate::diagnostics::{
    Applicability, Edit, Finding, Fix, FixPromise, FixSource, GameFindings, Ply, Rule, Severity,
    Span,
};
use crate::pgn::framing::{CutComment, LONGEST_STRETCH};
use crate::pgn::{is_line_break, reference};
use crate::replay::RunPart;
use crate::source::excerpt;

pub static UNKNOWN_TOKEN: Rule = Rule {
    code: "S101",
    name: "unknown-token",
    severity: Severity::Warning,
    basis: "PGN 7",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "text in the movetext that is no PGN token; most readers skip it silently",
    why: "What a reader skips may have been a move in another notation or language. The game that \
        it hands on is then one move short, and nothing tells so.",
    example: "1. e4 e5 2. Nf3 | Nc6 3. Bb5 a6 *\n\
        the bar is no token of PGN",
    advice: "Look at the source. Delete the text if it says nothing; put it into braces if it is a \
        remark.",
};

pub static TEXT_BETWEEN_GAMES: Rule = Rule {
    code: "S102",
    name: "text-between-games",
    severity: Severity::Warning,
    basis: "PGN 8",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "prose, mail headers or markup outside any game",
    why: "Archives gathered from mail and web pages carry such text. A program that looks for \
        moves in it makes up a game, or spoils the one behind it.",
    example: "1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n\
        Board two sent theirs on Monday:\n\n\
        [Event \"Fixture S102\"]\n\
        the line about board two belongs to no game",
    advice: "Delete it, or make it a comment of the game that it speaks of. The games around it \
        are judged as if it were not there.",
};

pub static GAMES_GLUED: Rule = Rule {
    code: "S103",
    name: "games-glued",
    severity: Severity::Warning,
    basis: "PGN 8",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a game begins on the line on which another ends, or inside it at move 1",
    why: "A program that expects every game on lines of its own loses the second one, or adds its \
        moves to the first, and counts a game too few.",
    example: "1. e4 e5 2. Nf3 Nc6 1/2-1/2 [Event \"Fixture S103\"]\n\
        the second game begins on the last line of the first",
    advice: "Break the line there and leave one empty line between the games. Moves that start \
        over at 1 and replay from the start position are a game of their own, whose tags are lost.",
};

pub static NO_BLANK_LINE_AFTER_TAGS: Rule = Rule {
    code: "S104",
    name: "no-blank-line-after-tags",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "movetext follows the tags without an empty line",
    why: "The standard parts tags and moves by an empty line. Programs that cut an archive at its \
        empty lines take these moves for tags and lose the game.",
    example: "[Result \"*\"]\n\
        1. d4 d5 2. c4 *\n\
        the first move stands on the line after the last tag",
    advice: "Insert an empty line; nothing else changes.",
};

pub static BLANK_LINE_IN_TAGS: Rule = Rule {
    code: "S105",
    name: "blank-line-in-tags",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "an empty line inside the tag section",
    why: "A reader that takes the empty line for the end of the tags reads the others as moves or \
        as another game, and this one loses its players, its date or its start position.",
    example: "[Event \"Fixture S105\"]\n\n\
        [Site \"Hillford\"]\n\
        an empty line stands between the first tag and the second",
    advice: "Remove the empty line.",
};

pub static BLANK_LINE_IN_MOVETEXT: Rule = Rule {
    code: "S106",
    name: "blank-line-in-movetext",
    severity: Severity::Warning,
    basis: "PGN 8.2",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "an empty line inside the movetext; it does not end the game",
    why: "pgn-reader ends the game at such a line and skips the moves behind it without a word, so \
        that the game is shorter there than here.",
    example: "1. e4 e5 2. Nf3 Nc6\n\n\
        3. Bb5 a6 *\n\
        the third move stands behind an empty line",
    advice: "Remove the empty line. Where what follows does not go on with the game, look for a \
        game that was pasted in.",
};

pub static MISSING_TERMINATION_MARKER: Rule = Rule {
    code: "S107",
    name: "missing-termination-marker",
    severity: Severity::Warning,
    basis: "PGN 8.2.6",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "the movetext has no 1-0, 0-1, 1/2-1/2 or *",
    why: "Without its marker a game that was cut off looks like one that was finished. Not said \
        where a finding on an open comment, a cut file or the spelling of the result says it \
        already.",
    example: "1. e4 e5 2. Nf3 Nc6 3. Bb5\n\n\
        [Event \"Fixture S107\"]\n\
        the first game ends at 3. Bb5, and its result stands in the tags only",
    advice: "Add the marker that the Result tag gives, or * where it gives none. Compare with \
        another copy: moves may be missing.",
};

pub static UNTERMINATED_COMMENT: Rule = Rule {
    code: "S108",
    name: "unterminated-comment",
    severity: Severity::Error,
    basis: "PGN 5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a brace is never closed; reading resumes at the next tag section",
    why: "Readers take all that follows for comment, up to whatever brace comes next: the rest of \
        this game is lost, and with python-chess the whole next game.",
    example: "1. d4 d5 2. c4 { the Queen's Gambit e6 3. Nc3 1-0\n\
        nothing closes the brace, so 2... e6 and 3. Nc3 are comment",
    advice: "Close the comment where it ends in the source. What is remark and what is move behind \
        the brace cannot be told, so the game counts up to the brace only.",
};

pub static SWALLOWED_GAME: Rule = Rule {
    code: "S109",
    name: "swallowed-game",
    severity: Severity::Warning,
    basis: "PGN 5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a comment that was closed too late holds another game; it is split out",
    why: "Readers that obey the brace lose that game. It counts as one because tags follow an \
        empty line in the comment, and what stands behind the brace does not go on with the outer \
        game.",
    example: "1. e4 e5 2. Nf3 { a natural move\n\n\
        [Event \"Fixture S109\"]\n\
        this brace is closed only in the middle of the next game",
    advice: "Close the comment in its own game and delete the late brace. The inner game is judged \
        like any other.",
};

pub static NESTED_COMMENT: Rule = Rule {
    code: "S110",
    name: "nested-comment",
    severity: Severity::Warning,
    basis: "PGN 5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a brace inside a brace comment; comments do not nest",
    why: "The first closing brace ends the comment, however many were opened. A writer who closes \
        both leaves words behind that are read as moves.",
    example: "1. e4 { best { by test } e5 2. Nf3 *\n\
        the second brace opens nothing: it is a character of the comment",
    advice: "Write parentheses inside a comment, or close it before the next one opens.",
};

pub static STRAY_COMMENT_CLOSE: Rule = Rule {
    code: "S111",
    name: "stray-comment-close",
    severity: Severity::Warning,
    basis: "PGN 5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a closing brace without its opening",
    why: "It is what remains of a comment whose beginning was lost. What stands before it may be \
        words of that comment, and moves among them were never played.",
    example: "1. e4 e5 } 2. Nf3 Nc6 *\n\
        no comment is open at this brace",
    advice: "Restore the opening brace if the text before it reads like a remark; else delete this \
        one.",
};

pub static UNCLOSED_VARIATION: Rule = Rule {
    code: "S112",
    name: "unclosed-variation",
    severity: Severity::Error,
    basis: "PGN 8.2.5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a variation is never closed",
    why: "All that follows counts as side line, so the game ends early for every reader, and moves \
        that were played are taken for analysis.",
    example: "1. e4 e5 2. Nf3 (2. f4 exf4 *\n\
        the side line 2. f4 has no end",
    advice: "Close the parenthesis where the side line ends; what follows is then part of the game \
        again.",
};

pub static STRAY_VARIATION_CLOSE: Rule = Rule {
    code: "S113",
    name: "stray-variation-close",
    severity: Severity::Warning,
    basis: "PGN 8.2.5",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a closing parenthesis without its opening",
    why: "Either it is one too many, or a side line lost its beginning and stands in the game as \
        if it had been played.",
    example: "1. e4 e5 (1... c5) 2. Nf3) Nc6 3. Bb5 *\n\
        the second parenthesis closes nothing",
    advice: "See whether the moves before it go on with the game. If they do, delete the \
        parenthesis.",
};

pub static VARIATION_TOO_DEEP: Rule = Rule {
    code: "S114",
    name: "variation-too-deep",
    severity: Severity::Info,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "variations nested more than 1,024 deep; they are kept, not replayed",
    why: "Nobody writes such a score: it is damaged, or made to bring programs down that call \
        themselves once a level. The main line is judged as ever.",
    example: "1. e4 (1. d4 (1. c4 (1. d4 (1. c4 … ))))))\n\
        each side line opens another one before it ends",
    advice: "Look for parentheses that are never closed, or that were written twice.",
};

pub static ESCAPE_LINE: Rule = Rule {
    code: "S115",
    name: "escape-line",
    severity: Severity::Info,
    basis: "PGN 6",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a line that begins with %",
    why: "The standard leaves such a line to the program that wrote it, and every other one skips \
        it. It is a fact to know where a line of moves went that way.",
    example: "1. e4 e5\n\
        % checked against the score sheet\n\
        2. Nf3 Nc6 *\n\
        the second line is no part of the game",
    advice: "Nothing needs mending. Write a remark that others are to read as a comment in braces.",
};

pub static EMPTY_GAME: Rule = Rule {
    code: "S116",
    name: "empty-game",
    severity: Severity::Info,
    basis: "PGN 8",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a game without moves",
    why: "Forfeits, byes and lost scores are recorded so. Counted as games they add results that \
        no move stands behind.",
    example: "[Result \"1-0\"]\n\n\
        1-0\n\
        a result and nothing else: the opponent did not come",
    advice: "Nothing needs mending. Leave such records out where you count lengths, openings or \
        results.",
};

pub static WRONG_MOVE_NUMBER: Rule = Rule {
    code: "S117",
    name: "wrong-move-number",
    severity: Severity::Warning,
    basis: "PGN 8.2.2",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "a move number that does not fit the ply; moves may be lost",
    why: "Readers do not look at the numbers, so a lost pair of moves goes unseen as long as the \
        rest is legal. Not said behind the first fault of a game.",
    example: "1. e4 e5 3. Nf3 Nc6 *\n\
        move 2 is due here: the number is wrong, or two half-moves are missing",
    advice: "Compare with another copy of the game; renumber if no move is missing.",
};

pub static OVERSIZED_GAME: Rule = Rule {
    code: "S118",
    name: "oversized-game",
    severity: Severity::Error,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a game beyond the stated size limit; it is passed through, not judged",
    why: "A damaged file can look like one endless game, and reading that whole would take memory \
        without bound. No byte of it is dropped, and nothing is said of its moves.",
    example: "1. e4 { filler … 1-0\n\
        many megabytes of comment stand between the first move and the result",
    advice: "Look at its first lines: text that is no PGN, or a game that is no longer one, is the \
        likely cause.",
};

pub static HTML_MARKUP: Rule = Rule {
    code: "S119",
    name: "html-markup",
    severity: Severity::Warning,
    basis: "PGN 7",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "markup of a web page in the game",
    why: "The game was saved as a page's source. Most readers find no quote in &quot;, so that all \
        tags are lost, and take the names of HTML tags for moves.",
    example: "[White &quot;Holm, Ada&quot;]\n\
        the page writes its quotes as character references",
    advice: "Write the characters that the references stand for and take the tags out. One finding \
        tells of all markup in a game; that in comments is left alone.",
};

pub static MOVES_IN_LINE_COMMENT: Rule = Rule {
    code: "S120",
    name: "moves-in-line-comment",
    severity: Severity::Warning,
    basis: "PGN 5",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the comment from ; to the end of the line holds nothing but moves that go on with the game",
    why: "Some people part the moves of White and Black by a semicolon. By the standard all behind \
        it on the line is comment, so that the game loses those moves.",
    example: "1. e4 e5 2. Nf3 ; Nc6 3. Bb5\n\
        *\n\
        behind the semicolon the game goes on",
    advice: "Take the semicolons out if the moves were played; put them into braces if they are a \
        remark.",
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

/// The escape lines of a gap, if it has any: the first one, with how many there are.
pub fn escape_lines(bytes: &[u8], gap: Span) -> Option<Finding> {
    let text = gap.of(bytes);
    let begins_line = |at: usize| {
        let at = gap.start + at;
        at == 0 || matches!(bytes[at - 1], b'\n' | b'\r')
    };
    let mut lines = memchr_iter(b'%', text).filter(|&at| begins_line(at));
    let start = lines.next()?;
    let more = lines.count();
    let len = memchr2(b'\n', b'\r', &text[start..]).unwrap_or(text.len() - start);
    let span = Span::new(gap.start + start, gap.start + start + len);
    let finding = Finding::new(&ESCAPE_LINE, span);
    Some(match more {
        0 => finding,
        _ => finding.message(format!("{} lines outside of the games begin with %", more + 1)),
    })
}

/// All HTML of one game, whose last byte ends `bytes`, in the order of the text. `values` are the tag values, in which quotes
/// and backslashes need an escape.
pub fn html_markup(bytes: &[u8], markup: &[Span], values: &[Span]) -> Option<Finding> {
    let first = *markup.first()?;
    let mut applicability = Applicability::Safe;
    let mut values = values.iter().peekable();
    let edits = markup.iter().take(Fix::MOST_EDITS).map(|&span| {
        while values.next_if(|value| value.end < span.end).is_some() {}
        let in_value = values.peek().is_some_and(|value| value.start <= span.start);
        let content = match reference(span.of(bytes)) {
            Some((quote @ ('"' | '\\'), _)) if in_value => format!("\\{quote}"),
            Some(('\u{A0}', _)) => " ".to_owned(),
            Some((character, _)) => {
                // The file may be in a character set that does not have it.
                if !character.is_ascii() {
                    applicability = Applicability::Unsafe;
                }
                character.to_string()
            }
            None => {
                if !is_line_break(span.of(bytes)) {
                    applicability = Applicability::Unsafe;
                }
                let at_end = matches!(bytes.get(span.end), None | Some(b'\n' | b'\r'));
                if at_end { String::new() } else { " ".to_owned() }
            }
        };
        Edit { span, content: content.into_bytes() }
    });
    let edits: Vec<Edit> = edits.collect();
    let what = excerpt(first.of(bytes));
    let message = match markup.len() {
        1 => format!("{what} is markup of a web page"),
        count => format!("{what} is the first of {count} pieces of a web page's markup"),
    };
    let finding = Finding::new(&HTML_MARKUP, first).message(message);
    if markup.len() > Fix::MOST_EDITS {
        return Some(finding);
    }
    Some(finding.fix(Fix {
        title: "write what the markup stands for".to_owned(),
        applicability,
        source: FixSource::Certain,
        edits,
    }))
}

/// The `>` of a quoted mail, of all lines of one game.
pub fn mail_quotes(quotes: &[Span]) -> Option<Finding> {
    let first = *quotes.first()?;
    let lines = quotes.len();
    let message = match lines {
        1 => "a line of this game begins with the > of a quoted mail".to_owned(),
        _ => format!("{lines} lines of this game begin with the > of a quoted mail"),
    };
    let finding = Finding::new(&UNKNOWN_TOKEN, first).message(message);
    if lines > Fix::MOST_EDITS {
        return Some(finding);
    }
    Some(finding.fix(Fix {
        title: "take the quotation marks out".to_owned(),
        applicability: Applicability::Unsafe,
        source: FixSource::Certain,
        edits: quotes.iter().map(|&span| Edit { span, content: Vec::new() }).collect(),
    }))
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

/// `1)`, `1:` or `1…`
pub fn number_without_dot(bytes: &[u8], number: Span) -> Finding {
    let text = number.of(bytes);
    let open = usize::from(text.first() == Some(&b'('));
    let digits = text[open..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = Span::new(number.start + open + digits, number.end);
    let dots = if sign.of(bytes).is_ascii() { "." } else { "..." };
    let bracket = Edit { span: Span::new(number.start, number.start + open), content: Vec::new() };
    let edits = (open > 0).then_some(bracket).into_iter();
    Finding::new(&UNKNOWN_TOKEN, number)
        .message(format!("\"{}\" is a move number without its dot", excerpt(number.of(bytes))))
        .fix(Fix {
            title: format!("write {dots}"),
            applicability: Applicability::Unsafe,
            source: FixSource::Certain,
            edits: edits.chain([Edit { span: sign, content: dots.into() }]).collect(),
        })
}

/// A number before a legal move that does not fit its place.
pub fn wrong_move_number(bytes: &[u8], number: Span, ply: Ply) -> Finding {
    let dots = if ply.black { "..." } else { "." };
    Finding::new(&WRONG_MOVE_NUMBER, number).ply(Ply { at_move: false, ..ply }).message(format!(
        "the move is numbered {}, where {}{dots} is due",
        excerpt(number.of(bytes)),
        ply.move_number
    ))
}

/// Another game that begins in the middle of a line of moves, at a number 1.
pub fn restarted_numbering(number: Span) -> Finding {
    Finding::new(&GAMES_GLUED, number)
        .message("the numbering begins again at 1, and what follows is a game of its own")
}

/// Moves without anything between them; `parts` count from the word's start.
pub fn run_together(
    bytes: &[u8],
    word: Span,
    parts: &[RunPart],
    found: &GameFindings<'_>,
) -> Finding {
    let starts = parts.iter().skip(1).map(|part| word.start + part.span().start);
    let edits = starts.map(|at| Edit { span: Span::new(at, at), content: b" ".to_vec() });
    Finding::new(&UNKNOWN_TOKEN, word)
        .message(format!(
            "\"{}\" is {} tokens run together, all of them legal",
            found.text(word.of(bytes)),
            parts.len()
        ))
        .fix(Fix {
            title: "put spaces between them".to_owned(),
            applicability: Applicability::Unsafe,
            source: FixSource::Inferred,
            edits: edits.collect(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_what_it_stands_for() {
        let mend = |text: &str, value: Span| {
            let mut markup = Vec::new();
            let mut at = 0;
            while at < text.len() {
                let len = crate::pgn::markup_len(&text.as_bytes()[at..]);
                markup.extend((len > 0).then(|| Span::new(at, at + len)));
                at += len.max(1);
            }
            let finding = html_markup(text.as_bytes(), &markup, &[value]).expect("markup");
            let fix = finding.fix.expect("a fix");
            let mut mended = text.as_bytes().to_vec();
            for edit in fix.edits.into_iter().rev() {
                mended.splice(edit.span.range(), edit.content);
            }
            (String::from_utf8(mended).expect("text"), fix.applicability)
        };
        let text = "[White &quot;A &quot;B&quot; &amp; C&quot;]<br>\n1. e4&nbsp;e5<br>2. d4";
        let value = Span::new(13, text.find("&quot;]").unwrap());
        let mended = "[White \"A \\\"B\\\" & C\"]\n1. e4 e5 2. d4";
        assert_eq!(mend(text, value), (mended.to_owned(), Applicability::Safe));
        // A tag may say something, and a character may be missing in the file's character set.
        assert_eq!(mend("<b>e4</b>", Span::default()), (" e4".to_owned(), Applicability::Unsafe));
        assert_eq!(mend("&uuml;", Span::default()), ("ü".to_owned(), Applicability::Unsafe));
    }

    #[test]
    fn escape_lines_of_a_gap_are_told_once() {
        let text = b"*\n% a\n50 % b\n%c\n";
        let finding = escape_lines(text, Span::new(1, text.len())).expect("an escape line");
        assert_eq!(finding.span.of(text), b"% a");
        assert_eq!(finding.message, "2 lines outside of the games begin with %");
        assert!(escape_lines(b"*%\n", Span::new(1, 3)).is_none());
    }
}
