//! What a word of the movetext means in a position.
//!
//! In: a word in any notation, a position, and the dialect of the game. Out: the one legal move
//! that it names, or why there is none, or several moves that were run together.

use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

use super::evidence::Step;
use super::illegal::{Refusal, why_refused};
use super::{GameResult, legal_moves, resolve};
use crate::diagnostics::Span;
use crate::pgn::notation::{self, Meaning, Reading, Shape};
use crate::pgn::{Dialect, ENGLISH, Remark, Style, WrittenMove, is_move_like, parse_result};
use crate::rules::moves;

/// What a word means.
#[derive(Clone, Debug)]
pub enum Interpretation {
    Move(WrittenMove, Move),
    /// Moves without anything between them, legal one after another.
    Run(Vec<RunPart>),
    /// The same, up to a byte of the word at which the next move is not legal.
    BrokenRun(Vec<RunPart>, usize),
    Null(WrittenMove),
    /// A move that can be read and not be played. `written` says as much as a reason needs.
    Refused {
        written: Option<WrittenMove>,
        refusal: Refusal,
    },
    /// It stands for a move.
    Unreadable,
    Remark(Remark),
    Unknown,
}

/// A part of several moves that were run together. Spans count from the word's start.
#[derive(Clone, Debug)]
pub enum RunPart {
    Number(Span),
    Move(Span, WrittenMove, Move),
    Result(Span, GameResult, bool),
}

impl RunPart {
    pub fn span(&self) -> Span {
        match *self {
            RunPart::Number(span) | RunPart::Move(span, ..) | RunPart::Result(span, ..) => span,
        }
    }
}

/// Words longer than this are not taken apart; all moves of a long game have less.
const LONGEST_RUN: usize = 4096;

/// Two moves, or a move and a result, are no shorter.
const SHORTEST_RUN: usize = 3;

/// Reads a word that the position and the standard notation alone do not explain.
pub fn interpret(position: &Chess, word: &[u8], dialect: &Dialect) -> Interpretation {
    let mut tries = usize::MAX;
    interpret_within(position, word, dialect, &mut tries)
}

/// The same where many words are read to answer one question: no more than `tries` go into taking
/// words apart, which are counted down.
pub fn interpret_within(
    position: &Chess,
    word: &[u8],
    dialect: &Dialect,
    tries: &mut usize,
) -> Interpretation {
    if let Some((written, m)) = plain_move(position, word, dialect) {
        return Interpretation::Move(written, m);
    }
    let text = dialect.decode(word);
    if let Some(remark) = Remark::of(&text) {
        return Interpretation::Remark(remark);
    }
    let readings = notation::read(word, dialect);
    let mut best: Option<(&Reading, Fit)> = None;
    for reading in &readings {
        if reading.meaning == Meaning::Null {
            return Interpretation::Null(written(reading, San::Null));
        }
        match fit(position, &reading.meaning) {
            Fit::One(m) => {
                return Interpretation::Move(written(reading, san_of(position, reading, m)), m);
            }
            // A move that lacks its piece, or its file, is nearer than one that nothing can make.
            fit if best.as_ref().is_none_or(|(_, other)| fit.rank() > other.rank()) => {
                best = Some((reading, fit));
            }
            _ => {}
        }
    }
    match split_run(position, word, dialect, tries) {
        Ok(parts) => return Interpretation::Run(parts),
        Err(parts) if best.is_none() && parts.len() > 1 => {
            let end = parts.last().map_or(0, |part| part.span().end);
            return Interpretation::BrokenRun(parts, end);
        }
        Err(_) if best.is_none() && begins_with_two_moves(word, dialect) => {
            return Interpretation::BrokenRun(Vec::new(), 0);
        }
        Err(_) => {}
    }
    match best {
        Some((reading, fit)) => refused(position, reading, fit),
        None if names_a_move(word, &text) => Interpretation::Unreadable,
        None => Interpretation::Unknown,
    }
}

