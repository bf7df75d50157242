"""The exported agents in the real kaggle-environments: no loss, no fault.

20 games against `random` and 20 against `negamax`, half of them as the first
player, half on 6x7 with four in a row and half on 10x10 with five. Both files
that are exported play. The engine searches few nodes a move, so that games are
short; the environment's clock is the usual one, but for `negamax` on 10x10: it
takes seconds a move and would run out of time on a busy machine.
"""

import pytest
from kaggle_environments import make

SIZES = [(6, 7, 4), (10, 10, 5)]


@pytest.mark.parametrize("opponent", ["random", "negamax"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("opens", [True, False], ids=["first", "second"])
@pytest.mark.parametrize("seed", range(5))
def test_game(exported, opponent, size, opens, seed):
    folder = exported("kaggle", "--engine", "best:nodes=200000")
    agent = str(folder / ("main.py", "submission.py")[seed % 2])
    rows, columns, run = size
    settings = {"rows": rows, "columns": columns, "inarow": run, "randomSeed": seed}
    if opponent == "negamax" and size != SIZES[0]:
        settings["actTimeout"] = 20
    environment = make("connectx", configuration=settings)
    players = [agent, opponent] if opens else [opponent, agent]
    last = environment.run(players)[-1]
    ours, theirs = last if opens else reversed(last)
    assert (ours.status, theirs.status) == ("DONE", "DONE")
    assert ours.reward >= 0, "a loss"
