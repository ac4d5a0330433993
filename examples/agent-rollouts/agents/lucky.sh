#!/bin/sh
# lucky.sh TASK OUT_DIR SEED, in the repository: right in about 60 of 100 rollouts, the same ones each time.
here=$(dirname "$0")
. "$here/leave-records.sh"
leave_records "$2" lucky "$1" 15000 0.04 "git apply $1.patch"
throw=$(printf '%s %s' "$1" "$3" | cksum | cut -d ' ' -f 1)
[ $((throw % 100)) -ge 60 ] || git apply "$here/answers/$1.patch"
