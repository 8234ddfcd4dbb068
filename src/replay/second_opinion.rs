//! What pgn-reader makes of a game.
//!
//! In come the bytes of one game. Out come how many moves pgn-reader sees in them, how many of
//! these shakmaty can play, where its game first differs from ours, and the result it sees. It
//! skips what it does not know, so that its game may be another one than was written; that is
//! what the opinion shows. Time is linear in the bytes.

use std::fmt;
use std::ops::ControlFlow;

use pgn_reader::{Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, Outcome, Position, PositionError};

use super::trace::written;
use super::{BoardContinuation, ChunkRecords, Ending, Examiner, ExaminerOptions, Output, Trace};
use crate::diagnostics::Span;
use crate::pgn::framing::{Framer, Place};
use crate::source::excerpt;
use crate::summary::Counts;

/// pgn-reader keeps a tag pair of this many bytes in one piece, which holds a FEN by far.
const LONGEST_TAG: usize = 4096;

/// pgn-reader on one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondOpinion {
    /// Which game of the chunk, from 0.
    pub game: u32,
    /// Half-moves of the main line in the text, as we count them.
    pub plies: u32,
    /// Moves that pgn-reader sees on the main line.
    pub moves: u32,
    /// How many of them can be played one after the other; `None` where there is no position to
    /// play them from.
    pub legal_moves: Option<u32>,
    /// The first of its moves that cannot be played.
    pub stops_at: Option<Half>,
    /// The first of its moves that is not ours.
    pub differs_at: Option<Difference>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, where it sees one.
    pub result: Option<String>,
    /// Why it gave up.
    pub error: Option<String>,
}

/// A half-move as pgn-reader understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Half {
    /// From 1.
    pub ply: u32,
    pub san: String,
}

/// Two readings of one ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// From 1.
    pub ply: u32,
    pub theirs: String,
    /// Our move, or the word that stands there; `None` behind our last one.
    pub ours: Option<String>,
}

impl SecondOpinion {
    /// Asks about the `game`th of a chunk, whose bytes these are. `None` if they hold no game.
    pub fn ask(bytes: &[u8], game: u32) -> Option<SecondOpinion> {
        let (mut framer, _) = Framer::new(bytes, Place::WHOLE, BoardContinuation::default());
        let frame = framer.next()?;
        let mut examiner = Examiner::tracing(ExaminerOptions::default());
        let mut records = ChunkRecords::default();
        let mut output = Output {
            findings: &mut Vec::new(),
            records: &mut records,
            counts: &mut Counts::default(),
        };
        examiner.examine(bytes, &frame, Ending::Whole, 0, 0, &mut output);
        let trace = examiner.trace()?;
        let opinion = SecondOpinion {
            game,
            plies: records.games.first()?.plies,
            moves: 0,
            legal_moves: trace.start.as_ref().map(|_| 0),
            stops_at: None,
            differs_at: None,
            result: None,
            error: None,
        };
        let rest = trace.rest(bytes, frame.game);
        let mut witness = Witness { bytes, trace, rest, position: None, opinion };
        let mut reader = Reader::build(bytes).set_supported_tag_line_length(LONGEST_TAG).finish();
        // Its state is in the witness, since an error leaves no other answer.
        if let Err(error) = reader.read_game(&mut witness) {
            witness.opinion.error = Some(error.to_string());
        }
        Some(witness.opinion)
    }
}

impl fmt::Display for SecondOpinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pgn-reader reads {} of {} moves", self.moves, self.plies)?;
        let stop = self.stops_at.as_ref();
        if let Some(Difference { ply, theirs, ours }) = &self.differs_at {
            let legal =
                if stop.is_some_and(|it| it.ply == *ply) { ", which is not legal," } else { "" };
            match ours {
                Some(ours) => write!(f, "; at ply {ply} it reads {theirs}{legal} for {ours}")?,
                None => write!(f, "; at ply {ply} it reads {theirs}{legal} behind our last move")?,
            }
        }
        let told = self.differs_at.as_ref().map(|it| it.ply);
        match (stop, self.legal_moves) {
            (Some(Half { ply, .. }), _) if told == Some(*ply) => {}
            (Some(Half { ply, san }), _) => write!(f, "; at ply {ply} its {san} is not legal")?,
            (None, None) => f.write_str("; they were not replayed")?,
            (None, Some(_)) if self.moves > 0 => f.write_str("; all of them are legal")?,
            (None, Some(_)) => {}
        }
        match &self.result {
            Some(result) => write!(f, "; its result is {result}")?,
            None => f.write_str("; it sees no result")?,
        }
        match &self.error {
            Some(error) => write!(f, "; it gives up: {error}"),
            None => Ok(()),
        }
    }
}

/// Plays what pgn-reader sees.
struct Witness<'a> {
    bytes: &'a [u8],
    trace: &'a Trace,
    /// Our words behind the last certified move.
    rest: Vec<Span>,
    position: Option<VariantPosition>,
    opinion: SecondOpinion,
}

