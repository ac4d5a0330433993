"""Prints what W&B's own library recorded offline: configuration, history and summary, as JSON."""
import glob
import json
import os
import struct
import sys

from wandb.proto import wandb_internal_pb2

BLOCK = 32768


def records(path):
    with open(path, "rb") as file:
        data = file.read()
    at, whole = 7, b""
    while at + 7 <= len(data):
        left = BLOCK - at % BLOCK
        if left < 7:
            at += left
            continue
        _, length, kind = struct.unpack("<IHB", data[at : at + 7])
        whole += data[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (1, 4):
            record = wandb_internal_pb2.Record()
            record.ParseFromString(whole)
            whole = b""
            yield record


def put(values, item):
    path = list(item.nested_key) or [item.key]
    for key in path[:-1]:
        values = values.setdefault(key, {})
    values[path[-1]] = json.loads(item.value_json)


config, history, summary = {}, [], {}
for record in records(max(glob.glob(sys.argv[1] + "/wandb/offline-run-*/*.wandb"), key=os.path.getmtime)):
    kind = record.WhichOneof("record_type")
    if kind in ("run", "config"):
        for item in (record.run.config if kind == "run" else record.config).update:
            put(config, item)
    elif kind == "history":
        row = {}
        for item in record.history.item:
            put(row, item)
        history.append(row)
    elif kind == "summary":
        for item in record.summary.update:
            put(summary, item)
config.pop("_wandb", None)
print(json.dumps({"config": config, "history": history, "summary": summary}))
