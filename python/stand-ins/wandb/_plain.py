"""Values of programs as plain data that JSON can hold."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
from collections.abc import Mapping

MOST_LISTED = 32


def plain(value):
    """Numbers of numpy, PyTorch and their like, dataclasses, enums, dates: as W&B's library would record them."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value.name if isinstance(value, enum.Enum) else value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, slice):
        return {"slice_start": value.start, "slice_step": value.step, "slice_stop": value.stop}
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset, range)):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain(dataclasses.asdict(value))
    array = as_list(value)
    if array is not value:
        return array
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return str(value)


def as_list(value):
    """What an array or a tensor holds, one number where it holds one; any other value as it is."""
    for step in ("detach", "cpu"):
        if hasattr(value, step) and callable(getattr(value, step)):
            value = getattr(value, step)()
    if not hasattr(value, "tolist"):
        return value
    found = value.tolist()
    while isinstance(found, list) and len(found) == 1:
        found = found[0]
    return found


def flat(values, above=""):
    """Nested dictionaries as pairs with dotted names."""
    for key, value in values.items():
        name = f"{above}{key}"
        if isinstance(value, dict) and "_type" not in value:
            yield from flat(value, f"{name}.")
        else:
            yield name, value


def read_config_file(path: str) -> dict:
    """A configuration in JSON or YAML, with or without W&B's `value:` around each entry."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        found = json.loads(text)
    except ValueError:
        try:
            import yaml
        except ImportError:
            found = _block_yaml(text, path)
        else:
            found = yaml.safe_load(text) or {}
    found = {key: item for key, item in found.items() if key not in ("wandb_version", "_wandb")}
    is_wrapped = all(isinstance(item, dict) and "value" in item for item in found.values())
    return {key: item["value"] for key, item in found.items()} if is_wrapped else found


def _block_yaml(text: str, path: str) -> dict:
    """Mappings by indentation with scalars and lists on one line: what configuration files mostly are."""
    root: dict = {}
    levels = [(-1, root)]
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.split(" #")[0].rstrip()
        if not bare.strip() or bare.lstrip().startswith("#") or bare == "---":
            continue
        indent = len(bare) - len(bare.lstrip())
        key, colon, rest = bare.strip().partition(":")
        if not colon or key.startswith("- "):
            raise ValueError(f"{path}:{number}: reading this YAML takes PyYAML: pip install pyyaml")
        while levels[-1][0] >= indent:
            levels.pop()
        if rest.strip():
            levels[-1][1][key.strip("\"'")] = _scalar(rest.strip())
        else:
            below: dict = {}
            levels[-1][1][key.strip("\"'")] = below
            levels.append((indent, below))
    return root


def _scalar(text: str):
    if text.startswith("[") and text.endswith("]"):
        return [_scalar(item.strip()) for item in text[1:-1].split(",") if item.strip()]
    words = {"true": True, "false": False, "null": None, "~": None}
    if text.lower() in words:
        return words[text.lower()]
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return text.strip("\"'")
