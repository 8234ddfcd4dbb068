//! What the Laws of the day prescribe for a completed illegal move.
//!
//! A score shows the moves alone: whether somebody saw it, claimed it and when is not in it. So
//! the sentence begins with "if", and it speaks only of Laws whose text is known here:
//!
//! - classical play: from 2005-07-01 the third illegal move of a player lost (7.4), from
//!   2014-07-01 the second (7.5.5), for each one before that two minutes to the opponent;
//! - rapid and blitz: from 2014-07-01 the first one lost (A.4, B.3), from 2018-01-01 it is as in
//!   classical play, with one minute in blitz (B.2) and from 2023-01-01 in rapid too (A.3).
//!
//! Wherever the game is lost, it is drawn instead if the opponent cannot mate by any series of
//! legal moves.

use shakmaty::Color;

use super::wording::side;
use crate::pgn::{TagDate, TimeClass};

/// An illegal move that a player may have completed.
#[derive(Clone, Copy, Debug)]
pub struct IllegalMove {
    pub by: Color,
    /// Which one of this player in the game it is, from 1.
    pub nth: u32,
    pub date: Option<TagDate>,
    pub class: TimeClass,
    /// Whether the opponent cannot mate by any series of legal moves.
    pub opponent_cannot_mate: bool,
}

impl IllegalMove {
    /// What the arbiter does, in a sentence without a full stop; `None` where the day of the game
    /// leaves the Laws open, or they do not speak of such play.
    pub fn penalty(&self) -> Option<String> {
        let Laws { losing, minutes, article } = Laws::of(self.date?, self.class)?;
        let (player, opponent) = (side(self.by), side(!self.by));
        let nth = ordinal(self.nth);
        if self.nth < losing {
            let time = if minutes == 1 { "one minute" } else { "two minutes" };
            let later = match losing - self.nth {
                1 => "the next one loses",
                _ => "the third one loses",
            };
            return Some(format!(
                "if {player} completed it, this {nth} illegal move gives {opponent} {time} more, \
                 and {later} ({article})"
            ));
        }
        Some(if self.opponent_cannot_mate {
            format!(
                "if {player} completed it, this {nth} illegal move would lose, and the game is \
                 drawn, for {opponent} cannot mate by any series of legal moves ({article})"
            )
        } else {
            format!("if {player} completed it, this {nth} illegal move loses the game ({article})")
        })
    }
}

/// What the Laws of a day prescribe for one class of play.
struct Laws {
    /// Which illegal move of a player loses.
    losing: u32,
    /// What the opponent gets for each one before it.
    minutes: u32,
    article: &'static str,
}

impl Laws {
    fn of(date: TagDate, class: TimeClass) -> Option<Laws> {
        let fast = match class {
            TimeClass::Bullet | TimeClass::Blitz | TimeClass::Rapid => true,
            // A game without a time control is taken for one of the competition rules.
            TimeClass::Classical | TimeClass::Unknown => false,
            TimeClass::Correspondence => return None,
        };
        let rapid = class == TimeClass::Rapid;
        Some(if date.is_from(2023, 1, 1) {
            let article = match (fast, rapid) {
                (false, _) => "FIDE 7.5.5",
                (true, true) => "FIDE 7.5.5, A.3, A.5.2",
                (true, false) => "FIDE 7.5.5, B.2, B.4",
            };
            Laws { losing: 2, minutes: if fast { 1 } else { 2 }, article }
        } else if date.is_from(2018, 1, 1) && date.is_before(2023, 1, 1) {
            let article = match (fast, rapid) {
                (false, _) => "FIDE 2018 7.5.5",
                (true, true) => "FIDE 2018 7.5.5, A.4.2",
                (true, false) => "FIDE 2018 7.5.5, B.2, B.4",
            };
            Laws { losing: 2, minutes: if fast && !rapid { 1 } else { 2 }, article }
        } else if date.is_from(2014, 7, 1) && date.is_before(2018, 1, 1) {
            match fast {
                false => Laws { losing: 2, minutes: 2, article: "FIDE 2014 7.5" },
                true => Laws { losing: 1, minutes: 0, article: "FIDE 2014 A.4" },
            }
        } else if !fast && date.is_from(2005, 7, 1) && date.is_before(2014, 7, 1) {
            Laws { losing: 3, minutes: 2, article: "FIDE 2005 7.4" }
        } else {
            return None;
        })
    }
}

fn ordinal(nth: u32) -> String {
    match nth {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        _ => format!("{nth}th"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn penalty(date: &str, class: TimeClass, nth: u32) -> Option<String> {
        let date = TagDate::parse(date.as_bytes());
        let by = Color::White;
        IllegalMove { by, nth, date, class, opponent_cannot_mate: false }.penalty()
    }

    #[test]
    fn the_day_of_the_game_and_its_clock_decide() {
        use TimeClass::{Blitz, Classical, Rapid};
        for (date, class, nth, says) in [
            ("2024.03.01", Classical, 1, "two minutes more, and the next one loses (FIDE 7.5.5)"),
            ("2024.03.01", Rapid, 1, "one minute more"),
            ("2019.03.01", Rapid, 1, "two minutes more"),
            ("2019.03.01", Blitz, 1, "one minute more"),
            ("2019.03.01", Blitz, 2, "this second illegal move loses"),
            ("2017.12.28", Blitz, 1, "this first illegal move loses"),
            ("2014.07.01", Rapid, 1, "this first illegal move loses"),
            ("2015.??.??", Classical, 2, "this second illegal move loses"),
            ("2010.05.05", Classical, 1, "and the third one loses"),
            ("2010.05.05", Classical, 2, "the next one loses"),
            ("2010.05.05", Classical, 3, "this third illegal move loses"),
        ] {
            let told = penalty(date, class, nth).unwrap();
            assert!(told.contains(says), "{date} {class:?}: {told}");
        }
    }

    #[test]
    fn nothing_is_said_of_laws_that_the_day_leaves_open() {
        assert_eq!(penalty("2014.??.??", TimeClass::Classical, 1), None);
        assert_eq!(penalty("????.??.??", TimeClass::Classical, 1), None);
        assert_eq!(penalty("1972.07.11", TimeClass::Classical, 1), None);
        assert_eq!(penalty("2024.03.01", TimeClass::Correspondence, 1), None);
    }

    #[test]
    fn who_cannot_be_mated_does_not_lose() {
        let date = TagDate::parse(b"2024.03.01");
        let (by, class) = (Color::Black, TimeClass::Classical);
        let told = IllegalMove { by, nth: 2, date, class, opponent_cannot_mate: true }.penalty();
        assert!(told.unwrap().contains("drawn, for White cannot mate"));
    }
}
