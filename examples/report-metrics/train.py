"""Gradient descent on x², reported from Python: series step by step, then metrics.json."""
import json, os, random, sys

rate, steps = float(sys.argv[1]), int(sys.argv[2])
x = random.Random(int(os.environ["ASSAY_SEED"])).uniform(1, 2)
with open(os.environ["ASSAY_SERIES"], "a") as series:
    for step in range(steps):
        x -= rate * 2 * x
        print(json.dumps({"step": step, "loss": x * x}), file=series)
with open(os.path.join(os.environ["ASSAY_OUT_DIR"], "metrics.json"), "w") as out:
    json.dump({"final_loss": x * x, "converged": x * x < 1e-3}, out)
