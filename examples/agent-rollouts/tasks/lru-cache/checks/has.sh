#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { LruCache } from "./src/lru.js";
const cache = new LruCache(2);
cache.set("a", 1);
cache.set("b", 2);
cache.has("a");
cache.get("none");
cache.set("c", 3);
assert.deepEqual(["a", "b", "c", "none"].map((key) => cache.has(key)), [false, true, true, false]);
JS
