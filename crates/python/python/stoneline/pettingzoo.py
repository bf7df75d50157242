"""Stoneline's engines as policies of PettingZoo: pip install stoneline[pettingzoo].

>>> from pettingzoo.classic import connect_four_v3
>>> env = connect_four_v3.env()
>>> env.reset(seed=1)
>>> policy = StonelinePolicy("best", time=0.1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     env.step(None if termination or truncation else policy(observation))
"""

from __future__ import annotations

from typing import Any, Union

from . import Engine, Position

__all__ = ["StonelinePolicy", "position_of"]


def position_of(observation: dict[str, Any]) -> Position:
    """The position that connect_four_v3 shows the agent who is to move."""
    planes = observation["observation"]
    mine, theirs = ([[int(cell) for cell in row] for row in planes[:, :, at]] for at in (0, 1))
    count = [sum(map(sum, plane)) for plane in (mine, theirs)]
    # As many stones on both sides: whoever is to move opened the game.
    me, them = (1, 2) if count[0] == count[1] else (2, 1)
    board = [
        [me if own else them if other else 0 for own, other in zip(own_row, other_row)]
        for own_row, other_row in zip(mine, theirs)
    ]
    return Position.from_board(board)


class StonelinePolicy:
    """Chooses actions of connect_four_v3: policy(observation) is the column to play.

    The engine is one already made, or its name with the options of Engine.
    """

    def __init__(self, engine: Union[str, Engine] = "best", **options: Any) -> None:
        self._engine = Engine(engine, **options) if isinstance(engine, str) else engine

    def __call__(self, observation: dict[str, Any]) -> int:
        """The action for what env.last() shows an agent that has not finished."""
        move = self._engine.best_move(position_of(observation))
        assert isinstance(move, int)
        return move
