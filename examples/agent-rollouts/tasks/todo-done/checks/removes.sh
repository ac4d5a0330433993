#!/bin/sh
set -e
TODO_FILE=$(mktemp)
export TODO_FILE
trap 'rm -f "$TODO_FILE"' EXIT
echo '["milk","bread","tea"]' > "$TODO_FILE"
node todo.js done 2
[ "$(node todo.js list)" = "1. milk
2. tea" ]
