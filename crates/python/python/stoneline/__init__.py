"""Plays, solves and analyses k-in-a-row games: Connect Four, ConnectX, Gomoku, renju, caro.

Moves are columns from 0 where stones fall, and pairs (x, y) from 0, origin
top-left, elsewhere. Text is in the notation of the game: columns from 1 as in
"4453", or "h8 i9".

>>> from stoneline import Engine, Position
>>> position = Position("connect4")
>>> engine = Engine("best", time=1.0)
>>> while position.outcome() is None:
...     position.play(engine.best_move(position))
>>> position.outcome()
'first'
"""

from ._stoneline import (
    Analysis,
    AnalysisIterator,
    Engine,
    Game,
    MoveReport,
    Position,
    Solution,
    Value,
    __version__,
    engines,
    match,
)

__all__ = [
    "Analysis",
    "AnalysisIterator",
    "Engine",
    "Game",
    "MoveReport",
    "Position",
    "Solution",
    "Value",
    "__version__",
    "engines",
    "match",
]
