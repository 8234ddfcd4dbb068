//! The phrases that record an end, one a line: to know another one, add it.
//!
//! Phrases are written as plain words (see [`Words`]). `@` at the beginning stands for a player:
//! `white`, `black`, the name in the tag, and in a tag any words; `*` for one or more words. What
//! a phrase begins with (`game drawn by`, `xboard adjudication`) stands in [`BEGINNINGS`] and not
//! in [`PHRASES`]. Beside English the commonest words of German, French, Spanish, Italian and Dutch
//! are known, where they can mean nothing else. A text is a phrase or it is none: nothing is looked for inside of prose.

use shakmaty::Color;

use super::engine_data::behind_engine_data;
use super::words::{Words, ends_with_words, fits, strip_words};
use super::{Claim, ClaimSource, RecordedEnd};
use crate::diagnostics::Span;
use crate::replay::{GameResult, KnownTags};

use RecordedEnd::{
    Abandoned, Adjudication, Agreement, Checkmate, Death, Emergency, FiftyMoves, Fivefold,
    InsufficientMaterial, PerpetualCheck, Resignation, RulesInfraction, SeventyFiveMoves,
    Stalemate, Threefold, Timeout, TimeoutVsInsufficient,
};
use Says::{Draw, DrawOf, Loses, Nothing, Wins};

/// What a phrase implies of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Nothing,
    Draw,
    /// A draw, and something of the player.
    DrawOf,
    /// The player wins.
    Wins,
    /// The player loses.
    Loses,
}

/// Words before the reason, and whether they say that the game was drawn. Of two that begin
/// alike, the longer one first.
static BEGINNINGS: &[(&str, bool)] = &[
    ("game drawn because of", true),
    ("game drawn because", true),
    ("game drawn due to", true),
    ("game drawn by", true),
    ("game is drawn by", true),
    ("game drawn", true),
    ("draw because of", true),
    ("draw claimed by", true),
    ("draw due to", true),
    ("draw claim", true),
    ("draw with", true),
    ("draw by", true),
    ("draw", true),
    ("remis durch die", true),
    ("remis durch", true),
    ("remis wegen", true),
    ("remis", true),
    ("partie nulle par la", true),
    ("partie nulle par", true),
    ("partie nulle", true),
    ("nulle par la", true),
    ("nulle par", true),
    ("nulle", true),
    ("tablas por la", true),
    ("tablas por", true),
    ("tablas", true),
    ("patta per la", true),
    ("patta per", true),
    ("patta", true),
    ("remise door de", true),
    ("remise door", true),
    ("remise wegens", true),
    ("remise", true),
    ("drawn by", true),
    ("drawn", true),
    ("1 2 1 2", true),
    ("xboard adjudication", false),
    ("xboard", false),
    ("arena adjudication", false),
    ("adjudication", false),
    ("the", false),
];

