"""Assay for Python: a program reports its results, a notebook reads a study. Python 3.9 or later, nothing else.

In a program that a study runs:

    import assay
    rate = assay.param("learning_rate", 0.1)
    random.seed(assay.seed())
    for step in range(100):
        assay.series(step=step, loss=loss)
    assay.metrics(score=score)

In a notebook:

    study = assay.load("my-study")
    study.runs.groupby("arm")["score"].mean()
"""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

__all__ = ["item", "load", "metrics", "out_dir", "param", "params", "seed", "series", "serve", "state_dir", "Study", "task"]

_HERE = os.path.dirname(os.path.abspath(__file__))
_MISSING = object()
_served = None


# For programs


def params():
    """All parameters of this run; empty where no study started the program."""
    text = os.environ.get("ASSAY_PARAMS")
    return json.loads(text) if text else {}


def param(name, default=_MISSING):
    """One parameter of this run. `default` stands for one that the study does not set, and gives its type to a text."""
    found = params()
    if name in found:
        value = found[name]
        if default is not _MISSING and isinstance(value, str) and not isinstance(default, (str, type(None))):
            return json.loads(value) if isinstance(default, (bool, list, dict)) else type(default)(value)
        return value
    if default is _MISSING:
        known = ", ".join(sorted(found)) or "none"
        raise KeyError("the study sets no parameter %r (it sets: %s), and there is no default" % (name, known))
    return default


def seed(default=0):
    """The seed of this run."""
    return int(os.environ.get("ASSAY_SEED", default))


def task(default=None):
    """The task of this run, where the study has tasks."""
    return os.environ.get("ASSAY_TASK", default)


def item():
    """The fields of this run's task, where the tasks of the study are items of a file."""
    path = os.environ.get("ASSAY_TASK_FILE")
    if _served is not None or path is None:
        return _served or {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def serve(handle):
    """For `worker: true`: one process does many runs. `handle(run)` gives the metrics of a run, whose "item", "params",
    "seed", "task" and "out_dir" are in `run`; what it raises fails that run alone. What it prints goes to stderr.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    global _served
    for line in sys.stdin:
        run = json.loads(line)
        _served = run.get("item", {})
        os.environ.update(
            ASSAY_RUN_ID=run["id"],
            ASSAY_PARAMS=json.dumps(run["params"]),
            ASSAY_SEED=str(run["seed"]),
            ASSAY_TASK=run["task"] or "",
            ASSAY_OUT_DIR=run["out_dir"],
            ASSAY_SERIES=run["series"],
            ASSAY_STATE_DIR=run["state_dir"],
        )
        try:
            answer = {"id": run["id"], "metrics": _plain(handle(run) or {})}
        except Exception as error:  # whatever it is, the next run is another one
            traceback.print_exc()
            answer = {"id": run["id"], "error": "%s: %s" % (type(error).__name__, error)}
        sys.stdout.flush()
        sys.stderr.flush()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def out_dir():
    """The folder for the files of this run; the current one where no study started the program."""
    return os.environ.get("ASSAY_OUT_DIR", ".")


def state_dir():
    """A folder that survives retries, kills and moves to other machines: for checkpoints. Deleted once the run has a
    result. Write a checkpoint beside and rename it (os.replace), so that a kill leaves the one before.
    """
    return os.environ.get("ASSAY_STATE_DIR", ".")


def metrics(values=None, **more):
    """Adds to the results of this run: numbers are metrics, texts are labels. Later values replace earlier ones."""
    given = dict(values or {}, **more)
    folder = os.environ.get("ASSAY_OUT_DIR")
    if folder is None:
        print("assay: " + ", ".join("%s=%s" % item for item in given.items()), file=sys.stderr)
        return
    path = os.path.join(folder, "metrics.json")
    found = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    found.update(_plain(given))
    # Beside and renamed: whoever looks sees the old file or the new one.
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(found, file)
    os.replace(path + ".part", path)


def series(values=None, **more):
    """Appends one step to the series of this run: `assay.series(step=10, loss=0.3)`. A study may end the run by it."""
    path = os.environ.get("ASSAY_SERIES")
    if path is None:
        return
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(_plain(dict(values or {}, **more))) + "\n")


def _plain(value):
    """As JSON has it: numbers of numpy and torch become Python's, what is no number becomes null."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (str, bool, int, type(None))):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, (bool, int)):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return number if math.isfinite(number) else None


# For notebooks


class Study:
    """A study's results. `runs`, `series` and `instances` are tables, `design` says how runs are to be compared."""

    def __init__(self, told, frame):
        self.name = told["name"]
        self.path = told["path"]
        #: by (what the arms differ in), arms, baseline, unit (what is counted), pairs
        self.design = told["design"]
        self._frame = frame
        #: One row per run: parameters, metrics, how it went; `arm`, `unit` and `pair` are the design's.
        self.runs = frame(told["runs"])
        self._instances = told["instances"]
        self._ids = [row["run_id"] for row in told["runs"]]

    @property
    def instances(self):
        """One row per trajectory that a run left."""
        return self._frame(self._instances)

    @property
    def series(self):
        """One row per step of a run, with `run_id`."""
        rows = []
        for run_id in self._ids:
            path = os.path.join(self.path, "runs", run_id, "series.jsonl")
            if not os.path.exists(path):
                continue
            with open(path, encoding="utf-8") as file:
                for line in file:
                    try:
                        values = json.loads(line)
                    except ValueError:
                        continue  # A line that a crash tore.
                    if isinstance(values, dict):
                        values.pop("_axes", None)
                        rows.append(dict({"run_id": run_id}, **values))
        return self._frame(rows)

    def __repr__(self):
        design = self.design
        arms = ", ".join(design["arms"][:6]) + (" ..." if len(design["arms"]) > 6 else "")
        return "<assay study %r: %d runs, arms by %s: %s; baseline %s; counted by %s>" % (
            self.name,
            len(self._ids),
            " and ".join(design["by"]) or "nothing",
            arms,
            design["baseline"],
            design["unit"],
        )


def load(study, out_root=None, frame="auto"):
    """A study by its name or folder. `frame`: pandas, polars, or dicts for lists; auto takes the first that is there."""
    make = _frames(frame)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "study.json")
        words = ["export", str(study), "--format", "json", "--out", path]
        if out_root is not None:
            words += ["--out-root", str(out_root)]
        ended = subprocess.run(_command() + words, capture_output=True, text=True)
        if ended.returncode != 0:
            raise RuntimeError(ended.stderr.strip() or "assay export failed (exit %d)" % ended.returncode)
        with open(path, encoding="utf-8") as file:
            return Study(json.load(file), make)


def _command():
    """This very Assay, run by Node; else whatever `assay` is in PATH."""
    program = os.path.join(os.path.dirname(_HERE), "bin", "assay.js")
    node = shutil.which("node")
    if node and os.path.exists(program):
        return [node, program]
    found = shutil.which("assay")
    if found:
        return [found]
    raise RuntimeError("neither node nor assay is in PATH; install Node.js and run: npm install -g assay")


def _frames(kind):
    if kind not in ("auto", "pandas", "polars", "dicts"):
        raise ValueError("frame: expected auto, pandas, polars or dicts, got %r" % (kind,))
    if kind in ("auto", "pandas"):
        try:
            import pandas

            return pandas.DataFrame
        except ImportError:
            if kind == "pandas":
                raise
    if kind in ("auto", "polars"):
        try:
            import polars

            return lambda rows: polars.DataFrame(rows, infer_schema_length=None)
        except ImportError:
            if kind == "polars":
                raise
    return list