/// The move of a word that has the standard's form, with the letters of another language: as
/// [`notation`] reads it, without a list of readings.
pub fn plain_move(position: &Chess, word: &[u8], dialect: &Dialect) -> Option<(WrittenMove, Move)> {
    /// No such word is longer.
    const LONGEST: usize = 8;
    if dialect.is_standard() || dialect.pieces_first || word.len() > LONGEST {
        return None;
    }
    let (&first, rest) = word.split_first()?;
    let (written, localized) = match first {
        b'a'..=b'h' | b'O' | b'0' => (WrittenMove::parse(word)?, false),
        b'A'..=b'Z' => {
            let letter = [char::from(first)];
            let own = dialect.language.piece(&letter);
            let piece = own.or_else(|| ENGLISH.piece(&letter))?;
            if !piece.exact || piece.role == Role::Pawn {
                return None;
            }
            let mut standard = [0; LONGEST];
            standard[0] = piece.role.upper_char() as u8;
            standard[1..word.len()].copy_from_slice(rest);
            (WrittenMove::parse(&standard[..word.len()])?, own.is_some())
        }
        _ => return None,
    };
    // A promotion has another letter, and a capture in passing may be written without its mark.
    let is_plain =
        word.is_ascii() && !matches!(written.san, San::Normal { promotion: Some(_), .. });
    let m = resolve(position, &written.san).filter(|m| is_plain && !m.is_en_passant())?;
    let style = written.style | Style::LOCALIZED.if_so(localized);
    Some((WrittenMove { style, ..written }, m))
}

/// What one reading of a word means in a position.
pub fn interpret_reading(position: &Chess, reading: &Reading) -> Interpretation {
    match fit(position, &reading.meaning) {
        Fit::One(m) => Interpretation::Move(written(reading, san_of(position, reading, m)), m),
        fit => refused(position, reading, fit),
    }
}

/// The legal moves among which a refused word leaves the choice, with the reading that it has:
/// the pieces of a promotion that names none, or the pieces that can all make the move.
pub fn open_moves(
    position: &Chess,
    word: &[u8],
    dialect: &Dialect,
) -> Option<(Reading, Vec<Move>)> {
    let mut readings = notation::read(word, dialect);
    readings.extend(notation::read_numeric(word));
    let mut best: Option<(Reading, Fit)> = None;
    for reading in readings {
        let fit = fit(position, &reading.meaning);
        // As the word is read when it is refused.
        if best.is_none_or(|(_, other)| fit.rank() > other.rank()) {
            best = Some((reading, fit));
        }
    }
    let (reading, fit) = best?;
    let Meaning::Piece(shape) = reading.meaning else { return None };
    if !matches!(fit, Fit::Several | Fit::NoPiece(_)) {
        return None;
    }
    let legal = position.legal_moves().into_iter();
    Some((reading, legal.filter(|m| is_of_shape(*m, &shape)).collect()))
}

/// The longest beginning of a word that can be read as a move, legal or not.
pub fn first_move_len(word: &[u8], dialect: &Dialect) -> usize {
    let longest = word.len().min(Branch::LONGEST_MOVE);
    (2..=longest)
        .rev()
        .find(|&len| {
            let readings = notation::read(&word[..len], dialect);
            // The K of `e8Kxe8` begins the next move.
            let is_move = |it: &Reading| match it.meaning {
                Meaning::Piece(shape) => {
                    !matches!(shape.promotion, Some(Role::King | Role::Pawn))
                        && !it.style.has(Style::INCOMPLETE)
                }
                Meaning::Castle(_) | Meaning::Null => true,
            };
            readings.iter().any(is_move)
        })
        .unwrap_or(word.len())
}

/// The length of a move's number at the start of a word.
pub fn number_len(word: &[u8]) -> usize {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[digits..].iter().take_while(|byte| **byte == b'.').count();
    if digits > 0 && dots > 0 { digits + dots } else { 0 }
}

/// Whether a word reads as a move and another behind it, legal or not.
fn begins_with_two_moves(word: &[u8], dialect: &Dialect) -> bool {
    let reads = |word: &[u8]| {
        let len = first_move_len(word, dialect);
        (!notation::read(&word[..len], dialect).is_empty()).then_some(len)
    };
    word.len() <= LONGEST_RUN
        && reads(word).is_some_and(|len| {
            let rest = &word[len..];
            reads(&rest[number_len(rest)..]).is_some()
        })
}

/// Whether a word stands for a move, wherever it is.
pub fn stands_for_move(word: &[u8], dialect: &Dialect) -> bool {
    if word.is_ascii() && WrittenMove::parse(word).is_some() {
        return true;
    }
    let text = dialect.decode(word);
    Remark::of(&text).is_none()
        && (names_a_move(word, &text) || !notation::read(word, dialect).is_empty())
}

