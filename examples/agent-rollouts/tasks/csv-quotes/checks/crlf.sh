#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { parseCsv } from "./src/csv.js";
assert.deepEqual(parseCsv("a,b\r\nc,d\r\n"), [["a", "b"], ["c", "d"]]);
JS
