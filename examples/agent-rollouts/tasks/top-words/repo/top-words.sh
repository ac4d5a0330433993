#!/bin/sh
# Usage: top-words.sh FILE N
tr ' ' '\n' < "$1" | sort | uniq -c | sort -rn | head -n "$2"
