#!/bin/sh
grep -q "todo.js done" README.md
