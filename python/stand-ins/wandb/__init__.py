"""
Stands in for W&B's library in programs that Assay runs. It has the functions and names that programs use, records into
the run's folder, sends nothing anywhere, and needs no package. ASSAY_WANDB=real makes way for the installed library.
"""

from __future__ import annotations

import atexit
import enum
import json
import os
import sys

from . import _sweep
from ._artifact import Artifact
from ._config import Config, ConfigError, as_mapping
from ._media import Audio, Histogram, Html, Image, Media, Molecule, Object3D, Plotly, Table, Video
from ._plain import read_config_file
from ._run import CommError, Error, Run, Settings, UsageError, generate_id
from ._say import say, say_once, unsupported, warn
from ._stand_in import install, stand_in_class
from ._sweep import agent, sweep

__version__ = "0.31.0"


class AlertLevel(enum.Enum):
    INFO = "INFO"
    WARN = "WARN"
    ERROR = "ERROR"


class _BeforeInit:
    def __init__(self, name):
        self.__dict__["_name"] = name

    def _refuse(self, key, *_):
        raise Error(f"You must call wandb.init() before {self._name}.{key}")

    __getitem__ = __setitem__ = __setattr__ = _refuse

    def __getattr__(self, key):
        if key.startswith("__"):
            raise AttributeError(key)
        self._refuse(key)


run: Run | None = None
config = _BeforeInit("wandb.config")
summary = _BeforeInit("wandb.summary")
patched = {"tensorboard": [], "keras": [], "gym": []}
_unfinished: list[Run] = []


def init(entity=None, project=None, dir=None, id=None, name=None, notes=None, tags=None, config=None,
         config_exclude_keys=None, config_include_keys=None, allow_val_change=None, group=None, job_type=None,
         mode=None, reinit=None, resume=None, settings=None, **others) -> Run:
    """Starts a run. What the study sets goes before what the program's own `config` says."""
    if run is not None:
        if reinit in (None, False, "default", "return_previous"):
            return run
        if reinit != "create_new":
            run.finish()
    mode = mode or os.environ.get("WANDB_MODE")
    if mode in ("online", "shared"):
        say_once("the run is recorded by Assay and not sent to W&B; ASSAY_WANDB=real uses the installed library")
    if resume in ("must", True) or others.get("resume_from") or others.get("fork_from"):
        say_once("resuming a run is not supported under Assay: this one starts afresh")
    for option in ("sync_tensorboard", "tensorboard", "monitor_gym"):
        if others.get(option):
            unsupported(f"wandb.init({option}=...)")
    own = as_mapping(config)
    if config_include_keys:
        own = {key: value for key, value in own.items() if key in config_include_keys}
    own = {key: value for key, value in own.items() if key not in (config_exclude_keys or ())}
    made = Run(
        dict(entity=entity, project=project, id=id, name=name, notes=notes, tags=tags, group=group, job_type=job_type,
             mode=mode, settings=settings),
        own,
        _sweep.chosen or _given(),
    )
    _unfinished.append(made)
    _enter(made)
    return made


def _given() -> dict:
    """The parameters of this run: a sweep's, or those of any other study."""
    path = os.environ.get("WANDB_SWEEP_PARAM_PATH")
    if path and os.path.exists(path):
        return read_config_file(path)
    return json.loads(os.environ.get("ASSAY_PARAMS") or "{}")


def _enter(made: Run) -> None:
    module = sys.modules[__name__]
    module.run, module.config, module.summary = made, made.config, made.summary


def _leave(over: Run) -> None:
    module = sys.modules[__name__]
    if over in _unfinished:
        _unfinished.remove(over)
    if module.run is over:
        module.run = None
        module.config, module.summary = _BeforeInit("wandb.config"), _BeforeInit("wandb.summary")


@atexit.register
def _finish_all() -> None:
    for left in list(_unfinished):
        left.finish()


def _of_run(name: str):
    def call(*args, **kwargs):
        if run is None:
            raise Error(f"You must call wandb.init() before wandb.{name}()")
        return getattr(run, name)(*args, **kwargs)

    call.__name__ = name
    call.__doc__ = getattr(Run, name).__doc__
    return call


log = _of_run("log")
save = _of_run("save")
watch = _of_run("watch")
unwatch = _of_run("unwatch")
alert = _of_run("alert")
define_metric = _of_run("define_metric")
log_artifact = _of_run("log_artifact")
use_artifact = _of_run("use_artifact")
log_model = _of_run("log_model")
mark_preempting = _of_run("mark_preempting")


def finish(exit_code=None, quiet=None) -> None:
    if run is not None:
        run.finish(exit_code)


join = finish


def login(*args, **kwargs) -> bool:
    return True


def setup(*args, **kwargs) -> None:
    pass


def teardown(*args, **kwargs) -> None:
    _finish_all()


def require(*args, **kwargs) -> None:
    pass


def termlog(string="", **_) -> None:
    say(string)


def termwarn(string, **_) -> None:
    warn(string)


def termerror(string, **_) -> None:
    say(f"ERROR {string}")


def __getattr__(name: str):
    if name.startswith("_"):
        raise AttributeError(f"module 'wandb' has no attribute {name!r}")
    return stand_in_class(f"wandb.{name}") if name[0].isupper() else unsupported(f"wandb.{name}")


install()
