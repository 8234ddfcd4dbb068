//! The phrases that programs and servers write, and prose that must not be taken for one.

use super::*;
use GameResult::{BlackWins, WhiteWins};

const DRAWN: Option<GameResult> = Some(GameResult::Draw);

/// A tag's value or a comment between two players, `Anna-1` and `Deep Bob`.
fn read(text: &str) -> Option<Claim> {
    let bytes = format!("Anna-1Deep Bob{text}");
    let tags = KnownTags {
        white: Some(Span::new(0, 6)),
        black: Some(Span::new(6, 14)),
        ..KnownTags::default()
    };
    let players = Players { bytes: bytes.as_bytes(), tags: &tags };
    let span = Span::new(14, bytes.len());
    if text.starts_with(['{', ';']) {
        read_comment(bytes.as_bytes(), span, &players, Wording::Phrase)
    } else {
        read_tag(bytes.as_bytes(), span, &players)
    }
}

fn said(text: &str) -> Option<(RecordedEnd, Option<GameResult>)> {
    read(text).map(|claim| (claim.end, claim.result))
}

#[test]
fn tags_name_the_end_in_the_words_of_the_standard_and_of_servers() {
    for (value, end, result) in [
        // PGN standard 9.8.1, and Lichess.
        ("abandoned", Abandoned, None),
        ("adjudication", Adjudication, None),
        ("death", Death, None),
        ("emergency", Emergency, None),
        ("rules infraction", RulesInfraction, None),
        ("Rules infraction", RulesInfraction, None),
        ("Time forfeit", Timeout, None),
        ("Insufficient material", InsufficientMaterial, DRAWN),
        // Chess.com.
        ("Game drawn by repetition", Threefold, DRAWN),
        ("Game drawn by 50-move rule", FiftyMoves, DRAWN),
        ("Game drawn by insufficient material", InsufficientMaterial, DRAWN),
        ("Game drawn by timeout vs insufficient material", TimeoutVsInsufficient, DRAWN),
        ("Game drawn by stalemate", Stalemate, DRAWN),
        ("Game drawn by agreement", Agreement, DRAWN),
        ("Anna-1 won by checkmate", Checkmate, Some(WhiteWins)),
        ("deep bob won by resignation", Resignation, Some(BlackWins)),
        ("Anna-1 won on time", Timeout, Some(WhiteWins)),
        ("Deep Bob won - game abandoned", Abandoned, Some(BlackWins)),
        ("Somebody Else won on time", Timeout, None),
        // TCEC.
        ("3-Fold repetition", Threefold, DRAWN),
        ("Fifty moves rule", FiftyMoves, DRAWN),
        ("Stalemate", Stalemate, DRAWN),
        ("TCEC draw rule", Adjudication, DRAWN),
        ("TCEC win rule", Adjudication, None),
        ("SyzygyTB", Adjudication, None),
        ("Manual adjudication", Adjudication, None),
        ("3-fold rep", Threefold, DRAWN),
        ("50-move rule", FiftyMoves, DRAWN),
        ("White mates", Checkmate, Some(WhiteWins)),
        ("illegal move", RulesInfraction, None),
        // ICC.
        ("White checkmated", Checkmate, Some(BlackWins)),
        ("Black resigns", Resignation, Some(WhiteWins)),
        ("Black forfeits on time", Timeout, Some(WhiteWins)),
        ("Game drawn by mutual agreement", Agreement, DRAWN),
        ("Game drawn by the 50 move rule", FiftyMoves, DRAWN),
        ("Game drawn because neither player has mating material", InsufficientMaterial, DRAWN),
        ("White stalemated", Stalemate, DRAWN),
        ("Draw by 3x repetition", Threefold, DRAWN),
        ("ran out of time, opponent has insufficient material", TimeoutVsInsufficient, DRAWN),
        (
            "Deep Bob ran out of time, opponent has insufficient material",
            TimeoutVsInsufficient,
            DRAWN,
        ),
        // In any case, with any punctuation.
        ("GAME DRAWN BY REPETITION.", Threefold, DRAWN),
        ("drawn by threefold-repetition", Threefold, DRAWN),
    ] {
        assert_eq!(said(value), Some((end, result)), "{value}");
    }
}

