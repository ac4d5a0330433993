#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { merge } from "./src/merge.js";
const merged = merge({ a: {} }, JSON.parse('{"__proto__": {"isAdmin": true}, "a": {"__proto__": {"isAdmin": true}, "b": 7}}'));
report({ everybody: typeof {}.isAdmin, merged: typeof merged.isAdmin, below: typeof merged.a.isAdmin, b: merged.a.b });
JS
