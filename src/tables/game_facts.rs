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

impl GameFacts {
    pub fn of(bytes: &[u8], record: &GameRecord) -> GameFacts {
        let tags = &record.tags;
        let value = |span| tag(bytes, span, record.encoding).unwrap_or_default();
        GameFacts {
            date: PgnDate::parse(&value(tags.date)).or(PgnDate::parse(&value(tags.utc_date))),
            white_elo: elo(&value(tags.white_elo)),
            black_elo: elo(&value(tags.black_elo)),
            result: result(bytes, record),
            time_class: TimeClass::of_time_control(&value(tags.time_control)),
            time_class_site: class_named_in(&value(tags.event)),
            variant: variant(&value(tags.variant)),
        }
    }
}

/// The termination marker's result; without a marker, the Result tag's.
pub(super) fn result(bytes: &[u8], record: &GameRecord) -> Option<GameResult> {
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

/// A rating. Zero and a dash are how unrated players are written (PGN standard 9.1.2).
fn elo(text: &str) -> Option<i16> {
    let text = text.trim();
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok().filter(|&elo| elo > 0) } else { None }
}

fn result_of_tag(text: &str) -> Option<GameResult> {
    parse_result(text.trim().as_bytes()).map(|(result, _)| result)
}

/// One spelling for each variant; `standard` where no tag says otherwise.
fn variant(text: &str) -> Cow<'static, str> {
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
        assert_eq!(elo(" 2850 "), Some(2850));
        for text in ["", "0", "-", "?", "2400?", "-2400", "+2400", "99999"] {
            assert_eq!(elo(text), None, "{text}");
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
            assert_eq!(variant(text), name, "{text}");
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
