"""Check what `scripts/bench` makes of its times, and that `scripts/make-faulty` makes one fault a
game. Runs no program, so it takes no time worth speaking of.

usage: check-measuring.py
"""

import contextlib
import importlib.machinery
import importlib.util
import io
import random
import tempfile
import types
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
ARCHIVE = SCRIPTS.parent / "fixtures" / "archive.pgn"


def script(name):
    loader = importlib.machinery.SourceFileLoader(name, str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


bench = script("bench")
faulty = script("make-faulty")

BASELINE = bench.Subject("portable", "baseline", [Path("/a/b/baseline"), Path("/c/d.pgn")])


def runs(*seconds):
    return [bench.Run(it, 64 * bench.MIB * 1024) for it in seconds]


class Bench(unittest.TestCase):
    def test_a_share_is_the_median_of_pairs_and_no_quotient_of_medians(self):
        spread = bench.Spread.of(runs(1, 4, 9), runs(2, 2, 6))
        self.assertEqual(spread, (1.5, 0.5, 2.0))
        self.assertEqual(spread.text(), "1.500 (0.500, 2.000)")

    def test_runs_without_a_partner_are_refused(self):
        with self.assertRaises(ValueError):
            bench.Spread.of(runs(1, 2), runs(1))

    def test_a_section_tells_speeds_of_plain_bytes_and_shares_of_its_own_build(self):
        native = bench.Subject("native", "baseline", [])
        subjects = [
            BASELINE,
            bench.Subject("portable", "check", [], BASELINE.key),
            bench.Subject("portable", "check, one thread", [], BASELINE.key),
            native,
            bench.Subject("native", "check", [], native.key),
        ]
        times = [runs(2, 2), runs(1, 1), runs(1.5, 1.5), runs(1, 1), runs(0.8, 0.8)]
        corpus = bench.Corpus("d.pgn.zst", 2_000_000, 10_000_000, 5000, 4999, {"A": "B"})
        told = bench.section(corpus, subjects, dict(zip([it.key for it in subjects], times)), [])
        self.assertIn("2.0 MB on disk, 10.0 MB plain, 5,000 games", told)
        self.assertIn("`grep -c '^\\[Event '`: 4,999", told)
        self.assertIn("| portable | check | 1.000 s | 0.500 (0.500, 0.500) | 5,000 | 10.0 |", told)
        self.assertIn("| native | check | 0.800 s | 0.800 (0.800, 0.800) | 6,250 | 12.5 |", told)
        self.assertIn("of all: portable check 1.500 (1.500, 1.500).", told)

    def test_the_folders_of_the_machine_are_told_nowhere(self):
        tables = Path("/tmp/x/tables")
        words = [*BASELINE.command, "--tables", tables, "1/2"]
        told = [bench.shown(word, tables) for word in words]
        self.assertEqual(told[:4], ["baseline", "d.pgn", "--tables", "DIR"])
        self.assertFalse(any("/" in word for word in told))

    def test_a_second_run_of_the_day_is_written_behind_the_first(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results" / "today.md"
            options = types.SimpleNamespace(output=path, no_write=False)
            for text in ("## first", "## second"):
                with contextlib.redirect_stdout(io.StringIO()):
                    bench.Results(options).say(text)
            lines = path.read_text().splitlines()
        self.assertEqual(lines[1:], ["", "## first", "", "## second"])
        self.assertTrue(lines[0].startswith("# Measured on "))

    def test_versions_are_those_of_the_lock_file(self):
        lock = '[[package]]\nname = "pgn"\nversion = "1"\n\nname = "pgn-reader"\nversion = "2"\n'
        self.assertEqual(bench.locked(lock, "pgn-reader"), "2")
        self.assertEqual(bench.locked(lock, "reader"), "of no known version")


class MakeFaulty(unittest.TestCase):
    def setUp(self):
        with ARCHIVE.open("rb") as archive:
            self.games = list(faulty.games(archive))

    def test_the_games_are_the_bytes_of_the_archive(self):
        self.assertEqual(b"".join(self.games), ARCHIVE.read_bytes())
        self.assertEqual(len(self.games), 40)

    def test_every_kind_changes_one_stretch_of_the_movetext_and_no_more(self):
        longest = {"left-out": 8, "swapped": 30}
        for kind in faulty.KINDS:
            changed = 0
            for game in self.games:
                new = faulty.with_fault(game, [kind], random.Random(7))
                if new is None:
                    continue
                changed += 1
                self.assertNotEqual(new, game, kind)
                same = next(at for at in range(len(game)) if new[at] != game[at])
                rest = next(at for at in range(len(game)) if new[-1 - at] != game[-1 - at])
                self.assertLess(game.rindex(b"]\n"), same, kind)
                self.assertLessEqual(len(game) - rest - same, longest.get(kind, 7), kind)
            self.assertGreater(changed, 20, kind)

    def test_a_seed_tells_the_faults(self):
        kinds = list(faulty.KINDS)
        first, again, other = (
            [faulty.with_fault(game, kinds, random.Random(seed)) for game in self.games]
            for seed in (1, 1, 2)
        )
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_games_with_comments_or_variations_are_left_out(self):
        moves = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6"
        kinds = list(faulty.KINDS)
        self.assertIsNotNone(faulty.with_fault(moves, kinds, random.Random(1)))
        for more in (b" {well}", b" (4. Bxc6)", b" ; well"):
            self.assertIsNone(faulty.with_fault(moves + more, kinds, random.Random(1)))


if __name__ == "__main__":
    unittest.main()
