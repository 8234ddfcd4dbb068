//! Whose rules end a game without a claim: the tags of a game come in, a profile comes out, and a
//! profile says which ends it knows on which day.
//!
//! A site is held to what it is known to do, from a day on which it was known to do it. Lichess
//! ends games at a fivefold repetition since 2020 (lichess-org/scalachess#184) and after fifty
//! moves in 2018 at the latest (lichess-org/lila#4147). Chess.com left both to the players for
//! years and does so no longer; since when is not known here, so that it is asked of games from
//! 2022 on. The programs that run matches of engines end them at the third time and at the
//! hundredth half-move. Of other servers nothing is known, and their games only end where nobody
//! has material to mate. A closed wall of pawns is looked for by arbiters alone: no server and no
//! program ends a game for it.

use super::{DeadPosition, KnownTags};
use crate::diagnostics::Span;
use crate::pgn::TagDate;

/// Whose rules a game was played by, as far as they end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The FIDE Laws of the day of the game.
    #[default]
    Fide,
    Lichess,
    ChessCom,
    /// Matches of engines, under a program that adjudicates.
    Engine,
    /// A server, or a match of engines, of which is not known what ends a game.
    Other,
}

/// What ends a game without anybody's claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutomaticEnd {
    /// FIDE 5.2.2
    DeadPosition(DeadPosition),
    /// Nowhere in the Laws.
    Threefold,
    /// Nowhere in the Laws.
    FiftyMoves,
    /// FIDE 9.6.1
    Fivefold,
    /// The same in the Laws of 2014: on consecutive alternate moves of a player.
    FivefoldInARow,
    /// FIDE 9.6.2
    SeventyFiveMoves,
}

impl Profile {
    /// The word that options and manifests use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Profile::Fide => "fide",
            Profile::Lichess => "lichess",
            Profile::ChessCom => "chesscom",
            Profile::Engine => "engine",
            Profile::Other => "other",
        }
    }

    /// The profile that a game's tags point to; `link` is the Link tag.
    pub fn of_game(bytes: &[u8], tags: &KnownTags, link: Option<Span>) -> Profile {
        let value = |span: Option<Span>| span.map_or(&b""[..], |span| span.of(bytes));
        let (event, site) = (value(tags.event), value(tags.site));
        let sites = [site, value(link)].map(|text| (text, letters(text)));
        let event = (event, letters(event));
        for (name, place, profile) in MARKS {
            // Most names need letters that are not there.
            let needed = letters(name.as_bytes());
            let is_in = |(text, letters): (&[u8], u32)| {
                needed & !letters == 0 && names(text, name.as_bytes())
            };
            let marked = match place {
                Place::Site => sites.into_iter().any(is_in),
                Place::Event => is_in(event),
            };
            if marked {
                return *profile;
            }
        }
        Profile::Fide
    }

    /// Whether it had such an end on the day of the game. Where the day decides and is not known,
    /// it had not.
    pub fn has(self, end: AutomaticEnd, date: Option<TagDate>) -> bool {
        use AutomaticEnd::{FiftyMoves, Fivefold, FivefoldInARow, SeventyFiveMoves, Threefold};
        let from = |year, month| date.is_some_and(|date| date.is_from(year, month, 1));
        match (self, end) {
            (_, AutomaticEnd::DeadPosition(DeadPosition::BareMaterial))
            | (Profile::Fide, AutomaticEnd::DeadPosition(DeadPosition::ClosedWall))
            | (Profile::Engine, Threefold | FiftyMoves) => true,
            (Profile::Fide, Fivefold) => from(2017, 7),
            (Profile::Fide, FivefoldInARow | SeventyFiveMoves) => from(2014, 7),
            (Profile::Lichess, Fivefold) => from(2020, 3),
            (Profile::Lichess, FiftyMoves) => from(2018, 10),
            (Profile::ChessCom, Threefold | FiftyMoves) => from(2022, 1),
            _ => false,
        }
    }

    /// Whether only the player who has the move claims, after it was played: servers and programs
    /// that end games by themselves know no move that was intended (FIDE Laws 2023, 9.2.1, 9.3.1).
    pub fn ends_only_what_was_played(self, end: AutomaticEnd, date: Option<TagDate>) -> bool {
        matches!(self, Profile::ChessCom | Profile::Engine) || self.has(end, date)
    }
}

#[derive(Clone, Copy)]
enum Place {
    /// Also the Link tag.
    Site,
    Event,
}

/// What tells a profile, the first that is there.
static MARKS: &[(&str, Place, Profile)] = &[
    // Studies and broadcasts hold games from anywhere.
    ("lichess.org/study", Place::Site, Profile::Fide),
    ("lichess.org/broadcast", Place::Site, Profile::Fide),
    ("lichess.org", Place::Site, Profile::Lichess),
    ("tcec-chess.com", Place::Site, Profile::Engine),
    ("tests.stockfishchess.org", Place::Site, Profile::Engine),
    ("TCEC", Place::Event, Profile::Engine),
    ("Fishtest", Place::Event, Profile::Engine),
    ("Fishtest", Place::Site, Profile::Engine),
    ("chess.com", Place::Site, Profile::ChessCom),
    ("freechess.org", Place::Site, Profile::Other),
    ("FICS", Place::Site, Profile::Other),
    ("chessclub.com", Place::Site, Profile::Other),
    ("ICC", Place::Site, Profile::Other),
    ("Internet Chess Club", Place::Site, Profile::Other),
    ("playchess", Place::Site, Profile::Other),
    ("chess24", Place::Site, Profile::Other),
    ("CCRL", Place::Site, Profile::Other),
    ("CCRL", Place::Event, Profile::Other),
    ("CEGT", Place::Site, Profile::Other),
    ("CEGT", Place::Event, Profile::Other),
];

