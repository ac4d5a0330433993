"""Fits a line by gradient descent. Resumes at its epoch after a kill, and leaves in good order when asked to."""

import json
import os
import random
import signal
import sys

import assay

EPOCHS = assay.param("epochs", 20)
RATE = assay.param("rate", 0.1)
CHECKPOINT = os.path.join(assay.state_dir(), "checkpoint.json")
is_asked_to_end = False


def ask_to_end(*_):
    global is_asked_to_end
    is_asked_to_end = True


def save(state):
    # Beside and renamed: a kill in the middle leaves the checkpoint before.
    with open(CHECKPOINT + ".part", "w") as file:
        json.dump(state, file)
    os.replace(CHECKPOINT + ".part", CHECKPOINT)


signal.signal(signal.SIGTERM, ask_to_end)
random.seed(assay.seed())
points = [(x, 3 * x + random.gauss(0, 0.1)) for x in (random.random() for _ in range(100))]
state = {"epoch": 0, "slope": 0.0}
if os.path.exists(CHECKPOINT):
    with open(CHECKPOINT) as file:
        state = json.load(file)
    print("resuming after epoch", state["epoch"])
loss = 0.0
while state["epoch"] < EPOCHS:
    slope = state["slope"]
    loss = sum((slope * x - y) ** 2 for x, y in points) / len(points)
    slope -= RATE * sum(2 * x * (slope * x - y) for x, y in points) / len(points)
    state = {"epoch": state["epoch"] + 1, "slope": slope}
    save(state)
    assay.series(step=state["epoch"], loss=loss)
    if is_asked_to_end:
        sys.exit(75)  # preempted: the checkpoint is there, and no retry is used up
assay.metrics(loss=loss, slope=state["slope"])
