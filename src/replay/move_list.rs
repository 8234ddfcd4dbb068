//! The certified moves of one game in two bytes each, for those who compare games.
//!
//! In: the start position and the moves, as the examiner plays them. Out: two lists are the same
//! if and only if the games are, whatever notation they were written in; and one is the beginning
//! of another if and only if the game is. No code of a move is zero.

use shakmaty::variant::Variant;
use shakmaty::{Move, Position, Square};

use crate::rules::fen_of;

/// What was played in one game.
#[derive(Clone, Debug, Default)]
pub struct MoveList {
    /// Whose rules it was played by.
    pub variant: Variant,
    /// FEN of the start position without its counters, which moves do not depend on; `None` for
    /// that of chess.
    pub start: Option<String>,
    codes: Vec<u8>,
}

impl MoveList {
    /// Two bytes for each half-move.
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    pub(super) fn clear(&mut self) {
        self.variant = Variant::Chess;
        self.start = None;
        self.codes.clear();
    }

    /// `set_up`: it is another position than that of chess, or may be.
    pub(super) fn begin(&mut self, variant: Variant, start: &impl Position, set_up: bool) {
        const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        self.variant = variant;
        self.start = set_up.then(|| {
            let fen = fen_of(start);
            fen.rsplitn(3, ' ').last().unwrap_or_default().to_owned()
        });
        if variant == Variant::Chess && self.start.as_deref() == Some(STANDARD) {
            self.start = None;
        }
    }

    pub(super) fn played(&mut self, m: Move) {
        self.codes.extend_from_slice(&code(m).to_be_bytes());
    }
}

/// Castling is the king's move onto its rook, where no other move goes.
fn code(m: Move) -> u16 {
    let to = m.to() as u16;
    let (from, piece) = match m {
        // No piece moves to where it stands.
        Move::Put { role, .. } => (to, role as u16),
        _ => (m.from().map_or(to, Square::into), m.promotion().map_or(0, |role| role as u16)),
    };
    1 << 15 | piece << 12 | from << 6 | to
}

#[cfg(test)]
mod tests {
    use crate::pgn::framing::{Framer, Place};
    use crate::replay::{BoardContinuation, ChunkRecords, Ending, Examiner, Output};
    use crate::summary::Counts;

    /// The rules, start position and moves of the one game in a text.
    fn list(text: &str) -> (String, Option<String>, Vec<u8>) {
        let bytes = text.as_bytes();
        let (framer, _) = Framer::new(bytes, Place::WHOLE, BoardContinuation::default());
        let mut examiner = Examiner::keeping_moves();
        let (mut findings, mut records) = (Vec::new(), ChunkRecords::default());
        let mut counts = Counts::default();
        for frame in framer {
            let mut output =
                Output { findings: &mut findings, records: &mut records, counts: &mut counts };
            examiner.examine(bytes, &frame, Ending::Whole, 0, 0, &mut output);
        }
        let list = examiner.moves().expect("they were asked for");
        (format!("{:?}", list.variant), list.start.clone(), list.codes().to_vec())
    }

    #[test]
    fn the_same_moves_in_other_notations_and_with_variations_are_the_same() {
        let written = list("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O 1-0");
        for other in [
            "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 Ng8-f6 4. 0-0 *",
            "1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O 1-0",
            "1. e4 e5 2. Sf3 Sc6 3. Lb5 Sf6 4. O-O 1/2-1/2",
            "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n\
             1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O 1-0",
        ] {
            assert_eq!(list(other), written, "{other}");
        }
        assert_eq!(written.2.len(), 14);
        assert!(written.2.starts_with(&list("1. e4 e5 2. Nf3 *").2));
    }

    #[test]
    fn other_moves_pieces_positions_and_rules_are_others() {
        let fen = |fen: &str, moves: &str| list(&format!("[FEN \"{fen}\"]\n\n{moves} *"));
        let promotion = |moves| fen("8/P6k/8/8/8/8/8/K7 w - - 0 1", moves);
        let lists = [
            promotion("1. a8=Q"),
            promotion("1. a8=R"),
            promotion("1. a8=N"),
            fen("8/P6k/8/8/8/8/8/1K6 w - - 0 1", "1. a8=Q"),
            list("[Variant \"Atomic\"]\n\n1. e4 *"),
            list("1. e4 *"),
            list("1. e3 *"),
        ];
        for (at, one) in lists.iter().enumerate() {
            assert!(lists[at + 1..].iter().all(|other| other != one), "{one:?}");
        }
        assert_eq!(
            promotion("1. a8=Q"),
            fen("8/P6k/8/8/8/8/8/K7 w - - 12 60", "60. a8=Q"),
            "the counters are no part of it"
        );
    }

    #[test]
    fn drops_differ_by_their_piece() {
        let drop = |piece| {
            let moves = format!("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 Nc6 5. {piece}@e5 *");
            list(&format!("[Variant \"Crazyhouse\"]\n\n{moves}"))
        };
        assert_ne!(drop("P"), drop("Q"));
        assert_eq!(drop("P").2.len(), drop("Q").2.len());
    }
}
