//! A recorded reason held against the final position.

use std::borrow::Cow;

use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square};

use super::{Claim, ClaimVerdict, RecordedEnd};
use crate::replay::line::Line;
use crate::replay::{Profile, Repetitions, cannot_mate, dead_position};

/// The board at the end of a game of which every ply is certified.
#[derive(Clone, Copy, Debug)]
pub struct Board<'a> {
    pub line: &'a Line,
    pub repetitions: &'a Repetitions,
    /// How often the position has stood.
    pub occurrences: u32,
    /// The first ply after which some position stood for the third time, and the first after
    /// which the halfmove clock read 100.
    pub first_threefold: Option<u32>,
    pub first_fifty: Option<u32>,
}

/// What the board says of a reason, and what it shows: the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: ClaimVerdict,
    pub shown: Cow<'static, str>,
    /// A repetition that is missing: earlier positions tell why it may have been seen.
    pub lacks_repetition: bool,
}

impl Judgement {
    fn new(verdict: ClaimVerdict, shown: impl Into<Cow<'static, str>>) -> Judgement {
        Judgement { verdict, shown: shown.into(), lacks_repetition: false }
    }

    fn supported(shown: impl Into<Cow<'static, str>>) -> Judgement {
        Judgement::new(ClaimVerdict::Supported, shown)
    }

    fn contradicted(shown: impl Into<Cow<'static, str>>) -> Judgement {
        Judgement::new(ClaimVerdict::Contradicted, shown)
    }

    pub fn unverifiable() -> Judgement {
        Judgement::new(ClaimVerdict::Unverifiable, "")
    }
}

impl Board<'_> {
    /// Holds a reason against the board, where it matters by the rules of the game's site.
    pub fn judge(&self, claim: &Claim, profile: impl FnOnce() -> Profile) -> Judgement {
        let judgement = judge_position(&self.line.position, claim, profile);
        if claim.end == RecordedEnd::Checkmate && !is_mate(&self.line.position) {
            let (turn, winner) = (self.line.position.turn(), claim.result.and_then(super::winner));
            let hint = winner.is_none_or(|winner| winner == turn).then(|| self.moves_that_mate());
            let shown = format!("{}{}", judgement.shown, hint.unwrap_or_default());
            return Judgement { shown: shown.into(), ..judgement };
        }
        if judgement.verdict != ClaimVerdict::Unverifiable {
            return judgement;
        }
        match claim.end {
            RecordedEnd::Threefold => self.repetition(3, true),
            RecordedEnd::Fivefold => self.repetition(5, false),
            RecordedEnd::FiftyMoves => self.clock(100, true),
            RecordedEnd::SeventyFiveMoves => self.clock(150, false),
            _ => judgement,
        }
    }

    /// What tells that a score may lack its last half-move.
    fn moves_that_mate(&self) -> String {
        let mates = |m: &Move| {
            let mut after = self.line.position.clone();
            after.play_unchecked(*m);
            after.is_checkmate()
        };
        let moves: Vec<Move> = self.line.position.legal_moves().into_iter().filter(mates).collect();
        match moves.as_slice() {
            [] => String::new(),
            [m] => format!("; one legal move would mate: {}", self.written(*m)),
            [m, ..] => {
                format!("; {} legal moves would mate, {} for one", moves.len(), self.written(*m))
            }
        }
    }

    /// A draw on time, of which nobody says who had none left.
    pub fn draw_on_time(&self) -> Judgement {
        let position = &self.line.position;
        if is_mate(position) || !Color::ALL.into_iter().all(|color| surely_mates(position, color)) {
            return Judgement::unverifiable();
        }
        Judgement::contradicted(
            "both sides can mate by some series of legal moves, so that the player whose time ran \
             out has lost (FIDE 6.9)",
        )
    }

    /// `by_intention`: the Laws let a player claim what the next move will bring (9.2.1).
    fn repetition(&self, times: u32, by_intention: bool) -> Judgement {
        if self.occurrences >= times {
            let stood = in_words(self.occurrences);
            return Judgement::supported(format!("the last position stood {stood}{}", self.when()));
        }
        if by_intention && let Some(san) = self.move_that_repeats(times) {
            let shown = format!("{san} would bring a position for the third time");
            return Judgement::new(ClaimVerdict::SupportedByNextMove, shown);
        }
        let mut shown = match self.occurrences {
            1 => "the last position stood only once".to_owned(),
            stood => format!("the last position stood only {}{}", in_words(stood), self.when()),
        };
        if times == 3
            && let Some(ply) = self.first_threefold
        {
            let place = place(self.line, ply);
            let ago = self.line.ply.saturating_sub(ply);
            shown += &format!(
                "; another one stood three times {place}, {ago} half-move{} before the end",
                if ago == 1 { "" } else { "s" }
            );
        }
        Judgement { lacks_repetition: true, ..Judgement::contradicted(shown) }
    }

    /// `, after Black's moves 3, 5 and 7`, where all the times are known.
    fn when(&self) -> String {
        let mut plies: Vec<u32> = self
            .repetitions
            .half_moves_ago(self.line.position.turn())
            .filter_map(|ago| self.line.ply.checked_sub(ago))
            .collect();
        if plies.len() != self.occurrences as usize {
            return String::new();
        }
        plies.reverse();
        let at_start = plies.first() == Some(&0);
        let numbers: Vec<String> =
            plies.iter().filter(|&&ply| ply > 0).map(|&ply| self.number_of(ply)).collect();
        let whose = (!self.line.position.turn()).fold_wb("White's", "Black's");
        let list = enumeration(&numbers);
        match (at_start, numbers.len()) {
            (true, 0) => ", at the start".to_owned(),
            (true, 1) => format!(", at the start and after {whose} move {list}"),
            (true, _) => format!(", at the start and after {whose} moves {list}"),
            (false, 1) => format!(", after {whose} move {list}"),
            (false, _) => format!(", after {whose} moves {list}"),
        }
    }

    fn number_of(&self, ply: u32) -> String {
        self.line.number_of(ply.saturating_sub(1)).0.to_string()
    }

    fn move_that_repeats(&self, times: u32) -> Option<String> {
        let repeats = |m: &Move| {
            let mut after = self.line.position.clone();
            after.play_unchecked(*m);
            self.repetitions.would_stand(*m, &after) >= times
        };
        self.line.position.legal_moves().into_iter().find(repeats).map(|m| self.written(m))
    }

    /// The move with its number, as the next one of the game.
    fn written(&self, m: Move) -> String {
        let (number, black) = self.line.number_of(self.line.ply);
        let san = SanPlus::from_move(self.line.position.clone(), m);
        format!("{number}{} {san}", if black { "..." } else { "." })
    }

    fn clock(&self, half_moves: u32, by_intention: bool) -> Judgement {
        let clock = self.line.position.halfmoves();
        if clock >= half_moves {
            return Judgement::supported(format!("the halfmove clock reads {clock}"));
        }
        if by_intention && clock + 1 == half_moves {
            let quiet = |m: &Move| m.role() != Role::Pawn && !m.is_capture();
            let mut quiet = self.line.position.legal_moves().into_iter().filter(quiet);
            if let Some(m) = quiet.next() {
                let example = self.written(m);
                let shown = if quiet.next().is_none() {
                    format!("{example} would bring the halfmove clock to 100")
                } else {
                    format!(
                        "any legal move but a capture or a pawn move, {example} for one, would \
                         bring the halfmove clock to 100"
                    )
                };
                return Judgement::new(ClaimVerdict::SupportedByNextMove, shown);
            }
        }
        let mut shown = format!("the halfmove clock reads {clock}, not {half_moves}");
        if half_moves == 100
            && let Some(ply) = self.first_fifty
        {
            shown += &format!("; it read 100 {}", place(self.line, ply));
        }
        Judgement::contradicted(shown)
    }
}