fn names_a_move(word: &[u8], text: &str) -> bool {
    is_move_like(word)
        || (!word.is_ascii()
            && is_move_like(
                text.chars().map(notation::latin_look_alike).collect::<String>().as_bytes(),
            ))
}

/// How the legal moves fit what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    None,
    Several,
    /// Several that differ in the piece of a promotion alone; one of them.
    NoPiece(Move),
    One(Move),
}

impl Fit {
    fn rank(self) -> u8 {
        match self {
            Fit::None => 0,
            Fit::Several => 1,
            Fit::NoPiece(_) => 2,
            Fit::One(_) => 3,
        }
    }
}

fn fit(position: &Chess, meaning: &Meaning) -> Fit {
    let shape = match meaning {
        Meaning::Piece(shape) => shape,
        Meaning::Castle(side) => {
            return resolve(position, &San::Castle(*side)).map_or(Fit::None, Fit::One);
        }
        Meaning::Null => return Fit::None,
    };
    let legal = legal_moves(position);
    let mut fitting = legal.iter().copied().filter(|m| is_of_shape(*m, shape));
    let Some(first) = fitting.next() else { return Fit::None };
    let (mut several, mut no_piece) = (false, first.promotion().is_some());
    for other in fitting {
        several = true;
        no_piece &= other.promotion().is_some() && other.from() == first.from();
    }
    match several {
        false => Fit::One(first),
        true if no_piece && shape.promotion.is_none() => Fit::NoPiece(first),
        true => Fit::Several,
    }
}

fn is_of_shape(m: Move, shape: &Shape) -> bool {
    let fits = |file: Option<File>, rank: Option<Rank>, square: Square| {
        file.is_none_or(|file| file == square.file())
            && rank.is_none_or(|rank| rank == square.rank())
    };
    match m {
        Move::Castle { king, rook } => {
            // Only the notation of engines writes castling as a move of the king.
            let side = CastlingSide::from_king_side(king.file() < rook.file());
            let target = Square::from_coords(side.king_to_file(), king.rank());
            shape.role.is_none()
                && fits(shape.from_file, shape.from_rank, king)
                // One step may be a step of the king.
                && shape.to().is_some_and(|to| {
                    to == rook || (to == target && king.distance(target) > 1)
                })
                && shape.promotion.is_none()
        }
        Move::Put { .. } => false,
        Move::Normal { role, from, to, promotion, .. } => {
            shape.role.is_none_or(|wanted| wanted == role)
                && fits(shape.from_file, shape.from_rank, from)
                && fits(Some(shape.to_file), shape.to_rank, to)
                && (shape.promotion.is_none() || shape.promotion == promotion)
                && (role != Role::Pawn
                    || shape.from_file.is_some()
                    || !m.is_capture()
                    || shape.capture)
        }
        Move::EnPassant { from, to } => {
            shape.role.is_none_or(|wanted| wanted == Role::Pawn)
                && fits(shape.from_file, shape.from_rank, from)
                && fits(Some(shape.to_file), shape.to_rank, to)
                && shape.promotion.is_none()
                && (shape.from_file.is_some() || shape.capture)
        }
    }
}

/// The one legal move of a reading, as it was written.
pub fn legal(position: &Chess, reading: &Reading) -> Option<(WrittenMove, Move)> {
    match fit(position, &reading.meaning) {
        Fit::One(m) => Some((written(reading, san_of(position, reading, m)), m)),
        _ => None,
    }
}

fn written(reading: &Reading, san: San) -> WrittenMove {
    let Reading { mark, style, glyph, .. } = *reading;
    WrittenMove { san, mark, style, glyph }
}

/// The move as it was written, where that can be held against the standard; else as it should be.
fn san_of(position: &Chess, reading: &Reading, m: Move) -> San {
    match (reading.meaning, m) {
        (Meaning::Piece(shape), Move::Normal { role, to, promotion, .. })
            if shape.role.is_some() && !reading.style.has(Style::INCOMPLETE) =>
        {
            // Long algebraic gives the origin by its nature.
            let short = !reading.style.has(Style::LONG);
            San::Normal {
                role,
                file: shape.from_file.filter(|_| short || role == Role::Pawn),
                rank: shape.from_rank.filter(|_| short),
                capture: shape.capture,
                to,
                promotion,
            }
        }
        _ => San::from_move(position, m),
    }
}

