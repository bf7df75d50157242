"""The adapters against the real OpenSpiel and PettingZoo."""

import doctest
import random

import pyspiel
import pytest
from pettingzoo.classic import connect_four_v3

import stoneline.openspiel
import stoneline.pettingzoo
from stoneline import Engine

GAMES = [
    "connect_four",
    "connect_four(rows=8,columns=9,x_in_row=5)",
    "mnk(m=7,n=6,k=4)",
    "gomoku(size=9,connect=5)",
]


@pytest.mark.parametrize("module", [stoneline.openspiel, stoneline.pettingzoo])
def test_examples(module):
    results = doctest.testmod(module)
    assert results.attempted > 3 and results.failed == 0


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_states_are_ours(name):
    game = pyspiel.load_game(name)
    for seed in range(20):
        chance = random.Random(seed)
        state = game.new_initial_state()
        while True:
            position = stoneline.openspiel.position_of(state)
            over = position.outcome()
            assert state.is_terminal() == (over is not None)
            if over is not None:
                returns = {"first": [1, -1], "second": [-1, 1], "draw": [0, 0]}
                assert list(state.returns()) == returns[over]
                break
            moves = [stoneline.openspiel._action(position.game, move) for move in position.legal_moves()]
            assert sorted(moves) == sorted(state.legal_actions())
            state.apply_action(chance.choice(state.legal_actions()))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_openspiel_bots_beat_random_ones(name, seat):
    game = pyspiel.load_game(name)
    ours = stoneline.openspiel.StonelineBot(game, "best", time=0.02)
    bots = [ours, pyspiel.make_uniform_random_bot(1 - seat, 5)]
    state = game.new_initial_state()
    ours.restart()
    while not state.is_terminal():
        player = state.current_player()
        action = bots[player != seat].step(state)
        bots[player == seat].inform_action(state, player, action)
        state.apply_action(action)
    assert state.returns()[seat] == 1


def test_other_games_of_openspiel_are_refused():
    with pytest.raises(ValueError, match="tic_tac_toe is none of"):
        stoneline.openspiel.StonelineBot(pyspiel.load_game("tic_tac_toe"))


@pytest.mark.parametrize("seat", [0, 1])
def test_pettingzoo_policies_beat_random_ones(seat):
    policy = stoneline.pettingzoo.StonelinePolicy(Engine("best"))
    for seed in range(3):
        chance = random.Random(seed)
        env = connect_four_v3.env()
        env.reset(seed=seed)
        ours = env.possible_agents[seat]
        rewards = []
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            if agent == ours:
                rewards.append(reward)
            if termination or truncation:
                action = None
            elif agent == ours:
                action = policy(observation)
                assert type(action) is int and observation["action_mask"][action]
            else:
                mask = observation["action_mask"]
                action = chance.choice([column for column in range(7) if mask[column]])
            env.step(action)
        assert sum(rewards) == 1
