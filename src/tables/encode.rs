//! A row group as compressed Parquet pages. Needs no file, so that any worker can do it.
//!
//! The same rows give the same pages. No thread is started here: this stands on polars' Parquet
//! encoder itself, below the thread pool that polars would keep beside ours.

use std::io;

use polars_arrow::array::{Array, BooleanArray, PrimitiveArray, Utf8Array};
use polars_arrow::bitmap::Bitmap;
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field};
use polars_arrow::offset::OffsetsBuffer;
use polars_arrow::types::NativeType;
use polars_error::PolarsResult;
use polars_parquet::write::{
    CompressedPage, CompressionOptions, Encoding, ParquetType, SchemaDescriptor, StatisticsOptions,
    Version, WriteOptions, ZstdLevel, to_parquet_schema,
};

use super::cells::{Cells, Texts, Validity};
use super::column::{ColumnInfo, Kind};
use super::dictionary::Dictionary;
use super::pages::PageMaker;
use super::rows::RowGroup;
use super::values::Values;

/// A table's columns as Arrow and as Parquet know them.
#[derive(Debug)]
pub(super) struct Schema {
    pub kinds: Vec<Kind>,
    pub arrow: ArrowSchema,
    pub parquet: SchemaDescriptor,
}

/// A row group that only has to be written.
#[derive(Debug)]
pub(super) struct EncodedGroup {
    pub rows: usize,
    /// The pages of each column.
    pub columns: Vec<Vec<CompressedPage>>,
}

impl Schema {
    pub fn new(columns: &[ColumnInfo]) -> PolarsResult<Schema> {
        let fields = columns.iter().map(|c| Field::new(c.name.into(), data_type(c.kind), true));
        let arrow = ArrowSchema::from_iter(fields);
        let parquet = to_parquet_schema(&arrow)?;
        Ok(Schema { kinds: columns.iter().map(|column| column.kind).collect(), arrow, parquet })
    }
}

/// Encodes row groups, one after another in the same buffers.
#[derive(Debug)]
pub(super) struct GroupEncoder {
    dictionary: Dictionary,
    pages: PageMaker,
}

impl GroupEncoder {
    pub fn new() -> io::Result<GroupEncoder> {
        Ok(GroupEncoder { dictionary: Dictionary::default(), pages: PageMaker::new()? })
    }

    /// Encodes and compresses all columns of a row group.
    pub fn encode(&mut self, schema: &Schema, group: &mut RowGroup) -> PolarsResult<EncodedGroup> {
        let mut columns = Vec::with_capacity(schema.kinds.len());
        for ((values, &kind), parquet) in
            group.columns.iter_mut().zip(&schema.kinds).zip(schema.parquet.fields())
        {
            columns.push(self.column(kind, values, parquet)?);
        }
        Ok(EncodedGroup { rows: group.rows, columns })
    }

    /// A dictionary where values repeat, differences where they rise, nothing where they are
    /// noise.
    fn column(
        &mut self,
        kind: Kind,
        values: &mut Values,
        parquet: &ParquetType,
    ) -> PolarsResult<Vec<CompressedPage>> {
        let GroupEncoder { dictionary, pages } = self;
        let data_type = data_type(kind);
        // Numbers of so many values are worth a dictionary in any case, as polars has it.
        let entries = match (kind, &mut *values) {
            (_, Values::Names(names)) => Some(dictionary.of_names(names).boxed()),
            (_, Values::Words(words)) => Some(dictionary.of_words(words).boxed()),
            (_, Values::Text(texts)) => dictionary.of_texts(texts)?.map(Utf8Array::boxed),
            (Kind::Int16, Values::Int16(cells)) => {
                dictionary.of_numbers(cells, data_type.clone(), 256)?.map(PrimitiveArray::boxed)
            }
            (Kind::Int32 | Kind::Date, Values::Int32(cells)) => {
                dictionary.of_numbers(cells, data_type.clone(), 512)?.map(PrimitiveArray::boxed)
            }
            (Kind::Int64 | Kind::LineColumn, Values::Int64(cells)) => {
                dictionary.of_numbers(cells, data_type.clone(), 2048)?.map(PrimitiveArray::boxed)
            }
            _ => None,
        };
        match entries {
            Some(entries) => pages.of_dictionary(dictionary, entries, parquet),
            None => pages.of_array(into_array(data_type, values)?, encoding(kind), parquet),
        }
    }
}

