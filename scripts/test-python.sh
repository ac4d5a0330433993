#!/usr/bin/env bash
# What `npm run test:python` runs: our Python files beside the real packages of PyPI that they stand in for or write for.
# The packages stay in a cache folder: $ASSAY_PYTHON_DIR, else ~/.cache/assay-python.
set -eu
cd "$(dirname "$0")/.."
export ASSAY_PYTHON_DIR="${ASSAY_PYTHON_DIR:-$HOME/.cache/assay-python}"
[ -x "$ASSAY_PYTHON_DIR/bin/python" ] || python3 -m venv "$ASSAY_PYTHON_DIR" ||
  echo "python3 has no venv; the tests that need packages are skipped"
# One by one, so that a package that can't be had skips its own tests only.
for package in pandas polars duckdb pyarrow matplotlib wandb==0.31.0 mlflow pytest pytest-benchmark mini-swe-agent mcp asv virtualenv openai anthropic google-genai prometheus-client; do
  "$ASSAY_PYTHON_DIR/bin/python" -m pip install --quiet --disable-pip-version-check "$package" ||
    echo "$package could not be installed; its tests are skipped"
done
node_modules/.bin/vitest run --project python
