#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { parseDuration } from "./src/duration.js";
const outcome = (text) => {
  try {
    return parseDuration(text);
  } catch {
    return `${text} is refused`;
  }
};
report(["5s1m", "1m1m", "1ms1s"].map(outcome));
JS
