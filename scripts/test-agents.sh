#!/usr/bin/env bash
# What `npm run test:agents` runs: real coding agents from the npm registry, against a stand-in for their paid models.
# `npm run test:agents -- codex claude` takes these alone; --quick before the names tries one fault instead of nine.
# --install before the names only installs them.
# All of them take some 2 GB, and stay where `assay agents install` puts them: $ASSAY_AGENTS_DIR, else
# ~/.cache/assay-agents. An agent that can't be installed is skipped with the reason.
set -eu
cd "$(dirname "$0")/.."
patience=600
only_install=""
case "${1:-}" in
--quick)
  export ASSAY_TEST_QUICK=1
  patience=90
  shift
  ;;
--install)
  only_install=1
  shift
  ;;
esac
[ $# -gt 0 ] || set -- codex claude opencode gemini qwen pi cline continue
[ -f dist/cli.js ] || node build.js
for name in "$@"; do
  timeout $patience node bin/assay.js agents install "$name" ||
    echo "$name could not be installed (within $patience s); its tests are skipped"
done
[ -z "$only_install" ] || exit 0
ASSAY_TEST_AGENTS="$*" exec node_modules/.bin/vitest run --project agents
