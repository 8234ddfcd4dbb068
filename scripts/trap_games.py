"""Games that are made to be mistaken: a number and a seed come in, a PGN archive goes out.

Mostly the players go back and forth, so that positions return: around captures en passant that are
legal, pinned or past, around castling rights that are lost or only seem to be, with clocks near 100
and 150, with mates on those very half-moves, stalemates, last captures and walls of pawns. Now and
then a game ends with a move that is not legal. The same seed gives the same games.
"""

import random

import chess

# Where generated games begin, and what is mistaken there.
STARTS = [
    # A double step beside a pawn that may capture it.
    "4k3/8/8/8/3p4/8/4P3/R3K2R w KQ - 0 1",
    "r3k2r/4p3/8/3P4/8/8/8/4K3 b kq - 0 1",
    # The capturing pawn is pinned, on its file and on its diagonal.
    "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1",
    "8/6k1/8/8/3p4/8/1B2P3/4K3 w - - 0 1",
    # Both pawns leave the rank on which the king stands.
    "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
    # A square behind a double step that nobody may use, from the start.
    "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1",
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    # Rights that are lost by king, rook and capture, and pieces that come back.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/1B4b1/8/8/8/8/1b4B1/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w K - 0 1",
    # Chess960: rooks beside the king.
    "1r2kr2/8/8/8/8/8/8/1R2KR2 w FBfb - 0 1",
    "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1",
    # Mates on the hundredth and the hundred and fiftieth half-move.
    "7k/5Q2/6K1/8/8/8/8/8 w - - 99 100",
    "k7/8/1K6/8/8/8/8/7R w - - 99 100",
    "7k/5Q2/6K1/8/8/8/8/8 w - - 97 100",
    "k7/8/1K6/8/8/8/8/7R w - - 149 100",
    "8/8/8/8/8/2k5/7q/K7 b - - 95 100",
    "8/4r3/8/3R4/8/2k5/8/K7 b - - 145 100",
    # Stalemates and last captures.
    "8/8/8/8/8/pk6/8/K7 b - - 0 1",
    "7k/8/4Q1K1/8/8/8/8/8 w - - 98 100",
    "8/8/8/3k4/3p4/3K4/8/5B2 w - - 0 1",
    "8/8/8/3k4/3p2n1/3K4/4N3/8 w - - 0 1",
    "6b1/8/8/3k4/3p4/3K4/8/5B2 w - - 0 1",
    # Walls that close, or do not.
    "4k3/8/6p1/p1p1p3/P1P1P1P1/8/4K3/8 b - - 0 1",
    "2b1k3/8/8/1p1p3p/1P1P1p1P/8/5P2/2B1K3 w - - 0 1",
    "4k3/8/8/p2p2p1/P3p1P1/4P3/3P4/4K3 w - - 0 1",
    chess.STARTING_FEN,
]


def generate(count, seed):
    chance = random.Random(seed)
    return "".join(generate_game(number, chance) for number in range(count))


def generate_game(number, chance):
    fen = STARTS[number % len(STARTS)]
    is_960 = bool(set(fen.split()[2]) & set("EFBAefba"))
    board = chess.Board(fen, chess960=is_960)
    words = []
    refused = None
    patience = chance.choice([0.5, 0.95])
    for ply in range(chance.choice([1, 4, 30, 60, 90, 200])):
        moves = list(board.legal_moves)
        if not moves:
            break
        if ply and chance.random() < 0.003:
            refused = illegal_word(board, chance)
            if refused:
                break
        move = choose(board, moves, patience, chance)
        if board.turn == chess.WHITE:
            words.append(f"{board.fullmove_number}.")
        elif ply == 0:
            words.append(f"{board.fullmove_number}...")
        words.append(board.san(move))
        board.push(move)
    if refused:
        words.append(refused)
    result = "*" if refused else board.result()
    tags = {
        "Event": "Generated",
        "Site": "?",
        "Date": chance.choice(["2024.05.11", "2016.05.11", "2001.05.11", "????.??.??"]),
        "Round": str(number + 1),
        "White": "?",
        "Black": "?",
        "Result": result,
    }
    if is_960:
        tags["Variant"] = "Chess960"
    if fen != chess.STARTING_FEN:
        tags |= {"SetUp": "1", "FEN": fen}
    header = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{header}\n{' '.join([*words, result])}\n\n"


def choose(board, moves, patience, chance):
    """Mostly goes back and forth, so that positions return."""
    mates = [move for move in moves if is_mate(board, move)]
    if mates and chance.random() < 0.3:
        return chance.choice(mates)
    if chance.random() < patience - 0.1 and len(board.move_stack) >= 2:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves and not board.is_zeroing(back):
            return back
    if chance.random() < 0.2:
        steps = [
            move
            for move in moves
            if board.piece_type_at(move.from_square) == chess.PAWN
            and abs(move.from_square - move.to_square) == 16
        ]
        if steps:
            return chance.choice(steps)
    quiet = [move for move in moves if not board.is_zeroing(move)]
    return chance.choice(quiet if quiet and chance.random() < patience else moves)


def is_mate(board, move):
    board.push(move)
    mate = board.is_checkmate()
    board.pop()
    return mate


def illegal_word(board, chance):
    """A move that pieces could make and the Laws forbid, as a score has it."""
    legal = set(board.legal_moves)
    words = ["O-O", "O-O-O"]
    for move in board.pseudo_legal_moves:
        piece = board.piece_type_at(move.from_square)
        if move not in legal and not move.promotion and not board.is_castling(move):
            is_pawn, is_capture = piece == chess.PAWN, board.is_capture(move)
            file = chess.FILE_NAMES[chess.square_file(move.from_square)] if is_capture else ""
            letter = file if is_pawn else chess.piece_symbol(piece).upper()
            mark = "x" if is_capture else ""
            words.append(f"{letter}{mark}{chess.square_name(move.to_square)}")
    chance.shuffle(words)
    for word in words:
        try:
            board.parse_san(word)
        except chess.IllegalMoveError:
            return word
        except ValueError:
            continue
    return None
