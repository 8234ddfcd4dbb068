//! Both ways through a game, held against each other.
//!
//! In: a game. Out: what the fast lane with the examiner behind it says of it; where the examiner
//! alone says anything else, the difference.

use std::fmt;

use shakmaty::Chess;

use super::{Ending, Examiner, Lane, Output};
use crate::diagnostics::Finding;
use crate::pgn::framing::Frame;
use crate::replay::{ChunkRecords, LaneDifference, Promotion};
use crate::summary::{Counts, Lanes};

/// What the examiner is asked to judge.
pub(super) struct FramedGame<'a> {
    pub bytes: &'a [u8],
    pub frame: &'a Frame,
    pub ending: Ending,
    pub game: u32,
    pub lines_before: u64,
}

/// All that is said of one game.
#[derive(Default)]
struct Said {
    findings: Vec<Finding>,
    records: ChunkRecords,
    counts: Counts,
}

impl Examiner {
    pub(super) fn examine_both_ways(&mut self, game: &FramedGame<'_>, output: &mut Output<'_>) {
        let mut fast = self.examine_in(Lane::Fast, game);
        let mut alone = self.examine_in(Lane::Examiner, game);
        self.options.lane = Lane::Both;
        let lanes = std::mem::take(&mut fast.counts.lanes);
        alone.counts.lanes = Lanes::default();
        let (said_fast, said_alone) = (fast.text(), alone.text());
        if said_fast != said_alone {
            output.records.lane_differences.push(LaneDifference {
                game: game.frame.game,
                fast: said_fast,
                examiner: said_alone,
            });
        }
        output.findings.append(&mut fast.findings);
        output.records.games.append(&mut fast.records.games);
        output.records.promotions.append(&mut fast.records.promotions);
        output.records.draws.append(&mut fast.records.draws);
        *output.counts += &fast.counts;
        output.counts.lanes += lanes;
    }

    fn examine_in(&mut self, lane: Lane, game: &FramedGame<'_>) -> Said {
        self.options.lane = lane;
        let mut said = Said::default();
        let mut output = Output {
            findings: &mut said.findings,
            records: &mut said.records,
            counts: &mut said.counts,
        };
        let FramedGame { bytes, frame, ending, game, lines_before } = *game;
        self.examine(bytes, frame, ending, game, lines_before, &mut output);
        said
    }
}

impl Said {
    /// Everything, for comparison. Of a position only what its FEN and its moves tell: a board that
    /// was set up keeps no paths of castling that was lost on the way.
    fn text(&self) -> String {
        let ChunkRecords { games, promotions, draws, lane_differences: _ } = &self.records;
        let promotions: Vec<_> = promotions
            .iter()
            .map(|it| {
                let told = Promotion { before: Chess::default(), ..it.clone() };
                (told, it.fen_before(), it.san())
            })
            .collect();
        format!("{:?} {games:?} {promotions:?} {draws:?} {:?}", self.findings, self.counts)
    }
}

/// The first place where the two do not say the same.
impl fmt::Display for LaneDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut same = self.fast.chars().zip(self.examiner.chars());
        let at = same.position(|(one, other)| one != other);
        let at = at.unwrap_or_else(|| self.fast.chars().count().min(self.examiner.chars().count()));
        let near =
            |text: &str| text.chars().skip(at.saturating_sub(60)).take(120).collect::<String>();
        write!(f, "\"{}\" against \"{}\"", near(&self.fast), near(&self.examiner))
    }
}
