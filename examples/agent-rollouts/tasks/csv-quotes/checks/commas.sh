#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { parseCsv } from "./src/csv.js";
report([parseCsv('1,"Smith, Anna",x\n'), parseCsv('",",""\n')]);
JS
