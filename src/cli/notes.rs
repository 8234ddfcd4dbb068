//! What is told on standard error: notes, which `--quiet` silences, and errors, which nothing does.

use std::error::Error as _;
use std::io::{self, Write};
use std::time::Duration;

use crate::diagnostics::Severity;
use crate::error::Error;
use crate::report::{Counted, Grouped, Margins, RunSummary, push_wrapped, width_of};

/// Of the files that are left aside in an archive, so many are named.
const LEFT_ASIDE_NAMED: usize = 5;

/// Prints `pgn-arbiter: error: ...` with every cause that the message does not name itself.
pub fn print_error(error: &Error) {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let text = next.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        cause = next.source();
    }
    print_line(&format!("error: {message}"));
}

/// Prints `pgn-arbiter: ...`.
pub fn print_note(note: &str) {
    print_line(note);
}

/// `1,234 games: 3 errors, 0 warnings, 7 facts; 0.41 s, 140.2 MB/s, 3,010 games/s, 2 threads`
pub fn closing_note(run: &RunSummary) -> String {
    let counts = &run.counts;
    let games = counts.ledger.games_judged;
    let (bytes, elapsed) = (counts.ledger.bytes_in, run.elapsed.max(Duration::from_millis(1)));
    let seconds = elapsed.as_secs_f64();
    let known = run
        .known_faults
        .map_or_else(String::new, |known| format!("; {} left out", Counted(known, "known fault")));
    format!(
        "{}: {}, {}, {}{known}; {seconds:.2} s, {:.1} MB/s, {} games/s, {}",
        Counted(games, "game"),
        Counted(counts.severity(Severity::Error), "error"),
        Counted(counts.severity(Severity::Warning), "warning"),
        Counted(counts.severity(Severity::Info), "fact"),
        bytes as f64 / seconds / 1e6,
        Grouped((games as f64 / seconds) as u64),
        Counted(run.threads as u64, "thread"),
    )
}

/// `a.zip: 3 files left aside: readme.txt, notes.doc, ...`
pub fn left_aside_note(archive: &str, names: &[String]) -> String {
    let named = names.iter().take(LEFT_ASIDE_NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = if names.len() > LEFT_ASIDE_NAMED { ", ..." } else { "" };
    format!("{archive}: {} left aside: {named}{more}", Counted(names.len() as u64, "file"))
}

/// A closed standard error is no reason to stop: the exit status still tells.
fn print_line(text: &str) {
    let mut line = b"pgn-arbiter:".to_vec();
    let margins = Margins { used: line.len(), indent: 2, width: width_of(&io::stderr()) };
    push_wrapped(&mut line, text.as_bytes(), margins);
    line.push(b'\n');
    let _ = io::stderr().write_all(&line);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{draws, moves};

    #[test]
    fn the_closing_note_counts_by_severity_and_gives_the_speed() {
        let mut run = RunSummary { threads: 2, ..RunSummary::default() };
        run.elapsed = Duration::from_millis(500);
        run.counts.ledger.games_judged = 1_000;
        run.counts.ledger.bytes_in = 70_000_000;
        run.counts.rule(&moves::UNREADABLE_MOVE, 1);
        run.counts.rule(&draws::UNCLAIMED_THREEFOLD, 1_234);
        assert_eq!(
            closing_note(&run),
            "1,000 games: 1 error, 0 warnings, 1,234 facts; 0.50 s, 140.0 MB/s, 2,000 games/s, \
             2 threads"
        );
    }

    #[test]
    fn what_is_left_aside_in_an_archive_is_named_up_to_a_few() {
        let names: Vec<String> = (1..=6).map(|n| format!("{n}.txt")).collect();
        assert_eq!(left_aside_note("a.zip", &names[..1]), "a.zip: 1 file left aside: 1.txt");
        let note = left_aside_note("a.zip", &names);
        assert_eq!(note, "a.zip: 6 files left aside: 1.txt, 2.txt, 3.txt, 4.txt, 5.txt, ...");
    }

    #[test]
    fn a_run_that_took_no_time_has_a_speed_too() {
        let note = closing_note(&RunSummary::default());
        assert!(note.ends_with("0.00 s, 0.0 MB/s, 0 games/s, 0 threads"), "{note}");
    }
}
