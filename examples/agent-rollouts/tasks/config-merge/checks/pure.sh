#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { merge } from "./src/merge.js";
const defaults = { a: { b: 1 } };
const given = { a: { c: 2 }, list: [1] };
const merged = merge(defaults, given);
merged.a.d = 3;
merged.list.push(2);
report({ defaults, given, merged });
JS
