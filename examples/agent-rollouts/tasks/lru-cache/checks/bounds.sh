#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { LruCache } from "./src/lru.js";
const none = new LruCache(0);
none.set("a", 1);
assert.equal(none.size, 0);
const cache = new LruCache(3);
for (let i = 0; i < 10; i++) cache.set(i, undefined);
assert.equal(cache.size, 3);
assert.equal(cache.has(9), true);
JS
