//! Compressed Parquet pages of one column.
//!
//! polars' encoder makes dictionary pages, statistics and plain values; keys and what is null are
//! encoded here, since most columns are one value, or nothing, from end to end. Pages are the
//! same to the byte as polars' own for the same dictionary.

use std::fmt;
use std::io;

use polars_arrow::array::{Array, DictionaryArray, PrimitiveArray};
use polars_arrow::datatypes::{ArrowDataType, IntegerType};
use polars_error::{PolarsError, PolarsResult};
use polars_parquet::parquet::CowBuffer;
use polars_parquet::parquet::compression::Compression;
use polars_parquet::parquet::encoding::hybrid_rle::{Encoder, encode};
use polars_parquet::parquet::page::{
    CompressedDataPage, CompressedDictPage, CompressedPage, DataPage, DataPageHeader,
    DataPageHeaderV1, Page,
};
use polars_parquet::parquet::statistics::ParquetStatistics;
use polars_parquet::write::{Encoding, ParquetType, array_to_columns};
use zstd::bulk;
use zstd::zstd_safe::compress_bound;

use super::dictionary::Dictionary;
use super::encode::{ZSTD_LEVEL, write_options};
use super::keys;

/// Makes the pages of one column after another, in the same buffers.
pub(super) struct PageMaker {
    zstd: bulk::Compressor<'static>,
    plain: Vec<u8>,
    compressed: Vec<u8>,
}

impl PageMaker {
    pub fn new() -> io::Result<PageMaker> {
        let zstd = bulk::Compressor::new(ZSTD_LEVEL)?;
        Ok(PageMaker { zstd, plain: Vec::new(), compressed: Vec::new() })
    }

    /// The pages of values that polars encodes.
    pub fn of_array(
        &mut self,
        array: Box<dyn Array>,
        encoding: Encoding,
        parquet: &ParquetType,
    ) -> PolarsResult<Vec<CompressedPage>> {
        let mut pages = Vec::new();
        for column in array_to_columns(array, parquet.clone(), write_options(), &[encoding])? {
            for page in column {
                pages.push(self.compress(page?)?);
            }
        }
        Ok(pages)
    }

    /// The pages of a dictionary's keys and its `entries`.
    pub fn of_dictionary(
        &mut self,
        dictionary: &Dictionary,
        entries: Box<dyn Array>,
        parquet: &ParquetType,
    ) -> PolarsResult<Vec<CompressedPage>> {
        // One row, so that there is a data page whose header has all but the counts.
        let first = Some(0).filter(|_| dictionary.entries > 0);
        let key = PrimitiveArray::<u32>::from([first]);
        let data_type = ArrowDataType::Dictionary(
            IntegerType::UInt32,
            Box::new(entries.dtype().clone()),
            false,
        );
        let pattern = DictionaryArray::try_new(data_type, key, entries)?.boxed();
        let encoding = [Encoding::RleDictionary];
        let mut pages = Vec::new();
        for column in array_to_columns(pattern, parquet.clone(), write_options(), &encoding)? {
            for page in column {
                let page = match page? {
                    Page::Data(page) => self.data_page(dictionary, &page)?,
                    page => self.compress(page)?,
                };
                pages.push(page);
            }
        }
        Ok(pages)
    }

    fn data_page(
        &mut self,
        dictionary: &Dictionary,
        pattern: &DataPage,
    ) -> PolarsResult<CompressedPage> {
        let Dictionary { rows, keys, valid, entries, .. } = dictionary;
        self.plain.clear();
        levels(&mut self.plain, *rows, keys.len(), valid)?;
        let bits = u32::BITS - (entries.saturating_sub(1) as u32).leading_zeros();
        self.plain.push(bits as u8);
        keys::encode(keys, bits, &mut self.plain);
        let nulls = (rows - keys.len()) as i64;
        let header = match pattern.header().clone() {
            DataPageHeader::V1(header) => DataPageHeader::V1(DataPageHeaderV1 {
                num_values: *rows as i32,
                statistics: header
                    .statistics
                    .map(|it| ParquetStatistics { null_count: Some(nulls), ..it }),
                ..header
            }),
            header => header,
        };
        let plain = std::mem::take(&mut self.plain);
        let page = self.zstd(&plain).map(|bytes| {
            CompressedPage::Data(CompressedDataPage::new(
                header,
                bytes,
                Compression::Zstd,
                plain.len(),
                pattern.descriptor.clone(),
                *rows,
            ))
        });
        self.plain = plain;
        page
    }

    fn compress(&mut self, page: Page) -> PolarsResult<CompressedPage> {
        Ok(match page {
            Page::Data(page) => CompressedPage::Data(CompressedDataPage::new(
                page.header().clone(),
                self.zstd(page.buffer())?,
                Compression::Zstd,
                page.buffer().len(),
                page.descriptor.clone(),
                page.num_rows().unwrap_or_default(),
            )),
            Page::Dict(page) => CompressedPage::Dict(CompressedDictPage::new(
                self.zstd(&page.buffer)?,
                Compression::Zstd,
                page.buffer.len(),
                page.num_values,
                page.is_sorted,
            )),
        })
    }

    fn zstd(&mut self, bytes: &[u8]) -> PolarsResult<CowBuffer> {
        self.compressed.clear();
        self.compressed.reserve(compress_bound(bytes.len()));
        self.zstd.compress_to_buffer(bytes, &mut self.compressed).map_err(PolarsError::from)?;
        Ok(CowBuffer::Owned(self.compressed.clone()))
    }
}

impl fmt::Debug for PageMaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageMaker").finish_non_exhaustive()
    }
}

/// Up to here polars' encoder packs equal values in bits.
const LONGEST_PLAIN_RUN: usize = 8;

/// Which rows hold a value, behind the length of that in bytes.
fn levels(out: &mut Vec<u8>, rows: usize, values: usize, valid: &[bool]) -> io::Result<()> {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    if values == rows {
        bool::run_length_encode(out, rows, true, 1)?;
    } else if !valid.is_empty() {
        encode(out, valid.iter().copied(), 1)?;
    } else if rows > LONGEST_PLAIN_RUN {
        bool::run_length_encode(out, rows, false, 1)?;
    } else {
        encode(out, std::iter::repeat_n(false, rows), 1)?;
    }
    let len = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&len.to_le_bytes());
    Ok(())
}
