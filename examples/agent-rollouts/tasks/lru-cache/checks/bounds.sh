#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { LruCache } from "./src/lru.js";
const none = new LruCache(0);
none.set("a", 1);
const cache = new LruCache(3);
for (let i = 0; i < 10; i++) cache.set(i, undefined);
report({ none: none.size, size: cache.size, has: [6, 7, 8, 9].map((key) => cache.has(key)) });
JS
