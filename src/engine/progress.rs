//! The bar on standard error.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{
    HumanCount, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle,
};

use crate::source::Meter;

/// With the sum of sizes known, and without.
const BAR: &str =
    "{bar:24} {bytes}/{total_bytes} {percent}% {game_rate} games/s {eta} left {wide_msg}";
const SPINNER: &str = "{spinner} {bytes} {game_rate} games/s {elapsed} {wide_msg}";

/// How far a run has come: raw (compressed) bytes of all inputs, games a second, time left, and
/// the name of the input. Shown only where standard error is a terminal; else every call is
/// empty.
#[derive(Debug)]
pub struct Progress(Option<Shown>);

#[derive(Debug)]
struct Shown {
    bar: ProgressBar,
    games: Arc<AtomicU64>,
    inputs: Mutex<Inputs>,
}

/// The raw bytes read: of the inputs before, and of the one that is being read.
#[derive(Debug, Default)]
struct Inputs {
    before: u64,
    current: Meter,
}

impl Progress {
    /// `total`: raw bytes of all inputs, `None` where one of them does not know its size.
    pub fn new(total: Option<u64>, quiet: bool) -> Progress {
        if quiet || !io::stderr().is_terminal() {
            return Progress(None);
        }
        Progress::on(total, ProgressDrawTarget::stderr())
    }

    fn on(total: Option<u64>, target: ProgressDrawTarget) -> Progress {
        let games = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&games);
        let game_rate = move |state: &ProgressState, f: &mut dyn fmt::Write| {
            let seconds = state.elapsed().as_secs_f64().max(0.001);
            let rate = counted.load(Ordering::Relaxed) as f64 / seconds;
            // Nothing is lost if the terminal does not take it.
            let _ = write!(f, "{}", HumanCount(rate as u64));
        };
        let template = if total.is_some() { BAR } else { SPINNER };
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .with_key("game_rate", game_rate);
        let bar = ProgressBar::with_draw_target(total, target)
            .with_style(style)
            .with_finish(ProgressFinish::AndClear);
        // So that time goes on where one chunk takes long.
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress(Some(Shown { bar, games, inputs: Mutex::default() }))
    }

    /// The next input is being read.
    pub fn file(&self, name: &str, meter: Meter) {
        let Some(shown) = &self.0 else { return };
        shown.bar.set_message(printable(name).into_owned());
        shown.with_inputs(|inputs| {
            inputs.before += inputs.current.bytes();
            inputs.current = meter;
        });
    }

    /// So many games more are done. Costs far less than a game; called once a chunk.
    pub fn games(&self, count: u64) {
        let Some(shown) = &self.0 else { return };
        shown.games.fetch_add(count, Ordering::Relaxed);
        let bytes = shown.with_inputs(|inputs| inputs.before + inputs.current.bytes());
        shown.bar.set_position(bytes);
    }

    /// Takes the bar away while something is printed to the same terminal.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(shown) => shown.bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away for good.
    pub fn finish(&self) {
        if let Some(shown) = &self.0 {
            shown.bar.finish_and_clear();
        }
    }
}

impl Shown {
    fn with_inputs<T>(&self, f: impl FnOnce(&mut Inputs) -> T) -> T {
        // Two numbers cannot be left half written.
        f(&mut self.inputs.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A file's name must not be able to steer the terminal.
fn printable(name: &str) -> Cow<'_, str> {
    if name.chars().any(char::is_control) {
        name.replace(char::is_control, "?").into()
    } else {
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use indicatif::TermLike;

    use super::*;

    /// Remembers what was written to it.
    #[derive(Clone, Debug, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl Paper {
        fn put(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn text(&self) -> String {
            self.0.lock().unwrap().clone()
        }
    }

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            120
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            self.put(line)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.put(text)
        }
        fn clear_line(&self) -> io::Result<()> {
            self.put("<clear>")
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn shown(total: Option<u64>) -> (Paper, Progress) {
        let paper = Paper::default();
        let target = ProgressDrawTarget::term_like(Box::new(paper.clone()));
        (paper.clone(), Progress::on(total, target))
    }

    fn read(bytes: u64) -> Meter {
        let meter = Meter::default();
        meter.add(bytes);
        meter
    }

    #[test]
    fn the_bar_counts_the_bytes_of_all_inputs_and_names_the_one_being_read() {
        let (paper, progress) = shown(Some(4096));
        progress.file("a.pgn", read(1024));
        progress.games(10);
        progress.file("b\u{1b}[2J.pgn", read(2048));
        progress.games(10);
        let Some(shown) = &progress.0 else { panic!("it is shown") };
        assert_eq!(shown.bar.position(), 3072);
        assert_eq!(shown.games.load(Ordering::Relaxed), 20);
        shown.bar.force_draw();
        let text = paper.text();
        assert!(text.contains("3.00 KiB/4.00 KiB 75%"), "{text}");
        assert!(text.contains(" games/s ") && text.contains(" left b?[2J.pgn"), "{text}");
    }

    #[test]
    fn without_a_total_there_are_bytes_but_no_share() {
        let (paper, progress) = shown(None);
        progress.file("-", read(2048));
        progress.games(1);
        let Some(shown) = &progress.0 else { panic!("it is shown") };
        shown.bar.force_draw();
        let text = paper.text();
        assert!(text.contains("2.00 KiB") && !text.contains('%'), "{text}");
    }

    #[test]
    fn what_is_printed_meanwhile_stands_where_the_bar_was_cleared() {
        let (paper, progress) = shown(Some(10));
        progress.file("a.pgn", read(5));
        progress.games(1);
        let Some(shown) = &progress.0 else { panic!("it is shown") };
        shown.bar.force_draw();
        let before = paper.text();
        let printed = progress.suspend(|| paper.text());
        assert!(printed.len() > before.len() && printed.ends_with("<clear>"), "{printed}");
        progress.finish();
        assert!(paper.text().ends_with("<clear>"));
    }

    #[test]
    fn a_quiet_run_shows_nothing_and_prints_all_the_same() {
        let progress = Progress::new(Some(1), true);
        progress.file("a.pgn", read(1));
        progress.games(1);
        assert!(progress.0.is_none());
        assert_eq!(progress.suspend(|| 7), 7);
        progress.finish();
    }
}
