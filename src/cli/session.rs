//! One pass over the inputs: every chunk is judged on a worker and goes, in file order, to the
//! report, the tables and the counts.
//!
//! An input that cannot be read costs only itself, and the exit status. What fails on our side
//! (an output, a lost worker) ends the run, and nothing unfinished gets its name.

use std::io;
use std::ops::ControlFlow;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::baseline::{KnownFaults, identities};
use super::clash::refuse_clashes;
use super::dataset::{Dataset, Rows};
use super::duplicates::Duplicates;
use super::exit::Status;
use super::notes::{closing_note, left_aside_note, print_error, print_note};
use super::opinions;
use super::plan::{Plan, ReportKind, ReportPlan};
use super::selected::keep_selected;
use super::whole_source::WholeSource;
use crate::diagnostics::{Finding, Identity};
use crate::engine::{self, Chunk, ChunkKind, Progress, Stream, StreamEnd};
use crate::error::{Error, Result};
use crate::judge::{ChunkPlace, ChunkReport, Judge};
use crate::pgn::framing::PgnCutter;
use crate::replay::{BoardContinuation, LaneDifference};
use crate::report::{Format, InputSummary, Judged, Output, RunSummary, SummaryDocument};
use crate::rules::bytes;
use crate::rules::mixed_encodings::MixedEncodings;
use crate::source::{self, Compression, Input, Opened, Source, ZipArchive, is_packing_damage};
use crate::summary::Counts;

/// Does what was planned and says how it ended.
pub fn run(plan: &Plan) -> Result<Status> {
    let started = Instant::now();
    let pool = ThreadPoolBuilder::new()
        .num_threads(plan.threads)
        .build()
        .map_err(|error| Error::Usage(format!("cannot start {} threads: {error}", plan.threads)))?;
    let mut found = source::discover(&plan.inputs);
    // A pipe gives no second part to the next run, and to open it may wait for ever.
    let in_parts = |input: &Input| input.size().is_some();
    if plan.split.is_some() && (found.inputs.len() > 1 || !found.inputs.iter().all(in_parts)) {
        return Err(Error::Usage("--split needs exactly one input, a plain file".to_owned()));
    }
    refuse_clashes(plan, &found.inputs)?;
    let mut session = Session::begin(plan, &pool, &found.inputs)?;
    session.duplicates = Duplicates::look_for(plan, &pool, &mut found.inputs, &session.progress)?;
    for error in &found.errors {
        session.fail(InputSummary { name: named(error), ..InputSummary::default() }, error);
    }
    for input in &found.inputs {
        if session.read(input)?.is_break() {
            session.stopped = true;
            break;
        }
    }
    for (name, error) in session.duplicates.changed().collect::<Vec<_>>() {
        session.fail(InputSummary { name, ..InputSummary::default() }, &error);
    }
    session.end(started)
}

struct Session<'p> {
    plan: &'p Plan,
    pool: &'p ThreadPool,
    judge: Judge,
    duplicates: Duplicates,
    progress: Progress,
    report: Option<Report>,
    dataset: Dataset<'p>,
    known: KnownFaults,
    summary_json: Option<Output>,
    summary: RunSummary,
    /// Texts whose compressed stream was damaged.
    damaged: u64,
    /// The reader of the report went away, and nothing else was to be written.
    stopped: bool,
}

struct Report {
    format: Box<dyn Format>,
    out: Output,
    on_terminal: bool,
}

