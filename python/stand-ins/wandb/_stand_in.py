"""Submodules and classes of W&B's library that are not here: they can be imported, and say so when they are used."""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys
import types

from ._say import Nothing, unsupported


def stand_in_class(name: str) -> type:
    """Can be made, subclassed and asked for with isinstance."""

    def begin(self, *args, **kwargs):
        unsupported(name)

    def look_up(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return Nothing(f"{name}.{attribute}")

    return type(name.split(".")[-1], (), {"__init__": begin, "__getattr__": look_up, "__module__": "wandb"})


class _Module(types.ModuleType):
    __path__: list = []

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        import wandb

        if name == "generate_id":
            return wandb.generate_id
        if not name.startswith("_") and name in vars(wandb) and not isinstance(vars(wandb)[name], types.ModuleType):
            return vars(wandb)[name]
        whole = f"{self.__name__}.{name}"
        found = stand_in_class(whole) if name[0].isupper() else unsupported(whole)
        setattr(self, name, found)
        return found


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        here = os.path.dirname(__file__)
        is_ours = os.path.exists(os.path.join(here, f"{name.split('.')[-1]}.py"))
        if name.startswith("wandb.") and not is_ours:
            return importlib.util.spec_from_loader(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module):
        pass


def install() -> None:
    sys.meta_path.insert(0, _Finder())
    # Programs reach these through `wandb`, without importing them.
    import wandb.errors
    import wandb.sdk
    import wandb.util
