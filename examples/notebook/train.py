"""Gradient descent on noisy data: each run has a learning rate, perhaps a warm-up, and a seed of its own."""

import random

import assay

rate = assay.param("rate", 0.1)
warmup = assay.param("warmup", 0)
draw = random.Random(assay.seed())

loss = 1.0
for step in range(1, 41):
    scale = min(1.0, step / warmup) if warmup else 1.0
    loss *= 1 - rate * scale * draw.uniform(0.2, 1.8)
    # Noise that a warm-up keeps small.
    loss += 0.002 * scale * draw.random()
    assay.series(step=step, loss=loss)
assay.metrics(loss=loss)
