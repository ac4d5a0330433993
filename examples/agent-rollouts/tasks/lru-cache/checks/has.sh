#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { LruCache } from "./src/lru.js";
const cache = new LruCache(2);
cache.set("a", 1);
cache.set("b", 2);
cache.has("a");
cache.get("none");
cache.set("c", 3);
report(["a", "b", "c", "none"].map((key) => cache.has(key)));
JS
