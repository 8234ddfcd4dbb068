//! The faults that are known, so that only new ones are told.
//!
//! A baseline holds for every [`Identity`] how often it was found. It is a JSON file with one
//! entry a line in the order of codes and identities, so that two of them can be compared line by
//! line, and depends on nothing but the faults in it. In memory each takes 32 bytes.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

use super::{Finding, Identity};

/// Changes when an older program would misread the file.
const VERSION: u64 = 1;

const TYPE: &str = "pgn-arbiter baseline";

/// Known faults, each with how often it is still to be met.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// Sorted, and each identity once.
    known: Vec<(Identity, u64)>,
}

/// Why a file is no baseline.
#[derive(Debug, Error)]
pub enum BaselineError {
    #[error("it is no baseline: {0}")]
    Malformed(#[from] serde_json::Error),
    #[error("it is no baseline of pgn-arbiter")]
    Foreign,
    #[error(
        "it has version {0}, and this program reads version {VERSION}; update the program, or write the baseline anew"
    )]
    Version(u64),
    #[error("it is damaged: it says that it holds {said} faults, and holds {held}")]
    Count { said: u64, held: u64 },
}

#[derive(Deserialize)]
struct Header {
    r#type: Option<String>,
    version: Option<u64>,
}

#[derive(Deserialize)]
struct Document {
    faults: u64,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: Identity,
    times: u64,
}

impl Baseline {
    pub fn read(json: &[u8]) -> Result<Baseline, BaselineError> {
        let header: Header = serde_json::from_slice(json)?;
        if header.r#type.as_deref() != Some(TYPE) {
            return Err(BaselineError::Foreign);
        }
        match header.version {
            Some(VERSION) => {}
            Some(version) => return Err(BaselineError::Version(version)),
            None => return Err(BaselineError::Foreign),
        }
        let document: Document = serde_json::from_slice(json)?;
        let mut known = Vec::with_capacity(document.entries.len());
        let mut held = 0u64;
        for Entry { id, times } in document.entries {
            held = held.saturating_add(times);
            known.push((id, times));
        }
        if held != document.faults {
            return Err(BaselineError::Count { said: document.faults, held });
        }
        known.sort_unstable();
        // Two baselines put together by hand hold an entry twice.
        known.dedup_by(|(later, more), (earlier, times)| {
            let same = later == earlier;
            if same {
                *times = times.saturating_add(*more);
            }
            same
        });
        Ok(Baseline { known })
    }

    /// How many of `times` findings are known that were not met before.
    fn take(&mut self, identity: Identity, times: u64) -> u64 {
        let Ok(at) = self.known.binary_search_by_key(&identity, |&(known, _)| known) else {
            return 0;
        };
        let left = &mut self.known[at].1;
        let taken = times.min(*left);
        *left -= taken;
        taken
    }

    /// How many findings are known of this one and those that it stands for unlisted; each is
    /// known once. To be asked in the order of the files.
    pub fn meet(&mut self, finding: &Finding, identity: Identity) -> u64 {
        let unlisted = match finding.unlisted {
            0 => 0,
            more => self.take(identity.unlisted(), more),
        };
        self.take(identity, 1) + unlisted
    }
}

