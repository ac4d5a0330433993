#!/usr/bin/env bash
# What `npm run test:agents` runs: real coding agents from the npm registry, against a stand-in for their paid models.
# They take some 700 MB, and stay in a cache folder: $ASSAY_AGENTS_DIR, else ~/.cache/assay-agents.
set -eu
cd "$(dirname "$0")/.."
export ASSAY_AGENTS_DIR="${ASSAY_AGENTS_DIR:-$HOME/.cache/assay-agents}"
mkdir -p "$ASSAY_AGENTS_DIR"
[ -f "$ASSAY_AGENTS_DIR/package.json" ] || echo '{"private": true}' >"$ASSAY_AGENTS_DIR/package.json"
# Their install scripts only look for binaries that the packages have anyway.
npm install --prefix "$ASSAY_AGENTS_DIR" --ignore-scripts --no-audit --no-fund --silent \
  @openai/codex@0.166.0 @anthropic-ai/claude-code@2.1.197 ||
  echo "the agents could not be installed; their tests are skipped"
node_modules/.bin/vitest run --project agents
