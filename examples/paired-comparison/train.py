"""A T-maze: a sign at its start tells which arm pays, and is out of sight at the junction. Q-learning with or
without memory of the sign. All that it does for Assay is to append JSON lines to the file ASSAY_SERIES."""
import json, os, random, sys

architecture, episodes, points = sys.argv[1], int(sys.argv[2]), 200
chance = random.Random(int(os.environ["ASSAY_SEED"]))
length, slip = chance.randint(3, 6), chance.uniform(0.0, 0.2)  # the maze: the same for both arms of a seed
signs = [chance.randrange(2) for _ in range(episodes)]
values = {}

with open(os.environ["ASSAY_SERIES"], "a") as series:
    total = 0.0
    for episode, sign in enumerate(signs, 1):
        place, path, reward = 0, [], 0.0
        while reward == 0.0 and len(path) < 30:
            seen = sign if place == 0 or architecture == "trxl" else None
            state = values.setdefault((place, seen), [0.0, 0.0, 0.0])  # on, left, right
            explore = max(0.05, 0.5 - episode / episodes)
            move = chance.randrange(3) if chance.random() < explore else state.index(max(state))
            path.append((state, move))
            if chance.random() >= slip:
                if place < length:
                    place += move == 0
                elif move > 0:
                    reward = 1.0 if move - 1 == sign else 0.2
        reward -= 0.01 * len(path)
        for state, move in reversed(path):
            state[move] += 0.1 * (reward - state[move])
        total += reward
        if episode * points // episodes > (episode - 1) * points // episodes:
            print(json.dumps({"step": episode, "reward": total * points / episodes}), file=series)
            total = 0.0
