"""Kaggle's agent without Kaggle: loaded as it loads agents, and played."""

import os
import shutil
import sys

import pytest
from board import Board, play_against_random

ENGINE = "best:time=20ms"
# The engine has a time of its own; the platform's is long, so that a busy machine changes nothing.
ACT_SECONDS = 60
CONFIGURATION = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": ACT_SECONDS, "timeout": 2}


def load(path, folder):
    """The last callable of a file that is executed without __file__, as Kaggle does it."""
    scope = {}
    sys.path.append(str(folder))
    try:
        exec(compile(path.read_text(), str(path), "exec"), scope)
    finally:
        sys.path.pop()
    return [thing for thing in scope.values() if callable(thing)][-1], scope


def observe(board, side, bank=0):
    return {"board": board.flat(), "mark": side, "remainingOverageTime": bank, "step": 0}


def player(agent, configuration):
    def answer(board, side):
        column = agent(observe(board, side), configuration)
        assert type(column) is int
        return column

    return answer


@pytest.mark.parametrize("name", ["main.py", "submission.py"])
def test_it_plays_every_board(exported, name):
    folder = exported("kaggle", "--engine", ENGINE)
    agent, scope = load(folder / name, folder)
    for size in ((6, 7, 4), (10, 10, 5), (4, 4, 3), (16, 16, 6)):
        configuration = dict(zip(("rows", "columns", "inarow"), size), actTimeout=ACT_SECONDS)
        for opens in (True, False):
            board = Board(*size)
            result = play_against_random(board, player(agent, configuration), opens, seed=size[0])
            assert result == 1, (size, opens)
    assert scope["stoneline"].engine is not None, "the engine itself played"
    scope["stoneline"].engine.end()


def test_connect_four_is_perfect(exported):
    """The opener wins by column 3 and then against any reply: play on, it must win."""
    folder = exported("kaggle", "--engine", ENGINE)
    agent, scope = load(folder / "main.py", folder)
    answer = player(agent, CONFIGURATION)
    assert answer(Board(6, 7, 4), 1) == 3
    for seed in range(3):
        board = Board(6, 7, 4)
        assert play_against_random(board, answer, True, seed) == 1
    scope["stoneline"].engine.end()


def test_whatever_goes_wrong_a_legal_column_is_played(exported, tmp_path, monkeypatch):
    source = exported("kaggle", "--engine", ENGINE)
    shutil.copy(source / "main.py", tmp_path)
    programs = [
        None,
        "nonsense",
        "#!/bin/sh\nexec sleep 60\n",  # says nothing
        "#!/bin/sh\nexec yes '{\"is\":\"best\",\"move\":\"1\"}'\n",  # a full column, for ever
    ]
    for program in programs:
        if program is not None:
            (tmp_path / "stoneline").write_text(program)
            os.chmod(tmp_path / "stoneline", 0o755)
        agent, scope = load(tmp_path / "main.py", tmp_path)
        monkeypatch.setitem(scope, "BANK_RESERVE_SECONDS", 0.0)
        board = Board(6, 7, 4)
        for _ in range(6):
            board.play(0, 1 + board.flat().count(1) - board.flat().count(2))
        configuration = dict(CONFIGURATION, actTimeout=0.05)
        column = agent(observe(board, 1), configuration)
        assert type(column) is int and column in board.legal(), program
        if scope["stoneline"].engine is not None:
            scope["stoneline"].engine.end()


def test_an_engine_that_dies_is_started_again(exported):
    folder = exported("kaggle", "--engine", ENGINE)
    agent, scope = load(folder / "main.py", folder)
    answer = player(agent, CONFIGURATION)
    board = Board(6, 7, 4)
    assert answer(board, 1) == 3
    first = scope["stoneline"].engine
    first.process.kill()
    first.process.wait()
    assert answer(board, 1) in board.legal()
    assert answer(board, 1) == 3
    assert scope["stoneline"].engine is not first
    scope["stoneline"].engine.end()


def test_without_the_engine_it_wins_blocks_and_gives_nothing_away(exported):
    _, scope = load(exported("kaggle", "--engine", ENGINE) / "main.py", ".")
    safe = scope["safe_column"]
    bottom = 35 * [0]
    assert safe(bottom + [1, 1, 1, 0, 2, 2, 0], 1, 6, 7, 4) == 3
    assert safe(bottom + [2, 2, 2, 0, 1, 1, 0], 1, 6, 7, 4) == 3
    # A stone in column 3 would let the opponent finish above it.
    board = 28 * [0] + [2, 2, 2, 0, 0, 0, 0] + [1, 1, 2, 0, 1, 1, 0]
    assert safe(board, 1, 6, 7, 4) != 3
