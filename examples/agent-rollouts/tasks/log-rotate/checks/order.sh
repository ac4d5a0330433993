#!/bin/sh
set -e
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo now > "$dir/app.log"
echo one > "$dir/app.log.1"
echo two > "$dir/app.log.2"
sh rotate.sh "$dir/app.log" 5
[ ! -s "$dir/app.log" ]
[ "$(cat "$dir/app.log.1" "$dir/app.log.2" "$dir/app.log.3" | tr '\n' ' ')" = "now one two " ]