/// Holds a reason against the final position alone; what depends on the moves before it stays
/// unverifiable, unless a mate stands against it.
pub fn judge_position(
    position: &Chess,
    claim: &Claim,
    profile: impl FnOnce() -> Profile,
) -> Judgement {
    if claim.end != RecordedEnd::Checkmate && claim.end.is_on_board() && is_mate(position) {
        return Judgement::contradicted(mated(position.turn()));
    }
    match claim.end {
        RecordedEnd::Stalemate => stalemate(position, claim.player),
        RecordedEnd::InsufficientMaterial => insufficient_material(position, profile()),
        RecordedEnd::Checkmate => checkmate(position, claim),
        RecordedEnd::TimeoutVsInsufficient => timeout(position, claim.player, profile()),
        _ => Judgement::unverifiable(),
    }
}

fn is_mate(position: &Chess) -> bool {
    position.is_check() && position.legal_moves().is_empty()
}

fn stalemate(position: &Chess, player: Option<Color>) -> Judgement {
    let turn = position.turn();
    let side = turn.fold_wb("White", "Black");
    if position.is_check() {
        Judgement::contradicted(format!("{side} is in check and has a legal move"))
    } else if !position.legal_moves().is_empty() {
        Judgement::contradicted(format!("{side}, to move, has a legal move"))
    } else if player.is_some_and(|player| player != turn) {
        Judgement::contradicted(format!("it is {side} that is stalemated"))
    } else {
        Judgement::supported(format!("{side} has no legal move and is not in check"))
    }
}

