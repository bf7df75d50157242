"""Stoneline's engines as OpenSpiel bots: pip install stoneline[openspiel].

>>> import pyspiel
>>> game = pyspiel.load_game("connect_four")
>>> bot = StonelineBot(game, "best", time=0.1)
>>> state = game.new_initial_state()
>>> bot.step(state)
3
"""

from __future__ import annotations

from typing import Any, Union

import pyspiel

from . import Engine, Game, Position

__all__ = ["StonelineBot", "game_of", "position_of"]


def game_of(game: pyspiel.Game) -> Game:
    """The game of ours that an OpenSpiel game is: connect_four, mnk or gomoku."""
    kind = game.get_type().short_name
    given = game.get_parameters()
    if kind == "connect_four":
        rows, columns = given.get("rows", 6), given.get("columns", 7)
        return Game(f"connectx:{rows}x{columns}x{given.get('x_in_row', 4)}")
    if kind == "mnk":
        # OpenSpiel's m counts columns and its n rows.
        columns, rows = given.get("m", 15), given.get("n", 15)
        return Game(f"mnk:{rows}x{columns}x{given.get('k', 5)}")
    if kind == "gomoku":
        if given.get("dims", 2) != 2 or given.get("wrap", False):
            raise ValueError("only flat boards without wrapping are played")
        size = given.get("size", 15)
        return Game(f"mnk:{size}x{size}x{given.get('connect', 5)}")
    raise ValueError(f"{kind} is none of connect_four, mnk and gomoku")


def position_of(state: pyspiel.State) -> Position:
    """The position of ours that an OpenSpiel state shows, with its history."""
    game = game_of(state.get_game())
    position = game.start()
    for action in state.history():
        position.play(_move(game, action))
    return position


def _move(game: Game, action: int) -> Union[int, tuple[int, int]]:
    if game.falls:
        return action
    row, column = divmod(action, game.columns)
    return column, row


def _action(game: Game, move: Union[int, tuple[int, int]]) -> int:
    if isinstance(move, int):
        return move
    column, row = move
    return row * game.columns + column


class StonelineBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot that plays as an engine does, for either player of a game.

    The engine is one already made, or its name with the options of Engine.
    """

    def __init__(
        self, game: pyspiel.Game, engine: Union[str, Engine] = "best", **options: Any
    ) -> None:
        pyspiel.Bot.__init__(self)
        self._game = game_of(game)
        self._engine = Engine(engine, **options) if isinstance(engine, str) else engine

    def step(self, state: pyspiel.State) -> int:
        """The action to take in a state."""
        return _action(self._game, self._engine.best_move(position_of(state)))

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        """Nothing: each state carries its history."""

    def inform_actions(self, actions: list[int]) -> None:
        """Nothing: each state carries its history."""

    def restart(self) -> None:
        """Forgets the game that was played."""
        self._engine.forget()

    def restart_at(self, state: pyspiel.State) -> None:
        """Forgets the game that was played."""
        self._engine.forget()
