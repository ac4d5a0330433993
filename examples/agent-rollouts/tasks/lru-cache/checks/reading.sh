#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { LruCache } from "./src/lru.js";
const cache = new LruCache(2);
cache.set("a", 1);
cache.set("b", 2);
const got = cache.get("a");
cache.set("c", 3);
report({ got, has: ["a", "b", "c"].map((key) => cache.has(key)) });
JS