static PHRASES: &[(&str, RecordedEnd, Says)] = &[
    ("repetition", Threefold, Draw),
    ("repetition draw", Threefold, Draw),
    ("repetition of moves", Threefold, Draw),
    ("repetition of position", Threefold, Draw),
    ("repetition of the position", Threefold, Draw),
    ("move repetition", Threefold, Draw),
    ("position repetition", Threefold, Draw),
    ("3 fold", Threefold, Draw),
    ("3 fold rep", Threefold, Draw),
    ("3 fold repetition", Threefold, Draw),
    ("3 fold repetition of position", Threefold, Draw),
    ("3fold", Threefold, Draw),
    ("3fold rep", Threefold, Draw),
    ("3fold repetition", Threefold, Draw),
    ("3 times repetition", Threefold, Draw),
    ("3 x repetition", Threefold, Draw),
    ("3x repetition", Threefold, Draw),
    ("three fold repetition", Threefold, Draw),
    ("three fold repetition of position", Threefold, Draw),
    ("threefold", Threefold, Draw),
    ("threefold repetition", Threefold, Draw),
    ("threefold repetition of moves", Threefold, Draw),
    ("threefold repetition of position", Threefold, Draw),
    ("triple repetition", Threefold, Draw),
    ("stellungswiederholung", Threefold, Draw),
    ("dreifache stellungswiederholung", Threefold, Draw),
    ("dreimalige stellungswiederholung", Threefold, Draw),
    ("3 fache stellungswiederholung", Threefold, Draw),
    ("3 malige stellungswiederholung", Threefold, Draw),
    ("zugwiederholung", Threefold, Draw),
    ("repetition de coups", Threefold, Draw),
    ("repetition de la position", Threefold, Draw),
    ("repetition de position", Threefold, Draw),
    ("repetition de positions", Threefold, Draw),
    ("triple repetition de la position", Threefold, Draw),
    ("repeticion", Threefold, Draw),
    ("repeticion de jugadas", Threefold, Draw),
    ("repeticion de la posicion", Threefold, Draw),
    ("repeticion de movimientos", Threefold, Draw),
    ("repeticion de posicion", Threefold, Draw),
    ("repeticion de posiciones", Threefold, Draw),
    ("triple repeticion", Threefold, Draw),
    ("triple repeticion de posicion", Threefold, Draw),
    ("ripetizione", Threefold, Draw),
    ("ripetizione di mosse", Threefold, Draw),
    ("ripetizione di posizione", Threefold, Draw),
    ("ripetizione della posizione", Threefold, Draw),
    ("triplice ripetizione", Threefold, Draw),
    ("triplice ripetizione della posizione", Threefold, Draw),
    ("tripla ripetizione", Threefold, Draw),
    ("herhaling van zetten", Threefold, Draw),
    ("zetherhaling", Threefold, Draw),
    ("stellingherhaling", Threefold, Draw),
    ("5 fold repetition", Fivefold, Draw),
    ("5fold repetition", Fivefold, Draw),
    ("five fold repetition", Fivefold, Draw),
    ("fivefold", Fivefold, Draw),
    ("fivefold repetition", Fivefold, Draw),
    ("funffache stellungswiederholung", Fivefold, Draw),
    ("funfmalige stellungswiederholung", Fivefold, Draw),
    ("quintuple repetition", Fivefold, Draw),
    ("quintuple repeticion", Fivefold, Draw),
    ("50 move", FiftyMoves, Draw),
    ("50 move draw", FiftyMoves, Draw),
    ("50 move rule", FiftyMoves, Draw),
    ("50 moves", FiftyMoves, Draw),
    ("50 moves rule", FiftyMoves, Draw),
    ("50move rule", FiftyMoves, Draw),
    ("fifty move", FiftyMoves, Draw),
    ("fifty move rule", FiftyMoves, Draw),
    ("fifty moves", FiftyMoves, Draw),
    ("fifty moves rule", FiftyMoves, Draw),
    ("50 zuge regel", FiftyMoves, Draw),
    ("50 zuege regel", FiftyMoves, Draw),
    ("funfzig zuge regel", FiftyMoves, Draw),
    ("fuenfzig zuege regel", FiftyMoves, Draw),
    ("regle des 50 coups", FiftyMoves, Draw),
    ("regle des cinquante coups", FiftyMoves, Draw),
    ("regla de 50 movimientos", FiftyMoves, Draw),
    ("regla de los 50 movimientos", FiftyMoves, Draw),
    ("regla de las 50 jugadas", FiftyMoves, Draw),
    ("regla de los cincuenta movimientos", FiftyMoves, Draw),
    ("regola delle 50 mosse", FiftyMoves, Draw),
    ("regola delle cinquanta mosse", FiftyMoves, Draw),
    ("50 zettenregel", FiftyMoves, Draw),
    ("50 zetten regel", FiftyMoves, Draw),
    ("vijftig zettenregel", FiftyMoves, Draw),
    ("vijftigzettenregel", FiftyMoves, Draw),
    ("75 move rule", SeventyFiveMoves, Draw),
    ("75 moves", SeventyFiveMoves, Draw),
    ("75 moves rule", SeventyFiveMoves, Draw),
    ("seventy five move rule", SeventyFiveMoves, Draw),
    ("seventy five moves rule", SeventyFiveMoves, Draw),
    ("seventyfive move rule", SeventyFiveMoves, Draw),
    ("75 zuge regel", SeventyFiveMoves, Draw),
    ("75 zuege regel", SeventyFiveMoves, Draw),
    ("regle des 75 coups", SeventyFiveMoves, Draw),
    ("regla de los 75 movimientos", SeventyFiveMoves, Draw),
    ("regola delle 75 mosse", SeventyFiveMoves, Draw),
    ("75 zettenregel", SeventyFiveMoves, Draw),
    ("stalemate", Stalemate, Draw),
    ("stalemated", Stalemate, Draw),
    ("@ stalemated", Stalemate, DrawOf),
    ("@ is stalemated", Stalemate, DrawOf),
    ("patt", Stalemate, Draw),
    ("pat", Stalemate, Draw),
    ("ahogado", Stalemate, Draw),
    ("rey ahogado", Stalemate, Draw),
    ("stallo", Stalemate, Draw),
    ("bare kings", InsufficientMaterial, Draw),
    ("both players have insufficient material", InsufficientMaterial, Draw),
    ("dead position", InsufficientMaterial, Draw),
    ("insufficient material", InsufficientMaterial, Draw),
    ("insufficient mating material", InsufficientMaterial, Draw),
    ("insufficient winning material", InsufficientMaterial, Draw),
    ("lack of mating material", InsufficientMaterial, Draw),
    ("neither player has mating material", InsufficientMaterial, Draw),
    ("neither player has sufficient material", InsufficientMaterial, Draw),
    ("neither side has mating material", InsufficientMaterial, Draw),
    ("no mating material", InsufficientMaterial, Draw),
    ("tote stellung", InsufficientMaterial, Draw),
    ("ungenugendes material", InsufficientMaterial, Draw),
    ("ungenugenden materials", InsufficientMaterial, Draw),
    ("unzureichendes material", InsufficientMaterial, Draw),
    ("unzureichenden materials", InsufficientMaterial, Draw),
    ("materiel insuffisant", InsufficientMaterial, Draw),
    ("insuffisance de materiel", InsufficientMaterial, Draw),
    ("material insuficiente", InsufficientMaterial, Draw),
    ("materiale insufficiente", InsufficientMaterial, Draw),
    ("onvoldoende materiaal", InsufficientMaterial, Draw),
    ("flag fall vs insufficient material", TimeoutVsInsufficient, Draw),
    ("time forfeit vs insufficient material", TimeoutVsInsufficient, Draw),
    ("time out vs insufficient material", TimeoutVsInsufficient, Draw),
    ("timeout vs insufficient material", TimeoutVsInsufficient, Draw),
    ("timeout with insufficient material", TimeoutVsInsufficient, Draw),
    ("ran out of time opponent has insufficient material", TimeoutVsInsufficient, Draw),
    ("@ ran out of time opponent has insufficient material", TimeoutVsInsufficient, DrawOf),
    ("@ ran out of time and * has no material to mate", TimeoutVsInsufficient, DrawOf),
    ("@ ran out of time and * has insufficient material", TimeoutVsInsufficient, DrawOf),
    ("agreed", Agreement, Draw),
    ("agreement", Agreement, Draw),
    ("agreement of both players", Agreement, Draw),
    ("both players agree to a draw", Agreement, Draw),
    ("both players agreed to a draw", Agreement, Draw),
    ("mutual agreement", Agreement, Draw),
    ("mutual consent", Agreement, Draw),
    ("players agreed to a draw", Agreement, Draw),
    ("vereinbarung", Agreement, Draw),
    ("accord mutuel", Agreement, Draw),
    ("accord", Agreement, Draw),
    ("acuerdo", Agreement, Draw),
    ("acuerdo mutuo", Agreement, Draw),
    ("mutuo acuerdo", Agreement, Draw),
    ("accordo", Agreement, Draw),
    ("d accordo", Agreement, Draw),
    ("in onderling overleg", Agreement, Draw),
    ("perpetual", PerpetualCheck, Draw),
    ("perpetual check", PerpetualCheck, Draw),
    ("dauerschach", PerpetualCheck, Draw),
    ("echec perpetuel", PerpetualCheck, Draw),
    ("jaque perpetuo", PerpetualCheck, Draw),
    ("jaque continuo", PerpetualCheck, Draw),
    ("scacco perpetuo", PerpetualCheck, Draw),
    ("eeuwig schaak", PerpetualCheck, Draw),
    ("adjudicated", Adjudication, Nothing),
    ("adjudication", Adjudication, Nothing),
    ("adjudication *", Adjudication, Nothing),
    ("manual adjudication", Adjudication, Nothing),
    ("nalimov tb", Adjudication, Nothing),
    ("syzygy", Adjudication, Nothing),
    ("syzygy tb", Adjudication, Nothing),
    ("syzygytb", Adjudication, Nothing),
    ("tablebase", Adjudication, Nothing),
    ("tablebases", Adjudication, Nothing),
    ("tcec draw rule", Adjudication, Draw),
    ("tcec win rule", Adjudication, Nothing),
    ("trivial draw", Adjudication, Draw),
    ("@ wins by adjudication", Adjudication, Wins),
    ("@ wins by adjudication *", Adjudication, Wins),
    ("@ won by adjudication", Adjudication, Wins),
    ("checkmate", Checkmate, Nothing),
    ("mate", Checkmate, Nothing),
    ("schachmatt", Checkmate, Nothing),
    ("echec et mat", Checkmate, Nothing),
    ("jaque mate", Checkmate, Nothing),
    ("scacco matto", Checkmate, Nothing),
    ("schaakmat", Checkmate, Nothing),
    ("@ checkmated", Checkmate, Loses),
    ("@ is checkmated", Checkmate, Loses),
    ("@ was checkmated", Checkmate, Loses),
    ("@ checkmates", Checkmate, Wins),
    ("@ mates", Checkmate, Wins),
    ("@ wins by checkmate", Checkmate, Wins),
    ("@ wins by mate", Checkmate, Wins),
    ("@ won by checkmate", Checkmate, Wins),
    ("@ won by mate", Checkmate, Wins),
    ("both players ran out of time", Timeout, Draw),
    ("flag fall", Timeout, Nothing),
    ("on time", Timeout, Nothing),
    ("time", Timeout, Nothing),
    ("time forfeit", Timeout, Nothing),
    ("time out", Timeout, Nothing),
    ("timeout", Timeout, Nothing),
    ("@ forfeits on time", Timeout, Loses),
    ("@ loses on time", Timeout, Loses),
    ("@ lost on time", Timeout, Loses),
    ("@ ran out of time", Timeout, Loses),
    ("@ runs out of time", Timeout, Loses),
    ("@ wins on time", Timeout, Wins),
    ("@ won on time", Timeout, Wins),
    ("resignation", Resignation, Nothing),
    ("@ resigned", Resignation, Loses),
    ("@ resigns", Resignation, Loses),
    ("@ wins by resignation", Resignation, Wins),
    ("@ won by resignation", Resignation, Wins),
    ("abandoned", Abandoned, Nothing),
    ("game abandoned", Abandoned, Nothing),
    ("@ abandons the game", Abandoned, Loses),
    ("@ disconnected", Abandoned, Loses),
    ("@ disconnects", Abandoned, Loses),
    ("@ forfeits by disconnection", Abandoned, Loses),
    ("@ s connection stalls", Abandoned, Loses),
    ("@ won game abandoned", Abandoned, Wins),
    ("illegal move", RulesInfraction, Nothing),
    ("rules infraction", RulesInfraction, Nothing),
    ("@ makes an illegal move", RulesInfraction, Loses),
    ("@ makes an illegal move *", RulesInfraction, Loses),
    ("death", Death, Nothing),
    ("emergency", Emergency, Nothing),
];

