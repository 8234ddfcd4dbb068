//! Which inputs the words on the command line mean.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::spool::Spool;
use crate::error::{Error, Result};

/// What the names of files in a folder end in, in any letter case, to be taken for archives.
const ARCHIVE_ENDINGS: [&str; 8] =
    [".pgn", ".pgn.zst", ".pgn.zstd", ".pgn.gz", ".pgn.gzip", ".pgn.bz2", ".pgn.xz", ".zip"];

/// Something to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// As reports print it: the path as it was given, `-` for standard input.
    pub name: String,
    pub kind: InputKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKind {
    File(PathBuf),
    Stdin,
    /// What can be read only once, kept to be read again; `named` unless it is standard input.
    Spooled {
        spool: Spool,
        named: bool,
    },
}

impl Input {
    pub fn file(path: PathBuf) -> Input {
        Input { name: path.display().to_string(), kind: InputKind::File(path) }
    }

    pub fn stdin() -> Input {
        Input { name: "-".to_owned(), kind: InputKind::Stdin }
    }

    /// Whether its name is one that somebody gave it.
    pub fn has_name(&self) -> bool {
        match self.kind {
            InputKind::File(_) => true,
            InputKind::Stdin => false,
            InputKind::Spooled { named, .. } => named,
        }
    }

    /// Keeps what can be read only once. What cannot be opened stays as it is, for the reader to
    /// tell of.
    ///
    /// # Errors
    /// [`Error::Read`] where it cannot be read to its end, [`Error::Temporary`].
    pub fn spool(&mut self) -> Result<()> {
        let spool = match &self.kind {
            InputKind::File(path) => match fs::File::open(path) {
                Ok(file) => Spool::of(file, &self.name)?,
                Err(_) => return Ok(()),
            },
            InputKind::Stdin => Spool::of(io::stdin(), &self.name)?,
            InputKind::Spooled { .. } => return Ok(()),
        };
        self.kind = InputKind::Spooled { spool, named: self.has_name() };
        Ok(())
    }

    /// Raw bytes on disk; `None` where that is not known before reading.
    pub fn size(&self) -> Option<u64> {
        match &self.kind {
            InputKind::File(path) => {
                fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len())
            }
            InputKind::Stdin | InputKind::Spooled { .. } => None,
        }
    }
}

/// The inputs that were found, and the arguments, or parts of folders, that gave none.
#[derive(Debug, Default)]
pub struct Discovery {
    /// In the order of the arguments, the files of one folder sorted by path.
    pub inputs: Vec<Input>,
    pub errors: Vec<Error>,
}

/// Looks up what was named. Nothing is opened yet.
///
/// A file is taken whatever its ending; a folder is searched to its depth, through symbolic
/// links too, for names that end as archives do; `-` is standard input. A file that comes up
/// twice, whatever it is called, is one input under its first name, since a second reading would
/// count every game again. An error costs only the argument, or the part of the folder, that it
/// is about.
pub fn discover(args: &[PathBuf]) -> Discovery {
    let mut found = Discovery::default();
    let mut seen = HashSet::new();
    for arg in args {
        if arg.as_os_str() == "-" {
            let input = Input::stdin();
            if found.inputs.contains(&input) {
                let message = "`-` (standard input) is named twice, but can be read only once";
                found.errors.push(Error::Usage(message.to_owned()));
            } else {
                found.inputs.push(input);
            }
            continue;
        }
        let errors_before = found.errors.len();
        let mut any = false;
        for file in files(arg) {
            match file {
                Ok(path) => {
                    any = true;
                    // A pipe has no other name.
                    let known = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
                    if seen.insert(known) {
                        found.inputs.push(Input::file(path));
                    }
                }
                Err(error) => found.errors.push(error),
            }
        }
        // Where a part could not be searched, nobody knows that the folder is empty.
        if !any && found.errors.len() == errors_before {
            found.errors.push(Error::EmptyFolder { path: arg.clone() });
        }
    }
    found
}

/// The file itself, or the archives in the folder.
fn files(arg: &Path) -> Vec<Result<PathBuf>> {
    match fs::metadata(arg) {
        Err(error) => return vec![Err(Error::read(arg, error))],
        Ok(metadata) if !metadata.is_dir() => return vec![Ok(arg.to_owned())],
        Ok(_) => {}
    }
    WalkDir::new(arg)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_map(|entry| match entry {
            Ok(entry) => {
                let archive = entry.file_type().is_file() && is_archive(entry.path());
                archive.then(|| Ok(entry.into_path()))
            }
            Err(error) => Some(Err(walk_error(arg, error))),
        })
        .collect()
}

fn walk_error(folder: &Path, error: walkdir::Error) -> Error {
    let path = error.path().unwrap_or(folder).to_owned();
    let source = match error.loop_ancestor() {
        Some(ancestor) => {
            io::Error::other(format!("its links lead back to {}", ancestor.display()))
        }
        None => error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into()),
    };
    Error::Read { path, source }
}

