"""
Runs a benchmark that is written in Python. Assay starts it:

    python3 assay_bench.py describe FILE [NAME]   prints the parameters of a benchmark as JSON
    python3 assay_bench.py run OUT_DIR            runs the job beside that folder, all iterations in this one process

A benchmark is a class with `execute_once` (or `run`) and, where it needs them, `setup` and `teardown`; or a function; or
a module with functions of these names. Its parameters are the fields of a dataclass, the arguments of `__init__`, or
those of the functions, with their defaults and types. `execute_once` returns a dictionary of numbers, one number, or
nothing; what it takes is measured alone.
"""

from __future__ import annotations

import dataclasses
import enum
import importlib.util
import inspect
import json
import math
import os
import platform
import random
import sys
import time
import traceback
import types
import typing

BODIES = ("execute_once", "run")
#: Filled by the runner, never by a study.
GIVEN = ("self", "ctx", "context", "state", "seed")
MISSING = inspect.Parameter.empty
#: Processor time is read around bodies of at least this.
SHORTEST_MS = 1
#: The process changes cores after so many iterations and nanoseconds, or after that many nanoseconds.
FEW, FEW_NS, LONG_NS = 5, 5_000_000, 20_000_000


class Mistake(Exception):
    """Something about the file that its author can mend."""


class Context:
    """What a benchmark may ask for, as its only argument beside its parameters."""

    def __init__(self, job: dict, out_dir: str):
        run = job["run"]
        self.params = run["params"]
        self.seed, self.task, self.repeat = run["seed"], run.get("task"), run.get("repeat", 0)
        self.run_id = run["id"]
        self.out_dir = self.output_dir = self.run_dir = out_dir
        #: Negative during warm-up.
        self.iteration = 0
        self.rng = random.Random(self.seed)
        self.labels: dict = {}
        self.warnings: list = []
        self._steps: list = []

    @property
    def iteration_index(self) -> int:
        return self.iteration

    def series(self, **values) -> None:
        """One step of a series; nothing during warm-up."""
        if self.iteration >= 0:
            self._steps.append(values)

    def warn(self, text: str) -> None:
        if str(text) not in self.warnings:
            self.warnings.append(str(text))

    def label(self, name: str, text) -> None:
        self.labels[str(name)] = str(text)


# What is measured.


def stand_in() -> None:
    """Where the original framework is not installed, files that were written for it find what they import."""
    if importlib.util.find_spec("benchmarks") is not None:
        return

    class Experiment:
        def __init__(self, params=None):
            self.params = dict(params or {})

        def setup(self, context):
            pass

        def teardown(self, context):
            pass

    def register_experiment(slug):
        def keep(found):
            found.slug = slug
            return found

        return keep

    for name, content in {
        "benchmarks": {}, "benchmarks.core": {},
        "benchmarks.core.experiments": {"Experiment": Experiment, "ExperimentContext": Context},
        "benchmarks.core.registry": {"register_experiment": register_experiment},
    }.items():
        module = types.ModuleType(name)
        module.__path__ = []
        vars(module).update(content)
        sys.modules[name] = module


def load(path: str):
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    stand_in()
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def find(module, name):
    """The class, the function or the module with functions that a study means."""
    own = {key: value for key, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__}
    if name:
        for value in own.values():
            if vars(value).get("slug") == name:
                return value
        if not hasattr(module, name):
            raise Mistake(f"it has no {name}; it has {', '.join(sorted(own)) or 'nothing'}")
        return getattr(module, name)
    if any(callable(own.get(body)) for body in BODIES):
        return module
    classes = [value for value in own.values() if inspect.isclass(value) and _body_of(value)]
    functions = [value for key, value in own.items() if inspect.isfunction(value) and key.startswith(("bench", "run_"))]
    for found in (classes, functions):
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(item.__name__ for item in found)
            raise Mistake(f"it has several benchmarks: {names}; say which: {os.path.basename(module.__file__)}:{found[0].__name__}")
    raise Mistake("it has no benchmark: a class with execute_once, or a function of that name")


def _body_of(thing):
    return next((getattr(thing, body) for body in BODIES if callable(getattr(thing, body, None))), None)


