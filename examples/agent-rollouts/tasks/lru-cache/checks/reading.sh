#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { LruCache } from "./src/lru.js";
const cache = new LruCache(2);
cache.set("a", 1);
cache.set("b", 2);
assert.equal(cache.get("a"), 1);
cache.set("c", 3);
assert.deepEqual(["a", "b", "c"].map((key) => cache.has(key)), [true, false, true]);
JS
