"""Artifacts: named folders of files, kept below the run's `artifacts/`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile

from ._media import Histogram, Media
from ._plain import plain
from ._say import say_once


class Artifact:
    def __init__(self, name, type, description=None, metadata=None, incremental=False, use_as=None, **options):
        self.name = name
        self.type = type
        self.description = description
        self.metadata = dict(metadata or {})
        self.aliases = []
        self._root = None
        self._entries = {}

    def add_file(self, local_path, name=None, is_tmp=False, **options):
        self._entries[str(name or os.path.basename(local_path))] = os.path.abspath(local_path)
        return self

    def add_dir(self, local_path, name=None, **options):
        for folder, _, files in os.walk(local_path):
            for file in files:
                path = os.path.join(folder, file)
                inside = os.path.relpath(path, local_path)
                self.add_file(path, os.path.join(name, inside) if name else inside)

    @contextlib.contextmanager
    def new_file(self, name, mode="w", encoding=None):
        path = os.path.join(tempfile.mkdtemp(prefix="wandb-artifact-"), os.path.basename(name))
        with open(path, mode, encoding=encoding) as file:
            yield file
        self.add_file(path, name)

    def add(self, obj, name, **options):
        if isinstance(obj, (Media, Histogram)):
            folder = tempfile.mkdtemp(prefix="wandb-artifact-")
            kept = obj.keep(folder, name, 0)
            if "path" in kept:
                return self.add_file(os.path.join(folder, kept["path"]), f"{name}{getattr(obj, 'ending', '')}")
        path = os.path.join(tempfile.mkdtemp(prefix="wandb-artifact-"), "value.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plain(getattr(obj, "__dict__", obj)), file)
        return self.add_file(path, f"{name}.json")

    def add_reference(self, uri, name=None, **options):
        say_once("wandb.Artifact.add_reference: the address is noted, what it points to is not fetched")
        self.metadata.setdefault("references", {})[str(name or uri)] = str(uri)

    def save(self, *args, **kwargs):
        import wandb

        (wandb.run or wandb.init()).log_artifact(self)

    def wait(self, timeout=None):
        return self

    def finalize(self):
        pass

    @property
    def version(self):
        return "v0"

    @property
    def digest(self):
        hashes = []
        for name, path in sorted(self._entries.items()):
            with open(path, "rb") as file:
                hashes.append(f"{name}:{hashlib.md5(file.read()).hexdigest()}")
        return hashlib.md5("\n".join(hashes).encode()).hexdigest()

    def keep(self, run_dir: str, aliases=None) -> str:
        self.aliases = list(aliases or ["latest"])
        self._root = os.path.join(run_dir, "artifacts", str(self.name).replace("/", "_"))
        for name, path in self._entries.items():
            target = os.path.join(self._root, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(path, target)
        os.makedirs(self._root, exist_ok=True)
        about = {"name": self.name, "type": self.type, "description": self.description, "metadata": plain(self.metadata),
                 "aliases": self.aliases, "files": sorted(self._entries)}
        with open(f"{self._root}.json", "w", encoding="utf-8") as file:
            json.dump(about, file, indent=2)
        return self._root

    def download(self, root=None, *args, **kwargs):
        source = self._root or tempfile.mkdtemp(prefix="wandb-artifact-")
        if root is None:
            return source
        shutil.copytree(source, root, dirs_exist_ok=True)
        return str(root)

    checkout = download

    def file(self, root=None):
        folder = self.download(root)
        return os.path.join(folder, next(iter(self._entries), ""))

    def get_path(self, name):
        return _Entry(os.path.join(self._root or "", name))

    get_entry = get_path


class _Entry:
    def __init__(self, path):
        self._path = path

    def download(self, root=None):
        return self._path