/// Phrases that commentators write, too: in a comment they count only behind engine data.
static ALSO_PROSE: &[&str] = &[
    "@ mates",
    "@ checkmates",
    "dead position",
    "tote stellung",
    "on time",
    "echec et mat",
    "jaque mate",
    "scacco matto",
];

/// Whose names stand in the tags.
#[derive(Clone, Copy, Debug)]
pub struct Players<'a> {
    pub bytes: &'a [u8],
    pub tags: &'a KnownTags,
}

impl Players<'_> {
    /// The player that the words begin with, and the words behind.
    fn strip<'t>(&self, text: &'t [u8]) -> Option<(Color, &'t [u8])> {
        let named = |tag: Option<Span>| {
            let name = Words::of(tag?.of(self.bytes))?;
            if name.is_empty() { None } else { strip_words(text, name.as_bytes()) }
        };
        match (named(self.tags.white), named(self.tags.black)) {
            // The longer name leaves less: `Deep` and `Deep Blue`.
            (Some(rest), Some(other)) if rest.len() < other.len() => Some((Color::White, rest)),
            (Some(rest), Some(other)) if rest.len() > other.len() => Some((Color::Black, other)),
            (Some(rest), None) => Some((Color::White, rest)),
            (None, Some(rest)) => Some((Color::Black, rest)),
            _ => strip_words(text, b"white")
                .map(|rest| (Color::White, rest))
                .or_else(|| strip_words(text, b"black").map(|rest| (Color::Black, rest))),
        }
    }
}

