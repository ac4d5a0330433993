#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { retry } from "./src/retry.js";
let calls = 0;
const task = async () => {
  if (++calls < 2) throw new Error("not yet");
  return "done";
};
const result = await retry(task, { attempts: 5, delayMs: 1, sleep: async () => {} });
report({ result, calls });
JS
