#!/bin/sh
# hasty.sh TASK OUT_DIR, in the repository: right on four tasks, half right on four (on slug-accents it breaks what
# worked), and gives up on the rest with exit code 1.
here=$(dirname "$0")
. "$here/leave-records.sh"
leave_records "$2" hasty "$1" 9000 0.02 "git apply $1.patch"
case $1 in
  durations | lru-cache | todo-done | top-words) git apply "$here/answers/$1.patch" ;;
  config-merge | last-page | log-rotate | slug-accents) git apply "$here/slips/$1.patch" ;;
  *)
    echo "no idea" >&2
    exit 1
    ;;
esac
