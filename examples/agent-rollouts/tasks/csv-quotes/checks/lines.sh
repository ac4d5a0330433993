#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { parseCsv } from "./src/csv.js";
assert.deepEqual(parseCsv('a,"one\ntwo"\nb,c\n'), [["a", "one\ntwo"], ["b", "c"]]);
JS
