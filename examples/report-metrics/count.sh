#!/bin/sh
# Counts words, from a shell script: series line by line, then summary.csv.
lines=$1
seq 1 "$lines" | while read -r line; do
  echo "{\"step\": $line, \"bytes\": $((line * ASSAY_SEED))}" >>"$ASSAY_SERIES"
done
words=$(seq 1 "$lines" | wc -w)
printf 'words,lines\n%d,%d\n' "$words" "$lines" >"$ASSAY_OUT_DIR/summary.csv"
