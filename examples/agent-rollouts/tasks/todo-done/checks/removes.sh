#!/bin/sh
. ./.assay/proof.sh
set -e
TODO_FILE=$(mktemp)
export TODO_FILE
trap 'rm -f "$TODO_FILE"' EXIT
echo '["milk","bread","tea"]' > "$TODO_FILE"
node todo.js done 2 > "$TODO_FILE.said"
rm "$TODO_FILE.said"
report "$(node todo.js list)"
