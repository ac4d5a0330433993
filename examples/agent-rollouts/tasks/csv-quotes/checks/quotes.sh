#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { parseCsv } from "./src/csv.js";
assert.deepEqual(parseCsv('"said ""soon""",b\n'), [['said "soon"', "b"]]);
assert.deepEqual(parseCsv('""""\n'), [['"']]);
JS
