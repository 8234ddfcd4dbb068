//! Markup of web pages and mail in a game's text: HTML tags (`<br>`), character references
//! (`&quot;`), and the `>` before each line of a quoted mail. Between tokens it is white space.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use super::space::spaces_len;

/// A tag with all its attributes is no longer than this; a longer one is text.
const LONGEST_TAG: usize = 512;

/// `&thetasym;` and the like are longer, and no archive needs them.
const LONGEST_REFERENCE: usize = 9;

/// Elements that web pages with games hold. Others are text, so that `<Nf3>` stays what it is.
const ELEMENTS: [&str; 47] = [
    "a",
    "address",
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "html",
    "i",
    "img",
    "li",
    "link",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "script",
    "small",
    "span",
    "strong",
    "style",
    "table",
    "tbody",
    "td",
    "th",
    "title",
    "tr",
    "tt",
    "u",
];

/// Named references, each with its character.
const NAMED: [(&str, char); 34] = [
    ("quot", '"'),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("apos", '\''),
    ("nbsp", '\u{A0}'),
    ("frac12", '½'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("aacute", 'á'),
    ("eacute", 'é'),
    ("iacute", 'í'),
    ("oacute", 'ó'),
    ("uacute", 'ú'),
    ("agrave", 'à'),
    ("egrave", 'è'),
    ("ntilde", 'ñ'),
    ("ccedil", 'ç'),
    ("oslash", 'ø'),
    ("aring", 'å'),
];

/// Length of the HTML tag or character reference at the start of `bytes`; 0 if there is none.
pub fn markup_len(bytes: &[u8]) -> usize {
    match bytes.first() {
        Some(b'<') => tag_len(bytes),
        Some(b'&') => reference(bytes).map_or(0, |(_, len)| len),
        _ => 0,
    }
}

/// Length of the `> ` or `> > ` at the start of a line of a quoted mail; 0 if there is none.
pub fn mail_quote_len(line: &[u8]) -> usize {
    if line.first() != Some(&b'>') {
        return 0;
    }
    line.iter().position(|byte| !matches!(byte, b'>' | b' ' | b'\t')).unwrap_or(line.len())
}

/// Length of the white space and markup at the start of a line.
pub fn blank_len(line: &[u8]) -> usize {
    let mut at = spaces_len(line);
    at += mail_quote_len(&line[at..]);
    loop {
        at += spaces_len(&line[at..]);
        match markup_len(&line[at..]) {
            0 => return at,
            len => at += len,
        }
    }
}

/// The end of the text in `bytes`, white space and markup behind it aside.
pub fn text_end(bytes: &[u8]) -> usize {
    let mut text = trim_controls(bytes);
    while let Some(len) = last_markup_len(text) {
        text = trim_controls(&text[..text.len() - len]);
    }
    text.len()
}

/// Length of the markup at the end of `text`, if there is some.
pub fn last_markup_len(text: &[u8]) -> Option<usize> {
    let (open, longest) = match text.last()? {
        b'>' => (b'<', LONGEST_TAG),
        b';' => (b'&', LONGEST_REFERENCE),
        _ => return None,
    };
    let near = &text[text.len().saturating_sub(longest)..];
    let start = memrchr(open, near)?;
    let len = near.len() - start;
    (markup_len(&near[start..]) == len).then_some(len)
}

fn trim_controls(text: &[u8]) -> &[u8] {
    let len = text.iter().rposition(|byte| *byte > b' ').map_or(0, |last| last + 1);
    &text[..len]
}

/// What the character reference at the start of `bytes` stands for, and its length.
pub fn reference(bytes: &[u8]) -> Option<(char, usize)> {
    let body = bytes.get(1..bytes.len().min(LONGEST_REFERENCE))?;
    let body = std::str::from_utf8(&body[..memchr(b';', body)?]).ok()?;
    let number = |text: &str, radix| u32::from_str_radix(text, radix).ok().and_then(char::from_u32);
    let found = if let Some(hex) = body.strip_prefix("#x").or(body.strip_prefix("#X")) {
        number(hex, 16)
    } else if let Some(decimal) = body.strip_prefix('#') {
        number(decimal, 10)
    } else {
        NAMED.iter().find(|(name, _)| *name == body).map(|(_, character)| *character)
    };
    found.filter(|character| !character.is_control()).map(|found| (found, body.len() + 2))
}

/// Length of a character reference that is a part of a word, as `&#9816;` in `&#9816;f3`; 0 if
/// there is none.
pub fn word_reference_len(bytes: &[u8]) -> usize {
    let part_of_word = |character: char| {
        character.is_alphanumeric()
            || matches!(character, '\u{2654}'..='\u{265F}' | '½' | '-' | '+' | '#' | '=')
            || matches!(character, '\u{2010}'..='\u{2015}' | '\u{2212}')
    };
    reference(bytes).filter(|(found, _)| part_of_word(*found)).map_or(0, |(_, len)| len)
}

/// A word with the characters that its references stand for.
pub fn without_references(word: &str) -> Cow<'_, str> {
    if !word.contains('&') {
        return Cow::Borrowed(word);
    }
    let mut text = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        match reference(rest.as_bytes()) {
            Some((found, len)) => {
                text.push(found);
                rest = &rest[len..];
            }
            None => {
                text.push('&');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Whether this markup breaks the line.
pub fn is_line_break(markup: &[u8]) -> bool {
    element(markup).is_some_and(|name| name.eq_ignore_ascii_case(b"br"))
}

const COMMENT_OPEN: &[u8] = b"<!--";

fn tag_len(bytes: &[u8]) -> usize {
    let is_comment = bytes.starts_with(COMMENT_OPEN);
    let is_element = || {
        element(bytes).is_some_and(|name| {
            ELEMENTS.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
        })
    };
    if !is_comment && !is_element() {
        return 0;
    }
    let body = &bytes[1..bytes.len().min(LONGEST_TAG)];
    if is_comment {
        // What holds tags of a game is read as that game.
        return match memchr::memchr3(b'>', b'<', b'[', body) {
            Some(len) if body[len] == b'>' => len + 2,
            _ => COMMENT_OPEN.len(),
        };
    }
    match memchr::memchr2(b'>', b'<', body) {
        Some(len) if body[len] == b'>' => len + 2,
        _ => 0,
    }
}

/// The name in `<name ...>` or `</name>`.
fn element(tag: &[u8]) -> Option<&[u8]> {
    let inside = tag.strip_prefix(b"<")?;
    let inside = inside.strip_prefix(b"/").unwrap_or(inside);
    let len = inside.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
    matches!(inside[len], b'>' | b'/' | b' ' | b'\t' | b'\r' | b'\n').then_some(&inside[..len])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_in_words_become_their_characters() {
        assert_eq!(without_references("&#9816;f3"), "♘f3");
        assert_eq!(without_references("O&#45;O&x"), "O-O&x");
        assert_eq!(word_reference_len(b"&#x2657;b5"), 8);
        assert_eq!(word_reference_len(b"&nbsp;e4"), 0);
        assert_eq!(word_reference_len(b"&quot;"), 0);
    }

    #[test]
    fn tags_and_references_are_as_long_as_their_bytes() {
        for text in [
            "<br>",
            "<BR/>",
            "</p>",
            "<a href=\"x?a=1-0\">",
            "<!-- x -->",
            "&quot;",
            "&#34;",
            "&#x22;",
            "&nbsp;",
            "&frac12;",
        ] {
            assert_eq!(markup_len(format!("{text}x").as_bytes()), text.len(), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_markup_is_text() {
        for text in
            ["<Nf3>", "<", "<b", "< b>", "<b <p", "&", "& Co;", "&Co;", "&;", "&#;", "&#7;", "<=>"]
        {
            assert_eq!(markup_len(text.as_bytes()), 0, "{text}");
        }
        assert_eq!(markup_len(format!("<a {}>", "x".repeat(LONGEST_TAG)).as_bytes()), 0);
    }

    #[test]
    fn a_comment_around_a_game_or_without_its_end_is_its_opening_alone() {
        for text in ["<!-- [Event \"x\"] -->", "<!-- x", "<!--"] {
            assert_eq!(markup_len(text.as_bytes()), 4, "{text}");
        }
    }

    #[test]
    fn a_reference_tells_its_character() {
        for (text, character) in
            [("&quot;", '"'), ("&#34;", '"'), ("&#x26;", '&'), ("&auml;", 'ä'), ("&#189;", '½')]
        {
            assert_eq!(reference(text.as_bytes()), Some((character, text.len())), "{text}");
        }
    }

    #[test]
    fn text_is_found_between_markup() {
        assert_eq!(blank_len(b" > > <p><b> [Event"), 12);
        assert_eq!(blank_len(b"a > b"), 0);
        for (text, end) in [("1-0<br> </p>\n", 3), ("1-0&nbsp;", 3), ("1-0>", 4), ("a;", 2)] {
            assert_eq!(text_end(text.as_bytes()), end, "{text}");
        }
    }
}
