//! Whose rules a game is played by: the value of the Variant tag comes in.

use shakmaty::variant::Variant;

/// The rules that a Variant tag names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruleset {
    Standard,
    /// Standard rules from any position, castling as in Chess960 included: lichess's word for a
    /// game with a FEN.
    FromPosition,
    Chess960,
    /// Never [`Variant::Chess`].
    Variant(Variant),
}

impl Ruleset {
    /// Reads the value of the tag, in any of the ways in which servers and programs write it;
    /// `None` for rules that are not known here.
    ///
    /// Letters and digits decide: case, spaces and dashes do not. `960` behind the name of a
    /// variant asks for its shuffled start, which a FEN then gives.
    pub fn of_tag(value: &[u8]) -> Option<Ruleset> {
        let name: String = value
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        let (base, shuffled) = match name.strip_suffix("960") {
            Some(base) => (base, true),
            None => (name.as_str(), false),
        };
        let ruleset = match base {
            "" | "chess" | "standard" | "normal" | "classical" | "regular" | "orthodox"
            | "ucichess" => Ruleset::Standard,
            "fromposition" => Ruleset::FromPosition,
            "frc" | "dfrc" | "chess9lx" | "freestyle" | "freestylechess" | "wildfr" | "wild22" => {
                Ruleset::Chess960
            }
            _ if base.contains("fischer") => Ruleset::Chess960,
            _ => Ruleset::Variant(variant_of(base)?),
        };
        Some(match ruleset {
            Ruleset::Standard | Ruleset::FromPosition if shuffled => Ruleset::Chess960,
            ruleset => ruleset,
        })
    }
}

/// The variant that a name without spaces and dashes, in lower case, stands for. The numbers are
/// those of ICC's wild games.
fn variant_of(name: &str) -> Option<Variant> {
    Some(match name {
        "crazyhouse" | "zh" | "house" | "wild23" => Variant::Crazyhouse,
        "antichess" | "giveaway" | "giveawaychess" | "suicide" | "suicidechess" | "wild26" => {
            Variant::Antichess
        }
        "atomic" | "atomicchess" | "wild27" => Variant::Atomic,
        "horde" | "hordechess" => Variant::Horde,
        "kingofthehill" | "koth" => Variant::KingOfTheHill,
        "racingkings" | "racing" | "rk" => Variant::RacingKings,
        "threecheck" | "threechecks" | "3check" | "3checks" | "wild25" => Variant::ThreeCheck,
        _ => return None,
    })
}

/// The variant whose name stands in an Event tag, where the games of that variant need not be
/// legal in chess (`Rated Atomic game`).
pub fn variant_in_event(event: &[u8]) -> Option<Variant> {
    let mut before: &[u8] = b"";
    event.split(|byte| !byte.is_ascii_alphanumeric()).find_map(|word| {
        // Racing clubs hold tournaments of chess.
        let racing = std::mem::replace(&mut before, word).eq_ignore_ascii_case(b"racing");
        if racing && word.eq_ignore_ascii_case(b"kings") {
            return Some(Variant::RacingKings);
        }
        [
            (&b"crazyhouse"[..], Variant::Crazyhouse),
            (b"antichess", Variant::Antichess),
            (b"giveaway", Variant::Antichess),
            (b"suicide", Variant::Antichess),
            (b"atomic", Variant::Atomic),
            (b"horde", Variant::Horde),
            (b"racingkings", Variant::RacingKings),
        ]
        .into_iter()
        .find(|(name, _)| word.eq_ignore_ascii_case(name))
        .map(|(_, variant)| variant)
    })
}

/// The name as lichess writes it into the Variant tag.
pub const fn variant_name(variant: Variant) -> &'static str {
    match variant {
        Variant::Chess => "Standard",
        Variant::Atomic => "Atomic",
        Variant::Antichess => "Antichess",
        Variant::KingOfTheHill => "King of the Hill",
        Variant::ThreeCheck => "Three-check",
        Variant::Crazyhouse => "Crazyhouse",
        Variant::RacingKings => "Racing Kings",
        Variant::Horde => "Horde",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_servers_and_programs_are_known() {
        for (name, ruleset) in [
            ("", Ruleset::Standard),
            ("?", Ruleset::Standard),
            ("normal", Ruleset::Standard),
            ("From Position", Ruleset::FromPosition),
            ("fischerandom", Ruleset::Chess960),
            ("Fischer Random Chess", Ruleset::Chess960),
            ("Chess 960", Ruleset::Chess960),
            ("wild/fr", Ruleset::Chess960),
            ("Crazyhouse", Ruleset::Variant(Variant::Crazyhouse)),
            ("Crazyhouse960", Ruleset::Variant(Variant::Crazyhouse)),
            ("zh", Ruleset::Variant(Variant::Crazyhouse)),
            ("Giveaway", Ruleset::Variant(Variant::Antichess)),
            ("King of the Hill", Ruleset::Variant(Variant::KingOfTheHill)),
            ("kingOfTheHill", Ruleset::Variant(Variant::KingOfTheHill)),
            ("3-Check", Ruleset::Variant(Variant::ThreeCheck)),
            ("Racing Kings", Ruleset::Variant(Variant::RacingKings)),
        ] {
            assert_eq!(Ruleset::of_tag(name.as_bytes()), Some(ruleset), "{name}");
        }
    }

    #[test]
    fn rules_that_are_not_known_are_not_guessed() {
        for name in ["Bughouse", "Duck Chess", "losers", "Capablanca960", "Seirawan", "shatranj"] {
            assert_eq!(Ruleset::of_tag(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn every_name_that_is_written_is_read() {
        for variant in Variant::ALL {
            let ruleset = Ruleset::of_tag(variant_name(variant).as_bytes());
            match variant {
                Variant::Chess => assert_eq!(ruleset, Some(Ruleset::Standard)),
                _ => assert_eq!(ruleset, Some(Ruleset::Variant(variant))),
            }
        }
    }

    #[test]
    fn an_event_names_a_variant_by_a_whole_word() {
        assert_eq!(variant_in_event(b"Rated Atomic game"), Some(Variant::Atomic));
        assert_eq!(
            variant_in_event(b"internet, rated crazyhouse match"),
            Some(Variant::Crazyhouse)
        );
        assert_eq!(variant_in_event(b"Subatomic Open"), None);
        for kings in [&b"Rated Racing Kings game"[..], b"RacingKings", b"racing-kings cup"] {
            assert_eq!(variant_in_event(kings), Some(Variant::RacingKings));
        }
        assert_eq!(variant_in_event(b"Racing Club Open"), None);
    }
}
