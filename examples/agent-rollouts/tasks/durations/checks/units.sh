#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { parseDuration } from "./src/duration.js";
report(["2h", "3m", "90s", "250ms", "1.5h", "0.5s"].map((text) => parseDuration(text)));
JS
