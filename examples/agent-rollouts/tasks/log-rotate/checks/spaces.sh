#!/bin/sh
. ./.assay/proof.sh
set -e
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo now > "$dir/my app.log"
echo one > "$dir/my app.log.1"
sh rotate.sh "$dir/my app.log" 3
report "$(cat "$dir/my app.log.1" "$dir/my app.log.2")"