fn refused(position: &Chess, reading: &Reading, fit: Fit) -> Interpretation {
    let san = match (reading.meaning, fit) {
        (Meaning::Castle(side), _) => San::Castle(side),
        (Meaning::Null, _) => San::Null,
        (Meaning::Piece(shape), Fit::NoPiece(m)) => San::Normal {
            role: Role::Pawn,
            file: m.from().map(Square::file),
            rank: None,
            capture: shape.capture,
            to: m.to(),
            promotion: None,
        },
        (Meaning::Piece(shape), _) if takes_own_rook(position, &shape).is_some() => {
            San::Castle(takes_own_rook(position, &shape).unwrap_or(CastlingSide::KingSide))
        }
        (Meaning::Piece(shape), fit) => match shape.to() {
            Some(to) => San::Normal {
                role: shape.role.unwrap_or_else(|| piece_moved(position, &shape)),
                file: shape.from_file,
                rank: shape.from_rank,
                capture: shape.capture,
                to,
                promotion: shape.promotion,
            },
            None => return without_rank(&shape, fit),
        },
    };
    let refusal = why_refused(position, &san);
    Interpretation::Refused { written: Some(written(reading, san)), refusal }
}

/// Engines write castling as the king's move onto his rook.
fn takes_own_rook(position: &Chess, shape: &Shape) -> Option<CastlingSide> {
    let (from, to) = (shape.from()?, shape.to()?);
    let king_and_rook = shape.role.is_none()
        && position.our(Role::King).contains(from)
        && position.our(Role::Rook).contains(to);
    king_and_rook.then(|| CastlingSide::from_king_side(from.file() < to.file()))
}

/// Engines do not name the piece: it is the one that stands there.
fn piece_moved(position: &Chess, shape: &Shape) -> Role {
    shape.from().and_then(|from| position.board().role_at(from)).unwrap_or(Role::Pawn)
}

/// `ed`, with two captures or with none.
fn without_rank(shape: &Shape, fit: Fit) -> Interpretation {
    let files = format!(
        "from the {}-file to the {}-file",
        shape.from_file.map_or('?', File::char),
        shape.to_file.char()
    );
    let refusal = if fit == Fit::None {
        Refusal::new(&moves::NO_PIECE_CAN_REACH, format!("no pawn can capture {files}"))
    } else {
        Refusal::new(&moves::AMBIGUOUS_SAN, format!("more than one pawn capture goes {files}"))
    };
    Interpretation::Refused { written: None, refusal }
}

/// Takes a word apart into moves, numbers and a result, so that every move is legal; else the
/// parts that reach furthest.
///
/// The longest beginning that is a legal move is tried first. The number of tries is bounded by
/// the word's length.
fn split_run(
    position: &Chess,
    word: &[u8],
    dialect: &Dialect,
    tries: &mut usize,
) -> Result<Vec<RunPart>, Vec<RunPart>> {
    if !(SHORTEST_RUN..=LONGEST_RUN).contains(&word.len()) {
        return Err(Vec::new());
    }
    let mut furthest: Vec<RunPart> = Vec::new();
    let reach = |parts: &[RunPart]| parts.last().map_or(0, |part| part.span().end);
    let mut left = (64 + 24 * word.len()).min(*tries);
    let mut stack = vec![Branch::new(0, position.clone())];
    // One for each branch but the last.
    let mut parts: Vec<RunPart> = Vec::new();
    while let Some(branch) = stack.last_mut() {
        if left == 0 {
            break;
        }
        left -= 1;
        *tries -= 1;
        let at = branch.at;
        let rest = &word[at..];
        let Some(next_try) = branch.next_try(rest) else {
            stack.pop();
            parts.pop();
            continue;
        };
        let (part, next) = match next_try {
            Try::Result => match parse_result(rest) {
                Some((result, standard)) if !parts.is_empty() => {
                    parts.push(RunPart::Result(Span::new(at, word.len()), result, standard));
                    return Ok(parts);
                }
                _ => continue,
            },
            Try::Number(len) => {
                let number = RunPart::Number(Span::new(at, at + len));
                (number, Branch::new(at + len, branch.position.clone()))
            }
            // One move that is the whole word is no run.
            Try::Move(len) if len == word.len() => continue,
            Try::Move(len) => {
                let Some((written, m)) = one_move(&branch.position, &rest[..len], dialect) else {
                    continue;
                };
                let mut position = branch.position.clone();
                position.play_unchecked(m);
                let part = RunPart::Move(Span::new(at, at + len), written, m);
                (part, Branch::new(at + len, position))
            }
        };
        let is_move = matches!(part, RunPart::Move(..));
        if next.at < word.len() {
            parts.push(part);
            stack.push(next);
            if is_move && reach(&parts) > reach(&furthest) {
                furthest.clone_from(&parts);
            }
        } else if parts.iter().any(|part| matches!(part, RunPart::Move(..))) {
            parts.push(part);
            return Ok(parts);
        }
    }
    Err(furthest)
}

