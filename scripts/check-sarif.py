#!/usr/bin/env python3
"""Checks SARIF logs against the schema of SARIF 2.1.0, and their regions against the files.

    python3 -m venv .venv && .venv/bin/pip install -r scripts/requirements.txt
    .venv/bin/python scripts/check-sarif.py LOG... [--root DIR]

Besides the schema: each result names a rule of the run under its index; lines and columns mean
the same bytes as offsets and lengths do; what a fix inserts is the same as text and as bytes.
Files that are compressed, or no longer there, are not looked into. Prints one line a log, and the
exit status is 1 where anything is wrong.
"""

import argparse
import base64
import json
import pathlib
import re
import sys
import urllib.parse

import jsonschema

SCHEMA = pathlib.Path(__file__).parent.parent / "fixtures/sarif/sarif-schema-2.1.0.json"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
PACKED = (b"\x28\xb5\x2f\xfd", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK\x03\x04")


class Text:
    """A file as SARIF counts it: lines and columns in characters, without a byte order mark."""

    def __init__(self, data):
        self.mark = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0
        self.text = data[self.mark :].decode("utf-8")
        self.starts = [0] + [end.end() for end in re.finditer("\r\n|\n|\r", self.text)]

    def offset(self, line, column):
        """The byte at which this character begins."""
        before = self.text[: self.starts[line - 1] + column - 1]
        return self.mark + len(before.encode("utf-8"))


def regions(result):
    """Every region of a result with the URI of its file."""
    for location in result["locations"]:
        physical = location["physicalLocation"]
        yield physical["artifactLocation"]["uri"], physical["region"]
    for fix in result.get("fixes", []):
        for change in fix["artifactChanges"]:
            for replacement in change["replacements"]:
                yield change["artifactLocation"]["uri"], replacement["deletedRegion"]


def region_faults(text, region):
    start = text.offset(region["startLine"], region["startColumn"])
    end = text.offset(region["endLine"], region["endColumn"])
    # What stands in the mark, or is the mark, has no place in the text.
    first = max(region["byteOffset"], text.mark)
    last = max(region["byteOffset"] + region["byteLength"], text.mark)
    if (start, end) != (first, last):
        yield f"lines and columns mean bytes {start} to {end}, the offset {first} to {last}"


def content_faults(result):
    for fix in result.get("fixes", []):
        for change in fix["artifactChanges"]:
            for replacement in change["replacements"]:
                content = replacement.get("insertedContent")
                if content and "text" in content:
                    if base64.b64decode(content["binary"]) != content["text"].encode("utf-8"):
                        yield f"{content} is not one content"


def faults(log, root):
    schema = json.loads(SCHEMA.read_text())
    for error in jsonschema.Draft4Validator(schema).iter_errors(log):
        yield f"{error.json_path}: {error.message}"
    texts = {}

    def text(uri):
        if uri not in texts:
            path = root / urllib.parse.unquote(uri.removeprefix("file://"))
            data = path.read_bytes() if path.is_file() else None
            try:
                plain = data is not None and not data.startswith(PACKED)
                texts[uri] = Text(data) if plain else None
            except UnicodeDecodeError:
                texts[uri] = None
        return texts[uri]

    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        for number, result in enumerate(run["results"]):
            name = f"result {number} ({result['ruleId']})"
            if rules[result["ruleIndex"]] != result["ruleId"]:
                yield f"{name}: its index is that of {rules[result['ruleIndex']]}"
            for uri, region in regions(result):
                if text(uri) is not None:
                    for fault in region_faults(text(uri), region):
                        yield f"{name}: {uri}: {fault}"
            for fault in content_faults(result):
                yield f"{name}: {fault}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="+", type=pathlib.Path, metavar="LOG")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."),
                        help="the folder that relative URIs start from")
    arguments = parser.parse_args()

    status = 0
    for path in arguments.logs:
        log = json.loads(path.read_text())
        found = list(faults(log, arguments.root))
        for fault in found[:20]:
            print(f"{path}: {fault}", file=sys.stderr)
        results = sum(len(run["results"]) for run in log["runs"])
        print(f"{path}: {results:,} results, {len(found)} faults")
        if found:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
