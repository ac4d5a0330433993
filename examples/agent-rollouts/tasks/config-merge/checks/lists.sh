#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { merge } from "./src/merge.js";
assert.deepEqual(merge({ ports: [80, 443, 8080] }, { ports: [81] }).ports, [81]);
assert.deepEqual(merge({ ports: { a: 1 } }, { ports: [] }).ports, []);
JS
