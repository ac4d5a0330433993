"""Asks your service a few times and writes what it took. Here the service is played by a number that SLOWER adds to."""
import json
import os
import random

endpoint = json.loads(os.environ["ASSAY_PARAMS"])["endpoint"]
noise = random.Random(f"{endpoint} {os.environ['ASSAY_SEED']} {os.environ['ASSAY_RUN_ID']} {os.urandom(4)}")
slower = float(os.environ.get("SLOWER", "0")) if endpoint == "answer" else 0
latencies = [noise.gauss(120 + slower, 2) for _ in range(20)]

with open(os.path.join(os.environ["ASSAY_OUT_DIR"], "metrics.json"), "w") as file:
    json.dump({"latency_ms": sum(latencies) / len(latencies), "cost_usd": 0.002 * len(latencies)}, file)
