"""A run: what `wandb.init()` gives."""

from __future__ import annotations

import datetime
import glob
import json
import math
import os
import random
import shutil
import string
import tempfile
import threading
import time

from ._artifact import Artifact
from ._config import Config
from ._media import Histogram, Media, as_media
from ._plain import flat, plain
from ._say import Nothing, say, say_once, unsupported, warn
from ._summary import OPS, Metric, Metrics, Summary

SUMMARY_SECONDS = 1.0


class Error(Exception):
    pass


class CommError(Error):
    pass


class UsageError(Error):
    pass


def generate_id(length: int = 8) -> str:
    return "".join(random.SystemRandom().choices(string.ascii_lowercase + string.digits, k=length))


class Run:
    """
    Rows of `log` go to Assay's series as they are committed. Configuration, history, summary and media lie in `dir`,
    below the run's out folder.
    """

    def __init__(self, settings: dict, config: dict, locked: dict):
        env = os.environ
        self.id = settings.get("id") or env.get("WANDB_RUN_ID") or generate_id()
        self.name = settings.get("name") or env.get("WANDB_NAME") or env.get("ASSAY_RUN_ID") or self.id
        self.project = settings.get("project") or env.get("WANDB_PROJECT") or "uncategorized"
        self.entity = settings.get("entity") or env.get("WANDB_ENTITY") or ""
        self.group = settings.get("group") or env.get("WANDB_RUN_GROUP") or ""
        self.job_type = settings.get("job_type") or env.get("WANDB_JOB_TYPE") or ""
        self.notes = settings.get("notes") or env.get("WANDB_NOTES")
        self.tags = tuple(settings.get("tags") or ())
        self.disabled = settings.get("mode") == "disabled"
        self.sweep_id = env.get("WANDB_SWEEP_ID")
        self.offline, self.resumed, self.starting_step = True, False, 0
        self.url = self.project_url = self.sweep_url = None
        self.start_time = time.time()
        self.settings = settings.get("settings") or Settings()
        self._began = time.monotonic()
        self._pid = os.getpid()
        self._lock = threading.RLock()
        self._step, self._row, self._last = 0, {}, {}
        self._is_over = False
        self._saved: list[tuple[str, str]] = []
        self._summary_due = 0.0
        self._metrics = Metrics()
        self._axes_are_new = False
        self.dir = self._make_dir()
        self._series = None if self.disabled else _open_to_append(env.get("ASSAY_SERIES"))
        self._history = None if self.disabled else _open_to_append(os.path.join(self.dir, "wandb-history.jsonl"))
        self.config = Config()
        self.config.update(config, allow_val_change=True)
        self.config._lock(locked)
        object.__setattr__(self.config, "_changed", self._write_config)
        self.summary = Summary(self._write_summary_later, self._metrics)
        self._write_config()
        self._write("wandb-metadata.json", {name: plain(getattr(self, name)) for name in
                    ("id", "name", "project", "entity", "group", "job_type", "notes", "tags", "sweep_id")})

    def _make_dir(self) -> str:
        """Named by the time, to the microsecond: of several runs in one process the last one sorts last."""
        if self.disabled:
            return tempfile.mkdtemp(prefix="wandb-disabled-")
        stamp = datetime.datetime.now().strftime("%Y%m%d_%H%M%S_%f")
        home = os.path.abspath(os.environ.get("ASSAY_OUT_DIR") or os.environ.get("WANDB_DIR") or ".")
        path = os.path.join(home, "wandb", f"run-{stamp}-{self.id}", "files")
        os.makedirs(path)
        return path

    # What a program logs.

    def log(self, data, step=None, commit=None, **_):
        if not isinstance(data, dict):
            raise ValueError("wandb.log must be passed a dictionary")
        if any(not isinstance(key, str) for key in data):
            raise ValueError("Key values passed to `wandb.log` must be strings.")
        if self._is_over:
            raise UsageError(f"Run ({self.id}) is finished. The call to `log` will be ignored.")
        if self.disabled:
            return
        with self._lock:
            if step is not None and int(step) != self._step:
                if int(step) < self._step:
                    return warn(
                        f"Tried to log to step {int(step)} that is less than the current step {self._step}. Steps must"
                        " be monotonically increasing, so this data will be ignored."
                    )
                self._commit()
                self._step = int(step)
            _merge(self._row, self._kept(data))
            if commit or (commit is None and step is None):
                self._commit()
                self._step += 1

    def _kept(self, data: dict, above="") -> dict:
        row = {}
        for key, value in data.items():
            name = f"{above}{key}"
            value = as_media(value)
            if isinstance(value, (Media, Histogram)):
                row[key] = value.keep(self.dir, name, self._step)
            elif isinstance(value, dict):
                row[key] = self._kept(value, f"{name}.")
            elif isinstance(value, (list, tuple)) and value and all(isinstance(item, Media) for item in value):
                kept = [item.keep(self.dir, f"{name}_{i}", self._step) for i, item in enumerate(value)]
                row[key] = {"_type": "images/separated", "count": len(kept), "filenames": [one["path"] for one in kept]}
            elif not isinstance(value, Nothing):
                row[key] = plain(value)
        return row

    def _commit(self) -> None:
        row, self._row = self._row, {}
        if not row:
            return
        names = dict(flat(row))
        for name in list(names):
            metric = self._metrics.of(name)
            axis = metric.step_metric if metric else None
            if axis and axis not in names and metric.step_sync is not False and axis in self._last:
                row[axis] = names[axis] = self._last[axis]
        self._last.update((name, value) for name, value in names.items() if _is_number(value))
        now = {"_step": self._step, "_runtime": time.monotonic() - self._began, "_timestamp": time.time()}
        self.summary._take({**row, **now})
        _append(self._history, {**row, **now})
        series = {name: _finite(value) for name, value in names.items() if _is_number(value)}
        if series:
            axes = {"_axes": self._metrics.axes()} if self._axes_are_new else {}
            self._axes_are_new = False
            _append(self._series, {"_step": self._step, **axes, **series})
        self._write_summary_later()

    def define_metric(self, name, step_metric=None, step_sync=None, hidden=None, summary=None, goal=None,
                      overwrite=None, **_):
        if not name:
            raise Error("define_metric() requires non-empty name argument")
        if "*" in name[:-1]:
            raise Error(f"Unhandled define_metric() arg: name (glob suffixes only): {name}")
        if isinstance(step_metric, Metric):
            step_metric = step_metric.name
        ops = [op.strip().lower() for op in summary.split(",")] if summary else []
        for op in ops:
            if op not in OPS:
                raise Error(f"Unhandled define_metric() arg: summary op: {op}")
        metric = self._metrics.define(Metric(name, step_metric, step_sync, hidden, ops, goal), bool(overwrite))
        self._axes_are_new = bool(self._metrics.axes())
        return metric

    # Files.

    def log_artifact(self, artifact_or_path, name=None, type=None, aliases=None, **_):
        if isinstance(artifact_or_path, Artifact):
            artifact = artifact_or_path
        else:
            path = str(artifact_or_path)
            artifact = Artifact(name or f"run-{self.id}-{os.path.basename(path)}", type or "unspecified")
            artifact.add_dir(path) if os.path.isdir(path) else artifact.add_file(path)
        if not self.disabled:
            artifact.keep(self.dir, aliases)
        return artifact

    upsert_artifact = finish_artifact = log_artifact

    def log_model(self, path, name=None, aliases=None):
        self.log_artifact(path, name=name or f"run-{self.id}-model", type="model", aliases=aliases)

    def use_artifact(self, artifact_or_name, type=None, **_):
        if isinstance(artifact_or_name, Artifact):
            return artifact_or_name
        name = str(artifact_or_name).split("/")[-1].split(":")[0]
        artifact = Artifact(name, type or "unspecified")
        folder = os.path.join(self.dir, "artifacts", name)
        if os.path.isdir(folder):
            artifact.add_dir(folder)
            artifact._root = folder
        else:
            say_once(f"wandb.use_artifact({name!r}) fetches nothing under Assay: its folder is empty")
        return artifact

    def log_code(self, *args, **kwargs):
        """Assay records which code ran: the commit, the changes, and the files of the program."""

    def save(self, glob_str=None, base_path=None, policy="live"):
        if glob_str is None or self.disabled:
            return True
        pattern = os.fspath(glob_str)
        base = os.path.abspath(base_path) if base_path else os.path.dirname(os.path.abspath(pattern))
        kept = []
        for path in glob.glob(pattern, recursive=True):
            full = os.path.abspath(path)
            if os.path.isfile(full) and not full.startswith(self.dir + os.sep):
                self._saved.append((full, os.path.join(self.dir, os.path.relpath(full, base))))
                kept.append(self._saved[-1][1])
        self._copy_saved()
        return kept

    def _copy_saved(self) -> None:
        for source, target in self._saved:
            if os.path.isfile(source):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copyfile(source, target)

    # The rest of what programs call.

    def watch(self, models=None, criterion=None, log="gradients", log_freq=1000, idx=None, log_graph=False):
        unsupported("wandb.watch")

    def unwatch(self, models=None):
        pass

    def alert(self, title, text="", level="INFO", wait_duration=None):
        level = getattr(level, "value", level) or "INFO"
        say(f"ALERT ({level}) {title}: {text}")
        if not self.disabled:
            with open(os.path.join(self.dir, "alerts.jsonl"), "a", encoding="utf-8") as file:
                file.write(json.dumps({"title": title, "text": text, "level": str(level)}) + "\n")

    def mark_preempting(self):
        pass

    def status(self):
        pass

    def get_url(self):
        return None

    def display(self, *args, **kwargs):
        return False

    def _label(self, *args, **kwargs):
        pass

    @property
    def step(self) -> int:
        return self._step

    @property
    def path(self) -> str:
        return "/".join(part for part in (self.entity, self.project, self.id) if part)

    @property
    def config_static(self):
        return dict(self.config)

    @property
    def mode(self) -> str:
        return "disabled" if self.disabled else "offline"

    def finish(self, exit_code=None, quiet=None):
        import wandb

        if self._is_over or os.getpid() != self._pid:
            return
        with self._lock:
            self._commit()
            self._copy_saved()
            self._is_over = True
            self._write_summary()
            for file in (self._series, self._history):
                if file is not None:
                    os.close(file)
        wandb._leave(self)

    join = finish

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.finish(exit_code=0 if kind is None else 1)
        return False

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return unsupported(f"wandb.run.{name}")

    def _write_config(self):
        self._write("config.yaml", {key: {"value": value} for key, value in self.config.items()})

    def _write_summary_later(self):
        """Soon enough for a run that is killed, seldom enough for one that logs in a tight loop."""
        if not self._is_over and time.monotonic() >= self._summary_due:
            self._write_summary()
            self._summary_due = time.monotonic() + SUMMARY_SECONDS

    def _write_summary(self):
        about = {"_assay": self.summary._plain_names()}
        self._write("wandb-summary.json", {**self.summary._items, **about})

    def _write(self, name: str, values: dict) -> None:
        if self.disabled:
            return
        path = os.path.join(self.dir, name)
        with open(f"{path}.new", "w", encoding="utf-8") as file:
            json.dump(values, file)
        os.replace(f"{path}.new", path)


class Settings:
    """Takes every setting, and has an effect through none."""

    def __init__(self, **settings):
        self.__dict__.update(settings)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None


def _open_to_append(path):
    return None if not path else os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)


def _append(file, values: dict) -> None:
    """One write for each row: whoever reads along, to end a run early, sees whole lines."""
    if file is not None:
        os.write(file, (json.dumps(values) + "\n").encode())


def _is_number(value) -> bool:
    return isinstance(value, (bool, int, float))


def _finite(value):
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, int) or math.isfinite(value) else None


def _merge(row: dict, more: dict) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(row.get(key), dict) and "_type" not in value:
            _merge(row[key], value)
        else:
            row[key] = value
