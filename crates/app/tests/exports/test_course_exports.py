"""The course's exports, as its judges run them."""

import ctypes
import json
import os
import random
import stat
import struct
import subprocess
import sys
import zipfile

import pytest
from board import Board, play_against_random

QUICK = {**os.environ, "STONELINE_MOVE_MS": "10"}


def top_of(board):
    tops = (board.landing(column) for column in range(board.columns))
    return [0 if row is None else row + 1 for row in tops]


def seen_by(side):
    return lambda cell: 0 if not cell else 2 if cell == side else 1


def random_board(seed):
    chance = random.Random(seed)
    rows, columns = chance.randint(9, 12), chance.randint(9, 12)
    blocked = (chance.randrange(rows), chance.randrange(columns))
    return Board(rows, columns, 4, blocked), blocked


class Judge:
    """The online judge with a program, in one of its two protocols."""

    def __init__(self, folder, board, blocked, messages):
        self.messages = messages
        self.process = subprocess.Popen(
            [sys.executable, "main.py"],
            cwd=folder,
            env=QUICK,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        size = (board.rows, board.columns)
        if messages:
            self.tell(dict(zip(("type", "row", "col", "nox", "noy"), (0, *size, *blocked))))
        else:
            self.tell((*size, *blocked))

    def tell(self, what):
        if self.messages:
            text = json.dumps(what)
            text = f"{len(text):04}{text}"
        else:
            text = " ".join(map(str, what)) + "\n"
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def answer(self, board, side):
        top, cells = top_of(board), board.flat(seen_by(side))
        if self.messages:
            self.tell({"type": 1, "top": top, "board": cells, "lastx": -1, "lasty": -1})
        else:
            self.tell((-1, -1, *top, *cells))
        (length,) = struct.unpack(">I", self.process.stdout.read(4))
        text = self.process.stdout.read(length).decode()
        if self.messages:
            assert text.endswith("\n")
            point = json.loads(text)
            x, y = point["X"], point["Y"]
        else:
            x, y = map(int, text.split(" "))
        assert board.landing(y) == x
        return y

    def end(self):
        if self.messages:
            self.tell({"type": 2})
        _, complaints = self.process.communicate(timeout=20)
        assert self.process.returncode == 0
        return complaints.decode()


@pytest.fixture
def unpacked(exported, tmp_path):
    (archive,) = exported("saiblo").iterdir()
    assert archive.stat().st_size < 64e6
    with zipfile.ZipFile(archive) as file:
        file.extractall(tmp_path)
    return tmp_path


@pytest.mark.parametrize("messages", [False, True])
def test_the_zip_plays_both_protocols(unpacked, messages):
    for seed in range(4):
        board, blocked = random_board(seed)
        judge = Judge(unpacked, board, blocked, messages)
        assert play_against_random(board, judge.answer, seed % 2 == 0, seed) == 1
        assert judge.end() == ""


def test_without_its_library_the_zip_still_plays_legal_moves(unpacked):
    (unpacked / "libstoneline_strategy.so").write_bytes(b"no library")
    board, blocked = random_board(9)
    judge = Judge(unpacked, board, blocked, False)
    play_against_random(board, judge.answer, True, 9)
    assert "stoneline:" in judge.end()


def test_the_library_plays_in_a_host(exported):
    class Point(ctypes.Structure):
        _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]

    (file,) = exported("course").iterdir()
    assert file.stat().st_mode & stat.S_IXUSR
    os.environ["STONELINE_MOVE_MS"] = "10"
    library = ctypes.CDLL(str(file))
    library.getPoint.restype = ctypes.POINTER(Point)
    for seed in range(4):
        board, blocked = random_board(seed)

        def answer(board, side):
            top, cells = top_of(board), board.flat(seen_by(side))
            tops = (ctypes.c_int * len(top))(*top)
            flat = (ctypes.c_int * len(cells))(*cells)
            point = library.getPoint(board.rows, board.columns, tops, flat, -1, -1, *blocked)
            x, y = point.contents.x, point.contents.y
            library.clearPoint(point)
            assert board.landing(y) == x
            return y

        assert play_against_random(board, answer, seed % 2 == 0, seed) == 1
