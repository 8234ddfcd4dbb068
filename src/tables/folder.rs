//! The folder of a dataset: where a run writes until it is whole, and how that becomes the
//! dataset.
//!
//! A run writes into `.tmp-pgn-arbiter`, in which no file has its final ending. When all is
//! written, that folder is renamed to `.new-pgn-arbiter`: from then on the new dataset is whole,
//! and whoever comes next puts it in place, should this process not come to it:
//!
//! 1. the old manifest goes, so that nobody takes what follows for a dataset;
//! 2. the files that it listed go;
//! 3. the new files come, the manifest last.
//!
//! Until the rename, the old dataset stands untouched.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::manifest::Manifest;
use crate::error::{Error, Result};

const STAGING: &str = ".tmp-pgn-arbiter";
const WHOLE: &str = ".new-pgn-arbiter";
const MANIFEST: &str = "manifest.json";
const OLD_MANIFEST: &str = "old-manifest.json";
/// Behind a file's name while it is written: no `*.parquet` takes it.
const UNFINISHED: &str = ".tmp";

/// A dataset's folder, held by one run. Dropped before it is published, it takes away what it
/// wrote.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Whether this run made the folder.
    made: bool,
    published: bool,
    /// Ends with the process, however that ends.
    _lock: Option<File>,
}

