"""`wandb.sweep` and `wandb.agent`: sweeps that a program states by itself."""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import traceback

from ._plain import read_config_file
from ._say import say_once, warn

_declared: dict[str, dict] = {}
#: What the agent has chosen for the run that comes next.
chosen: dict = {}


def sweep(sweep=None, entity=None, project=None, prior_runs=None, **_) -> str:
    """Notes what to sweep over; the file it leaves can be given to `assay run`."""
    settings = sweep() if callable(sweep) else sweep
    settings = read_config_file(settings) if isinstance(settings, str) else dict(settings or {})
    sweep_id = os.environ.get("WANDB_SWEEP_ID") or f"sweep{len(_declared) + 1}"
    _declared[sweep_id] = settings
    folder = os.environ.get("ASSAY_OUT_DIR")
    if folder:
        with open(os.path.join(folder, "sweep.yaml"), "w", encoding="utf-8") as file:
            json.dump(settings, file, indent=2)
    return sweep_id


def agent(sweep_id=None, function=None, entity=None, project=None, count=None, **_) -> None:
    """Calls the function with the study's parameters; without any, once for each point of the program's own sweep."""
    import wandb

    if function is None:
        return say_once("wandb.agent without a function is not supported under Assay and does nothing")
    declared = _declared.get(str(sweep_id).split("/")[-1])
    if wandb._given() or declared is None:
        if not wandb._given():
            say_once(f"wandb.agent knows no sweep {sweep_id!r} here: it calls the function once, with no parameters")
        elif count != 1:
            say_once("wandb.agent calls its function once: the study chooses the parameters, one run for each point")
        function()
        wandb.finish()
        return
    say_once(
        "this program sweeps by itself, so all its points are one run of the study; the sweep.yaml in the run's out"
        " folder makes a run of each: assay run sweep.yaml"
    )
    failures, points = [], list(itertools.islice(_points(declared), count))
    for point in points:
        chosen.clear()
        chosen.update(point)
        try:
            function()
        except Exception as error:  # noqa: BLE001 - a sweep goes on when one of its runs fails
            traceback.print_exc()
            failures.append(error)
        finally:
            wandb.finish()
            chosen.clear()
    if failures and len(failures) == len(points):
        raise failures[-1]


def _points(settings: dict):
    parameters = settings.get("parameters") or {}
    method = settings.get("method", "random")
    if method == "grid":
        yield from _grid(parameters)
        return
    if method not in ("random",):
        say_once(f"method {method!r} of wandb.sweep is not supported within a program: its points are drawn at random")
    draw = random.Random(f"{os.environ.get('ASSAY_SEED', 0)} wandb.sweep")
    most = settings.get("run_cap")
    for _ in itertools.count() if most is None else range(most):
        yield _drawn(parameters, draw)


def _grid(parameters: dict):
    names = sorted(parameters)
    columns = [_values(name, parameters[name]) for name in names]
    for row in itertools.product(*columns):
        yield dict(zip(names, row))


def _values(name: str, about: dict) -> list:
    if "parameters" in about:
        return list(_grid(about["parameters"]))
    if "value" in about:
        return [about["value"]]
    if "values" in about:
        return list(about["values"])
    if isinstance(about.get("min"), int) and isinstance(about.get("max"), int):
        return list(range(about["min"], about["max"] + 1))
    warn(f"a grid needs values for {name}: it has a range")
    return [about.get("min")]


def _drawn(parameters: dict, draw: random.Random) -> dict:
    return {name: _one(parameters[name], draw) for name in sorted(parameters)}


def _one(about: dict, draw: random.Random):
    if "parameters" in about:
        return _drawn(about["parameters"], draw)
    if "value" in about:
        return about["value"]
    if "values" in about:
        return draw.choices(about["values"], about.get("probabilities"))[0]
    low, high = about.get("min", 0), about.get("max", 1)
    mu, sigma = about.get("mu", 0), about.get("sigma", 1)
    kind = about.get("distribution") or ("int_uniform" if isinstance(low, int) and isinstance(high, int) else "uniform")
    step, base = (about.get("q", 1), kind[2:]) if kind.startswith("q_") else (None, kind)
    makers = {
        "int_uniform": lambda: draw.randint(low, high),
        "uniform": lambda: draw.uniform(low, high),
        "log_uniform": lambda: math.exp(draw.uniform(low, high)),
        "log_uniform_values": lambda: math.exp(draw.uniform(math.log(low), math.log(high))),
        "inv_log_uniform": lambda: 1 / math.exp(draw.uniform(low, high)),
        "inv_log_uniform_values": lambda: 1 / math.exp(draw.uniform(-math.log(high), -math.log(low))),
        "normal": lambda: draw.gauss(mu, sigma),
        "log_normal": lambda: math.exp(draw.gauss(mu, sigma)),
        "beta": lambda: draw.betavariate(about.get("a", 1), about.get("b", 1)),
    }
    if base not in makers:
        raise ValueError(f"wandb.sweep: there is no distribution {kind!r}")
    value = makers[base]()
    return value if step is None else round(value / step) * step