class Benchmark:
    """One interface for classes, functions and modules."""

    def __init__(self, found):
        self.found = found
        self.name = getattr(found, "__name__", "benchmark")
        self.is_class = inspect.isclass(found)
        self.is_function = inspect.isfunction(found)
        if not self.is_function and _body_of(found) is None:
            raise Mistake(f"{self.name} has no execute_once")
        self._state = None

    def sources(self) -> list:
        """The functions whose arguments are parameters."""
        if self.is_function:
            return [self.found]
        if self.is_class:
            return [self.found.__init__]
        return [part for part in (getattr(self.found, "setup", None), _body_of(self.found)) if part]

    def takes_dictionary(self) -> bool:
        """The constructor of the original takes all parameters as one dictionary, and may say which there are."""
        if not self.is_class or dataclasses.is_dataclass(self.found):
            return False
        names = [name for name in inspect.signature(self.found.__init__).parameters if name not in GIVEN]
        return names in (["params"], ["parameters"], ["config"])

    def make(self, params: dict, context: Context):
        if self.is_class:
            if self.takes_dictionary():
                defaults = {about["name"]: about["default"] for about in parameters(self) if "default" in about}
                self._object = self.found({**defaults, **params})
            else:
                accepted = inspect.signature(self.found.__init__).parameters
                given = {"seed": context.seed} if "seed" in accepted and not dataclasses.is_dataclass(self.found) else {}
                self._object = self.found(**params, **given)
            setup, body, teardown = (
                getattr(self._object, "setup", None), _body_of(self._object), getattr(self._object, "teardown", None))
        elif self.is_function:
            setup, body, teardown = None, self.found, None
        else:
            setup, body, teardown = getattr(self.found, "setup", None), _body_of(self.found), getattr(self.found, "teardown", None)
        if setup:
            self._state = _bound(setup, params, context, None)()
        call = _bound(body, params, context, self._state)
        done = _bound(teardown, params, context, self._state) if teardown else (lambda: None)
        return call, done


def _bound(function, params: dict, context: Context, state):
    """The function with all that it asks for, decided once: what is timed is the call alone."""
    asked = inspect.signature(function).parameters
    given, positional = {}, []
    takes_all = any(one.kind is one.VAR_KEYWORD for one in asked.values())
    for name, one in asked.items():
        if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
            continue
        if name in ("ctx", "context"):
            given[name] = context
        elif name == "state":
            given[name] = state
        elif name in params:
            given[name] = params[name]
        elif name == "seed":
            given[name] = context.seed
        elif one.default is MISSING:
            # Whatever it is called, a single argument of a class' method is the context, as in the original.
            positional.append(context if state is None else state)
    if takes_all:
        given.update({name: value for name, value in params.items() if name not in given})
    if not given and not positional:
        return function
    if len(positional) == 1 and not given:
        only = positional[0]
        return lambda: function(only)
    return lambda: function(*positional, **given)


# Its parameters.


def parameters(benchmark: Benchmark):
    """A list of parameters; None where it takes whatever it is given."""
    found = benchmark.found
    if benchmark.is_class and dataclasses.is_dataclass(found):
        hints = _hints(found)
        return [
            _about(field.name, hints.get(field.name), _default_of(field)) for field in dataclasses.fields(found) if field.init
        ]
    if benchmark.takes_dictionary():
        schema = getattr(found, "param_schema", None) or getattr(found, "PARAMS", None)
        if not isinstance(schema, dict):
            return None
        return [_from_schema(name, about) for name, about in schema.items()]
    listed: dict = {}
    for source in benchmark.sources():
        if source is object.__init__:
            continue
        hints = _hints(source)
        for name, one in inspect.signature(source).parameters.items():
            if one.kind is one.VAR_KEYWORD:
                return None
            if one.kind is one.VAR_POSITIONAL or (name in GIVEN) or name in listed:
                continue
            listed[name] = _about(name, hints.get(name), one.default)
    return list(listed.values())


def _hints(source) -> dict:
    try:
        return typing.get_type_hints(source)
    except Exception:  # noqa: BLE001 - a type that can't be looked up is no type
        return {}


def _default_of(field):
    if field.default is not dataclasses.MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not dataclasses.MISSING else MISSING


def _from_schema(name: str, about) -> dict:
    if not isinstance(about, dict):
        return _about(name, type(about), about)
    found = {"name": name, "type": {"integer": "int", "number": "float", "string": "str", "boolean": "bool"}.get(
        about.get("type"), about.get("type", "any"))}
    if "default" in about:
        found["default"] = about["default"]
    if about.get("enum") or about.get("choices"):
        found.update(type="choice", choices=list(about.get("enum") or about["choices"]))
    return found


