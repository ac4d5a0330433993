"""Tables, pictures and the like: each is kept as a file below the run's `media/` folder."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import struct
import zlib

from ._plain import as_list, plain
from ._say import Nothing, say_once


class Media:
    """Something that a row of the history refers to by the path of its file."""

    kind = "file"
    ending = ".bin"

    def keep(self, run_dir: str, key: str, step: int) -> dict:
        """Writes its file and gives what the history holds of it."""
        folder = os.path.join(run_dir, "media", self.folder())
        os.makedirs(folder, exist_ok=True)
        loose = os.path.join(folder, f".{os.getpid()}-{id(self)}")
        self.write(loose)
        with open(loose, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        safe = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in key)
        name = f"{safe}_{step}_{digest[:20]}{self.ending}"
        os.replace(loose, os.path.join(folder, name))
        path = f"media/{self.folder()}/{name}"
        size = os.path.getsize(os.path.join(run_dir, path))
        return {"_type": self.kind, "path": path, "sha256": digest, "size": size, **self.facts()}

    def folder(self) -> str:
        return self.kind.split("-")[0]

    def facts(self) -> dict:
        return {}

    def write(self, path: str) -> None:
        raise NotImplementedError


class Histogram:
    """Counts in bins; the history holds all of it."""

    MAX_LENGTH = 512

    def __init__(self, sequence=None, np_histogram=None, num_bins=64):
        if np_histogram:
            if len(np_histogram) != 2:
                raise ValueError("Expected np_histogram to be a tuple of (values, bin_edges) or sequence to be specified")
            self.histogram, self.bins = (plain(part) for part in np_histogram)
        else:
            self.histogram, self.bins = _counts(sequence, num_bins)
        if len(self.histogram) > self.MAX_LENGTH:
            raise ValueError(f"The maximum length of a histogram is {self.MAX_LENGTH}")
        if len(self.histogram) + 1 != len(self.bins):
            raise ValueError("len(bins) must be len(histogram) + 1")

    def keep(self, run_dir: str, key: str, step: int) -> dict:
        return {"_type": "histogram", "values": self.histogram, "bins": self.bins}


def _counts(sequence, bins: int):
    numbers = [float(number) for number in _leaves(plain(sequence)) if math.isfinite(number)]
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges = [low + (high - low) * i / bins for i in range(bins + 1)]
    counts = [0] * bins
    for number in numbers:
        counts[min(bins - 1, int((number - low) / (high - low) * bins))] += 1
    return counts, edges


def _leaves(value):
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif value is not None:
        yield value


class Table(Media):
    kind = "table-file"
    ending = ".table.json"
    MAX_ROWS = 10_000

    def __init__(self, columns=None, data=None, rows=None, dataframe=None, dtype=None, optional=True,
                 allow_mixed_types=False, log_mode="IMMUTABLE"):
        if dataframe is None and hasattr(data, "columns") and hasattr(data, "itertuples"):
            dataframe = data
        if dataframe is not None:
            self.columns = [str(column) for column in dataframe.columns]
            self.data = [list(row) for row in dataframe.itertuples(index=False, name=None)]
            return
        self.columns = list(columns) if columns is not None else ["Input", "Output", "Expected"]
        self.data = []
        for row in as_list(data if data is not None else rows or []):
            self.add_data(*row)

    def add_data(self, *row):
        if len(row) != len(self.columns):
            raise ValueError(f"This table expects {len(self.columns)} columns: {self.columns}, found {len(row)}")
        self.data.append(list(row))

    def add_row(self, *row):
        self.add_data(*(row[0] if len(row) == 1 and isinstance(row[0], (list, tuple)) else row))

    def add_column(self, name, data, optional=False):
        values = list(data)
        if not self.data and not self.columns:
            self.data = [[] for _ in values]
        if len(values) != len(self.data):
            raise ValueError(f"Expected length {len(self.data)}, found {len(values)}")
        self.columns.append(name)
        for row, value in zip(self.data, values):
            row.append(value)

    def get_column(self, name, convert_to=None):
        index = self.columns.index(name)
        column = [row[index] for row in self.data]
        if convert_to == "numpy":
            import numpy

            return numpy.array(column)
        return column

    def get_index(self):
        return list(range(len(self.data)))

    def iterrows(self):
        return iter(enumerate(self.data))

    def get_dataframe(self):
        import pandas

        return pandas.DataFrame(self.data, columns=self.columns)

    def __len__(self):
        return len(self.data)

    def facts(self):
        return {"ncols": len(self.columns), "nrows": len(self.data), "log_mode": "IMMUTABLE"}

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"columns": plain(self.columns), "data": [[_cell(cell) for cell in row] for row in self.data]}, file)


def _cell(value):
    return repr(value) if isinstance(value, Media) else plain(value)


class Html(Media):
    kind = "html-file"
    ending = ".html"

    def __init__(self, data, inject=True, data_is_not_path=False):
        if not data_is_not_path and isinstance(data, (str, os.PathLike)) and str(data).endswith(".html") and os.path.exists(data):
            with open(data, encoding="utf-8") as file:
                data = file.read()
        self.html = data.read() if hasattr(data, "read") else str(data)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)


class Image(Media):
    kind = "image-file"
    ending = ".png"

    def __init__(self, data_or_path, mode=None, caption=None, grouping=None, classes=None, boxes=None, masks=None,
                 file_type=None, normalize=True):
        self._data = data_or_path._data if isinstance(data_or_path, Image) else data_or_path
        self._caption = caption
        if isinstance(self._data, (str, os.PathLike)):
            self.ending = os.path.splitext(self._data)[1] or ".png"
        if boxes or masks:
            say_once("boxes and masks of wandb.Image are not supported under Assay and left out")

    def folder(self):
        return "images"

    def facts(self):
        return {} if self._caption is None else {"caption": self._caption}

    def write(self, path):
        data = self._data
        if isinstance(data, (str, os.PathLike)):
            shutil.copyfile(data, path)
        elif hasattr(data, "savefig"):
            data.savefig(path, format="png")
        elif hasattr(data, "save") and hasattr(data, "size"):
            data.save(path, format="PNG")
        else:
            with open(path, "wb") as file:
                file.write(_png(plain_pixels(data)))


def plain_pixels(data):
    """Rows of pixels of red, green and blue, from 0 to 255: of an array, a tensor or lists, grey or in colour."""
    rows = data
    for step in ("detach", "cpu"):
        rows = getattr(rows, step)() if hasattr(rows, step) else rows
    rows = rows.tolist() if hasattr(rows, "tolist") else rows
    if not rows or not isinstance(rows[0], (list, tuple)) or not rows[0]:
        raise ValueError("wandb.Image expects rows of pixels")
    # PyTorch has the channels first.
    if isinstance(rows[0][0], (list, tuple)) and len(rows) in (1, 3, 4) and len(rows[0][0]) not in (1, 3, 4):
        rows = [[[plane[y][x] for plane in rows] for x in range(len(rows[0][0]))] for y in range(len(rows[0]))]
    numbers = list(_leaves([list(row) for row in rows]))
    is_fraction = any(isinstance(number, float) for number in numbers) and max(numbers) <= 1
    level = lambda number: max(0, min(255, int(number * 255 if is_fraction else number)))  # noqa: E731
    def pixel(value):
        if not isinstance(value, (list, tuple)):
            return [level(value)] * 3
        return [level(number) for number in (value[:3] if len(value) >= 3 else [value[0]] * 3)]
    return [[pixel(value) for value in row] for row in rows]


def _png(rows) -> bytes:
    raw = b"".join(b"\0" + bytes(number for pixel in row for number in pixel) for row in rows)
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


class File(Media):
    """A film, a sound or a shape that the program has in a file already."""

    def __init__(self, data_or_path, *args, caption=None, **kwargs):
        self._data = data_or_path
        self._caption = caption
        if isinstance(data_or_path, (str, os.PathLike)):
            self.ending = os.path.splitext(data_or_path)[1]
        else:
            self.ending = ".json"
            say_once(f"wandb.{type(self).__name__} keeps files, not data, under Assay: its numbers are kept as JSON")

    def facts(self):
        return {} if self._caption is None else {"caption": self._caption}

    def write(self, path):
        if isinstance(self._data, (str, os.PathLike)):
            shutil.copyfile(self._data, path)
        else:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(plain(self._data), file)


class Video(File):
    kind = "video-file"


class Audio(File):
    kind = "audio-file"


class Object3D(File):
    kind = "object3D-file"


class Molecule(File):
    kind = "molecule-file"


class Plotly(Media):
    kind = "plotly-file"
    ending = ".plotly.json"

    def __init__(self, figure):
        self._figure = figure

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._figure.to_json())


def as_media(value):
    """Figures of matplotlib and plotly become pictures; any other value stays as it is."""
    if value is None or isinstance(value, (Media, Histogram, Nothing, int, float, str, dict, list, tuple)):
        return value
    if type(value).__module__.startswith("plotly.") and hasattr(value, "to_json"):
        return Plotly(value)
    if hasattr(value, "savefig"):
        return Image(value)
    return value