/// Which letters a text has, in any case: a bit for each, and bits of other bytes that mean nothing.
#[inline]
const fn letters(text: &[u8]) -> u32 {
    let (mut letters, mut at) = (0, 0);
    while at < text.len() {
        letters |= 1 << (text[at] % 32);
        at += 1;
    }
    letters
}

/// Whether a name stands in a text as a word of its own, in any letter case.
fn names(text: &[u8], name: &[u8]) -> bool {
    let in_word = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'-');
    let Some(&first) = name.first() else { return false };
    let (upper, lower) = (first.to_ascii_uppercase(), first.to_ascii_lowercase());
    memchr::memchr2_iter(upper, lower, text).any(|at| {
        let end = at + name.len();
        text.get(at..end).is_some_and(|part| part.eq_ignore_ascii_case(name))
            && !in_word(text[..at].last())
            && !in_word(text.get(end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(event: &str, site: &str) -> Profile {
        let bytes = format!("{event}{site}");
        let tags = KnownTags {
            event: Some(Span::new(0, event.len())),
            site: Some(Span::new(event.len(), bytes.len())),
            ..KnownTags::default()
        };
        Profile::of_game(bytes.as_bytes(), &tags, None)
    }

    #[test]
    fn site_and_event_tell_whose_rules_they_are() {
        for (event, site, profile) in [
            ("Rated Blitz game", "https://lichess.org/abcd1234", Profile::Lichess),
            ("Titled Arena", "lichess.org INT", Profile::Lichess),
            ("My study", "https://lichess.org/study/abc/def", Profile::Fide),
            ("Live Chess", "Chess.com", Profile::ChessCom),
            ("Titled Tuesday", "chess.com INT", Profile::ChessCom),
            ("TCEC Season 16", "https://tcec-chess.com", Profile::Engine),
            ("Batch 0", "https://tests.stockfishchess.org/tests/view/67c9", Profile::Engine),
            ("Fishtest 67c9", "?", Profile::Engine),
            ("Batch 0", "fishtest", Profile::Engine),
            ("blitz match", "ICS: freechess.org 5000", Profile::Other),
            ("CCRL 40/15", "?", Profile::Other),
            ("Sparkassen GM", "Dortmund GER", Profile::Fide),
            ("Open", "Iccara", Profile::Fide),
            ("", "", Profile::Fide),
        ] {
            assert_eq!(of(event, site), profile, "{event}, {site}");
        }
    }

    #[test]
    fn an_end_is_in_force_from_a_day_on_and_not_where_the_day_is_unknown() {
        use AutomaticEnd::{FiftyMoves, Fivefold, FivefoldInARow, SeventyFiveMoves, Threefold};
        let bare = AutomaticEnd::DeadPosition(DeadPosition::BareMaterial);
        let wall = AutomaticEnd::DeadPosition(DeadPosition::ClosedWall);
        for (profile, end, date, expected) in [
            (Profile::Fide, Fivefold, "2017.06.30", false),
            (Profile::Fide, Fivefold, "2017.07.01", true),
            (Profile::Fide, Fivefold, "2017.??.??", false),
            (Profile::Fide, FivefoldInARow, "2014.06.30", false),
            (Profile::Fide, FivefoldInARow, "2014.07.01", true),
            (Profile::Fide, SeventyFiveMoves, "2014.07.01", true),
            (Profile::Fide, Threefold, "2024.01.01", false),
            (Profile::Lichess, FiftyMoves, "2024.01.01", true),
            (Profile::Lichess, SeventyFiveMoves, "2024.01.01", false),
            (Profile::ChessCom, Threefold, "2012.01.01", false),
            (Profile::ChessCom, Threefold, "2024.01.01", true),
            (Profile::Engine, Threefold, "????.??.??", true),
            (Profile::Other, Fivefold, "2024.01.01", false),
            (Profile::Other, bare, "????.??.??", true),
            (Profile::Lichess, bare, "2024.01.01", true),
            (Profile::ChessCom, bare, "2024.01.01", true),
            (Profile::Fide, wall, "????.??.??", true),
            (Profile::Lichess, wall, "2024.01.01", false),
            (Profile::ChessCom, wall, "2024.01.01", false),
            (Profile::Engine, wall, "2024.01.01", false),
            (Profile::Other, wall, "2024.01.01", false),
        ] {
            let day = TagDate::parse(date.as_bytes());
            assert_eq!(profile.has(end, day), expected, "{profile:?} {end:?} {date}");
        }
    }
}
