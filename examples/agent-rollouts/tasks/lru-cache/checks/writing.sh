#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { LruCache } from "./src/lru.js";
const cache = new LruCache(2);
cache.set("a", 1);
cache.set("b", 2);
cache.set("a", 3);
assert.equal(cache.size, 2);
cache.set("c", 4);
assert.deepEqual(["a", "b", "c"].map((key) => cache.has(key)), [true, false, true]);
assert.equal(cache.get("a"), 3);
JS
