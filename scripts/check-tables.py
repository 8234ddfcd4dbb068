#!/usr/bin/env python3
"""Checks a dataset with DuckDB and Polars, which share no code with each other.

    python3 -m venv .venv && .venv/bin/pip install -r scripts/requirements.txt
    .venv/bin/python scripts/check-tables.py DIR [--hash]

For each table: the files that stand there are those of the manifest, with their sizes and rows;
both readers see the same columns, types and rows; promotions, findings and draws belong to games of the
same source and offset. Prints one line a table, `--hash` adds a hash of its sorted rows, and the
exit status is 1 where anything differs.
"""

import argparse
import hashlib
import json
import pathlib
import sys

import duckdb
import polars as pl

# What each reader calls the types that the tables use.
TYPES = {
    "VARCHAR": pl.String,
    "SMALLINT": pl.Int16,
    "INTEGER": pl.Int32,
    "BIGINT": pl.Int64,
    "UBIGINT": pl.UInt64,
    "DOUBLE": pl.Float64,
    "BOOLEAN": pl.Boolean,
    "DATE": pl.Date,
}

# The column that holds the game's offset, in the tables that refer to games.
KEYS = {"promotions": "offset", "findings": "game_offset", "draws": "offset"}


class Check:
    """Collects what differs."""

    def __init__(self):
        self.faults = 0

    def same(self, what, left, right):
        if left != right:
            self.faults += 1
            print(f"{what}: {left!r} is not {right!r}", file=sys.stderr)


def check_files(check, folder, table):
    """The folder holds the manifest's files, and nothing else that a reader would take."""
    listed = {entry["path"]: entry for entry in table["files"]}
    found = {f"{table['name']}/{p.name}" for p in (folder / table["name"]).glob("*.parquet")}
    check.same(f"{table['name']}: files", sorted(found), sorted(listed))
    for path in found & listed.keys():
        check.same(f"{path}: bytes", (folder / path).stat().st_size, listed[path]["bytes"])
    rows = sum(entry["rows"] for entry in table["files"])
    check.same(f"{table['name']}: rows of its files", rows, table["rows"])


def check_statistics(check, base, name, glob):
    """Smallest and largest values in the files' footers are those of the rows."""
    footers = base.sql(
        f"SELECT path_in_schema, sum(num_values), sum(stats_null_count), "
        f"min(stats_min_value::BIGINT), max(stats_max_value::BIGINT) "
        f"FROM parquet_metadata('{glob}') WHERE type = 'INT64' AND path_in_schema NOT LIKE '%key' "
        f"GROUP BY ALL"
    ).fetchall()
    for column, values, nulls, smallest, largest in footers:
        rows = base.sql(
            f'SELECT count(*), count(*) - count("{column}"), min("{column}"), max("{column}") '
            f"FROM '{glob}'"
        ).fetchall()[0]
        check.same(f"{name}.{column}: statistics", (values, nulls, smallest, largest), rows)


def rows_hash(frame):
    """A hash that depends on the rows, not on their order or on how they were stored."""
    rows = sorted(json.dumps(row, default=str, ensure_ascii=False) for row in frame.iter_rows())
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]


def check_table(check, base, folder, table, with_hash):
    name = table["name"]
    check_files(check, folder, table)
    glob = str(folder / name / "*.parquet")
    quoted = glob.replace("'", "''")
    frame = pl.read_parquet(glob)
    relation = base.sql(f"SELECT * FROM '{quoted}'")

    check.same(f"{name}: rows in polars", frame.height, table["rows"])
    check.same(f"{name}: rows in duckdb", len(relation), table["rows"])
    seen = {column: TYPES.get(str(kind)) for column, kind in zip(relation.columns, relation.types)}
    check.same(f"{name}: columns", seen, dict(frame.schema))
    other = relation.pl()
    for column in frame.columns:
        if not frame[column].equals(other[column], null_equal=True):
            check.same(f"{name}.{column}: values", "in polars", "those in duckdb")
    check_statistics(check, base, name, quoted)

    key = KEYS.get(name)
    if key:
        games = str(folder / "games" / "*.parquet").replace("'", "''")
        lost = base.sql(
            f"SELECT count(*) FROM '{quoted}' AS t ANTI JOIN '{games}' AS g "
            f"ON t.source = g.source AND t.{key} = g.offset WHERE t.{key} IS NOT NULL"
        ).fetchall()[0][0]
        check.same(f"{name}: rows without their game", lost, 0)
    note = f"  {rows_hash(frame)}" if with_hash else ""
    print(f"{name}: {frame.height:,} rows, {frame.width} columns, {len(table['files'])} files{note}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--hash", action="store_true", help="print a hash of each table's rows")
    arguments = parser.parse_args()

    manifest_path = arguments.folder / "manifest.json"
    if not manifest_path.exists():
        sys.exit(f"{manifest_path}: not there, so the folder holds no whole dataset")
    manifest = json.loads(manifest_path.read_text())
    check = Check()
    base = duckdb.connect()
    for table in manifest["tables"]:
        check_table(check, base, arguments.folder, table, arguments.hash)
    rows = {table["name"]: table["rows"] for table in manifest["tables"]}
    check.same("games of the manifest", rows.get("games"), manifest["games"])
    from_sources = sum(source["games"] for source in manifest["sources"])
    check.same("games of the sources", from_sources, manifest["games"])
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main())
