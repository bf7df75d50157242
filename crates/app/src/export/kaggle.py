"""Stoneline, an agent for Kaggle's ConnectX on any board.

The engine is a compiled program: the file "stoneline" beside this one, or packed
into this one. It is started at the first move and asked over its pipes. Whatever
goes wrong with it, a legal column is played.
"""

import base64
import json
import os
import queue
import stat
import subprocess
import sys
import tempfile
import threading
import time
import zlib

ENGINE = "@ENGINE@"
PACKED = "@PACKED@"

# Kept back from each move for the way of the answer, and from the bank for bad days.
RESERVE_SECONDS = 0.2
BANK_RESERVE_SECONDS = 8.0


def safe_column(board, mark, rows, columns, run):
    """A legal column, found without the engine: win, block, give nothing away, stay central."""

    def landing(cells, column):
        for row in range(rows - 1, -1, -1):
            if not cells[row * columns + column]:
                return row
        return None

    def wins(cells, column, side):
        row = landing(cells, column)
        if row is None:
            return False
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                y, x = row + sign * down, column + sign * right
                while 0 <= y < rows and 0 <= x < columns and cells[y * columns + x] == side:
                    length += 1
                    y, x = y + sign * down, x + sign * right
            if length >= run:
                return True
        return False

    legal = [column for column in range(columns) if not board[column]]
    legal.sort(key=lambda column: abs(2 * column - columns + 1))
    for side in (mark, 3 - mark):
        for column in legal:
            if wins(board, column, side):
                return column
    for column in legal:
        after = list(board)
        after[landing(board, column) * columns + column] = mark
        if not any(wins(after, reply, 3 - mark) for reply in range(columns)):
            return column
    return legal[0] if legal else 0


class Engine:
    """The program, its pipes, and the thread that reads its answers."""

    def __init__(self, folders):
        program = self.program(folders)
        self.process = subprocess.Popen(
            [program, "engine", "json", "--engine", ENGINE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        # Bounded: a program that floods its pipe waits, and takes neither memory nor time.
        self.answers = queue.Queue(maxsize=16)
        threading.Thread(target=self.read, daemon=True).start()
        self.stones = 0

    @staticmethod
    def program(folders):
        """A file that may be run: the one beside us, or a copy in a folder that allows it."""
        source = None
        if PACKED[:1] != "@":
            source = zlib.decompress(base64.b64decode(PACKED))
        else:
            for folder in folders:
                path = os.path.join(folder, "stoneline")
                if os.path.isfile(path):
                    if os.access(path, os.X_OK):
                        return path
                    with open(path, "rb") as file:
                        source = file.read()
                    break
        if source is None:
            raise FileNotFoundError("no program called stoneline in any of " + repr(folders))
        for parent in (None, os.getcwd()):
            path = os.path.join(tempfile.mkdtemp(prefix="stoneline-", dir=parent), "stoneline")
            with open(path, "wb") as file:
                file.write(source)
            os.chmod(path, stat.S_IRWXU)
            try:
                subprocess.run([path, "--version"], stdout=subprocess.DEVNULL, check=True)
                return path
            except (OSError, subprocess.SubprocessError):
                os.remove(path)
        raise PermissionError("no folder lets a program run")

    def read(self):
        for line in self.process.stdout:
            self.answers.put(line)
        self.answers.put(b"")

    def ask(self, request, deadline):
        """The answer to a request; an exception when none comes in time."""
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        line = self.answers.get(timeout=max(0.01, deadline - time.monotonic()))
        answer = json.loads(line)
        if answer["is"] == "error":
            raise ValueError(answer["reason"])
        return answer

    def choose(self, board, rows, columns, run, begun, allowed, bank):
        stones = sum(1 for cell in board if cell)
        deadline = begun + allowed + max(0.0, bank - BANK_RESERVE_SECONDS / 2)
        if stones < self.stones:
            self.ask({"do": "forget"}, deadline)
        self.stones = stones
        text = "connectx:%dx%dx%d" % (rows, columns, run)
        for row in range(rows):
            cells = board[row * columns : (row + 1) * columns]
            text += "\n" + "".join(".xo"[cell] for cell in cells)
        self.ask({"do": "position", "position": text}, deadline)
        reserve = min(RESERVE_SECONDS, allowed / 10)
        left = allowed - reserve - (time.monotonic() - begun)
        limits = {
            "time_ms": max(1, int(1000 * max(left, allowed / 4))),
            "reserve_ms": 0,
            "threads": max(1, len(os.sched_getaffinity(0))),
        }
        if bank > BANK_RESERVE_SECONDS:
            limits["overage_ms"] = int(1000 * (bank - BANK_RESERVE_SECONDS))
        answer = self.ask(dict(limits, do="go"), deadline)
        return "123456789abcdefg".index(answer["move"])

    def end(self):
        self.process.kill()
        self.process.wait()


class Agent:
    """Plays ConnectX; keeps its engine from move to move and game to game."""

    def __init__(self):
        self.engine = None
        # While this file is loaded its folder is among these.
        self.folders = [path for path in sys.path if path]
        self.folders += ["/kaggle_simulations/agent", os.getcwd()]

    def __call__(self, observation, configuration):
        begun = time.monotonic()
        board = [int(cell) for cell in observation["board"]]
        mark = int(observation["mark"])
        rows, columns = int(configuration["rows"]), int(configuration["columns"])
        run = int(configuration["inarow"])
        try:
            allowed = float(configuration["actTimeout"])
            bank = float(observation.get("remainingOverageTime") or 0.0)
            if self.engine is None:
                folders = list(self.folders)
                path = configuration.get("__raw_path__")
                if path:
                    folders.insert(0, os.path.dirname(os.path.abspath(path)))
                self.engine = Engine(folders)
            column = self.engine.choose(board, rows, columns, run, begun, allowed, bank)
            if not board[column]:
                return int(column)
        except Exception as error:
            print("stoneline:", repr(error), file=sys.stderr)
            if self.engine is not None:
                self.engine.end()
                self.engine = None
        return int(safe_column(board, mark, rows, columns, run))


stoneline = Agent()


def agent(observation, configuration):
    """The column to play."""
    return stoneline(observation, configuration)
