//! What a game is known by from one run to the next, wherever it has moved to.

use xxhash_rust::xxh3::Xxh3;

use super::GameRecord;

/// Bytes of a game without tags by which it is known.
const BEGINNING: usize = 1024;

impl GameRecord {
    /// A hash of who played the game, when and where, and not of its moves, which a mend changes;
    /// of its beginning, if no tag tells. `chunk` holds the game.
    pub fn key(&self, chunk: &[u8]) -> u128 {
        let tags = &self.tags;
        let roster = [tags.white, tags.black, tags.date, tags.round, tags.event, tags.site];
        let mut hash = Xxh3::new();
        for value in roster {
            match value {
                Some(value) => hash.update(value.of(chunk).trim_ascii()),
                None => hash.update(b"\0"),
            }
            hash.update(b"\n");
        }
        if roster.iter().all(Option::is_none) {
            let game = self.span.of(chunk);
            hash.update(&game[..game.len().min(BEGINNING)]);
        }
        hash.digest128()
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Chunk;
    use crate::judge::Judge;

    /// The keys of the games in a text.
    fn keys(text: &str) -> Vec<u128> {
        let chunk = Chunk { bytes: text.into(), last: true, ..Chunk::default() };
        let report = Judge::default().judge(&chunk);
        report.records.games.iter().map(|game| game.key(&chunk.bytes)).collect()
    }

    const GAME: &str = "[Event \"A\"]\n[White \"Ott\"]\n\n1. e4 e5 2. Bf8 *\n\n";

    #[test]
    fn a_game_that_moved_or_was_mended_is_known_again() {
        let alone = keys(GAME);
        assert_eq!(keys(&format!("[Event \"B\"]\n\n1. d4 *\n\n{GAME}"))[1..], alone);
        assert_eq!(keys(&GAME.replace("Bf8", "Bc4")), alone);
        assert_ne!(keys(&GAME.replace("Ott", "Lund")), alone);
    }

    #[test]
    fn games_without_tags_are_known_by_their_beginning() {
        assert_ne!(keys("1. e4 e5 *\n"), keys("1. e4 c5 *\n"));
    }
}
