#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { parseCsv } from "./src/csv.js";
assert.deepEqual(parseCsv('1,"Smith, Anna",x\n'), [["1", "Smith, Anna", "x"]]);
assert.deepEqual(parseCsv('",",""\n'), [[",", ""]]);
JS
