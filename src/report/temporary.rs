//! The file in which a report is written until it is whole.
//!
//! It stands beside its target, since only there a rename is one step, and carries the target's
//! name: `.report.jsonl.pgn-arbiter-x1Y2z3.tmp`. While its run lives it is locked, so that the
//! next run to the same target can tell what a killed one left there, and takes it away.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

const MARK: &str = ".pgn-arbiter-";
const ENDING: &str = ".tmp";

/// Bytes of the target's name that are repeated; many file systems take no name beyond 255.
const LONGEST_NAME: usize = 200;

/// Creates the file for a target, which need not be there, and takes away those that killed runs
/// to the same target left.
pub(super) fn create(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.exists() {
        let message = format!("the folder {} does not exist", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    let prefix = prefix(target);
    remove_stale(folder, &prefix);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(ENDING);
    let permissions = permissions(target);
    if let Some(permissions) = &permissions {
        builder.permissions(permissions.clone());
    }
    loop {
        // Without the name of the temporary file, which tells nobody anything.
        let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        match file.as_file().try_lock() {
            // Another run may have taken it for a stale one before it was locked.
            Ok(()) if file.path().try_exists().is_ok_and(|exists| !exists) => {}
            Err(TryLockError::WouldBlock) => {}
            // Where a system cannot lock, nobody takes anything away.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

fn prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    format!(".{}{MARK}", &name[..name.floor_char_boundary(LONGEST_NAME)])
}

/// Takes away what nobody holds. What cannot be looked at stays; it is in nobody's way.
fn remove_stale(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let random = name
            .to_str()
            .and_then(|name| name.strip_prefix(prefix))
            .and_then(|name| name.strip_suffix(ENDING));
        // To open a pipe would wait for its other end.
        if random.is_some_and(|random| random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A temporary file is for its owner alone; a report is as open as what it replaces, or as the
/// user's mask lets it be.
fn permissions(target: &Path) -> Option<fs::Permissions> {
    let found = fs::metadata(target).map(|found| found.permissions()).ok();
    #[cfg(unix)]
    let found = found.or_else(|| {
        use std::os::unix::fs::PermissionsExt;
        Some(fs::Permissions::from_mode(0o666))
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_killed_run_left_goes_and_what_others_hold_or_own_stays() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("report.txt");
        let others = [
            ".report.txt.old.pgn-arbiter-abc123.tmp",
            ".report.txt.pgn-arbiter-abc.old.tmp",
            ".report.txt.pgn-arbiter-abc123.txt",
            "report.txt.pgn-arbiter-abc123.tmp",
        ];
        for name in others.iter().chain(&[".report.txt.pgn-arbiter-abc123.tmp"]) {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        let first = create(&target).unwrap();
        let second = create(&target).unwrap();
        let held = [first.path(), second.path()].map(|path| path.file_name().unwrap().to_owned());
        let mut expected: Vec<_> = held.iter().map(|name| name.to_str().unwrap()).collect();
        expected.extend(others);
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
        assert!(expected[0].starts_with(".report.txt.") && first.path().exists());
    }

    #[test]
    fn a_target_with_the_longest_name_has_room_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("ü".repeat(127));
        let file = create(&target).unwrap();
        file.persist(&target).unwrap();
        assert_eq!(names(folder.path()), ["ü".repeat(127)]);
    }
}
