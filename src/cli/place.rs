//! `FILE:GAME`, `FILE:GAME:PLY` and `FILE@OFFSET`: which place in an archive `show` is asked for.
//!
//! Names of files may hold `:` and `@`, so that words are split from the right, and the file system
//! is asked which of the readings are files.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A place in one archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// `-` is standard input.
    pub file: PathBuf,
    pub wanted: Wanted,
}

/// What of the archive is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// From 1; the ply from 0, the start position.
    Game { game: u64, ply: Option<u32> },
    /// A byte of the decompressed archive.
    Offset(u64),
}

impl Place {
    /// Reads the words of the command line; `exists` says what is a file.
    pub fn parse(text: &str, exists: impl Fn(&Path) -> bool) -> Result<Place> {
        let readings = readings(text);
        let Some(likely) = readings.last() else {
            return Err(Error::Usage(format!(
                "\"{}\" names no place; write FILE:GAME, FILE:GAME:PLY or FILE@OFFSET",
                text.escape_debug()
            )));
        };
        let found: Vec<&Place> =
            readings.iter().filter(|it| it.is_stdin() || exists(&it.file)).collect();
        let whole = exists(Path::new(text));
        match found[..] {
            [] if whole => {
                Err(Error::Usage(format!("{text} is a file; say which game of it, as in {text}:1")))
            }
            // The attempt to open it says why not.
            [] => likely.clone().counted(),
            [place] if !whole => place.clone().counted(),
            _ => {
                let itself = whole.then(|| format!("the file {text}"));
                let meanings: Vec<String> =
                    itself.into_iter().chain(found.iter().map(|it| it.meaning())).collect();
                Err(Error::Usage(format!(
                    "{text} may mean {}; give the file that is meant as standard input, as in \
                     -:1 < FILE",
                    meanings.join(" or ")
                )))
            }
        }
    }

    fn counted(self) -> Result<Place> {
        match self.wanted {
            Wanted::Game { game: 0, .. } => Err(Error::Usage("games count from 1".to_owned())),
            _ => Ok(self),
        }
    }

    fn is_stdin(&self) -> bool {
        self.file == Path::new("-")
    }

    fn meaning(&self) -> String {
        let file = self.file.display();
        match self.wanted {
            Wanted::Game { game, ply: None } => format!("game {game} of {file}"),
            Wanted::Game { game, ply: Some(ply) } => format!("ply {ply} of game {game} of {file}"),
            Wanted::Offset(offset) => format!("byte {offset} of {file}"),
        }
    }
}

/// All that the words may mean; the last is what they mean where no name is strange.
fn readings(text: &str) -> Vec<Place> {
    let mut readings = Vec::new();
    if let Some((file, offset)) = number_behind(text, '@') {
        readings.push(Place { file: file.into(), wanted: Wanted::Offset(offset) });
    }
    if let Some((file, last)) = number_behind(text, ':') {
        let wanted = Wanted::Game { game: last, ply: None };
        readings.push(Place { file: file.into(), wanted });
        if let (Some((file, game)), Ok(ply)) = (number_behind(file, ':'), u32::try_from(last)) {
            let wanted = Wanted::Game { game, ply: Some(ply) };
            readings.push(Place { file: file.into(), wanted });
        }
    }
    readings
}

fn number_behind(text: &str, mark: char) -> Option<(&str, u64)> {
    let (before, digits) = text.rsplit_once(mark)?;
    let plain = !before.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten().map(|number| (before, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, files: &[&str]) -> Result<(String, Wanted)> {
        let place = Place::parse(text, |path| files.iter().any(|file| Path::new(file) == path))?;
        Ok((place.file.display().to_string(), place.wanted))
    }

    const fn game(game: u64, ply: Option<u32>) -> Wanted {
        Wanted::Game { game, ply }
    }

    #[test]
    fn a_place_is_split_from_the_right() {
        let table: [(&str, &[&str], &str, Wanted); 9] = [
            ("a.pgn:3", &["a.pgn"], "a.pgn", game(3, None)),
            ("a.pgn:3:0", &["a.pgn"], "a.pgn", game(3, Some(0))),
            ("a.pgn@512", &["a.pgn"], "a.pgn", Wanted::Offset(512)),
            ("-:3:7", &[], "-", game(3, Some(7))),
            ("c:b@2.pgn:4", &["c:b@2.pgn"], "c:b@2.pgn", game(4, None)),
            ("a:3:7", &["a:3"], "a:3", game(7, None)),
            ("a:3:7", &["a"], "a", game(3, Some(7))),
            ("gone.pgn:3:7", &[], "gone.pgn", game(3, Some(7))),
            ("a@1@2", &["a@1"], "a@1", Wanted::Offset(2)),
        ];
        for (text, files, file, wanted) in table {
            assert_eq!(parsed(text, files).unwrap(), (file.to_owned(), wanted), "{text}");
        }
    }

    #[test]
    fn what_names_no_place_or_two_is_refused_with_the_reason() {
        let table: [(&str, &[&str], &str); 8] = [
            ("a.pgn", &["a.pgn"], "\"a.pgn\" names no place; write FILE:GAME"),
            ("a.pgn:x", &["a.pgn"], "names no place"),
            (":3", &[], "names no place"),
            ("a:99999999999999999999", &["a"], "names no place"),
            ("a:0", &["a"], "games count from 1"),
            ("a:3", &["a:3"], "a:3 is a file; say which game of it, as in a:3:1"),
            ("a:3", &["a:3", "a"], "a:3 may mean the file a:3 or game 3 of a; give"),
            ("a:3:7", &["a:3", "a"], "may mean game 7 of a:3 or ply 7 of game 3 of a; give"),
        ];
        for (text, files, reason) in table {
            let error = parsed(text, files).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
