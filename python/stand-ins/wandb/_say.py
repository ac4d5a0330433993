"""What the module says on stderr, and what stands for everything that it does not have."""

from __future__ import annotations

import sys

_said: set[str] = set()


def say(text: str) -> None:
    print(f"wandb: {text}", file=sys.stderr, flush=True)


def warn(text: str) -> None:
    say(f"WARNING {text}")


def say_once(text: str) -> None:
    if text not in _said:
        _said.add(text)
        warn(text)


def unsupported(name: str) -> Nothing:
    """Says once that there is no such thing here, and gives an object that takes whatever is done with it."""
    say_once(f"{name} is not supported under Assay and does nothing")
    return Nothing(name)


class Nothing:
    """Accepts calls, attributes, loops and `with`, and is left out of everything that is recorded."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def __getattr__(self, name: str) -> Nothing:
        # What copies, pickles or inspects objects asks for these, and takes an answer at its word.
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Nothing(f"{self._name}.{name}")

    def __setattr__(self, name, value):
        pass

    def __call__(self, *args, **kwargs) -> Nothing:
        # A decorator leaves its function as it is.
        if len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], (type, Nothing)):
            return args[0]
        return self

    def __getitem__(self, key):
        return self

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __bool__(self):
        return False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __repr__(self):
        return f"<{self._name}: not supported under Assay>"
