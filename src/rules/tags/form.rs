//! How a tag pair is written: its name, its quotes, its bracket, its escapes.

use std::borrow::Cow;

use super::{
    BAD_ESCAPE, MISSING_BRACKET, NEWLINE_IN_TAG_VALUE, SMART_QUOTE, TAG_NAME_CASE,
    TAG_NAME_CHARACTERS, UNESCAPED_QUOTE, UNQUOTED_TAG_VALUE, UNTERMINATED_TAG,
};
use crate::diagnostics::{Applicability, Edit, Finding, Fix, FixSource, GameFindings, Span};
use crate::pgn::{TagForm, TagPair};
use crate::source::excerpt;

/// The names of PGN standard 8.1.1 and 9, and Variant, that are so long.
const fn standard_names(len: usize) -> &'static [&'static str] {
    match len {
        3 => &["ECO", "FEN", "NIC"],
        4 => &["Site", "Date", "Time", "Mode"],
        5 => &["Event", "Round", "White", "Black", "SetUp", "Stage", "Board"],
        6 => &["Result"],
        7 => &["WhiteNA", "BlackNA", "Section", "Opening", "UTCTime", "UTCDate", "Variant"],
        8 => &["WhiteElo", "BlackElo", "PlyCount"],
        9 => &[
            "WhiteUSCF",
            "BlackUSCF",
            "WhiteType",
            "BlackType",
            "EventDate",
            "Variation",
            "Annotator",
        ],
        10 => &["WhiteTitle", "BlackTitle"],
        11 => &["TimeControl", "Termination"],
        12 => &["EventSponsor", "SubVariation"],
        _ => &[],
    }
}

/// Judges a tag name, and gives the standard's name that it is in another letter case.
pub(super) fn check_name(
    bytes: &[u8],
    name: Span,
    found: &mut GameFindings<'_>,
) -> Option<&'static str> {
    let written = name.of(bytes);
    let mut names = standard_names(written.len()).iter();
    if let Some(standard) =
        names.find(|known| written.eq_ignore_ascii_case(known.as_bytes())).copied()
    {
        if written != standard.as_bytes() {
            let message =
                format!("the tag {} is known as {standard}", String::from_utf8_lossy(written));
            found.push(Finding::new(&TAG_NAME_CASE, name).message(message).fix(Fix::safe(
                format!("write {standard}"),
                name,
                standard,
            )));
        }
        return Some(standard);
    }
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if !written.iter().all(is_allowed) {
        let message = format!(
            "the tag name \"{}\" holds more than letters from A to Z, digits and _",
            found.text(written)
        );
        found.push(Finding::new(&TAG_NAME_CHARACTERS, name).message(message));
    }
    None
}

/// Judges what stands around a value that is not plain, and what stands in it.
pub(super) fn check_form(bytes: &[u8], span: Span, pair: &TagPair, found: &mut GameFindings<'_>) {
    if pair.form == TagForm::Unterminated {
        found.push(Finding::new(&UNTERMINATED_TAG, span));
        return;
    }
    let marks = Marks::of(bytes, span, pair);
    if pair.form == TagForm::NoBracket {
        found.push(marks.missing_bracket(bytes, span));
    }
    if pair.form == TagForm::Unquoted {
        found.push(marks.missing_quotes(span, pair));
    }
    if let Some(finding) = marks.other_quotes(bytes) {
        found.push(finding);
    }
    if let Some(len) = pair.value.of(bytes).iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        let line = Span::new(marks.open.start, pair.value.start + len);
        found.push(Finding::new(&NEWLINE_IN_TAG_VALUE, line));
    }
    check_escapes(bytes, pair.value, found);
}

/// The quotes around a value; an empty span where one is missing.
struct Marks {
    open: Span,
    close: Span,
}

