"""Positions: made from anything, played, shown."""

import copy
import pickle
import random
import xml.dom.minidom

import pytest

from stoneline import Game, Position

GAMES = ["connect4", "connectx:10x10x5", "course:9x10@2,3", "gomoku", "renju", "mnk:6x7x4"]


def random_game(name, seed):
    chance = random.Random(seed)
    position = Position(name)
    for _ in range(chance.randrange(40)):
        if position.outcome() is not None:
            break
        position.play(chance.choice(position.legal_moves()))
    return position


@pytest.mark.parametrize("name", GAMES)
def test_boards_texts_and_copies_agree(name):
    for seed in range(30):
        position = random_game(name, seed)
        game = position.game
        assert Position.from_board(position.board(), game) == position
        assert Position.from_moves(position.moves, game).moves == position.moves
        assert Position(position.text).moves == position.moves
        assert pickle.loads(pickle.dumps(position)).moves == position.moves
        twin = copy.deepcopy(position)
        while twin.plies:
            twin.undo()
        assert twin == Position(game) and position.plies == sum(
            cell > 0 for row in position.board() for cell in row
        )
        xml.dom.minidom.parseString(position._repr_svg_())


def slow_winner(board, run):
    rows, columns = len(board), len(board[0])
    for y in range(rows):
        for x in range(columns):
            for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(y + at * dy, x + at * dx) for at in range(run)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in line):
                    stones = {board[r][c] for r, c in line}
                    if stones in ({1}, {2}):
                        return {1: "first", 2: "second"}[stones.pop()]
    return None


@pytest.mark.parametrize("name", ["connect4", "connectx:10x10x5", "mnk:6x7x4"])
def test_outcomes_as_a_slow_look_sees_them(name):
    for seed in range(60):
        position = random_game(name, seed)
        expected = slow_winner(position.board(), position.game.run)
        if expected is None and not any(0 in row for row in position.board()):
            expected = "draw"
        assert position.outcome() == expected
        assert bool(position.winning_cells()) == (expected in ("first", "second"))


def test_kaggle_observations_by_item_and_attribute():
    class Struct(dict):
        __getattr__ = dict.__getitem__

    class Bare:
        def __init__(self, **fields):
            vars(self).update(fields)

    fields = {"board": [0] * 95 + [1, 2, 0, 0, 0], "mark": 1}
    settings = {"rows": 10, "columns": 10, "inarow": 5}
    made = [
        Position.from_kaggle(fields, settings),
        Position.from_kaggle(Struct(fields), Struct(settings)),
        Position.from_kaggle(Bare(**fields), Bare(**settings)),
    ]
    assert made[0] == made[1] == made[2]
    assert made[0].game == Game("connectx:10x10x5")
    with pytest.raises(ValueError, match="mark is 2"):
        Position.from_kaggle({**fields, "mark": 2}, settings)
    with pytest.raises(ValueError, match="42 cells, not 100"):
        Position.from_kaggle(fields)
    with pytest.raises(ValueError, match="board"):
        Position.from_kaggle({})


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Position("connect5"), "unknown game"),
        (lambda: Position("connect4 48"), "no column '8'"),
        (lambda: Position.from_moves([3, -1]), "move 2: no column -1"),
        (lambda: Position.from_moves([(7, 7), (7, 7)], "gomoku"), "move 2: h8 is taken"),
        (lambda: Position.from_moves([(15, 0)], "gomoku"), "not on the board"),
        (lambda: Position.from_board([[0, 1]] * 5), "column"),
        (lambda: Position.from_board([[0] * 7] * 5 + [[0] * 6]), "row 5 has 6 cells"),
        (lambda: Position.from_board([[5] * 7] * 6), "is 5; expected"),
        (lambda: Position.from_board([[1] + [0] * 6] + [[0] * 7] * 5), "float"),
        (lambda: Position.from_board([[0] * 99] * 99), "more than"),
        (lambda: Position("connect4").undo(), "no move is left"),
        (lambda: Position("connect4 4151617").play(0), "the game is over"),
    ],
)
def test_what_is_wrong_is_said(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_wrong_types_are_type_errors():
    for make in (
        lambda: Position(3),
        lambda: Position("connect4").play(None),
        lambda: Position("connect4").play(3.0),
        lambda: Position("gomoku").play(3),
        lambda: Position.from_board(3),
        lambda: hash(Position("connect4")),
    ):
        with pytest.raises(TypeError):
            make()


def test_games_are_keys():
    assert len({Game("connect4"), Game("connectx:6x7x4"), Game("gomoku")}) == 2
    assert str(Game("course", seed=5)) == str(Game("course", seed=5)) != str(Game("course"))
