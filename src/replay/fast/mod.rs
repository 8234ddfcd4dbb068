//! The fast lane: one pass over the movetext of a game, which plays what it knows for certain and
//! stops at the first thing that it does not.
//!
//! In: the bytes of a game's movetext and the position that it begins with. Out: the position
//! behind the last move that was played, what of it somebody has to look at more closely, and
//! where and why it stopped. It explains nothing and makes no finding: the [examiner] does both,
//! with its own eyes and on its own board, and goes on where the fast lane stopped. So the two
//! agree by what they share, and where they do not share (the board, the reading of moves, checks
//! and mates, numbers, repetitions), `--lane both` and the tests hold one against the other.
//!
//! Chess and Chess960, from any position. It knows the standard's own spelling of moves, move
//! numbers with dots, comments, glyphs, and termination markers at the end of the game.
//!
//! What is tried behind a refused move is played on the same board: [`NamedMove`] is a word that was
//! read once, and the board finds the one legal move that it names.
//!
//! [examiner]: super::Examiner

mod board;
mod geometry;
mod legal;
mod movetext;
mod named;
mod pause;
mod written;

pub use board::{BoardMove, CompactBoard};
pub use geometry::{between, reach};
pub use movetext::Pass;
pub use named::NamedMove;
pub use pause::{Handover, Look, Pause, Watch};

use shakmaty::Chess;

use super::Repetitions;

/// Plays a movetext from the start position of chess, past whatever there is to look at, and gives
/// the half-moves up to the first thing that it does not know.
///
/// For whoever wants the time of the fast lane alone; the [examiner](super::Examiner) says what a
/// game is worth.
///
/// ```
/// use pgn_arbiter::replay::{Repetitions, known_plies};
/// assert_eq!(known_plies(b"1. e4 e5 2. Ke2+ Sf6", &mut Repetitions::default()), 3);
/// ```
pub fn known_plies(movetext: &[u8], repetitions: &mut Repetitions) -> u32 {
    let start = Chess::default();
    repetitions.start(&start);
    let watch = Watch {
        every_move: false,
        occurrences: u32::MAX,
        halfmove_clock: u32::MAX,
        dead: false,
        hash: false,
    };
    let mut pass = Pass::new([CompactBoard::of(&start); 2], 0, watch);
    while let Pause::Look(..) | Pause::Comment(_) = pass.run(movetext, repetitions) {}
    pass.ply
}
