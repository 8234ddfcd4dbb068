//! Refuses outputs that would replace an input, or each other, before anything is opened.
//!
//! Names do not tell: `a.pgn`, `./a.pgn`, a link to it and standard input may be one file, and a
//! folder may hold it. Files are compared as the file system knows them.

use std::fs;
use std::path::{Path, PathBuf};

use super::baseline::BaselinePlan;
use super::plan::Plan;
use crate::error::{Error, Result};
use crate::source::{Input, InputKind};

/// A file, whatever it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// Device and inode.
    #[cfg(unix)]
    Inode(u64, u64),
    /// Where there are no inodes, and for files that do not exist yet.
    Path(PathBuf),
}

/// Is only read.
const BASELINE: &str = "--baseline";

/// Compares the outputs of a plan with the inputs that were found, and with each other.
pub fn refuse_clashes(plan: &Plan, inputs: &[Input]) -> Result<()> {
    let outputs = outputs(plan);
    for (at, (option, path, identity)) in outputs.iter().enumerate() {
        let path = path.display();
        if let Some((other, ..)) = outputs[..at].iter().find(|(.., other)| other == identity) {
            return Err(Error::Usage(format!("{other} and {option} name one file, {path}")));
        }
        if inputs.iter().any(|input| of_input(input).is_some_and(|input| input == *identity)) {
            let trouble = match *option {
                BASELINE => "is an input, and no baseline",
                _ => "would replace an input",
            };
            return Err(Error::Usage(format!("{option} {path} {trouble}")));
        }
    }
    let Some(tables) = &plan.tables else { return Ok(()) };
    // One that is to be made holds nothing yet.
    let Ok(folder) = fs::canonicalize(tables) else { return Ok(()) };
    match inputs.iter().find(|input| lies_in(input, &folder)) {
        Some(input) => Err(Error::Usage(format!(
            "{} is an input and lies in {}, the folder of the tables",
            input.name,
            tables.display()
        ))),
        None => Ok(()),
    }
}

/// The option, its value and the file that it means. Devices and pipes take any number of writers
/// and replace nothing.
fn outputs(plan: &Plan) -> Vec<(&'static str, &Path, Identity)> {
    let report = plan.report.as_ref().and_then(|report| report.output.as_deref());
    // The one file of a dataset that has a name which somebody else might choose.
    let manifest = plan.tables.as_ref().map(|folder| folder.join("manifest.json"));
    let (baseline, known) = match &plan.baseline {
        BaselinePlan::None => (None, None),
        BaselinePlan::Write(path) => (Some(path.as_path()), None),
        BaselinePlan::Against(path) => (None, Some(path.as_path())),
    };
    let named = [
        // Is read, and would be lost if it were one of those that follow.
        (BASELINE, known),
        ("the baseline", baseline.filter(|path| *path != Path::new("-"))),
        ("--output", report),
        ("--summary-json", plan.summary_json.as_deref().filter(|path| *path != Path::new("-"))),
        ("the folder of the tables", plan.tables.as_deref()),
    ];
    let mut outputs: Vec<_> = named
        .into_iter()
        .filter_map(|(option, path)| path.map(|path| (option, path)))
        .filter_map(|(option, path)| Some((option, path, of_output(path)?)))
        .collect();
    if let (Some(manifest), Some(folder)) = (manifest, plan.tables.as_deref())
        && let Some(identity) = of_output(&manifest)
    {
        outputs.push(("the manifest of the tables", folder, identity));
    }
    outputs
}

fn of_output(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() || found.is_dir() => of_existing(path, &found),
        Ok(_) => None,
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok();
            let named = folder.zip(path.file_name()).map(|(folder, name)| folder.join(name));
            Some(Identity::Path(named.unwrap_or_else(|| path.to_owned())))
        }
    }
}

/// `None` for what is no regular file: `/dev/stdin` and the like may be read and written.
fn of_input(input: &Input) -> Option<Identity> {
    let path = match &input.kind {
        InputKind::File(path) => path,
        // Where there is no such name, standard input is taken for a pipe.
        InputKind::Stdin => Path::new("/dev/stdin"),
        InputKind::Spooled { .. } => return None,
    };
    let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    of_existing(path, &found)
}

