"""`wandb.config`."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ._plain import plain, read_config_file
from ._say import warn


class ConfigError(Exception):
    pass


class Config:
    """The run's parameters. Those that the sweep sets can't be changed by the program."""

    def __init__(self):
        object.__setattr__(self, "_items", {})
        object.__setattr__(self, "_locked", set())
        object.__setattr__(self, "_changed", lambda: None)
        if os.path.exists("config-defaults.yaml"):
            self.update(read_config_file("config-defaults.yaml"))

    def keys(self):
        return [key for key in self._items if not key.startswith("_")]

    def values(self):
        return [self._items[key] for key in self.keys()]

    def items(self):
        return [(key, self._items[key]) for key in self.keys()]

    def as_dict(self):
        return dict(self._items)

    def get(self, *args):
        return self._items.get(*args)

    def update(self, params, allow_val_change=None):
        for key, value in as_mapping(params).items():
            self._set(key, value, allow_val_change)
        self._changed()

    def setdefaults(self, params):
        self.update({key: value for key, value in as_mapping(params).items() if key not in self._items})

    def setdefault(self, key, default=None):
        if key not in self._items:
            self[key] = default
        return self._items[key]

    def update_locked(self, params, user=None, _allow_val_change=None):
        self._lock(params)

    def persist(self):
        self._changed()

    def _lock(self, params):
        """What the sweep says goes before what the program says, nested dictionaries entry by entry."""
        for key, value in plain(params).items():
            mine = self._items.get(key)
            self._items[key] = _merged(mine, value) if isinstance(mine, dict) and isinstance(value, dict) else value
            self._locked.add(key)
        self._changed()

    def _set(self, key, value, allow_val_change=None):
        key = str(key).strip("-")
        value = plain(value)
        if key in self._locked:
            if value != self._items[key]:
                warn(f"Config item '{key}' was locked by 'sweep' (ignored update).")
            return
        if not allow_val_change and key in self._items and self._items[key] != value:
            raise ConfigError(
                f'Attempted to change value of key "{key}" from {self._items[key]} to {value}\n'
                "If you really want to do this, pass allow_val_change=True to config.update()"
            )
        self._items[key] = value

    def __getitem__(self, key):
        return self._items[key]

    def __setitem__(self, key, value):
        self._set(key, value)
        self._changed()

    __setattr__ = __setitem__

    def __getattr__(self, key):
        try:
            return self._items[key]
        except KeyError as error:
            raise AttributeError(f"{self.__class__!r} object has no attribute {key!r}") from error

    def __contains__(self, key):
        return key in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __repr__(self):
        return str(dict(self))


def as_mapping(params) -> dict:
    """Dictionaries, the namespaces of argparse, flags of absl, dataclasses' instances, or the path of a file."""
    if params is None:
        return {}
    if isinstance(params, str):
        return read_config_file(params)
    if isinstance(params, (Mapping, Config)):
        return dict(params)
    if hasattr(params, "flag_values_dict"):
        return params.flag_values_dict()
    if hasattr(params, "items"):
        return dict(params.items())
    if not hasattr(params, "__dict__"):
        raise TypeError("config must be a dict or have a __dict__ attribute.")
    return vars(params)


def _merged(mine: dict, theirs: dict) -> dict:
    result = dict(mine)
    for key, value in theirs.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = _merged(result[key], value) if both else value
    return result
