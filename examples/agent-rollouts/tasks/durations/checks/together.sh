#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { parseDuration } from "./src/duration.js";
report(["1h30m", "2m5s", "1h1s", "1h2m3s4ms", "1m5ms"].map((text) => parseDuration(text)));
JS
