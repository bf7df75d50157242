"""The brain, as a manager starts it: without arguments."""

import subprocess


def test_the_brain_plays_a_game_against_itself(exported):
    (brain,) = exported("gomocup").iterdir()
    assert brain.name.startswith("pbrain-")
    players = [
        subprocess.Popen([str(brain)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]

    def ask(player, *lines):
        for line in lines:
            player.stdin.write(line + "\r\n")
        player.stdin.flush()
        while True:
            answer = player.stdout.readline().strip()
            if not answer.startswith(("MESSAGE", "DEBUG")):
                return answer

    for player in players:
        assert ask(player, "START 15") == "OK"
        for line in ("INFO timeout_turn 50", "INFO timeout_match 100000", "INFO rule 0"):
            player.stdin.write(line + "\r\n")
    taken = set()
    answer = ask(players[0], "BEGIN")
    for ply in range(1, 30):
        x, y = map(int, answer.split(","))
        assert 0 <= x < 15 and 0 <= y < 15 and (x, y) not in taken
        taken.add((x, y))
        answer = ask(players[ply % 2], f"TURN {x},{y}")
        if answer.startswith("ERROR"):
            assert ply >= 8, "only a finished game has no answer"
            break
    for player in players:
        player.communicate("END\r\n", timeout=20)
        assert player.returncode == 0