fn insufficient_material(position: &Chess, profile: Profile) -> Judgement {
    let nobody_can = || Color::ALL.into_iter().all(|color| cannot_mate(position, color));
    if dead_position(position).is_some() || nobody_can() {
        return Judgement::supported("neither side can mate by any series of legal moves");
    }
    // Some servers ask for less, and give the same reason where time ran out.
    let is_loose = match profile {
        Profile::ChessCom => Color::ALL.into_iter().any(|color| is_bare(position, color)),
        Profile::Other => Color::ALL.into_iter().all(|color| is_bare(position, color)),
        // There a player may claim a draw when the opponent cannot mate.
        Profile::Lichess => Color::ALL.into_iter().any(|color| cannot_mate(position, color)),
        Profile::Fide | Profile::Engine => false,
    };
    if is_loose {
        return Judgement::unverifiable();
    }
    match Color::ALL.into_iter().find(|&color| surely_mates(position, color)) {
        Some(color) => can_mate(color),
        None => Judgement::unverifiable(),
    }
}

fn checkmate(position: &Chess, claim: &Claim) -> Judgement {
    let turn = position.turn();
    let winner = claim.result.and_then(super::winner);
    if !is_mate(position) {
        return Judgement::contradicted("there is no mate on the board");
    }
    if winner.is_some_and(|winner| winner == turn) {
        return Judgement::contradicted(mated(turn));
    }
    Judgement::supported(mated(turn))
}

/// The player whose time ran out has the move, unless the record names another. Over the board it
/// may be the one who has just moved, and had not yet stopped the clock (FIDE Laws 2023, 6.2.1).
fn timeout(position: &Chess, out_of_time: Option<Color>, profile: Profile) -> Judgement {
    let other = !out_of_time.unwrap_or(position.turn());
    let open = out_of_time.is_none() && matches!(profile, Profile::Fide | Profile::Other);
    let sides = [Some(other), open.then_some(!other)];
    let cannot = |color: &Color| cannot_mate(position, *color);
    if let Some(color) = sides.into_iter().flatten().find(cannot) {
        let side = color.fold_wb("White", "Black");
        return Judgement::supported(format!("{side} cannot mate by any series of legal moves"));
    }
    if is_bare(position, other) && profile == Profile::ChessCom {
        // That site looks at this side's pieces only.
        let side = other.fold_wb("White", "Black");
        return Judgement::supported(format!("{side} has no material to mate by that site's rule"));
    }
    if sides.into_iter().flatten().all(|color| surely_mates(position, color)) {
        can_mate(other)
    } else {
        Judgement::unverifiable()
    }
}

fn can_mate(color: Color) -> Judgement {
    let side = color.fold_wb("White", "Black");
    Judgement::contradicted(format!("{side} can mate by some series of legal moves"))
}

/// Whether a side can mate beyond doubt, if both help: it has a queen, a rook, a pawn with a free
/// way ahead, or enough minor pieces on a board without pawns, and the player to move is not forced to take its last one. What is not proved to be
/// dead may be dead all the same.
fn surely_mates(position: &Chess, color: Color) -> bool {
    let has_it = |position: &Chess| {
        let board = position.board();
        let own = board.by_color(color);
        let free = |pawn: Square| {
            let ahead = Bitboard::from_file(pawn.file()) & !Bitboard::from_square(pawn);
            let beyond =
                ahead.into_iter().filter(|square| color.fold_wb(*square > pawn, *square < pawn));
            (beyond.collect::<Bitboard>() & board.occupied()).is_empty()
        };
        (own & board.rooks_and_queens()).any()
            || (own & board.pawns()).into_iter().any(free)
            || (board.pawns().is_empty() && !cannot_mate(position, color))
    };
    if !has_it(position) || dead_position(position).is_some() {
        return false;
    }
    let legal = position.legal_moves();
    legal.len() > 1
        && legal.into_iter().any(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            has_it(&after) && after.legal_moves().len() > 1
        })
}

/// A ply as a sentence names it.
pub fn place(line: &Line, ply: u32) -> String {
    if ply == 0 {
        return "at the start".to_owned();
    }
    let (number, black) = line.number_of(ply - 1);
    format!("after {} move {number}", if black { "Black's" } else { "White's" })
}

fn mated(loser: Color) -> &'static str {
    loser.fold_wb("White is mated", "Black is mated")
}

/// Whether a side has nothing that mates without help: a lone king, with one minor piece or two
/// knights.
fn is_bare(position: &Chess, color: Color) -> bool {
    let board = position.board();
    let own = board.by_color(color);
    let minor = (board.knights() | board.bishops()) & own;
    (own & (board.pawns() | board.rooks_and_queens())).is_empty()
        && (minor.count() <= 1 || (minor.count() == 2 && minor.is_subset(board.knights())))
}

fn in_words(times: u32) -> Cow<'static, str> {
    match times {
        1 => "once".into(),
        2 => "twice".into(),
        3 => "three times".into(),
        4 => "four times".into(),
        5 => "five times".into(),
        more => format!("{more} times").into(),
    }
}

/// `3, 5 and 7`
pub(super) fn enumeration(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