/// Collects the faults of a run.
#[derive(Clone, Debug, Default)]
pub struct BaselineWriter {
    found: Vec<(&'static str, Identity)>,
    unlisted: BTreeMap<(&'static str, Identity), u64>,
}

impl BaselineWriter {
    pub fn add(&mut self, finding: &Finding, identity: Identity) {
        self.found.push((finding.rule.code, identity));
        if finding.unlisted > 0 {
            let unlisted = (finding.rule.code, identity.unlisted());
            *self.unlisted.entry(unlisted).or_default() += finding.unlisted;
        }
    }

    /// How many faults it holds.
    pub fn faults(&self) -> u64 {
        self.found.len() as u64 + self.unlisted.values().sum::<u64>()
    }

    /// The file, line by line, each with its line end.
    pub fn lines(mut self) -> impl Iterator<Item = String> {
        let faults = self.faults();
        self.found.sort_unstable();
        let unlisted = std::mem::take(&mut self.unlisted);
        let mut counted: Vec<(&str, Identity, u64)> = Vec::new();
        for (code, identity) in self.found {
            match counted.last_mut() {
                Some((_, last, times)) if *last == identity => *times += 1,
                _ => counted.push((code, identity, 1)),
            }
        }
        counted.extend(unlisted.into_iter().map(|((code, id), times)| (code, id, times)));
        counted.sort_unstable();
        let head = format!(
            "{{\n\"type\": \"{TYPE}\",\n\"version\": {VERSION},\n\"faults\": {faults},\n\"entries\": [\n"
        );
        let last = counted.len().saturating_sub(1);
        let entries = counted.into_iter().enumerate().map(move |(at, (code, id, times))| {
            let comma = if at < last { "," } else { "" };
            format!("{{\"code\": \"{code}\", \"id\": \"{id}\", \"times\": {times}}}{comma}\n")
        });
        [head].into_iter().chain(entries).chain(["]\n}\n".to_owned()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Rule, Span};
    use crate::rules::{moves, structure};

    fn finding(rule: &'static Rule, unlisted: u64) -> Finding {
        Finding { unlisted, ..Finding::new(rule, Span::new(0, 1)) }
    }

    fn identity(finding: &Finding, game: u128) -> Identity {
        Identity::of(finding, b"x", Some(game))
    }

    fn written(found: &[(Finding, u128)]) -> String {
        let mut writer = BaselineWriter::default();
        for (finding, game) in found {
            writer.add(finding, identity(finding, *game));
        }
        writer.lines().collect()
    }

    #[test]
    fn the_file_has_a_line_for_each_fault_and_does_not_depend_on_their_order() {
        let found =
            [(finding(&moves::UNREADABLE_MOVE, 0), 1), (finding(&structure::UNKNOWN_TOKEN, 5), 2)];
        let text = written(&found);
        assert_eq!(text, written(&[found[1].clone(), found[0].clone()]));
        assert!(text.contains("\"faults\": 7,"), "{text}");
        assert_eq!(text.matches("\"code\"").count(), 3, "{text}");
        assert!(Baseline::read(text.as_bytes()).is_ok());
    }

    #[test]
    fn a_fault_is_known_as_often_as_it_was_found() {
        let fault = finding(&moves::UNREADABLE_MOVE, 0);
        let text = written(&[(fault.clone(), 1), (fault.clone(), 1)]);
        let mut baseline = Baseline::read(text.as_bytes()).unwrap();
        let mut meet = |game| baseline.meet(&fault, identity(&fault, game));
        assert_eq!([meet(1), meet(2), meet(1), meet(1)], [1, 0, 1, 0]);
    }

    #[test]
    fn what_a_game_does_not_list_is_known_by_its_number() {
        let text = written(&[(finding(&structure::UNKNOWN_TOKEN, 800), 1)]);
        for (unlisted, known) in [(800, 801), (0, 1), (900, 801)] {
            let mut baseline = Baseline::read(text.as_bytes()).unwrap();
            let fault = finding(&structure::UNKNOWN_TOKEN, unlisted);
            assert_eq!(baseline.meet(&fault, identity(&fault, 1)), known, "{unlisted}");
        }
    }

    #[test]
    fn an_empty_baseline_knows_nothing() {
        let mut baseline = Baseline::read(written(&[]).as_bytes()).unwrap();
        let fault = finding(&moves::UNREADABLE_MOVE, 0);
        assert_eq!(baseline.meet(&fault, identity(&fault, 1)), 0);
    }

    #[test]
    fn a_file_that_is_none_is_refused_with_the_reason() {
        let sound = written(&[(finding(&moves::UNREADABLE_MOVE, 0), 1)]);
        let table = [
            (String::new(), "it is no baseline: EOF"),
            ("[Event \"?\"]".to_owned(), "it is no baseline: "),
            ("{}".to_owned(), "it is no baseline of pgn-arbiter"),
            (sound.replace("\"version\": 1", "\"version\": 2"), "it has version 2, and"),
            (sound.replace("\"faults\": 1", "\"faults\": 2"), "says that it holds 2 faults, and"),
            (sound.replace("\"id\": \"", "\"id\": \"x"), "32 hexadecimal digits"),
            (sound[..sound.len() / 2].to_owned(), "it is no baseline: EOF"),
            (sound.replace("\"times\": 1", "\"times\": -1"), "invalid value"),
        ];
        for (text, reason) in table {
            let error = Baseline::read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
