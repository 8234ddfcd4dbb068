//! What the Laws of the day prescribe for a completed illegal move.
//!
//! A score shows the moves alone: whether somebody saw it, claimed it and when is not in it. So
//! the sentence says "if", and it speaks only of Laws whose text is known here:
//!
//! - classical play: the position before is restored; from 2005-07-01 the third illegal move of a
//!   player lost (7.4), from 2014-07-01 the second (7.5.5), for each one before that the opponent
//!   gets two minutes;
//! - rapid and blitz: a move that nobody claimed before the opponent's next one stands (A.4.2, since
//!   2023 A.5.2); claimed, from 2014-07-01 the first one lost, from 2018-01-01 it is as in classical
//!   play, with one minute in blitz (B.2) and from 2023-01-01 in rapid too (A.3).
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
    /// Whether the opponent has moved since.
    pub answered: bool,
    /// Whether the opponent cannot mate by any series of legal moves.
    pub opponent_cannot_mate: bool,
}

impl IllegalMove {
    /// What the arbiter does, in a sentence without a full stop; `None` where the day of the game
    /// leaves the Laws open, or they do not speak of such play, or the game was lost before.
    pub fn penalty(&self) -> Option<String> {
        let laws = Laws::of(self.date?, self.class)?;
        if self.nth > laws.losing {
            return None;
        }
        let (player, opponent) = (side(self.by), side(!self.by));
        let cost = self.cost(&laws);
        let article = laws.article;
        Some(match laws.stands {
            Some(stands) if self.answered => format!(
                "{opponent} has moved since, so that the move stands unless it was claimed before \
                 ({stands}); if it was, {cost} ({article})"
            ),
            Some(stands) => {
                // `FIDE 2018 7.5.5, A.4.2`
                let other = stands.trim_start_matches("FIDE ").trim_start_matches("2018 ");
                let articles = if stands == article {
                    article.to_owned()
                } else {
                    format!("{article}, {other}")
                };
                format!(
                    "if {player} completed it and it is claimed before {opponent} moves, {cost} \
                     ({articles})"
                )
            }
            None => {
                let pace =
                    if self.class == TimeClass::Unknown { "in classical play, " } else { "" };
                format!(
                    "{pace}if {player} completed it, the position before it is restored, and {cost} \
                     ({article})"
                )
            }
        })
    }

    fn cost(&self, laws: &Laws) -> String {
        let opponent = side(!self.by);
        let nth = ordinal(self.nth);
        if self.nth < laws.losing {
            let time = if laws.minutes == 1 { "one minute" } else { "two minutes" };
            let later = match laws.losing - self.nth {
                1 => "the next one loses",
                _ => "the third one loses",
            };
            return format!("for this {nth} illegal move {opponent} gets {time} more, and {later}");
        }
        if self.opponent_cannot_mate {
            return format!(
                "this {nth} illegal move would lose, but the game is drawn, for {opponent} cannot \
                 mate by any series of legal moves"
            );
        }
        format!("this {nth} illegal move loses the game")
    }
}

/// What the Laws of a day prescribe for one class of play.
struct Laws {
    /// Which illegal move of a player loses.
    losing: u32,
    /// What the opponent gets for each one before it.
    minutes: u32,
    article: &'static str,
    /// The article by which a move stands that nobody claimed in time.
    stands: Option<&'static str>,
}