impl<'p> Session<'p> {
    /// Opens every output, so that a run does not work for hours to fail at the end.
    fn begin(plan: &'p Plan, pool: &'p ThreadPool, inputs: &[Input]) -> Result<Session<'p>> {
        let report = plan.report.as_ref().map(Report::begin).transpose()?;
        let total = inputs.iter().map(Input::size).sum::<Option<u64>>();
        let passes = 1 + u64::from(plan.duplicates.is_some());
        let total = total.map(|total| total.saturating_mul(passes));
        let scrolls = report.as_ref().is_some_and(|report| report.on_terminal)
            && plan.report.as_ref().is_some_and(scrolls);
        let range = plan.split.clone().unwrap_or(0..u64::MAX);
        Ok(Session {
            plan,
            pool,
            judge: Judge { range, options: plan.examiner() },
            duplicates: Duplicates::default(),
            progress: Progress::new(total, plan.quiet || scrolls),
            report,
            known: KnownFaults::begin(&plan.baseline)?,
            dataset: Dataset::create(plan.tables.as_deref(), plan.profile, pool)?,
            summary_json: plan.summary_json.as_deref().map(Output::named).transpose()?,
            summary: RunSummary { threads: plan.threads, ..RunSummary::default() },
            damaged: 0,
            stopped: false,
        })
    }

    /// Breaks when nobody is left who wants to know more.
    fn read(&mut self, input: &Input) -> Result<ControlFlow<()>> {
        match source::open(input, self.dataset.hashing(), self.plan.threads) {
            Ok(Opened::Text(source)) => self.read_text(input, source),
            Ok(Opened::Zip(archive)) => self.read_zip(input, &archive),
            Err(error) => {
                let read = InputSummary { name: input.name.clone(), ..InputSummary::default() };
                self.fail(read, &error);
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Each member is an input of its own; one that cannot be read costs only itself.
    fn read_zip(&mut self, input: &Input, archive: &ZipArchive) -> Result<ControlFlow<()>> {
        if self.plan.split.is_some() {
            return Err(not_for_split(input, "packed"));
        }
        if !self.plan.quiet && !archive.left_aside().is_empty() {
            let note = left_aside_note(&input.name, archive.left_aside());
            self.progress.suspend(|| print_note(&note));
        }
        if let Some(finding) = bytes::mislabelled(&input.name, Compression::Zip) {
            self.say(ChunkPlace::start(&input.name), finding)?;
        }
        let damaged_before = self.damaged;
        for index in 0..archive.len() {
            let member = Input { name: archive.member_name(index), kind: input.kind.clone() };
            match archive.open(index, self.dataset.hashing()) {
                Ok(source) => {
                    if self.read_text(&member, source)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Err(error) => {
                    let read = InputSummary { name: member.name, ..InputSummary::default() };
                    self.fail(read, &error);
                }
            }
        }
        if let Some(damage) = archive.damage() {
            // Where the archive ends inside a member, the member says so.
            if is_packing_damage(damage) && self.damaged == damaged_before {
                self.say(ChunkPlace::start(&input.name), bytes::damaged_compression(damage))?;
            }
            let damage = io::Error::new(damage.kind(), damage.to_string());
            let read = InputSummary { name: input.name.clone(), ..InputSummary::default() };
            self.fail(read, &Error::read(&input.name, damage));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn read_text(&mut self, input: &Input, source: Source) -> Result<ControlFlow<()>> {
        let read = InputSummary { name: input.name.clone(), ..InputSummary::default() };
        if self.plan.split.is_some() {
            if source.compression != Compression::Plain {
                return Err(not_for_split(input, "packed"));
            }
            if source.utf16.is_some() {
                return Err(not_for_split(input, "UTF-16"));
            }
        }
        self.progress.file(&input.name, source.meter.clone());
        self.duplicates.begin_text(&input.name);
        // What the first bytes tell goes with the part of a split in which they stand.
        if self.judge.range.contains(&0) {
            let mislabelled = bytes::mislabelled(&input.name, source.compression)
                .filter(|_| !source.is_empty && input.has_name());
            let found = source.utf16.map(bytes::decoded_utf16).into_iter().chain(mislabelled);
            for finding in found {
                self.say(ChunkPlace::start(&input.name), finding)?;
            }
        }

        let only_printed = !self.dataset.is_written() && self.summary_json.is_none();
        let Session { plan, pool, judge, duplicates, progress, report, dataset, known, .. } = self;
        let collector = dataset.collector();
        let work = |chunk: &Chunk, must_answer: bool| {
            let most = if must_answer { usize::MAX } else { Judge::MOST_GAMES };
            let mut judged = judge.judge_up_to(chunk, most)?;
            keep_selected(&mut judged, &plan.selection);
            opinions::ask(plan.second_opinion, &chunk.bytes, &mut judged);
            let rows = collector.rows(&chunk.bytes, &judged);
            let identities = identities(&plan.baseline, &chunk.bytes, &judged);
            Some((judged, rows, identities))
        };
        let mut counts = Counts::default();
        let mut whole = WholeSource::default();
        let mut mixed = MixedEncodings::default();
        let sink = |chunk: &Chunk, work: (ChunkReport, Rows, Vec<Option<Identity>>)| {
            let (mut judged, mut rows, mut known_by) = work;
            lanes_agree(&input.name, chunk.offset, &judged.records.lane_differences)?;
            let found_before = judged.findings.len();
            let encodings = std::mem::take(&mut judged.encodings);
            let second = encodings.into_iter().find_map(|(set, word)| mixed.game(set, word));
            if let Some(finding) = second.filter(|finding| plan.selection.allows(finding.rule)) {
                judged.take_on_file(finding);
            }
            let place = ChunkPlace {
                source: &input.name,
                offset: chunk.offset,
                column: chunk.column,
                games: whole.games + judged.games_before,
                lines: whole.lines,
            };
            if let Some(finding) = whole.take(chunk, &judged)
                && plan.selection.allows(finding.rule)
            {
                judged.insert(finding);
            }
            duplicates.tell(chunk, &mut judged, &plan.selection)?;
            if judged.findings.len() > found_before || !judged.duplicates.is_empty() {
                rows = collector.rows(&chunk.bytes, &judged);
                known_by = identities(&plan.baseline, &chunk.bytes, &judged);
            }
            // The tail of a long game goes with its head.
            if chunk.kind != ChunkKind::OverlongTail || whole.in_range {
                known.chunk(&mut judged, &known_by);
                opinions::keep_asked(&mut judged);
                if let Some(report) = report {
                    let judged = Judged { place, bytes: &chunk.bytes, report: &judged };
                    report.chunk(&judged, progress)?;
                }
                dataset.append(&place, rows)?;
                counts += &judged.counts;
            }
            progress.games(judged.games);
            let closed = report.as_ref().is_some_and(Report::is_closed);
            let end = chunk.offset + chunk.bytes.len() as u64;
            let behind = end >= judge.range.end && chunk.kind == ChunkKind::Whole;
            Ok(stop_if(behind || (closed && only_printed)))
        };
        let fingerprint = source.fingerprint.clone();
        let stream = Stream {
            name: &input.name,
            bytes: source.bytes(),
            cutter: PgnCutter::new(BoardContinuation::default()),
            chunk_size: plan.chunk_size,
        };
        let end = engine::run_refusing(stream, pool, &work, sink)?;

        for (place, finding) in whole.end(&input.name, end.stopped) {
            self.say(place, finding)?;
        }
        if let Some(damage) = end.damage.as_ref().filter(|error| is_packing_damage(error)) {
            self.damaged += 1;
            self.say(whole.place_of_end(&input.name), bytes::damaged_compression(damage))?;
        }
        let print = fingerprint.as_ref().and_then(|print| print.get());
        let error = end.damage.as_ref().map(ToString::to_string);
        let split = self.plan.split.as_ref();
        self.dataset.source(input, print, split, error, counts.ledger.games_in);
        self.account(read, &counts, end);
        let closed = self.report.as_ref().is_some_and(Report::is_closed);
        Ok(stop_if(closed && only_printed))
    }

    /// Reports what is known of a file as a whole, as a chunk without bytes.
    fn say(&mut self, place: ChunkPlace<'_>, finding: Finding) -> Result<()> {
        if !self.plan.selection.allows(finding.rule) {
            return Ok(());
        }
        let mut judged = ChunkReport::default();
        judged.insert(finding);
        let rows = self.dataset.collector().rows(&[], &judged);
        self.dataset.append(&place, rows)?;
        let known_by = identities(&self.plan.baseline, &[], &judged);
        self.known.chunk(&mut judged, &known_by);
        if let Some(report) = &mut self.report {
            let judged = Judged { place, bytes: &[], report: &judged };
            report.chunk(&judged, &self.progress)?;
        }
        self.summary.counts += &judged.counts;
        Ok(())
    }

    /// Adds what was counted in an input that was read, and proves that it is all.
    fn account(&mut self, mut read: InputSummary, counts: &Counts, end: StreamEnd) {
        read.bytes = counts.ledger.bytes_in;
        read.games = counts.ledger.games_in;
        self.summary.counts += counts;
        let whole = !end.stopped && self.plan.split.is_none();
        if let Some(detail) = imbalance(counts, whole.then_some(end.bytes)) {
            let source_name = read.name.clone();
            self.fail(read, &Error::Ledger { source_name, detail });
        } else if let Some(damage) = end.damage {
            let error = Error::read(&read.name, damage);
            self.fail(read, &error);
        } else if whole && end.bytes > 0 && counts.ledger.games_in == 0 {
            let error = Error::NoGames(read.name.clone());
            self.fail(read, &error);
        } else {
            self.summary.inputs.push(read);
        }
    }

    /// Tells of an input that could not be read, or not to its end.
    fn fail(&mut self, mut read: InputSummary, error: &Error) {
        self.progress.suspend(|| print_error(error));
        read.error = Some(error.to_string());
        self.summary.inputs.push(read);
    }

    fn end(self, started: Instant) -> Result<Status> {
        let Session { plan, progress, report, dataset, known, summary_json, stopped, .. } = self;
        let mut summary = self.summary;
        progress.finish();
        let found = Status::of(&summary.counts, plan.fail_on);
        let failed = summary.inputs.iter().any(|input| input.error.is_some());
        let status = if failed { found.max(Status::Failed) } else { found };
        summary.status = status as u8;
        summary.known_faults = known.left_out();
        dataset.finish()?;
        known.finish()?;
        if let Some(Report { mut format, mut out, .. }) = report {
            format.end(&summary, &mut out)?;
            out.finish()?;
        }
        summary.elapsed = started.elapsed();
        if let Some(mut out) = summary_json {
            let json = SummaryDocument::of_run(&summary).to_pretty_json();
            out.buffer().extend_from_slice(&json);
            out.finish()?;
        }
        // Counts of a part would look like those of the whole.
        if !plan.quiet && !stopped {
            print_note(&closing_note(&summary));
        }
        Ok(status)
    }
}

impl Report {
    fn begin(plan: &ReportPlan) -> Result<Report> {
        let mut out = plan.output.as_deref().map_or_else(|| Ok(Output::stdout()), Output::file)?;
        let on_terminal = out.is_terminal();
        let mut format = plan.format(out.look(plan.color));
        format.begin(&mut out)?;
        Ok(Report { format, out, on_terminal })
    }

    fn is_closed(&self) -> bool {
        self.out.is_closed()
    }

    /// A person sees each chunk's findings at once, above the bar.
    fn chunk(&mut self, judged: &Judged<'_>, progress: &Progress) -> Result<()> {
        self.format.chunk(judged, &mut self.out)?;
        if self.on_terminal && self.out.is_pending() {
            progress.suspend(|| self.out.flush())
        } else {
            Ok(())
        }
    }
}

/// What is decoded on the way cannot be entered in the middle.
fn not_for_split(input: &Input, form: &str) -> Error {
    Error::Usage(format!("--split needs a plain file; {} is {form}", input.name))
}

fn stop_if(stop: bool) -> ControlFlow<()> {
    if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Whether a report may print more than a screen or two, over which no bar can stand.
fn scrolls(report: &ReportPlan) -> bool {
    !matches!(report.kind, ReportKind::Summary { limit } if limit < u64::MAX)
}

/// Why the ledger of a source does not balance. `bytes` is what was read, where all of it was
/// to be judged.
fn imbalance(counts: &Counts, bytes: Option<u64>) -> Option<String> {
    let ledger = counts.ledger;
    match bytes {
        Some(bytes) if bytes != ledger.bytes_in => {
            Some(format!("{bytes} bytes read, {} bytes judged", ledger.bytes_in))
        }
        _ if !ledger.balances() => Some(format!("{ledger:?}")),
        _ => None,
    }
}

/// Fails at the first game of a chunk of which the two lanes do not say the same.
fn lanes_agree(name: &str, offset: u64, differences: &[LaneDifference]) -> Result<()> {
    match differences.first() {
        Some(difference) => Err(Error::LanesDiffer {
            source_name: name.to_owned(),
            offset: offset + difference.game.start as u64,
            detail: difference.to_string(),
        }),
        None => Ok(()),
    }
}

/// The input that an error speaks of.
fn named(error: &Error) -> String {
    match error {
        Error::Read { path, .. } | Error::EmptyFolder { path } => path.display().to_string(),
        Error::LostWorker { source_name, .. }
        | Error::LanesDiffer { source_name, .. }
        | Error::Ledger { source_name, .. } => source_name.clone(),
        Error::NoGames(name) => name.clone(),
        Error::Write { .. }
        | Error::Temporary { .. }
        | Error::Baseline { .. }
        | Error::Usage(_) => "-".to_owned(),
    }
}
