#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { merge } from "./src/merge.js";
report([
  merge({ a: { b: 1, c: 2 }, d: 4 }, { a: { b: 3 } }),
  merge({ a: 1, b: 2 }, { a: null, b: undefined }),
  merge({ a: 1 }, { a: { b: 1 } }),
]);
JS
