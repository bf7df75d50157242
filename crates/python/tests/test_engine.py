"""Engines: moves, progress, exact values, threads, matches."""

import math
import pickle
import threading

import pytest

import stoneline
from stoneline import Engine, Position


@pytest.mark.parametrize("name", sorted(stoneline.engines()))
def test_every_engine_plays(name):
    for game in ("connect4", "gomoku"):
        position = Position(game)
        try:
            move = Engine(name, time=0.02, seed=1).best_move(position)
        except ValueError as error:
            assert "does not play" in str(error)
        else:
            assert move in position.legal_moves()


def test_scores_are_those_of_the_positions_after():
    engine = Engine("solver", time=20)
    for text in ("connect4 4455", "connectx:4x5x4 32", "connect4 444444"):
        position = Position(text)
        scores = engine.score_all_moves(position)
        assert list(scores) == position.legal_moves()
        solution = engine.solve(position)
        assert solution.score == max(scores.values()) == scores[solution.best]
        for move, score in scores.items():
            after = position.copy()
            after.play(move)
            if after.outcome() is None:
                assert engine.solve(after).score == -score


def test_limits_that_are_too_small_are_told():
    position = Position("connectx:8x8x4")
    engine = Engine("best", nodes=100)
    solution = engine.solve(position)
    assert solution.score is None and solution.best is None and solution.outcome is None
    assert solution.bounds[0] < 0 < solution.bounds[1]
    with pytest.raises(TimeoutError, match="8 of 8 moves"):
        engine.score_all_moves(position)
    with pytest.raises(ValueError, match="stones do not fall"):
        engine.solve(Position("gomoku"))


def test_the_same_seed_gives_the_same_search():
    def states():
        engine = Engine("mcts", simulations=3000, seed=7)
        return engine.analyse(Position("connectx:9x9x4 55")).last().as_dict()

    assert states() == states()


def test_analysis_ends_when_its_loop_is_left_or_another_call_comes():
    engine = Engine("mcts")
    position = Position("connectx:12x12x5")
    for state in engine.analyse(position, time=math.inf):
        assert not state.final
        break
    endless = engine.analyse(position, time=math.inf)
    assert engine.best_move(position, simulations=100) in position.legal_moves()
    assert endless.last().final
    stopped = engine.analyse(position, time=math.inf)
    next(stopped)
    stopped.stop()
    assert stopped.last().final
    assert list(stopped) == []


def test_other_threads_go_on_while_an_engine_thinks():
    engine = Engine("mcts")
    endless = threading.Event()
    turns = 0

    def search():
        engine.best_move(Position("connectx:12x12x5"), simulations=200_000)
        endless.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not endless.is_set():
        turns += 1
    thread.join()
    # With the GIL held there would be none between the start and the end.
    assert turns > 1000


def test_settings():
    assert Engine("mcts", time=0.25, seed=3).name == "mcts:time=250ms,seed=3"
    engine = pickle.loads(pickle.dumps(Engine("level:3", seed=2)))
    assert engine.name == "level:3,seed=2"
    for make, words in (
        (lambda: Engine("best", tiem=1), "no key"),
        (lambda: Engine("best", time=-1), "seconds"),
        (lambda: Engine("mcts", exploration="much"), "exploration"),
        (lambda: Engine().best_move(Position(), time=math.nan), "seconds"),
        (lambda: Engine().best_move(Position("connect4 4151617")), "the game is over"),
    ):
        with pytest.raises(ValueError, match=words):
            make()
    with pytest.raises(TypeError):
        Engine("best", time=[])
    with pytest.raises(TypeError):
        Engine().best_move("connect4")


def test_matches_are_plain_data():
    result = stoneline.match(
        Engine("mcts", simulations=50), "random", "course", games=6, concurrency=2
    )
    assert result["games"] == 6 == result["wins"] + result["draws"] + result["losses"]
    assert sum(result["reasons"].values()) == 6 and result["forfeits"] == [0, 0]
    rows = result["results"]
    assert [row["number"] for row in rows] == list(range(1, 7))
    assert sum(row["points"] for row in rows) / 6 == result["score"]
    for row in rows:
        position = Position.from_moves(row["moves"], row["game"])
        assert position.outcome() == row["winner"] and position.plies == row["plies"]
        assert {row["first"], row["second"]} == {"mcts:simulations=50", "random"}
    again = stoneline.match("mcts:simulations=50", "random", "course", games=6)
    assert again["results"] == rows
    with pytest.raises(ValueError, match="unknown engine"):
        stoneline.match("so:engine.so", "random")
    with pytest.raises(ValueError, match="unknown game"):
        stoneline.match("random", "random", "conect4")
