#!/bin/sh
. ./.assay/proof.sh
grep -q "todo.js done" README.md || exit 1
report named
