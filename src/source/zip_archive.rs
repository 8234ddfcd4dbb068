//! A zip archive that was opened: its members are inputs of their own.

use std::fs::File;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use super::raw::{Fingerprint, Hashing, RawReader};
use super::zip::{self, Contents};
use super::{Decoded, Source, decoded, peek_packed};
use crate::error::{Error, Result};

/// An archive and what is in it.
#[derive(Debug)]
pub struct ZipArchive {
    name: String,
    file: File,
    modified: Option<SystemTime>,
    contents: Contents,
}

impl ZipArchive {
    pub(super) fn new(
        name: &str,
        mut file: File,
        modified: Option<SystemTime>,
    ) -> io::Result<ZipArchive> {
        let contents = zip::contents(&mut file)?;
        if contents.chosen.is_empty() && contents.damage.is_none() {
            let message = "the zip archive holds no file whose name ends in .pgn";
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        Ok(ZipArchive { name: name.to_owned(), file, modified, contents })
    }

    /// How many members there are to read.
    pub fn len(&self) -> usize {
        self.contents.chosen.len()
    }

    pub fn is_empty(&self) -> bool {
        self.contents.chosen.is_empty()
    }

    /// `archive.zip/member.pgn`
    pub fn member_name(&self, index: usize) -> String {
        format!("{}/{}", self.name, self.contents.chosen[index].name)
    }

    /// Names of the files that are no archives by their names.
    pub fn left_aside(&self) -> &[String] {
        &self.contents.left_aside
    }

    /// Why there may be more members than are known, with [`is_packing_damage`] or without.
    ///
    /// [`is_packing_damage`]: super::is_packing_damage
    pub fn damage(&self) -> Option<&io::Error> {
        self.contents.damage.as_ref()
    }

    /// Opens a member, which may be packed once more inside. Its fingerprint is that of the file
    /// that unpacking gives.
    ///
    /// # Errors
    /// [`Error::Read`] for one that is encrypted or packed by an unknown method.
    pub fn open(&self, index: usize, hashing: Hashing) -> Result<Source> {
        let failed = |error| Error::read(self.member_name(index), error);
        let member = &self.contents.chosen[index];
        let (unpacked, meter) = zip::open_member(&self.file, member).map_err(failed)?;
        let fingerprint: Option<Arc<OnceLock<Fingerprint>>> =
            (hashing == Hashing::On).then(Arc::default);
        let file = RawReader::new(unpacked, self.modified, fingerprint.clone());
        let (head, raw) = peek_packed(Box::new(file));
        let Decoded { reader, compression, utf16 } = decoded(&head, raw, None).map_err(failed)?;
        let is_empty = head.is_empty();
        Ok(Source {
            reader,
            anywhere: None,
            size: None,
            meter,
            compression,
            utf16,
            is_empty,
            fingerprint,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read, Seek, Write};

    use ::zip::CompressionMethod;
    use ::zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;
    use crate::source::is_packing_damage;

    const METHODS: [CompressionMethod; 3] =
        [CompressionMethod::Deflated, CompressionMethod::Stored, CompressionMethod::Bzip2];

    fn text(game: usize) -> Vec<u8> {
        format!("[Event \"{game}\"]\n\n1. e4 e5 2. Nf3 *\n\n").repeat(200 + game).into_bytes()
    }

    fn write<W: Write + Seek>(mut writer: ZipWriter<W>, names: &[&str]) -> W {
        for (game, name) in names.iter().enumerate() {
            let method = METHODS[game % METHODS.len()];
            writer
                .start_file(*name, SimpleFileOptions::default().compression_method(method))
                .unwrap();
            writer.write_all(&text(game)).unwrap();
        }
        writer.finish().unwrap()
    }

    fn packed(names: &[&str]) -> Vec<u8> {
        write(ZipWriter::new(Cursor::new(Vec::new())), names).into_inner()
    }

    fn archive(bytes: &[u8]) -> io::Result<ZipArchive> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        ZipArchive::new("a.zip", file, None)
    }

    fn names(archive: &ZipArchive) -> Vec<String> {
        (0..archive.len()).map(|index| archive.member_name(index)).collect()
    }

    /// What comes out of a member, and the error after it.
    fn read(archive: &ZipArchive, index: usize) -> (Vec<u8>, Option<io::Error>) {
        let mut bytes = Vec::new();
        let error = match archive.open(index, Hashing::Off) {
            Ok(mut source) => source.reader.read_to_end(&mut bytes).err(),
            Err(error) => Some(io::Error::other(error.to_string())),
        };
        (bytes, error)
    }

    #[test]
    fn members_of_one_name_are_inputs_of_their_own() {
        // The writer refuses a second member of a name, so it gets its name afterwards.
        let mut bytes = packed(&["one.pgn", "two.pgn", "oni.pgn"]);
        let at: Vec<usize> = memchr::memmem::find_iter(&bytes, "oni.pgn").collect();
        for at in at {
            bytes[at..at + 7].copy_from_slice(b"one.pgn");
        }
        let archive = archive(&bytes).unwrap();
        assert_eq!(names(&archive), ["a.zip/one.pgn", "a.zip/two.pgn", "a.zip/one.pgn (2)"]);
        assert!(archive.damage().is_none());
        for game in [0, 2] {
            let mut read = Vec::new();
            let mut source = archive.open(game, Hashing::Off).unwrap();
            source.reader.read_to_end(&mut read).unwrap();
            assert_eq!(read, text(game));
        }
    }

    #[test]
    fn each_member_that_is_an_archive_by_its_name_is_read() {
        let archive =
            archive(&packed(&["b.pgn", "read.me", "x/a.PGN", "c.pgn", "__MACOSX/x/._a.pgn"]))
                .unwrap();
        assert_eq!(names(&archive), ["a.zip/b.pgn", "a.zip/x/a.PGN", "a.zip/c.pgn"]);
        assert_eq!(archive.left_aside(), ["read.me", "__MACOSX/x/._a.pgn"]);
        assert!(archive.damage().is_none());
        for (index, game) in [(0, 0), (1, 2), (2, 3)] {
            let (bytes, error) = read(&archive, index);
            assert!(bytes == text(game) && error.is_none(), "{index} {error:?}");
        }
    }

    #[test]
    fn a_file_that_is_alone_is_read_whatever_its_name() {
        let alone = archive(&packed(&["games.txt"])).unwrap();
        assert_eq!(names(&alone), ["a.zip/games.txt"]);
        let error = archive(&packed(&["a.txt", "b.txt"])).unwrap_err();
        assert!(error.to_string().contains("no file whose name"), "{error}");
    }

    #[test]
    fn a_member_may_be_packed_once_more() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("a.pgn.zst", SimpleFileOptions::default()).unwrap();
        writer.write_all(&::zstd::encode_all(&text(0)[..], 3).unwrap()).unwrap();
        let archive = archive(&writer.finish().unwrap().into_inner()).unwrap();
        assert_eq!(read(&archive, 0).0, text(0));
    }

    #[test]
    fn an_archive_cut_at_every_byte_gives_what_came_before_the_cut() {
        let raw = packed(&["a.pgn", "b.pgn", "c.pgn"]);
        let whole = archive(&raw).unwrap();
        assert_eq!(whole.len(), 3);
        let mut most = 0;
        for cut in (4..raw.len()).step_by(37) {
            let archive = archive(&raw[..cut]).unwrap();
            assert!(archive.damage().is_some_and(is_packing_damage), "{cut}");
            let mut texts = 0;
            for index in 0..archive.len() {
                let (bytes, error) = read(&archive, index);
                assert!(text(index).starts_with(&bytes), "{cut}");
                assert!(error.is_some() || bytes.len() == text(index).len(), "{cut}");
                texts += bytes.len();
            }
            assert!(texts >= most, "{cut}: a longer file gives no less");
            most = texts;
        }
        assert_eq!(most, (0..3).map(|game| text(game).len()).sum::<usize>());
    }

    #[test]
    fn members_that_were_written_to_a_pipe_tell_their_sizes_behind_them() {
        let mut writer = ZipWriter::new_stream(Vec::new());
        for game in 0..3 {
            writer.start_file(format!("{game}.pgn"), SimpleFileOptions::default()).unwrap();
            writer.write_all(&text(game)).unwrap();
        }
        let raw = writer.finish().unwrap().into_inner();
        // The table of contents is more than its last record.
        for len in [raw.len(), raw.len() - 30] {
            let archive = archive(&raw[..len]).unwrap();
            assert_eq!(names(&archive), ["a.zip/0.pgn", "a.zip/1.pgn", "a.zip/2.pgn"]);
            for game in 0..3 {
                let (bytes, error) = read(&archive, game);
                assert!(bytes == text(game) && error.is_none(), "{game} {error:?}");
            }
        }
    }

    #[test]
    fn a_damaged_member_gives_what_it_holds_and_the_others_are_read() {
        let mut raw = packed(&["a.pgn", "b.pgn"]);
        let second = text(1);
        let at = raw.windows(9).position(|window| window == &second[..9]).unwrap();
        raw[at] = b'{';
        let archive = archive(&raw).unwrap();
        let (bytes, error) = read(&archive, 1);
        assert_eq!(bytes[1..], second[1..]);
        assert!(error.is_some_and(|error| is_packing_damage(&error)));
        assert_eq!(read(&archive, 0).0, text(0));
    }

    #[test]
    fn what_is_encrypted_or_packed_by_an_unknown_method_is_refused_by_name() {
        let raw = packed(&["a.pgn", "b.pgn"]);
        for (field, value, told) in [(6, 1, "it is encrypted"), (8, 98, "98 (PPMd)")] {
            let mut raw = raw.clone();
            raw[field] = value;
            let archive = archive(&raw).unwrap();
            let error = read(&archive, 0).1.unwrap().to_string();
            assert!(error.contains("a.zip/a.pgn") && error.contains(told), "{error}");
            assert_eq!(read(&archive, 1).0, text(1));
        }
    }
}