#[test]
fn comments_name_the_end_in_the_words_of_servers_and_programs() {
    for (comment, end, result) in [
        // FICS.
        ("{Game drawn by repetition}", Threefold, DRAWN),
        ("{Game drawn by the 50 move rule}", FiftyMoves, DRAWN),
        ("{Game drawn by mutual agreement}", Agreement, DRAWN),
        ("{Game drawn by stalemate}", Stalemate, DRAWN),
        ("{Neither player has mating material}", InsufficientMaterial, DRAWN),
        (
            "{Anna-1 ran out of time and Deep Bob has no material to mate}",
            TimeoutVsInsufficient,
            DRAWN,
        ),
        ("{Game drawn because both players ran out of time}", Timeout, DRAWN),
        ("{Anna-1 forfeits on time}", Timeout, Some(BlackWins)),
        ("{Deep Bob forfeits by disconnection}", Abandoned, Some(WhiteWins)),
        ("{Anna-1 checkmated}", Checkmate, Some(BlackWins)),
        ("{Deep Bob resigns}", Resignation, Some(WhiteWins)),
        // cutechess and fastchess.
        ("{Draw by 3-fold repetition}", Threefold, DRAWN),
        ("{0.00/95 1.612s, Draw by 3-fold repetition}", Threefold, DRAWN),
        ("{Draw by fifty moves rule}", FiftyMoves, DRAWN),
        ("{Draw by insufficient mating material}", InsufficientMaterial, DRAWN),
        ("{Draw by stalemate}", Stalemate, DRAWN),
        ("{Draw by adjudication: SyzygyTB}", Adjudication, DRAWN),
        ("{Draw by agreement}", Agreement, DRAWN),
        ("{White loses on time}", Timeout, Some(BlackWins)),
        ("{Black makes an illegal move: c1c4}", RulesInfraction, Some(WhiteWins)),
        ("{White disconnects}", Abandoned, Some(BlackWins)),
        ("{+M1/5 0.1s, White mates}", Checkmate, Some(WhiteWins)),
        ("{White wins by adjudication: TCEC win rule}", Adjudication, Some(WhiteWins)),
        ("{d=1, sd=2, pv=a4 a5, 3-Fold repetition}", Threefold, DRAWN),
        ("{d=1, Stalemate}", Stalemate, DRAWN),
        // XBoard.
        ("{Xboard adjudication: Checkmate}", Checkmate, None),
        ("{Draw by repetition}", Threefold, DRAWN),
        ("; Draw by repetition", Threefold, DRAWN),
        ("{[%clk 0:00:07] Draw by repetition}", Threefold, DRAWN),
    ] {
        assert_eq!(said(comment), Some((end, result)), "{comment}");
    }
}

#[test]
fn the_end_may_be_named_in_five_other_languages_in_any_case_and_with_or_without_accents() {
    for (text, end) in [
        ("Remis durch Stellungswiederholung", Threefold),
        ("remis durch dreimalige Stellungswiederholung", Threefold),
        ("Dreifache Stellungswiederholung", Threefold),
        ("Remis durch Zugwiederholung", Threefold),
        ("Remis durch die 50-Züge-Regel", FiftyMoves),
        ("REMIS DURCH 50-ZÜGE-REGEL", FiftyMoves),
        ("Remis durch 50-Zuege-Regel", FiftyMoves),
        ("Remis durch Patt", Stalemate),
        ("Remis durch ungenügendes Material", InsufficientMaterial),
        ("Remis wegen ungenügenden Materials", InsufficientMaterial),
        ("Remis durch Vereinbarung", Agreement),
        ("Nulle par répétition", Threefold),
        ("Partie nulle par répétition de positions", Threefold),
        ("nulle par repetition", Threefold),
        ("Nulle par la règle des 50 coups", FiftyMoves),
        ("Nulle par pat", Stalemate),
        ("Nulle par accord mutuel", Agreement),
        ("Tablas por repetición", Threefold),
        ("Tablas por triple repetición", Threefold),
        ("Tablas por la regla de los 50 movimientos", FiftyMoves),
        ("Tablas por ahogado", Stalemate),
        ("Tablas por material insuficiente", InsufficientMaterial),
        ("Patta per ripetizione", Threefold),
        ("Patta per triplice ripetizione", Threefold),
        ("Patta per la regola delle 50 mosse", FiftyMoves),
        ("Patta per stallo", Stalemate),
        ("Patta d'accordo", Agreement),
        ("Remise door herhaling van zetten", Threefold),
        ("Remise door zetherhaling", Threefold),
        ("Remise door de 50-zettenregel", FiftyMoves),
        ("Remise door pat", Stalemate),
        ("Remise in onderling overleg", Agreement),
    ] {
        let expected = Some((end, DRAWN));
        assert_eq!(said(text), expected, "{text}");
        assert_eq!(said(&format!("{{{text}}}")), expected, "{text}");
    }
    for (tag, end) in
        [("Patt", Stalemate), ("Pat", Stalemate), ("Ahogado", Stalemate), ("Stallo", Stalemate)]
    {
        assert_eq!(said(tag), Some((end, DRAWN)), "{tag}");
        assert_eq!(said(&format!("{{{tag}}}")), None, "{tag}");
    }
}