#[cfg(unix)]
fn of_existing(_path: &Path, found: &fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity::Inode(found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn of_existing(path: &Path, _found: &fs::Metadata) -> Option<Identity> {
    fs::canonicalize(path).ok().map(Identity::Path)
}

fn lies_in(input: &Input, folder: &Path) -> bool {
    match &input.kind {
        InputKind::File(path) => fs::canonicalize(path).is_ok_and(|path| path.starts_with(folder)),
        InputKind::Stdin | InputKind::Spooled { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tempfile::TempDir;

    use super::*;
    use crate::cli::args::{Command, CommandLine};
    use crate::source;

    /// Words of a `check` in a folder, which stands for `@`, and the folder of its tables.
    fn refused(folder: &TempDir, words: &str, tables: Option<&str>) -> Option<String> {
        let root = folder.path().to_str().unwrap();
        let words = words.replace('@', root);
        let words = ["pgn-arbiter", "check"].into_iter().chain(words.split_whitespace());
        let plan = match CommandLine::try_parse_from(words).unwrap().command {
            Command::Check(args) => Plan::check(args, false).unwrap(),
            other => panic!("{other:?}"),
        };
        let plan = Plan { tables: tables.map(|name| folder.path().join(name)), ..plan };
        let found = source::discover(&plan.inputs);
        assert!(found.errors.is_empty(), "{:?}", found.errors);
        match refuse_clashes(&plan, &found.inputs) {
            Ok(()) => None,
            Err(Error::Usage(reason)) => Some(reason.replace(root, "@")),
            Err(other) => panic!("{other}"),
        }
    }

    fn archives() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("k/deep")).unwrap();
        fs::create_dir_all(folder.path().join("data")).unwrap();
        for file in ["a.pgn", "k/b.pgn", "k/deep/c.pgn", "data/d.pgn", "old.txt"] {
            fs::write(folder.path().join(file), "*\n").unwrap();
        }
        folder
    }

    #[test]
    fn an_output_that_is_an_input_is_refused_whatever_it_is_called() {
        let folder = archives();
        for words in [
            "@/a.pgn --output @/a.pgn",
            "@/a.pgn --output @/k/../a.pgn",
            "@/k --output @/k/deep/c.pgn",
            "@/a.pgn @/k/. --output @/k/deep/../b.pgn",
            "@/k/deep/../../k --summary-json @/k/b.pgn",
        ] {
            let reason = refused(&folder, words, None);
            assert!(reason.is_some_and(|it| it.ends_with("would replace an input")), "{words}");
        }
        let reason = refused(&folder, "@/k @/a.pgn --baseline @/k/b.pgn", None);
        assert_eq!(reason.unwrap(), "--baseline @/k/b.pgn is an input, and no baseline");
        for words in [
            "@/a.pgn --output @/old.txt --summary-json @/new.txt",
            "@/k --output @/a.pgn",
            "@/a.pgn --baseline @/old.txt --output @/new.txt",
            "@/k --output @/k/new.pgn",
            "@/k --output -",
        ] {
            assert_eq!(refused(&folder, words, None), None, "{words}");
        }
    }

    #[test]
    fn two_outputs_in_one_file_are_refused_whether_it_exists_or_not() {
        let folder = archives();
        for (words, file) in [
            ("@/a.pgn --output @/old.txt --summary-json @/k/../old.txt", "@/k/../old.txt"),
            ("@/a.pgn --output @/new.txt --summary-json @/k/../new.txt", "@/k/../new.txt"),
        ] {
            let reason = refused(&folder, words, None).expect(words);
            assert_eq!(reason, format!("--output and --summary-json name one file, {file}"));
        }
        let reason = refused(&folder, "@/a.pgn --baseline @/old.txt --output @/old.txt", None);
        assert_eq!(reason.unwrap(), "--baseline and --output name one file, @/old.txt");
    }

    #[test]
    fn the_folder_of_the_tables_is_no_place_for_inputs_and_other_outputs() {
        let folder = archives();
        let table = [
            ("@ --output @/r.txt", "data", Some("@/data/d.pgn is an input and lies in @/data")),
            ("@/a.pgn --output @/new", "new", Some("--output and the folder of the tables name")),
            ("@/a.pgn --summary-json @/data/manifest.json", "data", Some("name one file")),
            ("@/a.pgn --summary-json @/data/summary.json", "data", None),
            ("@/a.pgn", "new", None),
        ];
        for (words, tables, expected) in table {
            let reason = refused(&folder, words, Some(tables));
            match expected {
                Some(part) => assert!(reason.as_ref().unwrap().contains(part), "{reason:?}"),
                None => assert_eq!(reason, None, "{words}"),
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_their_file_and_devices_are_no_files() {
        let folder = archives();
        std::os::unix::fs::symlink(folder.path().join("a.pgn"), folder.path().join("l")).unwrap();
        assert!(refused(&folder, "@/a.pgn --output @/l", None).is_some());
        assert!(refused(&folder, "@/l --output @/a.pgn", None).is_some());
        let devices = "/dev/null --output /dev/null --summary-json /dev/null";
        assert_eq!(refused(&folder, devices, None), None);
    }
}
