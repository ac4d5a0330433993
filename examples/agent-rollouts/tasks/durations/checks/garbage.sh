#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { parseDuration } from "./src/duration.js";
const thrown = (text) => {
  try {
    return parseDuration(text);
  } catch (error) {
    return `error with ${error.message.match(text)}`;
  }
};
report(["soon", "10", "5d", "-5s", "1h ", ""].map(thrown));
JS