#[test]
fn a_perpetual_check_is_a_word_of_its_own() {
    for (text, expected) in [
        ("Perpetual check", Some((PerpetualCheck, DRAWN))),
        ("Draw by perpetual check", Some((PerpetualCheck, DRAWN))),
        ("{Draw by perpetual check}", Some((PerpetualCheck, DRAWN))),
        ("{0.00/12 1s, Perpetual check}", Some((PerpetualCheck, DRAWN))),
        ("{Perpetual check}", None),
        ("{Perpetual check!}", None),
    ] {
        assert_eq!(said(text), expected, "{text}");
    }
}

#[test]
fn tags_that_give_no_reason_give_none() {
    for value in
        ["Normal", "normal", "Unterminated", "Unknown", "", "?", "F8f7", "White won", "Anna-1"]
    {
        assert_eq!(said(value), None, "{value}");
    }
}

#[test]
fn prose_in_a_comment_is_no_reason() {
    for comment in [
        "{A draw by repetition was possible}",
        "{A draw by repetition}",
        "{White avoids the repetition}",
        "{and a draw by repetition}",
        "{Draw by repetition was the logical result}",
        "{Repetition}",
        "{Draw}",
        "{Draw.}",
        "{Stalemate!}",
        "{Time}",
        "{White mates}",
        "{White mates in two}",
        "{Black is lost on time and position}",
        "{a dead position}",
        "{Dead position}",
        "{The game was adjudicated later}",
        "{White resigned in view of 40.Qh7}",
        "{Kasparov resigns}",
        "{Remis}",
        "{Ein Remis durch Stellungswiederholung war möglich}",
        "{Nulle par répétition était possible}",
        "{Jaque mate}",
        "{38...Rb8 39.Ra1, draw by repetition}",
        "{}",
        "{Agreed}",
    ] {
        assert_eq!(said(comment), None, "{comment}");
    }
}

#[test]
fn the_claim_stands_where_its_words_stand() {
    let claim = read("{0.00/95 1.612s, Draw by 3-fold repetition }").unwrap();
    let start = 14 + "{0.00/95 1.612s, ".len();
    assert_eq!(claim.span, Span::new(start, start + "Draw by 3-fold repetition".len()));
    assert_eq!(read("Stalemate").unwrap().span, Span::new(14, 23));
}

#[test]
fn phrases_are_plain_words_and_stand_once() {
    let mut known = std::collections::BTreeSet::new();
    for (phrase, ..) in PHRASES {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b' ';
        let words = phrase.trim_start_matches("@ ").replace('*', "x");
        assert!(words.bytes().all(plain) && words.trim() == words, "{phrase}");
        assert!(known.insert(phrase), "{phrase}");
    }
    let longest_first = BEGINNINGS.iter().enumerate().all(|(at, (one, _))| {
        BEGINNINGS[..at].iter().all(|(before, _)| !one.starts_with(&format!("{before} ")))
    });
    assert!(longest_first);
}
