//! The members of a zip archive (APPNOTE 6.3), each an input of its own.
//!
//! In: a file that can be read anywhere. Out: which of its members are chess archives, by name,
//! and a reader for each, which gives every byte that could be decoded and then the error. The
//! table of contents at the end tells what there is; where it is missing or damaged, the members
//! are looked up one after another from the start, as far as they go.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::Crc;

use super::RAW_BLOCK;
use super::bzip2::Bzip2Reader;
use super::discovery::is_archive_name;
use super::inflate::{DeflateReader, Inflater, Step};
use super::packing;
use super::raw::{Meter, RawReader};
use super::xz::XzReader;
use super::zstd::ZstdReader;

/// Length of a local header without name and extra field (APPNOTE 4.3.7).
const LOCAL_HEADER: usize = 30;

/// What a 32-bit field says where the extra field of zip64 has the value (4.4.8).
const IN_ZIP64: u64 = 0xffff_ffff;

/// Flags of a member (4.4.4).
const ENCRYPTED: u16 = 1;
const SIZES_FOLLOW: u16 = 1 << 3;

/// One member.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// As the archive has it, folders included.
    pub name: String,
    header: u64,
    packed: u64,
    /// `None` where the archive ends before it is told.
    crc: Option<u32>,
}

/// The members of an archive.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// In the order in which they stand.
    pub chosen: Vec<Member>,
    /// Names of the files that are left aside.
    pub left_aside: Vec<String>,
    /// What is wrong with the archive as a whole.
    pub damage: Option<io::Error>,
}

/// Looks up what is in an archive: members whose names end as archives do, or else the only file.
pub(super) fn contents(file: &mut File) -> io::Result<Contents> {
    let (mut members, damage) = match table_of_contents(file) {
        Some(members) => (members, None),
        None => {
            let (members, why) = walk(file)?;
            let all = entries_in_table(file) == Some(members.len()) && have_twins(&members);
            (members, why.filter(|_| !all))
        }
    };
    members.sort_by_key(|member| member.header);
    members.retain(|member| !member.name.ends_with(['/', '\\']));
    // What macOS keeps of a file beside its bytes stands under the name of the file.
    let is_archive = |member: &Member| {
        is_archive_name(member.name.as_bytes()) && !member.name.starts_with("__MACOSX/")
    };
    let only_one = members.len() == 1;
    let (mut chosen, others): (Vec<_>, Vec<_>) =
        members.into_iter().partition(|member| only_one || is_archive(member));
    number_twins(&mut chosen);
    let left_aside = others.into_iter().map(|member| member.name).collect();
    Ok(Contents { chosen, left_aside, damage })
}

fn table_of_contents(file: &mut File) -> Option<Vec<Member>> {
    let entries = entries_in_table(file);
    let mut archive = ::zip::ZipArchive::new(BufReader::new(file)).ok()?;
    // Of several members with one name the reader knows the last only.
    if entries.is_some_and(|entries| entries != archive.len()) {
        return None;
    }
    (0..archive.len())
        .map(|index| {
            let member = archive.by_index_raw(index).ok()?;
            Some(Member {
                name: member.name().to_owned(),
                header: member.header_start(),
                packed: member.compressed_size(),
                crc: Some(member.crc32()),
            })
        })
        .collect()
}

/// How many entries the end of the central directory gives, unless it is one of zip64.
fn entries_in_table(file: &mut File) -> Option<usize> {
    /// The record, and the longest comment behind it.
    const LONGEST: u64 = 22 + 0xFFFF;
    const ZIP64: u16 = 0xFFFF;
    let len = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(len.saturating_sub(LONGEST))).ok()?;
    let mut tail = Vec::new();
    file.take(LONGEST).read_to_end(&mut tail).ok()?;
    let at = memchr::memmem::rfind(&tail, b"PK\x05\x06")?;
    let entries = tail.get(at + 10..at + 12)?;
    let entries = u16::from_le_bytes([entries[0], entries[1]]);
    (entries != ZIP64).then_some(usize::from(entries))
}