impl Marks {
    fn of(bytes: &[u8], span: Span, pair: &TagPair) -> Marks {
        let before = Span::new(pair.name.end, pair.value.start).of(bytes);
        let open = pair.value.start - before.trim_ascii_start().len();
        let behind = Span::new(pair.value.end, span.end).of(bytes);
        let quote = match behind {
            [quote @ .., b']' | b')' | b'}'] => quote,
            quote => quote,
        };
        // An unquoted value may have blanks behind it.
        let quote = quote.trim_ascii();
        let skipped = behind.len() - behind.trim_ascii_start().len();
        let start = if quote.is_empty() { pair.value.end } else { pair.value.end + skipped };
        Marks {
            open: Span::new(open, open + before.trim_ascii().len()),
            close: Span::new(start, start + quote.len()),
        }
    }

    fn missing_bracket(&self, bytes: &[u8], span: Span) -> Finding {
        let rest = Span::new(self.close.end, span.end);
        let finding = Finding::new(&MISSING_BRACKET, span);
        let finding = match rest.of(bytes).trim_ascii() {
            [] => finding,
            other => {
                finding.message(format!("a tag pair is closed by {} in place of ]", excerpt(other)))
            }
        };
        finding.fix(Fix::safe("close the bracket", rest, "]"))
    }

    fn missing_quotes(&self, span: Span, pair: &TagPair) -> Finding {
        let insert = |at: usize, content: &str| Edit {
            span: Span::new(at, at),
            content: content.as_bytes().to_vec(),
        };
        let opening = if pair.value.start == pair.name.end { " \"" } else { "\"" };
        let edits: Vec<Edit> = [
            self.open.is_empty().then(|| insert(pair.value.start, opening)),
            self.close.is_empty().then(|| insert(pair.value.end, "\"")),
        ]
        .into_iter()
        .flatten()
        .collect();
        let message: Cow<'static, str> = match (self.open.is_empty(), self.close.is_empty()) {
            (true, false) => "a tag value without its opening quote".into(),
            (false, true) => "a tag value without its closing quote".into(),
            _ => UNQUOTED_TAG_VALUE.summary.into(),
        };
        let place = if pair.value.is_empty() { span } else { pair.value };
        let finding = Finding::new(&UNQUOTED_TAG_VALUE, place).message(message);
        finding.fix(safe("put the value into quotes", edits))
    }

    /// Quotes that are not `"`; `&quot;` is told as markup.
    fn other_quotes(&self, bytes: &[u8]) -> Option<Finding> {
        let edits: Vec<Edit> = [self.open, self.close]
            .into_iter()
            .filter(|mark| !matches!(mark.of(bytes), [] | b"\"" | [b'&', ..]))
            .map(|span| Edit { span, content: b"\"".to_vec() })
            .collect();
        let first = edits.first()?.span;
        let message = format!("a tag value stands in {} in place of \"", excerpt(first.of(bytes)));
        let finding = Finding::new(&SMART_QUOTE, first).message(message);
        Some(finding.fix(safe("write straight double quotes", edits)))
    }
}

/// Quotes without their backslash, and backslashes that escape nothing: one finding for each kind.
fn check_escapes(bytes: &[u8], value: Span, found: &mut GameFindings<'_>) {
    let (mut quotes, mut backslashes) = (Vec::new(), Vec::new());
    let text = value.of(bytes);
    let mut at = 0;
    while let Some(len) = memchr::memchr2(b'"', b'\\', &text[at..]) {
        at += len;
        match &text[at..] {
            [b'\\', b'"' | b'\\', ..] => at += 2,
            [byte, ..] => {
                let list = if *byte == b'"' { &mut quotes } else { &mut backslashes };
                list.push(value.start + at);
                at += 1;
            }
            [] => break,
        }
    }
    for (rule, title, places) in [
        (&UNESCAPED_QUOTE, "put a backslash before each quote", quotes),
        (&BAD_ESCAPE, "write the backslash twice", backslashes),
    ] {
        let Some(&first) = places.first() else { continue };
        let insert = |at| Edit { span: Span::new(at, at), content: b"\\".to_vec() };
        let finding = Finding::new(rule, Span::new(first, first + 1));
        found.push(if places.len() > Fix::MOST_EDITS {
            finding
        } else {
            finding.fix(safe(title, places.into_iter().map(insert).collect()))
        });
    }
}

