#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { parseCsv } from "./src/csv.js";
assert.deepEqual(parseCsv("a,,c\n, x ,\n"), [["a", "", "c"], ["", " x ", ""]]);
assert.deepEqual(parseCsv("a,b"), [["a", "b"]]);
JS
