//! The edits of fixes, kept as they are until the place of their chunk is known, then JSON text.

use std::ops::Range;

use serde::Serialize;

use super::cells::Texts;
use crate::diagnostics::Edit;
use crate::source::decode;

/// A list of edits for each row.
#[derive(Clone, Debug, Default)]
pub(super) struct EditLists {
    lists: Vec<Box<[Edit]>>,
    /// About how many bytes the JSON of each row and of those before it takes.
    weights: Vec<usize>,
}

/// As in the JSON lines of `check`.
#[derive(Serialize)]
struct EditJson<'a> {
    offset: u64,
    length: usize,
    content: &'a str,
}

impl EditLists {
    /// Appends the rows' JSON, null where a row has no edit. `offset` is where their chunk begins.
    pub fn append_to(&self, texts: &mut Texts, rows: Range<usize>, offset: u64) {
        for edits in &self.lists[rows] {
            let contents: Vec<_> = edits.iter().map(|edit| decode(&edit.content)).collect();
            let json: Vec<_> = edits
                .iter()
                .zip(&contents)
                .map(|(edit, content)| EditJson {
                    offset: offset + edit.span.start as u64,
                    length: edit.span.len(),
                    content,
                })
                .collect();
            // Numbers and strings always have a JSON form, so only an empty list is null.
            let json = serde_json::to_string(&json).ok().filter(|_| !edits.is_empty());
            texts.push(json.as_deref());
        }
    }

    pub fn weight_before(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.weights[before])
    }
}

impl<'a> FromIterator<&'a [Edit]> for EditLists {
    fn from_iter<I: IntoIterator<Item = &'a [Edit]>>(iter: I) -> EditLists {
        // `{"offset":,"length":,"content":""},` and the numbers.
        const BESIDE_CONTENT: usize = 48;
        let mut all = EditLists::default();
        let mut weight = 0;
        for edits in iter {
            weight += edits.iter().map(|edit| edit.content.len() + BESIDE_CONTENT).sum::<usize>();
            all.weights.push(weight);
            all.lists.push(edits.into());
        }
        all
    }
}