/// A legal move that the whole of a text writes.
fn one_move(position: &Chess, text: &[u8], dialect: &Dialect) -> Option<(WrittenMove, Move)> {
    if dialect.is_standard()
        && let Some(written) = WrittenMove::parse(text)
    {
        let m = resolve(position, &written.san);
        if m.is_some() || !can_mean_more(text, &written) {
            return m.map(|m| (written, m));
        }
    }
    notation::read(text, dialect)
        .iter()
        .filter(|it| is_in_run(it))
        .find_map(|reading| legal(position, reading))
}

/// Whether a word in the standard's form may be another move than it seems: a bishop with a small
/// letter, or a promotion that lacks its piece.
pub fn can_mean_more(word: &[u8], written: &WrittenMove) -> bool {
    let promotes = matches!(
        written.san,
        San::Normal { role: Role::Pawn, to, promotion: None, .. } if is_last(to)
    );
    (word.first() == Some(&b'b') && word.len() > 2) || promotes
}

/// Whether a square is one that pawns promote on.
pub fn is_last(square: Square) -> bool {
    matches!(square.rank(), Rank::First | Rank::Eighth)
}

/// A word of which much is known before it is held against a position: it is one move, or none, and
/// lacks no promotion piece.
#[derive(Debug)]
pub struct WordAnywhere {
    readings: Vec<Reading>,
    /// What it is where none of the readings is legal.
    otherwise: Step,
}

impl WordAnywhere {
    /// `None` where more depends on the position.
    pub fn of(word: &[u8], dialect: &Dialect) -> Option<WordAnywhere> {
        let text = dialect.decode(word);
        if Remark::of(&text).is_some() || word.len() > LONGEST_RUN || begins_run(word, dialect) {
            return None;
        }
        let readings = notation::read(word, dialect);
        let is_certain = |reading: &Reading| match reading.meaning {
            Meaning::Piece(shape) => shape.to().is_some_and(|to| !is_last(to)),
            Meaning::Castle(_) => true,
            Meaning::Null => false,
        };
        if !readings.iter().all(is_certain) {
            return None;
        }
        let stands_for_move = !readings.is_empty()
            || begins_with_two_moves(word, dialect)
            || names_a_move(word, &text);
        let otherwise = if stands_for_move { Step::Stop } else { Step::On };
        Some(WordAnywhere { readings, otherwise })
    }

    /// The legal move that it is, or what else; `tries` as for [`interpret_within`].
    pub fn step(&self, position: &Chess, word: &[u8], tries: &mut usize) -> Result<Move, Step> {
        for reading in &self.readings {
            if let Fit::One(m) = fit(position, &reading.meaning) {
                return Ok(m);
            }
        }
        WordAnywhere::spend(word, tries);
        Err(self.otherwise)
    }

    /// What it is on every board, if it can be no move; it still costs what [`WordAnywhere::spend`]
    /// counts down.
    pub fn without_moves(&self) -> Option<Step> {
        self.readings.is_empty().then_some(self.otherwise)
    }

    /// Counts down what it takes to find that the word is no run of moves.
    pub fn spend(word: &[u8], tries: &mut usize) {
        if word.len() >= SHORTEST_RUN {
            *tries = tries.saturating_sub(word.len().min(Branch::LONGEST_MOVE) + 1);
        }
    }
}