def _about(name: str, hint, default) -> dict:
    about = {"name": name, **_type_of(hint if hint is not None else (type(default) if default is not MISSING and default is not None else None))}
    if default is not MISSING:
        about["default"] = default.value if isinstance(default, enum.Enum) else default
        if default is None:
            about["optional"] = True
    return about


def _type_of(hint) -> dict:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return {"type": "choice", "choices": list(args)}
    kinds = [arg for arg in args if arg is not type(None)]
    if len(kinds) < len(args) and len(kinds) == 1:
        return {**_type_of(kinds[0]), "optional": True}
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        return {"type": "choice", "choices": [item.value for item in hint]}
    base = origin or hint
    names = {bool: "bool", int: "int", float: "float", str: "str", list: "list", tuple: "list", dict: "dict"}
    return {"type": names.get(base, "any")}


# Iterations.


def measure(job_file: str, out_dir: str) -> dict:
    """All iterations of a run, and what they gave, for Assay to summarise."""
    with open(job_file, encoding="utf-8") as file:
        told = json.load(file)
    job, setting = told["job"], told["setting"]
    warmup, count = setting["iterations"]["warmup"], setting["iterations"]["measured"]
    instruments = {item["name"]: item.get("options", {}) for item in setting["instruments"]}
    context = Context(job, out_dir)
    result = {
        "outcome": {"status": "ok"}, "labels": context.labels, "warnings": context.warnings, "startedAtMs": int(time.time() * 1000),
        "iterations": {"warmup": warmup, "durationMs": [], "metrics": {}, "overheadNs": None},
    }
    began = time.perf_counter()
    phase = "loading the file"
    try:
        benchmark = Benchmark(find(load(setting["target"]["path"]), setting["target"].get("member")))
        random.seed(context.seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(context.seed % 2**32)
        result["iterations"]["overheadNs"], result["loopNs"] = overhead()
        phase = "setup failed"
        context.iteration = -warmup
        body, teardown = benchmark.make(context.params, context)
        try:
            for index in range(warmup):
                phase = f"warm-up iteration {index + 1} of {warmup}"
                context.iteration = index - warmup
                body()
            batch = calls_per_reading(body, setting["iterations"].get("batch"), context)
            if batch > 1:
                result["iterations"]["batch"] = batch
                result["iterations"]["overheadNs"] /= batch
            phase = ""
            # Read outside of the instruments, so that a profile shows the body alone.
            claimed = claimed_ms()
            enough = Enough(setting["iterations"])
            with Instruments(instruments, out_dir, context) as around:
                loop(body, count, context, result["iterations"], batch, enough)
            waiting(result["iterations"], batch, claimed)
            if around.measured:
                result["iterations"]["ofRun"] = around.measured
        except Exception as error:  # noqa: BLE001 - a failed iteration is a record
            done = len(result["iterations"]["durationMs"])
            if phase == "":
                phase = f"iteration {done + 1} of {count}" if count > 1 else ""
                result["iterations"]["failure"] = {"index": done, "reason": words(error)}
            fail(result, phase, error)
        finally:
            try:
                context.iteration = max(0, context.iteration)
                teardown()
            except Exception as error:  # noqa: BLE001
                traceback.print_exc()
                context.warn(f"teardown failed: {words(error)}")
    except Exception as error:  # noqa: BLE001
        fail(result, phase, error)
    keep_series(context, result["iterations"], count)
    loop_ns = result.pop("loopNs", None)
    # Listing packages takes a while, and only result files have them.
    result["python"] = environment(loop_ns) if setting.get("result") else {}
    result["wallMs"] = (time.perf_counter() - began) * 1000
    return result


class Enough:
    """Whether the time is up, or the 95 % interval of the median is narrow enough, as for modules of Node."""

    def __init__(self, rule: dict):
        self.time_ms, self.until = rule.get("timeMs"), rule.get("until")
        self.started, self.next = time.perf_counter(), 10

    def has(self, durations: list) -> bool:
        if self.time_ms is not None and durations and (time.perf_counter() - self.started) * 1000 >= self.time_ms:
            return True
        count = len(durations)
        if self.until is None or count < self.next:
            return False
        self.next = math.ceil(count * 1.1)
        ordered = sorted(durations)
        reach = 1.96 * math.sqrt(count) / 2
        low, high = ordered[max(0, math.floor(count / 2 - reach))], ordered[min(count - 1, math.ceil(count / 2 + reach))]
        middle = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
        return middle > 0 and (high - low) / 2 / middle <= self.until


def claimed_ms():
    """How long this thread ran and waited for a core, by the kernel's count; None where it does not count."""
    # Asking for its time brings the kernel's count of the running thread up to date; else it is a tick behind.
    time.thread_time_ns()
    try:
        with open("/proc/thread-self/schedstat", encoding="latin-1") as file:
            ran, queued = file.read().split()[:2]
            return (int(ran) + int(queued)) / 1e6
    except (OSError, ValueError):
        return None


def waiting(iterations: dict, batch: int, before) -> None:
    """The share of its time in which the body neither computed nor waited for a core."""
    after, total = claimed_ms(), sum(iterations["durationMs"]) * batch
    if before is not None and after is not None and total > 0:
        iterations["waitingShare"] = min(1, max(0, 1 - (after - before) / total))


class Cores:
    """
    Moves the process to and fro between two cores. What a core has learned of an interpreter's branches may suit it well
    or badly for as long as a start takes, which then is up to a fifth slower as a whole; on another core it learns anew.
    """

    def __init__(self):
        self.all, self.two, self.at = set(), [], 0
        self.count, self.since = 0, time.perf_counter_ns()
        try:
            self.all = os.sched_getaffinity(0)
            with open("/proc/thread-self/stat", encoding="latin-1") as file:
                here = int(file.read().rpartition(")")[2].split()[36])
        except (AttributeError, OSError, ValueError, IndexError):
            return
        others = sorted(self.all - {here})
        if others and here in self.all:
            self.two = [next((core for core in others if core > here), others[0]), here]

    def move(self) -> None:
        """Before an iteration: mostly nothing, so that caches are warm in most of them."""
        self.count += 1
        spent = time.perf_counter_ns() - self.since
        if not self.two or spent < (LONG_NS if self.count <= FEW else FEW_NS):
            return
        try:
            os.sched_setaffinity(0, {self.two[self.at % 2]})
            # It stays there until the kernel needs to move it, and children may go anywhere.
            os.sched_setaffinity(0, self.all)
        except OSError:
            self.two = []
        self.at, self.count, self.since = self.at + 1, 1, time.perf_counter_ns()


def loop(body, count: int, context: Context, iterations: dict, batch: int = 1, enough=None) -> None:
    """The clock is read right before and right after the body; what it gave is looked at afterwards."""
    clock, used = time.perf_counter_ns, time.thread_time_ns
    durations, columns, taken = iterations["durationMs"], iterations["metrics"], []
    # Shorter bodies mostly run between two interruptions, and reading this clock would be a part of them.
    is_long = True
    limited = enough if enough and (enough.time_ms or enough.until) else None
    cores = Cores()
    for index in range(count):
        if limited and limited.has(durations):
            break
        context.iteration = index
        cores.move()
        if is_long:
            before = used()
        if batch == 1:
            start = clock()
            given = body()
            end = clock()
        else:
            start = clock()
            for _ in range(batch):
                given = body()
            end = clock()
        if is_long:
            cpu_ms = (used() - before) / 1e6
            is_long = index > 0 or cpu_ms >= SHORTEST_MS
            taken.append(cpu_ms / batch)
        durations.append((end - start) / batch / 1e6)
        if given is None:
            continue
        if not isinstance(given, dict):
            given = {"value": given}
        for name, value in given.items():
            column = columns.get(name)
            if column is None:
                number = number_of(value)
                if number is MISSING:
                    context.warn(f"metric {name} is not a number ({type(value).__name__}): left out")
                    continue
                columns[name] = column = [None] * index
            else:
                number = number_of(value)
            column.extend([None] * (index - len(column)))
            column.append(None if number is MISSING else number)
    if is_long and taken:
        iterations["cpuMs"] = taken
    for column in columns.values():
        column.extend([None] * (len(durations) - len(column)))


def number_of(value):
    if type(value) in (int, float):
        return value if value - value == 0 else None
    if value is None:
        return None
    if isinstance(value, bool):
        return int(value)
    try:
        number = float(value) if not isinstance(value, str) else MISSING
    except (TypeError, ValueError):
        return MISSING
    return number if number is MISSING or number - number == 0 else None


def calls_per_reading(body, batch, context: Context) -> int:
    """With `batch: auto`, so many calls that reading the clock adds a tenth of a percent."""
    if batch != "auto":
        return int(batch or 1)
    context.iteration, calls, enough = -1, 1, 0
    while enough < 3 and calls < 10_000_000:
        start = time.perf_counter_ns()
        for _ in range(calls):
            body()
        elapsed = max(1, time.perf_counter_ns() - start)
        enough = enough + 1 if elapsed >= 100_000 else 0
        if not enough:
            calls = int(calls * min(10, max(1.2, 100_000 / elapsed))) + 1
    return calls


def overhead(count: int = 2001):
    """What the clock adds to a duration, and what the loop takes for each iteration, of a body that gives one number."""
    context = Context({"run": {"params": {}, "seed": 0, "id": ""}}, "")
    iterations = {"durationMs": [], "metrics": {}}
    given = {"value": 1.0}
    loop(lambda: given, 200, context, {"durationMs": [], "metrics": {}})
    start = time.process_time_ns()
    loop(lambda: given, count, context, iterations)
    each = (time.process_time_ns() - start) / count
    return sorted(iterations["durationMs"])[count // 2] * 1e6, each


def keep_series(context: Context, iterations: dict, count: int) -> None:
    path = os.environ.get("ASSAY_SERIES")
    steps = context._steps
    if not steps and count > 1:
        columns = {"duration_ms": iterations["durationMs"], **iterations["metrics"]}
        if "cpuMs" in iterations:
            columns.setdefault("cpu_ms", iterations["cpuMs"])
        steps = [
            {"step": index, **{name: column[index] for name, column in columns.items() if column[index] is not None}}
            for index in range(len(iterations["durationMs"]))
        ]
    if path and steps:
        with open(path, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(step) + "\n" for step in steps)


class Instruments:
    """What looks into this process around all measured iterations: cProfile and tracemalloc."""

    def __init__(self, wanted: dict, out_dir: str, context: Context):
        self.profile = next((wanted[name] for name in ("cprofile", "cpu-profile") if name in wanted), None)
        self.memory = wanted.get("tracemalloc")
        self.out_dir, self.context, self.measured = out_dir, context, {}

    def __enter__(self):
        # Loaded first, so that no instrument sees another one being loaded.
        import cProfile
        import pstats  # noqa: F401
        import tracemalloc

        if self.memory is not None:
            tracemalloc.start(int(self.memory.get("frames", 1)))
        if self.profile is not None:
            self._profiler = cProfile.Profile()
            self.context.warn("cProfile was on: durations hold its own cost, many times that of short functions")
            self._profiler.enable()
        return self

    def __exit__(self, *error):
        if self.profile is not None:
            self._profiler.disable()
        if self.memory is not None:
            self._keep_memory(int(self.memory.get("top_n", 30)))
        if self.profile is not None:
            self._keep_profile(int(self.profile.get("top_n", 30)))
        return False

    def _keep_profile(self, most: int) -> None:
        import pstats

        self._profiler.dump_stats(os.path.join(self.out_dir, "cprofile.pstats"))
        stats = pstats.Stats(self._profiler).stats
        seen = self._seen(stats)
        rows = [
            {"function": name, "file": file, "line": line, "calls": calls, "self_s": own, "total_s": total}
            for (file, line, name), (_, calls, own, total, _) in seen.items()
        ]
        top = {key: sorted(rows, key=lambda row: -row[key])[:most] for key in ("total_s", "self_s", "calls")}
        with open(os.path.join(self.out_dir, "cprofile.top.json"), "w", encoding="utf-8") as file:
            json.dump({"by_total": top["total_s"], "by_self": top["self_s"], "by_calls": top["calls"]}, file, indent=2)
        self._keep_calls(seen)
        self.measured["profiled_s"] = sum(row["self_s"] for row in rows)

    def _seen(self, stats: dict) -> dict:
        """Without this file, and the clocks and lists that only it asks."""
        here = os.path.abspath(__file__)

        def is_own(file: str, callers: dict) -> bool:
            if os.path.abspath(file) == here:
                return True
            return file == "~" and all(os.path.abspath(caller[0]) == here for caller in callers)

        return {
            key: values
            for key, values in stats.items()
            if "_lsprof.Profiler" not in key[2] and not is_own(key[0], values[4])
        }

    def _keep_calls(self, seen: dict) -> None:
        """Who called whom and for how long, for a flame graph: what cprofile.pstats has, readable without Python."""
        number = {key: index for index, key in enumerate(seen)}
        functions = [
            {"function": name, "file": file, "line": line, "self_s": own, "total_s": total}
            for (file, line, name), (_, _, own, total, _) in seen.items()
        ]
        calls = [
            [number[caller], number[key], spent[3]]
            for key, values in seen.items()
            for caller, spent in values[4].items()
            if caller in number
        ]
        with open(os.path.join(self.out_dir, "cprofile.calls.json"), "w", encoding="utf-8") as file:
            json.dump({"functions": functions, "calls": calls}, file)

    def _keep_memory(self, most: int) -> None:
        import tracemalloc

        current, peak = tracemalloc.get_traced_memory()
        lines = tracemalloc.take_snapshot().statistics("lineno")
        tracemalloc.stop()
        here = os.path.abspath(__file__)
        rows = [
            {"file": line.traceback[0].filename, "line": line.traceback[0].lineno, "bytes": line.size, "blocks": line.count}
            for line in lines
            if os.path.abspath(line.traceback[0].filename) != here and not line.traceback[0].filename.endswith("tracemalloc.py")
        ]
        with open(os.path.join(self.out_dir, "tracemalloc.top.json"), "w", encoding="utf-8") as file:
            json.dump(rows[:most], file, indent=2)
        self.measured.update(allocated_peak_bytes=peak, allocated_left_bytes=current)


# What it ran on.


def environment(loop_ns) -> dict:
    from importlib import metadata

    packages = {}
    for item in metadata.distributions():
        name = item.metadata["Name"] if item.metadata else None
        # What lies beside this file takes others' places and is no package.
        if name and not str(getattr(item, "_path", "")).startswith(os.path.dirname(os.path.abspath(__file__))):
            packages.setdefault(name, item.version)
    found = {
        "version": platform.python_version(), "implementation": platform.python_implementation(), "executable": sys.executable,
        "virtual_env": sys.prefix if sys.prefix != sys.base_prefix else None,
        "packages": dict(sorted(packages.items(), key=lambda pair: pair[0].lower())),
        "overhead_ns_per_iteration": loop_ns, "gpus": gpus(),
    }
    return {key: value for key, value in found.items() if value is not None}


def gpus():
    import shutil
    import subprocess

    if not shutil.which("nvidia-smi"):
        return None
    query = ["nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    try:
        lines = subprocess.run(query, capture_output=True, text=True, timeout=10).stdout.splitlines()
    except (OSError, subprocess.SubprocessError):
        return None
    return [line.strip() for line in lines if line.strip()]


def words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def fail(result: dict, phase: str, error: BaseException) -> None:
    if not isinstance(error, Mistake):
        traceback.print_exc()
    reason = f"{phase}: {words(error)}" if phase else words(error)
    result["outcome"] = {"status": "failed", "owner": "agent", "reason": reason}


def imported_files(folder: str) -> list:
    """The project's own modules that the file has loaded."""
    paths = {os.path.abspath(getattr(module, "__file__", None) or "") for module in list(sys.modules.values())}
    return sorted(path for path in paths if path.startswith(folder + os.sep) and path.endswith(".py"))


def main(words_given: list) -> int:
    action, *rest = words_given
    if action == "describe":
        path = os.path.abspath(rest[0])
        try:
            benchmark = Benchmark(find(load(path), rest[1] if len(rest) > 1 else None))
        except Mistake as mistake:
            print(json.dumps({"problem": str(mistake)}))
            return 0
        doc = inspect.getdoc(benchmark.found) or ""
        print("\n" + json.dumps({
            "name": benchmark.name, "description": doc.split("\n")[0] if doc else "", "params": parameters(benchmark),
            "files": imported_files(os.path.dirname(path)), "python": platform.python_version(),
        }, default=str))
        return 0
    out_dir = rest[0]
    folder = os.path.dirname(out_dir)
    result = measure(os.path.join(folder, "job.json"), out_dir)
    with open(os.path.join(folder, rest[1]), "w", encoding="utf-8") as file:
        json.dump(result, file)
    return 0 if result["outcome"]["status"] == "ok" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
