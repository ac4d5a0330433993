#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { merge } from "./src/merge.js";
const defaults = { a: { b: 1 } };
const given = { a: { c: 2 }, list: [1] };
const merged = merge(defaults, given);
merged.a.d = 3;
merged.list.push(2);
assert.deepEqual(defaults, { a: { b: 1 } });
assert.deepEqual(given, { a: { c: 2 }, list: [1] });
JS
