//! A small archive and the reports on it, made by hand.

use pgn_arbiter::diagnostics::{
    Applicability, Edit, Finding, Fix, FixSource, Ply, Span, count_line_ends,
};
use pgn_arbiter::judge::{ChunkReport, Duplicate};
use pgn_arbiter::replay::{
    ChunkRecords, ClaimSource, ClaimVerdict, DrawRecord, EndState, GameClaim, GameRecord,
    GameResult, KnownTags, PieceSource, Promotion, Reason, RecordedEnd, Verdict,
};
use pgn_arbiter::rules::{promotions, structure};
use pgn_arbiter::source::TextEncoding;
use shakmaty::fen::Fen;
use shakmaty::{ByColor, CastlingMode, Chess, Color, Role, Square};

/// One game of the test archive: its text and the gap behind it. Every third has a promotion,
/// every fifth a finding before it that belongs to no game.
pub fn game_text(index: usize) -> String {
    let elo = if index.is_multiple_of(2) { "2400" } else { "-" };
    format!(
        "[Event \"Rated Blitz game\"]\n[Site \"Z\u{fc}rich {index}\"]\r\n[Date \"2024.03.{:02}\"]\n\
         [White \"Anna \\\"A\\\" {index}\"]\n[Black \"B\"]\n[Result \"*\"]\n[WhiteElo \"{elo}\"]\n\
         [TimeControl \"300+3\"]\n\n1. e4 {{{}}} b1 1-0\n\n",
        index % 40,
        "x".repeat(index * 7 % 50),
    )
}

fn span_of(text: &str, base: usize, piece: &str) -> Option<Span> {
    text.find(piece).map(|at| Span::new(base + at, base + at + piece.len()))
}

fn tag(text: &str, base: usize, name: &str) -> Option<Span> {
    let start = text.find(&format!("[{name} \""))? + name.len() + 3;
    let end = start + text[start..].find("\"]")?;
    Some(Span::new(base + start, base + end))
}

fn game(text: &str, base: usize, lines_before: u64, index: usize) -> GameRecord {
    GameRecord {
        encoding: TextEncoding::Utf8,
        span: Span::new(base, base + text.trim_end().len()),
        lines_before,
        tags: KnownTags {
            event: tag(text, base, "Event"),
            site: tag(text, base, "Site"),
            date: tag(text, base, "Date"),
            white: tag(text, base, "White"),
            black: tag(text, base, "Black"),
            result: tag(text, base, "Result"),
            white_elo: tag(text, base, "WhiteElo"),
            time_control: tag(text, base, "TimeControl"),
            ..KnownTags::default()
        },
        marker: Some(GameResult::WhiteWins),
        plies: 100 + index as u32,
        certified_plies: 99,
        verdict: Verdict::Flawed,
        errors: 0,
        warnings: 1,
        end_state: EndState::None,
        promotions: u32::from(index.is_multiple_of(3)),
        underpromotions: 0,
        illegal: index.is_multiple_of(2).then_some(ByColor { white: 0, black: 1 }),
        first_threefold_ply: index.is_multiple_of(2).then_some(40),
        first_fivefold_ply: None,
        first_fifty_ply: None,
        first_seventyfive_ply: None,
        max_halfmove_clock: 12,
        claim: index.is_multiple_of(2).then_some(GameClaim {
            end: RecordedEnd::Threefold,
            verdict: ClaimVerdict::Contradicted,
            is_draw: true,
        }),
        moves_key: u64::MAX - index as u64,
        bytes_key: index as u64,
    }
}

fn promotion(game: u32) -> Promotion {
    Promotion {
        game,
        ply: 100,
        move_number: 50,
        color: Color::Black,
        from: Square::B2,
        to: Square::A1,
        piece: Role::Knight,
        piece_source: PieceSource::Explicit,
        certified: true,
        capture: Some(Role::Rook),
        gives_check: true,
        discovered_check: false,
        double_check: false,
        gives_mate: false,
        gives_stalemate: false,
        queen_would_check: false,
        queen_would_mate: false,
        queen_would_stalemate: true,
        forks: 2,
        captured_next: None,
        last_ply: true,
        nth_of_side: 1,
        queens_before: 0,
        legal_replies: 3,
        reason: Some(Reason::AvoidsStalemate),
        before: position_before(),
        clock_s: Some(12.5),
    }
}

fn position_before() -> Chess {
    let fen: Fen = "4k3/8/8/8/8/8/1p6/R3K3 b - - 0 50".parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

fn missing_piece(text: &str, base: usize, game: u32) -> Finding {
    let token = span_of(text, base, "b1").expect("every game has the token");
    let after = Span::new(token.end, token.end);
    let mut finding = Finding::new(&promotions::MISSING_PROMOTION_PIECE, token)
        .message("no piece is named")
        .ply(Ply { index: 100, move_number: 50, black: true, at_move: true })
        .fen("8/8/8/8/8/8/1p6/8 b - - 0 50".to_owned())
        .fix(Fix {
            title: "name the queen".to_owned(),
            applicability: Applicability::Unsafe,
            source: FixSource::Assumed,
            edits: vec![Edit { span: after, content: b"=Q".to_vec() }],
        });
    finding.game = Some(game);
    finding
}

/// A draw that the score records in its last move's word, and one that it does not.
fn draws(text: &str, base: usize, game: u32) -> [DrawRecord; 2] {
    let token = span_of(text, base, "b1").expect("every game has the token");
    let unclaimed = DrawRecord {
        game,
        recorded: None,
        rule: RecordedEnd::FiftyMoves,
        first_available_ply: Some(90),
        plies_played_on: Some(12),
        could_claim: Some(Color::White),
        occurrences: Some(1),
        halfmove_clock: Some(100),
    };
    let recorded = DrawRecord {
        recorded: Some((ClaimSource::Comment, token, ClaimVerdict::Contradicted)),
        rule: RecordedEnd::Threefold,
        first_available_ply: None,
        plies_played_on: None,
        could_claim: None,
        occurrences: Some(2),
        ..unclaimed
    };
    [recorded, unclaimed]
}

/// The bytes and the report of the games `first..first + count` as one chunk.
pub fn chunk(first: usize, count: usize) -> (Vec<u8>, ChunkReport) {
    let (mut bytes, mut report) = (Vec::new(), ChunkReport::default());
    let mut records = ChunkRecords::default();
    for index in first..first + count {
        let text = game_text(index);
        let base = bytes.len();
        let number = records.games.len() as u32;
        if index.is_multiple_of(5) {
            let before = Span::new(base, base);
            report.findings.push(Finding::new(&structure::TEXT_BETWEEN_GAMES, before));
        }
        report.findings.push(missing_piece(&text, base, number));
        if index == 2 {
            report.duplicates.push(Duplicate { game: number, of: "a.pgn@0".to_owned() });
        }
        if index.is_multiple_of(3) {
            records.promotions.push(promotion(number));
        }
        if index.is_multiple_of(2) {
            records.draws.extend(draws(&text, base, number));
        }
        records.games.push(game(&text, base, count_line_ends(&bytes), index));
        bytes.extend_from_slice(text.as_bytes());
    }
    report.line_ends = count_line_ends(&bytes);
    report.records = records;
    (bytes, report)
}
