# Optuna's side of bench/search. `optuna-rival.py regret SAMPLER FUNCTION SEEDS BUDGET` prints one JSON list a seed, the
# true value at the best observed point after each run; `optuna-rival.py speed SAMPLER N REPEATS` prints milliseconds
# a proposal after N finished runs. The functions are those of functions.js.
import json
import math
import sys
import time

import numpy
import optuna

optuna.logging.set_verbosity(optuna.logging.ERROR)

H3A = [[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]]
H3P = [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]
H6A = [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
H6P = [
    [1312, 1696, 5569, 124, 8283, 5886],
    [2329, 4135, 8307, 3736, 1004, 9991],
    [2348, 1451, 3522, 2883, 3047, 6650],
    [4047, 8828, 8732, 5743, 1091, 381],
]


def hartmann(a, p, x):
    return -sum(
        c * math.exp(-sum(w * (v - m / 1e4) ** 2 for w, m, v in zip(ai, pi, x)))
        for c, ai, pi in zip([1, 1.2, 3, 3.2], a, p)
    )


def floats(trial, low, high, count):
    return [trial.suggest_float(f"x{i}", low, high) for i in range(count)]


def branin(trial):
    x = trial.suggest_float("x0", -5, 10)
    y = trial.suggest_float("x1", 0, 15)
    return (y - 5.1 / (4 * math.pi**2) * x * x + 5 / math.pi * x - 6) ** 2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10


def rosenbrock(trial):
    x = floats(trial, -5, 10, 4)
    return sum(100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2 for i in range(3))


def ackley(trial):
    x = floats(trial, -15, 30, 5)
    squares = sum(v * v for v in x) / 5
    waves = sum(math.cos(2 * math.pi * v) for v in x) / 5
    return -20 * math.exp(-0.2 * math.sqrt(squares)) - math.exp(waves) + 20 + math.e


def mixed(trial):
    kind = trial.suggest_categorical("kind", ["linear", "trees", "wave"])
    decay = trial.suggest_float("decay", 1e-4, 1, log=True)
    flag = trial.suggest_categorical("flag", [True, False])
    value = 0.1 * (math.log10(decay) + 2.5) ** 2 + (0 if flag else 0.05)
    if kind == "linear":
        rate = trial.suggest_float("rate", 1e-5, 1, log=True)
        momentum = trial.suggest_float("momentum", 0, 1)
        return value + 0.15 + 0.2 * (math.log10(rate) + 2) ** 2 + (momentum - 0.9) ** 2
    if kind == "trees":
        depth = trial.suggest_int("depth", 2, 16)
        share = trial.suggest_float("share", 0.1, 1, step=0.05)
        return value + 0.1 + ((depth - 9) / 4) ** 2 + 2 * (share - 0.7) ** 2
    pace = trial.suggest_float("pace", 0, 10)
    return value + 0.12 + 0.5 * (1 - math.cos(pace - 3))


FUNCTIONS = {
    "branin": branin,
    "hartmann6": lambda trial: hartmann(H6A, H6P, floats(trial, 0, 1, 6)),
    "rosenbrock4": rosenbrock,
    "ackley5": ackley,
    "mixed": mixed,
    "noisy": lambda trial: hartmann(H3A, H3P, floats(trial, 0, 1, 3)),
}
NOISE = {"noisy": 0.3}


def sampler(name, seed):
    if name == "multivariate":
        return optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True)
    return optuna.samplers.TPESampler(seed=seed)


def regret(name, function, seeds, budget):
    for seed in range(seeds):
        chance = numpy.random.RandomState(10_000 + seed)
        noise = NOISE.get(function, 0)
        study = optuna.create_study(sampler=sampler(name, seed))
        best, best_true, curve = math.inf, math.inf, []
        for _ in range(budget):
            trial = study.ask()
            true = FUNCTIONS[function](trial)
            seen = true + noise * chance.randn()
            study.tell(trial, seen)
            if seen < best:
                best, best_true = seen, true
            curve.append(best_true)
        print(json.dumps(curve), flush=True)


def speed(name, finished, repeats):
    study = optuna.create_study(sampler=sampler(name, 1))
    chance = numpy.random.RandomState(1)
    shape = {f"x{i}": optuna.distributions.FloatDistribution(0, 1) for i in range(6)}
    for _ in range(finished):
        x = chance.rand(6).tolist()
        params = {f"x{i}": v for i, v in enumerate(x)}
        value = hartmann(H6A, H6P, x)
        study.add_trial(optuna.trial.create_trial(params=params, distributions=shape, value=value))
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        trial = study.ask()
        value = FUNCTIONS["hartmann6"](trial)
        times.append(time.perf_counter() - start)
        study.tell(trial, value)
    print(1000 * sorted(times)[len(times) // 2])


if __name__ == "__main__":
    if sys.argv[1] == "regret":
        regret(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        speed(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