/// How every file is written.
pub(super) fn write_options() -> WriteOptions {
    WriteOptions {
        statistics: StatisticsOptions::default(),
        version: Version::V1,
        compression: CompressionOptions::Zstd(ZstdLevel::try_new(ZSTD_LEVEL).ok()),
        data_page_size: None,
    }
}

pub(super) const ZSTD_LEVEL: i32 = 1;

fn data_type(kind: Kind) -> ArrowDataType {
    match kind {
        Kind::Source | Kind::Text | Kind::Word | Kind::Edits => ArrowDataType::LargeUtf8,
        Kind::Int16 => ArrowDataType::Int16,
        Kind::Int32 => ArrowDataType::Int32,
        Kind::Int64 | Kind::Game | Kind::Offset | Kind::Line | Kind::LineColumn => {
            ArrowDataType::Int64
        }
        Kind::Key => ArrowDataType::UInt64,
        Kind::Float => ArrowDataType::Float64,
        Kind::Flag => ArrowDataType::Boolean,
        Kind::Date => ArrowDataType::Date32,
    }
}

/// How values are encoded that have no dictionary of ours.
fn encoding(kind: Kind) -> Encoding {
    match kind {
        Kind::Game | Kind::Offset | Kind::Line => Encoding::DeltaBinaryPacked,
        // polars finds those dictionaries that are left.
        Kind::Int16 | Kind::Int32 | Kind::Int64 | Kind::LineColumn | Kind::Date => {
            Encoding::RleDictionary
        }
        _ => Encoding::Plain,
    }
}

fn into_array(data_type: ArrowDataType, values: &mut Values) -> PolarsResult<Box<dyn Array>> {
    match values {
        Values::Text(texts) => text(data_type, texts),
        Values::Int16(cells) => primitive(data_type, cells),
        Values::Int32(cells) => primitive(data_type, cells),
        Values::Int64(cells) => primitive(data_type, cells),
        Values::Key(cells) => primitive(data_type, cells),
        Values::Float(cells) => primitive(data_type, cells),
        Values::Flag(cells) => {
            let values = cells.values().iter().copied().collect();
            Ok(BooleanArray::try_new(data_type, values, nulls(&cells.validity))?.boxed())
        }
        Values::Names(_) | Values::Words(_) | Values::Unnamed | Values::Edits(_) => {
            unreachable!("names and words have a dictionary; the others stand in chunks only")
        }
    }
}

fn primitive<T: NativeType>(
    data_type: ArrowDataType,
    cells: &mut Cells<T>,
) -> PolarsResult<Box<dyn Array>> {
    let values = cells.values().to_vec().into();
    Ok(PrimitiveArray::try_new(data_type, values, nulls(&cells.validity))?.boxed())
}

fn text(data_type: ArrowDataType, texts: &mut Texts) -> PolarsResult<Box<dyn Array>> {
    let ends = texts.ends().iter().map(|&end| end as i64);
    let offsets = OffsetsBuffer::try_from([0].into_iter().chain(ends).collect::<Vec<_>>())?;
    let nulls = nulls(&texts.validity);
    Ok(Utf8Array::try_new(data_type, offsets, texts.bytes.clone().into(), nulls)?.boxed())
}

fn nulls(validity: &Validity) -> Option<Bitmap> {
    if validity.nulls() == 0 {
        return None;
    }
    Some(match validity.mixed() {
        Some(valid) => valid.iter().copied().collect(),
        None => Bitmap::new_zeroed(validity.rows()),
    })
}
