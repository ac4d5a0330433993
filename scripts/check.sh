#!/usr/bin/env bash
# What `npm run check` runs: a developer's inner loop, so it keeps what it knows of types and leaves unused code to `npm test`.
# What only reads the code is looked at while the tests run.
cd "$(dirname "$0")/.." || exit
PATH="$PWD/node_modules/.bin:$PATH"
read_code() {
  npm run --silent lint && types . && types viewer && types test/browser
}
types() {
  tsc --noEmit -p "$1" --incremental --tsBuildInfoFile "node_modules/.cache/types/${1//\//-}.tsbuildinfo"
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
read_code >"$log" 2>&1 &
vitest run --project unit
tests=$?
wait $!
code=$?
[ $code = 0 ] || cat "$log"
exit $((tests | code))
