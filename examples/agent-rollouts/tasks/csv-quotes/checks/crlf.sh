#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { parseCsv } from "./src/csv.js";
report(parseCsv("a,b\r\nc,d\r\n"));
JS