/// Reads the value of a tag.
pub fn read_tag(bytes: &[u8], value: Span, players: &Players<'_>) -> Option<Claim> {
    // What nearly every game of a server has is not looked for in the table.
    let text = value.of(bytes);
    if text.eq_ignore_ascii_case(b"normal") {
        return None;
    }
    if text.eq_ignore_ascii_case(b"time forfeit") {
        let (end, source) = (Timeout, ClaimSource::Tag);
        return Some(Claim { end, result: None, player: None, source, span: value });
    }
    let words = Words::of(value.of(bytes))?;
    let found = find(words.as_bytes(), players, true)?;
    Some(found.claim(ClaimSource::Tag, value))
}

/// What a comment has to be to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// More than one word, as programs write it, or one behind engine data.
    Phrase,
    /// `{Stalemate}` too.
    Remark,
}

/// Reads a comment, with its braces or its semicolon.
pub fn read_comment(
    bytes: &[u8],
    comment: Span,
    players: &Players<'_>,
    wording: Wording,
) -> Option<Claim> {
    let inside = match comment.of(bytes) {
        [b'{', inside @ .., b'}'] | [b'{' | b';', inside @ ..] => inside,
        _ => return None,
    };
    let (text, behind_data) = behind_engine_data(inside);
    if text.is_empty() {
        return None;
    }
    let words = Words::of(text)?;
    let found = find(words.as_bytes(), players, false)?;
    let is_one_word = wording == Wording::Phrase && !words.as_bytes().contains(&b' ');
    // A perpetual check may be one that was seen coming, or avoided.
    let is_prose =
        ALSO_PROSE.contains(&found.phrase) || (found.end == PerpetualCheck && !found.drawn);
    if !behind_data && (is_one_word || is_prose) {
        return None;
    }
    let start = comment.start + 1 + offset_in(inside, text);
    Some(found.claim(ClaimSource::Comment, Span::new(start, start + text.len())))
}

