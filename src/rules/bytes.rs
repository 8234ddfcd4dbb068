//! Faults of a file's bytes: marks, encodings, line ends, control characters, packing.

use memchr::{memchr2, memrchr2};

use crate::diagnostics::{
    Applicability, Edit, Finding, Fix, FixPromise, FixSource, LineEnd, Rule, Severity, Span,
};
use crate::pgn::{Lexer, TokenKind, space_len};
use crate::source::{Compression, DecodedUtf16, Utf16};

pub static BYTE_ORDER_MARK: Rule = Rule {
    code: "B001",
    name: "byte-order-mark",
    severity: Severity::Info,
    basis: "Unicode",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a UTF-8 byte order mark opens the file",
    why: "Readers that do not expect it see three strange characters before the first tag and lose \
        that tag, most often the Event of the first game.",
    example: "\u{feff}[Event \"Fixture B001\"]\n\
        an invisible mark stands before the first bracket",
    advice: "Nothing is wrong with the games. Delete the mark for readers that stumble over it.",
};

pub static BYTE_ORDER_MARK_INSIDE: Rule = Rule {
    code: "B002",
    name: "byte-order-mark-inside",
    severity: Severity::Warning,
    basis: "Unicode",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a byte order mark inside the file; it hides the tag behind it from most readers",
    why: "It comes from files with marks that were joined. A reader that takes it for text finds no \
        tag there: the game loses its event, or is added to the one before it.",
    example: "1. d4 d5 1/2-1/2\n\n\
        \u{feff}[Event \"Fixture B002, second\"]\n\
        the mark of a file that was appended stands before its first tag",
    advice: "Delete the mark. It is no part of any game.",
};

pub static UTF16_TEXT: Rule = Rule {
    code: "B003",
    name: "utf16-text",
    severity: Severity::Info,
    basis: "PGN 4.1",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "the file is UTF-16 with a byte order mark; it was decoded",
    why: "Nearly every other chess program sees garbage, or no game at all. Offsets and columns \
        count bytes of the text as UTF-8, without the mark.",
    example: "[Event \"Fixture B003\"]\n\
        every character of the file takes two bytes",
    advice: "Convert the file to UTF-8, which holds the same characters.",
};

pub static UTF16_WITHOUT_MARK: Rule = Rule {
    code: "B004",
    name: "utf16-without-mark",
    severity: Severity::Warning,
    basis: "PGN 4.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "the file is UTF-16 without a mark, recognised by its zero bytes; it was decoded",
    why: "Without the mark even programs that know UTF-16 take every second byte for NUL. Offsets \
        and columns count bytes of the text as UTF-8.",
    example: "[Event \"Fixture B004\"]\n\
        every second byte is zero, and nothing at the start says why",
    advice: "Convert the file to UTF-8, and look for the program that wrote it: others of its files \
        will be alike.",
};

pub static CONTROL_CHARACTER: Rule = Rule {
    code: "B007",
    name: "nul-byte",
    severity: Severity::Warning,
    basis: "PGN 4.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "NUL or control bytes in the text",
    why: "Blocks of NUL are left by a crash or a download that was resumed, and may stand where \
        games were. Programs written in C take the first NUL for the end of the text.",
    example: "1. d4 d5\u{1a} 2. c4 *\n\
        a control character follows the move, where only a space belongs",
    advice: "Compare with another copy where a whole block is NUL: games may be missing. A single \
        byte can be deleted.",
};

pub static CR_LINE_ENDS: Rule = Rule {
    code: "B008",
    name: "cr-line-ends",
    severity: Severity::Info,
    basis: "PGN 3.2.2",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "lines end in a lone CR",
    why: "It is the line end of old Macintosh files. Programs of today see one single line, so that \
        a remark behind a semicolon swallows all games that follow.",
    example: "[Result \"*\"]\n\n\
        1. e4 e5 2. Nf3 *\n\
        each of these lines ends in CR",
    advice: "Nothing is wrong with the games. Convert the line ends for other programs.",
};

pub static MIXED_LINE_ENDS: Rule = Rule {
    code: "B009",
    name: "mixed-line-ends",
    severity: Severity::Warning,
    basis: "PGN 3.2.2",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "more than one kind of line end in one file",
    why: "Files from several systems were joined, or a transfer changed a part of them. Lines and \
        columns differ from program to program from here on, and a lone CR ends no line for most.",
    example: "[Site \"Hillford\"]\n\
        the line ends in CRLF, the one before it in LF",
    advice: "Convert all line ends to one kind; the games stay the same.",
};

