#!/bin/sh
. ./.assay/proof.sh
TODO_FILE=$(mktemp)
export TODO_FILE
trap 'rm -f "$TODO_FILE" "$TODO_FILE.said"' EXIT
echo '["milk"]' > "$TODO_FILE"
node todo.js add bread > "$TODO_FILE.said" || exit 1
codes=
for number in 0 3 -1 x ""; do
  node todo.js done "$number" > "$TODO_FILE.said" 2>&1
  codes="$codes$? "
  # A command that is unknown ends with 2 as well.
  if grep -q "no such command" "$TODO_FILE.said"; then exit 1; fi
done
report "$codes
$(node todo.js list)"
