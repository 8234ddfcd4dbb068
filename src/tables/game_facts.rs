//! What a game's tags say, read once for all rows of that game.

use std::borrow::Cow;

use super::date::PgnDate;
use super::text::tag_value;
use crate::diagnostics::Span;
use crate::pgn::{TimeClass, class_named_in, parse_result};
use crate::replay::{GameRecord, GameResult};
use crate::source::TextEncoding;

/// Facts of a game as the tables hold them. A tag that is missing or says nothing is `None`.
#[derive(Clone, Debug)]
pub(super) struct GameFacts {
    /// The Date tag's, completed by UTCDate.
    pub date: PgnDate,
    pub white_elo: Option<i16>,
    pub black_elo: Option<i16>,
    /// The termination marker's; without one, the Result tag's.
    pub result: Option<GameResult>,
    pub time_class: TimeClass,
    /// The class that the Event names.
    pub time_class_site: Option<&'static str>,
    /// Lower case, letters and digits only.
    pub variant: Cow<'static, str>,
}

/// A tag's value between its quotes, with what was read from it. Neighbours in an archive often
/// share their Event, date and time control, which are then read once.
struct LastRead<'a, T> {
    raw: Option<(&'a [u8], TextEncoding)>,
    value: T,
}

impl<'a, T: Copy> LastRead<'a, T> {
    /// Begins with what is read from a tag that is not there.
    fn of_none(value: T) -> LastRead<'a, T> {
        LastRead { raw: None, value }
    }

    fn or_read(
        &mut self,
        raw: Option<&'a [u8]>,
        encoding: TextEncoding,
        read: impl FnOnce(&str) -> T,
    ) -> T {
        let raw = raw.map(|raw| (raw, encoding));
        if self.raw != raw {
            let text = raw.map(|(raw, encoding)| tag_value(raw, encoding)).unwrap_or_default();
            *self = LastRead { raw, value: read(&text) };
        }
        self.value
    }
}

impl GameFacts {
    /// Appends the facts of a chunk's games, in their order.
    pub fn read(bytes: &[u8], games: &[GameRecord], facts: &mut Vec<GameFacts>) {
        let mut event = LastRead::of_none(None);
        let mut control = LastRead::of_none(TimeClass::Unknown);
        facts.extend(games.iter().map(|record| {
            let (tags, encoding) = (&record.tags, record.encoding);
            let raw = |span: Option<Span>| bytes.get(span?.range());
            let variant = tags.variant.and_then(|span| tag(bytes, Some(span), encoding));
            GameFacts {
                date: date(raw(tags.date), encoding).or(date(raw(tags.utc_date), encoding)),
                white_elo: elo(raw(tags.white_elo), encoding),
                black_elo: elo(raw(tags.black_elo), encoding),
                result: result(bytes, record),
                time_class: control.or_read(
                    raw(tags.time_control),
                    encoding,
                    TimeClass::of_time_control,
                ),
                time_class_site: event.or_read(raw(tags.event), encoding, class_named_in),
                variant: variant.map_or(Cow::Borrowed("standard"), |name| variant_named(&name)),
            }
        }));
    }
}

/// The termination marker's result; without a marker, the Result tag's.
fn result(bytes: &[u8], record: &GameRecord) -> Option<GameResult> {
    let tag = || tag(bytes, record.tags.result, record.encoding);
    record.marker.or_else(|| result_of_tag(&tag()?))
}

/// A tag's value as text, from a game in this character set.
pub(super) fn tag(
    bytes: &[u8],
    span: Option<Span>,
    encoding: TextEncoding,
) -> Option<Cow<'_, str>> {
    bytes.get(span?.range()).map(|raw| tag_value(raw, encoding))
}

/// Appends a tag's value as [`tag`] gives it.
pub(super) fn append_tag(
    bytes: &[u8],
    span: Option<Span>,
    encoding: TextEncoding,
    out: &mut Vec<u8>,
) -> Option<()> {
    let raw = bytes.get(span?.range())?;
    if is_plain(raw) {
        out.extend_from_slice(raw);
    } else {
        out.extend_from_slice(tag_value(raw, encoding).as_bytes());
    }
    Some(())
}

