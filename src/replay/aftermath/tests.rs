//! Explanations with and without what is passed over, held against each other on random games.

use shakmaty::san::San;
use shakmaty::{Chess, Position};

use super::*;
use crate::replay::{legal_moves, why_refused};

/// A source of numbers that are the same each time.
struct Numbers64(u64);

impl Numbers64 {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
        (self.0 >> 33) as usize % limit
    }
}

/// Moves that lead pieces here and there: each may go on with one of the last pieces moved.
fn random_game(numbers: &mut Numbers64) -> (Vec<Chess>, Vec<String>) {
    let (mut positions, mut words) = (vec![Chess::new()], Vec::new());
    for _ in 0..30 + numbers.below(60) {
        let mut position = positions[positions.len() - 1].clone();
        let legal = legal_moves(&position);
        if legal.is_empty() {
            break;
        }
        let m = legal[numbers.below(legal.len())];
        words.push(San::from_move(&position, m).to_string());
        position.play_unchecked(m);
        positions.push(position);
    }
    (positions, words)
}

/// Damages a word as people and programs do.
fn damaged(words: &[String], at: usize, numbers: &mut Numbers64) -> Vec<String> {
    let mut words = words.to_vec();
    let mut letters: Vec<char> = words[at].chars().collect();
    match numbers.below(6) {
        0 => {
            let last_digit = letters.iter().rposition(char::is_ascii_digit);
            if let Some(digit) = last_digit {
                letters[digit] = char::from(b'1' + numbers.below(8) as u8);
            }
            words[at] = letters.into_iter().collect();
        }
        1 => {
            let file = letters.iter().rposition(|letter| ('a'..='h').contains(letter));
            if let Some(file) = file {
                letters[file] = char::from(b'a' + numbers.below(8) as u8);
            }
            words[at] = letters.into_iter().collect();
        }
        2 => {
            if letters[0].is_ascii_uppercase() {
                letters[0] = char::from(b"NBRQK"[numbers.below(5)]);
            }
            words[at] = letters.into_iter().collect();
        }
        3 => drop(words.remove(at)),
        4 if at + 1 < words.len() => words.swap(at, at + 1),
        _ => words.insert(at, words[at].clone()),
    }
    words
}

#[test]
fn what_is_passed_over_could_explain_nothing() {
    let mut numbers = Numbers64(7);
    let (mut refusals, mut passed_over, mut earlier) = (0, 0, 0);
    for _ in 0..1500 {
        let (positions, words) = random_game(&mut numbers);
        let at = numbers.below(words.len());
        let words = damaged(&words, at, &mut numbers);
        let (mut position, mut before) = (positions[0].clone(), Vec::new());
        for (index, word) in words.iter().enumerate() {
            let Some(written) = WrittenMove::parse(word.as_bytes()) else { break };
            let board = CompactBoard::of(&position);
            if let Some(m) = board.find(&written.san.into()) {
                let number = position.fullmoves().get();
                let span = Span::new(index, index);
                before.push(PlayedBefore { board, number, m, word: word.as_bytes(), span });
                position.play_unchecked(board.full_move(m));
                continue;
            }
            let refusal = why_refused(&position, &written.san);
            let rest: Vec<&[u8]> = words[index + 1..].iter().map(String::as_bytes).collect();
            let refused = RefusedMove {
                position: &position,
                word: word.as_bytes(),
                written: Some(&written),
                refusal: &refusal,
                before: &before[before.len().saturating_sub(16)..],
                rest: &rest,
                numbers: None,
                dialect: &Dialect::STANDARD,
            };
            let mut budget = Budget::of_game(10_000);
            let explanation = refused.explain(&mut budget);
            let mut counted = Budget::of_game(10_000);
            assert_eq!(explanation, refused.explain_counting_all(&mut counted), "{words:?}");
            assert!(budget.bounds(&counted), "{words:?}");
            refusals += 1;
            passed_over += u32::from(budget.is_estimate());
            earlier += u32::from(explanation.earlier.is_some());
            break;
        }
    }
    assert!(refusals > 500 && passed_over > 200 && earlier > 50);
}
