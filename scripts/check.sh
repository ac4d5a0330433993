#!/usr/bin/env bash
# What `npm run check` runs: a developer's inner loop. What only reads the code is looked at while the tests run.
cd "$(dirname "$0")/.." || exit
PATH="$PWD/node_modules/.bin:$PATH"
read_code() {
  npm run --silent lint && tsc --noEmit && tsc --noEmit -p viewer && tsc --noEmit -p test/browser && knip
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
