//! What a run counts: findings by code, games by verdict, and the ledger that proves that
//! nothing was dropped.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::diagnostics::{Finding, Rule, Severity};
use crate::replay::{ClaimVerdict, EndState, GameRecord, Handover, Verdict};

/// Bytes and games, in and out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Bytes that the (decompressed) inputs gave.
    pub bytes_in: u64,
    pub bytes_in_games: u64,
    pub bytes_in_gaps: u64,
    /// Games that framing found.
    pub games_in: u64,
    /// Games that were judged, `unjudged` ones included.
    pub games_judged: u64,
}

impl Ledger {
    /// Every byte in one game or one gap, every game judged.
    pub fn balances(&self) -> bool {
        self.bytes_in == self.bytes_in_games + self.bytes_in_gaps
            && self.games_in == self.games_judged
    }
}

impl AddAssign for Ledger {
    fn add_assign(&mut self, other: Ledger) {
        self.bytes_in += other.bytes_in;
        self.bytes_in_games += other.bytes_in_games;
        self.bytes_in_gaps += other.bytes_in_gaps;
        self.games_in += other.games_in;
        self.games_judged += other.games_judged;
    }
}

/// Games by the facts that draws and ends leave on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawFacts {
    pub threefold: u64,
    pub fivefold: u64,
    pub fifty_moves: u64,
    pub seventyfive_moves: u64,
    pub checkmate: u64,
    pub stalemate: u64,
    pub dead_position: u64,
    /// Games that record why they were drawn, by what the board says of it, in the order of
    /// [`ClaimVerdict::ALL`].
    pub claims: [u64; ClaimVerdict::ALL.len()],
}

impl DrawFacts {
    pub fn claims(&self, verdict: ClaimVerdict) -> u64 {
        self.claims[verdict as usize]
    }
}

impl AddAssign for DrawFacts {
    fn add_assign(&mut self, other: DrawFacts) {
        self.threefold += other.threefold;
        self.fivefold += other.fivefold;
        self.fifty_moves += other.fifty_moves;
        self.seventyfive_moves += other.seventyfive_moves;
        self.checkmate += other.checkmate;
        self.stalemate += other.stalemate;
        self.dead_position += other.dead_position;
        for (sum, more) in self.claims.iter_mut().zip(other.claims) {
            *sum += more;
        }
    }
}

/// Which way games went through the program. Nothing else that is counted depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// Games that the fast lane played to their end.
    pub fast_games: u64,
    /// Half-moves that it played, in whichever games.
    pub fast_plies: u64,
    /// Games that it left, or could not begin, by the first reason; in the order of
    /// [`Handover::ALL`].
    pub handed_over: [u64; Handover::ALL.len()],
}

impl AddAssign for Lanes {
    fn add_assign(&mut self, other: Lanes) {
        self.fast_games += other.fast_games;
        self.fast_plies += other.fast_plies;
        for (sum, more) in self.handed_over.iter_mut().zip(other.handed_over) {
            *sum += more;
        }
    }
}

/// All counts of a run, of a source, or of a chunk; they add up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub ledger: Ledger,
    pub plies: u64,
    pub certified_plies: u64,
    pub promotions: u64,
    pub underpromotions: u64,
    /// Promotions that name no piece, where the record leaves open which it was.
    pub open_promotions: u64,
    pub draws: DrawFacts,
    /// In the order of [`Verdict::ALL`].
    pub verdicts: [u64; Verdict::ALL.len()],
    /// In the order of [`Severity::ALL`].
    pub severities: [u64; Severity::ALL.len()],
    pub codes: BTreeMap<&'static str, u64>,
    pub lanes: Lanes,
}

impl Counts {
    pub fn game(&mut self, game: &GameRecord) {
        self.plies += u64::from(game.plies);
        self.certified_plies += u64::from(game.certified_plies);
        self.promotions += u64::from(game.promotions);
        self.underpromotions += u64::from(game.underpromotions);
        self.verdicts[game.verdict as usize] += 1;
        self.draws.threefold += u64::from(game.first_threefold_ply.is_some());
        self.draws.fivefold += u64::from(game.first_fivefold_ply.is_some());
        self.draws.fifty_moves += u64::from(game.first_fifty_ply.is_some());
        self.draws.seventyfive_moves += u64::from(game.first_seventyfive_ply.is_some());
        self.draws.checkmate += u64::from(game.end_state == EndState::Checkmate);
        self.draws.stalemate += u64::from(game.end_state == EndState::Stalemate);
        self.draws.dead_position += u64::from(game.end_state == EndState::DeadPosition);
        if let Some(claim) = game.claim.filter(|claim| claim.is_draw) {
            self.draws.claims[claim.verdict as usize] += 1;
        }
    }

    pub fn finding(&mut self, finding: &Finding) {
        self.rule(finding.rule, 1);
    }

    pub fn rule(&mut self, rule: &'static Rule, times: u64) {
        self.severities[rule.severity as usize] += times;
        *self.codes.entry(rule.code).or_default() += times;
    }

    /// Takes findings of a rule out again.
    pub fn leave_out(&mut self, rule: &'static Rule, times: u64) {
        if times == 0 {
            return;
        }
        let severity = &mut self.severities[rule.severity as usize];
        *severity = severity.saturating_sub(times);
        if let Some(count) = self.codes.get_mut(rule.code) {
            *count = count.saturating_sub(times);
            if *count == 0 {
                self.codes.remove(rule.code);
            }
        }
    }

    pub fn verdict(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }

    pub fn severity(&self, severity: Severity) -> u64 {
        self.severities[severity as usize]
    }

    /// Findings at or above a severity: what `--fail-on` asks for.
    pub fn at_least(&self, severity: Severity) -> u64 {
        self.severities[severity as usize..].iter().sum()
    }
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, other: &Counts) {
        self.ledger += other.ledger;
        self.plies += other.plies;
        self.certified_plies += other.certified_plies;
        self.promotions += other.promotions;
        self.underpromotions += other.underpromotions;
        self.open_promotions += other.open_promotions;
        self.draws += other.draws;
        self.lanes += other.lanes;
        for (sum, more) in self.verdicts.iter_mut().zip(other.verdicts) {
            *sum += more;
        }
        for (sum, more) in self.severities.iter_mut().zip(other.severities) {
            *sum += more;
        }
        for (code, more) in &other.codes {
            *self.codes.entry(code).or_default() += more;
        }
    }
}
