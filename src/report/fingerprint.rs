//! What a finding is known by from one run to the next, wherever its game has moved to.

use xxhash_rust::xxh3::Xxh3Default;

use super::located::Located;
use crate::replay::GameRecord;

/// Bytes of a game without tags by which it is known.
const BEGINNING: usize = 1024;

/// A hash of the code, the token, the move and the game: its Event, Date, Round, White and Black,
/// or its beginning where it has none of these. It depends neither on the file, nor on the place
/// in it, nor on the games around.
pub fn fingerprint(located: &Located<'_>) -> u64 {
    let mut hash = Xxh3Default::new();
    let mut part = |text: &[u8]| {
        // With its length, so that no two lists of parts are alike.
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    part(located.finding.rule.code.as_bytes());
    part(located.token().as_bytes());
    part(located.move_label().unwrap_or_default().as_bytes());
    if let Some(record) = located.record() {
        let GameRecord { tags, span, .. } = record;
        let named = [tags.event, tags.date, tags.round, tags.white, tags.black];
        for span in named {
            part(span.map_or(b"".as_slice(), |span| span.of(located.chunk())));
        }
        if named.iter().all(Option::is_none) {
            let game = span.of(located.chunk());
            part(&game[..game.len().min(BEGINNING)]);
        }
    }
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Chunk;
    use crate::judge::{ChunkPlace, Judge};
    use crate::report::Judged;

    const FAULTY: &str = "[Event \"A\"]\n[White \"Ott\"]\n\n1. e4 e5 2. Bf8 *\n\n";

    /// The fingerprints of the errors in a text.
    fn prints(text: &str, source: &str) -> Vec<u64> {
        let bytes = text.as_bytes().to_vec();
        let chunk = Chunk { bytes, last: true, ..Chunk::default() };
        let report = Judge::default().judge(&chunk);
        let place = ChunkPlace { source, offset: 0, column: 0, games: 0, lines: 0 };
        let judged = Judged { place, bytes: &chunk.bytes, report: &report };
        let errors = judged.findings().filter(|it| it.finding.rule.code.starts_with('M'));
        errors.map(|located| fingerprint(&located)).collect()
    }

    #[test]
    fn a_game_that_moved_is_known_again() {
        let alone = prints(FAULTY, "a.pgn");
        assert_eq!(alone.len(), 1);
        let sound = "[Event \"B\"]\n\n1. d4 *\n\n";
        assert_eq!(prints(&format!("{sound}{FAULTY}"), "b.pgn"), alone);
    }

    #[test]
    fn another_game_move_or_token_is_another_finding() {
        let alone = prints(FAULTY, "a.pgn");
        for (from, to) in [("Ott", "Lund"), ("Bf8", "Bg8"), ("\"A\"", "\"\""), ("e5 2.", "e5")] {
            let other = prints(&FAULTY.replace(from, to), "a.pgn");
            assert_eq!(other.len(), 1, "{to}");
            // A number that is left out is no other move.
            assert_eq!(other == alone, to == "e5", "{to}");
        }
    }

    #[test]
    fn games_without_tags_are_known_by_their_moves() {
        let one = prints("1. e4 e5 2. Bf8 *\n", "a.pgn");
        let other = prints("1. e4 c5 2. Bf8 *\n", "a.pgn");
        assert!(one.len() == 1 && other.len() == 1 && one != other);
    }
}
