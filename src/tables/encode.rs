//! A row group as compressed Parquet pages. Needs no file, so that any worker can do it.
//!
//! The same rows give the same pages. No thread is started here: this stands on polars' Parquet
//! encoder itself, below the thread pool that polars would keep beside ours.

use polars_arrow::array::{Array, BooleanArray, DictionaryArray, PrimitiveArray, Utf8Array};
use polars_arrow::bitmap::Bitmap;
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field, IntegerType};
use polars_arrow::offset::OffsetsBuffer;
use polars_arrow::types::NativeType;
use polars_error::{PolarsError, PolarsResult};
use polars_parquet::parquet::error::{ParquetError, ParquetResult};
use polars_parquet::write::{
    CompressedPage, CompressionOptions, Compressor, Encoding, SchemaDescriptor, StatisticsOptions,
    Version, WriteOptions, ZstdLevel, array_to_columns, to_parquet_schema,
};

use super::cells::{Cells, Names, Texts};
use super::column::{ColumnInfo, Kind};
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

    /// Encodes and compresses all columns of a row group.
    pub fn encode(&self, group: RowGroup) -> PolarsResult<EncodedGroup> {
        let rows = group.rows;
        let mut columns = Vec::with_capacity(self.kinds.len());
        for ((values, &kind), parquet) in
            group.columns.into_iter().zip(&self.kinds).zip(self.parquet.fields())
        {
            let array = into_array(kind, values)?;
            for pages in
                array_to_columns(array, parquet.clone(), write_options(), &[encoding(kind)])?
            {
                let pages = pages.map(|page| page.map_err(parquet_error));
                let pages = Compressor::new(pages, write_options().compression, Vec::new());
                columns.push(pages.collect::<ParquetResult<Vec<_>>>()?);
            }
        }
        Ok(EncodedGroup { rows, columns })
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

const ZSTD_LEVEL: i32 = 1;

fn parquet_error(error: PolarsError) -> ParquetError {
    ParquetError::FeatureNotSupported(error.to_string())
}

fn data_type(kind: Kind) -> ArrowDataType {
    match kind {
        Kind::Source | Kind::Text | Kind::Edits => ArrowDataType::LargeUtf8,
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

/// A dictionary where values repeat (polars leaves it where they do not), differences where they
/// rise, nothing where they are noise.
fn encoding(kind: Kind) -> Encoding {
    match kind {
        Kind::Game | Kind::Offset | Kind::Line => Encoding::DeltaBinaryPacked,
        Kind::Key | Kind::Float | Kind::Flag => Encoding::Plain,
        _ => Encoding::RleDictionary,
    }
}

fn into_array(kind: Kind, values: Values) -> PolarsResult<Box<dyn Array>> {
    let data_type = data_type(kind);
    match values {
        Values::Names(names) => named(data_type, names),
        Values::Text(texts) => text(data_type, texts),
        Values::Int16(cells) => primitive(data_type, cells),
        Values::Int32(cells) => primitive(data_type, cells),
        Values::Int64(cells) => primitive(data_type, cells),
        Values::Key(cells) => primitive(data_type, cells),
        Values::Float(cells) => primitive(data_type, cells),
        Values::Flag(Cells { values, valid }) => {
            let array =
                BooleanArray::try_new(data_type, values.into_iter().collect(), nulls(&valid))?;
            Ok(array.boxed())
        }
        Values::Unnamed | Values::Edits(_) => {
            unreachable!("a row group holds names and JSON, not what stands for them in a chunk")
        }
    }
}

fn primitive<T: NativeType>(
    data_type: ArrowDataType,
    cells: Cells<T>,
) -> PolarsResult<Box<dyn Array>> {
    let nulls = nulls(&cells.valid);
    Ok(PrimitiveArray::try_new(data_type, cells.values.into(), nulls)?.boxed())
}

fn text(data_type: ArrowDataType, texts: Texts) -> PolarsResult<Box<dyn Array>> {
    let nulls = nulls(&texts.valid);
    let offsets: Vec<i64> = [0].into_iter().chain(texts.ends).map(|end| end as i64).collect();
    let offsets = OffsetsBuffer::try_from(offsets)?;
    Ok(Utf8Array::try_new(data_type, offsets, texts.bytes.into(), nulls)?.boxed())
}

/// A dictionary as it stands: nothing needs to be hashed.
fn named(data_type: ArrowDataType, names: Names) -> PolarsResult<Box<dyn Array>> {
    let values = Utf8Array::<i64>::from_slice(&names.names).boxed();
    let dictionary = ArrowDataType::Dictionary(IntegerType::UInt32, Box::new(data_type), false);
    let keys = PrimitiveArray::from_vec(names.keys);
    Ok(DictionaryArray::try_new(dictionary, keys, values)?.boxed())
}

fn nulls(valid: &[bool]) -> Option<Bitmap> {
    valid.contains(&false).then(|| valid.iter().copied().collect())
}
