#!/bin/sh
. ./.assay/proof.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo one > "$dir/app.log.1"
sh rotate.sh "$dir/app.log" 3 2> "$dir/said"
code=$?
[ -s "$dir/said" ] && said=something || said=nothing
rm "$dir/said"
report "exit $code, said $said, left $(ls "$dir" | tr '\n' ' ')with $(cat "$dir/app.log.1")"