/// Whether a tag's value is written as it stands, in ASCII, which means the same in every set.
#[inline]
fn is_plain(raw: &[u8]) -> bool {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = EACH << 7;
    let (words, rest) = raw.as_chunks::<8>();
    let words = words.iter().fold(0, |strange, &word| {
        let word = u64::from_ne_bytes(word);
        // A byte without its high bit becomes 0 for a backslash alone, and only then borrows.
        let other = word ^ (EACH * u64::from(b'\\'));
        strange | word | (other.wrapping_sub(EACH) & !other)
    });
    let rest =
        rest.iter().fold(false, |strange, &byte| strange | !byte.is_ascii() | (byte == b'\\'));
    words & HIGH == 0 && !rest
}

/// A date. One that is whole and as the standard has it is read where it stands.
fn date(raw: Option<&[u8]>, encoding: TextEncoding) -> PgnDate {
    let Some(raw) = raw else { return PgnDate::default() };
    PgnDate::of_digits(raw).unwrap_or_else(|| PgnDate::parse(&tag_value(raw, encoding)))
}

/// A rating. One of up to four digits is read where it stands.
fn elo(raw: Option<&[u8]>, encoding: TextEncoding) -> Option<i16> {
    let raw = raw.filter(|raw| !raw.is_empty())?;
    if raw.len() <= 4 && raw.iter().all(u8::is_ascii_digit) {
        let elo = raw.iter().fold(0, |number, digit| number * 10 + i16::from(digit - b'0'));
        return Some(elo).filter(|&elo| elo > 0);
    }
    elo_of_text(&tag_value(raw, encoding))
}

/// A rating. Zero and a dash are how unrated players are written (PGN standard 9.1.2).
fn elo_of_text(text: &str) -> Option<i16> {
    let text = text.trim();
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok().filter(|&elo| elo > 0) } else { None }
}

fn result_of_tag(text: &str) -> Option<GameResult> {
    parse_result(text.trim().as_bytes()).map(|(result, _)| result)
}

/// One spelling for each variant; `standard` where no tag says otherwise.
fn variant_named(text: &str) -> Cow<'static, str> {
    let name: String =
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match name.as_str() {
        // A game of standard chess from a set-up position has a `start_fen`.
        "" | "chess" | "normal" | "standard" | "fromposition" => Cow::Borrowed("standard"),
        "chess960" | "fischerandom" | "fischerrandom" => Cow::Borrowed("chess960"),
        "threecheck" | "3check" => Cow::Borrowed("threecheck"),
        _ => Cow::Owned(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_a_number_above_zero() {
        assert_eq!(elo_of_text(" 2850 "), Some(2850));
        for text in ["", "0", "-", "?", "2400?", "-2400", "+2400", "99999"] {
            assert_eq!(elo_of_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_rating_of_digits_is_what_its_text_says() {
        for text in ["", "0", "7", "0000", "0042", "150", "2850", "9999", "12345", " 2400", "2 40"]
        {
            let raw = Some(text.as_bytes());
            assert_eq!(elo(raw, TextEncoding::Ascii), elo_of_text(text), "{text}");
        }
    }

    #[test]
    fn a_value_is_copied_only_where_its_bytes_are_its_text() {
        let sets = [TextEncoding::Ascii, TextEncoding::Latin1, TextEncoding::TwiceDecoded];
        for raw in [&b"Kasparov, G"[..], b"", b"M\xc3\xbcller", b"M\xfcller", br#"\"A\" \\"#] {
            for encoding in sets {
                let mut out = b"before".to_vec();
                append_tag(raw, Some(Span::new(0, raw.len())), encoding, &mut out);
                assert_eq!(out[6..], *tag_value(raw, encoding).as_bytes(), "{raw:?}");
            }
        }
    }

    #[test]
    fn a_variant_has_one_spelling() {
        for (text, name) in [
            ("", "standard"),
            ("Standard", "standard"),
            ("From Position", "standard"),
            ("Fischerandom", "chess960"),
            ("Chess960", "chess960"),
            ("King of the Hill", "kingofthehill"),
            ("Three-check", "threecheck"),
            ("3-check", "threecheck"),
        ] {
            assert_eq!(variant_named(text), name, "{text}");
        }
    }

    #[test]
    fn a_result_tag_is_read_only_where_its_meaning_is_certain() {
        assert_eq!(result_of_tag(" 1/2 "), Some(GameResult::Draw));
        assert_eq!(result_of_tag("1-0 "), Some(GameResult::WhiteWins));
        assert_eq!(result_of_tag("½-½"), Some(GameResult::Draw));
        assert_eq!(result_of_tag("won"), None);
        assert_eq!(result_of_tag(""), None);
    }
}
