//! The TimeControl tag (PGN standard 9.6.1) and the classes of play that follow from it.

/// One period of a time control: `40/7200`, `300+3`, `3600`, `*180`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Period {
    /// Moves that the time is for; `None` for the rest of the game.
    moves: Option<u32>,
    seconds: f64,
    increment: f64,
}

/// A time control that was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeControl {
    periods: Vec<Period>,
}

impl TimeControl {
    /// `None` for `?` (unknown), `-` (none) and whatever the standard does not know. Fractions of
    /// a second, which engine matches need, are taken.
    pub fn parse(text: &str) -> Option<TimeControl> {
        let periods: Option<Vec<Period>> = text.trim().split(':').map(Period::parse).collect();
        periods.map(|periods| TimeControl { periods })
    }

    /// Whether every move of the game brings time, so that there is always a next move to be made
    /// in it, and a clock that knows whose time ran out first.
    pub fn has_increments(&self) -> bool {
        self.periods.iter().all(|period| period.increment > 0.0)
    }

    /// What one player has for 60 moves, the measure of the FIDE Laws 2023, A.1 and B.1. A last
    /// period for a number of moves comes again as often as it is needed.
    pub fn seconds_for_60_moves(&self) -> f64 {
        let mut left = 60.0;
        let mut total = 0.0;
        for (index, period) in self.periods.iter().enumerate() {
            let Some(moves) = period.moves.map(f64::from) else {
                return total + period.seconds + period.increment * left;
            };
            if index + 1 == self.periods.len() {
                return total + left / moves * period.seconds + left * period.increment;
            }
            total += period.seconds + period.increment * moves.min(left);
            left = (left - moves).max(0.0);
        }
        total
    }
}

impl Period {
    fn parse(text: &str) -> Option<Period> {
        if let Some(sand_clock) = text.strip_prefix('*') {
            return Some(Period { moves: None, seconds: seconds(sand_clock)?, increment: 0.0 });
        }
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(count(moves)?), time),
            None => (None, text),
        };
        let (time, increment) = match time.split_once('+') {
            Some((time, increment)) => (time, seconds(increment)?),
            None => (time, 0.0),
        };
        Some(Period { moves, seconds: seconds(time)?, increment })
    }
}

fn count(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok().filter(|&moves| moves > 0) } else { None }
}

fn seconds(text: &str) -> Option<f64> {
    // `f64::from_str` alone would take `inf`, `1e9` and signs.
    let plain = text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if plain { text.parse().ok() } else { None }
}

/// How long a game is, by its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeClass {
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
    Unknown,
}

impl TimeClass {
    /// By the TimeControl tag: blitz up to 10 minutes for 60 moves (FIDE Laws 2023, B.1), rapid
    /// below 60 (A.1), classical from there. Bullet (below 3 minutes) is the servers' word; a
    /// day or more is correspondence.
    pub fn of_time_control(text: &str) -> TimeClass {
        let Some(control) = TimeControl::parse(text) else {
            return TimeClass::Unknown;
        };
        let seconds = control.seconds_for_60_moves();
        match seconds {
            _ if seconds < 180.0 => TimeClass::Bullet,
            _ if seconds <= 600.0 => TimeClass::Blitz,
            _ if seconds < 3_600.0 => TimeClass::Rapid,
            _ if seconds < 86_400.0 => TimeClass::Classical,
            _ => TimeClass::Correspondence,
        }
    }

    /// By the class that an Event names.
    pub fn of_event(event: &str) -> TimeClass {
        let word = |name: &str| {
            event.split(|c: char| !c.is_alphanumeric()).any(|it| it.eq_ignore_ascii_case(name))
        };
        match class_named_in(event) {
            None if word("corr") || word("ICCF") => TimeClass::Correspondence,
            Some("ultrabullet" | "bullet") => TimeClass::Bullet,
            Some("blitz") => TimeClass::Blitz,
            Some("rapid") => TimeClass::Rapid,
            Some("classical") => TimeClass::Classical,
            Some("correspondence") => TimeClass::Correspondence,
            _ => TimeClass::Unknown,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            TimeClass::Bullet => "bullet",
            TimeClass::Blitz => "blitz",
            TimeClass::Rapid => "rapid",
            TimeClass::Classical => "classical",
            TimeClass::Correspondence => "correspondence",
            TimeClass::Unknown => "unknown",
        }
    }
}

/// The class that an Event names (`Rated Blitz game`), whatever the clock says.
pub fn class_named_in(event: &str) -> Option<&'static str> {
    const WORDS: [(&str, &str); 8] = [
        ("ultrabullet", "ultrabullet"),
        ("hyperbullet", "bullet"),
        ("bullet", "bullet"),
        ("superblitz", "blitz"),
        ("blitz", "blitz"),
        ("rapid", "rapid"),
        ("classical", "classical"),
        ("correspondence", "correspondence"),
    ];
    event.split(|c: char| !c.is_alphanumeric()).find_map(|word| {
        WORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|&(_, class)| class)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_for_60_moves() {
        for (text, seconds) in [
            ("300", 300.0),
            ("300+3", 480.0),
            ("*180", 180.0),
            ("40/9000", 13_500.0),
            ("40/7200:3600", 10_800.0),
            ("40/5400+30:1800+30", 9_000.0),
            ("40/7200:20/3600:900+30", 10_800.0 + 900.0),
            ("1/259200", 60.0 * 259_200.0),
            ("8+0.08", 12.8),
        ] {
            let found = TimeControl::parse(text).map(|control| control.seconds_for_60_moves());
            assert!(found.is_some_and(|found| (found - seconds).abs() < 1e-6), "{text}: {found:?}");
        }
    }

    #[test]
    fn classes_by_the_bounds_of_fide() {
        for (text, class) in [
            ("60", TimeClass::Bullet),
            ("179", TimeClass::Bullet),
            ("180", TimeClass::Blitz),
            ("120+1", TimeClass::Blitz),
            ("600", TimeClass::Blitz),
            ("601", TimeClass::Rapid),
            ("900+10", TimeClass::Rapid),
            ("3599", TimeClass::Rapid),
            ("3600", TimeClass::Classical),
            ("40/9000", TimeClass::Classical),
            ("1/86400", TimeClass::Correspondence),
            ("?", TimeClass::Unknown),
            ("-", TimeClass::Unknown),
            ("", TimeClass::Unknown),
        ] {
            assert_eq!(TimeClass::of_time_control(text), class, "{text}");
        }
    }

    #[test]
    fn what_the_standard_does_not_know_is_no_time_control() {
        for text in ["G/90", "5 min", "0/60", "40/", "+3", "300+", "inf", "1e3", "-300", "1.2.3"] {
            assert_eq!(TimeControl::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_event_is_read_word_by_word() {
        assert_eq!(class_named_in("Rated Blitz game"), Some("blitz"));
        assert_eq!(class_named_in("Rated UltraBullet tournament https://x"), Some("ultrabullet"));
        assert_eq!(class_named_in("Casual correspondence game"), Some("correspondence"));
        assert_eq!(class_named_in("Blitzkrieg Memorial"), None);
        assert_eq!(class_named_in(""), None);
    }
}
