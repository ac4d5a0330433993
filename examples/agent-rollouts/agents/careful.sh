#!/bin/sh
# careful.sh TASK OUT_DIR, in the repository: right on all tasks but csv-quotes, where it forgets line ends in quotes.
here=$(dirname "$0")
. "$here/leave-records.sh"
patch=$here/answers/$1.patch
[ "$1" != csv-quotes ] || patch=$here/slips/$1.patch
leave_records "$2" careful "$1" 40000 0.12 "git apply $1.patch"
git apply "$patch"