fn have_twins(members: &[Member]) -> bool {
    let names: HashSet<&str> = members.iter().map(|member| &*member.name).collect();
    names.len() < members.len()
}

/// Tells members of one name apart, so that each is an input of its own.
fn number_twins(members: &mut [Member]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for member in members {
        let times = seen.entry(member.name.clone()).or_default();
        *times += 1;
        if *times > 1 {
            member.name = format!("{} ({times})", member.name);
        }
    }
}

/// From local header to local header, and why it went no further.
fn walk(file: &mut File) -> io::Result<(Vec<Member>, Option<io::Error>)> {
    let len = file.metadata()?.len();
    let mut members = Vec::new();
    let mut at = 0;
    let why = loop {
        let header = match LocalHeader::read(file, at) {
            Ok(header) => header,
            Err(error) => break error,
        };
        let rest = len.saturating_sub(header.data);
        let packed = match header.packed {
            Some(packed) => packed,
            None => deflated_len(file, header.data)?,
        };
        members.push(Member {
            name: header.name,
            header: at,
            // More than there is, so that its reader finds it cut.
            packed: if packed > rest { rest + 1 } else { packed },
            crc: header.crc,
        });
        if packed > rest {
            break packing::cut("the zip archive ends inside a member");
        }
        at = match header.packed {
            Some(packed) => header.data + packed,
            None => descriptor_end(file, header.data + packed)?,
        };
    };
    Ok((members, Some(why)))
}

/// What stands before the bytes of a member.
struct LocalHeader {
    name: String,
    flags: u16,
    method: u16,
    /// Where its bytes begin.
    data: u64,
    /// `None` where it is told behind the bytes.
    packed: Option<u64>,
    crc: Option<u32>,
}

impl LocalHeader {
    fn read(file: &mut File, at: u64) -> io::Result<LocalHeader> {
        file.seek(SeekFrom::Start(at))?;
        let mut head = Vec::with_capacity(LOCAL_HEADER);
        file.take(LOCAL_HEADER as u64).read_to_end(&mut head)?;
        let damaged = || packing::damaged("the zip archive is damaged between its members");
        match head[..] {
            [b'P', b'K', 3, 4, ..] if head.len() == LOCAL_HEADER => {}
            [b'P', b'K', 3, 4, ..] | [] | [b'P', b'K', 1, 2, ..] | [b'P', b'K', 5, 6, ..] => {
                return Err(packing::cut("the zip archive ends before its table of contents does"));
            }
            _ => return Err(damaged()),
        }
        let short = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let long = |at: usize| u64::from(short(at)) | u64::from(short(at + 2)) << 16;
        let (flags, method) = (short(6), short(8));
        let mut text = vec![0; usize::from(short(26)) + usize::from(short(28))];
        file.read_exact(&mut text).map_err(|_| packing::cut("the zip archive ends in a header"))?;
        let (name, extra) = text.split_at(usize::from(short(26)));
        let sizes_follow = flags & SIZES_FOLLOW != 0 && long(18) == 0;
        if sizes_follow && method != 8 {
            return Err(packing::damaged("a zip member does not tell where it ends"));
        }
        let packed =
            if long(18) == IN_ZIP64 { zip64_packed(extra).ok_or_else(damaged)? } else { long(18) };
        Ok(LocalHeader {
            name: String::from_utf8_lossy(name).into_owned(),
            flags,
            method,
            data: at + (LOCAL_HEADER + text.len()) as u64,
            packed: (!sizes_follow).then_some(packed),
            crc: (!sizes_follow).then_some(long(14) as u32),
        })
    }
}

/// The packed length in the extra field of zip64, behind the unpacked one (4.5.3).
fn zip64_packed(mut extra: &[u8]) -> Option<u64> {
    while let [id @ .., _, _] = extra.get(..4)? {
        let len = usize::from(u16::from_le_bytes([extra[2], extra[3]]));
        let field = extra.get(4..4 + len)?;
        if id == [1, 0] {
            return field.get(8..16)?.try_into().ok().map(u64::from_le_bytes);
        }
        extra = &extra[4 + len..];
    }
    None
}

