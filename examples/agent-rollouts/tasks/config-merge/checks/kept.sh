#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { merge } from "./src/merge.js";
assert.deepEqual(merge({ a: { b: 1, c: 2 }, d: 4 }, { a: { b: 3 } }), { a: { b: 3, c: 2 }, d: 4 });
assert.deepEqual(merge({ a: 1, b: 2 }, { a: null, b: undefined }), { a: null, b: 2 });
assert.deepEqual(merge({ a: 1 }, { a: { b: 1 } }), { a: { b: 1 } });
JS