fn is_archive(path: &Path) -> bool {
    is_archive_name(path.file_name().unwrap_or_default().as_encoded_bytes())
}

/// Whether a file's name ends as those of archives do.
pub(super) fn is_archive_name(name: &[u8]) -> bool {
    ARCHIVE_ENDINGS.iter().any(|ending| {
        name.len()
            .checked_sub(ending.len())
            .is_some_and(|at| name[at..].eq_ignore_ascii_case(ending.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn folder(files: &[&str]) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "*\n").unwrap();
        }
        dir
    }

    fn names(found: &Discovery, dir: &TempDir) -> Vec<String> {
        let root = format!("{}/", dir.path().display());
        found.inputs.iter().map(|input| input.name.replace(&root, "")).collect()
    }

    #[test]
    fn a_folder_gives_its_archives_sorted_by_path_and_nothing_else() {
        let dir = folder(&[
            "b/z.PGN",
            "b/a.pgn.zst",
            "a.pgn",
            "c.Pgn.GZ",
            "b/c/d.pgn.gzip",
            "e.pgn.zstd",
            "f.pgn.bz2",
            "g.PGN.xz",
            "h.zip",
            "i.bz2",
            "readme.txt",
            "a.pgn.bak",
            "pgn",
            "b/notes.zst",
        ]);
        fs::create_dir(dir.path().join("folder.pgn")).unwrap();
        let found = discover(&[dir.path().to_owned()]);
        assert!(found.errors.is_empty(), "{:?}", found.errors);
        let expected = "a.pgn b/a.pgn.zst b/c/d.pgn.gzip b/z.PGN c.Pgn.GZ e.pgn.zstd f.pgn.bz2 \
            g.PGN.xz h.zip";
        assert_eq!(names(&found, &dir).join(" "), expected);
    }

    #[test]
    fn a_named_file_is_taken_whatever_its_ending_and_in_the_order_given() {
        let dir = folder(&["z.txt", "a.pgn"]);
        let found = discover(&["z.txt", "a.pgn"].map(|name| dir.path().join(name)));
        assert!(found.errors.is_empty());
        assert_eq!(names(&found, &dir), ["z.txt", "a.pgn"]);
        assert_eq!(found.inputs[0].size(), Some(2));
    }

    #[test]
    fn a_file_under_many_names_is_read_once_under_the_first() {
        let dir = folder(&["a.pgn", "b/c.pgn", "b/d.pgn"]);
        let args = ["b/../a.pgn", "a.pgn", "./a.pgn", "b/d.pgn", "b", "b/.", ".", "b/../b/c.pgn"];
        let found = discover(&args.map(|name| dir.path().join(name)));
        assert!(found.errors.is_empty(), "{:?}", found.errors);
        assert_eq!(names(&found, &dir), ["b/../a.pgn", "b/d.pgn", "b/c.pgn"]);
    }

    #[test]
    fn missing_files_and_empty_folders_are_errors_and_the_others_go_on() {
        let dir = folder(&["a.pgn", "empty/readme.txt"]);
        let args = ["missing.pgn", "empty", "a.pgn"].map(|name| dir.path().join(name));
        let found = discover(&args);
        assert_eq!(names(&found, &dir), ["a.pgn"]);
        let [Error::Read { path: missing, .. }, Error::EmptyFolder { path: empty }] =
            &found.errors[..]
        else {
            panic!("{:?}", found.errors);
        };
        assert_eq!([missing, empty], [&args[0], &args[1]]);
    }

    #[test]
    fn standard_input_can_be_named_once() {
        let found = discover(&["-".into(), "-".into()]);
        assert_eq!(found.inputs, [Input::stdin()]);
        assert_eq!(found.inputs[0].size(), None);
        assert!(matches!(found.errors[..], [Error::Usage(_)]));
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_of_links_is_an_error_that_does_not_stop_the_rest() {
        let dir = folder(&["a/x.pgn", "b/y.pgn"]);
        std::os::unix::fs::symlink(dir.path(), dir.path().join("a/loop")).unwrap();
        let outside = folder(&["y.pgn"]);
        std::os::unix::fs::symlink(outside.path().join("y.pgn"), dir.path().join("z.pgn")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("b/y.pgn"), dir.path().join("zz.pgn")).unwrap();
        let found = discover(&[dir.path().to_owned()]);
        assert_eq!(names(&found, &dir), ["a/x.pgn", "b/y.pgn", "z.pgn"], "zz.pgn is b/y.pgn");
        assert_eq!(found.errors.len(), 1);
        assert!(found.errors[0].to_string().contains("a/loop"), "{}", found.errors[0]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nowhere_is_an_error_and_not_an_empty_folder() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("nowhere", dir.path().join("unmounted")).unwrap();
        let found = discover(&[dir.path().to_owned()]);
        assert!(matches!(&found.errors[..], [Error::Read { .. }]), "{:?}", found.errors);
    }
}