/// How long the deflate stream at `at` is; up to the end where it is cut or damaged.
fn deflated_len(file: &mut File, at: u64) -> io::Result<u64> {
    file.seek(SeekFrom::Start(at))?;
    let mut raw = BufReader::new(&mut *file);
    let mut inflater = Inflater::new();
    loop {
        match inflater.step(&mut raw)? {
            Step::More => {}
            Step::End => return Ok(inflater.total_in()),
            Step::Cut | Step::Damaged(_) => return Ok(u64::MAX),
        }
    }
}

/// The end of the sizes that follow a member: with a signature or without, of 32 or 64 bits
/// (4.3.9). The one behind which the archive goes on is right.
fn descriptor_end(file: &mut File, at: u64) -> io::Result<u64> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(26).read_to_end(&mut bytes)?;
    let signed = bytes.starts_with(b"PK\x07\x08");
    let lens = if signed { [16, 24] } else { [12, 20] };
    let goes_on = |len: &&usize| bytes.get(**len..).is_some_and(|rest| rest.starts_with(b"PK"));
    let len = lens.iter().find(goes_on).unwrap_or(&lens[0]);
    Ok(at.saturating_add(*len as u64))
}

/// The decoded bytes of a member, and the meter of its packed ones.
pub(super) fn open_member(
    file: &File,
    member: &Member,
) -> io::Result<(Box<dyn Read + Send>, Meter)> {
    let mut file = file.try_clone()?;
    let header = LocalHeader::read(&mut file, member.header)?;
    let unsupported = |why: String| io::Error::new(io::ErrorKind::Unsupported, why);
    if header.flags & ENCRYPTED != 0 {
        return Err(unsupported("it is encrypted; unpack it first".to_owned()));
    }
    file.seek(SeekFrom::Start(header.data))?;
    let raw = RawReader::new(Whole { raw: file, left: member.packed }, None, None);
    let meter = raw.meter();
    let raw = BufReader::with_capacity(RAW_BLOCK, raw);
    let inner: Box<dyn Read + Send> = match header.method {
        0 => Box::new(raw),
        8 => Box::new(DeflateReader::new(raw)),
        12 => Box::new(Bzip2Reader::new(raw)),
        93 => Box::new(ZstdReader::new(raw)?),
        95 => Box::new(XzReader::new(raw)),
        method => {
            let name = match method {
                9 => " (deflate64)",
                14 => " (LZMA)",
                98 => " (PPMd)",
                _ => "",
            };
            let message = format!("it is packed by method {method}{name}; unpack it first");
            return Err(unsupported(message));
        }
    };
    Ok((Box::new(Checked { inner, crc: Crc::new(), expected: member.crc }), meter))
}

/// The packed bytes of a member, which are all there or end in an error.
struct Whole<R> {
    raw: R,
    left: u64,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.raw.by_ref().take(self.left).read(out)?;
        self.left -= len as u64;
        if len == 0 && self.left > 0 && !out.is_empty() {
            // Once: then it has ended.
            self.left = 0;
            return Err(packing::cut("the zip archive ends inside this member"));
        }
        Ok(len)
    }
}

/// Compares the checksum at the end.
struct Checked<R> {
    inner: R,
    crc: Crc,
    expected: Option<u32>,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(out);
        match read {
            Ok(0) if !out.is_empty() => {
                let expected = self.expected.take();
                if expected.is_some_and(|expected| expected != self.crc.sum()) {
                    return Err(packing::damaged("the checksum of this zip member does not fit"));
                }
            }
            Ok(len) => self.crc.update(&out[..len]),
            // What is missing is told; that the sum does not fit is no news.
            Err(_) => self.expected = None,
        }
        read
    }
}
