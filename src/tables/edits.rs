//! The edits of fixes, kept with offsets in their chunk until its place is known, then JSON text.

use std::io::Write;
use std::ops::Range;

use super::cells::Texts;
use crate::diagnostics::Edit;
use crate::source::decode;

/// A list of edits for each row.
#[derive(Clone, Debug, Default)]
pub(super) struct EditLists {
    edits: Vec<EditText>,
    /// How many edits each row and those before it have.
    ends: Vec<usize>,
    /// The contents of all edits, as JSON strings.
    contents: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct EditText {
    offset: usize,
    length: usize,
    /// Where its content ends.
    end: usize,
}

impl EditLists {
    /// Takes in a row's edits. Returns about how many bytes their JSON takes.
    pub fn push(&mut self, edits: &[Edit]) -> usize {
        // `{"offset":,"length":,"content":""},` and the numbers.
        const BESIDE_CONTENT: usize = 48;
        for Edit { span, content } in edits {
            // Strings always have a JSON form, and a vector takes whatever is written to it.
            let _ = serde_json::to_writer(&mut self.contents, &decode(content));
            let end = self.contents.len();
            self.edits.push(EditText { offset: span.start, length: span.len(), end });
        }
        self.ends.push(self.edits.len());
        edits.iter().map(|edit| edit.content.len() + BESIDE_CONTENT).sum()
    }

    /// Appends the rows' JSON, as in the JSON lines of `check`; null where a row has no edit.
    /// `offset` is where their chunk begins.
    pub fn append_to(&self, texts: &mut Texts, rows: Range<usize>, offset: u64) {
        let mut first = rows.start.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut start = first.checked_sub(1).map_or(0, |before| self.edits[before].end);
        for &end in &self.ends[rows] {
            texts.push(|out| {
                let mut separator = b'[';
                for edit in &self.edits[first..end] {
                    out.push(separator);
                    let _ = write!(
                        out,
                        r#"{{"offset":{},"length":{},"content":"#,
                        offset + edit.offset as u64,
                        edit.length
                    );
                    out.extend_from_slice(&self.contents[start..edit.end]);
                    out.push(b'}');
                    (separator, start) = (b',', edit.end);
                }
                out.push(b']');
                (first < end).then_some(())
            });
            first = end;
        }
    }

    pub fn capacity(&self) -> usize {
        self.contents.capacity() + self.edits.capacity() * size_of::<EditText>()
    }

    pub fn clear(&mut self) {
        self.edits.clear();
        self.ends.clear();
        self.contents.clear();
    }
}