/// Whether something that may be a move or a number stands before another part of the word.
fn begins_run(word: &[u8], dialect: &Dialect) -> bool {
    let longest = word.len().saturating_sub(1).min(Branch::LONGEST_MOVE);
    let is_move = |text: &[u8]| {
        WrittenMove::parse(text).is_some() || notation::read(text, dialect).iter().any(is_in_run)
    };
    word.first().is_some_and(u8::is_ascii_digit) || (2..=longest).any(|len| is_move(&word[..len]))
}

/// Two files alone would be found in many a word, and the N of a novelty before every knight.
fn is_in_run(reading: &Reading) -> bool {
    !reading.style.has(Style::INCOMPLETE) && !reading.style.has(Style::SYMBOL)
}

/// One place in a word that is taken apart.
struct Branch {
    at: usize,
    position: Chess,
    tried: usize,
}

enum Try {
    Result,
    Number(usize),
    Move(usize),
}

impl Branch {
    /// The longest move in a run.
    const LONGEST_MOVE: usize = 12;

    fn new(at: usize, position: Chess) -> Branch {
        Branch { at, position, tried: 0 }
    }

    /// A result, then the longest move first, then a number; `None` when all were tried.
    fn next_try(&mut self, rest: &[u8]) -> Option<Try> {
        let longest = rest.len().min(Branch::LONGEST_MOVE);
        let tried = self.tried;
        self.tried += 1;
        match tried {
            0 => Some(Try::Result),
            _ if tried < longest => Some(Try::Move(longest + 1 - tried)),
            _ if tried == longest.max(1) => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let dots = rest[digits..].iter().take_while(|byte| **byte == b'.').count();
                (digits > 0 && digits + dots < rest.len()).then_some(Try::Number(digits + dots))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::evidence::play_word;
    use super::*;

    fn position(moves: &str) -> Chess {
        let mut position = Chess::new();
        for word in moves.split_whitespace() {
            let m = word.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
        }
        position
    }

    fn played(moves: &str, word: &str) -> Option<String> {
        let position = position(moves);
        match interpret(&position, word.as_bytes(), &Dialect::STANDARD) {
            Interpretation::Move(_, m) => Some(San::from_move(&position, m).to_string()),
            _ => None,
        }
    }

    fn run(moves: &str, word: &str) -> Option<Vec<String>> {
        match interpret(&position(moves), word.as_bytes(), &Dialect::STANDARD) {
            Interpretation::Run(parts) => Some(
                parts
                    .into_iter()
                    .map(|part| match part {
                        RunPart::Number(span) => word[span.range()].to_owned(),
                        RunPart::Move(_, written, _) => written.san.to_string(),
                        RunPart::Result(_, result, _) => result.as_str().to_owned(),
                    })
                    .collect(),
            ),
            _ => None,
        }
    }

    #[test]
    fn other_notations_name_the_same_move() {
        let castle = "e4 e5 Nf3 Nc6 Bc4 Bc5";
        for (before, word, san) in [
            ("", "e2-e4", "e4"),
            ("", "e2e4", "e4"),
            ("", "♘f3", "Nf3"),
            ("", "nf3", "Nf3"),
            ("", "Pe4", "e4"),
            ("e4 d5", "ed", "exd5"),
            ("e4 d5", "exd", "exd5"),
            ("e4 d5", "e4:d5", "exd5"),
            ("e4 d5", "xd5", "exd5"),
            ("e4 a6 e5 d5", "ed6ep", "exd6"),
            ("e4 a6 e5 d5", "e5d6", "exd6"),
            (castle, "e1g1", "O-O"),
            (castle, "e1h1", "O-O"),
            (castle, "O\u{2014}O", "O-O"),
            (castle, "bxf7ch", "Bxf7"),
        ] {
            assert_eq!(played(before, word).as_deref(), Some(san), "{word}");
        }
    }

    #[test]
    fn moves_that_were_run_together_are_taken_apart_where_every_one_is_legal() {
        assert_eq!(run("", "d4d5").unwrap(), ["d4", "d5"]);
        assert_eq!(
            run("", "e4e52.Nf3Nc63.Bb5a6").unwrap(),
            ["e4", "e5", "2.", "Nf3", "Nc6", "3.", "Bb5", "a6"]
        );
        assert_eq!(run("e4 e5", "Nf31-0").unwrap(), ["Nf3", "1-0"]);
        assert_eq!(run("e4 e5", "Nf31/2-1/2").unwrap(), ["Nf3", "1/2-1/2"]);
        assert_eq!(run("e4 e5", "Nf3Nc7"), None);
        assert!(matches!(
            interpret(&position("e4 e5"), b"Nf3Nc6Bh8Nf6", &Dialect::STANDARD),
            Interpretation::BrokenRun(parts, 6) if parts.len() == 2
        ));
        assert_eq!(run("e4 e5", "1-0"), None);
    }

    #[test]
    fn a_word_of_many_letters_takes_bounded_time() {
        assert!(run("", &"a3".repeat(2000)).is_none());
    }

    #[test]
    fn what_is_refused_says_why() {
        let refusal = |moves: &str, word: &str| match interpret(
            &position(moves),
            word.as_bytes(),
            &Dialect::STANDARD,
        ) {
            Interpretation::Refused { refusal, .. } => refusal.rule.code,
            other => panic!("{word}: {other:?}"),
        };
        assert_eq!(refusal("", "e2-e5"), "M310");
        assert_eq!(refusal("", "Ng1-g3"), "M310");
        assert_eq!(refusal("e4 d5 Nc3 e6", "exd6"), "M310");
        assert_eq!(refusal("", "ed"), "M310");
        assert_eq!(refusal("", "e1g1"), "M312");
    }

    #[test]
    fn words_that_are_no_moves_are_told_apart() {
        let start = Chess::new();
        let of = |word: &str| interpret(&start, word.as_bytes(), &Dialect::STANDARD);
        assert!(matches!(of("e.p."), Interpretation::Remark(Remark::EnPassant)));
        assert!(matches!(of("+-"), Interpretation::Remark(Remark::Symbol(18))));
        assert!(matches!(of("Sx9h4"), Interpretation::Unreadable));
        assert!(matches!(of("hello"), Interpretation::Unknown));
        assert!(matches!(of("0000"), Interpretation::Null(_)));
    }

    const LINES: [&str; 5] = [
        "",
        "e4 e5 Nf3 Nc6 Bc4 Bc5",
        "d4 Nf6 Bd2 Ne4 a3 Nc3",
        "e4 d5 exd5 Qxd5 Nc3 Qa5 b4",
        "h4 g5 hxg5 h6 gxh6 Nf6 h7 Rg8",
    ];

    #[test]
    fn a_plain_word_of_another_language_is_what_its_reading_is() {
        let words = [
            "e4", "exd5", "ed5", "bxc3", "bxa5", "O-O", "0-0", "Sf3", "Sxd5", "Sbd2", "S1d2",
            "Lc4+", "Ld2", "Dxa5", "Td1", "Ke2", "Nf3", "Bc4", "Kf1#", "hxg8=D", "hxg8=Q", "Pf3",
        ];
        for line in LINES {
            let position = position(line);
            for dialect in Dialect::others().filter(|it| !it.pieces_first) {
                for word in words {
                    let Some(plain) = plain_move(&position, word.as_bytes(), &dialect) else {
                        continue;
                    };
                    let readings = notation::read(word.as_bytes(), &dialect);
                    let read = readings.iter().find_map(|reading| legal(&position, reading));
                    assert_eq!(Some(plain), read, "{word} {line} {dialect:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_known_of_a_word_holds_in_every_position() {
        let words = [
            "Xf3", "Yf3", "Nf9", "bc4", "und", "nf3", "e2-e4", "Sf3", "gf3", "xc3", "Lxc3", "e9",
            "o-o", "N3", "Nf", "tt", "e4e5", "e4Nf3", "1-0", "9f3", "h7h8", "e.p.", "bxc3+",
        ];
        let german = Dialect::others().find(|it| it.language.name == "German").unwrap();
        for dialect in [Dialect::STANDARD, german] {
            for word in words.map(str::as_bytes) {
                let Some(anywhere) = WordAnywhere::of(word, &dialect) else { continue };
                for line in LINES {
                    let before = position(line);
                    let (mut after, mut tries, mut other_tries) = (before.clone(), 900, 900);
                    let mut played = None;
                    let step = play_word(&mut after, word, &dialect, &mut tries, |m, _| {
                        played = Some(m);
                    });
                    let known = anywhere.step(&before, word, &mut other_tries);
                    let text = String::from_utf8_lossy(word);
                    assert_eq!(known, played.ok_or(step), "{text} behind {line}");
                    assert_eq!(tries, other_tries, "{text} behind {line}");
                }
            }
        }
    }
}
