"""A slow judge of falling stones, sharing no code with the engines."""

import random


class Board:
    """Rows from the top; 0 empty, 1 and 2 the sides, None where no stone may lie."""

    def __init__(self, rows, columns, run, blocked=None):
        self.rows, self.columns, self.run = rows, columns, run
        self.cells = [[0] * columns for _ in range(rows)]
        if blocked is not None:
            self.cells[blocked[0]][blocked[1]] = None

    def landing(self, column):
        """The lowest empty row of a column; None in a full one."""
        empty = [row for row in range(self.rows) if self.cells[row][column] == 0]
        return max(empty, default=None)

    def legal(self):
        return [column for column in range(self.columns) if self.landing(column) is not None]

    def play(self, column, side):
        """Drops a stone; true if it makes a line."""
        row = self.landing(column)
        assert row is not None, f"column {column} is full"
        self.cells[row][column] = side

        def mine(y, x):
            inside = 0 <= y < self.rows and 0 <= x < self.columns
            return inside and self.cells[y][x] == side

        def reach(down, right):
            length = 0
            while mine(row + (length + 1) * down, column + (length + 1) * right):
                length += 1
            return length

        ways = ((0, 1), (1, 0), (1, 1), (1, -1))
        return any(reach(y, x) + 1 + reach(-y, -x) >= self.run for y, x in ways)

    def flat(self, view=lambda cell: cell or 0):
        return [view(cell) for row in self.cells for cell in row]


def play_against_random(board, answer, opens, seed):
    """Plays `answer(board, side)` to the end; 1 if it won, 0 for a draw, -1 if it lost."""
    chance = random.Random(seed)
    side = 1
    while board.legal():
        ours = (side == 1) == opens
        column = answer(board, side) if ours else chance.choice(board.legal())
        if board.play(column, side):
            return 1 if ours else -1
        side = 3 - side
    return 0
