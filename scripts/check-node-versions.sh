#!/usr/bin/env bash
# Runs a small study on other versions of Node, which npm's `node` package brings. Needs the network and `dist/`.
set -euo pipefail
cd "$(dirname "$0")/.."
versions=("$@")
[ "${#versions[@]}" -gt 0 ] || versions=(22 24)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/program.yaml" <<'STUDY'
study: program
target: {command: [sh, -c, 'printf "value\n%s\n" "$1" >"$ASSAY_OUT_DIR/summary.csv"', sh, "${size}"]}
matrix: {size: [1, 2, 3]}
STUDY

for version in "${versions[@]}"; do
  npm install --silent --no-audit --no-fund --prefix "$scratch/$version" "node@$version"
  node="$scratch/$version/node_modules/node/bin/node"
  out="$scratch/$version/out"
  echo "Node $("$node" --version)"
  for study in "$scratch/program.yaml" examples/your-own-target/study.yaml examples/quickstart/study.yaml; do
    "$node" bin/assay.js run "$study" --out-root "$out" --quiet
  done
  "$node" bin/assay.js query program "SELECT sum(value) AS should_be_6 FROM runs" --out-root "$out" --csv
done
