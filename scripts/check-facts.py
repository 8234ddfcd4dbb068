#!/usr/bin/env python3
"""Holds what the program says of games against python-chess: repetitions, the halfmove clock,
mates, stalemates, dead positions and illegal moves.

    python3 -m venv .venv && .venv/bin/pip install -r scripts/requirements.txt
    .venv/bin/python scripts/check-facts.py PGN-ARBITER [ARCHIVE...] [--sample N] [--generate N]
        [--seed S] [--illegal]

Games are cut out of plain archives by the offset and length that `check --format jsonl --games`
gives, and replayed up to their first fault. Positions are counted as FIDE 9.2.3 counts them, the start position included.
The first illegal move must be the same for both. A closed wall of pawns, which python-chess does
not know, is explored: no pawn may ever move or fall behind it, and nobody may mate.

--sample N     N games of each archive, drawn with the seed; without it all of them
--generate N   N games as well that are made to be mistaken: repetitions around en passant captures
               (legal and pinned) and castling rights, clocks near 100 and 150, mates on the
               hundredth half-move, stalemates, last captures, closed walls, illegal moves
--illegal      nothing but the games with an illegal move, all of them, with a line for each move

Left out are games of variants, with null moves, or with words that python-chess does not read.
Prints a line for each difference and one for all games; the exit status is 1 where there is any
difference.
"""

import argparse
import collections
import io
import json
import logging
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import chess
import chess.pgn

import trap_games

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)

# Findings that leave every word of the main line as python-chess reads it.
HARMLESS = re.compile(
    "A8..|B0(?!0[348])..|D5..|M3(0.|1[0-5]|2[0-35])|N7(0[123]|13)|R60[^5]|S10[2347]|S11[4567]|"
    "T2(0[123]|1[34567]|19|2[0125])"
)
# Moves that are read and not legal, those behind a mate or a stalemate included.
ILLEGAL = re.compile("M3(0[1-9]|1[0-5]|2[01])")
CHESS = ("", "chess", "standard", "normal", "from position", "chess960", "fischerandom")
# More positions than this behind a wall are not explored.
MOST_POSITIONS = 100_000
FACTS = (
    "end_state",
    "first_threefold_ply",
    "first_fivefold_ply",
    "first_fifty_ply",
    "first_seventyfive_ply",
    "max_halfmove_clock",
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("archives", nargs="*")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--generate", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--illegal", action="store_true")
    options = parser.parse_args()
    seen = collections.Counter()
    if options.archives:
        compare(options, options.archives, options.sample, seen)
    if options.generate:
        with tempfile.TemporaryDirectory() as folder:
            archive = pathlib.Path(folder, "generated.pgn")
            archive.write_text(trap_games.generate(options.generate, options.seed))
            compare(options, [str(archive)], None, seen)
    print(", ".join(f"{count:,} {what}" for what, count in seen.items()) or "no games")
    # That nothing was compared is no success, but where illegal moves were looked for.
    sys.exit(1 if seen["differences"] or not (seen["games"] or options.illegal) else 0)


def compare(options, archives, sample, seen):
    """Adds to what was seen, and prints the differences."""
    archives, findings = judge(options.program, archives)
    for archive, games in archives.items():
        if options.illegal:
            games = [g for g in games if first_illegal(g, findings[archive, g["game"]])]
        # What is told of the file as a whole holds for all of its games.
        whole = findings[archive, None]
        chosen = [g for g in games if is_comparable(whole + findings[archive, g["game"]])]
        if len(chosen) < len(games):
            seen["games left out"] += len(games) - len(chosen)
        if not options.illegal and sample is not None and sample < len(chosen):
            chosen = random.Random(options.seed).sample(chosen, sample)
            chosen.sort(key=lambda game: game["game"])
        with open(archive, "rb") as file:
            for game in chosen:
                file.seek(game["offset"])
                # The standard's own character set holds every byte.
                text = file.read(game["length"]).decode("latin-1")
                compare_game(options, game, findings[archive, game["game"]], text, seen)


def compare_game(options, game, findings, text, seen):
    replayed = replay(text, game["certified_plies"])
    if replayed is None:
        seen["games left out"] += 1
        return
    seen["games"] += 1
    seen["plies"] += game["certified_plies"]
    place = f"{game['file']}: game {game['game']}"
    for difference in differences_of(game, findings, replayed, seen):
        seen["differences"] += 1
        print(f"{place}: {difference}")
    illegal = first_illegal(game, findings)
    if illegal:
        seen["illegal moves"] += 1
        if options.illegal:
            theirs = f"python-chess at ply {replayed.error_ply}: {replayed.error}"
            print(f"{place}: {illegal['move']} {illegal['code']} {illegal['name']}; {theirs}")
    seen.update(what for what in FACTS[1:5] if what in game)
    seen[f"{game['end_state']} at the end"] += 1


