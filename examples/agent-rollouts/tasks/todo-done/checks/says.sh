#!/bin/sh
. ./.assay/proof.sh
set -e
TODO_FILE=$(mktemp)
export TODO_FILE
trap 'rm -f "$TODO_FILE"' EXIT
echo '["milk","brown bread"]' > "$TODO_FILE"
report "$(node todo.js done 2)"
