#!/bin/sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo one > "$dir/app.log.1"
sh rotate.sh "$dir/app.log" 3 2> "$dir/said"
[ $? -eq 1 ] && [ -s "$dir/said" ] && [ ! -e "$dir/app.log" ] && [ "$(cat "$dir/app.log.1")" = one ]