fn safe(title: &str, edits: Vec<Edit>) -> Fix {
    Fix {
        title: title.to_owned(),
        applicability: Applicability::Safe,
        source: FixSource::Certain,
        edits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Lexer, TokenKind};

    /// The codes that a tag pair gives, and what its fixes make of it.
    fn check(text: &str) -> (Vec<&'static str>, String) {
        let token = Lexer::new(text.as_bytes(), Span::new(0, text.len())).next();
        let token = token.expect("a token");
        let TokenKind::Tag(pair) = token.kind else { panic!("{text} is no tag pair") };
        let mut list = Vec::new();
        let mut found = GameFindings::new(&mut list, 0);
        check_name(text.as_bytes(), pair.name, &mut found);
        if pair.form != TagForm::Plain {
            check_form(text.as_bytes(), token.span, &pair, &mut found);
        }
        let codes = list.iter().map(|finding| finding.rule.code).collect();
        let fixes = list.iter().filter_map(|finding| finding.fix.as_deref());
        let mut edits: Vec<&Edit> = fixes.flat_map(|fix| &fix.edits).collect();
        edits.sort_by_key(|edit| edit.span);
        let mut mended = text.as_bytes().to_vec();
        for edit in edits.into_iter().rev() {
            mended.splice(edit.span.range(), edit.content.iter().copied());
        }
        (codes, String::from_utf8(mended).expect("fixes keep UTF-8"))
    }

    #[test]
    fn a_badly_written_pair_is_told_and_mended() {
        for (text, codes, mended) in [
            (r#"[fen "a"]"#, &["T204"][..], r#"[FEN "a"]"#),
            (r#"[White Elo "1"]"#, &["T205"], r#"[White Elo "1"]"#),
            (r#"[White "a "b" c"]"#, &["T206"], r#"[White "a \"b\" c"]"#),
            (r#"[Site "C:\chess"]"#, &["T207"], r#"[Site "C:\\chess"]"#),
            (r#"[Site "C:\"]"#, &["T207"], r#"[Site "C:\\"]"#),
            ("[Site \"a\nb\"]", &["T208"], "[Site \"a\nb\"]"),
            (r#"[White "a""#, &["T209"], r#"[White "a"]"#),
            (r#"[White "a" )"#, &["T209"], r#"[White "a"]"#),
            ("[White «a»", &["T209", "T211"], r#"[White "a"]"#),
            ("[White Holm, Ada ]", &["T210"], r#"[White "Holm, Ada" ]"#),
            ("[White ]", &["T210"], r#"[White ""]"#),
            (r#"[White a"]"#, &["T210"], r#"[White "a"]"#),
            (r#"[White "a]"#, &["T210"], r#"[White "a"]"#),
            ("[White “a]", &["T210", "T211"], r#"[White "a"]"#),
            ("[White “a” ]", &["T211"], r#"[White "a" ]"#),
            ("[White 'a']", &["T211"], r#"[White "a"]"#),
            ("[White “a \"b\" c”]", &["T211", "T206"], r#"[White "a \"b\" c"]"#),
            (r#"[White "a"#, &["T212"], r#"[White "a"#),
        ] {
            assert_eq!(check(text), (codes.to_vec(), mended.to_owned()), "{text}");
            if codes != ["T205"] && codes != ["T208"] && codes != ["T212"] {
                assert_eq!(check(mended).0, [""; 0], "{mended}");
            }
        }
    }

    #[test]
    fn a_sound_pair_gives_nothing() {
        for text in [
            r#"[White "a \"b\" \\"]"#,
            r#"[Event "Cup [A]"]"#,
            r#"[White "Adams &amp; Co"]"#,
            "[White &quot;a&quot;]",
            "[Round\n\"1\"\n]",
            r#"[Link "a"]"#,
        ] {
            assert_eq!(check(text), (Vec::new(), text.to_owned()), "{text}");
        }
    }
}
