#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { LruCache } from "./src/lru.js";
const cache = new LruCache(2);
cache.set("a", 1);
cache.set("b", 2);
cache.set("a", 3);
const { size } = cache;
cache.set("c", 4);
report({ size, has: ["a", "b", "c"].map((key) => cache.has(key)), got: cache.get("a") });
JS
