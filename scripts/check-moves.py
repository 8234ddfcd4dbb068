"""Replay a sample of certified games with python-chess and compare the number of legal moves.

usage: check-moves.py PGN-ARBITER ARCHIVE... [--sample N]

N games of a plain archive, from its beginning to its end, are cut out by the offset and length
that `check --format jsonl --games` gives, read with python-chess, and must have as many moves in
their main lines, all of them legal.
"""

import argparse
import io
import json
import logging
import re
import subprocess
import sys

import chess.pgn

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)

# Tags, results, numbers and bytes between games leave the moves alone; a variant without its tag
# (T223) does not.
HARMLESS = re.compile("B0..|R6..|S10[2347]|S117|T2(?!23|24)..")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--sample", type=int, default=200)
    options = parser.parse_args()
    differences = sum(compare(options, archive) for archive in options.archives)
    sys.exit(1 if differences else 0)


def compare(options, archive):
    games = certified_games(options.program, archive)
    step = max(1, len(games) // options.sample)
    alike = different = 0
    with open(archive, "rb") as file:
        for game in games[::step]:
            file.seek(game["offset"])
            # The standard's own character set holds every byte.
            text = file.read(game["length"]).decode("latin-1")
            read = chess.pgn.read_game(io.StringIO(text + "\n\n"))
            plies = sum(1 for _ in read.mainline_moves()) if read else 0
            if read and not read.errors and plies == game["plies"]:
                alike += 1
            else:
                different += 1
                print(f"{archive}: game {game['game']}: {plies} plies, not {game['plies']}")
    print(f"{archive}: {alike} sampled games alike in python-chess, {different} different")
    return different


def certified_games(program, archive):
    """Games whose moves are all certain and in the standard's notation."""
    command = [program, "check", "--quiet", "--format", "jsonl", "--games", "--fail-on", "never"]
    output = subprocess.run([*command, archive], capture_output=True, check=True).stdout
    games, doubtful = [], set()
    for line in output.decode().splitlines():
        record = json.loads(line)
        if record["type"] == "game" and record["verdict"] in ("certified", "flawed"):
            games.append(record)
        elif record["type"] == "finding" and record["severity"] == "warning":
            if not HARMLESS.fullmatch(record["code"]):
                doubtful.add(record.get("game"))
    return [game for game in games if game["game"] not in doubtful]


if __name__ == "__main__":
    main()
