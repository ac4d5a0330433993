#!/bin/sh
# Usage: rotate.sh FILE KEEP
file=$1
keep=$2
i=1
while [ $i -lt $keep ]; do
  next=$((i + 1))
  [ -f $file.$i ] && mv $file.$i $file.$next
  i=$next
done
mv $file $file.1
: > $file
