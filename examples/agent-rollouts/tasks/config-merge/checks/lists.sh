#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { merge } from "./src/merge.js";
report([
  merge({ ports: [80, 443, 8080] }, { ports: [81] }).ports,
  merge({ ports: { a: 1 } }, { ports: [] }).ports,
]);
JS