impl Folder {
    /// Makes the folder, or takes one that is empty or holds a dataset of ours, and brings to an
    /// end what an interrupted run left there.
    pub fn open(path: &Path) -> Result<Folder> {
        let made = !path.exists();
        fs::create_dir_all(path).map_err(|error| Error::write(path, error))?;
        let mut folder = Folder { path: path.to_owned(), made, published: true, _lock: None };
        folder._lock = lock(path)?;
        put_in_place(path)?;
        remove_folder(&path.join(STAGING))?;
        let old = Manifest::read(&path.join(MANIFEST))?;
        check_contents(path, old.as_ref())?;
        fs::create_dir(path.join(STAGING)).map_err(|error| Error::write(path, error))?;
        folder.published = false;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes a table's folder in the staging folder.
    pub fn add_table(&self, table: &str) -> Result<()> {
        let path = self.path.join(STAGING).join(table);
        fs::create_dir(&path).map_err(|error| Error::write(path, error))
    }

    /// Where the file of this final name is written.
    pub fn unfinished(&self, name: &str) -> PathBuf {
        self.path.join(STAGING).join(format!("{name}{UNFINISHED}"))
    }

    /// Replaces the old dataset, if there is one, by the files that the manifest lists.
    pub fn publish(mut self, manifest: &Manifest) -> Result<()> {
        let staging = self.path.join(STAGING);
        for file in manifest.tables.iter().flat_map(|table| &table.files) {
            rename(&self.unfinished(&file.path), &staging.join(&file.path))?;
        }
        manifest.write(&staging.join(MANIFEST))?;
        rename(&staging, &self.path.join(WHOLE))?;
        self.published = true;
        put_in_place(&self.path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.published {
            return;
        }
        // Nobody is left to tell; the next run clears away what stays.
        let _ = fs::remove_dir_all(self.path.join(STAGING));
        if self.made {
            // Fails where somebody put something in it meanwhile.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// Two runs into one folder would take each other's files for left ones. The folder itself is
/// locked, so that no lock file stays behind; where a system cannot do that, nothing is locked.
fn lock(path: &Path) -> Result<Option<File>> {
    let Ok(folder) = File::open(path) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::WouldBlock) => {
            Err(Error::Usage(format!("another run is writing to {}", path.display())))
        }
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Does the steps that are left of a publication, if one had begun.
fn put_in_place(path: &Path) -> Result<()> {
    let whole = path.join(WHOLE);
    let (new_manifest, old_manifest) = (whole.join(MANIFEST), whole.join(OLD_MANIFEST));
    // Without its manifest, all of it stands in its place already.
    if let Some(manifest) = Manifest::read(&new_manifest)? {
        if path.join(MANIFEST).exists() {
            rename(&path.join(MANIFEST), &old_manifest)?;
        }
        if let Some(old) = Manifest::read(&old_manifest)? {
            for file in old.tables.iter().flat_map(|table| &table.files) {
                // A manifest that somebody edited must not lead out of the folder.
                let inside = Path::new(&file.path).components();
                if inside.into_iter().all(|part| matches!(part, Component::Normal(_))) {
                    remove_file(&path.join(&file.path))?;
                }
            }
            remove_file(&old_manifest)?;
        }
        for table in &manifest.tables {
            let folder = path.join(&table.name);
            fs::create_dir_all(&folder).map_err(|error| Error::write(folder, error))?;
            for file in &table.files {
                if whole.join(&file.path).exists() {
                    rename(&whole.join(&file.path), &path.join(&file.path))?;
                }
            }
        }
        rename(&new_manifest, &path.join(MANIFEST))?;
    }
    remove_folder(&whole)
}

/// Refuses a folder in which a dataset would stand among, or in place of, somebody's files.
fn check_contents(path: &Path, old: Option<&Manifest>) -> Result<()> {
    let Some(old) = old else {
        return match entries(path)?.first() {
            None => Ok(()),
            Some(name) => Err(Error::Usage(format!(
                "{} is not empty and holds no dataset of pgn-arbiter (it holds {name}): name a \
                 new folder",
                path.display()
            ))),
        };
    };
    let ours: BTreeSet<&str> =
        old.tables.iter().flat_map(|table| &table.files).map(|file| file.path.as_str()).collect();
    for table in super::TABLES {
        let folder = path.join(table.name);
        if !folder.exists() {
            continue;
        }
        for name in entries(&folder)? {
            let name = format!("{}/{name}", table.name);
            if !ours.contains(name.as_str()) {
                return Err(Error::Usage(format!(
                    "the dataset in {} holds {name}, which its manifest does not list: move it \
                     away, or name a new folder",
                    path.display()
                )));
            }
        }
    }
    Ok(())
}

/// The names in a folder, sorted.
fn entries(path: &Path) -> Result<Vec<String>> {
    let names = fs::read_dir(path)
        .and_then(|entries| {
            entries
                .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
                .collect::<io::Result<BTreeSet<String>>>()
        })
        .map_err(|error| Error::read(path, error))?;
    Ok(names.into_iter().collect())
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| Error::write(to, error))
}

fn remove_file(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(path, error)),
        _ => Ok(()),
    }
}

fn remove_folder(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(path, error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::manifest::{FileEntry, TableEntry};
    use super::*;

    /// A manifest that lists one file for each name.
    fn manifest(profile: &str, files: &[&str]) -> Manifest {
        let files = files.iter().map(|&name| FileEntry {
            path: format!("games/{name}"),
            rows: 1,
            bytes: 1,
            blake3: String::new(),
        });
        let tables = vec![TableEntry { name: "games".to_owned(), rows: 1, files: files.collect() }];
        Manifest::new(profile.to_owned(), 1, 1, Vec::new(), tables)
    }

    fn publish(path: &Path, profile: &str, files: &[&str]) {
        let folder = Folder::open(path).expect("the folder can be taken");
        folder.add_table("games").expect("a table can be added");
        let manifest = manifest(profile, files);
        for file in &manifest.tables[0].files {
            fs::write(folder.unfinished(&file.path), profile).expect("a file can be written");
        }
        folder.publish(&manifest).expect("the files can be put in place");
    }

    /// Every file below the folder, with its content (of manifests, the profile).
    fn contents(path: &Path) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for name in entries(path).expect("the folder can be read") {
            let inner = path.join(&name);
            if inner.is_dir() {
                let below = contents(&inner).into_iter();
                found.extend(below.map(|(file, text)| (format!("{name}/{file}"), text)));
            } else if let Some(manifest) = Manifest::read(&inner).expect("a readable file") {
                found.push((name, manifest.profile));
            } else {
                found.push((name, fs::read_to_string(&inner).expect("a readable file")));
            }
        }
        found
    }

    fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    const NEW: &[(&str, &str)] =
        &[("games/a.parquet", "new"), ("games/b.parquet", "new"), ("manifest.json", "new")];

    #[test]
    fn a_dataset_takes_the_place_of_the_one_before_it() {
        let home = tempfile::tempdir().expect("a folder for the test");
        publish(home.path(), "old", &["a.parquet", "c.parquet"]);
        fs::write(home.path().join("notes.txt"), "mine").expect("a file can be written");
        publish(home.path(), "new", &["a.parquet", "b.parquet"]);
        let mut expected = owned(NEW);
        expected.push(("notes.txt".to_owned(), "mine".to_owned()));
        assert_eq!(contents(home.path()), expected);
    }

    #[test]
    fn a_publication_that_was_interrupted_at_any_step_is_brought_to_its_end() {
        for steps in 0..=5 {
            let home = tempfile::tempdir().expect("a folder for the test");
            let path = home.path();
            publish(path, "old", &["a.parquet", "c.parquet"]);
            let staging = path.join(STAGING);
            fs::create_dir_all(staging.join("games")).expect("a folder can be made");
            fs::write(staging.join("games/a.parquet"), "new").expect("a file can be written");
            fs::write(staging.join("games/b.parquet"), "new").expect("a file can be written");
            let new = manifest("new", &["a.parquet", "b.parquet"]);
            new.write(&staging.join(MANIFEST)).expect("a file can be written");
            let whole = path.join(WHOLE);
            let moves = [
                (staging, whole.clone()),
                (path.join(MANIFEST), whole.join(OLD_MANIFEST)),
                (whole.join("games/a.parquet"), path.join("games/a.parquet")),
                (whole.join("games/b.parquet"), path.join("games/b.parquet")),
                (whole.join(MANIFEST), path.join(MANIFEST)),
            ];
            for (step, (from, to)) in moves.iter().take(steps).enumerate() {
                if step == 2 {
                    fs::remove_file(path.join("games/a.parquet")).expect("an old file");
                    fs::remove_file(path.join("games/c.parquet")).expect("an old file");
                    fs::remove_file(whole.join(OLD_MANIFEST)).expect("the old manifest");
                }
                rename(from, to).expect("a step of the publication");
            }
            drop(Folder::open(path).expect("the folder can be taken again"));
            let old = owned(&[
                ("games/a.parquet", "old"),
                ("games/c.parquet", "old"),
                ("manifest.json", "old"),
            ]);
            let expected = if steps == 0 { old } else { owned(NEW) };
            assert_eq!(contents(path), expected, "after {steps} steps");
        }
    }

    #[test]
    fn what_a_killed_run_left_is_cleared_away() {
        let home = tempfile::tempdir().expect("a folder for the test");
        fs::create_dir_all(home.path().join(STAGING).join("games")).expect("a folder can be made");
        fs::write(home.path().join(STAGING).join("games/a.parquet.tmp"), "half").expect("a file");
        publish(home.path(), "new", &["a.parquet", "b.parquet"]);
        assert_eq!(contents(home.path()), owned(NEW));
    }

    #[test]
    fn somebody_elses_files_are_refused() {
        let home = tempfile::tempdir().expect("a folder for the test");
        fs::write(home.path().join(MANIFEST), r#"{"name":"an app"}"#).expect("a file");
        let error = Folder::open(home.path()).expect_err("the folder is not ours");
        assert!(matches!(error, Error::Usage(ref text) if text.contains("manifest.json")));
        assert_eq!(entries(home.path()).expect("a folder"), ["manifest.json"]);

        let home = tempfile::tempdir().expect("a folder for the test");
        publish(home.path(), "old", &["a.parquet"]);
        fs::write(home.path().join("games/mine.parquet"), "mine").expect("a file");
        let error = Folder::open(home.path()).expect_err("one file is not ours");
        assert!(matches!(error, Error::Usage(ref text) if text.contains("games/mine.parquet")));
    }

    #[test]
    fn a_manifest_that_leads_out_of_the_folder_removes_nothing_there() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let (data, letter) = (home.path().join("data"), home.path().join("letter"));
        publish(&data, "old", &["a.parquet"]);
        fs::write(&letter, "mine").expect("a file");
        let mut forged = manifest("old", &["a.parquet"]);
        forged.tables[0].files[0].path = "../letter".to_owned();
        fs::remove_file(data.join("games/a.parquet")).expect("a file");
        forged.write(&data.join(MANIFEST)).expect("a file");
        publish(&data, "new", &["a.parquet", "b.parquet"]);
        assert!(letter.exists());
    }

    #[test]
    fn a_second_run_into_the_same_folder_is_refused() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let first = Folder::open(home.path()).expect("the folder can be taken");
        assert!(matches!(Folder::open(home.path()), Err(Error::Usage(_))));
        drop(first);
        assert!(Folder::open(home.path()).is_ok());
    }

    #[test]
    fn an_unfinished_run_leaves_nothing() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let path = home.path().join("deep/data");
        let folder = Folder::open(&path).expect("the folder can be made");
        folder.add_table("games").expect("a table can be added");
        fs::write(folder.unfinished("games/a.parquet"), "half").expect("a file");
        drop(folder);
        assert!(!path.exists());
    }
}