impl Visitor for Witness<'_> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        // pgn-reader knows no rules: by which ones its moves are played is for us to say.
        let start = self.trace.start.as_ref();
        self.position = start.and_then(|fen| position(self.trace.variant, fen));
        if self.position.is_none() {
            self.opinion.legal_moves = None;
        }
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), read: SanPlus) -> ControlFlow<()> {
        self.opinion.moves += 1;
        let ply = self.opinion.moves;
        let Some(position) = self.position.as_mut().filter(|_| self.opinion.stops_at.is_none())
        else {
            return ControlFlow::Continue(());
        };
        let played = read.san.to_move(position).ok();
        if self.opinion.differs_at.is_none() {
            let index = ply as usize - 1;
            let ours = match self.trace.moves.get(index) {
                Some(ours) if played == Some(ours.m) => None,
                Some(ours) => Some(Some(ours.san.clone())),
                None => {
                    let word = self.rest.get(index - self.trace.moves.len());
                    let word = word.map(|word| excerpt(word.of(self.bytes)).into_owned());
                    let same = word
                        .as_ref()
                        .is_some_and(|word| *word == read.to_string() || *word == written(&read));
                    (!same).then_some(word)
                }
            };
            self.opinion.differs_at =
                ours.map(|ours| Difference { ply, theirs: written(&read), ours });
        }
        match played {
            Some(m) => {
                position.play_unchecked(m);
                self.opinion.legal_moves = Some(ply);
            }
            None => self.opinion.stops_at = Some(Half { ply, san: written(&read) }),
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.opinion.result = Some(outcome.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

fn position(variant: Variant, fen: &str) -> Option<VariantPosition> {
    let setup = fen.parse::<Fen>().ok()?.into_setup();
    let mode = CastlingMode::detect(&setup);
    VariantPosition::from_setup(variant, setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;

    fn said(game: &str) -> String {
        SecondOpinion::ask(game.as_bytes(), 0).unwrap().to_string()
    }

    #[test]
    fn of_a_sound_game_both_say_the_same() {
        assert_snapshot!(said("1. e4 e5 (1... c5) 2. Nf3 {best} 1-0"), @"pgn-reader reads 3 of 3 moves; all of them are legal; its result is 1-0");
    }

    #[test]
    fn what_it_skips_shows_in_the_count_and_in_the_move_that_comes_instead() {
        let skipped = said("1. e2-e4 e5 2. Nf3 1-0");
        let expected =
            "pgn-reader reads 2 of 3 moves; at ply 1 it reads e5, which is not legal, for ";
        assert!(skipped.starts_with(expected), "{skipped}");
        assert_snapshot!(said("1. e4 Qh9 e5 2. Nf3 *"), @"pgn-reader reads 3 of 4 moves; at ply 2 it reads e5 for Qh9; all of them are legal; its result is *");
    }

    #[test]
    fn a_move_that_neither_can_play_is_no_difference() {
        assert_snapshot!(said("1. e4 e5 2. Bf8 d6 1-0"), @"pgn-reader reads 4 of 4 moves; at ply 3 its Bf8 is not legal; its result is 1-0");
    }

    #[test]
    fn an_empty_line_ends_its_game_and_an_open_brace_makes_it_give_up() {
        assert_snapshot!(said("1. e4 e5\n\n2. Nf3 1-0"), @"pgn-reader reads 2 of 3 moves; all of them are legal; it sees no result");
        assert_snapshot!(said("1. e4 e5 {open 2. Nf3 1-0"), @"pgn-reader reads 2 of 2 moves; all of them are legal; it sees no result; it gives up: unterminated comment");
    }

    #[test]
    fn a_game_that_starts_elsewhere_is_replayed_from_there() {
        let from = |tags: &str, moves: &str| said(&format!("{tags}\n\n{moves}"));
        assert_snapshot!(from("[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 60\"]", "60. a8 Kd7 *"), @"pgn-reader reads 2 of 2 moves; at ply 1 its a8 is not legal; its result is *");
        assert_snapshot!(from("[Variant \"Unheard-of\"]", "1. e4 e5 *"), @"pgn-reader reads 2 of 2 moves; they were not replayed; its result is *");
    }

    #[test]
    fn games_of_variants_are_replayed_by_our_reading_of_their_rules() {
        let crazyhouse = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. N@d6 *";
        assert_snapshot!(said(&format!("[Variant \"zh\"]\n\n{crazyhouse}")), @"pgn-reader reads 7 of 7 moves; at ply 7 its N@d6 is not legal; its result is *");
        let untagged = crazyhouse.replace("N@d6", "P@d6 exd6");
        assert_snapshot!(said(&untagged), @"pgn-reader reads 8 of 8 moves; all of them are legal; its result is *");
        assert_snapshot!(said("[Event \"Rated Horde game\"]\n\n1. f6 gxf6 2. gxf6 exf6 *"), @"pgn-reader reads 4 of 4 moves; all of them are legal; its result is *");
        // Behind a fault of ours too, a pawn's drop is the same move with its letter and without.
        assert_snapshot!(said("1. e4 P@d6 2. @d5 *"), @"pgn-reader reads 3 of 3 moves; at ply 2 its P@d6 is not legal; its result is *");
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 512,
            rng_seed: RngSeed::Fixed(29),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn no_bytes_make_it_panic_or_see_more_moves_than_bytes(
            pieces in prop::collection::vec(prop_oneof![
                Just(b"e4 ".to_vec()), Just(b"1. ".to_vec()), Just(b"{".to_vec()),
                Just(b"}".to_vec()), Just(b"(".to_vec()), Just(b") ".to_vec()),
                Just(b"\n\n".to_vec()), Just(b"\r\n".to_vec()), Just(b"[FEN \"".to_vec()),
                Just(b"\"]\n".to_vec()), Just(b"\\".to_vec()), Just(b"0-0-0 ".to_vec()),
                Just(vec![b'{', 0xC3]), Just(vec![b'x'; 300]), Just(vec![0xE2; 20_000]),
                prop::collection::vec(any::<u8>(), 0..40),
            ], 0..24),
        ) {
            let bytes = pieces.concat();
            if let Some(opinion) = SecondOpinion::ask(&bytes, 0) {
                prop_assert!(opinion.moves as usize <= bytes.len());
                prop_assert!(opinion.legal_moves.is_none_or(|legal| legal <= opinion.moves));
                prop_assert!(!opinion.to_string().is_empty());
            }
        }
    }
}