impl Laws {
    fn of(date: TagDate, class: TimeClass) -> Option<Laws> {
        let within = |from: (u16, u8, u8), before: (u16, u8, u8)| {
            date.is_from(from.0, from.1, from.2) && date.is_before(before.0, before.1, before.2)
        };
        let fast = match class {
            TimeClass::Bullet | TimeClass::Blitz | TimeClass::Rapid => true,
            // A game without a time control is taken for one of the competition rules.
            TimeClass::Classical | TimeClass::Unknown => false,
            TimeClass::Correspondence => return None,
        };
        let rapid = class == TimeClass::Rapid;
        let laws =
            |losing, minutes, article, stands| Some(Laws { losing, minutes, article, stands });
        if !fast {
            return if date.is_from(2018, 1, 1) {
                laws(2, 2, "FIDE 7.5.1, 7.5.5", None)
            } else if within((2017, 7, 1), (2018, 1, 1)) {
                laws(2, 2, "FIDE 2017 7.5", None)
            } else if within((2014, 7, 1), (2017, 7, 1)) {
                laws(2, 2, "FIDE 2014 7.5", None)
            } else if within((2005, 7, 1), (2014, 7, 1)) {
                laws(3, 2, "FIDE 2005 7.4", None)
            } else {
                None
            };
        }
        if date.is_from(2023, 1, 1) {
            let article = if rapid { "FIDE 7.5.5, A.3" } else { "FIDE 7.5.5, B.2" };
            laws(2, 1, article, Some(if rapid { "FIDE A.5.2" } else { "FIDE B.4, A.5.2" }))
        } else if within((2018, 1, 1), (2023, 1, 1)) {
            let article = if rapid { "FIDE 2018 7.5.5" } else { "FIDE 2018 7.5.5, B.2" };
            let stands = if rapid { "FIDE 2018 A.4.2" } else { "FIDE 2018 B.4, A.4.2" };
            laws(2, if rapid { 2 } else { 1 }, article, Some(stands))
        } else if within((2017, 7, 1), (2018, 1, 1)) {
            laws(1, 0, "FIDE 2017 A.4", Some("FIDE 2017 A.4"))
        } else if within((2014, 7, 1), (2017, 7, 1)) {
            laws(1, 0, "FIDE 2014 A.4", Some("FIDE 2014 A.4"))
        } else {
            None
        }
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

    fn illegal(date: &str, class: TimeClass, nth: u32) -> IllegalMove {
        IllegalMove {
            by: Color::White,
            nth,
            date: TagDate::parse(date.as_bytes()),
            class,
            answered: false,
            opponent_cannot_mate: false,
        }
    }

    #[test]
    fn the_day_of_the_game_and_its_clock_decide() {
        use TimeClass::{Blitz, Classical, Rapid, Unknown};
        for (date, class, nth, says) in [
            ("2024.03.01", Classical, 1, "Black gets two minutes more, and the next one loses"),
            (
                "2024.03.01",
                Classical,
                1,
                "if White completed it, the position before it is restored",
            ),
            ("2024.03.01", Unknown, 1, "in classical play, if White completed it"),
            ("2024.03.01", Rapid, 1, "gets one minute more"),
            ("2024.03.01", Rapid, 1, "(FIDE 7.5.5, A.3, A.5.2)"),
            ("2019.03.01", Rapid, 1, "gets two minutes more"),
            ("2019.03.01", Blitz, 1, "gets one minute more"),
            ("2019.03.01", Blitz, 2, "this second illegal move loses"),
            ("2017.12.28", Blitz, 1, "this first illegal move loses the game (FIDE 2017 A.4"),
            ("2014.07.01", Rapid, 1, "claimed before Black moves, this first illegal move loses"),
            ("2015.??.??", Classical, 2, "this second illegal move loses"),
            ("2010.05.05", Classical, 1, "and the third one loses"),
            ("2010.05.05", Classical, 2, "and the next one loses"),
            ("2010.05.05", Classical, 3, "this third illegal move loses"),
        ] {
            let told = illegal(date, class, nth).penalty().unwrap();
            assert!(told.contains(says), "{date} {class:?}: {told}");
        }
    }

    #[test]
    fn a_move_that_was_answered_stands_in_fast_play() {
        for (date, article) in [("2024.03.01", "A.5.2"), ("2019.03.01", "2018 A.4.2")] {
            let told = IllegalMove { answered: true, ..illegal(date, TimeClass::Rapid, 1) };
            let told = told.penalty().unwrap();
            assert!(told.starts_with("Black has moved since, so that the move stands"), "{told}");
            assert!(told.contains(article), "{told}");
        }
        let told = IllegalMove { answered: true, ..illegal("2024.03.01", TimeClass::Classical, 1) };
        assert!(told.penalty().unwrap().contains("the position before it is restored"));
    }

    #[test]
    fn nothing_is_said_of_laws_that_the_day_leaves_open_or_of_a_game_that_was_lost_before() {
        for (date, class, nth) in [
            ("2014.??.??", TimeClass::Classical, 1),
            ("????.??.??", TimeClass::Classical, 1),
            ("1972.07.11", TimeClass::Classical, 1),
            ("2006.07.11", TimeClass::Blitz, 1),
            ("2024.03.01", TimeClass::Correspondence, 1),
            ("2024.03.01", TimeClass::Classical, 3),
        ] {
            assert_eq!(illegal(date, class, nth).penalty(), None, "{date} {class:?} {nth}");
        }
    }

    #[test]
    fn who_cannot_be_mated_does_not_lose() {
        let second = illegal("2024.03.01", TimeClass::Classical, 2);
        let told = IllegalMove { opponent_cannot_mate: true, ..second }.penalty().unwrap();
        assert!(told.contains("the game is drawn, for Black cannot mate"), "{told}");
    }
}
