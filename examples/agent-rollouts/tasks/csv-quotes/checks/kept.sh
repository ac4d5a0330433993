#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { parseCsv } from "./src/csv.js";
report([parseCsv("a,,c\n, x ,\n"), parseCsv("a,b")]);
JS
