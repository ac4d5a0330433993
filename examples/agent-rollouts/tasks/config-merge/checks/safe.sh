#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { merge } from "./src/merge.js";
const merged = merge({ a: {} }, JSON.parse('{"__proto__": {"isAdmin": true}, "a": {"__proto__": {"isAdmin": true}}}'));
assert.equal({}.isAdmin, undefined);
assert.equal(merged.isAdmin, undefined);
assert.equal(merged.a.isAdmin, undefined);
JS