pub static UNICODE_SPACE: Rule = Rule {
    code: "B010",
    name: "unicode-space",
    severity: Severity::Warning,
    basis: "PGN 4.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a no-break or other Unicode space is used as a separator",
    why: "Moves that were copied from web pages carry such spaces. Readers that know only ASCII \
        blanks take the words on both sides for one and lose the moves.",
    example: "1. e4 e5 2.\u{a0}Nf3 *\n\
        a no-break space stands between the number and the move",
    advice: "Replace it by a plain space.",
};

pub static TRUNCATED_ARCHIVE: Rule = Rule {
    code: "B011",
    name: "truncated-archive",
    severity: Severity::Error,
    basis: "PGN 8.2.6",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the file ends inside a game",
    why: "A download or a copy stopped early. The last game is not all there, and nobody can tell \
        how many games are missing behind it.",
    example: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-\n\
        the file ends in the middle of a move, without a line end",
    advice: "Get the file again. What is there of the last game is judged, but for a move that may \
        be half of one.",
};

pub static TRUNCATED_COMPRESSION: Rule = Rule {
    code: "B012",
    name: "truncated-compression",
    severity: Severity::Error,
    basis: "RFC 8878, RFC 1952",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the compressed stream ends early or is damaged; what came before it is reported",
    why: "Games are missing behind this place. All that could be decoded before it was judged, and \
        the run ends with status 2, so that no job takes the archive for whole.",
    example: "1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\
        the file that holds this was cut off in the middle of its compressed stream",
    advice: "Get the file again and compare its checksum. Nothing behind a damage can be read.",
};

pub static MISLABELLED_COMPRESSION: Rule = Rule {
    code: "B013",
    name: "mislabelled-compression",
    severity: Severity::Warning,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the file's ending does not fit its content",
    why: "Here the content decides, so that the games are judged all the same. Programs that go by \
        the name refuse the file or read garbage.",
    example: "[Event \"Fixture B013\"]\n\
        this is plain text in a file whose name ends in .gz",
    advice: "Rename the file, or pack it as its name says.",
};

pub static OVERLONG_LINE: Rule = Rule {
    code: "B014",
    name: "overlong-line",
    severity: Severity::Info,
    basis: "PGN 4.3",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "a line of more than 255 characters",
    why: "The standard allows no longer lines, and old programs cut them off. Many sites write each \
        game's moves on one line all the same, so this is a fact and no fault.",
    example: "{ This line is kept … long }\n\
        comment and moves stand on one line of more than 255 characters",
    advice: "Nothing needs mending. Wrap the lines for a program that cuts them.",
};

/// Characters that a line may have by PGN standard 4.3.
const LONGEST_LINE: usize = 255;

/// The longest run of bytes of one character.
const CHARACTER: usize = 4;

/// Which bytes that need a look a text holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strange {
    /// NUL and other control characters that are no white space.
    control: bool,
    /// White space beyond ASCII, byte order marks among it.
    wide: bool,
    /// Anything beyond ASCII.
    high: bool,
}

impl Strange {
    /// One pass over the bytes in blocks of one size, which a compiler turns into a few
    /// instructions each; details only where a block holds something.
    pub fn of(text: &[u8]) -> Strange {
        const BLOCK: usize = 64;
        let mut strange = Strange::default();
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        for (index, block) in blocks.iter().enumerate() {
            if block.iter().fold(false, |odd, &byte| odd | is_odd(byte)) {
                strange.look(text, BLOCK * index, block);
            }
        }
        if rest.iter().fold(false, |odd, &byte| odd | is_odd(byte)) {
            strange.look(text, text.len() - rest.len(), rest);
        }
        strange
    }

    pub fn any(self) -> bool {
        self.control | self.wide
    }

    /// Whether all bytes are ASCII.
    pub fn is_ascii(self) -> bool {
        !self.high
    }

    #[cold]
    fn look(&mut self, text: &[u8], start: usize, block: &[u8]) {
        for (at, &byte) in block.iter().enumerate() {
            self.control |= is_control(byte);
            self.high |= byte >= 0x80;
            self.wide |= byte >= 0x80 && space_len(&text[start + at..]) > 0;
        }
    }
}

