"""`wandb.summary`, and what `define_metric` says of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ._plain import plain

OPS = ("min", "max", "mean", "last", "copy", "none", "first", "best")


@dataclass
class Metric:
    """What a program says of a metric, or of all whose names begin alike (`train/*`)."""

    name: str
    step_metric: str | None = None
    step_sync: bool | None = None
    hidden: bool | None = None
    summary: list[str] = field(default_factory=list)
    goal: str | None = None

    def covers(self, name: str) -> bool:
        if self.name.endswith("*"):
            return name.startswith(self.name[:-1]) and not name.startswith("_")
        return name == self.name


class Metrics:
    """Which definition a metric has: its own, else that of the longest beginning."""

    def __init__(self):
        self._defined: dict[str, Metric] = {}

    def define(self, metric: Metric, overwrite: bool) -> Metric:
        before = self._defined.get(metric.name)
        if before and not overwrite:
            metric = Metric(
                metric.name,
                metric.step_metric or before.step_metric,
                before.step_sync if metric.step_sync is None else metric.step_sync,
                before.hidden if metric.hidden is None else metric.hidden,
                metric.summary or before.summary,
                metric.goal or before.goal,
            )
        self._defined[metric.name] = metric
        return metric

    def of(self, name: str) -> Metric | None:
        found = [metric for metric in self._defined.values() if metric.covers(name)]
        return max(found, key=lambda metric: (not metric.name.endswith("*"), len(metric.name)), default=None)

    def axes(self) -> dict[str, str]:
        return {name: metric.step_metric for name, metric in self._defined.items() if metric.step_metric}


class SubSummary:
    """A dictionary whose entries are attributes, too."""

    def __init__(self, items: dict, changed):
        object.__setattr__(self, "_items", items)
        object.__setattr__(self, "_changed", changed)

    def keys(self):
        return [key for key in self._items if key != "_wandb"]

    def values(self):
        return [self[key] for key in self.keys()]

    def items(self):
        return [(key, self[key]) for key in self.keys()]

    def get(self, key, default=None):
        return self[key] if key in self._items else default

    def update(self, values=None, **more):
        for key, value in {**dict(values or {}), **more}.items():
            self._items[str(key)] = plain(value)
        self._changed()

    def __getitem__(self, key):
        value = self._items[key]
        return SubSummary(value, self._changed) if isinstance(value, dict) else value

    def __getattr__(self, key):
        try:
            return self[key]
        except KeyError as error:
            raise AttributeError(key) from error

    def __setitem__(self, key, value):
        self.update({key: value})

    __setattr__ = __setitem__

    def __delitem__(self, key):
        del self._items[key]
        self._changed()

    __delattr__ = __delitem__

    def __contains__(self, key):
        return key in self._items

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.keys())

    def __repr__(self):
        return repr(self._items)


class Summary(SubSummary):
    def __init__(self, changed, metrics: Metrics):
        super().__init__({}, changed)
        object.__setattr__(self, "_metrics", metrics)
        object.__setattr__(self, "_totals", {})

    def _take(self, row: dict, above=()) -> None:
        """A row of the history: the last value of each metric, or what its definition asks for."""
        for key, value in row.items():
            path = (*above, key)
            if isinstance(value, dict) and "_type" not in value:
                self._take(value, path)
            elif value is not None:
                self._put(path, value)

    def _put(self, path: tuple, value) -> None:
        metric = self._metrics.of(".".join(path))
        ops = metric.summary if metric else []
        if "none" in ops:
            return
        place = self._items
        for key in path[:-1]:
            if not isinstance(place.get(key), dict):
                place[key] = {}
            place = place[key]
        if not ops or "copy" in ops or not isinstance(value, (int, float)):
            place[path[-1]] = value
            return
        totals = self._aggregate(path, value)
        totals["best"] = totals["max" if metric.goal == "maximize" else "min"]
        place[path[-1]] = {op: totals[op] for op in ops if op in totals}

    def _aggregate(self, path: tuple, value) -> dict:
        before = self._totals.get(path)
        if before is None:
            before = {"min": value, "max": value, "first": value, "sum": 0.0, "count": 0}
            self._totals[path] = before
        before["last"] = value
        if not math.isnan(value):
            before["min"], before["max"] = min(before["min"], value), max(before["max"], value)
            before["sum"], before["count"] = before["sum"] + value, before["count"] + 1
            before["mean"] = before["sum"] / before["count"]
        return before

    def _plain_names(self) -> dict:
        """Metrics of which one number was asked for, or their last one, under the name that the program logs."""
        found = {}
        for path, totals in self._totals.items():
            name = ".".join(path)
            metric = self._metrics.of(name)
            ops = [op for op in metric.summary if op in totals] if metric else []
            if ops:
                found[name] = totals[ops[0] if len(ops) == 1 else "last"]
        return found
