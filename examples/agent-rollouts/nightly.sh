#!/bin/sh
# Runs the benchmark once more, tells what came out, and exits 1 when an agent is surely worse than in the baseline,
# lacks results or fails more often.
# 0 2 * * * /path/to/agent-rollouts/nightly.sh >> /path/to/nightly.log 2>&1
set -eu
cd "$(dirname "$0")"
name=agent-rollouts

assay run rollouts.toml --fresh || [ $? -eq 1 ] # rollouts that failed are data
new=$(cd "data/rollouts/$name" && ls -d 2* | tail -n 1)
assay summarize "$name" --rollout "$new"

# The first night is what later ones are measured against, until somebody names another one in this file.
[ -f baseline ] || echo "$new" > baseline
base=$(cat baseline)
[ "$base" = "$new" ] || assay compare "$name/$base" "$name/$new" --per agent --metric score \
  --fail-on regression,missing,failures
