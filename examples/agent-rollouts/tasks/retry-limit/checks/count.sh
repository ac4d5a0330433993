#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { retry } from "./src/retry.js";
let calls = 0;
const task = async () => {
  calls++;
  throw new Error("no");
};
await retry(task, { attempts: 3, delayMs: 1, sleep: async () => {} }).catch(() => {});
report({ calls });
JS