/// Where a part of a text begins in it.
fn offset_in(text: &[u8], part: &[u8]) -> usize {
    part.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

/// A phrase that was found, with the player that it speaks of.
struct Found {
    phrase: &'static str,
    end: RecordedEnd,
    says: Says,
    player: Option<Color>,
    drawn: bool,
}

impl Found {
    fn claim(&self, source: ClaimSource, span: Span) -> Claim {
        let wins = |color: Color| color.fold_wb(GameResult::WhiteWins, GameResult::BlackWins);
        let result = match self.says {
            Draw | DrawOf => Some(GameResult::Draw),
            Nothing => self.drawn.then_some(GameResult::Draw),
            Wins => self.player.map(wins),
            Loses => self.player.map(|player| wins(!player)),
        };
        Claim { end: self.end, result, player: self.player, source, span }
    }
}

/// What the words say, without as many beginnings as can be taken off.
fn find(words: &[u8], players: &Players<'_>, any_player: bool) -> Option<Found> {
    let beginning = BEGINNINGS.iter().find_map(|(beginning, drawn)| {
        let rest = strip_words(words, beginning.as_bytes())?;
        Some((rest, *drawn)).filter(|(rest, _)| !rest.is_empty())
    });
    if let Some((rest, drawn)) = beginning
        && let Some(found) = find(rest, players, any_player)
    {
        return Some(Found { drawn: found.drawn || drawn, ..found });
    }
    let whole = PHRASES.iter().filter(|(phrase, ..)| !phrase.starts_with('@'));
    for &(phrase, end, says) in whole {
        if fits(words, phrase.as_bytes()) {
            return Some(Found { phrase, end, says, player: None, drawn: false });
        }
    }
    let named = players.strip(words);
    let of_players = PHRASES.iter().filter_map(|&(phrase, end, says)| {
        phrase.strip_prefix("@ ").map(|behind| (phrase, behind.as_bytes(), end, says))
    });
    for (phrase, behind, end, says) in of_players {
        if let Some((player, rest)) = named
            && fits(rest, behind)
        {
            return Some(Found { phrase, end, says, player: Some(player), drawn: false });
        }
        if any_player && ends_with_words(words, behind) {
            return Some(Found { phrase, end, says, player: None, drawn: false });
        }
    }
    None
}

#[cfg(test)]
mod tests;