#[inline]
fn is_odd(byte: u8) -> bool {
    is_control(byte) | (byte >= 0x80)
}

/// TAB, LF, VT, FF and CR are white space.
#[inline]
fn is_control(byte: u8) -> bool {
    (byte < b'\t') | ((byte > b'\r') & (byte < b' ')) | (byte == 0x7f)
}

/// What is strange in a stretch of white space, which may begin with its source or end with it.
pub fn check_space(
    bytes: &[u8],
    space: Span,
    (opens_source, ends_source): (bool, bool),
    mut push: impl FnMut(Finding),
) {
    let mut at = space.start;
    while at < space.end {
        if let Some(run) = control_run(bytes, at, space.end) {
            push(control_in_space(bytes, run, ends_source));
            at = run.end;
            continue;
        }
        let len = space_len(&bytes[at..space.end]).max(1);
        let character = Span::new(at, at + len);
        if bytes[at..].starts_with("\u{feff}".as_bytes()) {
            let rule =
                if opens_source && at == 0 { &BYTE_ORDER_MARK } else { &BYTE_ORDER_MARK_INSIDE };
            push(Finding::new(rule, character).fix(Fix::safe("delete the mark", character, "")));
        } else if len > 1 {
            push(
                Finding::new(&UNICODE_SPACE, character)
                    .message(format!(
                        "{} is used as a separator",
                        name_of_space(character.of(bytes))
                    ))
                    .fix(Fix::safe("put a plain space", character, " ")),
            );
        }
        at += len;
    }
}

/// Control characters in a tag, a comment or another token.
pub fn check_text(bytes: &[u8], text: Span, mut push: impl FnMut(Finding)) {
    let mut at = text.start;
    while let Some(len) = bytes[at..text.end].iter().position(|&byte| is_control(byte)) {
        let run = control_run(bytes, at + len, text.end).unwrap_or_default();
        push(Finding::new(&CONTROL_CHARACTER, run).fix(Fix {
            title: "delete what no text should hold".to_owned(),
            applicability: Applicability::Unsafe,
            source: FixSource::Certain,
            edits: vec![Edit { span: run, content: Vec::new() }],
        }));
        at = run.end;
    }
}

/// What is strange in a gap between games. `text` is prose in it, in which any space may stand.
pub fn check_gap(
    bytes: &[u8],
    gap: Span,
    text: Option<Span>,
    (opens_source, ends_source): (bool, bool),
    mut push: impl FnMut(Finding),
) {
    if !Strange::of(gap.of(bytes)).any() {
        return;
    }
    for token in Lexer::movetext(bytes, gap) {
        let in_prose =
            text.is_some_and(|text| text.start < token.span.end && token.span.start < text.end);
        match token.kind {
            TokenKind::Space if !in_prose => {
                check_space(bytes, token.span, (opens_source, ends_source), &mut push);
            }
            _ => check_text(bytes, token.span, &mut push),
        }
    }
}

/// The control characters that stand in a row at `at`.
fn control_run(bytes: &[u8], at: usize, end: usize) -> Option<Span> {
    let len = bytes[at..end].iter().take_while(|&&byte| is_control(byte)).count();
    (len > 0).then(|| Span::new(at, at + len))
}

/// Deleting it must not make one word of two.
fn control_in_space(bytes: &[u8], run: Span, ends_source: bool) -> Finding {
    let before = run.start.checked_sub(1).and_then(|at| bytes.get(at));
    let behind = bytes.get(run.end);
    // Behind the last byte of a chunk a game begins, unless the source ends there.
    let parts = before.is_none_or(u8::is_ascii_whitespace)
        || behind.map_or(ends_source, u8::is_ascii_whitespace);
    let message = match (run.len(), bytes[run.start..run.end].iter().all(|&byte| byte == 0)) {
        (1, true) => "a NUL byte in the text".to_owned(),
        (len, true) => format!("{len} NUL bytes in the text"),
        (1, false) => "a control character in the text".to_owned(),
        (len, false) => format!("{len} control characters in the text"),
    };
    let fix = match parts {
        true => Fix::safe("delete it", run, ""),
        false => Fix::safe("put a space in its place", run, " "),
    };
    Finding::new(&CONTROL_CHARACTER, run).message(message).fix(fix)
}

