//! Where a report goes: standard output, or a file that gets its name when it is whole.
//!
//! Formats append to [`Output::buffer`] and call [`Output::spill`] after every record, so that
//! what is held does not grow with the archive. A reader that went away (`pgn-arbiter ... |
//! head`) is no failure: what is written then goes nowhere, and [`Output::is_closed`] lets the
//! caller stop.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::look::{Color, Look};
use super::temporary;
use crate::error::{Error, Result};

/// Large enough that the system call does not show; not measured.
const SPILL: usize = 64 * 1024;

/// A buffered way out.
#[derive(Debug)]
pub struct Output {
    buffer: Vec<u8>,
    target: Target,
    closed: bool,
}

#[derive(Debug)]
enum Target {
    Stdout,
    /// Renamed to its path by [`Output::finish`].
    Whole {
        file: NamedTempFile,
        path: PathBuf,
    },
    /// A device or a pipe: a rename would put a file in its place.
    Direct {
        file: File,
        path: PathBuf,
    },
}

impl Output {
    pub fn stdout() -> Output {
        Output { buffer: Vec::new(), target: Target::Stdout, closed: false }
    }

    /// `-` is standard output, anything else a file.
    pub fn named(path: &Path) -> Result<Output> {
        if path == Path::new("-") { Ok(Output::stdout()) } else { Output::file(path) }
    }

    /// Nothing stands at `path` before [`Output::finish`], and what stood there stays until then.
    /// A device or pipe is written to directly.
    pub fn file(path: &Path) -> Result<Output> {
        let target = match fs::metadata(path) {
            Ok(found) if !found.is_file() => {
                let file = File::options().write(true).open(path);
                let file = file.map_err(|source| Error::write(path, source))?;
                Target::Direct { file, path: path.to_owned() }
            }
            // A link is followed: it is the file behind it that is replaced.
            _ => {
                let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
                let file = temporary::create(&target).map_err(|error| Error::write(path, error))?;
                Target::Whole { file, path: target }
            }
        };
        Ok(Output { buffer: Vec::new(), target, closed: false })
    }

    /// Whether a person sees what is written as it is written.
    pub fn is_terminal(&self) -> bool {
        match &self.target {
            Target::Stdout => io::stdout().is_terminal(),
            Target::Whole { .. } => false,
            Target::Direct { file, .. } => file.is_terminal(),
        }
    }

    /// What text is printed with here: only standard output has colours and a width.
    pub fn look(&self, color: Color) -> Look {
        match self.target {
            Target::Stdout => Look::of_stdout(color),
            Target::Whole { .. } | Target::Direct { .. } => Look::PLAIN,
        }
    }

    /// The reader went away; nothing more reaches it.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether something waits to be written.
    pub fn is_pending(&self) -> bool {
        !self.buffer.is_empty()
    }

    /// What is written next; append only.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Writes when enough waits. To be called after every record.
    pub fn spill(&mut self) -> Result<()> {
        if self.buffer.len() < SPILL { Ok(()) } else { self.flush() }
    }

    /// Writes what waits.
    pub fn flush(&mut self) -> Result<()> {
        let written = if self.closed { Ok(()) } else { self.target.write(&self.buffer) };
        self.buffer.clear();
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            written => written.map_err(|source| Error::write(self.target.path(), source)),
        }
    }

    /// Writes the rest and gives the file its name.
    pub fn finish(mut self) -> Result<()> {
        self.flush()?;
        match self.target {
            Target::Whole { file, path } => match file.persist(&path) {
                Ok(_) => Ok(()),
                Err(error) => Err(Error::write(path, error.error)),
            },
            Target::Stdout | Target::Direct { .. } => Ok(()),
        }
    }
}

impl Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Target::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes)?;
                stdout.flush()
            }
            Target::Whole { file, .. } => file.write_all(bytes),
            Target::Direct { file, .. } => file.write_all(bytes),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Target::Stdout => Path::new("standard output"),
            Target::Whole { path, .. } | Target::Direct { path, .. } => path,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_its_name_only_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.txt");
        fs::write(&path, "before").unwrap();
        let mut output = Output::file(&path).unwrap();
        output.buffer().extend_from_slice(&vec![b'x'; SPILL + 1]);
        output.spill().unwrap();
        assert!(!output.is_pending());
        assert_eq!(fs::read(&path).unwrap(), b"before");
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap().len(), SPILL + 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::file(&folder.path().join("report.txt")).unwrap();
        output.buffer().push(b'x');
        output.flush().unwrap();
        drop(output);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_is_missing_is_named() {
        let error = Output::file(Path::new("no/such/folder/report.txt")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot write no/such/folder/report.txt: the folder no/such/folder does not exist"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_report_may_be_read_by_whoever_could_read_the_one_before() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.txt");
        fs::write(&path, "before").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        Output::file(&path).unwrap().finish().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_stays_a_device() {
        let mut output = Output::file(Path::new("/dev/null")).unwrap();
        output.buffer().push(b'x');
        output.finish().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let mut output = Output::file(Path::new("/dev/full")).unwrap();
        output.buffer().push(b'x');
        assert!(output.finish().unwrap_err().to_string().starts_with("cannot write /dev/full: "));
    }

    #[cfg(unix)]
    #[test]
    fn a_reader_that_went_away_is_no_failure() {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let file = File::from(std::os::fd::OwnedFd::from(writer));
        let target = Target::Direct { file, path: PathBuf::from("pipe") };
        let mut output = Output { buffer: b"x".to_vec(), target, closed: false };
        output.flush().unwrap();
        assert!(output.is_closed());
        output.buffer().push(b'y');
        output.finish().unwrap();
    }
}
