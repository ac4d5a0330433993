#!/bin/sh
. ./.assay/proof.sh
set -e
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo now > "$dir/app.log"
echo one > "$dir/app.log.1"
echo two > "$dir/app.log.2"
sh rotate.sh "$dir/app.log" 5
report "$(cd "$dir" && for name in *; do echo "$name: $(cat "$name")"; done)"