def judge(program, archives):
    """The records of games by archive, and the findings by archive and game."""
    command = [program, "check", "--quiet", "--format", "jsonl", "--games", "--fail-on", "never"]
    games, findings = collections.defaultdict(list), collections.defaultdict(list)
    with subprocess.Popen([*command, *archives], stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            record = json.loads(line)
            if record["type"] == "game":
                games[record["file"]].append(record)
            elif record["type"] == "finding":
                findings[record["file"], record.get("game")].append(record)
    if process.returncode:
        sys.exit(f"{program} ended with status {process.returncode}")
    return games, findings


def is_comparable(findings):
    return all(HARMLESS.fullmatch(finding["code"]) for finding in findings)


def first_illegal(game, findings):
    """The finding of the move at which the certified plies end."""
    behind = game["certified_plies"] + 1
    for finding in findings:
        if ILLEGAL.fullmatch(finding["code"]) and finding["ply"] == behind:
            return finding
    return None


class Replay(chess.pgn.BaseVisitor):
    """Replays a main line up to a ply, and counts as FIDE does."""

    def __init__(self, last_ply):
        self.last_ply = last_ply
        self.ply = -1
        self.is_chess = True
        self.boards = []
        self.error = None
        self.error_ply = None
        self.times = collections.Counter()
        self.facts = {"max_halfmove_clock": 0}
        self.is_dead = False
        self.dead_ply = None

    def end_headers(self):
        return None if self.is_chess else chess.pgn.SKIP

    def visit_header(self, name, value):
        if name == "Variant" and value.lower() not in CHESS:
            self.is_chess = False

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_board(self, board):
        self.ply += 1
        if self.ply > self.last_ply:
            return
        self.boards.append(board.copy(stack=False))
        clock = board.halfmove_clock
        self.facts["max_halfmove_clock"] = max(self.facts["max_halfmove_clock"], clock)
        position = identity(board)
        self.times[position] += 1
        # A mate goes before all draws.
        if self.ply and board.is_checkmate():
            return
        times = self.times[position]
        for name, reached in [
            ("first_threefold_ply", times >= 3),
            ("first_fivefold_ply", times >= 5),
            ("first_fifty_ply", self.ply and clock >= 100),
            ("first_seventyfive_ply", self.ply and clock >= 150),
        ]:
            if reached:
                self.facts.setdefault(name, self.ply)
        if not self.is_dead and board.is_insufficient_material():
            self.is_dead = True
            self.dead_ply = self.ply

    def handle_error(self, error):
        if self.error is None:
            self.error = error
            self.error_ply = self.ply + 1

    def result(self):
        return self

    def end_state(self, is_walled):
        board = self.boards[-1]
        has_moved = len(self.boards) > 1
        if has_moved and board.is_checkmate():
            return "checkmate"
        if has_moved and board.is_stalemate():
            return "stalemate"
        if self.is_dead or is_walled:
            return "dead_position"
        if self.times[identity(board)] >= 5:
            return "fivefold"
        return "seventyfive" if has_moved and board.halfmove_clock >= 150 else "none"


def identity(board):
    """What two positions have in common that are the same by FIDE 9.2.3."""
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.turn,
        board.clean_castling_rights(),
        board.ep_square if board.has_legal_en_passant() else None,
    )


def replay(text, last_ply):
    # Two empty lines behind the tags end a game for python-chess.
    text = re.sub(r"(\r?\n){3,}", "\n\n", text)
    read = chess.pgn.read_game(io.StringIO(text + "\n\n"), Visitor=lambda: Replay(last_ply))
    return read if read is not None and read.is_chess else None


def differences_of(game, findings, replayed, seen):
    """What python-chess sees otherwise, in words."""
    certified = game["certified_plies"]
    if replayed.ply < certified:
        yield f"python-chess stops at ply {replayed.ply + 1} of {certified}: {replayed.error}"
        return
    illegal = first_illegal(game, findings)
    if illegal and not isinstance(replayed.error, chess.IllegalMoveError):
        yield f"{illegal['token']} at ply {illegal['ply']} is {illegal['code']}, and legal there"
    elif illegal and replayed.error_ply != illegal["ply"]:
        yield f"{illegal['code']} at ply {illegal['ply']}, there at {replayed.error_ply}"
    elif not illegal and replayed.error is not None:
        yield f"python-chess refuses ply {replayed.error_ply}: {replayed.error}"
    walls = [f["ply"] for f in findings if f["code"] == "D503" and "wall" in f["message"]]
    if game["end_state"] == "dead_position" and not walls and not replayed.is_dead:
        # The game had ended by itself before, and of two ends the first is told.
        walls = [certified]
    bare = [f["ply"] for f in findings if f["code"] == "D503" and "material" in f["message"]]
    if bare and bare != [replayed.dead_ply]:
        yield f"bare material at ply {bare[0]}, there at {replayed.dead_ply}"
    for ply in walls:
        what = explore(replayed.boards[ply])
        seen[f"walls {what}"] += 1
        if what == "broken":
            yield f"the wall at ply {ply} can be broken: {replayed.boards[ply].fen()}"
    theirs = {**replayed.facts, "end_state": replayed.end_state(walls)}
    for name in FACTS:
        if game.get(name) != theirs.get(name):
            yield f"{name} {game.get(name)}, there {theirs.get(name)}"


def explore(start):
    """Whether any series of legal moves breaks a wall or mates."""
    seen, to_see = {identity(start)}, [start]
    while to_see:
        board = to_see.pop()
        if len(seen) > MOST_POSITIONS:
            return "not explored"
        moves = list(board.legal_moves)
        if not moves and board.is_check():
            return "broken"
        for move in moves:
            if board.piece_type_at(move.from_square) == chess.PAWN:
                return "broken"
            if board.piece_type_at(move.to_square) == chess.PAWN:
                return "broken"
            after = board.copy(stack=False)
            after.push(move)
            if identity(after) not in seen:
                seen.add(identity(after))
                to_see.append(after)
    return "confirmed"


if __name__ == "__main__":
    main()