fn name_of_space(character: &[u8]) -> String {
    match std::str::from_utf8(character).ok().and_then(|text| text.chars().next()) {
        Some('\u{a0}') => "a no-break space".to_owned(),
        Some(other) => format!("the Unicode space U+{:04X}", other as u32),
        None => "a Unicode space".to_owned(),
    }
}

/// Lines of more than 255 characters, one finding for all of a text. A tag of that length is
/// told of as such.
pub fn overlong_lines(bytes: &[u8], movetext: Span) -> Option<Finding> {
    let text = movetext.of(bytes);
    let mut at = 0;
    let mut first = None;
    let mut lines = 0_u64;
    // A line end within the next 255 bytes, looked for from behind, shows that the line is short:
    // most bytes are never looked at.
    while let Some(window) = text.get(at..=at + LONGEST_LINE) {
        if let Some(line_end) = memrchr2(b'\n', b'\r', window) {
            at += line_end + 1;
            continue;
        }
        let end = memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |len| at + len);
        let enough = end.min(at + CHARACTER * (LONGEST_LINE + 1));
        let characters = || text[at..enough].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        if window.is_ascii() || characters() > LONGEST_LINE {
            first.get_or_insert(Span::new(movetext.start + at, movetext.start + end));
            lines += 1;
        }
        at = end;
    }
    let finding = Finding::new(&OVERLONG_LINE, first?);
    Some(match lines {
        1 => finding,
        _ => finding.message(format!("{lines} lines of more than {LONGEST_LINE} characters")),
    })
}

/// Where the line ends of a file change their kind for the first time.
pub fn mixed_line_ends(first: LineEnd, second: LineEnd, place: Span) -> Finding {
    Finding::new(&MIXED_LINE_ENDS, place).message(format!(
        "this line ends in {}, and those before it end in {}",
        second.as_str(),
        first.as_str()
    ))
}

/// A file whose lines all end in CR, at the first of them.
pub fn cr_line_ends(place: Span) -> Finding {
    Finding::new(&CR_LINE_ENDS, place)
}

/// A file that was UTF-16.
pub fn decoded_utf16(text: DecodedUtf16) -> Finding {
    let order = match text.order {
        Utf16::LittleEndian => "little endian",
        Utf16::BigEndian => "big endian",
    };
    let start = Span::new(0, 0);
    if text.has_mark {
        let message = format!("the file is UTF-16 ({order}) with a mark; it was decoded");
        Finding::new(&UTF16_TEXT, start).message(message)
    } else {
        let message = format!(
            "the file is UTF-16 ({order}) without a mark, recognised by its zero bytes; it was \
             decoded"
        );
        Finding::new(&UTF16_WITHOUT_MARK, start).message(message)
    }
}

/// A name whose ending promises something else than the content is.
pub fn mislabelled(name: &str, content: Compression) -> Option<Finding> {
    let promised = Compression::of_name(name).filter(|&promised| promised != content)?;
    let finding = Finding::new(&MISLABELLED_COMPRESSION, Span::new(0, 0));
    Some(finding.message(format!(
        "the file's ending promises {}, and its content is {}",
        promised.as_str(),
        content.as_str()
    )))
}

/// A compressed stream that broke off behind the last byte.
pub fn damaged_compression(error: &std::io::Error) -> Finding {
    Finding::new(&TRUNCATED_COMPRESSION, Span::new(0, 0))
        .message(format!("{error}; what came before it is reported"))
}

/// A file that ends inside a game: at a token that may be half of one, or behind the last one.
pub fn truncated(last: Span) -> Finding {
    Finding::new(&TRUNCATED_ARCHIVE, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_a_look_is_seen_wherever_it_stands() {
        for len in [1, 63, 64, 65, 200] {
            for at in 0..len {
                let told = |byte: u8| {
                    let mut text = vec![b'x'; len];
                    text[at] = byte;
                    let strange = Strange::of(&text);
                    (strange.any(), strange.is_ascii())
                };
                assert_eq!(told(b'\t'), (false, true), "{at} of {len}");
                assert_eq!(told(0), (true, true), "{at} of {len}");
                assert_eq!(told(0xFC), (false, false), "{at} of {len}");
            }
        }
        let spaces = Strange::of(&[&[b'x'; 63], "\u{a0}".as_bytes()].concat());
        assert_eq!((spaces.any(), spaces.is_ascii()), (true, false));
    }
}
