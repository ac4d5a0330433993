"""A pytest plugin that turns benchmarks into a study: one run per benchmark and session, kept with its commit.

    PYTHONPATH=$(assay setup python) pytest -p assay_pytest --assay my-benchmarks

Works with pytest-benchmark. Where that is not installed, a small `benchmark` fixture of the same shape times the function.
Standard library only.
"""

import datetime
import json
import os
import platform
import statistics
import subprocess
import tempfile
import time

import pytest

import assay

try:
    import pytest_benchmark  # noqa: F401

    _HAS_PLUGIN = True
except ImportError:
    _HAS_PLUGIN = False

_MIN_ROUNDS = 5
_MAX_SECONDS = 1.0
_MOST_ROUNDS = 100000


def pytest_addoption(parser):
    group = parser.getgroup("assay")
    group.addoption("--assay", metavar="STUDY", default="pytest", help="study that the benchmarks join (default: pytest)")
    group.addoption("--assay-out-root", metavar="FOLDER", default=None, help="where studies are kept (default: bench_runs)")


def pytest_configure(config):
    config._assay_benchmarks = []


class _Benchmark:
    """What `benchmark` is where pytest-benchmark is not installed: call it with a function, once per test."""

    def __init__(self, node, keep):
        self._node = node
        self._keep = keep
        self.extra_info = {}

    def __call__(self, function, *args, **kwargs):
        clock = time.perf_counter
        times = []
        end = clock() + _MAX_SECONDS
        while len(times) < _MIN_ROUNDS or (clock() < end and len(times) < _MOST_ROUNDS):
            start = clock()
            result = function(*args, **kwargs)
            times.append(clock() - start)
        self._record(times, 1)
        return result

    def pedantic(self, target, args=(), kwargs=None, setup=None, rounds=1, warmup_rounds=0, iterations=1, teardown=None):
        clock = time.perf_counter
        times = []
        result = None
        for number in range(warmup_rounds + rounds):
            given_args, given_kwargs = args, kwargs or {}
            if setup is not None:
                made = setup()
                if made:
                    given_args, given_kwargs = made
            start = clock()
            for _ in range(iterations):
                result = target(*given_args, **given_kwargs)
            took = (clock() - start) / iterations
            if teardown is not None:
                teardown(*given_args, **given_kwargs)
            if number >= warmup_rounds:
                times.append(took)
        self._record(times, iterations)
        return result

    def _record(self, times, iterations):
        self._keep.append(
            {
                "group": None,
                "name": self._node.name,
                "fullname": self._node.nodeid,
                "stats": {
                    "median": statistics.median(times),
                    "mean": statistics.fmean(times),
                    "min": min(times),
                    "max": max(times),
                    "stddev": statistics.stdev(times) if len(times) > 1 else 0.0,
                    "rounds": len(times),
                    "iterations": iterations,
                    "total": sum(times) * iterations,
                },
            }
        )


if not _HAS_PLUGIN:

    @pytest.fixture
    def benchmark(request):
        return _Benchmark(request.node, request.config._assay_benchmarks)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    config = session.config
    if hasattr(config, "workerinput"):
        return
    found = config._assay_benchmarks + _of_plugin(config)
    if not found:
        return
    saved = {
        "machine_info": {"node": platform.node(), "python_version": platform.python_version()},
        "commit_info": _commit(str(config.rootpath)),
        "benchmarks": found,
        "datetime": datetime.datetime.now(datetime.timezone.utc).isoformat(),
    }
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "session.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(saved, file)
        words = ["import", path, "--name", config.getoption("--assay"), "--format", "pytest-benchmark"]
        if config.getoption("--assay-out-root"):
            words += ["--out-root", config.getoption("--assay-out-root")]
        ended = subprocess.run(assay._command() + words, capture_output=True, text=True)
    config._assay_told = (ended.stdout + ended.stderr).strip() or "assay import failed (exit %d)" % ended.returncode


def pytest_terminal_summary(terminalreporter, config):
    told = getattr(config, "_assay_told", None)
    if told:
        terminalreporter.section("assay")
        terminalreporter.write_line(told)


def _of_plugin(config):
    """What pytest-benchmark timed in this session; benchmarks that failed have no numbers."""
    session = getattr(config, "_benchmarksession", None)
    found = []
    for bench in getattr(session, "benchmarks", None) or []:
        if getattr(bench, "has_error", False) or not bench:
            continue
        told = bench.as_dict(include_data=False)
        found.append({key: told.get(key) for key in ("group", "name", "fullname", "stats")})
    return found


def _commit(folder):
    def git(*words):
        ended = subprocess.run(("git", "-C", folder) + words, capture_output=True, text=True)
        return ended.stdout.strip() if ended.returncode == 0 else None

    try:
        return {
            "id": git("rev-parse", "HEAD"),
            "branch": git("rev-parse", "--abbrev-ref", "HEAD"),
            "dirty": bool(git("status", "--porcelain", "--untracked-files=no")),
        }
    except OSError:
        return {"id": None, "branch": None, "dirty": False}
